/* Integers by pairs of digits; floats by Schubfach: the shortest decimal that reads back as the same
 * double, and of those the closest. Raffaello Giulietti, "The Schubfach way to render doubles" (2020).
 */
#include "bytes/number.h"
#include "bytes/powers_of_ten.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

/* value * 10**exponent */
typedef struct {
    uint64_t value;
    int exponent;
} decimal;

#define SIXTEEN_DIGITS 10000000000000000
#define SIGNIFICAND_BITS 52
#define EXPONENT_BIAS (1023 + SIGNIFICAND_BITS)

static inline int floor_log2_pow10(int e)
{
    return e * 1741647 >> 19;
}

/* The upper 128 of 192 bits. */
typedef struct {
    uint64_t whole, fraction;
} product;

static inline product multiply(uint64_t high, uint64_t low, uint64_t factor)
{
    unsigned __int128 lower = (unsigned __int128)low * factor;
    unsigned __int128 upper = (unsigned __int128)high * factor + (uint64_t)(lower >> 64);
    return (product){(uint64_t)(upper >> 64), (uint64_t)upper};
}

/* The whole number, its lowest bit set if anything was cut off. */
static inline uint64_t round_to_odd(product p)
{
    return p.whole | (p.fraction > 1);
}

/* 0.5, 1 and 10 as fixed-point numbers with 64 and with 60 bits behind the point. */
#define HALF (1ULL << 63)
#define ONE 60
#define TEN (10ULL << ONE)
/* How far a fixed-point number may be off, in its last place, rounded up. */
#define DOUBT 2

static inline bool doubtful(uint64_t difference)
{
    return difference + DOUBT <= 2 * DOUBT;
}

/* Schubfach as published. Used if `quick` returns 0. */
static decimal exact(uint64_t fraction, int biased)
{
    uint64_t significand = fraction;
    int exponent = 1 - EXPONENT_BIAS;
    if (biased) {
        significand |= 1ULL << SIGNIFICAND_BITS;
        exponent = biased - EXPONENT_BIAS;
    }
    bool odd = significand & 1, close_below = fraction == 0 && biased > 1;
    uint64_t below = 4 * significand - 2 + close_below, value = 4 * significand, above = 4 * significand + 2;
    int k = (exponent * 1262611 - (close_below ? 524031 : 0)) >> 22;
    int shift = exponent + floor_log2_pow10(-k) + 1;
    uint64_t high = powers_of_ten[-k + 292].high, low = powers_of_ten[-k + 292].low;
    uint64_t lower = round_to_odd(multiply(high, low, below << shift)) + odd;
    uint64_t middle = round_to_odd(multiply(high, low, value << shift));
    uint64_t upper = round_to_odd(multiply(high, low, above << shift)) - odd;
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

/* Schubfach with one product. The value in units of 10**k is a whole number and a fraction; what rounds to the
 * double lies within reach of it to both sides, and reach is between a half and five. So the digits are those
 * of the multiple of ten within reach, if there is one, else of the nearest whole number. Returns 0, so that `exact`
 * decides, if (a) a comparison is closer than DOUBT, (b) the double's fraction is 0 (what rounds to it reaches less far
 * below than above), or (c) the double is subnormal. Otherwise the value has 17 digits, zeros at its end included.
 * Written without branches: whether one digit less is enough is a coin toss. */
static inline decimal quick(uint64_t fraction, int biased)
{
    int exponent = biased - EXPONENT_BIAS;
    int k = (exponent * 1262611) >> 22;
    int shift = exponent + floor_log2_pow10(-k) + 1;
    uint64_t high = powers_of_ten[-k + 292].high, low = powers_of_ten[-k + 292].low;
    product value = multiply(high, low, (fraction | 1ULL << SIGNIFICAND_BITS) << shift);
    uint64_t reach = high >> (5 - shift), tens = value.whole / 10;
    uint64_t above_ten = (value.whole - tens * 10) << ONE | value.fraction >> (64 - ONE);
    bool down = above_ten < reach;
    bool up = above_ten > TEN - reach;
    bool doubt = doubtful(above_ten - reach) | doubtful(above_ten + reach - TEN) | doubtful(value.fraction - HALF);
    uint64_t digits = down | up ? (tens + up) * 10 : value.whole + (value.fraction >> 63);
    bool short_of_one = digits < SIXTEEN_DIGITS;
    digits = short_of_one ? digits * 10 : digits;
    if (KATSU_UNLIKELY(doubt | (fraction == 0) | (biased == 0))) digits = 0;
    return (decimal){digits, k - short_of_one};
}

/* Printing: 17 digits, one and sixteen. Whole blocks are stored; the returned end says how many bytes of them count. */

/* Eight digits, a byte each, the first in the lowest. */
static inline uint64_t eight_digits(uint64_t value)
{
    uint64_t fours = value / 10000;
    uint64_t lanes = fours | (value - fours * 10000) << 32;
    uint64_t hundreds = (lanes * 10486 >> 20) & 0x7f0000007fULL;
    lanes = hundreds | (lanes - hundreds * 100) << 16;
    uint64_t tens = (lanes * 103 >> 10) & 0x000f000f000f000fULL;
    return tens | (lanes - tens * 10) << 8;
}

#define ZEROS 0x3030303030303030ULL

static inline void store(char *at, uint64_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(at, &word, sizeof word);
}

#if defined(__SSE2__)
typedef __m128i sixteen;

static inline sixteen sixteen_digits(uint64_t value)
{
    uint64_t high = value / 100000000;
    __m128i eights = _mm_set_epi64x((long long)(value - high * 100000000), (long long)high);
    __m128i fours = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi64x(3518437209)), 45);
    __m128i lanes =
        _mm_or_si128(fours, _mm_slli_epi64(_mm_sub_epi64(eights, _mm_mul_epu32(fours, _mm_set1_epi64x(10000))), 32));
    __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(lanes, _mm_set1_epi32(5243)), 3);
    lanes = _mm_or_si128(hundreds,
                         _mm_slli_epi32(_mm_sub_epi32(lanes, _mm_mullo_epi16(hundreds, _mm_set1_epi32(100))), 16));
    __m128i tens = _mm_mulhi_epu16(lanes, _mm_set1_epi16(6554));
    return _mm_or_si128(tens, _mm_slli_epi16(_mm_sub_epi16(lanes, _mm_mullo_epi16(tens, _mm_set1_epi16(10))), 8));
}

