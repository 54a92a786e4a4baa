/* Values that are written by their caller, without a call: integers, floats, short text and arrays of them. Only while
 * the generator's short cuts are on. Nothing in here calls into Ruby.
 */
#ifndef KATSU_GENERATE_INLINE_H
#define KATSU_GENERATE_INLINE_H

#include "bytes/escape.h"
#include "values/generate.h"
#include "bytes/number.h"

/* Appends quoted in the simple case: ASCII of up to KATSU_SHORT bytes without escapes. Room for 2 bytes more
 * is left behind it. */
KATSU_INLINE bool katsu_put_short_text(katsu_buffer *buffer, VALUE string)
{
    if ((RBASIC(string)->flags & RUBY_ENC_CODERANGE_MASK) != RUBY_ENC_CODERANGE_7BIT) return false;
    size_t length = (size_t)RSTRING_LEN(string);
    if (length > KATSU_SHORT) return false;
    katsu_reserve(buffer, KATSU_SHORT + 4);
    char *at = buffer->at;
    if (katsu_copy_clean(at + 1, RSTRING_PTR(string), length)) return false;
    at[0] = at[length + 1] = '"';
    buffer->at = at + length + 2;
    return true;
}

/* As katsu_put_long, for integers that mostly have one digit. */
KATSU_INLINE char *katsu_put_small_first(char *at, long value)
{
    if ((unsigned long)value >= 10) return katsu_put_long(at, value);
    *at = (char)('0' + value);
    return at + 1;
}

/* Appends the integers that stand next to each other from index on, and returns the index behind them. */
KATSU_INLINE long katsu_put_integers(katsu_buffer *buffer, VALUE array, long index)
{
    const VALUE *elements = RARRAY_CONST_PTR(array);
    long length = RARRAY_LEN(array);
    while (index < length && RB_FIXNUM_P(elements[index])) {
        katsu_reserve(buffer, KATSU_INTEGER_SIZE + 2);
        /* As many as there is room for, whatever their digits. */
        long stop = index + (buffer->end - buffer->at) / (KATSU_INTEGER_SIZE + 2);
        char *at = buffer->at;
        if (stop > length) stop = length;
        do {
            long value = FIX2LONG(elements[index]);
            *at = ',';
            at += index > 0;
            at = katsu_put_small_first(at, value);
            index++;
        } while (index < stop && RB_FIXNUM_P(elements[index]));
        buffer->at = at;
    }
    return index;
}

/* Integers, floats and short text, which most values are, without a call. */
KATSU_INLINE bool katsu_put_inline(katsu_buffer *buffer, VALUE value)
{
    if (RB_FIXNUM_P(value)) {
        katsu_append_long(buffer, FIX2LONG(value));
        return true;
    }
    if (RB_FLONUM_P(value)) { /* always finite */
        katsu_append_double(buffer, RFLOAT_VALUE(value));
        return true;
    }
    return !RB_SPECIAL_CONST_P(value) && RB_BUILTIN_TYPE(value) == T_STRING && RBASIC_CLASS(value) == rb_cString &&
           katsu_put_short_text(buffer, value);
}

/* The longest array whose elements are all checked beforehand. */
#define KATSU_MAX_INTEGER_ARRAY 32

/* A short array of nothing but integers, at once; false if it is not one. */
KATSU_INLINE bool katsu_put_integer_array(katsu_generator *generator, VALUE array)
{
    long length = RARRAY_LEN(array);
    if (!katsu_compact_p(generator) || length < 1 || length > KATSU_MAX_INTEGER_ARRAY) return false;
    const VALUE *elements = RARRAY_CONST_PTR(array);
    for (long i = 0; i < length; i++) {
        if (!RB_FIXNUM_P(elements[i])) return false;
    }
    katsu_enter(generator);
    katsu_reserve(generator->buffer, (KATSU_INTEGER_SIZE + 2) * KATSU_MAX_INTEGER_ARRAY);
    char *at = generator->buffer->at;
    for (long i = 0; i < length; i++) {
        long value = FIX2LONG(elements[i]);
        *at++ = i == 0 ? '[' : ',';
        at = katsu_put_small_first(at, value);
    }
    *at++ = ']';
    generator->buffer->at = at;
    generator->depth--;
    RB_GC_GUARD(array); /* katsu_reserve may collect garbage; nothing else may refer to the array */
    return true;
}

#endif
