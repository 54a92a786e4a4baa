/* The cold half of buffer.h: growing, flushing, and turning the bytes into the result. */
#include "bytes/buffer.h"
#include <stdatomic.h>
#if defined(__linux__)
#include <errno.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#endif

/* The capacity of a String that takes over from the stack if nothing can be estimated. */
#define FIRST_STRING 8192
/* An estimate may be at most this many times the capacity so far, */
#define MAX_GROWTH 64
/* and at most this many bytes more than it, or twice it if that is more. */
#define MAX_ESTIMATE (64u << 20)
/* Elements that are measured before they are written. */
#define MAX_MEASURED 1024
/* Memory of this size and more may be fresh from the system, which maps a page when it is first written. Asked for
 * many pages beforehand it takes less than half the time for each: 5 MB are written in 0.9 instead of 2.4 ms, and in
 * 0.3 to 0.6 if they are mapped already. A huge page takes a third of that again. In steps, as the estimate may be too
 * high; not for less, as memory is mostly mapped then: 480 kB of records lost 5 to 8 %. */
#define FRESH_FROM (2u << 20)
#define FRESH_STEP (256u << 10)
#define SMALLEST_PAGE 4096
#define HUGE_PAGE ((uintptr_t)2 << 20)

static ID id_external_encoding;

#ifdef MADV_POPULATE_WRITE
/* Whether all pages from one address up to another are in memory; they lie at most FRESH_STEP apart. */
static bool mapped_p(uintptr_t from, uintptr_t to, uintptr_t page)
{
    unsigned char pages[FRESH_STEP / SMALLEST_PAGE + 2];
    uintptr_t first = from & ~(page - 1), count = (to - first + page - 1) / page;
    if (mincore((void *)first, to - first, pages)) return false;
    for (uintptr_t i = 0; i < count; i++) {
        if (!(pages[i] & 1)) return false;
    }
    return true;
}

/* Writes the first byte of a block of HUGE_PAGE bytes at a multiple of HUGE_PAGE. If the system has huge pages, the
 * block becomes one. Ruby switches them off for its process, so they are switched on before the write and off again
 * after it. */
static void touch_huge_page(uintptr_t block)
{
#if defined(MADV_HUGEPAGE) && defined(PR_GET_THP_DISABLE)
    if (madvise((void *)block, HUGE_PAGE, MADV_HUGEPAGE)) return;
    bool off = prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1;
    if (off && prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0)) return;
    *(volatile char *)block = 0;
    if (off) prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
#endif
}
#endif

/* Maps the pages that are not mapped; true if all of them were, so that this memory was used before. */
static bool map_pages(char *from, char *to)
{
    bool used_before = false;
#ifdef MADV_POPULATE_WRITE
    static bool refused; /* a kernel older than Linux 5.14 */
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), end = (uintptr_t)to;
    used_before = true;
    for (uintptr_t at = (uintptr_t)from, next; at < end; at = next) {
        next = (at | (FRESH_STEP - 1)) + 1;
        if (next > end) next = end;
        if (mapped_p(at, next, page)) continue;
        used_before = false;
        if (at % HUGE_PAGE == 0 && end - at >= HUGE_PAGE) {
            touch_huge_page(at);
            if (mapped_p(at, next, page)) continue;
        }
        uintptr_t first = at & ~(page - 1);
        if (!refused && madvise((void *)first, next - first, MADV_POPULATE_WRITE)) refused = errno == EINVAL;
    }
#endif
    return used_before;
}

/* Opens more of what is reserved, up to a multiple of HUGE_PAGE or to the limit; need: more than is open. */
static void open_more(katsu_buffer *buffer, size_t need)
{
    uintptr_t step = need - (uintptr_t)(buffer->end - buffer->at), end = (uintptr_t)buffer->end;
    if (step < FRESH_STEP) step = FRESH_STEP;
    step = ((end + step) | (HUGE_PAGE - 1)) + 1 - end;
    if (step > (uintptr_t)(buffer->limit - buffer->end)) step = (uintptr_t)(buffer->limit - buffer->end);
    buffer->used_before = map_pages(buffer->end, buffer->end + step);
    buffer->end += step;
}

/* The String's bytes, of which so many are written. What may be fresh is opened when it is needed. */
static void use_bytes(katsu_buffer *buffer, char *bytes, size_t used, size_t capacity)
{
    buffer->start = bytes;
    buffer->at = bytes + used;
    buffer->limit = bytes + capacity;
    buffer->end = capacity < FRESH_FROM ? buffer->limit : buffer->at;
}

void katsu_buffer_use_string(katsu_buffer *buffer, size_t capacity)
{
    size_t used = (size_t)(buffer->at - buffer->start);
    VALUE string = rb_str_buf_new((long)capacity);
    rb_enc_associate_index(string, katsu_utf8_index);
    rb_obj_hide(string);
    char *bytes = RSTRING_PTR(string);
    memcpy(bytes, buffer->start, used);
    buffer->string = string;
    use_bytes(buffer, bytes, used, capacity);
}

