/* The cast of JSON columns: one pass that checks the grammar of RFC 8259, then a copy. See cast.h. */
#include "cast.h"
#include "escape.h"

#define MAX_DEPTH 512

typedef struct {
    const unsigned char *at, *end;
    int depth;
} scan;

static void skip_space(scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r')) s->at++;
}

static bool hex(unsigned char c)
{
    return (unsigned char)(c - '0') < 10 || (unsigned char)((c | 32) - 'a') < 6;
}

static bool scan_escape(scan *s)
{
    if (s->at >= s->end) return false;
    switch (*s->at) {
      case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
        s->at++;
        return true;
      case 'u':
        for (int i = 1; i <= 4; i++) {
            if (s->at + i >= s->end || !hex(s->at[i])) return false;
        }
        s->at += 5;
        return true;
      default:
        return false;
    }
}

/* From behind the opening quote to behind the closing one. */
static bool scan_string(scan *s)
{
    for (;;) {
        while (s->end - s->at >= 8) {
            uint64_t word;
            memcpy(&word, s->at, 8);
            if (katsu_word_escapes(word)) break;
            s->at += 8;
        }
        if (s->at >= s->end) return false;
        unsigned char c = *s->at;
        if (c == '"') {
            s->at++;
            return true;
        }
        if (c < 0x20) return false;
        s->at++;
        if (c == '\\' && !scan_escape(s)) return false;
    }
}

static bool scan_digits(scan *s)
{
    const unsigned char *start = s->at;
    while (s->at < s->end && (unsigned char)(*s->at - '0') < 10) s->at++;
    return s->at > start;
}

static bool scan_number(scan *s)
{
    if (*s->at == '-') s->at++;
    if (s->at >= s->end) return false;
    if (*s->at == '0') {
        s->at++;
    } else if (!scan_digits(s)) {
        return false;
    }
    if (s->at < s->end && *s->at == '.') {
        s->at++;
        if (!scan_digits(s)) return false;
    }
    if (s->at < s->end && (*s->at | 32) == 'e') {
        s->at++;
        if (s->at < s->end && (*s->at == '+' || *s->at == '-')) s->at++;
        if (!scan_digits(s)) return false;
    }
    return true;
}

static bool scan_word(scan *s, const char *word, long length)
{
    if (s->end - s->at < length || memcmp(s->at, word, (size_t)length) != 0) return false;
    s->at += length;
    return true;
}

static bool scan_value(scan *s);

static bool scan_key(scan *s)
{
    skip_space(s);
    if (s->at >= s->end || *s->at != '"') return false;
    s->at++;
    if (!scan_string(s)) return false;
    skip_space(s);
    if (s->at >= s->end || *s->at != ':') return false;
    s->at++;
    return true;
}

/* From behind the opening bracket to behind the closing one. */
static bool scan_container(scan *s, unsigned char close)
{
    if (++s->depth > MAX_DEPTH) return false;
    skip_space(s);
    if (s->at < s->end && *s->at == close) {
        s->at++;
        s->depth--;
        return true;
    }
    for (;;) {
        if (close == '}' && !scan_key(s)) return false;
        if (!scan_value(s)) return false;
        skip_space(s);
        if (s->at >= s->end) return false;
        unsigned char c = *s->at;
        if (c != close && c != ',') return false;
        s->at++;
        if (c == close) break;
    }
    s->depth--;
    return true;
}

static bool scan_value(scan *s)
{
    skip_space(s);
    if (s->at >= s->end) return false;
    switch (*s->at) {
      case '"': s->at++; return scan_string(s);
      case '{': s->at++; return scan_container(s, '}');
      case '[': s->at++; return scan_container(s, ']');
      case 't': return scan_word(s, "true", 4);
      case 'f': return scan_word(s, "false", 5);
      case 'n': return scan_word(s, "null", 4);
      default: return (*s->at == '-' || (unsigned char)(*s->at - '0') < 10) && scan_number(s);
    }
}

bool katsu_cast_json(katsu_buffer *buffer, VALUE raw)
{
    bool ascii;
    if (!katsu_utf8_p(raw, &ascii)) return false;
    const unsigned char *start = (const unsigned char *)RSTRING_PTR(raw);
    scan s = {start, start + RSTRING_LEN(raw), 0};
    if (!scan_value(&s)) return false;
    skip_space(&s);
    if (s.at != s.end) return false;
    if (!ascii) buffer->wide = true;
    katsu_append_string(buffer, raw);
    RB_GC_GUARD(raw);
    return true;
}
