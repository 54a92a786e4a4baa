/* Column values, as the database driver returned them, to JSON and to what stands in a Hash.
 *
 * One cast for each kind of column; which column has which is decided in lib/katsu/cast/. A cast that does not know a
 * raw value writes nothing and says so; the value then takes the fallback, by the type's own deserialize and as_json.
 *
 * To add one: a line in casts.def, its two functions in a cast_*.c, and lib/katsu/cast/<name>.rb.
 */
#ifndef KATSU_CAST_H
#define KATSU_CAST_H

#include "bytes/buffer.h"
#include "bytes/escape.h"
#include "bytes/number.h"

typedef enum {
#define KATSU_CAST(NUMBER, name, mutable, of_values) CAST_##NUMBER,
#include "casts/casts.def"
#undef KATSU_CAST
    KATSU_CASTS /* how many there are */
} katsu_cast;

/* A bit for each cast. */
#define KATSU_CAST(NUMBER, name, mutable, of_values) | (mutable##u << CAST_##NUMBER)
enum {
    KATSU_CAST_MUTABLE = 0
#include "casts/casts.def"
};
#undef KATSU_CAST
#define KATSU_CAST(NUMBER, name, mutable, of_values) | (of_values##u << CAST_##NUMBER)
enum {
    KATSU_CAST_OF_VALUES = 0
#include "casts/casts.def"
};
#undef KATSU_CAST

/* How columns without and with time zone conversion are printed: in UTC, in Time.zone or by the fallback, which any
 * format or precision but Rails' default takes, and a database whose times are local. And the periods between two
 * changes of that zone's offset that were met so far in a call. */
typedef enum { TIMES_BY_FALLBACK, TIMES_UTC, TIMES_ZONE } katsu_time_mode;

#define KATSU_PERIODS 8

typedef struct {
    bool known, zone_known;
    katsu_time_mode unzoned, zoned;
    VALUE zone; /* Time.zone; set with zoned */
    struct {
        int64_t start, end; /* seconds since 1970; end is not in it */
        int offset;         /* seconds east of UTC */
    } periods[KATSU_PERIODS];
    unsigned count;
} katsu_times;

/* Nothing is known. */
KATSU_INLINE void katsu_times_init(katsu_times *times)
{
    times->known = times->zone_known = false;
    times->count = 0;
}

/* The Time in UTC of an ActiveSupport::TimeWithZone of the current Time.zone, which prints as a raw value does;
 * Qundef for any other object. */
VALUE katsu_time_in_zone(katsu_times *times, VALUE value);

/* How many digits a decimal column keeps in all and behind the point; 0 and -1 if that is not said. */
typedef struct {
    int digits, scale;
} katsu_column_size;

/* Asks a column's type for them. Calls Ruby. */
katsu_column_size katsu_column_size_of(VALUE type);

/* What came of writing a raw value: it is for the fallback, and nothing is written; it is written; or it must not
 * be written, and nothing is: text of a JSON column that is not JSON. */
typedef enum { KATSU_CAST_FALLBACK, KATSU_CAST_WRITTEN, KATSU_CAST_REFUSED } katsu_cast_result;

/* Decimals of so many digits come back from a double as they were. Columns with more digits take the fallback, as Rails
 * then prints the double's further digits. */
#define KATSU_DOUBLE_DIGITS 15

KATSU_INLINE bool katsu_digit_p(char byte)
{
    return (unsigned char)(byte - '0') < 10;
}

/* Strings and integers are written in their caller. */
KATSU_INLINE katsu_cast_result katsu_string_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times,
                                                    const katsu_column_size *size)
{
    bool ascii;
    if (RB_SPECIAL_CONST_P(raw) || RBASIC_CLASS(raw) != rb_cString || !katsu_utf8_p(raw, &ascii))
        return KATSU_CAST_FALLBACK;
    if (!ascii) buffer->non_ascii = true;
    katsu_append_quoted(buffer, RSTRING_PTR(raw), (size_t)RSTRING_LEN(raw));
    RB_GC_GUARD(raw);
    return KATSU_CAST_WRITTEN;
}

KATSU_INLINE katsu_cast_result katsu_integer_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times,
                                                     const katsu_column_size *size)
{
    if (!RB_FIXNUM_P(raw)) return KATSU_CAST_FALLBACK;
    katsu_append_long(buffer, FIX2LONG(raw));
    return KATSU_CAST_WRITTEN;
}

KATSU_INLINE VALUE katsu_string_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    bool ascii;
    if (RB_SPECIAL_CONST_P(raw) || RBASIC_CLASS(raw) != rb_cString || !katsu_utf8_p(raw, &ascii)) return Qundef;
    return rb_str_dup(raw);
}

KATSU_INLINE VALUE katsu_integer_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    return RB_FIXNUM_P(raw) ? raw : Qundef;
}

/* The functions of each cast. raw is never nil but for the generic cast. _to_hash gives what as_json makes of the
 * value, or Qundef for the fallback. */
#define KATSU_CAST(NUMBER, name, mutable, of_values)                                              \
    katsu_cast_result katsu_##name##_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times, \
                                             const katsu_column_size *size);                      \
    VALUE katsu_##name##_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size);
#include "casts/casts.def"
#undef KATSU_CAST

typedef katsu_cast_result katsu_cast_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times,
                                             const katsu_column_size *size);

/* The text that was written in quotes, as a String without them; nil for null. For text without escapes. */
VALUE katsu_unquoted(katsu_buffer *buffer);
/* The same of what a cast writes; Qundef for the fallback. */
VALUE katsu_cast_text(katsu_cast_to_json *to_json, VALUE raw, katsu_times *times, const katsu_column_size *size);

/* Levels of a JSON column, and of a serializer's value: Katsu::Limits::JSON_DEPTH. */
#define KATSU_JSON_DEPTH 512

/* JSON text as it is; false if it is none. */
bool katsu_append_json_text(katsu_buffer *buffer, const char *text, size_t length, bool ascii);
/* False if the text has an escape \u, or may have a number that is too large for a Float: then what the parser makes of
 * it may not be its value. */
bool katsu_json_as_parsed_p(const char *text, size_t length);

/* Casts of what a driver's result has in memory, without a Ruby object. These functions read `text` after asking for
 * the time settings, which may call Ruby the first time in a batch. Call katsu_times_learn first; then no Ruby runs
 * before the text has been read. */
void katsu_times_learn(katsu_times *times);
katsu_cast_result katsu_timestamp_text_to_json(katsu_buffer *buffer, const char *text, long length, katsu_times *times,
                                               bool zoned);
katsu_cast_result katsu_date_text_to_json(katsu_buffer *buffer, const char *text, long length, katsu_times *times);
/* True if those casts can write the text: the date exists, in a year from 1600 on. */
bool katsu_timestamp_text_p(const char *text, long length);
bool katsu_date_text_p(const char *text, long length);
katsu_cast_result katsu_boolean_text_to_json(katsu_buffer *buffer, const char *text, long length);
katsu_cast_result katsu_integer_text_to_json(katsu_buffer *buffer, const char *text, long length);
katsu_cast_result katsu_float_text_to_json(katsu_buffer *buffer, const char *text, long length);
katsu_cast_result katsu_decimal_text_to_json(katsu_buffer *buffer, const char *text, long length,
                                             const katsu_column_size *size);
katsu_cast_result katsu_decimal_integer_to_json(katsu_buffer *buffer, int64_t number, const katsu_column_size *size);
katsu_cast_result katsu_decimal_double_to_json(katsu_buffer *buffer, double number, const katsu_column_size *size);

#endif
