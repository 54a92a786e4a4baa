/* Bindings: Katsu::Writer, JSON push by push.
 *
 * The object owns its buffer: first the bytes inside the struct, then a String that it marks, and the
 * list of open containers.
 */
#include "generate.h"
#include "escape.h"

enum { LEVEL_ARRAY = 1, LEVEL_OBJECT = 2, LEVEL_FILLED = 4 };

typedef struct {
    katsu_buffer buffer;
    katsu_options options;
    unsigned char *levels; /* what is open, outermost first */
    long depth, room;
    bool keyed;  /* push_key was called and its value is awaited */
    bool done;   /* a whole document has been written */
    bool busy;   /* a value is being written: its methods may not push */
    unsigned char first_levels[32];
    char first_bytes[512];
} writer;

static void writer_mark(void *data)
{
    writer *w = data;
    rb_gc_mark(w->buffer.string);
    rb_gc_mark(w->buffer.io);
    katsu_options_mark(&w->options);
}

static void writer_free(void *data)
{
    writer *w = data;
    if (w->levels != w->first_levels) xfree(w->levels);
    xfree(w);
}

static size_t writer_size(const void *data)
{
    const writer *w = data;
    return sizeof *w + (w->levels != w->first_levels ? (size_t)w->room : 0);
}

static const rb_data_type_t writer_type = {
    "Katsu::Writer", {writer_mark, writer_free, writer_size}, NULL, NULL, RUBY_TYPED_FREE_IMMEDIATELY};

static VALUE writer_allocate(VALUE class)
{
    writer *w;
    VALUE self = TypedData_Make_Struct(class, writer, &writer_type, w);
    katsu_options_init(&w->options);
    katsu_buffer_init(&w->buffer, w->first_bytes, sizeof w->first_bytes);
    w->levels = w->first_levels;
    w->room = (long)sizeof w->first_levels;
    return self;
}

static writer *get_writer(VALUE self)
{
    writer *w;
    rb_check_frozen(self);
    TypedData_Get_Struct(self, writer, &writer_type, w);
    if (w->busy) rb_raise(katsu_eError, "Katsu::Writer: a value is being written; its to_json may not push");
    return w;
}

static VALUE writer_initialize(int argc, VALUE *argv, VALUE self)
{
    VALUE io, options;
    rb_scan_args(argc, argv, "01:", &io, &options);
    writer *w = get_writer(self);
    if (w->buffer.at != w->buffer.start || w->buffer.string) rb_raise(katsu_eError, "Katsu::Writer: initialized twice");
    if (!NIL_P(options)) {
        static ID keywords[1];
        VALUE as_json;
        if (!keywords[0]) keywords[0] = katsu_id_as_json;
        rb_get_kwargs(options, keywords, 0, 1, &as_json);
        w->options.rails = as_json != Qundef && RTEST(as_json);
    }
    if (!NIL_P(io)) {
        if (!rb_respond_to(io, katsu_id_write))
            rb_raise(rb_eArgError, "Katsu::Writer.new: %" PRIsVALUE " has no write method", rb_obj_class(io));
        katsu_buffer_use_string(&w->buffer, KATSU_IO_CHUNK);
        RB_OBJ_WRITE(self, &w->buffer.io, io);
    }
    return self;
}

NORETURN(static void misuse(const char *what));
static void misuse(const char *what)
{
    rb_raise(katsu_eError, "Katsu::Writer: %s", what);
}

static void put_key(writer *w, VALUE key)
{
    if (RB_SYMBOL_P(key)) key = rb_sym2str(key);
    Check_Type(key, T_STRING);
    if (w->levels[w->depth - 1] & LEVEL_FILLED) katsu_append_byte(&w->buffer, ',');
    katsu_generator generator;
    katsu_generator_init(&generator, &w->buffer, &w->options);
    katsu_generate_string(&generator, key);
    katsu_append_byte(&w->buffer, ':');
    w->levels[w->depth - 1] |= LEVEL_FILLED;
}

/* The comma, and the key where an object is open. */
static void begin_value(writer *w, VALUE key)
{
    if (w->depth == 0) {
        if (w->done) misuse("the document is complete; to_s returns it");
        if (!NIL_P(key)) misuse("a key needs an open object");
        return;
    }
    unsigned char *level = &w->levels[w->depth - 1];
    if (*level & LEVEL_OBJECT) {
        if (w->keyed) {
            if (!NIL_P(key)) misuse("push_value is called with key after push_key is called");
            w->keyed = false;
        } else {
            if (NIL_P(key)) misuse("a value in an object needs a key");
            put_key(w, key);
        }
    } else {
        if (!NIL_P(key)) misuse("a key needs an open object; an array is open");
        if (*level & LEVEL_FILLED) katsu_append_byte(&w->buffer, ',');
        *level |= LEVEL_FILLED;
    }
}

