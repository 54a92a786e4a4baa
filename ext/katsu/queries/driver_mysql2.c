/* See driver_mysql2.h.
 *
 * The gem exports no way to a result's own memory, so there is a String for each value. Most of the gem's time would go
 * into making Times of texts, of which Katsu would make texts again. The gem is told to cast nothing, and the texts are
 * written as those of PostgreSQL are. Each text is checked before the result is freed: if one is not as its type says,
 * for example because the table was altered, the gem makes the values.
 */
#include "queries/driver_mysql2.h"
#include "casts/cast.h"
#include <ruby/util.h>

typedef struct {
    VALUE rows;  /* an Array of Arrays of Strings and nil; nil after clear */
    VALUE kinds; /* katsu_datum_kind of each column's texts, a frozen String */
} mysql2_rows;

static ID id_utc, id_new, id_BigDecimal;
static VALUE date_class;

static void rows_mark(void *data)
{
    mysql2_rows *rows = data;
    rb_gc_mark(rows->rows);
    rb_gc_mark(rows->kinds);
}

static size_t rows_size(const void *data)
{
    return sizeof(mysql2_rows);
}

static const rb_data_type_t mysql2_type = {"Katsu::Native::Mysql2Rows",
                                           {rows_mark, RUBY_DEFAULT_FREE, rows_size},
                                           NULL,
                                           NULL,
                                           RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED};

static mysql2_rows *rows_of(VALUE object)
{
    return rb_check_typeddata(object, &mysql2_type);
}

VALUE katsu_mysql2_allocate(VALUE class)
{
    mysql2_rows *rows;
    return TypedData_Make_Struct(class, mysql2_rows, &mysql2_type, rows);
}

/* What texts mean */

/* The types whose values are no Strings. gain: about how many nanoseconds a value takes more than its text, if both are
 * made and written. */
static const struct {
    const char *name;
    katsu_datum_kind kind;
    int gain;
} types_known[] = {{"bigint", DATUM_DIGITS, -50},   {"int", DATUM_DIGITS, -50},       {"tinyint", DATUM_DIGITS, -50},
                   {"smallint", DATUM_DIGITS, -50}, {"mediumint", DATUM_DIGITS, -50}, {"year", DATUM_DIGITS, -50},
                   {"datetime", DATUM_TIME, 400},   {"timestamp", DATUM_TIME, 400},   {"date", DATUM_DATE, 400},
                   {"decimal", DATUM_DIGITS, 300},  {"float", DATUM_FLOATING, 0},     {"double", DATUM_FLOATING, 0}};

/* Types whose texts cannot be read. */
static const char *const types_unread[] = {"time", "bit", "null", "unknown"};

/* True if type is that name, or that name and more: "bigint(20)", "bigint unsigned". */
static bool type_named(VALUE type, const char *name)
{
    size_t length = strlen(name);
    if ((size_t)RSTRING_LEN(type) < length || memcmp(RSTRING_PTR(type), name, length) != 0) return false;
    if ((size_t)RSTRING_LEN(type) == length) return true;
    return RSTRING_PTR(type)[length] == '(' || RSTRING_PTR(type)[length] == ' ';
}

/* False if the texts of the column cannot be read. */
static bool kind_of_type(VALUE type, unsigned char *kind, int *gain)
{
    if (!katsu_type_p(type, T_STRING)) return false;
    for (size_t i = 0; i < sizeof types_unread / sizeof *types_unread; i++) {
        if (type_named(type, types_unread[i])) return false;
    }
    *kind = DATUM_OBJECT;
    for (size_t i = 0; i < sizeof types_known / sizeof *types_known; i++) {
        if (!type_named(type, types_known[i].name)) continue;
        *kind = (unsigned char)types_known[i].kind;
        *gain += types_known[i].gain;
    }
    return true;
}

