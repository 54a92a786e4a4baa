/* See field_call.h. */
#include "plans/field_call.h"
#include "plans/readers.h"
#include "records/row.h"

static ID id_read_for, id_json_of, id_attributes, id_to_a, id_pairs, id_context, id_scope, id_refuse_json,
    id_compare_by_identity, id_refuse_collection, id_refuse_single, id_refuse_missing, id_refuse_json_of, id_raise_at;
static katsu_ivar_slot slot_object;
static VALUE source_module, invalid_json, unknown_attribute;
VALUE katsu_skip;

/* Calls a function of Katsu::Source that raises. */
NORETURN(static void refuse(ID how, int count, const VALUE *arguments));

static void refuse(ID how, int count, const VALUE *arguments)
{
    rb_funcallv(source_module, how, count, arguments);
    katsu_raise(katsu_eError, "Katsu::Source.%s has not raised", rb_id2name(how));
}

void katsu_refuse_collection(const katsu_batch *batch, const katsu_node *node, VALUE object)
{
    const katsu_frame *frame = batch->generator.frame;
    const katsu_node *outer = katsu_node_of_step(frame);
    VALUE arguments[] = {(outer ? outer : node)->plan->serializer, outer ? frame->key : Qnil, object,
                         katsu_path(frame)};
    refuse(id_refuse_collection, 4, arguments);
}

static VALUE new_instance(katsu_batch *batch, katsu_node *node)
{
    VALUE instance = rb_obj_alloc(node->plan->serializer);
    rb_ivar_set(instance, id_context, batch->context);
    rb_ivar_set(instance, id_scope, batch->scope);
    return instance;
}

/* The nodes of many objects are freed (execute_apart), and other calls have nodes of their own: a Hash keeps the
 * instance for the next object of the same plan. */
static VALUE kept_instances(katsu_batch *batch)
{
    if (!batch->instances) batch->instances = rb_funcall(rb_hash_new(), id_compare_by_identity, 0);
    return batch->instances;
}

static VALUE kept_instance(katsu_batch *batch, katsu_node *node)
{
    VALUE instance = rb_hash_lookup2(kept_instances(batch), node->plan_object, 0);
    if (!instance) rb_hash_aset(batch->instances, node->plan_object, instance = new_instance(batch, node));
    return instance;
}

/* That of the plan, by which another path may have come to it. */
static VALUE shared_instance(katsu_batch *batch, katsu_node *node)
{
    for (const katsu_node *other = batch->instanced; other; other = other->instanced) {
        if (other->plan_object == node->plan_object) return other->instance;
    }
    if (batch->polymorphic || batch->instances) return kept_instance(batch, node);
    node->instanced = batch->instanced;
    batch->instanced = node;
    return new_instance(batch, node);
}

static VALUE instance_for(katsu_batch *batch, katsu_node *node, VALUE object)
{
    if (!node->instance) node->instance = shared_instance(batch, node);
    VALUE *variable = katsu_ivar_peek(&slot_object, node->instance);
    if (KATSU_LIKELY(variable && !OBJ_FROZEN(node->instance))) {
        RB_OBJ_WRITE(node->instance, variable, object);
    } else {
        rb_ivar_set(node->instance, katsu_id_object, object);
        katsu_ivar_get(&slot_object, node->instance); /* learns its index */
    }
    return node->instance;
}

static void enter_field(katsu_batch *batch, const katsu_node *node, VALUE object)
{
    batch->generator.calls++;
    batch->field.node = node;
    batch->field.frame = batch->generator.frame;
    batch->field.object = object;
}

static VALUE call_method(katsu_batch *batch, katsu_node *node, const katsu_call *call, VALUE object, VALUE given)
{
    VALUE instance = instance_for(batch, node, given), arguments[KATSU_ARGUMENTS] = {given, batch->context};
    enter_field(batch, node, object);
    VALUE value = rb_funcallv(instance, call->name, call->arguments, arguments);
    batch->field.node = NULL;
    return value;
}

bool katsu_conditions_hold(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE given)
{
    for (int i = 0; i < step->conditions; i++) {
        const katsu_call *call = &step->condition[i];
        if (RTEST(call_method(batch, node, call, object, given)) != call->wanted) return false;
    }
    return true;
}

