/* Bindings: Katsu::Writer. */
#include "values/writer.h"

void katsu_init_writer_class(void)
{
    VALUE class = rb_define_class_under(katsu_mKatsu, "Writer", rb_cObject);
    rb_define_alloc_func(class, katsu_writer_allocate);
    rb_define_method(class, "initialize", katsu_writer_initialize, -1);
    rb_define_method(class, "push_object", katsu_writer_push_object, -1);
    rb_define_method(class, "push_array", katsu_writer_push_array, -1);
    rb_define_method(class, "push_key", katsu_writer_push_key, 1);
    rb_define_method(class, "push_value", katsu_writer_push_value, -1);
    rb_define_method(class, "push_json", katsu_writer_push_json, -1);
    rb_define_method(class, "pop", katsu_writer_pop, 0);
    rb_define_method(class, "to_s", katsu_writer_to_s, 0);
    rb_undef_method(class, "initialize_copy");
}
