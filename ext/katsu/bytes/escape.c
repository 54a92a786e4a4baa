/* Strings over KATSU_SHORT bytes, and strings with bytes to escape. See escape.h. */
#include "bytes/escape.h"

#if defined(__SSE2__)
#define KATSU_SSE2 1
#if defined(__GNUC__) || defined(__clang__)
#include <immintrin.h>
#define KATSU_AVX2 1
#endif
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#define KATSU_NEON 1
#endif

static const char hex_digits[] = "0123456789abcdef";

/* What a byte under 0x20, a quote or a backslash becomes: the letter after the backslash, or 0 for \u00XX. */
static const char short_escapes[128] = {
    ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\', ['/'] = '/',
};

static void put_unicode(katsu_buffer *buffer, unsigned unit)
{
    char *at = buffer->at;
    KATSU_CHECK_ROOM(buffer, 6);
    at[0] = '\\';
    at[1] = 'u';
    at[2] = hex_digits[unit >> 12 & 15];
    at[3] = hex_digits[unit >> 8 & 15];
    at[4] = hex_digits[unit >> 4 & 15];
    at[5] = hex_digits[unit & 15];
    buffer->at += 6;
}

/* Needs 6 bytes of room. */
static inline void put_escape(katsu_buffer *buffer, unsigned char byte)
{
    char letter = short_escapes[byte];
    if (letter) {
        buffer->at[0] = '\\';
        buffer->at[1] = letter;
        buffer->at += 2;
    } else {
        put_unicode(buffer, byte);
    }
}

/* Needs 12 bytes of room; returns the length in bytes of the character. left: the bytes up to the string's end. A
 * String whose code range is wrong may end within a character. */
static size_t put_character_as_ascii(katsu_buffer *buffer, const unsigned char *bytes, size_t left)
{
    unsigned code;
    size_t length;
    if (KATSU_UNLIKELY(left < 4 && (bytes[0] >= 0xf0 || left < 3) && (bytes[0] >= 0xe0 || left < 2))) {
        put_unicode(buffer, 0xfffd);
        return left;
    }
    if (bytes[0] < 0xe0) {
        code = (bytes[0] & 0x1fu) << 6 | (bytes[1] & 0x3fu);
        length = 2;
    } else if (bytes[0] < 0xf0) {
        code = (bytes[0] & 0x0fu) << 12 | (bytes[1] & 0x3fu) << 6 | (bytes[2] & 0x3fu);
        length = 3;
    } else {
        code = (bytes[0] & 0x07u) << 18 | (bytes[1] & 0x3fu) << 12 | (bytes[2] & 0x3fu) << 6 | (bytes[3] & 0x3fu);
        length = 4;
    }
    if (code > 0xffff) {
        code -= 0x10000;
        put_unicode(buffer, 0xd800 + (code >> 10));
        code = 0xdc00 + (code & 0x3ff);
    }
    put_unicode(buffer, code);
    return length;
}

static inline bool line_separator_p(const unsigned char *bytes, size_t left)
{
    return left >= 3 && bytes[0] == 0xe2 && bytes[1] == 0x80 && (bytes[2] & 0xfe) == 0xa8;
}

#if defined(KATSU_SSE2)
/* Copies blocks of 16 up to the first byte that the mode may have to escape, and returns how many bytes that
 * were. Room for length + KATSU_SLACK must be reserved. */
static size_t copy_clean_blocks(katsu_buffer *buffer, const char *text, size_t length, int mode)
{
    size_t i = 0;
    for (; i + 16 <= length; i += 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)(text + i));
        unsigned mask = katsu_block_escapes(block), high = (unsigned)_mm_movemask_epi8(block);
        if (mode & KATSU_ESCAPE_SCRIPT_SAFE)
            mask |= (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('/')),
                                                             _mm_cmpeq_epi8(block, _mm_set1_epi8((char)0xe2))));
        if (mode & KATSU_ESCAPE_ASCII_ONLY) mask |= high;
        KATSU_CHECK_ROOM(buffer, 16);
        _mm_storeu_si128((__m128i *)buffer->at, block);
        if (mask) {
            unsigned clean = (unsigned)__builtin_ctz(mask);
            if (high & ((1u << clean) - 1)) buffer->non_ascii = true;
            buffer->at += clean;
            return i + clean;
        }
        if (high) buffer->non_ascii = true;
        buffer->at += 16;
    }
    return i;
}
#endif

