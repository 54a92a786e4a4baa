/* Raw column values, as the database driver returned them, to JSON. One cast per kind of column; which column
 * has which is decided in lib/katsu/cast.rb. A cast that does not know a raw value writes nothing and returns
 * false; the value then goes the long way, by the type's own deserialize and as_json.
 */
#ifndef KATSU_CAST_H
#define KATSU_CAST_H

#include "bytes/buffer.h"

/* Katsu::Cast::NAMES, in its order. */
typedef enum {
    CAST_GENERIC, CAST_STRING, CAST_INTEGER, CAST_FLOAT, CAST_BOOLEAN, CAST_DATETIME, CAST_ZONED_DATETIME, CAST_DATE, CAST_JSON, CAST_DECIMAL
} katsu_cast;

/* Casts whose Ruby value can be changed in place, as a Time by localtime, or was cast under another Time.zone: where a record
 * has one already, that is the value. */
#define KATSU_CAST_MUTABLE (1u << CAST_GENERIC | 1u << CAST_STRING | 1u << CAST_JSON | 1u << CAST_DATETIME | 1u << CAST_ZONED_DATETIME)

/* Casts that write a Ruby value as they write what it was cast from. */
#define KATSU_CAST_OF_VALUES (1u << CAST_STRING | 1u << CAST_INTEGER | 1u << CAST_FLOAT | 1u << CAST_BOOLEAN | 1u << CAST_DATETIME | \
                              1u << CAST_ZONED_DATETIME | 1u << CAST_DATE | 1u << CAST_DECIMAL)

/* How columns without and with time zone conversion are printed: in UTC, in Time.zone or the long way, which any other
 * format or precision than Rails' default takes, and a database whose times are local; and the stretches of time between
 * two changes of that zone's offset that were met so far in a call. */
typedef enum { TIMES_LONG_WAY, TIMES_UTC, TIMES_ZONE } katsu_time_mode;

#define KATSU_PERIODS 8

typedef struct {
    bool known, zone_known;
    katsu_time_mode plain, zoned;
    VALUE zone;             /* Time.zone; set with zoned */
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

katsu_time_mode katsu_times_mode(katsu_times *times, int cast);
/* The Time in UTC of an ActiveSupport::TimeWithZone of the current Time.zone, which prints as a raw value does; Qundef for
 * any other object. */
VALUE katsu_time_in_zone(katsu_times *times, VALUE value);

/* "2026-01-02 03:04:05.678901", or a Time, as "2026-01-02T03:04:05.678Z" or with the zone's offset; in quotes.
 * cast: CAST_DATETIME or CAST_ZONED_DATETIME. */
bool katsu_cast_datetime(katsu_buffer *buffer, VALUE raw, katsu_times *times, int cast);
/* "2026-01-02", or a Date, in quotes. */
bool katsu_cast_date(katsu_buffer *buffer, VALUE raw, katsu_times *times);
/* A number that needs no rounding to be kept in a column of so many digits in all and behind the point (see katsu_access): a
 * BigDecimal, a Float or an Integer, in quotes. null for a BigDecimal that is not finite. */
bool katsu_cast_decimal(katsu_buffer *buffer, VALUE raw, int digits, int scale);
/* JSON text as it is; false where it is none. */
bool katsu_cast_json(katsu_buffer *buffer, VALUE raw);
/* true and false, t and f, 1 and 0. */
bool katsu_cast_boolean(katsu_buffer *buffer, VALUE raw);
bool katsu_cast_float(katsu_buffer *buffer, VALUE raw);

#endif
