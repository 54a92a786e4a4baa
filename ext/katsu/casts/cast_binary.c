/* The cast of binary columns, and of MySQL's bit columns: bytes that are ASCII as a string, and true and false, which
 * the mysql2 adapter makes of bit(1). Other bytes take the fallback. See cast.h.
 */
#include "casts/cast.h"

katsu_cast_result katsu_binary_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times,
                                       const katsu_column_size *size)
{
    if (raw == Qtrue || raw == Qfalse) return katsu_boolean_to_json(buffer, raw, times, size);
    if (!katsu_type_p(raw, T_STRING) || katsu_coderange(raw) != RUBY_ENC_CODERANGE_7BIT) return KATSU_CAST_FALLBACK;
    return katsu_string_to_json(buffer, raw, times, size);
}

/* A String that is a value has the encoding of bytes. */
VALUE katsu_binary_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    if (raw == Qtrue || raw == Qfalse) return raw;
    if (!katsu_type_p(raw, T_STRING) || RBASIC_CLASS(raw) != rb_cString ||
        katsu_encoding(raw) != rb_ascii8bit_encindex())
        return Qundef;
    return rb_str_dup(raw);
}