VALUE katsu_call_field(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE given)
{
    return call_method(batch, node, &step->call, object, given);
}

typedef struct {
    const katsu_batch *batch;
    VALUE serializer, object;
    const katsu_step *step;
    bool json;
} reader_call;

/* The path to the step in the document. */
static VALUE step_path(const katsu_batch *batch, const katsu_step *step)
{
    return rb_ary_push(katsu_path(batch->generator.frame), step->symbol);
}

static VALUE call_own_reader(VALUE arg)
{
    const reader_call *call = (const reader_call *)arg;
    /* Other calls leave the method, and so the object, in a cache of Ruby's (before 3.4). */
    return rb_check_funcall(call->object, call->step->name, 0, NULL);
}

static VALUE refuse_missing(VALUE arg, VALUE error)
{
    const reader_call *call = (const reader_call *)arg;
    return rb_funcall(source_module, id_refuse_missing, 5, call->serializer, call->object, call->step->symbol, error,
                      step_path(call->batch, call->step));
}

static VALUE call_read_for(VALUE arg)
{
    const reader_call *call = (const reader_call *)arg;
    return rb_funcall(source_module, id_read_for, 4, call->serializer, call->object, call->step->symbol,
                      call->json ? Qtrue : Qfalse);
}

static VALUE raise_at(VALUE arg, VALUE error)
{
    const reader_call *call = (const reader_call *)arg;
    return rb_funcall(source_module, id_raise_at, 2, error, step_path(call->batch, call->step));
}

/* What json_of gives for a JSON column whose text is not JSON. */
static VALUE json_marker(void)
{
    if (!invalid_json) {
        VALUE json = rb_const_get(rb_const_get(katsu_mKatsu, rb_intern("Cast")), rb_intern("Json"));
        invalid_json = rb_const_get(json, rb_intern("INVALID"));
    }
    return invalid_json;
}

NORETURN(static void refuse_read_json(const katsu_batch *batch, const katsu_node *node, const katsu_step *step,
                                      VALUE row));

static void refuse_read_json(const katsu_batch *batch, const katsu_node *node, const katsu_step *step, VALUE row)
{
    VALUE arguments[] = {node->plan->serializer, row, step_path(batch, step)};
    refuse(id_refuse_json_of, 3, arguments);
}

enum { PUBLIC_ONLY = 3 }; /* for rb_method_boundp */

/* The value of an object with a class of its own: for a record's JSON column what json_of gives, otherwise what the
 * reader gives. Qundef if there is no reader. */
static VALUE read_shared(const reader_call *call)
{
    if (rb_ivar_defined(call->object, id_attributes)) { /* it may be a record */
        VALUE value =
            rb_funcall(source_module, id_json_of, 3, call->object, call->step->symbol, call->json ? Qtrue : Qfalse);
        if (!NIL_P(value)) return value;
    }
    /* rb_check_funcall would call a private method, such as Kernel's, in the place of method_missing. */
    if (!rb_obj_respond_to(call->object, call->step->name, false) ||
        !rb_method_boundp(CLASS_OF(call->object), call->step->name, PUBLIC_ONLY))
        return Qundef;
    return rb_rescue2(call_own_reader, (VALUE)call, refuse_missing, (VALUE)call, rb_eNoMethodError, (VALUE)0);
}

VALUE katsu_read_value(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, bool json)
{
    VALUE value = Qundef;
    batch->generator.calls++;
    reader_call call = {batch, node->plan->serializer, object, step, json};
    if (node->layout->shared) value = read_shared(&call);
    if (value == Qundef)
        value = rb_rescue2(call_read_for, (VALUE)&call, raise_at, (VALUE)&call, unknown_attribute, (VALUE)0);
    if (KATSU_UNLIKELY(value == json_marker())) refuse_read_json(batch, node, step, object);
    return value;
}

VALUE katsu_call_reader(katsu_batch *batch, const katsu_step *step, VALUE object)
{
    batch->generator.calls++;
    return rb_funcallv_public(object, step->name, 0, NULL); /* it may have become private */
}

VALUE katsu_hash_lookup(const katsu_step *step, const katsu_access *access, VALUE hash)
{
    VALUE value = katsu_hash_peek_either(hash, step->symbol, access->column, access->name);
    if (KATSU_LIKELY(value != Qundef)) return value;
    value = rb_hash_lookup2(hash, step->symbol, Qundef);
    return value == Qundef ? rb_hash_lookup2(hash, access->column, Qundef) : value;
}