VALUE katsu_mysql2_kinds(VALUE types)
{
    int gain = 0;
    unsigned char kind;
    Check_Type(types, T_ARRAY);
    VALUE kinds = rb_str_buf_new(RARRAY_LEN(types));
    for (long i = 0; i < RARRAY_LEN(types); i++) {
        if (!kind_of_type(RARRAY_AREF(types, i), &kind, &gain)) return Qnil;
        rb_str_cat(kinds, (const char *)&kind, 1);
    }
    RB_GC_GUARD(types);
    return gain > 0 ? rb_obj_freeze(kinds) : Qnil;
}

static long digits_from(const char *text, long length, long from)
{
    long i = from;
    while (i < length && katsu_digit_p(text[i])) i++;
    return i;
}

/* True of a number as databases write them, but for -0.00, of which the gem makes 0.0. */
static bool number_p(const char *text, long length, bool floating)
{
    bool negative = length > 0 && *text == '-', zero = true;
    long end = digits_from(text, length, negative);
    if (end == negative) return false;
    if (end + 1 < length && text[end] == '.') end = digits_from(text, length, end + 1);
    for (long i = negative; i < end; i++) zero &= text[i] == '0' || text[i] == '.';
    if (floating && end + 1 < length && text[end] == 'e') {
        long from = end + 1 + (text[end + 1] == '-' || text[end + 1] == '+');
        end = digits_from(text, length, from);
        if (end == from) return false;
    }
    return end == length && !(negative && zero);
}

/* True if the gem makes a value of that kind of the text, and read_value the same one. From 9999-12-31 on the gem makes
 * DateTimes, which lose the microseconds. */
static bool readable_p(katsu_datum_kind kind, const char *text, long length)
{
    switch (kind) {
    case DATUM_TIME:
        return katsu_timestamp_text_p(text, length) && memcmp(text, "9999-12-31", 10) != 0;
    case DATUM_DATE:
        return katsu_date_text_p(text, length);
    case DATUM_DIGITS:
    case DATUM_FLOATING:
        return number_p(text, length, kind == DATUM_FLOATING);
    default:
        return true; /* a text */
    }
}

/* True if a row has as many values as there are kinds, and all are as they should be. */
static bool row_readable_p(VALUE row, const char *kinds, long columns)
{
    if (!katsu_type_p(row, T_ARRAY) || RARRAY_LEN(row) != columns) return false;
    for (long i = 0; i < columns; i++) {
        VALUE text = RARRAY_AREF(row, i);
        if (NIL_P(text)) continue;
        if (!katsu_type_p(text, T_STRING)) return false;
        if (!readable_p((katsu_datum_kind)kinds[i], RSTRING_PTR(text), RSTRING_LEN(text))) return false;
    }
    return true;
}

bool katsu_mysql2_init(VALUE object, VALUE rows, VALUE kinds)
{
    mysql2_rows *of = rows_of(object);
    Check_Type(rows, T_ARRAY);
    Check_Type(kinds, T_STRING);
    for (long i = 0; i < RARRAY_LEN(rows); i++) {
        if (!row_readable_p(RARRAY_AREF(rows, i), RSTRING_PTR(kinds), RSTRING_LEN(kinds))) return false;
    }
    RB_OBJ_WRITE(object, &of->rows, rows);
    RB_OBJ_WRITE(object, &of->kinds, rb_str_new_frozen(kinds));
    return true;
}

void katsu_mysql2_clear(VALUE object)
{
    rows_of(object)->rows = Qnil;
}

/* Reading */

static VALUE text_at(const mysql2_rows *rows, long row, int position)
{
    if (!katsu_type_p(rows->rows, T_ARRAY) || row >= RARRAY_LEN(rows->rows))
        katsu_raise(katsu_eError, "the rows were cleared");
    VALUE values = RARRAY_AREF(rows->rows, row);
    if (!katsu_type_p(values, T_ARRAY) || position >= RARRAY_LEN(values))
        katsu_raise(katsu_eError, "row %ld has no value at position %d", row, position);
    VALUE text = RARRAY_AREF(values, position);
    if (!NIL_P(text)) Check_Type(text, T_STRING);
    return text;
}

