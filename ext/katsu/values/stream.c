/* A Katsu::Stream: the elements are written as its each yields them.
 *
 * The block that each receives may outlive the call, so it holds a Ruby object that forgets the walk when the
 * walk ends. A fiber that is abandoned does not end its walk: the object keeps the fiber, and with it the stack
 * that the walk lies on, and takes no element from another. An element that was not written to its end, because it
 * raised and each rescued that, leaves half of it behind: nothing is taken after it.
 */
#include "values/generate.h"

static ID id_each, id_record_p;

typedef struct {
    VALUE stream, token;
    katsu_take *take;
    void *to;
    bool writing; /* an element has been begun and not ended */
} stream_walk;

typedef struct {
    stream_walk *walk; /* NULL when it has ended */
    VALUE fiber;
} token;

static void mark_token(void *data)
{
    rb_gc_mark(((token *)data)->fiber);
}

static const rb_data_type_t token_type = {
    "Katsu::Native::StreamWalk", {mark_token, RUBY_DEFAULT_FREE, NULL}, NULL, NULL, RUBY_TYPED_FREE_IMMEDIATELY};

static token *token_get(VALUE object)
{
    token *t;
    TypedData_Get_Struct(object, token, &token_type, t);
    return t;
}

static VALUE put_element(RB_BLOCK_CALL_FUNC_ARGLIST(element, object))
{
    token *t = token_get(object);
    stream_walk *w = t->walk;
    if (!w || rb_fiber_current() != t->fiber)
        katsu_raise(katsu_eError, "Katsu::Stream: each yielded after it had returned, or in another fiber");
    if (w->writing) katsu_raise(katsu_eError, "Katsu::Stream: each went on after an element that could not be written");
    w->writing = true;
    if (argc != 1) element = rb_ary_new_from_values(argc, argv);
    w->take(w->to, element);
    w->writing = false;
    RB_GC_GUARD(element);
    return Qnil;
}

static VALUE each(VALUE arg)
{
    stream_walk *w = (stream_walk *)arg;
    rb_block_call(w->stream, id_each, 0, NULL, put_element, w->token);
    return Qnil;
}

static VALUE forget(VALUE arg)
{
    token_get(((stream_walk *)arg)->token)->walk = NULL;
    return Qnil;
}

void katsu_stream_each(VALUE stream, katsu_take *take, void *to)
{
    token *t;
    stream_walk w = {stream, 0, take, to, false};
    w.token = TypedData_Make_Struct(0, token, &token_type, t);
    t->walk = &w;
    t->fiber = rb_fiber_current();
    rb_ensure(each, (VALUE)&w, forget, (VALUE)&w);
    if (w.writing) katsu_raise(katsu_eError, "Katsu::Stream: each ended after an element that could not be written");
    RB_GC_GUARD(stream);
}

typedef struct {
    katsu_generator *generator;
    katsu_frame frame;
    VALUE class; /* of the last element that was no value of JSON's, */
    bool record; /* and whether it is written as its as_json */
} elements;

/* True for a value that JSON has a form for, a subclass of Ruby's own classes included. */
static bool json_value_p(VALUE value)
{
    if (RB_SPECIAL_CONST_P(value)) return true;
    switch (RB_BUILTIN_TYPE(value)) {
    case T_STRING:
    case T_ARRAY:
    case T_HASH:
    case T_FLOAT:
    case T_BIGNUM:
    case T_SYMBOL:
        return true;
    default:
        return false;
    }
}

/* What is written for an element: a record's as_json, whoever defines to_json for all objects. */
static VALUE element_value(elements *e, VALUE element)
{
    const katsu_options *options = e->generator->options;
    if (KATSU_LIKELY(json_value_p(element)) || options->strict || options->rails) return element;
    if (CLASS_OF(element) != e->class) {
        e->record = RTEST(rb_funcall(katsu_mGenerator, id_record_p, 1, element));
        e->class = CLASS_OF(element);
    }
    return e->record ? rb_funcall(element, katsu_id_as_json, 0) : element;
}

static void generate_element(void *to, VALUE element)
{
    elements *e = to;
    katsu_generator *generator = e->generator;
    generator->calls++;
    element = element_value(e, element);
    if (e->frame.index > 0) katsu_append_byte(generator->buffer, ',');
    if (generator->options->pretty) katsu_put_newline(generator, generator->options->array_nl);
    katsu_generate_as_json(generator, element);
    e->frame.index++;
    RB_GC_GUARD(element);
}

void katsu_generate_stream(katsu_generator *generator, VALUE stream)
{
    elements e = {generator, {generator->frame, 0, 0}, 0, false};
    katsu_enter(generator);
    generator->frame = &e.frame;
    katsu_append_byte(generator->buffer, '[');
    katsu_stream_each(stream, generate_element, &e);
    generator->frame = e.frame.up;
    generator->depth--;
    if (generator->options->pretty && generator->options->array_nl && e.frame.index > 0)
        katsu_put_newline(generator, generator->options->array_nl);
    katsu_append_byte(generator->buffer, ']');
}

void katsu_init_stream(void)
{
    id_each = rb_intern("each");
    id_record_p = rb_intern("record?");
}