/* How many of them are left without the zeros at the end. */
static inline int count_digits(sixteen digits)
{
    unsigned zeros = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(digits, _mm_setzero_si128()));
    return 32 - __builtin_clz((~zeros & 0xffff) << 1 | 1) - 1;
}

static inline void put_sixteen(char *at, sixteen digits)
{
    _mm_storeu_si128((__m128i *)at, _mm_or_si128(digits, _mm_set1_epi8('0')));
}

/* With a point after the first `before` of them, under sixteen. */
static inline void put_sixteen_with_point(char *at, sixteen digits, int before)
{
    static const char keep[32] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    __m128i left = _mm_loadu_si128((const __m128i *)(keep + 16 - before));
    digits = _mm_or_si128(digits, _mm_set1_epi8('0'));
    _mm_storeu_si128((__m128i *)(at + 1), digits);
    _mm_storeu_si128((__m128i *)at,
                     _mm_or_si128(_mm_and_si128(left, digits), _mm_andnot_si128(left, _mm_slli_si128(digits, 1))));
    at[before] = '.';
}
#else
typedef struct {
    uint64_t high, low;
} sixteen;

static inline sixteen sixteen_digits(uint64_t value)
{
    uint64_t high = value / 100000000;
    return (sixteen){eight_digits(high), eight_digits(value - high * 100000000)};
}

static inline int count_digits(sixteen digits)
{
    if (digits.low) return 16 - __builtin_clzll(digits.low) / 8;
    return digits.high ? 8 - __builtin_clzll(digits.high) / 8 : 0;
}

static inline void put_sixteen(char *at, sixteen digits)
{
    store(at, digits.high | ZEROS);
    store(at + 8, digits.low | ZEROS);
}

static inline void put_sixteen_with_point(char *at, sixteen digits, int before)
{
    char bytes[16];
    put_sixteen(bytes, digits);
    put_sixteen(at + 1, digits);
    memcpy(at, bytes, (size_t)before);
    at[before] = '.';
}
#endif

/* A value of 17 digits; point and exponent as JSON.generate puts them. */
static inline char *put_decimal(char *at, decimal d)
{
    uint64_t first = d.value / SIXTEEN_DIGITS;
    sixteen digits = sixteen_digits(d.value - first * SIXTEEN_DIGITS);
    int count = 1 + count_digits(digits), whole = 17 + d.exponent;
    if (whole > 0 && whole < count) {
        at[0] = (char)('0' + first);
        put_sixteen_with_point(at + 1, digits, whole - 1);
        return at + count + 1;
    }
    if (whole <= 0 && whole > -9) {
        store(at, ZEROS);
        store(at + 8, ZEROS);
        at[1] = '.';
        at += 2 - whole;
        at[0] = (char)('0' + first);
        put_sixteen(at + 1, digits);
        return at + count;
    }
    int exponent = whole - 1;
    at[0] = (char)('0' + first);
    at[1] = '.';
    put_sixteen(at + 2, digits);
    at += count > 1 ? count + 1 : 1;
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    return katsu_put_unsigned(at, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

/* Up to six decimals: if value * 10**6, rounded, divided by 10**6 gives value again, and has at most 15
 * digits, these are the only 15 digits that do, so they are the shortest. 0 if that is not so. */
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
    double magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    if (magnitude < 1e15 && magnitude == (double)(int64_t)magnitude) {
        at = katsu_put_unsigned(at, (uint64_t)magnitude);
        memcpy(at, ".0", 2);
        return at + 2;
    }
    uint64_t parts = *shorts ? millionths(magnitude) : 0;
    if (parts) {
        uint64_t whole = parts / 1000000, word = eight_digits((parts - whole * 1000000) * 100);
        at = katsu_put_unsigned(at, whole);
        *at++ = '.';
        store(at, word | ZEROS);
        return at + 8 - __builtin_clzll(word) / 8;
    }
    uint64_t fraction = bits & ((1ULL << SIGNIFICAND_BITS) - 1);
    int biased = (int)(bits >> SIGNIFICAND_BITS);
    decimal d = quick(fraction, biased);
    if (KATSU_UNLIKELY(!d.value)) {
        d = exact(fraction, biased);
        for (; d.value < SIXTEEN_DIGITS; d.exponent--) d.value *= 10;
    }
    char *end = put_decimal(at, d);
    *shorts = end - at < 14;
    return end;
}
