/* See rows.h. */
#include "queries/rows.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static VALUE array_value(const katsu_rows *rows, long row, int position)
{
    if (row >= RARRAY_LEN(rows->object)) katsu_raise(katsu_eError, "the rows end before row %ld", row);
    VALUE values = RARRAY_AREF(rows->object, row);
    if (!katsu_type_p(values, T_ARRAY) || position >= RARRAY_LEN(values))
        katsu_raise(katsu_eError, "row %ld has no value at position %d", row, position);
    return RARRAY_AREF(values, position);
}

static void read_array(const katsu_rows *rows, long row, int position, katsu_datum *datum)
{
    datum->object = array_value(rows, row, position);
    datum->kind = NIL_P(datum->object) ? DATUM_NULL : DATUM_OBJECT;
}

void katsu_rows_init(katsu_rows *rows, VALUE object)
{
    if (katsu_type_p(object, T_ARRAY)) {
        *rows = (katsu_rows){object, NULL, RARRAY_LEN(object), -1, read_array, array_value};
    } else if (!katsu_postgresql_rows(rows, object) && !katsu_sqlite_rows(rows, object) &&
               !katsu_mysql2_rows(rows, object)) {
        katsu_raise(rb_eTypeError, "the rows of a table are an Array of Arrays or a driver's, not %" PRIsVALUE,
                    rb_obj_class(object));
    }
}

#if defined(__SSE2__)
static bool ascii_p(const char *text, long length)
{
    const char *end = text + length;
    __m128i all = _mm_setzero_si128();
    for (; end - text >= 16; text += 16) all = _mm_or_si128(all, _mm_loadu_si128((const __m128i *)text));
    unsigned char rest = 0;
    for (; text < end; text++) rest |= (unsigned char)*text;
    return _mm_movemask_epi8(all) == 0 && rest < 0x80;
}
#else
static bool ascii_p(const char *text, long length)
{
    const char *end = text + length;
    uint64_t all = 0, word;
    for (; end - text >= 8; text += 8) {
        memcpy(&word, text, 8);
        all |= word;
    }
    for (; text < end; text++) all |= (unsigned char)*text;
    return (all & 0x8080808080808080ULL) == 0;
}
#endif

bool katsu_text_p(const char *text, long length, bool *ascii)
{
    *ascii = ascii_p(text, length);
    if (KATSU_LIKELY(*ascii)) return true;
    int range = RUBY_ENC_CODERANGE_7BIT;
    rb_str_coderange_scan_restartable(text, text + length, rb_utf8_encoding(), &range);
    return range == RUBY_ENC_CODERANGE_VALID;
}
