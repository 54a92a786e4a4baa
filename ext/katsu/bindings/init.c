/* Init_native: constants and names that the other files use, then their own init functions. */
#include "katsu.h"

VALUE katsu_mKatsu, katsu_mNative, katsu_mGenerator, katsu_eError, katsu_eGeneratorError, katsu_eNestingError,
    katsu_cFragment, katsu_cStream, katsu_mChunked;
int katsu_utf8_index;
ID katsu_id_to_s, katsu_id_to_json, katsu_id_as_json, katsu_id_write, katsu_id_object;

static VALUE constant(const char *name)
{
    VALUE value = rb_const_get(katsu_mKatsu, rb_intern(name));
    rb_gc_register_mark_object(value);
    return value;
}

RUBY_FUNC_EXPORTED void Init_native(void);
void Init_native(void)
{
#ifdef HAVE_RB_EXT_RACTOR_SAFE
    rb_ext_ractor_safe(true);
#endif
    katsu_mKatsu = rb_define_module("Katsu");
    katsu_mNative = rb_define_module_under(katsu_mKatsu, "Native");
    katsu_mGenerator = constant("Generator");
    katsu_eError = constant("Error");
    katsu_eGeneratorError = constant("GeneratorError");
    katsu_eNestingError = constant("NestingError");
    katsu_cFragment = constant("Fragment");
    katsu_cStream = constant("Stream");
    katsu_mChunked = constant("Chunked");
    katsu_utf8_index = rb_utf8_encindex();
    katsu_id_to_s = rb_intern("to_s");
    katsu_id_to_json = rb_intern("to_json");
    katsu_id_as_json = rb_intern("as_json");
    katsu_id_write = rb_intern("write");
    katsu_id_object = rb_intern("@object");
    katsu_init_buffer();
    katsu_init_escape();
    katsu_init_options();
    katsu_init_generate();
    katsu_init_objects();
    katsu_init_transcode();
    katsu_init_distinct_keys();
    katsu_init_sort_keys();
    katsu_init_to_json();
    katsu_init_stream();
    katsu_init_generator_class();
    katsu_init_writer_class();
    katsu_init_object_writer_class();
    katsu_init_cast();
    katsu_init_cast_number();
    katsu_init_cast_time();
    katsu_init_row();
    katsu_init_version();
    katsu_init_native_class();
    katsu_init_execution();
    katsu_init_field_call();
    katsu_init_code_row();
    katsu_init_readers();
    katsu_init_sink_hash();
    katsu_init_plan_class();
    katsu_init_filter_equality();
    katsu_init_table_class();
    katsu_init_driver_rows_class();
}
