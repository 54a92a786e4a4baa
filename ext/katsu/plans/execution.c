/* See execution.h. */
#include "plans/execution.h"
#include "plans/readers.h"

static ID id_raise_copy, id_raise_at, id_plan_for, id_bullet_on;
static VALUE field_error, reader_patches, source_module, number_error, not_found_error;
static katsu_options rails_options;

/* As Katsu::Source::ReaderPatches has them: who else wants to know when an association is read. */
static enum { READERS_UNWATCHED, READERS_AS_BULLET_SAYS, READERS_WATCHED } association_readers;

/* Raises the error again, with its place in the document. The frames lie in the memory of the call, which is still
 * there. */
static VALUE add_place(VALUE arg, VALUE error)
{
    katsu_batch *batch = (katsu_batch *)arg;
    if (batch->field.node) {
        VALUE path = rb_ary_push(katsu_path(batch->field.frame), batch->field.node->frame.key);
        VALUE object = batch->field.object;
        batch->field.node = NULL; /* it may lie in memory of a call that is left now */
        rb_funcall(field_error, id_raise_copy, 3, error, path, object);
    }
    bool refused = RTEST(rb_obj_is_kind_of(error, number_error)) || RTEST(rb_obj_is_kind_of(error, not_found_error));
    if (batch->choosing && refused)
        rb_funcall(source_module, id_raise_at, 2, error, katsu_path(batch->generator.frame));
    rb_exc_raise(error);
    return Qnil;
}

typedef struct {
    katsu_sink *sink;
    katsu_batch *batch;
    katsu_node *node;
    VALUE object;
} call;

static VALUE call_sink(VALUE arg)
{
    call *c = (call *)arg;
    return c->sink(c->batch, c->node, c->object);
}

VALUE katsu_call_sink(katsu_batch *batch, katsu_node *node, VALUE object, katsu_sink *sink)
{
    call c = {sink, batch, node, object};
    if (!node->plan->calls) return call_sink((VALUE)&c);
    return rb_rescue2(call_sink, (VALUE)&c, add_place, (VALUE)batch, rb_eStandardError, (VALUE)0);
}

/* Polymorphic associations within each other: Katsu::Limits::POLYMORPHIC_DEPTH. */
#define POLYMORPHIC_DEPTH 100

/* Nodes of up to this many bytes lie on the C stack. */
#define NODE_STACK 4096

/* Katsu::Native.association_readers = one of ReaderPatches' numbers */
static VALUE set_association_readers(VALUE module, VALUE number)
{
    association_readers = NUM2INT(number);
    return number;
}

static bool readers_wanted(void)
{
    return association_readers == READERS_WATCHED || RTEST(rb_funcall(reader_patches, id_bullet_on, 0));
}

VALUE katsu_execute(VALUE plan, VALUE object, VALUE context, VALUE scope, VALUE io, katsu_sink *sink)
{
    VALUE stack[NODE_STACK / sizeof(VALUE)];
    katsu_batch batch;
    batch.association_readers = KATSU_UNLIKELY(association_readers) && readers_wanted();
    batch.readers_from = KATSU_READERS_FROM;
    batch.context = context;
    batch.scope = scope;
    batch.io = io;
    batch.nesting = NULL;
    batch.own_as_json = katsu_standard.own;
    batch.instanced = NULL;
    batch.instances = 0;
    batch.field.node = NULL;
    batch.choosing = false;
    batch.buffer.io = 0;
    katsu_node_memory_init(&batch.memory, stack, sizeof stack);
    katsu_generator_init(&batch.generator, &batch.buffer, &rails_options);
    katsu_times_init(&batch.times);
    katsu_node *node = katsu_node_new(&batch, plan, 0);
    batch.polymorphic = node->plan->polymorphic;
    VALUE result = katsu_call_sink(&batch, node, object, sink);
    katsu_node_memory_free(&batch.memory);
    RB_GC_GUARD(plan);
    RB_GC_GUARD(object);
    return result;
}

static long times_within(const katsu_batch *batch, VALUE identity)
{
    for (const katsu_nesting *outer = batch->nesting; outer; outer = outer->up) {
        if (outer->identity == identity) return outer->times;
    }
    return 0;
}

void katsu_enter_association(katsu_batch *batch, katsu_nesting *here, const katsu_step *step)
{
    katsu_nesting *up = batch->nesting;
    *here = (katsu_nesting){step->identity, times_within(batch, step->identity) + 1,
                            (up ? up->polymorphic : 0) + (step->polymorphic != 0), up};
    batch->nesting = here;
}

bool katsu_depth_reached(const katsu_batch *batch, const katsu_step *step)
{
    return step->depth >= 0 && times_within(batch, step->identity) >= step->depth;
}

/* From this many nodes on, nodes made for one polymorphic object are freed after it: filters_for may give each object
 * another plan. */
#define MAX_KEPT_NODES 4096

static VALUE execute_apart(katsu_batch *batch, katsu_node *node, VALUE plan, VALUE object, katsu_sink *sink)
{
    katsu_node_memory kept = batch->memory;
    katsu_node_memory_init(&batch->memory, NULL, 0);
    batch->memory.buffer = kept.buffer; /* marked by way of the batch: if the sink raises, this frame is left */
    VALUE result = sink(batch, katsu_node_new(batch, plan, node->depth + 1), object);
    katsu_node_memory_free(&batch->memory);
    batch->memory = kept;
    RB_GC_GUARD(plan);
    return result;
}

VALUE katsu_execute_polymorphic(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object,
                                katsu_sink *sink)
{
    if (NIL_P(object)) return Qnil;
    batch->generator.calls++;
    if (batch->nesting && batch->nesting->polymorphic >= POLYMORPHIC_DEPTH) {
        batch->generator.depth = batch->nesting->polymorphic;
        katsu_too_deep(&batch->generator);
    }
    batch->choosing = true;
    VALUE plan = rb_funcall(step->polymorphic, id_plan_for, 3, object, batch->context, batch->scope), result;
    batch->choosing = false;
    katsu_nesting here;
    katsu_enter_association(batch, &here, step);
    if (KATSU_LIKELY(batch->memory.count < MAX_KEPT_NODES)) {
        result = sink(batch, katsu_node_polymorphic(batch, node, step, plan), object);
    } else {
        result = execute_apart(batch, node, plan, object, sink);
    }
    batch->nesting = here.up;
    return result;
}

void katsu_init_execution(void)
{
    id_raise_copy = rb_intern("raise_copy");
    id_raise_at = rb_intern("raise_at");
    id_plan_for = rb_intern("plan_for");
    id_bullet_on = rb_intern("bullet_on?");
    rails_options.rails = true;
    rails_options.max_nesting = KATSU_JSON_DEPTH;
    rails_options.allow_duplicate_key = true;
    rb_global_variable(&field_error);
    field_error = rb_const_get(katsu_mKatsu, rb_intern("FieldError"));
    rb_global_variable(&number_error);
    number_error = rb_const_get(katsu_mKatsu, rb_intern("NumberError"));
    rb_global_variable(&not_found_error);
    not_found_error = rb_const_get(katsu_mKatsu, rb_intern("SerializerNotFoundError"));
    rb_global_variable(&source_module);
    source_module = rb_define_module_under(katsu_mKatsu, "Source");
    rb_global_variable(&reader_patches);
    reader_patches = rb_define_module_under(source_module, "ReaderPatches");
    rb_define_singleton_method(katsu_mNative, "association_readers=", set_association_readers, 1);
}
