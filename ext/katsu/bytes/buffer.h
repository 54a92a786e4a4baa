/* The output: first a piece of the caller's stack, then a Ruby String that becomes the result, or,
 * for an IO, one String that is written out and filled again.
 *
 * Every write reserves its room first: katsu_reserve(buffer, n) makes n bytes at buffer->at writable.
 * The String is hidden from ObjectSpace until it is finished and is kept alive by this struct, which lies
 * on the C stack, so an exception frees it like any other garbage.
 */
#ifndef KATSU_BUFFER_H
#define KATSU_BUFFER_H

#include "katsu.h"

typedef struct {
    char *at;       /* the next byte */
    char *end;      /* one past the last byte that may be written before katsu_buffer_grow is called */
    char *start;    /* the first byte of the piece in use */
    char *limit;    /* one past its last byte */
    VALUE string;   /* 0 while on the stack */
    VALUE io;       /* 0, or what receives chunks by write */
    bool non_ascii; /* a byte over 127 was written */
    /* Text was written that may not be UTF-8: a fragment's, a to_json method's; or the keys of a plan with some that
     * are not ASCII. Ruby scans the result when its code range is needed. */
    bool unverified;
    bool short_floats; /* the last floats had few digits; see number.h */
    bool used_before;  /* memory that is open now was used before and is in no cache: long strings go past them */
    size_t flushed;    /* bytes given to the io */
    VALUE array;       /* the outermost array that is long; 0 outside of one */
    size_t before;     /* bytes before it */
    long done;         /* how many of its elements are written */
} katsu_buffer;

#ifndef KATSU_STACK_SIZE
#define KATSU_STACK_SIZE 2048
#endif
#define KATSU_IO_CHUNK 65536
/* What a vector store may write past the bytes that count. */
#define KATSU_SLACK 32

void katsu_buffer_grow(katsu_buffer *buffer, size_t need);
void katsu_buffer_use_string(katsu_buffer *buffer, size_t capacity);
VALUE katsu_buffer_finish(katsu_buffer *buffer);
void katsu_buffer_flush(katsu_buffer *buffer);
/* Gives the memory of the String back. The buffer is not used afterwards. */
void katsu_buffer_release(katsu_buffer *buffer);
/* What io.write(text) returns. text is a String that nobody else has; it is emptied if the io keeps nothing of it. */
VALUE katsu_write_out(VALUE io, VALUE text);

KATSU_INLINE void katsu_buffer_init(katsu_buffer *buffer, char *stack, size_t size)
{
    buffer->start = buffer->at = stack;
    buffer->end = buffer->limit = stack + size;
    buffer->string = 0;
    buffer->io = 0;
    buffer->non_ascii = buffer->unverified = buffer->used_before = false;
    buffer->short_floats = true;
    buffer->flushed = 0;
    buffer->array = 0;
}

KATSU_INLINE void katsu_reserve(katsu_buffer *buffer, size_t need)
{
    if (KATSU_UNLIKELY((size_t)(buffer->end - buffer->at) < need)) katsu_buffer_grow(buffer, need);
}

#ifdef KATSU_DEBUG
#include <assert.h>
#define KATSU_CHECK_ROOM(buffer, n) assert((size_t)((buffer)->end - (buffer)->at) >= (size_t)(n))
#else
#define KATSU_CHECK_ROOM(buffer, n) ((void)0)
#endif

/* The katsu_put functions write into room that is already reserved. */
KATSU_INLINE void katsu_put_byte(katsu_buffer *buffer, char byte)
{
    KATSU_CHECK_ROOM(buffer, 1);
    *buffer->at++ = byte;
}

KATSU_INLINE void katsu_put(katsu_buffer *buffer, const char *bytes, size_t length)
{
    KATSU_CHECK_ROOM(buffer, length);
    memcpy(buffer->at, bytes, length);
    buffer->at += length;
}

KATSU_INLINE void katsu_append_byte(katsu_buffer *buffer, char byte)
{
    katsu_reserve(buffer, 1);
    katsu_put_byte(buffer, byte);
}

KATSU_INLINE void katsu_append(katsu_buffer *buffer, const char *bytes, size_t length)
{
    katsu_reserve(buffer, length);
    katsu_put(buffer, bytes, length);
}

/* Appends the bytes of a Ruby String as they are. Making room may call an io's write, which may change the
 * String, so a frozen one is read then. */
KATSU_INLINE void katsu_append_string(katsu_buffer *buffer, VALUE string)
{
    if (KATSU_UNLIKELY(buffer->io != 0)) string = rb_str_new_frozen(string);
    katsu_reserve(buffer, (size_t)RSTRING_LEN(string));
    katsu_put(buffer, RSTRING_PTR(string), (size_t)RSTRING_LEN(string));
    RB_GC_GUARD(string);
}

/* Appends JSON text made elsewhere, and notes what its bytes make of the whole. */
KATSU_INLINE void katsu_append_json(katsu_buffer *buffer, VALUE string)
{
    bool ascii;
    if (!katsu_utf8_p(string, &ascii)) buffer->unverified = true;
    if (!ascii) buffer->non_ascii = true;
    katsu_append_string(buffer, string);
}

#endif
