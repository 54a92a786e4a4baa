/* The cast of JSON columns: the text is copied to the output and checked there by the grammar of RFC 8259; only then
 * does it count. See cast.h.
 *
 * Behind the copy stand zeros, which no rule of the grammar takes, so the end needs no test; and blocks of
 * sixteen bytes may be read.
 */
#include "casts/cast.h"

typedef const unsigned char *cursor;

/* So many digits may be more than a Float holds: its largest number has 309. See Katsu::Cast::Json::DIGITS. */
#define LARGE_DIGITS 300

static inline cursor skip_space(cursor at)
{
    if (KATSU_LIKELY(*at > ' ')) return at;
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r') at++;
    return at;
}

static bool hex_p(unsigned char c)
{
    return katsu_digit_p(c) || (unsigned char)((c | 32) - 'a') < 6;
}

/* Behind the hexadecimal digits of \u, of which a high surrogate needs a low one behind it; NULL if they are not that:
 * readers refuse half a character, or make a broken string of it. */
static cursor unicode_end(cursor at)
{
    if (!hex_p(at[0]) || !hex_p(at[1]) || !hex_p(at[2]) || !hex_p(at[3])) return NULL;
    if (KATSU_LIKELY((at[0] | 32) != 'd' || at[1] < '8')) return at + 4;
    if ((at[1] | 32) > 'b' || at[4] != '\\' || at[5] != 'u' || (at[6] | 32) != 'd') return NULL;
    return (at[7] | 32) >= 'c' && hex_p(at[7]) && hex_p(at[8]) && hex_p(at[9]) ? at + 10 : NULL;
}

/* Behind the backslash; NULL if it is no escape. */
static cursor escape_end(cursor at)
{
    switch (*at) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return at + 1;
    case 'u':
        return unicode_end(at + 1);
    default:
        return NULL;
    }
}

static inline bool unescaped_p(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\';
}

/* The first quote, backslash or byte under 0x20. Keys are short and alike from row to row, so that branches on
 * their bytes are predicted; the result of a block has to be waited for. */
static inline cursor unescaped_end(cursor at)
{
    for (int i = 0; i < 8; i++, at++) {
        if (!unescaped_p(*at)) return at;
    }
#if defined(__SSE2__)
    for (;; at += 16) {
        unsigned mask = katsu_block_escapes(_mm_loadu_si128((const __m128i *)at));
        if (mask) return at + __builtin_ctz(mask);
    }
#else
    for (;; at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        if (katsu_word_escapes(word)) break;
    }
    while (unescaped_p(*at)) at++;
    return at;
#endif
}

/* From behind the opening quote to behind the closing one; NULL if it is not a string. */
static inline cursor string_end(cursor at)
{
    for (;;) {
        at = unescaped_end(at);
        if (KATSU_LIKELY(*at == '"')) return at + 1;
        if (*at != '\\' || !(at = escape_end(at + 1))) return NULL;
    }
}

static inline cursor number_end(cursor at)
{
    if (*at == '-') at++;
    if (!katsu_digit_p(*at)) return NULL;
    if (*at++ != '0') {
        while (katsu_digit_p(*at)) at++;
    }
    if (*at == '.') {
        if (!katsu_digit_p(*++at)) return NULL;
        while (katsu_digit_p(*at)) at++;
    }
    if ((*at | 32) == 'e') {
        at++;
        if (*at == '+' || *at == '-') at++;
        if (!katsu_digit_p(*at)) return NULL;
        while (katsu_digit_p(*at)) at++;
    }
    return at;
}

/* Behind the value that begins at at, and the space around it; NULL if there is none. */
static cursor document_end(cursor at)
{
    uint64_t objects[KATSU_JSON_DEPTH / 64 + 1]; /* a bit a level: an object, not an array */
    unsigned depth = 0;
    objects[0] = 0;
value:
    at = skip_space(at);
    switch (*at) {
    case '"':
        if (!(at = string_end(at + 1))) return NULL;
        break;
    case '{':
    case '[': {
        if (++depth > KATSU_JSON_DEPTH) return NULL;
        uint64_t bit = 1ULL << (depth & 63);
        bool object = *at == '{';
        if (KATSU_UNLIKELY(bit == 1)) objects[depth >> 6] = 0;
        objects[depth >> 6] = object ? objects[depth >> 6] | bit : objects[depth >> 6] & ~bit;
        at = skip_space(at + 1);
        if (*at == (object ? '}' : ']')) {
            at++;
            depth--;
            break;
        }
        if (object) goto key;
        goto value;
    }
    case 't':
        if (memcmp(at, "true", 4) != 0) return NULL;
        at += 4;
        break;
    case 'f':
        if (memcmp(at, "false", 5) != 0) return NULL;
        at += 5;
        break;
    case 'n':
        if (memcmp(at, "null", 4) != 0) return NULL;
        at += 4;
        break;
    default:
        if (!(at = number_end(at))) return NULL;
    }
    for (;;) {
        at = skip_space(at);
        if (depth == 0) return at;
        bool object = objects[depth >> 6] >> (depth & 63) & 1;
        if (*at == ',') {
            at = skip_space(at + 1);
            if (object) goto key;
            goto value;
        }
        if (*at != (object ? '}' : ']')) return NULL;
        at++;
        depth--;
    }
key:
    if (*at != '"' || !(at = string_end(at + 1))) return NULL;
    at = skip_space(at);
    if (*at != ':') return NULL;
    at++;
    goto value;
}

bool katsu_append_json_text(katsu_buffer *buffer, const char *text, size_t length, bool ascii)
{
    katsu_reserve(buffer, length + KATSU_SLACK);
    memcpy(buffer->at, text, length);
    memset(buffer->at + length, 0, KATSU_SLACK);
    cursor start = (cursor)buffer->at;
    if (document_end(start) != start + length) return false;
    if (!ascii) buffer->non_ascii = true;
    buffer->at += length;
    return true;
}

katsu_cast_result katsu_json_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    bool ascii;
    if (!RB_TYPE_P(raw, T_STRING)) return KATSU_CAST_FALLBACK;
    if (!katsu_utf8_p(raw, &ascii)) return KATSU_CAST_REFUSED;
    bool written = katsu_append_json_text(buffer, RSTRING_PTR(raw), (size_t)RSTRING_LEN(raw), ascii);
    RB_GC_GUARD(raw);
    return written ? KATSU_CAST_WRITTEN : KATSU_CAST_REFUSED;
}

bool katsu_json_as_parsed_p(const char *text, size_t length)
{
    size_t digits = 0;
    char before = 0;
    for (const char *at = text, *end = text + length; at < end; before = *at++) {
        if (katsu_digit_p((unsigned char)*at)) {
            if (++digits == LARGE_DIGITS) return false;
            continue;
        }
        if (*at == 'u' && before == '\\') return false;
        if (digits && (*at | 32) == 'e') return false;
        digits = 0;
    }
    return true;
}

/* Parsed by the sink: an error names the record. */
VALUE katsu_json_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    return Qundef;
}