VALUE katsu_association_target(katsu_batch *batch, katsu_node *node, const katsu_step *step, const katsu_access *access,
                               VALUE object)
{
    VALUE value = Qundef;
    if (access->how == HOW_ASSOCIATION) {
        if (KATSU_LIKELY(!batch->association_readers)) {
            katsu_staleness staleness = (katsu_staleness)access->staleness;
            value = katsu_row_target(object, step->symbol, staleness, access->column, access->type);
        }
        if (value == Qundef) return katsu_call_reader(batch, step, object);
    } else if (access->how == HOW_METHOD) {
        return katsu_reader_value(batch, node, step, object);
    } else if (access->how == HOW_KEY) {
        value = katsu_hash_lookup(step, access, object);
    }
    return value == Qundef ? katsu_read_value(batch, node, step, object, false) : value;
}

VALUE katsu_collection_elements(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE objects)
{
    if (RB_TYPE_P(objects, T_ARRAY)) return objects;
    bool structure = RB_TYPE_P(objects, T_STRUCT) && RTEST(rb_obj_is_kind_of(objects, rb_cStruct)); /* no Data */
    bool single = structure || RB_TYPE_P(objects, T_HASH); /* which have a to_a too */
    batch->generator.calls++;
    VALUE elements = single ? Qundef : rb_check_funcall(objects, id_to_a, 0, NULL);
    if (RB_TYPE_P(elements, T_ARRAY)) return elements;
    VALUE arguments[] = {node->plan->serializer, step ? step->symbol : Qnil, objects,
                         katsu_path(batch->generator.frame)};
    refuse(id_refuse_single, 4, arguments);
}

static int push_pair(VALUE key, VALUE object, VALUE flat)
{
    rb_ary_push(flat, key);
    rb_ary_push(flat, object);
    return ST_CONTINUE;
}

VALUE katsu_keyed_pairs(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE objects)
{
    objects = katsu_collection_elements(batch, node, step, objects);
    VALUE plan = step->polymorphic ? step->polymorphic : step->plan_object;
    batch->generator.calls++;
    batch->field.node = node;
    batch->field.frame = node->frame.up;
    batch->field.object = object;
    VALUE pairs =
        rb_funcall(step->object_key, id_pairs, 5, plan, objects, batch->context, batch->scope, kept_instances(batch));
    batch->field.node = NULL;
    Check_Type(pairs, T_HASH);
    VALUE flat = rb_ary_new_capa((long)RHASH_SIZE(pairs) * 2);
    rb_hash_foreach(pairs, push_pair, flat);
    return flat;
}

void katsu_refuse_json_column(const katsu_batch *batch, const katsu_node *node, VALUE record, VALUE text)
{
    VALUE path = rb_ary_push(katsu_path(batch->generator.frame), node->frame.key);
    VALUE arguments[] = {node->plan->serializer, record, path, text};
    refuse(id_refuse_json, 4, arguments);
}

void katsu_init_field_call(void)
{
    id_pairs = rb_intern("pairs");
    id_read_for = rb_intern("read_for");
    id_json_of = rb_intern("json_of");
    id_attributes = rb_intern("@attributes");
    id_to_a = rb_intern("to_a");
    id_context = rb_intern("@context");
    id_scope = rb_intern("@scope");
    id_refuse_json = rb_intern("refuse_json");
    id_refuse_json_of = rb_intern("refuse_json_of");
    id_raise_at = rb_intern("raise_at");
    id_compare_by_identity = rb_intern("compare_by_identity");
    id_refuse_collection = rb_intern("refuse_collection");
    id_refuse_single = rb_intern("refuse_single");
    id_refuse_missing = rb_intern("refuse_missing");
    katsu_ivar_slot_init(&slot_object, "@object");
    rb_global_variable(&katsu_skip);
    rb_global_variable(&source_module);
    rb_global_variable(&invalid_json);
    source_module = rb_define_module_under(katsu_mKatsu, "Source");
    rb_global_variable(&unknown_attribute);
    unknown_attribute = rb_const_get(katsu_mKatsu, rb_intern("UnknownAttributeError"));
}
