/* Values that JSON has no syntax for: by their as_json, their to_json or as their text. See generate.h. */
#include "values/generate.h"

static ID id_of, id_of_itself, id_apply, id_chunked_p, id_write_part, id_stream_p;
static VALUE as_json_module, substitute, overrides; /* Katsu::AsJson, its Substitute and Overrides */

VALUE katsu_call_as_json(katsu_generator *generator, VALUE object, VALUE is_key)
{
    VALUE proc = generator->options->as_json, args[2] = {object, is_key};
    generator->calls++;
    int count = rb_proc_lambda_p(proc) && rb_proc_arity(proc) == 1 ? 1 : 2;
    return rb_proc_call_with_block(proc, count, args, Qnil);
}

VALUE katsu_apply_overrides(katsu_generator *generator, VALUE object)
{
    generator->calls++;
    return rb_funcall(overrides, id_apply, 1, object);
}

VALUE katsu_call_to_s(katsu_generator *generator, VALUE object)
{
    generator->calls++;
    VALUE string = rb_funcall(object, katsu_id_to_s, 0);
    return StringValue(string);
}

/* How often an as_json may return an object whose as_json has to be called in turn: Katsu::Limits::AS_JSON_CALLS. */
#define AS_JSON_CALLS 16

/* As Katsu::State#changes_text?: a document does not write itself with options that change its text. */
static bool changes_text_p(const katsu_options *options)
{
    return options->pretty || options->escape != KATSU_ESCAPE_JSON_ONLY || options->rfc8785 || options->sort_keys ||
           (options->max_nesting > 0 && options->max_nesting < 100);
}

/* What writes itself to an io in chunks does so, behind what there is; false for other objects. */
static bool hand_over(katsu_generator *generator, VALUE object)
{
    katsu_buffer *buffer = generator->buffer;
    if (!RTEST(rb_obj_is_kind_of(object, katsu_mChunked)) || changes_text_p(generator->options)) return false;
    if (!RTEST(rb_funcall(object, id_chunked_p, 0))) return false;
    katsu_buffer_flush(buffer);
    buffer->flushed++; /* what is written now cannot be taken back either */
    katsu_call_placed(generator->frame, katsu_mGenerator, id_write_part, rb_assoc_new(object, buffer->io));
    return true;
}

/* A Katsu::Stream whose to_json and as_json are its own. */
static bool stream_p(VALUE object)
{
    if (CLASS_OF(object) == katsu_cStream) return true;
    return RTEST(rb_obj_is_kind_of(object, katsu_cStream)) &&
           RTEST(rb_funcall(katsu_mGenerator, id_stream_p, 1, object));
}

VALUE katsu_generate_other(katsu_generator *generator, VALUE object, int as_json_calls)
{
    const katsu_options *options = generator->options;
    generator->calls++;
    if (!options->rails && !options->strict && !generator->buffer->io && katsu_own_to_json_p(generator, object)) {
        katsu_put_to_json(generator, object);
        return Qundef;
    }
    if (stream_p(object)) {
        katsu_generate_stream(generator, object);
        return Qundef;
    }
    if (generator->buffer->io && !(options->strict && !options->rails) && hand_over(generator, object)) return Qundef;
    if (options->rails) {
        if (rb_respond_to(object, katsu_id_as_json)) {
            VALUE value = RTEST(rb_obj_is_kind_of(object, katsu_mChunked))
                              ? katsu_call_placed(generator->frame, object, katsu_id_as_json, Qundef)
                              : rb_funcall(object, katsu_id_as_json, 0);
            if (value != object && as_json_calls < AS_JSON_CALLS) return value;
            if (as_json_calls >= AS_JSON_CALLS)
                katsu_refuse(generator, object, "gives as_json another object each time");
            value = rb_funcall(as_json_module, id_of_itself, 1, object);
            if (value != object) return value;
        }
        if (RB_TYPE_P(object, T_HASH) || RB_TYPE_P(object, T_ARRAY) || RB_TYPE_P(object, T_STRING)) {
            katsu_generate_core(generator, object);
            return Qundef;
        }
        return rb_funcall(substitute, id_of, 1, object);
    }
    if (options->strict) {
        if (options->as_json && !as_json_calls) return katsu_call_as_json(generator, object, Qfalse);
        katsu_refuse(generator, object, "not allowed in JSON");
    }
    if (RB_SYMBOL_P(object) && katsu_symbols_are_text(generator)) {
        katsu_generate_string(generator, rb_sym2str(object));
    } else if (katsu_as_text_p(generator, object)) {
        katsu_put_without_to_json(generator, object);
    } else if (rb_respond_to(object, katsu_id_to_json)) {
        katsu_put_to_json(generator, object);
    } else {
        katsu_generate_string(generator, katsu_call_to_s(generator, object));
    }
    return Qundef;
}

void katsu_init_objects(void)
{
    id_chunked_p = rb_intern("chunked?");
    id_write_part = rb_intern("write_part");
    id_stream_p = rb_intern("stream?");
    rb_global_variable(&substitute);
    rb_global_variable(&overrides);
    rb_global_variable(&as_json_module);
    as_json_module = rb_define_module_under(katsu_mKatsu, "AsJson");
    substitute = rb_define_module_under(as_json_module, "Substitute");
    overrides = rb_define_module_under(as_json_module, "Overrides");
    id_of = rb_intern("of");
    id_of_itself = rb_intern("of_itself");
    id_apply = rb_intern("apply");
}
