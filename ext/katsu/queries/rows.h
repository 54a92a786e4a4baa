/* The rows of a query as its driver holds them: an Array of Arrays, or a driver's result that is read without a Ruby
 * object for each value.
 *
 * What a datum points to belongs to the rows, and is there until Ruby code is called: whoever has called some reads the
 * datum again.
 */
#ifndef KATSU_ROWS_H
#define KATSU_ROWS_H

#include "katsu.h"

typedef enum {
    DATUM_NULL,
    DATUM_OBJECT, /* the raw value itself */
    DATUM_UNREAD, /* katsu_rows_value gives the raw value */
    DATUM_TEXT,   /* of a String in UTF-8, if it is valid */
    DATUM_INTEGER,
    DATUM_DOUBLE,
    DATUM_DIGITS,   /* the text of an Integer or a BigDecimal, "-12.50" */
    DATUM_FLOATING, /* the text of a Float */
    DATUM_TRUTH,    /* t or f, of true or false */
    DATUM_TIME,     /* the text of a Time in UTC, "2026-01-02 03:04:05.678" */
    DATUM_INSTANT,  /* the same with the offset from UTC behind it, "+00" */
    DATUM_DATE,     /* the text of a Date */
    KATSU_DATUM_KINDS
} katsu_datum_kind;

/* One value of a row. */
typedef struct {
    katsu_datum_kind kind;
    long length; /* of text */
    VALUE owner; /* the String that the text belongs to, which a reader keeps from moving; or 0 */
    union {
        VALUE object;
        const char *text;
        int64_t integer;
        double number;
    };
} katsu_datum;

typedef struct katsu_rows {
    VALUE object;
    const void *data;    /* the driver's */
    long count, columns; /* columns: -1 if each row says it */
    void (*read)(const struct katsu_rows *rows, long row, int position, katsu_datum *datum);
    VALUE (*value)(const struct katsu_rows *rows, long row, int position);
} katsu_rows;

/* Raises TypeError for an object that is no rows. */
void katsu_rows_init(katsu_rows *rows, VALUE object);

/* A driver's; false if the object is of another driver. */
bool katsu_postgresql_rows(katsu_rows *rows, VALUE object);
bool katsu_sqlite_rows(katsu_rows *rows, VALUE object);
bool katsu_mysql2_rows(katsu_rows *rows, VALUE object);

KATSU_INLINE void katsu_rows_read(const katsu_rows *rows, long row, int position, katsu_datum *datum)
{
    datum->owner = 0;
    rows->read(rows, row, position, datum);
}

/* The raw value, as ActiveRecord::Result#rows would have it. */
KATSU_INLINE VALUE katsu_rows_value(const katsu_rows *rows, long row, int position)
{
    return rows->value(rows, row, position);
}

/* True if text is valid UTF-8; *ascii: whether it is ASCII only. */
bool katsu_text_p(const char *text, long length, bool *ascii);

#endif
