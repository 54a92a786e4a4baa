/* What generating raises, with the path to where it happened. See generate.h. */
#include "values/generate.h"

VALUE katsu_path(const katsu_frame *frame)
{
    VALUE path = rb_ary_new();
    for (; frame; frame = frame->up) {
        bool keyed = frame->key || frame->index == KATSU_PAIR;
        rb_ary_push(path, keyed ? frame->key : LONG2NUM(frame->index));
    }
    return rb_ary_reverse(path);
}

static VALUE generator_error(katsu_generator *generator, VALUE object, VALUE reason)
{
    VALUE args[3] = {reason, object, katsu_path(generator->frame)};
    return rb_class_new_instance(3, args, katsu_eGeneratorError);
}

void katsu_raise_generator_error(katsu_generator *generator, VALUE object, VALUE reason)
{
    rb_exc_raise(generator_error(generator, object, reason));
}

void katsu_raise_generator_error_for(katsu_generator *generator, VALUE object, VALUE cause)
{
    VALUE error = generator_error(generator, object, rb_funcall(cause, rb_intern("message"), 0));
    rb_set_errinfo(cause); /* the message may have been made by code that rescued something itself */
    rb_exc_raise(error);
}

void katsu_refuse(katsu_generator *generator, VALUE object, const char *what)
{
    katsu_raise_generator_error(generator, object, rb_sprintf("%" PRIsVALUE " %s", CLASS_OF(object), what));
}

void katsu_refuse_bytes(katsu_generator *generator, VALUE string)
{
    katsu_raise_generator_error(generator, string, rb_str_new_cstr("source sequence is illegal/malformed utf-8"));
}

void katsu_too_deep(katsu_generator *generator)
{
    VALUE args[2] = {LONG2NUM(generator->depth + 1), katsu_path(generator->frame)};
    rb_exc_raise(rb_class_new_instance(2, args, katsu_eNestingError));
}