/* Byte by byte; notes a byte over 127; room for 12 bytes a character is reserved as it goes. */
static void append_slow(katsu_buffer *buffer, const char *text, size_t length, int mode)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t i = 0;
    while (i < length) {
        if (KATSU_UNLIKELY((size_t)(buffer->end - buffer->at) < 14)) katsu_reserve(buffer, length - i + 16);
        unsigned char byte = bytes[i];
        if (byte >= 0x80) {
            if (mode & KATSU_ESCAPE_ASCII_ONLY) {
                i += put_character_as_ascii(buffer, bytes + i, length - i);
                continue;
            }
            if ((mode & KATSU_ESCAPE_SCRIPT_SAFE) && line_separator_p(bytes + i, length - i)) {
                put_unicode(buffer, bytes[i + 2] == 0xa8 ? 0x2028 : 0x2029);
                i += 3;
                continue;
            }
            buffer->non_ascii = true;
            katsu_put_byte(buffer, (char)byte);
        } else if (byte < 0x20 || byte == '"' || byte == '\\' || (byte == '/' && (mode & KATSU_ESCAPE_SCRIPT_SAFE))) {
            put_escape(buffer, byte);
        } else {
            katsu_put_byte(buffer, (char)byte);
        }
        i++;
    }
}

/* Copies blocks of 16 and stops with under 16 bytes left before stop; escapes on its way. Before and after,
 * there is room for all the bytes up to end, and KATSU_SLACK. */
static inline const char *copy_blocks(katsu_buffer *buffer, const char *from, const char *stop, const char *end)
{
#if defined(KATSU_SSE2)
    while (stop - from >= 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)from);
        unsigned mask = katsu_block_escapes(block);
        KATSU_CHECK_ROOM(buffer, 16);
        _mm_storeu_si128((__m128i *)buffer->at, block);
        if (KATSU_LIKELY(mask == 0)) {
            from += 16;
            buffer->at += 16;
            continue;
        }
        if (end - from >= 32) {
            /* All that the mask shows, without looking at the block again; 16 bytes past it may be read. */
            unsigned start = 0;
            katsu_reserve(buffer, (size_t)(end - from) + 16 * 6 + KATSU_SLACK);
            do {
                unsigned index = (unsigned)__builtin_ctz(mask);
                _mm_storeu_si128((__m128i *)buffer->at, _mm_loadu_si128((const __m128i *)(from + start)));
                buffer->at += index - start;
                put_escape(buffer, (unsigned char)from[index]);
                start = index + 1;
                mask &= mask - 1;
            } while (mask);
            _mm_storeu_si128((__m128i *)buffer->at, _mm_loadu_si128((const __m128i *)(from + start)));
            buffer->at += 16 - start;
            from += 16;
            continue;
        }
        unsigned skip = (unsigned)__builtin_ctz(mask);
        buffer->at += skip;
        from += skip;
        katsu_reserve(buffer, (size_t)(end - from) + 6 + KATSU_SLACK);
        put_escape(buffer, (unsigned char)*from++);
    }
#elif defined(KATSU_NEON)
    while (stop - from >= 16) {
        uint8x16_t block = vld1q_u8((const uint8_t *)from);
        uint8x16_t found = vorrq_u8(vcltq_u8(block, vdupq_n_u8(0x20)),
                                    vorrq_u8(vceqq_u8(block, vdupq_n_u8('"')), vceqq_u8(block, vdupq_n_u8('\\'))));
        uint64_t mask = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(found), 4)), 0);
        KATSU_CHECK_ROOM(buffer, 16);
        vst1q_u8((uint8_t *)buffer->at, block);
        if (KATSU_LIKELY(mask == 0)) {
            from += 16;
            buffer->at += 16;
            continue;
        }
        unsigned skip = (unsigned)(__builtin_ctzll(mask) >> 2);
        buffer->at += skip;
        from += skip;
        katsu_reserve(buffer, (size_t)(end - from) + 6 + KATSU_SLACK);
        put_escape(buffer, (unsigned char)*from++);
    }
#else
    while (stop - from >= 8) {
        uint64_t word;
        memcpy(&word, from, 8);
        if (katsu_word_escapes(word)) {
            append_slow(buffer, from, 8, KATSU_ESCAPE_JSON_ONLY);
            katsu_reserve(buffer, (size_t)(end - from) + KATSU_SLACK);
        } else {
            katsu_put(buffer, from, 8);
        }
        from += 8;
    }
