/* Casts of timestamps and dates. See cast.h. */
#include "casts/cast.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* True if the bytes of word at the positions of mask (0x80 each) are digits. */
static inline bool digits_at(uint64_t word, uint64_t mask)
{
    uint64_t low = word ^ 0x3030303030303030ULL;
    return (((low + 0x7676767676767676ULL) | low) & mask) == 0;
}

static inline uint64_t load(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return word;
}

static bool digits(const char *text, int count)
{
    for (int i = 0; i < count; i++) {
        if ((unsigned char)(text[i] - '0') > 9) return false;
    }
    return true;
}

static inline int pair(const char *text)
{
    return (text[0] - '0') * 10 + (text[1] - '0');
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Bytes 0 to 7 are YYYY-MM-, of ten in all. */
static inline bool date_digits_p(const char *text)
{
    return digits_at(load(text), 0x0080800080808080ULL) && text[4] == '-' && text[7] == '-' && digits(text + 8, 2);
}

/* Bytes 0 to 7 are HH:MM:SS. */
static inline bool time_digits_p(const char *text)
{
    return digits_at(load(text), 0x8080008080008080ULL) && text[2] == ':' && text[5] == ':';
}
#else
static inline bool date_digits_p(const char *text)
{
    return digits(text, 4) && text[4] == '-' && digits(text + 5, 2) && text[7] == '-' && digits(text + 8, 2);
}

static inline bool time_digits_p(const char *text)
{
    return digits(text, 2) && text[2] == ':' && digits(text + 3, 2) && text[5] == ':' && digits(text + 6, 2);
}
#endif

/* YYYY-MM-DD of a day that exists; years before 1600, about which calendars disagree, take the fallback. */
static inline bool date(const char *text)
{
    if (!date_digits_p(text)) return false;
    int year = pair(text) * 100 + pair(text + 2), month = pair(text + 5), day = pair(text + 8);
    if (year < 1600 || month < 1 || month > 12 || day < 1 || day > 31) return false;
    if (day <= 28) return true;
    if (month != 2) return day <= 30 || (month != 4 && month != 6 && month != 9 && month != 11);
    return day == 29 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static inline bool time_of_day(const char *text)
{
    return time_digits_p(text) && pair(text) < 24 && pair(text + 3) < 60 && pair(text + 6) < 60;
}

#if defined(__SSE2__)
#define HAVE_BLOCKS 1

/* True if each byte is the pattern's, or a digit up to the pattern's if that is one. */
static inline bool fits(const char *text, __m128i pattern)
{
    __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
    __m128i block = _mm_loadu_si128((const __m128i *)text), digit = _mm_sub_epi8(block, zero),
            limit = _mm_sub_epi8(pattern, zero);
    __m128i wanted = _mm_cmpeq_epi8(_mm_min_epu8(limit, nine), limit),
            below = _mm_cmpeq_epi8(_mm_min_epu8(digit, limit), digit);
    __m128i right =
        _mm_or_si128(_mm_and_si128(wanted, below), _mm_andnot_si128(wanted, _mm_cmpeq_epi8(block, pattern)));
    return _mm_movemask_epi8(right) == 0xffff;
}

/* YYYY-MM-DD HH:MM:SS.ffffff, on one of the first 28 days of a month: what most timestamps look like. Text of 26
 * bytes. */
static inline bool common_timestamp(const char *text)
{
    if (!fits(text, _mm_setr_epi8('9', '9', '9', '9', '-', '1', '9', '-', '2', '9', ' ', '2', '9', ':', '5', '9')) ||
        !fits(text + 10, _mm_setr_epi8(' ', '2', '9', ':', '5', '9', ':', '5', '9', '.', '9', '9', '9', '9', '9', '9')))
        return false;
    return (unsigned)pair(text + 5) - 1 < 12 && (unsigned)pair(text + 8) - 1 < 28 && pair(text + 11) < 24;
}
#endif

/* A timestamp's text that the fast way knows. */
static inline bool timestamp(const char *text, long length)
{
#if defined(HAVE_BLOCKS)
    if (KATSU_LIKELY(length == 26) && KATSU_LIKELY(common_timestamp(text))) return true;
#endif
    if (length < 19 || length > 26 || !date(text) || text[10] != ' ' || !time_of_day(text + 11)) return false;
    return length == 19 || (text[19] == '.' && digits(text + 20, (int)length - 20));
}

/* From 1600 to 9999, in seconds since 1970. */
#define FIRST_SECOND (-11676096000LL)
#define LAST_SECOND 253402300799LL

static ID id_raw_in_utc, id_zone_in_utc, id_period, id_utc_p, id_day, id_sec, id_iso8601;
static ID id_zone, id_time_zone, id_utc;
static VALUE time_format, date_class;
static VALUE time_with_zone; /* ActiveSupport::TimeWithZone; 0 until it is needed */

/* The number of changes of Rails' settings times ANSWERS, plus ANSWER(mode), or plus 0 while the mode is not known. */
static unsigned settings;
#define ANSWERS 4
#define ANSWER(mode) ((unsigned)(mode) + 1)

static katsu_time_mode read_settings(void)
{
    unsigned before = __atomic_load_n(&settings, __ATOMIC_ACQUIRE);
    if (KATSU_LIKELY(before % ANSWERS)) return before % ANSWERS == ANSWER(TIMES_UTC) ? TIMES_UTC : TIMES_BY_FALLBACK;
    katsu_time_mode mode = RTEST(rb_funcallv(time_format, id_raw_in_utc, 0, NULL)) ? TIMES_UTC : TIMES_BY_FALLBACK;
    /* Until Katsu::TimeFormat watches them, and if one was set meanwhile, the answer is for this call alone. */
    if (before)
        __atomic_compare_exchange_n(&settings, &before, before + ANSWER(mode), false, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED);
    return mode;
}

/* Katsu::Native.forget_times: settings that times are printed by may have changed. */
static VALUE forget_times(VALUE module)
{
    unsigned before = __atomic_load_n(&settings, __ATOMIC_RELAXED), after;
    do {
        after = before - before % ANSWERS + ANSWERS;
    } while (!__atomic_compare_exchange_n(&settings, &before, after ? after : ANSWERS, false, __ATOMIC_RELEASE,
                                          __ATOMIC_RELAXED));
    return Qnil;
}

static katsu_time_mode times_mode(katsu_times *times, bool zoned)
{
    if (KATSU_UNLIKELY(!times->known)) {
        times->unzoned = read_settings();
        times->known = true;
    }
    if (KATSU_LIKELY(!zoned)) return times->unzoned;
    if (KATSU_UNLIKELY(!times->zone_known)) {
        times->zoned = times->unzoned == TIMES_BY_FALLBACK                        ? TIMES_BY_FALLBACK
                       : RTEST(rb_funcallv(time_format, id_zone_in_utc, 0, NULL)) ? TIMES_UTC
                                                                                  : TIMES_ZONE;
        times->zone = rb_funcallv(rb_cTime, id_zone, 0, NULL);
        times->zone_known = true;
    }
    return times->zoned;
}

VALUE katsu_time_in_zone(katsu_times *times, VALUE value)
{
    if (times_mode(times, true) == TIMES_BY_FALLBACK || !katsu_type_p(value, T_OBJECT)) return Qundef;
    if (!time_with_zone) time_with_zone = rb_path2class("ActiveSupport::TimeWithZone");
    if (RBASIC_CLASS(value) != time_with_zone || rb_ivar_get(value, id_time_zone) != times->zone) return Qundef;
    VALUE utc = rb_ivar_get(value, id_utc);
    if (RB_SPECIAL_CONST_P(utc) || RBASIC_CLASS(utc) != rb_cTime) return Qundef;
    /* If the application has called localtime on this Time, as_json prints another time: the reader is called. */
    return rb_time_utc_offset(utc) == INT2FIX(0) ? utc : Qundef;
}

/* Days from 1970-01-01 in the Gregorian calendar, and back: Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms". Years begin in March, so that the day a leap year has more is the last. */
static int64_t days_of(int year, int month, int day)
{
    year -= month <= 2;
    int era = year / 400, of_era = year - era * 400;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097LL + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static inline void put_two(char *at, unsigned value)
{
    memcpy(at, katsu_digit_pairs + value * 2, 2);
}

/* "YYYY-MM-DDTHH:MM:SS.mmm of a second of 1600 to 9999. */
static void put_time(char *at, int64_t seconds, int milliseconds)
{
    uint64_t since = (uint64_t)(seconds - FIRST_SECOND);
    unsigned second = (unsigned)(since % 86400),
             days = (unsigned)(since / 86400) + (unsigned)(FIRST_SECOND / 86400 + 719468);
    unsigned era = days / 146097, of_era = days % 146097;
    unsigned year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    unsigned of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    unsigned day = of_year - (153 * month + 2) / 5 + 1;
    month = month < 10 ? month + 3 : month - 9;
    year += era * 400 + (month <= 2);
    memcpy(at, "\"    -  -  T  :  :  .   ", 24);
    put_two(at + 1, year / 100);
    put_two(at + 3, year % 100);
    put_two(at + 6, month);
    put_two(at + 9, day);
    put_two(at + 12, second / 3600);
    put_two(at + 15, second / 60 % 60);
    put_two(at + 18, second % 60);
    at[21] = (char)('0' + milliseconds / 100);
    put_two(at + 22, milliseconds % 100);
}

/* The zone's offset at that time; false if the fallback has to be taken. */
static bool find_offset(katsu_times *times, int64_t seconds, int *offset)
{
    unsigned known = times->count < KATSU_PERIODS ? times->count : KATSU_PERIODS;
    for (unsigned i = 0; i < known; i++) {
        if (times->periods[i].start <= seconds && seconds < times->periods[i].end) {
            *offset = times->periods[i].offset;
            return true;
        }
    }
    VALUE period = rb_funcall(time_format, id_period, 1, LL2NUM(seconds));
    if (NIL_P(period)) return false;
    Check_Type(period, T_ARRAY);
    unsigned index = times->count++ % KATSU_PERIODS;
    times->periods[index].start = NUM2LL(rb_ary_entry(period, 0));
    times->periods[index].end = NUM2LL(rb_ary_entry(period, 1));
    *offset = times->periods[index].offset = NUM2INT(rb_ary_entry(period, 2));
    return true;
}

static bool append_in_zone(katsu_buffer *buffer, int64_t seconds, int milliseconds, katsu_times *times)
{
    int offset;
    if (!find_offset(times, seconds, &offset)) return false;
    int minutes = (offset < 0 ? -offset : offset) / 60;
    seconds += offset;
    if (seconds < FIRST_SECOND || seconds > LAST_SECOND) return false;
    katsu_reserve(buffer, 31);
    put_time(buffer->at, seconds, milliseconds);
    memcpy(buffer->at + 24, offset < 0 ? "-  :  \"" : "+  :  \"", 7);
    put_two(buffer->at + 25, minutes / 60);
    put_two(buffer->at + 28, minutes % 60);
    buffer->at += 31;
    return true;
}

/* The months after shorter ones, whose first days can be a day that the month before does not have. */
#define AFTER_SHORT_MONTHS (1u << 3 | 1u << 5 | 1u << 7 | 1u << 10 | 1u << 12)

/* Whether the time prints the day and second that its distance from 1970 says: one that Ruby has read from text keeps a
 * 30th of February, which is the 2nd of March, and a 60th second. */
static bool printed_p(VALUE time, int month, int day, int second)
{
    if (day <= 4 && (AFTER_SHORT_MONTHS >> month & 1) && rb_funcallv(time, id_day, 0, NULL) != INT2FIX(day))
        return false;
    return second > 0 || rb_funcallv(time, id_sec, 0, NULL) == INT2FIX(0);
}

typedef struct {
    VALUE time;
    struct timespec at;
} time_reading;

static VALUE read_timespec(VALUE arg)
{
    time_reading *reading = (time_reading *)arg;
    reading->at = rb_time_timespec(reading->time);
    return Qtrue;
}

static VALUE out_of_range(VALUE arg, VALUE error)
{
    ((time_reading *)arg)->at.tv_sec = LAST_SECOND + 1;
    return Qfalse;
}

/* That of a time that the system does not know is behind the last one that is written. */
static struct timespec timespec_of(VALUE time)
{
    time_reading reading = {time, {0, 0}};
    rb_rescue2(read_timespec, (VALUE)&reading, out_of_range, (VALUE)&reading, rb_eArgError, rb_eRangeError, (VALUE)0);
    return reading.at;
}

static bool append_time(katsu_buffer *buffer, VALUE time, katsu_times *times, katsu_time_mode mode)
{
    struct timespec at = timespec_of(time);
    if (at.tv_sec < FIRST_SECOND || at.tv_sec > LAST_SECOND) return false;
    if (mode == TIMES_ZONE) return append_in_zone(buffer, at.tv_sec, (int)(at.tv_nsec / 1000000), times);
    if (!RTEST(rb_funcallv(time, id_utc_p, 0, NULL))) return false;
    katsu_reserve(buffer, 26);
    put_time(buffer->at, at.tv_sec, (int)(at.tv_nsec / 1000000));
    if (KATSU_UNLIKELY(!printed_p(time, pair(buffer->at + 6), pair(buffer->at + 9), pair(buffer->at + 18))))
        return false;
    memcpy(buffer->at + 24, "Z\"", 2);
    buffer->at += 26;
    return true;
}

/* Digits behind the point, from the first on. */
static int milliseconds_of(const char *text, long length)
{
    int value = 0;
    for (int i = 20; i < 23; i++) value = value * 10 + (i < length ? text[i] - '0' : 0);
    return value;
}

static bool append_text_in_zone(katsu_buffer *buffer, const char *text, long length, katsu_times *times)
{
    int64_t days = days_of(pair(text) * 100 + pair(text + 2), pair(text + 5), pair(text + 8));
    int64_t seconds = days * 86400 + pair(text + 11) * 3600 + pair(text + 14) * 60 + pair(text + 17);
    return append_in_zone(buffer, seconds, milliseconds_of(text, length), times);
}

/* Text in the form of timestamp(), in UTC. */
KATSU_INLINE void append_text_in_utc(katsu_buffer *buffer, const char *text, long length)
{
    katsu_reserve(buffer, 26);
    char *at = buffer->at;
    at[0] = '"';
    memcpy(at + 1, text, 19);
    at[11] = 'T';
    memcpy(at + 20, ".000Z\"", 6);
    if (length >= 23) {
        memcpy(at + 21, text + 20, 3);
    } else if (length > 20) {
        memcpy(at + 21, text + 20, (size_t)(length - 20));
    }
    buffer->at += 26;
}

KATSU_INLINE katsu_cast_result append_text(katsu_buffer *buffer, const char *text, long length, katsu_times *times,
                                           katsu_time_mode mode)
{
    if (!timestamp(text, length)) return KATSU_CAST_FALLBACK;
    if (mode == TIMES_ZONE)
        return append_text_in_zone(buffer, text, length, times) ? KATSU_CAST_WRITTEN : KATSU_CAST_FALLBACK;
    append_text_in_utc(buffer, text, length);
    return KATSU_CAST_WRITTEN;
}

/* "2026-01-02 03:04:05.678901", or a Time, as "2026-01-02T03:04:05.678Z" or with the zone's offset; in quotes. */
static katsu_cast_result append_timestamp(katsu_buffer *buffer, VALUE raw, katsu_times *times, katsu_time_mode mode)
{
    if (mode == TIMES_BY_FALLBACK || RB_SPECIAL_CONST_P(raw)) return KATSU_CAST_FALLBACK;
    if (RBASIC_CLASS(raw) == rb_cTime)
        return append_time(buffer, raw, times, mode) ? KATSU_CAST_WRITTEN : KATSU_CAST_FALLBACK;
    if (RB_BUILTIN_TYPE(raw) != T_STRING) return KATSU_CAST_FALLBACK;
    katsu_cast_result result = append_text(buffer, RSTRING_PTR(raw), RSTRING_LEN(raw), times, mode);
    RB_GC_GUARD(raw);
    return result;
}

katsu_cast_result katsu_timestamp_text_to_json(katsu_buffer *buffer, const char *text, long length, katsu_times *times,
                                               bool zoned)
{
    katsu_time_mode mode = times_mode(times, zoned);
    return mode == TIMES_BY_FALLBACK ? KATSU_CAST_FALLBACK : append_text(buffer, text, length, times, mode);
}

bool katsu_timestamp_text_p(const char *text, long length)
{
    return timestamp(text, length);
}

bool katsu_date_text_p(const char *text, long length)
{
    return length == 10 && date(text);
}

void katsu_times_learn(katsu_times *times)
{
    times_mode(times, true);
}

katsu_cast_result katsu_datetime_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times,
                                         const katsu_column_size *size)
{
    return append_timestamp(buffer, raw, times, times_mode(times, false));
}

katsu_cast_result katsu_zoned_datetime_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times,
                                               const katsu_column_size *size)
{
    return append_timestamp(buffer, raw, times, times_mode(times, true));
}

KATSU_INLINE katsu_cast_result append_date(katsu_buffer *buffer, const char *text, long length)
{
    if (!katsu_date_text_p(text, length)) return KATSU_CAST_FALLBACK;
    katsu_reserve(buffer, 12);
    buffer->at[0] = '"';
    memcpy(buffer->at + 1, text, 10);
    buffer->at[11] = '"';
    buffer->at += 12;
    return KATSU_CAST_WRITTEN;
}

/* "2026-01-02", or a Date, in quotes. Dates have no zone, but are printed in another form if times are. */
katsu_cast_result katsu_date_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    if (times_mode(times, false) == TIMES_BY_FALLBACK || RB_SPECIAL_CONST_P(raw)) return KATSU_CAST_FALLBACK;
    if (RBASIC_CLASS(raw) == date_class) raw = rb_funcallv(raw, id_iso8601, 0, NULL);
    if (!RB_TYPE_P(raw, T_STRING)) return KATSU_CAST_FALLBACK;
    katsu_cast_result result = append_date(buffer, RSTRING_PTR(raw), RSTRING_LEN(raw));
    RB_GC_GUARD(raw);
    return result;
}

