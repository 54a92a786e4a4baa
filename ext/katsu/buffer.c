/* The cold half of buffer.h: growing, flushing, and turning the bytes into the result. */
#include "buffer.h"

/* Bytes that go on to a String from the start: growing doubles, and a String is given at least this. */
#define FIRST_STRING 8192
/* What is foretold is believed for this many times what is there. */
#define MOST_AT_ONCE 64

void katsu_buffer_use_string(katsu_buffer *buffer, size_t capacity)
{
    size_t used = (size_t)(buffer->at - buffer->start);
    VALUE string = rb_str_buf_new((long)capacity);
    rb_enc_associate_index(string, katsu_utf8_index);
    rb_obj_hide(string);
    char *bytes = RSTRING_PTR(string);
    memcpy(bytes, buffer->start, used);
    buffer->string = string;
    buffer->start = bytes;
    buffer->at = bytes + used;
    buffer->end = bytes + capacity;
}

static void write_chunk(katsu_buffer *buffer)
{
    long used = (long)(buffer->at - buffer->start);
    if (used == 0) return;
    VALUE chunk = rb_enc_str_new(buffer->start, used, rb_utf8_encoding());
    buffer->at = buffer->start;
    buffer->flushed += (size_t)used;
    /* IO#write writes all or raises; another object's write may tell that it took less. */
    VALUE rest = chunk;
    for (;;) {
        VALUE written = rb_funcall(buffer->io, katsu_id_write, 1, rest);
        if (!RB_FIXNUM_P(written)) break;
        long count = FIX2LONG(written);
        if (count >= RSTRING_LEN(rest)) break;
        if (count <= 0)
            rb_raise(katsu_eError, "%" PRIsVALUE "#write took %ld of %ld bytes; is it non-blocking or closed?",
                     rb_obj_class(buffer->io), count, RSTRING_LEN(rest));
        rest = rb_enc_str_new(RSTRING_PTR(rest) + count, RSTRING_LEN(rest) - count, rb_utf8_encoding());
    }
    RB_GC_GUARD(chunk);
}

/* How much room the document will take if the rest of its outermost array is like what is written: up to MOST_AT_ONCE
 * times what there is, twice where nothing is known. Memory asked for in one piece of its size is used again by malloc;
 * doubling asks for more than it gave back, and has the system map fresh pages each time. */
static size_t more(const katsu_buffer *buffer, size_t used)
{
    size_t capacity = (size_t)(buffer->end - buffer->start);
    size_t most = capacity < FIRST_STRING ? FIRST_STRING : capacity;
    if (buffer->total == 0 || buffer->done == 0 || used < buffer->before) return most == capacity ? capacity * 2 : FIRST_STRING;
    double expected = (double)(used - buffer->before) / (double)buffer->done * (double)buffer->total;
    expected += expected / 32 + (double)buffer->before + 64;
    if (expected > (double)most * MOST_AT_ONCE) return most * MOST_AT_ONCE;
    return expected > (double)(capacity + capacity / 4) ? (size_t)expected : capacity + capacity / 4;
}

void katsu_buffer_grow(katsu_buffer *buffer, size_t need)
{
    if (buffer->io) {
        write_chunk(buffer);
        if ((size_t)(buffer->end - buffer->at) >= need) return;
    }
    size_t used = (size_t)(buffer->at - buffer->start);
    size_t capacity = more(buffer, used);
    while (capacity - used < need) {
        if (capacity > (size_t)LONG_MAX / 4) rb_raise(rb_eNoMemError, "JSON document of over %zu bytes", used);
        capacity *= 2;
    }
    if (!buffer->string) {
        katsu_buffer_use_string(buffer, capacity);
        return;
    }
    rb_str_set_len(buffer->string, (long)used);
    rb_str_modify_expand(buffer->string, (long)(capacity - used));
    buffer->start = RSTRING_PTR(buffer->string);
    buffer->at = buffer->start + used;
    buffer->end = buffer->start + capacity;
}

void katsu_buffer_flush(katsu_buffer *buffer)
{
    write_chunk(buffer);
}

VALUE katsu_buffer_finish(katsu_buffer *buffer)
{
    if (buffer->io) {
        write_chunk(buffer);
        return buffer->io;
    }
    long used = (long)(buffer->at - buffer->start);
    VALUE string = buffer->string;
    if (!string) {
        string = rb_utf8_str_new(buffer->start, used);
    } else {
        rb_str_set_len(string, used);
        /* Room that nobody will use goes back, unless it is too little to be worth a call. */
        if (buffer->end - buffer->at > used / 4 + 1024) rb_str_resize(string, used);
        rb_obj_reveal(string, rb_cString);
        buffer->string = 0;
    }
    if (KATSU_LIKELY(!buffer->foreign)) ENC_CODERANGE_SET(string, buffer->wide ? ENC_CODERANGE_VALID : ENC_CODERANGE_7BIT);
    return string;
}