/* How many of the last bytes belong to a character that may not end with them; 0 to 3. */
static long incomplete(const char *start, const char *end)
{
    for (long i = 1; i < 4 && i <= end - start; i++) {
        unsigned char byte = (unsigned char)end[-i];
        if (byte >= 0xc0) return i;
        if (byte < 0x80) return 0;
    }
    return 0;
}

/* A large element has grown the String: the chunks after it are of the usual size again. */
static void shrink(katsu_buffer *buffer)
{
    VALUE large = buffer->string;
    katsu_buffer_use_string(buffer, KATSU_IO_CHUNK);
    rb_str_resize(large, 0);
}

/* True if the io's write is IO#write itself, which keeps nothing of a String, and is that of a Ruby that is known. */
static bool plain_io_p(VALUE io)
{
#if defined(KATSU_UNKNOWN_RUBY) || RUBY_API_VERSION_CODE >= 40100
    return false;
#endif
    return katsu_type_p(io, T_FILE) && rb_method_basic_definition_p(CLASS_OF(io), katsu_id_write);
}

typedef struct {
    VALUE io, chunk;
    katsu_buffer *buffer; /* or NULL */
    long used, rest;      /* the buffer's bytes that go out, and those behind them that stay */
} writing;

static VALUE call_write(VALUE arg)
{
    writing *w = (writing *)arg;
    return rb_funcall(w->io, katsu_id_write, 1, w->chunk);
}

/* What is written is in the buffer no more, also after an error. */
static void take_out(writing *w)
{
    katsu_buffer *buffer = w->buffer;
    memmove(buffer->start, buffer->start + w->used, (size_t)w->rest);
    buffer->at = buffer->start + w->rest;
    buffer->flushed += (size_t)w->used;
}

static VALUE empty_chunk(VALUE arg)
{
    writing *w = (writing *)arg;
    if (w->buffer) take_out(w);
    RB_FL_UNSET_RAW(w->chunk, RUBY_FL_FREEZE);
    return rb_str_resize(w->chunk, 0);
}

/* Writes bytes of ours to a plain io without a copy. The String that the io is given is empty afterwards, whatever
 * happens. IO#write takes a frozen String of bytes that it does not own as it is; of another one it makes a copy or a
 * String that shares its bytes, in memory that only a collection gives back: of a million rows 100 MB. It has no class,
 * so that ObjectSpace does not show it: a copy that another thread makes of it would share its bytes. */
static VALUE write_in_place(writing *w, const char *bytes, rb_encoding *encoding)
{
    w->chunk = rb_obj_hide(rb_enc_str_new_static(bytes, w->used, encoding));
    RB_OBJ_FREEZE_RAW(w->chunk);
    return rb_ensure(call_write, (VALUE)w, empty_chunk, (VALUE)w);
}

/* Shorter Strings may move in memory. */
#define IN_PLACE 8192

VALUE katsu_write_out(VALUE io, VALUE text)
{
    writing w = {io, text, NULL, RSTRING_LEN(text), 0};
    if (w.used < IN_PLACE || !plain_io_p(io)) return call_write((VALUE)&w);
    VALUE written = write_in_place(&w, RSTRING_PTR(text), rb_enc_get(text));
    rb_str_resize(text, 0);
    return written;
}

static VALUE write_bytes(katsu_buffer *buffer, long used, long rest)
{
    writing w = {buffer->io, Qnil, buffer, used, rest};
    if (plain_io_p(w.io)) return write_in_place(&w, buffer->start, rb_utf8_encoding());
    w.chunk = rb_enc_str_new(buffer->start, used, rb_utf8_encoding());
    take_out(&w);
    return call_write((VALUE)&w);
}

/* Gives the io what there is. A character goes out whole, so up to 3 bytes stay unless they are the last. */
static void write_chunk(katsu_buffer *buffer, bool last)
{
    long rest = last ? 0 : incomplete(buffer->start, buffer->at);
    long used = (long)(buffer->at - buffer->start) - rest;
    if (used == 0) return;
    VALUE written = write_bytes(buffer, used, rest);
    /* What has an encoding writes all or raises, and counts the bytes that it made of these. */
    if (RB_FIXNUM_P(written) && FIX2LONG(written) < used && !rb_respond_to(buffer->io, id_external_encoding))
        katsu_raise(katsu_eError, "%" PRIsVALUE "#write took %ld of %ld bytes; is it non-blocking or closed?",
                    rb_obj_class(buffer->io), FIX2LONG(written), used);
}

/* What the elements of an array from one on take if they are Strings without escapes; 0 if they are not, or are
 * many. */
static size_t strings_from(VALUE array, long first)
{
    size_t bytes = 0;
    long length = RARRAY_LEN(array);
    if (length - first > MAX_MEASURED) return 0;
    for (long i = first; i < length; i++) {
        VALUE element = RARRAY_CONST_PTR(array)[i];
        if (!katsu_type_p(element, T_STRING)) return 0;
        bytes += (size_t)RSTRING_LEN(element) + 3;
    }
    return bytes;
}

