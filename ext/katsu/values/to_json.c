/* Objects with a to_json method, the State that it receives, and objects that have none of their own. See
 * generate.h. */
#include "values/generate.h"

static ID id_depth_set, id_as_text, id_method_defined, id_place_error, id_respond_to_p;

/* The State that the to_json methods of this call receive; made once, and again if one of them froze it. */
static VALUE state_for_to_json(katsu_generator *generator)
{
    if (!generator->state || RB_OBJ_FROZEN_RAW(generator->state)) {
        VALUE source = katsu_options_hash(generator->options);
        VALUE state_class = rb_const_get(katsu_mKatsu, rb_intern("State"));
        generator->state = rb_class_new_instance(source ? 1 : 0, &source, state_class);
        generator->state_depth = -1;
    }
    if (generator->state_depth != generator->depth) {
        rb_funcall(generator->state, id_depth_set, 1, LONG2NUM(generator->depth));
        generator->state_depth = generator->depth;
    }
    return generator->state;
}

bool katsu_symbols_are_text(katsu_generator *generator)
{
    if (!generator->symbols) {
        VALUE own = rb_funcall(rb_cSymbol, id_method_defined, 2, ID2SYM(katsu_id_to_json), Qfalse);
        generator->symbols = RTEST(own) ? 2 : 1;
    }
    return generator->symbols == 1;
}

bool katsu_as_text_p(katsu_generator *generator, VALUE object)
{
    VALUE class = CLASS_OF(object);
    int count = generator->class_count;
    for (int i = 0; i < count; i++) {
        if (generator->classes[i] == class) return generator->as_text[i];
    }
    bool responds = rb_respond_to(object, katsu_id_to_json);
    bool text = responds && RTEST(rb_funcall(katsu_mGenerator, id_as_text, 1, object));
    if (count < KATSU_CLASSES) {
        generator->classes[count] = class;
        generator->as_text[count] = text;
        /* A respond_to? of the class's own may answer for each object. */
        generator->own[count] = responds && !text && rb_method_basic_definition_p(class, id_respond_to_p) &&
                                rb_method_boundp(class, katsu_id_to_json, 0);
        generator->class_count++;
    }
    return text;
}

bool katsu_own_to_json_p(const katsu_generator *generator, VALUE object)
{
    VALUE class = CLASS_OF(object);
    for (int i = 0; i < generator->class_count; i++) {
        if (generator->classes[i] == class) return generator->own[i];
    }
    return false;
}

void katsu_put_without_to_json(katsu_generator *generator, VALUE object)
{
    int type = rb_type(object);
    if (type == T_HASH || type == T_ARRAY || type == T_STRING) {
        katsu_generate_core(generator, object);
    } else {
        katsu_generate_string(generator, rb_obj_as_string(object));
    }
}

typedef struct {
    const katsu_frame *frame;
    VALUE object, argument;
    ID method;
} placed_call;

static VALUE call(VALUE arg)
{
    const placed_call *call = (const placed_call *)arg;
    return rb_funcallv(call->object, call->method, call->argument == Qundef ? 0 : 1, &call->argument);
}

static VALUE place_error(VALUE arg, VALUE error)
{
    const placed_call *call = (const placed_call *)arg;
    return rb_funcall(katsu_mGenerator, id_place_error, 2, error, katsu_path(call->frame)); /* raises it */
}

VALUE katsu_call_placed(const katsu_frame *frame, VALUE object, ID method, VALUE argument)
{
    placed_call placed = {frame, object, argument, method};
    return rb_rescue2(call, (VALUE)&placed, place_error, (VALUE)&placed, rb_eStandardError, (VALUE)0);
}

/* A to_json may have loaded files that define one for other classes. What is known of classes that have one stays. */
static void forget_text_classes(katsu_generator *generator)
{
    int kept = 0;
    for (int i = 0; i < generator->class_count; i++) {
        if (generator->as_text[i]) continue;
        generator->classes[kept] = generator->classes[i];
        generator->own[kept] = generator->own[i];
        generator->as_text[kept++] = false;
    }
    generator->class_count = kept;
    generator->symbols = 0;
}

void katsu_put_to_json(katsu_generator *generator, VALUE object)
{
    VALUE state = state_for_to_json(generator);
    VALUE json = katsu_call_placed(generator->frame, object, katsu_id_to_json, state);
    forget_text_classes(generator);
    if (!RB_TYPE_P(json, T_STRING))
        katsu_raise(rb_eTypeError, "%" PRIsVALUE "#to_json gave %" PRIsVALUE ", expected a String",
                    rb_obj_class(object), rb_obj_class(json));
    katsu_append_json(generator->buffer, json);
}

void katsu_init_to_json(void)
{
    id_depth_set = rb_intern("depth=");
    id_as_text = rb_intern("as_text?");
    id_method_defined = rb_intern("method_defined?");
    id_place_error = rb_intern("place_error");
    id_respond_to_p = rb_intern("respond_to?");
}
