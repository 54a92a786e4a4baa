/* Bindings: Katsu::ObjectWriter. */
#include "values/object_writer.h"

#if RUBY_API_VERSION_CODE < 40000
static VALUE own_class; /* kept by Ruby, as all classes that C defines */
static ID id_initialize;
#endif

#if RUBY_API_VERSION_CODE < 40000
/* Class#new looks for the allocator and for an initialize: half of the time of an object with one property. Ruby
 * 4.0 inlines it, which takes 21 ns instead of this method's 25. */
static VALUE object_writer_new(int argc, VALUE *argv, VALUE class)
{
    if (argc == 0 && class == own_class && rb_method_basic_definition_p(class, id_initialize))
        return katsu_object_writer_allocate(class);
    return rb_class_new_instance_pass_kw(argc, argv, class);
}
#endif

void katsu_init_object_writer_class(void)
{
    katsu_init_object_writer();
    VALUE class = rb_define_class_under(katsu_mKatsu, "ObjectWriter", rb_cObject);
    rb_define_alloc_func(class, katsu_object_writer_allocate);
#if RUBY_API_VERSION_CODE < 40000
    own_class = class;
    id_initialize = rb_intern("initialize");
    rb_define_singleton_method(class, "new", object_writer_new, -1);
#endif
    rb_define_method(class, "push_object", katsu_object_writer_push_object, -1);
    rb_define_method(class, "push_array", katsu_object_writer_push_array, -1);
    rb_define_method(class, "push_key", katsu_object_writer_push_key, 1);
    rb_define_method(class, "push_value", katsu_object_writer_push_value, -1);
    rb_define_method(class, "pop", katsu_object_writer_pop, 0);
    rb_define_method(class, "output", katsu_object_writer_output, 0);
}