/* How much room the document will take: what Strings say of themselves, otherwise as if the rest of its outermost
 * array were like what is written, and then up to MAX_GROWTH times the capacity; twice if nothing is known. Memory
 * asked for in one piece of its size is used again by malloc; doubling asks for more than it gave back, and has the
 * system map fresh pages each time. */
static size_t next_capacity(const katsu_buffer *buffer, size_t used)
{
    size_t capacity = (size_t)(buffer->limit - buffer->start);
    size_t base = capacity < FIRST_STRING ? FIRST_STRING : capacity;
    bool known = buffer->array && used >= buffer->before && !buffer->io; /* what an io has received needs no room */
    size_t strings = known ? strings_from(buffer->array, buffer->done) : 0;
    if (!strings && (!known || buffer->done == 0)) return base == capacity ? capacity * 2 : FIRST_STRING;
    double expected = (double)(used + strings);
    if (!strings) {
        expected = (double)(used - buffer->before) / (double)buffer->done * (double)RARRAY_LEN(buffer->array) +
                   (double)buffer->before;
        size_t limit = base < MAX_ESTIMATE / MAX_GROWTH ? base * MAX_GROWTH
                       : base < MAX_ESTIMATE            ? base + MAX_ESTIMATE
                                                        : base * 2;
        if (expected > (double)limit) return limit;
    }
    expected += expected / 32 + 64;
    return expected > (double)(capacity + capacity / 4) ? (size_t)expected : capacity + capacity / 4;
}

/* Reserves room for so many bytes more and for what the document will take. */
static void enlarge(katsu_buffer *buffer, size_t need)
{
    size_t used = (size_t)(buffer->at - buffer->start);
    size_t capacity = next_capacity(buffer, used);
    while (capacity - used < need) {
        if (capacity > (size_t)LONG_MAX / 4) katsu_raise(rb_eNoMemError, "JSON document of over %zu bytes", used);
        capacity *= 2;
    }
    if (buffer->string) {
        rb_str_set_len(buffer->string, (long)used);
        rb_str_modify_expand(buffer->string, (long)(capacity - used));
        use_bytes(buffer, RSTRING_PTR(buffer->string), used, capacity);
    } else {
        katsu_buffer_use_string(buffer, capacity);
    }
}

/* Room for need bytes more on the way to an io. Behind a large element the buffer ends at a full chunk. */
static void grow_chunk(katsu_buffer *buffer, size_t need)
{
    size_t used = (size_t)(buffer->at - buffer->start);
    if (used >= KATSU_IO_CHUNK || (size_t)(buffer->limit - buffer->at) < need) write_chunk(buffer, false);
    used = (size_t)(buffer->at - buffer->start);
    if (buffer->limit - buffer->start > KATSU_IO_CHUNK && used + need <= KATSU_IO_CHUNK) shrink(buffer);
    if ((size_t)(buffer->limit - buffer->at) < need) enlarge(buffer, need);
    buffer->end = buffer->start + (used + need > KATSU_IO_CHUNK ? used + need : KATSU_IO_CHUNK);
}

void katsu_buffer_grow(katsu_buffer *buffer, size_t need)
{
    if (buffer->io) {
        grow_chunk(buffer, need);
        return;
    }
    if ((size_t)(buffer->limit - buffer->at) < need) enlarge(buffer, need);
    if ((size_t)(buffer->end - buffer->at) < need) open_more(buffer, need);
}

void katsu_buffer_flush(katsu_buffer *buffer)
{
    write_chunk(buffer, true);
}

void katsu_buffer_release(katsu_buffer *buffer)
{
    if (buffer->string) rb_str_resize(buffer->string, 0);
}

VALUE katsu_buffer_finish(katsu_buffer *buffer)
{
    if (buffer->io) {
        write_chunk(buffer, true);
        katsu_buffer_release(buffer);
        return buffer->io;
    }
    long used = (long)(buffer->at - buffer->start);
    VALUE string = buffer->string;
    /* What went past the caches is in memory before another thread can be handed the String. */
    if (KATSU_UNLIKELY(buffer->limit - buffer->start >= FRESH_FROM)) atomic_thread_fence(memory_order_seq_cst);
    if (!string) {
        string = rb_utf8_str_new(buffer->start, used);
    } else {
        rb_str_set_len(string, used);
        /* Room that nobody will use goes back, unless it is too little to be worth a call. */
        if (buffer->limit - buffer->at > used / 4 + 1024) rb_str_resize(string, used);
        rb_obj_reveal(string, rb_cString);
        buffer->string = 0;
    }
    if (KATSU_LIKELY(!buffer->unverified))
        ENC_CODERANGE_SET(string, buffer->non_ascii ? ENC_CODERANGE_VALID : ENC_CODERANGE_7BIT);
    return string;
}

void katsu_init_buffer(void)
{
    id_external_encoding = rb_intern("external_encoding");
}