#endif
    return from;
}

#if defined(KATSU_AVX2)
static bool have_avx2;

/* Strings from this length on go past the caches to memory that is in none of them, which saves reading it first: 500
 * of 10 kB take 0.55 instead of 0.95 ms, of 400 bytes 1.4 instead of 1.2. */
#define LONG_STRING 4096

#define AVX2 __attribute__((target("avx2")))

/* Whether none of these 64 bytes has to be escaped. */
AVX2 static inline bool clean_p(__m256i one, __m256i two)
{
    const __m256i low = _mm256_set1_epi8(0x1f), quote = _mm256_set1_epi8('"'), slash = _mm256_set1_epi8('\\');
    __m256i found = _mm256_or_si256(_mm256_cmpeq_epi8(_mm256_min_epu8(one, low), one),
                                    _mm256_cmpeq_epi8(_mm256_min_epu8(two, low), two));
    found = _mm256_or_si256(found, _mm256_or_si256(_mm256_cmpeq_epi8(one, quote), _mm256_cmpeq_epi8(two, quote)));
    found = _mm256_or_si256(found, _mm256_or_si256(_mm256_cmpeq_epi8(one, slash), _mm256_cmpeq_epi8(two, slash)));
    return _mm256_testz_si256(found, found);
}

/* Copies clean blocks of 64; stops at the first with something to escape, or before the last under 64. */
AVX2 static const char *copy_clean_avx2(katsu_buffer *buffer, const char *from, const char *end)
{
    char *at = buffer->at;
    while (end - from >= 64) {
        __m256i one = _mm256_loadu_si256((const __m256i *)from);
        __m256i two = _mm256_loadu_si256((const __m256i *)(from + 32));
        if (KATSU_UNLIKELY(!clean_p(one, two))) break;
        _mm256_storeu_si256((__m256i *)at, one);
        _mm256_storeu_si256((__m256i *)(at + 32), two);
        from += 64;
        at += 64;
    }
    buffer->at = at;
    return from;
}

/* The same past the caches: whole lines of 64 bytes, as part of a line would cost more. What is not at the start of a
 * line has been copied up to there. */
AVX2 static const char *copy_past_caches(katsu_buffer *buffer, const char *from, const char *end)
{
    char *at = buffer->at;
    while (end - from >= 64) {
        __m256i one = _mm256_loadu_si256((const __m256i *)from);
        __m256i two = _mm256_loadu_si256((const __m256i *)(from + 32));
        if (KATSU_UNLIKELY(!clean_p(one, two))) break;
        _mm256_stream_si256((__m256i *)at, one);
        _mm256_stream_si256((__m256i *)(at + 32), two);
        from += 64;
        at += 64;
    }
    buffer->at = at;
    return from;
}

/* As copy_clean_avx2, by the way that is faster for this string and memory. */
static const char *copy_clean_64(katsu_buffer *buffer, const char *from, const char *end)
{
    size_t skip = -(uintptr_t)buffer->at & 63;
    if (KATSU_LIKELY(!buffer->used_before || end - from < LONG_STRING)) return copy_clean_avx2(buffer, from, end);
    const char *next = copy_clean_avx2(buffer, from, from + 64);
    if (next == from) return from;
    buffer->at -= 64 - skip;
    return copy_past_caches(buffer, from + skip, end);
}
#endif

#if defined(KATSU_SSE2)
/* Copies the blocks of 16 at 0, 16, third and fourth; not zero if one of their bytes has to be escaped. */
static inline unsigned copy_four(char *to, const char *from, size_t third, size_t fourth)
{
    __m128i a = _mm_loadu_si128((const __m128i *)from), b = _mm_loadu_si128((const __m128i *)(from + 16));
    __m128i c = _mm_loadu_si128((const __m128i *)(from + third)), d = _mm_loadu_si128((const __m128i *)(from + fourth));
    _mm_storeu_si128((__m128i *)to, a);
    _mm_storeu_si128((__m128i *)(to + 16), b);
    _mm_storeu_si128((__m128i *)(to + third), c);
    _mm_storeu_si128((__m128i *)(to + fourth), d);
    __m128i least = _mm_min_epu8(_mm_min_epu8(a, b), _mm_min_epu8(c, d)), quote = _mm_set1_epi8('"'),
            slash = _mm_set1_epi8('\\');
    __m128i found = _mm_cmpeq_epi8(_mm_min_epu8(least, _mm_set1_epi8(0x1f)), least);
    found = _mm_or_si128(found, _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(a, quote), _mm_cmpeq_epi8(b, quote)),
                                             _mm_or_si128(_mm_cmpeq_epi8(c, quote), _mm_cmpeq_epi8(d, quote))));
    found = _mm_or_si128(found, _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(a, slash), _mm_cmpeq_epi8(b, slash)),
                                             _mm_or_si128(_mm_cmpeq_epi8(c, slash), _mm_cmpeq_epi8(d, slash))));
    return (unsigned)_mm_movemask_epi8(found);
}

