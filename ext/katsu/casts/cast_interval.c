/* The cast of PostgreSQL's interval columns: "P1DT2H" as a number of seconds, which is the as_json of the
 * ActiveSupport::Duration that ActiveRecord makes of it. See cast.h.
 *
 * A year and a month are as long as ActiveSupport has them: a Gregorian year of 365.2425 days, and a twelfth of it.
 */
#include "casts/cast.h"

/* A part's letter and its seconds. The date's parts are before T, the time's behind it, in this order. */
typedef struct {
    char letter;
    int64_t seconds;
} part;

static const part DATE_PARTS[] = {{'Y', 31556952}, {'M', 2629746}, {'D', 86400}, {0, 0}};
static const part TIME_PARTS[] = {{'H', 3600}, {'M', 60}, {'S', 1}, {0, 0}};

#define MAX_PART_DIGITS 9
#define MILLION 1000000

/* From this many seconds on, a fraction may be lost in the Float that ActiveSupport adds it to. */
#define MAX_SECONDS_WITH_FRACTION ((int64_t)1 << 32)

/* Reads a number of up to MAX_PART_DIGITS digits and six decimals as millionths. Returns what is behind it; NULL if
 * there is none. */
static const char *read_millionths(const char *at, const char *end, int64_t *value, bool *fraction)
{
    bool negative = at < end && *at == '-';
    int64_t whole = 0;
    int digits = 0, decimals = 0;
    for (at += negative; at < end && *at >= '0' && *at <= '9' && digits <= MAX_PART_DIGITS; at++, digits++)
        whole = whole * 10 + *at - '0';
    if (digits == 0 || digits > MAX_PART_DIGITS) return NULL;
    *fraction = at < end && *at == '.';
    at += *fraction;
    for (; *fraction && at < end && *at >= '0' && *at <= '9' && decimals < 6; at++, decimals++)
        whole = whole * 10 + *at - '0';
    if (*fraction && decimals == 0) return NULL; /* after six decimals the unit's letter has to follow */
    for (; decimals < 6; decimals++) whole *= 10;
    *value = negative ? -whole : whole;
    return at;
}

/* Adds up the parts from at on. Returns what is behind them; NULL if one is not known. */
static const char *add_parts(const char *at, const char *end, const part *parts, int64_t *seconds, int64_t *millionths)
{
    while (at < end && *at != 'T') {
        int64_t value;
        bool fraction;
        at = read_millionths(at, end, &value, &fraction);
        if (!at || at == end) return NULL;
        while (parts->letter && parts->letter != *at) parts++;
        if (!parts->letter || (fraction && parts->seconds != 1)) return NULL;
        *seconds += value / MILLION * parts->seconds;
        *millionths += value % MILLION;
        parts++;
        at++;
    }
    return at;
}

/* The whole seconds of an interval in ISO 8601's form, cut off towards zero; false if it is in another form. */
static bool interval_seconds(const char *at, const char *end, int64_t *result)
{
    int64_t seconds = 0, millionths = 0;
    if (end - at < 3 || *at != 'P') return false;
    at = add_parts(at + 1, end, DATE_PARTS, &seconds, &millionths);
    if (at && at < end) at = end - at > 1 ? add_parts(at + 1, end, TIME_PARTS, &seconds, &millionths) : NULL;
    if (at != end) return false;
    if (millionths && (seconds > MAX_SECONDS_WITH_FRACTION || seconds < -MAX_SECONDS_WITH_FRACTION)) return false;
    if (seconds > 0 && millionths < 0) seconds--;
    if (seconds < 0 && millionths > 0) seconds++;
    *result = seconds;
    return true;
}

/* Qundef for the fallback. */
static VALUE interval_value(VALUE raw)
{
    int64_t seconds;
    if (!katsu_type_p(raw, T_STRING) || !interval_seconds(RSTRING_PTR(raw), RSTRING_END(raw), &seconds)) return Qundef;
    RB_GC_GUARD(raw);
    return LL2NUM(seconds);
}

katsu_cast_result katsu_interval_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times,
                                         const katsu_column_size *size)
{
    VALUE seconds = interval_value(raw);
    return seconds == Qundef ? KATSU_CAST_FALLBACK : katsu_integer_to_json(buffer, seconds, times, size);
}

VALUE katsu_interval_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    return interval_value(raw);
}