static void end_value(writer *w)
{
    if (w->depth > 0) return;
    w->done = true;
    if (w->buffer.io) katsu_buffer_flush(&w->buffer);
}

static VALUE push_container(int argc, VALUE *argv, VALUE self, unsigned char kind)
{
    rb_check_arity(argc, 0, 1);
    writer *w = get_writer(self);
    begin_value(w, argc ? argv[0] : Qnil);
    if (w->depth == w->room) {
        unsigned char *levels = ALLOC_N(unsigned char, w->room * 2);
        memcpy(levels, w->levels, (size_t)w->depth);
        if (w->levels != w->first_levels) xfree(w->levels);
        w->levels = levels;
        w->room *= 2;
    }
    katsu_append_byte(&w->buffer, kind == LEVEL_OBJECT ? '{' : '[');
    w->levels[w->depth++] = kind;
    return self;
}

static VALUE writer_push_object(int argc, VALUE *argv, VALUE self)
{
    return push_container(argc, argv, self, LEVEL_OBJECT);
}

static VALUE writer_push_array(int argc, VALUE *argv, VALUE self)
{
    return push_container(argc, argv, self, LEVEL_ARRAY);
}

static VALUE writer_push_key(VALUE self, VALUE key)
{
    writer *w = get_writer(self);
    if (w->depth == 0 || !(w->levels[w->depth - 1] & LEVEL_OBJECT)) misuse("push_key needs an open object");
    if (w->keyed) misuse("push_key is called twice without a value");
    put_key(w, key);
    w->keyed = true;
    return self;
}

struct push {
    writer *writer;
    VALUE value;
};

static VALUE push_try(VALUE arg)
{
    struct push *push = (struct push *)arg;
    katsu_generator generator;
    katsu_generator_init(&generator, &push->writer->buffer, &push->writer->options);
    katsu_generate_value(&generator, push->value);
    return Qnil;
}

static VALUE push_ensure(VALUE arg)
{
    ((struct push *)arg)->writer->busy = false;
    return Qnil;
}

static VALUE writer_push_value(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 2);
    writer *w = get_writer(self);
    begin_value(w, argc == 2 ? argv[1] : Qnil);
    struct push push = {w, argv[0]};
    if (RB_SPECIAL_CONST_P(argv[0]) || RBASIC_CLASS(argv[0]) == rb_cString) {
        push_try((VALUE)&push);
    } else {
        w->busy = true;
        rb_ensure(push_try, (VALUE)&push, push_ensure, (VALUE)&push);
    }
    end_value(w);
    RB_GC_GUARD(self);
    return self;
}

static VALUE writer_push_json(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 2);
    Check_Type(argv[0], T_STRING);
    writer *w = get_writer(self);
    begin_value(w, argc == 2 ? argv[1] : Qnil);
    katsu_append_json(&w->buffer, argv[0]);
    end_value(w);
    RB_GC_GUARD(self);
    return self;
}

static VALUE writer_pop(VALUE self)
{
    writer *w = get_writer(self);
    if (w->depth == 0) misuse("pop without an open object or array");
    if (w->keyed) misuse("pop after push_key without a value");
    katsu_append_byte(&w->buffer, w->levels[w->depth - 1] & LEVEL_OBJECT ? '}' : ']');
    w->depth--;
    end_value(w);
    return self;
}

static VALUE writer_to_s(VALUE self)
{
    writer *w = get_writer(self);
    if (w->depth > 0) rb_raise(katsu_eError, "Katsu::Writer: %ld objects or arrays are still open", w->depth);
    if (w->buffer.io) misuse("the document went to the io");
    VALUE string = rb_utf8_str_new(w->buffer.start, w->buffer.at - w->buffer.start);
    RB_GC_GUARD(self);
    return string;
}

void katsu_init_writer_class(void)
{
    VALUE class = rb_define_class_under(katsu_mKatsu, "Writer", rb_cObject);
    rb_define_alloc_func(class, writer_allocate);
    rb_define_method(class, "initialize", writer_initialize, -1);
    rb_define_method(class, "push_object", writer_push_object, -1);
    rb_define_method(class, "push_array", writer_push_array, -1);
    rb_define_method(class, "push_key", writer_push_key, 1);
    rb_define_method(class, "push_value", writer_push_value, -1);
    rb_define_method(class, "push_json", writer_push_json, -1);
    rb_define_method(class, "pop", writer_pop, 0);
    rb_define_method(class, "to_s", writer_to_s, 0);
    rb_undef_method(class, "initialize_copy");
}