katsu_cast_result katsu_date_text_to_json(katsu_buffer *buffer, const char *text, long length, katsu_times *times)
{
    return times_mode(times, false) == TIMES_BY_FALLBACK ? KATSU_CAST_FALLBACK : append_date(buffer, text, length);
}

VALUE katsu_datetime_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    return katsu_cast_text(katsu_datetime_to_json, raw, times, size);
}

VALUE katsu_zoned_datetime_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    return katsu_cast_text(katsu_zoned_datetime_to_json, raw, times, size);
}

VALUE katsu_date_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    return katsu_cast_text(katsu_date_to_json, raw, times, size);
}

void katsu_init_cast_time(void)
{
    rb_define_singleton_method(katsu_mNative, "forget_times", forget_times, 0);
    id_raw_in_utc = rb_intern("raw_in_utc?");
    id_zone_in_utc = rb_intern("zone_in_utc?");
    id_period = rb_intern("period");
    id_utc_p = rb_intern("utc?");
    id_iso8601 = rb_intern("iso8601");
    id_zone = rb_intern("zone");
    id_time_zone = rb_intern("@time_zone");
    id_utc = rb_intern("@utc");
    id_day = rb_intern("day");
    id_sec = rb_intern("sec");
    rb_global_variable(&time_format);
    rb_global_variable(&date_class);
    rb_global_variable(&time_with_zone);
    time_format = rb_define_module_under(katsu_mKatsu, "TimeFormat");
    rb_require("date");
    date_class = rb_const_get(rb_cObject, rb_intern("Date"));
}
