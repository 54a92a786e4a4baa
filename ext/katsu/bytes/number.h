/* Integers and floats to text. */
#ifndef KATSU_NUMBER_H
#define KATSU_NUMBER_H

#include "bytes/buffer.h"

#define KATSU_INTEGER_SIZE 20
/* At most 25 bytes are text; stores may touch 48. */
#define KATSU_FLOAT_SIZE 48

extern const char katsu_digit_pairs[200];
char *katsu_put_large(char *at, uint64_t value);

/* Writes a finite double as JSON.generate does and returns the end; at most KATSU_FLOAT_SIZE bytes. *shorts is
 * true if the floats before had few digits, and says what to try first; it never changes what is written. */
char *katsu_put_double(char *at, double value, bool *shorts);

/* Writes the digits of an unsigned integer at `at` and returns the end; at most KATSU_INTEGER_SIZE bytes. */
KATSU_INLINE char *katsu_put_unsigned(char *at, uint64_t value)
{
    if (value < 100) {
        if (value < 10) {
            *at = (char)('0' + value);
            return at + 1;
        }
        memcpy(at, katsu_digit_pairs + value * 2, 2);
        return at + 2;
    }
    return katsu_put_large(at, value);
}

KATSU_INLINE char *katsu_put_long(char *at, long value)
{
    uint64_t magnitude = (uint64_t)value;
    if (value < 0) {
        *at++ = '-';
        magnitude = 0 - magnitude;
    }
    return katsu_put_unsigned(at, magnitude);
}

KATSU_INLINE void katsu_append_long(katsu_buffer *buffer, long value)
{
    katsu_reserve(buffer, KATSU_INTEGER_SIZE + 1);
    buffer->at = katsu_put_long(buffer->at, value);
}

KATSU_INLINE void katsu_append_double(katsu_buffer *buffer, double value)
{
    katsu_reserve(buffer, KATSU_FLOAT_SIZE);
    buffer->at = katsu_put_double(buffer->at, value, &buffer->short_floats);
}

#endif