/* Copies 33 to 128 bytes by blocks that overlap; not zero if one of them has to be escaped. */
static inline unsigned copy_long(char *to, const char *from, size_t length)
{
    if (length <= 64) return copy_four(to, from, length - 32, length - 16);
    return copy_four(to, from, 32, 48) | copy_four(to + length - 64, from + length - 64, 32, 48);
}
#endif

/* The bytes between the quotes. Room for length + KATSU_SLACK must be reserved. */
static void copy_text(katsu_buffer *buffer, const char *from, const char *end)
{
#if defined(KATSU_AVX2)
    if (have_avx2) {
        while (end - from >= 128) {
            from = copy_clean_64(buffer, from, end);
            if (end - from < 64) break;
            from = copy_blocks(buffer, from, from + 64, end);
            /* what is left of the 64 is under 16 bytes and is looked at again with the next block */
        }
    }
#endif
    from = copy_blocks(buffer, from, end, end);
    size_t left = (size_t)(end - from);
    if (katsu_copy_short(buffer->at, from, left)) {
        append_slow(buffer, from, left, KATSU_ESCAPE_JSON_ONLY);
    } else {
        buffer->at += left;
    }
}

void katsu_append_long_quoted(katsu_buffer *buffer, const char *bytes, size_t length)
{
    katsu_reserve(buffer, length + 2 + KATSU_SLACK);
    katsu_put_byte(buffer, '"');
#if defined(KATSU_SSE2)
    if (KATSU_LIKELY(length <= 128 && !copy_long(buffer->at, bytes, length))) {
        buffer->at += length;
        katsu_put_byte(buffer, '"');
        return;
    }
#endif
    copy_text(buffer, bytes, bytes + length);
    katsu_append_byte(buffer, '"');
}

/* Clean blocks at once; what is not clean, and the 16 bytes around it, byte by byte. */
static void append_by_mode(katsu_buffer *buffer, const char *bytes, size_t length, int mode)
{
#if defined(KATSU_SSE2)
    while (length >= 16) {
        katsu_reserve(buffer, length + KATSU_SLACK);
        size_t done = copy_clean_blocks(buffer, bytes, length, mode);
        bytes += done;
        length -= done;
        /* Up to 16 bytes, and to the end of the character that they end in. */
        size_t slow = length < 16 ? length : 16;
        while (slow < length && ((unsigned char)bytes[slow] & 0xc0) == 0x80) slow++;
        append_slow(buffer, bytes, slow, mode);
        bytes += slow;
        length -= slow;
    }
#endif
    append_slow(buffer, bytes, length, mode);
}

void katsu_append_escaped(katsu_buffer *buffer, const char *bytes, size_t length, int mode)
{
    katsu_reserve(buffer, length + 2 + KATSU_SLACK);
    katsu_put_byte(buffer, '"');
    if (mode == KATSU_ESCAPE_JSON_ONLY && length > 16) {
        copy_text(buffer, bytes, bytes + length);
    } else {
        append_by_mode(buffer, bytes, length, mode);
    }
    katsu_append_byte(buffer, '"');
}

const char *katsu_simd(void)
{
#if defined(KATSU_AVX2)
    return have_avx2 ? "AVX2" : "SSE2";
#elif defined(KATSU_SSE2)
    return "SSE2";
#elif defined(KATSU_NEON)
    return "NEON";
#else
    return NULL;
#endif
}

void katsu_init_escape(void)
{
#if defined(KATSU_AVX2)
    __builtin_cpu_init();
    have_avx2 = __builtin_cpu_supports("avx2");
#endif
}
