/* Integers by pairs of digits; floats by Schubfach: the shortest decimal that reads back as the same
 * double, and of those the closest. Raffaello Giulietti, "The Schubfach way to render doubles" (2020).
 */
#include "number.h"
#include "powers_of_ten.h"

const char katsu_digit_pairs[200] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354"
    "5556575859606162636465666768697071727374757677787980818283848586878889909192939495969798"
    "99";

static inline void put_pair(char *at, unsigned value)
{
    memcpy(at, katsu_digit_pairs + value * 2, 2);
}

/* Four digits, zeros in front included. */
static inline void put_four(char *at, unsigned value)
{
    unsigned high = value * 5243 >> 19; /* value / 100 for value < 10000 */
    put_pair(at, high);
    put_pair(at + 2, value - high * 100);
}

static inline void put_eight(char *at, unsigned value)
{
    unsigned high = value / 10000;
    put_four(at, high);
    put_four(at + 4, value - high * 10000);
}

/* One to eight digits, no zeros in front. */
static inline char *put_up_to_eight(char *at, unsigned value)
{
    if (value < 10000) {
        if (value < 100) {
            if (value < 10) {
                *at = (char)('0' + value);
                return at + 1;
            }
            put_pair(at, value);
            return at + 2;
        }
        unsigned high = value * 5243 >> 19;
        if (high < 10) {
            *at++ = (char)('0' + high);
        } else {
            put_pair(at, high);
            at += 2;
        }
        put_pair(at, value - high * 100);
        return at + 2;
    }
    unsigned high = value / 10000;
    at = put_up_to_eight(at, high);
    put_four(at, value - high * 10000);
    return at + 4;
}

char *katsu_put_large(char *at, uint64_t value)
{
    if (KATSU_LIKELY(value < 100000000)) return put_up_to_eight(at, (unsigned)value);
    uint64_t high = value / 100000000;
    if (high < 100000000) {
        at = put_up_to_eight(at, (unsigned)high);
    } else {
        uint64_t top = high / 100000000;
        at = put_up_to_eight(at, (unsigned)top);
        put_eight(at, (unsigned)(high - top * 100000000));
        at += 8;
    }
    put_eight(at, (unsigned)(value - high * 100000000));
    return at + 8;
}

typedef struct {
    uint64_t digits;
    int exponent; /* the value is digits * 10**exponent */
} decimal;

#define SIGNIFICAND_BITS 52
#define EXPONENT_BIAS (1023 + SIGNIFICAND_BITS)

static inline int floor_log2_pow10(int e)
{
    return e * 1741647 >> 19;
}

/* The product's upper half, its lowest bit set where anything was cut off. */
static inline uint64_t round_to_odd(uint64_t high, uint64_t low, uint64_t factor)
{
    unsigned __int128 lower = (unsigned __int128)low * factor;
    unsigned __int128 upper = (unsigned __int128)high * factor + (uint64_t)(lower >> 64);
    return (uint64_t)(upper >> 64) | ((uint64_t)upper > 1);
}

static decimal shortest(uint64_t fraction, int biased)
{
    uint64_t significand = fraction;
    int exponent = 1 - EXPONENT_BIAS;
    if (biased) {
        significand |= 1ULL << SIGNIFICAND_BITS;
        exponent = biased - EXPONENT_BIAS;
    }
    bool even = (significand & 1) == 0;
    bool close_below = fraction == 0 && biased > 1;
    uint64_t below = 4 * significand - 2 + close_below, value = 4 * significand, above = 4 * significand + 2;
    int k = (exponent * 1262611 - (close_below ? 524031 : 0)) >> 22;
    int shift = exponent + floor_log2_pow10(-k) + 1;
    uint64_t high = powers_of_ten[-k + 292].high, low = powers_of_ten[-k + 292].low;
    uint64_t lower = round_to_odd(high, low, below << shift) + !even;
    uint64_t middle = round_to_odd(high, low, value << shift);
    uint64_t upper = round_to_odd(high, low, above << shift) - !even;
    uint64_t s = middle / 4;
    if (s >= 10) {
        uint64_t ten = s / 10;
        bool down = lower <= 40 * ten, up = 40 * ten + 40 <= upper;
        if (down != up) return (decimal){ten + up, k + 1};
    }
    bool down = lower <= 4 * s, up = 4 * s + 4 <= upper;
    if (down != up) return (decimal){s + up, k};
    uint64_t half = 4 * s + 2;
    return (decimal){s + (middle > half || (middle == half && (s & 1))), k};
}

/* The digits without zeros at their end. */
static inline decimal without_zeros(decimal d)
{
    if (d.digits % 100000000 == 0) {
        d.digits /= 100000000;
        d.exponent += 8;
    }
    for (uint64_t shorter; (shorter = d.digits / 100) * 100 == d.digits; d.digits = shorter) d.exponent += 2;
    if (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    return d;
}

/* The digits stand at at + 1; puts point and exponent where JSON.generate does and returns the end. */
static inline char *place_point(char *at, int count, int exponent)
{
    int scientific = exponent + count - 1, whole = count + exponent;
    if (KATSU_LIKELY(exponent < 0 && whole > 0)) {
        char left[16], right[16];
        memcpy(left, at + 1, 16);
        memcpy(right, at + 1 + whole, 16);
        memcpy(at, left, 16);
        at[whole] = '.';
        memcpy(at + whole + 1, right, 16);
        return at + count + 1;
    }
    if (exponent < 0 && scientific > -10) {
        memmove(at + 2 - whole, at + 1, (size_t)count);
        memcpy(at, "0.", 2);
        memset(at + 2, '0', (size_t)-whole);
        return at + 2 - whole + count;
    }
    if (exponent >= 0 && scientific < 15) {
        memmove(at, at + 1, (size_t)count);
        memset(at + count, '0', (size_t)exponent);
        memcpy(at + count + exponent, ".0", 2);
        return at + count + exponent + 2;
    }
    at[0] = at[1];
    at[1] = '.';
    at += count > 1 ? count + 1 : 1;
    *at++ = 'e';
    *at++ = scientific < 0 ? '-' : '+';
    return katsu_put_unsigned(at, (uint64_t)(scientific < 0 ? -scientific : scientific));
}

/* Up to six decimals: where value * 10**6, rounded, divided by 10**6 gives value again, and has at most 15
 * digits, these are the only 15 digits that do, so they are the shortest. 0 where that is not so. */
static inline uint64_t millionths(double magnitude)
{
    if (magnitude >= 1e9) return 0;
    uint64_t rounded = (uint64_t)(magnitude * 1e6 + 0.5);
    return (double)rounded / 1e6 == magnitude ? rounded : 0;
}

char *katsu_put_double(char *at, double value, bool *shorts)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    *at = '-';
    at += bits >> 63;
    bits &= ~(1ULL << 63);
    if (bits == 0) {
        memcpy(at, "0.0", 3);
        return at + 3;
    }
    double magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    if (magnitude < 1e15 && magnitude == (double)(int64_t)magnitude) {
        at = katsu_put_unsigned(at, (uint64_t)magnitude);
        memcpy(at, ".0", 2);
        return at + 2;
    }
    decimal d = {0, -6};
    if (*shorts) d.digits = millionths(magnitude);
    if (!d.digits) d = shortest(bits & ((1ULL << SIGNIFICAND_BITS) - 1), (int)(bits >> SIGNIFICAND_BITS));
    d = without_zeros(d);
    *shorts = d.digits < 1000000000000;
    char *end = katsu_put_unsigned(at + 1, d.digits);
    return place_point(at, (int)(end - at - 1), d.exponent);
}