static katsu_datum_kind kind_at(const mysql2_rows *rows, int position)
{
    return (katsu_datum_kind)RSTRING_PTR(rows->kinds)[position];
}

static void read_datum(const katsu_rows *of, long row, int position, katsu_datum *datum)
{
    const mysql2_rows *rows = of->data;
    VALUE text = text_at(rows, row, position);
    datum->kind = NIL_P(text) ? DATUM_NULL : kind_at(rows, position);
    if (datum->kind == DATUM_NULL) return;
    if (datum->kind == DATUM_OBJECT) {
        datum->object = text;
        return;
    }
    datum->owner = text;
    datum->text = RSTRING_PTR(text);
    datum->length = RSTRING_LEN(text);
}

static int number_at(const char *text, int digits)
{
    int number = 0;
    for (int i = 0; i < digits; i++) number = number * 10 + (text[i] - '0');
    return number;
}

static VALUE time_of(const char *text, long length)
{
    int micros = 0;
    for (int i = 20; i < 26; i++) micros = micros * 10 + (i < length ? text[i] - '0' : 0);
    VALUE parts[7] = {INT2FIX(number_at(text, 4)),
                      INT2FIX(number_at(text + 5, 2)),
                      INT2FIX(number_at(text + 8, 2)),
                      INT2FIX(number_at(text + 11, 2)),
                      INT2FIX(number_at(text + 14, 2)),
                      INT2FIX(number_at(text + 17, 2)),
                      INT2FIX(micros)};
    return rb_funcallv(rb_cTime, id_utc, 7, parts);
}

static VALUE date_of(const char *text)
{
    VALUE parts[3] = {INT2FIX(number_at(text, 4)), INT2FIX(number_at(text + 5, 2)), INT2FIX(number_at(text + 8, 2))};
    return rb_funcallv(date_class, id_new, 3, parts);
}

/* Decimals that have a point keep it. */
static VALUE number_of(VALUE text)
{
    if (memchr(RSTRING_PTR(text), '.', (size_t)RSTRING_LEN(text)))
        return rb_funcall(rb_mKernel, id_BigDecimal, 1, text);
    return rb_str_to_inum(text, 10, 0);
}

static VALUE read_value(const katsu_rows *of, long row, int position)
{
    const mysql2_rows *rows = of->data;
    VALUE text = text_at(rows, row, position), value = text;
    if (NIL_P(text)) return Qnil;
    switch (kind_at(rows, position)) {
    case DATUM_TIME:
        value = time_of(RSTRING_PTR(text), RSTRING_LEN(text));
        break;
    case DATUM_DATE:
        value = date_of(RSTRING_PTR(text));
        break;
    case DATUM_DIGITS:
        value = number_of(text);
        break;
    case DATUM_FLOATING:
        value = rb_float_new(ruby_strtod(StringValueCStr(text), NULL));
        break;
    default:
        break;
    }
    RB_GC_GUARD(text);
    return value;
}

bool katsu_mysql2_rows(katsu_rows *rows, VALUE object)
{
    if (!rb_typeddata_is_kind_of(object, &mysql2_type)) return false;
    const mysql2_rows *data = rows_of(object);
    if (!data->kinds || !katsu_type_p(data->rows, T_ARRAY)) katsu_raise(katsu_eError, "uninitialized or cleared rows");
    *rows = (katsu_rows){object, data, RARRAY_LEN(data->rows), (long)RSTRING_LEN(data->kinds), read_datum, read_value};
    return true;
}

void katsu_init_driver_mysql2(void)
{
    id_utc = rb_intern("utc");
    id_new = rb_intern("new");
    id_BigDecimal = rb_intern("BigDecimal");
    rb_global_variable(&date_class);
    rb_require("date");
    date_class = rb_const_get(rb_cObject, rb_intern("Date"));
}
