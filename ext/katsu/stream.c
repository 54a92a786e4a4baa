/* A Katsu::Stream: the elements are written as its each yields them.
 *
 * The block that each receives may outlive the call, so it holds a Ruby object that forgets the walk when the
 * walk ends, however it ends.
 */
#include "generate.h"

static ID id_each;

typedef struct {
    katsu_generator *generator;
    katsu_frame frame;
    VALUE stream, token;
} walk;

typedef struct {
    walk *walk; /* NULL when it has ended */
} token;

static const rb_data_type_t token_type = {
    "Katsu::Native::StreamWalk", {NULL, RUBY_DEFAULT_FREE, NULL}, NULL, NULL, RUBY_TYPED_FREE_IMMEDIATELY};

static token *token_get(VALUE object)
{
    token *t;
    TypedData_Get_Struct(object, token, &token_type, t);
    return t;
}

static VALUE put_element(RB_BLOCK_CALL_FUNC_ARGLIST(element, object))
{
    walk *w = token_get(object)->walk;
    if (!w) rb_raise(katsu_eError, "Katsu::Stream: each yielded after it had returned");
    katsu_generator *generator = w->generator;
    if (argc != 1) element = rb_ary_new_from_values(argc, argv);
    if (w->frame.index > 0) katsu_append_byte(generator->buffer, ',');
    if (generator->options->pretty) katsu_put_newline(generator, generator->options->array_nl);
    katsu_generate_value(generator, element);
    w->frame.index++;
    RB_GC_GUARD(element);
    return Qnil;
}

static VALUE each(VALUE arg)
{
    walk *w = (walk *)arg;
    rb_block_call(w->stream, id_each, 0, NULL, put_element, w->token);
    return Qnil;
}

static VALUE forget(VALUE arg)
{
    token_get(((walk *)arg)->token)->walk = NULL;
    return Qnil;
}

void katsu_generate_stream(katsu_generator *generator, VALUE stream)
{
    token *t;
    walk w = {generator, {generator->frame, 0, 0}, stream, 0};
    w.token = TypedData_Make_Struct(0, token, &token_type, t);
    t->walk = &w;
    katsu_enter(generator);
    generator->frame = &w.frame;
    katsu_append_byte(generator->buffer, '[');
    rb_ensure(each, (VALUE)&w, forget, (VALUE)&w);
    generator->frame = w.frame.up;
    generator->depth--;
    if (generator->options->pretty && generator->options->array_nl && w.frame.index > 0)
        katsu_put_newline(generator, generator->options->array_nl);
    katsu_append_byte(generator->buffer, ']');
    RB_GC_GUARD(stream);
}

void katsu_init_stream(void)
{
    id_each = rb_intern("each");
}
