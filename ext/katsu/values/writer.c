/* Katsu::Writer's engine: JSON push by push. See writer.h.
 *
 * The object owns its buffer: first the bytes inside the struct, then a String that it marks, and the list of open
 * containers.
 */
#include "values/writer.h"
#include "values/generate.h"

enum { LEVEL_ARRAY = 1, LEVEL_OBJECT = 2, LEVEL_FILLED = 4 };

typedef struct {
    katsu_buffer buffer;
    katsu_options options;
    unsigned char *levels; /* what is open, outermost first */
    long depth, room;
    bool keyed;  /* push_key was called and its value is awaited */
    bool done;   /* a whole document has been written */
    bool busy;   /* an operation may be calling into Ruby: what is called may not push */
    bool broken; /* an operation failed that could not be taken back */
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

VALUE katsu_writer_allocate(VALUE class)
{
    writer *w;
    VALUE self = TypedData_Make_Struct(class, writer, &writer_type, w);
    katsu_options_init(&w->options);
    katsu_buffer_init(&w->buffer, w->first_bytes, sizeof w->first_bytes);
    w->levels = w->first_levels;
    w->room = (long)sizeof w->first_levels;
    return self;
}

NORETURN(static void writer_misuse(const char *what));
static void writer_misuse(const char *what)
{
    katsu_raise(katsu_eError, "Katsu::Writer: %s", what);
}

static writer *get_writer(VALUE self)
{
    writer *w;
    rb_check_frozen(self);
    TypedData_Get_Struct(self, writer, &writer_type, w);
    if (w->busy) writer_misuse("a value is being written; its to_json may not push");
    if (w->broken) writer_misuse("a push failed when part of it had gone to the io; the document cannot be completed");
    return w;
}

/* The value of as_json:. */
static bool read_as_json(VALUE options)
{
    static ID keywords[1];
    VALUE as_json;
    if (!keywords[0]) keywords[0] = katsu_id_as_json;
    rb_get_kwargs(options, keywords, 0, 1, &as_json);
    return as_json != Qundef && RTEST(as_json);
}

VALUE katsu_writer_initialize(int argc, VALUE *argv, VALUE self)
{
    VALUE io, options;
    rb_scan_args(argc, argv, "01:", &io, &options);
    bool rails = read_as_json(options);
    if (!NIL_P(io) && !rb_respond_to(io, katsu_id_write))
        katsu_raise(rb_eArgError, "Katsu::Writer.new: %" PRIsVALUE " has no write method", rb_obj_class(io));
    writer *w = get_writer(self); /* looked at now, as the io's respond_to? may have pushed */
    if (w->buffer.at != w->buffer.start || w->buffer.string)
        katsu_raise(katsu_eError, "Katsu::Writer: initialized twice");
    w->options.rails = rails;
    if (!NIL_P(io)) {
        katsu_buffer_use_string(&w->buffer, KATSU_IO_CHUNK);
        w->buffer.io = io;
    }
    return self;
}

static void append_key(writer *w, VALUE key)
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

/* The comma, and the key if an object is open. */
static void begin_value(writer *w, VALUE key)
{
    if (w->depth == 0) {
        if (w->done) writer_misuse("the document is complete; to_s returns it");
        if (!NIL_P(key)) writer_misuse("a key needs an open object");
        return;
    }
    unsigned char *level = &w->levels[w->depth - 1];
    if (*level & LEVEL_OBJECT) {
        if (w->keyed) {
            if (!NIL_P(key)) writer_misuse("push_value is called with key after push_key is called");
            w->keyed = false;
        } else {
            if (NIL_P(key)) writer_misuse("a value in an object needs a key");
            append_key(w, key);
        }
    } else {
        if (!NIL_P(key)) writer_misuse("a key needs an open object; an array is open");
        if (*level & LEVEL_FILLED) katsu_append_byte(&w->buffer, ',');
        *level |= LEVEL_FILLED;
    }
}

/* A full chunk goes out now: a push that fails later has nothing of it to take back. */
static void end_value(writer *w)
{
    w->done = w->depth == 0;
    if (!w->buffer.io) return;
    if (w->done || w->buffer.at - w->buffer.start >= KATSU_IO_CHUNK) katsu_buffer_flush(&w->buffer);
    if (w->done) rb_funcall(katsu_mGenerator, rb_intern("finish"), 1, w->buffer.io);
}

/* One push or pop, and the state to go back to if it fails. */
typedef struct operation {
    VALUE self;
    writer *writer;
    VALUE (*action)(struct operation *o);
    VALUE value, key;
    unsigned char level;
    struct {
        size_t length, flushed;
        unsigned char level;
        bool keyed;
    } before;
    bool succeeded;
} operation;

static VALUE open_level(operation *o)
{
    writer *w = o->writer;
    begin_value(w, o->key);
    if (w->depth == w->room) {
        unsigned char *levels = ALLOC_N(unsigned char, w->room * 2);
        memcpy(levels, w->levels, (size_t)w->depth);
        if (w->levels != w->first_levels) xfree(w->levels);
        w->levels = levels;
        w->room *= 2;
    }
    katsu_append_byte(&w->buffer, o->level == LEVEL_OBJECT ? '{' : '[');
    w->levels[w->depth++] = o->level;
    return Qnil;
}

static VALUE push_key(operation *o)
{
    writer *w = o->writer;
    if (w->depth == 0 || !(w->levels[w->depth - 1] & LEVEL_OBJECT)) writer_misuse("push_key needs an open object");
    if (w->keyed) writer_misuse("push_key is called twice without a value");
    append_key(w, o->key);
    w->keyed = true;
    return Qnil;
}

static VALUE push_value(operation *o)
{
    begin_value(o->writer, o->key);
    katsu_generator generator;
    katsu_generator_init(&generator, &o->writer->buffer, &o->writer->options);
    katsu_generate_as_json(&generator, o->value);
    end_value(o->writer);
    return Qnil;
}

static VALUE push_json(operation *o)
{
    begin_value(o->writer, o->key);
    katsu_append_json(&o->writer->buffer, o->value);
    end_value(o->writer);
    return Qnil;
}

static VALUE close_level(operation *o)
{
    writer *w = o->writer;
    if (w->depth == 0) writer_misuse("pop without an open object or array");
    if (w->keyed) writer_misuse("pop after push_key without a value");
    katsu_append_byte(&w->buffer, w->levels[w->depth - 1] & LEVEL_OBJECT ? '}' : ']');
    w->depth--;
    end_value(w);
    return Qnil;
}

static VALUE attempt(VALUE arg)
{
    operation *o = (operation *)arg;
    writer *w = o->writer;
    o->before.length = (size_t)(w->buffer.at - w->buffer.start);
    o->before.flushed = w->buffer.flushed;
    o->before.level = w->depth > 0 ? w->levels[w->depth - 1] : 0;
    o->before.keyed = w->keyed;
    w->busy = true;
    o->action(o);
    rb_check_frozen(o->self); /* what was called may have frozen it */
    o->succeeded = true;
    return Qnil;
}

/* A push abandoned by an exception or `throw` is rolled back, unless part of it was already flushed to the IO. */
static VALUE settle(VALUE arg)
{
    operation *o = (operation *)arg;
    writer *w = o->writer;
    w->busy = false;
    if (o->succeeded) return Qnil;
    w->buffer.array = 0;
    if (w->buffer.flushed != o->before.flushed) {
        w->broken = true;
        return Qnil;
    }
    w->buffer.at = w->buffer.start + o->before.length;
    w->keyed = o->before.keyed;
    if (w->depth > 0) w->levels[w->depth - 1] = o->before.level;
    return Qnil;
}

/* True if writing the key or value calls nothing and cannot fail. */
static bool cannot_fail_p(VALUE value)
{
    bool ascii;
    if (RB_SPECIAL_CONST_P(value)) return !RB_STATIC_SYM_P(value) || katsu_utf8_p(rb_sym2str(value), &ascii);
    return RB_BUILTIN_TYPE(value) == T_STRING && RBASIC_CLASS(value) == rb_cString && katsu_utf8_p(value, &ascii);
}

/* Does one operation. While it may call into Ruby (an io, a value's to_json, a key's encode) the writer is
 * busy: what is called may not push. */
static VALUE operate(VALUE self, VALUE (*action)(operation *o), VALUE value, VALUE key, unsigned char level)
{
    operation o = {self, get_writer(self), action, value, key, level, {0}, false};
    bool own_as_json = o.writer->options.rails && katsu_standard.own;
    if (!o.writer->buffer.io && !RB_SYMBOL_P(value) && cannot_fail_p(value) && cannot_fail_p(key) && !own_as_json) {
        action(&o);
    } else {
        rb_ensure(attempt, (VALUE)&o, settle, (VALUE)&o);
    }
    RB_GC_GUARD(self);
    return self;
}

VALUE katsu_writer_push_object(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 0, 1);
    return operate(self, open_level, Qnil, argc ? argv[0] : Qnil, LEVEL_OBJECT);
}

VALUE katsu_writer_push_array(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 0, 1);
    return operate(self, open_level, Qnil, argc ? argv[0] : Qnil, LEVEL_ARRAY);
}

VALUE katsu_writer_push_key(VALUE self, VALUE key)
{
    return operate(self, push_key, Qnil, key, 0);
}

VALUE katsu_writer_push_value(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 2);
    return operate(self, push_value, argv[0], argc == 2 ? argv[1] : Qnil, 0);
}

VALUE katsu_writer_push_json(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 2);
    Check_Type(argv[0], T_STRING);
    return operate(self, push_json, argv[0], argc == 2 ? argv[1] : Qnil, 0);
}

VALUE katsu_writer_pop(VALUE self)
{
    return operate(self, close_level, Qnil, Qnil, 0);
}

VALUE katsu_writer_to_s(VALUE self)
{
    writer *w = get_writer(self);
    if (w->depth > 0) katsu_raise(katsu_eError, "Katsu::Writer: %ld objects or arrays are still open", w->depth);
    if (w->buffer.io) writer_misuse("the document went to the io");
    VALUE string = rb_utf8_str_new(w->buffer.start, w->buffer.at - w->buffer.start);
    RB_GC_GUARD(self);
    return string;
}
