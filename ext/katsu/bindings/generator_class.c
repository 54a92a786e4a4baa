/* Bindings: Katsu.generate, Katsu::Generator::Options. */
#include "values/generate.h"

static VALUE generate_with_options(int argc, VALUE *argv, VALUE module)
{
    static const katsu_options defaults = {.max_nesting = 100};
    rb_check_arity(argc, 1, 2);
    if (argc == 1 || !RTEST(argv[1])) return katsu_generate_document(argv[0], &defaults, 0, false);
    VALUE state_class = rb_const_get(katsu_mKatsu, rb_intern("State"));
    if (RTEST(rb_obj_is_kind_of(argv[1], state_class)))
        return katsu_call_placed(NULL, argv[1], rb_intern("generate"), argv[0]);
    katsu_options options;
    katsu_options_init(&options);
    katsu_options_read(&options, argv[1]);
    return katsu_generate_document(argv[0], &options, 0, false);
}

static void mark_options(void *data)
{
    katsu_options_mark(data);
}

static const rb_data_type_t options_type = {"Katsu::Generator::Options",
                                            {mark_options, RUBY_DEFAULT_FREE, NULL},
                                            NULL,
                                            NULL,
                                            RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE};

static VALUE allocate_options(VALUE class)
{
    katsu_options *options;
    VALUE self = TypedData_Make_Struct(class, katsu_options, &options_type, options);
    katsu_options_init(options);
    return self;
}

static VALUE initialize_options(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 0, 1);
    katsu_options *options;
    rb_check_frozen(self);
    TypedData_Get_Struct(self, katsu_options, &options_type, options);
    if (argc == 1) katsu_options_read(options, rb_obj_freeze(rb_obj_dup(argv[0])));
    return rb_obj_freeze(self);
}

static VALUE document(int argc, VALUE *argv, VALUE self, bool core)
{
    rb_check_arity(argc, 1, 2);
    katsu_options *options;
    TypedData_Get_Struct(self, katsu_options, &options_type, options);
    VALUE io = argc == 2 && !NIL_P(argv[1]) ? argv[1] : 0;
    VALUE result = katsu_generate_document(argv[0], options, io, core);
    RB_GC_GUARD(self);
    return result;
}

static VALUE options_generate(int argc, VALUE *argv, VALUE self)
{
    return document(argc, argv, self, false);
}

static VALUE options_generate_core(int argc, VALUE *argv, VALUE self)
{
    return document(argc, argv, self, true);
}

void katsu_init_generator_class(void)
{
    rb_define_singleton_method(katsu_mKatsu, "generate", generate_with_options, -1);
    VALUE class = rb_define_class_under(katsu_mGenerator, "Options", rb_cObject);
    rb_define_alloc_func(class, allocate_options);
    rb_define_method(class, "initialize", initialize_options, -1);
    rb_define_method(class, "generate", options_generate, -1);
    rb_define_method(class, "generate_core", options_generate_core, -1);
    rb_undef_method(class, "initialize_copy");
}
