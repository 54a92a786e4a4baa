/* Casts of strings, integers, booleans, floats and decimals. See cast.h. */
#include "casts/cast.h"

static VALUE big_decimal; /* BigDecimal; 0 until it is met */

katsu_cast_result katsu_generic_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times,
                                        const katsu_column_size *size)
{
    return KATSU_CAST_FALLBACK;
}

VALUE katsu_generic_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    return Qundef;
}

/* true and false, t and f, 1 and 0; Qundef for anything else. */
static VALUE boolean_value(VALUE raw)
{
    if (raw == Qtrue || raw == INT2FIX(1)) return Qtrue;
    if (raw == Qfalse || raw == INT2FIX(0)) return Qfalse;
    if (!RB_TYPE_P(raw, T_STRING) || RSTRING_LEN(raw) != 1) return Qundef;
    switch (RSTRING_PTR(raw)[0]) {
    case 't':
    case '1':
        return Qtrue;
    case 'f':
    case '0':
        return Qfalse;
    default:
        return Qundef;
    }
}

katsu_cast_result katsu_boolean_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times,
                                        const katsu_column_size *size)
{
    VALUE value = boolean_value(raw);
    if (value == Qundef) return KATSU_CAST_FALLBACK;
    if (value == Qtrue) {
        katsu_append(buffer, "true", 4);
    } else {
        katsu_append(buffer, "false", 5);
    }
    return KATSU_CAST_WRITTEN;
}

VALUE katsu_boolean_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    return boolean_value(raw);
}

katsu_cast_result katsu_float_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times,
                                      const katsu_column_size *size)
{
    if (!RB_FLOAT_TYPE_P(raw)) return KATSU_CAST_FALLBACK;
    double value = RFLOAT_VALUE(raw);
    if (value - value != 0) {
        katsu_append(buffer, "null", 4);
    } else {
        katsu_append_double(buffer, value);
    }
    return KATSU_CAST_WRITTEN;
}

VALUE katsu_float_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    return RB_FLOAT_TYPE_P(raw) && RFLOAT_VALUE(raw) - RFLOAT_VALUE(raw) == 0 ? raw : Qundef;
}

static bool big_decimal_p(VALUE raw)
{
    if (!katsu_type_p(raw, T_DATA)) return false;
    if (!big_decimal) {
        ID name = rb_intern("BigDecimal");
        if (!rb_const_defined(rb_cObject, name)) return false;
        big_decimal = rb_const_get(rb_cObject, name);
    }
    return RBASIC_CLASS(raw) == big_decimal;
}

/* True if text, "-12.50", has no exponent, and no more digits than a column keeps: in all, and behind the point
 * (-1: any). */
static bool kept_p(const char *text, const char *end, int digits, int scale)
{
    int all = 0, behind = 0;
    bool point = false;
    if (end[-1] == '0' && end[-2] == '.') end -= 2;
    for (; text < end; text++) {
        if (*text == '.') {
            point = true;
        } else if (*text >= '0' && *text <= '9') {
            all += all > 0 || *text > '0';
            behind += point;
        } else if (*text != '-') {
            return false;
        }
    }
    return all <= digits && (scale < 0 || behind <= scale);
}

/* The number in quotes, if the column keeps all its digits. */
static katsu_cast_result append_kept(katsu_buffer *buffer, const char *text, const char *end, int digits, int scale)
{
    if (!kept_p(text, end, digits, scale)) return KATSU_CAST_FALLBACK;
    katsu_append_quoted(buffer, text, (size_t)(end - text));
    return KATSU_CAST_WRITTEN;
}

/* Numbers as SQLite returns them. The decimal that Rails makes of one, by precision and scale, prints as the number
 * itself if there is nothing to be rounded. */
katsu_cast_result katsu_decimal_integer_to_json(katsu_buffer *buffer, int64_t number, const katsu_column_size *size)
{
    char text[KATSU_FLOAT_SIZE], *end;
    if (size->digits > KATSU_DOUBLE_DIGITS) return KATSU_CAST_FALLBACK;
    end = katsu_put_long(text, number);
    memcpy(end, ".0", 2);
    return append_kept(buffer, text, end + 2, size->digits > 0 ? size->digits : KATSU_DOUBLE_DIGITS, size->scale);
}

katsu_cast_result katsu_decimal_double_to_json(katsu_buffer *buffer, double number, const katsu_column_size *size)
{
    char text[KATSU_FLOAT_SIZE];
    if (size->digits > KATSU_DOUBLE_DIGITS || number - number != 0) return KATSU_CAST_FALLBACK;
    char *end = katsu_put_double(text, number, &buffer->short_floats);
    return append_kept(buffer, text, end, size->digits > 0 ? size->digits : KATSU_DOUBLE_DIGITS, size->scale);
}

static katsu_cast_result append_number(katsu_buffer *buffer, VALUE raw, const katsu_column_size *size)
{
    if (RB_FIXNUM_P(raw)) return katsu_decimal_integer_to_json(buffer, FIX2LONG(raw), size);
    return RB_FLOAT_TYPE_P(raw) ? katsu_decimal_double_to_json(buffer, RFLOAT_VALUE(raw), size) : KATSU_CAST_FALLBACK;
}

/* The longest text of a decimal that is written as it stands. */
#define MAX_DECIMAL_TEXT 128

katsu_cast_result katsu_decimal_text_to_json(katsu_buffer *buffer, const char *text, long length,
                                             const katsu_column_size *size)
{
    char copy[MAX_DECIMAL_TEXT + 2];
    if (length == 0 || length > MAX_DECIMAL_TEXT || (unsigned char)(text[length - 1] - '0') > 9)
        return KATSU_CAST_FALLBACK;
    bool minus = *text == '-';
    if (length > minus + 1 && text[minus] == '0' && text[minus + 1] != '.') return KATSU_CAST_FALLBACK; /* zerofill */
    const char *point = memchr(text, '.', (size_t)length);
    if (point) {
        while (text[length - 1] == '0' && text + length - 2 > point) length--;
    }
    memcpy(copy, text, (size_t)length);
    if (!point) {
        memcpy(copy + length, ".0", 2);
        length += 2;
    }
    return append_kept(buffer, copy, copy + length, size->digits > 0 ? size->digits : INT_MAX, size->scale);
}

/* A number that needs no rounding to be kept in a column of that size, in quotes; null for a BigDecimal that is not
 * finite. */
katsu_cast_result katsu_decimal_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times,
                                        const katsu_column_size *size)
{
    if (!big_decimal_p(raw)) return append_number(buffer, raw, size);
    VALUE text = rb_funcall(raw, katsu_id_to_s, 0);
    if (!RB_TYPE_P(text, T_STRING) || RSTRING_LEN(text) == 0) return KATSU_CAST_FALLBACK;
    const char *bytes = RSTRING_PTR(text), *end = bytes + RSTRING_LEN(text);
    if (end[-1] > '9') { /* NaN, Infinity */
        katsu_append(buffer, "null", 4);
    } else if (RSTRING_LEN(text) > 1 && !kept_p(bytes, end, size->digits > 0 ? size->digits : INT_MAX, size->scale)) {
        return KATSU_CAST_FALLBACK; /* Rails rounds it */
    } else {
        katsu_append_quoted(buffer, bytes, (size_t)(end - bytes));
    }
    RB_GC_GUARD(text);
    return KATSU_CAST_WRITTEN;
}

VALUE katsu_decimal_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    return katsu_cast_text(katsu_decimal_to_json, raw, times, size);
}

void katsu_init_cast_number(void)
{
    rb_global_variable(&big_decimal);
}
