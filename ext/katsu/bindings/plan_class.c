/* Bindings: Katsu::Plan. */
#include "plans/plan.h"
#include "plans/sink_hash.h"
#include "plans/sink_json.h"

static VALUE or_nil(VALUE value)
{
    return value ? value : Qnil;
}

/* Katsu::Plan#serializer */
static VALUE plan_serializer(VALUE self)
{
    return or_nil(katsu_plan_get(self)->serializer);
}

/* Katsu::Plan#steps: the Array of Katsu::Plan::Step. */
static VALUE plan_steps(VALUE self)
{
    return or_nil(katsu_plan_get(self)->ruby_steps);
}

static VALUE plan_generate(VALUE self, VALUE object, VALUE context, VALUE scope)
{
    return katsu_sink_json(self, object, context, scope, 0, false);
}

static VALUE plan_generate_all(VALUE self, VALUE objects, VALUE context, VALUE scope)
{
    return katsu_sink_json(self, objects, context, scope, 0, true);
}

static VALUE plan_generate_missing(VALUE self, VALUE objects, VALUE context, VALUE scope, VALUE texts, VALUE first,
                                   VALUE instances)
{
    return katsu_sink_json_missing(self, objects, context, scope, texts, first, instances);
}

static VALUE plan_generate_filling(VALUE self, VALUE objects, VALUE context, VALUE scope, VALUE texts)
{
    return katsu_sink_json_filling(self, objects, context, scope, texts);
}

static VALUE plan_write_all(VALUE self, VALUE objects, VALUE context, VALUE scope, VALUE io)
{
    return katsu_sink_json(self, objects, context, scope, io, true);
}

static VALUE plan_build(VALUE self, VALUE object, VALUE context, VALUE scope)
{
    return katsu_sink_hash(self, object, context, scope, false);
}

static VALUE plan_build_all(VALUE self, VALUE objects, VALUE context, VALUE scope)
{
    return katsu_sink_hash(self, objects, context, scope, true);
}

static VALUE plan_build_sharing(VALUE self, VALUE objects, VALUE context, VALUE scope, VALUE instances)
{
    return katsu_sink_hash_sharing(self, objects, context, scope, instances);
}

void katsu_init_plan_class(void)
{
    katsu_init_layout();
    VALUE class = rb_define_class_under(katsu_mKatsu, "Plan", rb_cObject);
    rb_define_alloc_func(class, katsu_plan_allocate);
    rb_define_private_method(class, "link", katsu_plan_link, 2);
    rb_define_method(class, "serializer", plan_serializer, 0);
    rb_define_method(class, "steps", plan_steps, 0);
    rb_define_method(class, "generate", plan_generate, 3);
    rb_define_method(class, "generate_all", plan_generate_all, 3);
    rb_define_method(class, "generate_missing", plan_generate_missing, 6);
    rb_define_method(class, "generate_filling", plan_generate_filling, 4);
    rb_define_method(class, "write_all", plan_write_all, 4);
    rb_define_method(class, "build", plan_build, 3);
    rb_define_method(class, "build_all", plan_build_all, 3);
    rb_define_method(class, "build_sharing", plan_build_sharing, 4);
    rb_undef_method(class, "initialize_copy");
}
