/* Casts of booleans and floats; strings and integers are written where records are. See cast.h. */
#include "casts/cast.h"
#include "bytes/escape.h"
#include "bytes/number.h"

static VALUE big_decimal; /* BigDecimal; 0 until it is met */

bool katsu_cast_boolean(katsu_buffer *buffer, VALUE raw)
{
    bool value;
    if (raw == Qtrue || raw == INT2FIX(1)) {
        value = true;
    } else if (raw == Qfalse || raw == INT2FIX(0)) {
        value = false;
    } else if (RB_TYPE_P(raw, T_STRING) && RSTRING_LEN(raw) == 1) {
        switch (RSTRING_PTR(raw)[0]) {
          case 't': case '1': value = true; break;
          case 'f': case '0': value = false; break;
          default: return false;
        }
    } else {
        return false;
    }
    if (value) {
        katsu_append(buffer, "true", 4);
    } else {
        katsu_append(buffer, "false", 5);
    }
    return true;
}

bool katsu_cast_float(katsu_buffer *buffer, VALUE raw)
{
    if (!RB_FLOAT_TYPE_P(raw)) return false;
    double value = RFLOAT_VALUE(raw);
    if (value - value != 0) {
        katsu_append(buffer, "null", 4);
    } else {
        katsu_append_double(buffer, value);
    }
    return true;
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

/* Decimals of so many digits come back from a double as they were. Of a column that keeps more, Rails prints what else is in
 * the double. */
#define DOUBLE_DIGITS 15

/* True where text, "-12.50", has no exponent, and no more digits than a column keeps: in all, and behind the point (-1: any). */
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

/* A number as SQLite returns it. The decimal that Rails makes of it, by precision and scale, prints as the number itself
 * where there is nothing to be rounded. */
static bool append_number(katsu_buffer *buffer, VALUE raw, int digits, int scale)
{
    char text[KATSU_FLOAT_SIZE], *end;
    if (digits > DOUBLE_DIGITS) return false;
    if (RB_FIXNUM_P(raw)) {
        end = katsu_put_long(text, FIX2LONG(raw));
        memcpy(end, ".0", 2);
        end += 2;
    } else if (RB_FLOAT_TYPE_P(raw) && RFLOAT_VALUE(raw) - RFLOAT_VALUE(raw) == 0) {
        end = katsu_put_double(text, RFLOAT_VALUE(raw), &buffer->short_floats);
    } else {
        return false;
    }
    if (!kept_p(text, end, digits > 0 ? digits : DOUBLE_DIGITS, scale)) return false;
    katsu_append_quoted(buffer, text, (size_t)(end - text));
    return true;
}

bool katsu_cast_decimal(katsu_buffer *buffer, VALUE raw, int digits, int scale)
{
    if (!big_decimal_p(raw)) return append_number(buffer, raw, digits, scale);
    VALUE text = rb_funcall(raw, katsu_id_to_s, 0);
    if (!RB_TYPE_P(text, T_STRING) || RSTRING_LEN(text) == 0) return false;
    const char *bytes = RSTRING_PTR(text);
    if (bytes[RSTRING_LEN(text) - 1] > '9') { /* NaN, Infinity */
        katsu_append(buffer, "null", 4);
    } else if (RSTRING_LEN(text) > 1 && !kept_p(bytes, bytes + RSTRING_LEN(text), digits > 0 ? digits : INT_MAX, scale)) {
        return false; /* Rails rounds it */
    } else {
        katsu_append_quoted(buffer, bytes, (size_t)RSTRING_LEN(text));
    }
    RB_GC_GUARD(text);
    return true;
}

katsu_standard_as_json katsu_standard = {false, RUBY_FIXNUM_FLAG, 0};

/* Katsu::Native.own_as_json(own, integers): see katsu_standard_as_json; integers: whether theirs is one of them. */
static VALUE own_as_json(VALUE module, VALUE own, VALUE integers)
{
    katsu_standard.own = RTEST(own);
    katsu_standard.integers = RTEST(integers) ? 0 : RUBY_FIXNUM_FLAG;
    __atomic_fetch_add(&katsu_standard.serial, 1, __ATOMIC_RELEASE);
    return Qnil;
}

void katsu_init_cast(void)
{
    rb_define_singleton_method(katsu_mNative, "own_as_json", own_as_json, 2);
    rb_global_variable(&big_decimal);
}
