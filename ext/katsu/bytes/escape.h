/* JSON strings: copying bytes and escaping those that JSON does not allow in a string.
 *
 * Copy and test in one pass: a block is loaded, stored, and looked at; only a block with a byte to escape is walked.
 * Up to KATSU_SHORT bytes two overlapping loads do, up to 128 bytes four or eight; longer strings go by blocks of SSE2
 * or NEON, or of AVX2 if the processor has it (checked once, when the extension is loaded).
 */
#ifndef KATSU_ESCAPE_H
#define KATSU_ESCAPE_H

#include "bytes/buffer.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef enum {
    KATSU_ESCAPE_JSON_ONLY = 0,
    KATSU_ESCAPE_SCRIPT_SAFE = 1, /* also "/", U+2028 and U+2029 */
    KATSU_ESCAPE_ASCII_ONLY = 2   /* also everything beyond ASCII, as \uXXXX */
} katsu_escape_mode;

/* Appends quoted; bytes must be valid UTF-8. Mode is a sum of katsu_escape_mode. */
void katsu_append_escaped(katsu_buffer *buffer, const char *bytes, size_t length, int mode);
void katsu_append_long_quoted(katsu_buffer *buffer, const char *bytes, size_t length);

#define KATSU_ONES 0x0101010101010101ULL
#define KATSU_HIGHS 0x8080808080808080ULL

#if defined(__SSE2__)
/* A bit for each of sixteen bytes: under 0x20, a quote or a backslash. */
KATSU_INLINE unsigned katsu_block_escapes(__m128i block)
{
    __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1f)), block);
    __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    __m128i slash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(low, quote), slash));
}

/* The same of sixteen bytes in two words. */
KATSU_INLINE uint64_t katsu_pair_escapes(uint64_t first, uint64_t last)
{
    return katsu_block_escapes(_mm_set_epi64x((long long)last, (long long)first));
}
#else
/* Not zero if a byte of the word is under 0x20, a quote or a backslash. */
KATSU_INLINE uint64_t katsu_word_escapes(uint64_t word)
{
    uint64_t quote = word ^ (KATSU_ONES * 0x22), slash = word ^ (KATSU_ONES * 0x5c);
    return ((word - KATSU_ONES * 0x20) & ~word & KATSU_HIGHS) | ((quote - KATSU_ONES) & ~quote & KATSU_HIGHS) |
           ((slash - KATSU_ONES) & ~slash & KATSU_HIGHS);
}

KATSU_INLINE uint64_t katsu_pair_escapes(uint64_t first, uint64_t last)
{
    return katsu_word_escapes(first) | katsu_word_escapes(last);
}
#endif

/* Copies 0 to 16 bytes; returns not zero if one of them has to be escaped. */
KATSU_INLINE uint64_t katsu_copy_short(char *to, const char *from, size_t length)
{
    uint64_t first, last;
    if (length >= 8) {
        memcpy(&first, from, 8);
        memcpy(&last, from + length - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + length - 8, &last, 8);
        return katsu_pair_escapes(first, last);
    }
    if (length >= 4) {
        uint32_t head, tail;
        memcpy(&head, from, 4);
        memcpy(&tail, from + length - 4, 4);
        memcpy(to, &head, 4);
        memcpy(to + length - 4, &tail, 4);
        return katsu_pair_escapes((uint64_t)head | (uint64_t)tail << 32, KATSU_ONES * ' ');
    }
    if (length == 0) return 0;
    unsigned char one = (unsigned char)from[0], two = (unsigned char)from[length >> 1],
                  three = (unsigned char)from[length - 1];
    to[0] = (char)one;
    to[length >> 1] = (char)two;
    to[length - 1] = (char)three;
    return katsu_pair_escapes((KATSU_ONES * ' ') << 24 | (uint64_t)one | (uint64_t)two << 8 | (uint64_t)three << 16,
                              KATSU_ONES * ' ');
}

/* The longest string that is copied without a loop. */
#define KATSU_SHORT 32

/* Copies 17 to KATSU_SHORT bytes; returns not zero if one of them has to be escaped. */
KATSU_INLINE uint64_t katsu_copy_medium(char *to, const char *from, size_t length)
{
#if defined(__SSE2__)
    __m128i first = _mm_loadu_si128((const __m128i *)from),
            last = _mm_loadu_si128((const __m128i *)(from + length - 16));
    _mm_storeu_si128((__m128i *)to, first);
    _mm_storeu_si128((__m128i *)(to + length - 16), last);
    __m128i low = _mm_set1_epi8(0x1f), quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
    __m128i found =
        _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(first, low), first), _mm_cmpeq_epi8(_mm_min_epu8(last, low), last));
    found = _mm_or_si128(found, _mm_or_si128(_mm_cmpeq_epi8(first, quote), _mm_cmpeq_epi8(last, quote)));
    found = _mm_or_si128(found, _mm_or_si128(_mm_cmpeq_epi8(first, slash), _mm_cmpeq_epi8(last, slash)));
    return (uint64_t)_mm_movemask_epi8(found);
#else
    return katsu_copy_short(to, from, 16) | katsu_copy_short(to + length - 16, from + length - 16, 16);
#endif
}

/* Copies up to KATSU_SHORT bytes; returns not zero if one of them has to be escaped. */
KATSU_INLINE uint64_t katsu_copy_clean(char *to, const char *from, size_t length)
{
    return length <= 16 ? katsu_copy_short(to, from, length) : katsu_copy_medium(to, from, length);
}

/* Appends a string in quotes, by JSON's own rules; bytes must be valid UTF-8. */
KATSU_INLINE void katsu_append_quoted(katsu_buffer *buffer, const char *bytes, size_t length)
{
    if (KATSU_LIKELY(length <= KATSU_SHORT)) {
        katsu_reserve(buffer, KATSU_SHORT + 2);
        buffer->at[0] = '"';
        if (KATSU_UNLIKELY(katsu_copy_clean(buffer->at + 1, bytes, length))) {
            katsu_append_escaped(buffer, bytes, length, KATSU_ESCAPE_JSON_ONLY);
            return;
        }
        buffer->at[length + 1] = '"';
        buffer->at += length + 2;
        return;
    }
    katsu_append_long_quoted(buffer, bytes, length);
}

/* The name of the widest instructions that strings are copied with; NULL: none. */
const char *katsu_simd(void);

#endif
