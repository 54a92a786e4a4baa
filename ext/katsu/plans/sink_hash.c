/* See sink_hash.h. Built as sink_json.c is: a function for each way a step is written, which gives the as_json of
 * values in the place of their bytes. What only bytes need (flushing, streams, room) has no counterpart here.
 */
#include "plans/sink_hash.h"
#include "plans/code_row.h"
#include "plans/readers.h"

static ID id_of, id_of_any, id_value, id_invalid;
static VALUE as_json, cast_json; /* Katsu::AsJson and Katsu::Cast::Json */

static VALUE hash_object(katsu_batch *batch, katsu_node *node, VALUE object);

void katsu_hash_flush_pairs(katsu_hash_building *building, long left)
{
#ifdef HAVE_RB_HASH_NEW_CAPA
    if (!building->hash) building->hash = rb_hash_new_capa(building->filled / 2 + left);
#else
    if (!building->hash) building->hash = rb_hash_new();
#endif
    if (building->filled) rb_hash_bulk_insert(building->filled, building->pairs, building->hash);
    building->filled = 0;
}

/* A copy of the node's previous Hash with these values, if it has the same keys; 0 if not. To copy keys takes less than
 * to hash them. */
static VALUE copy_of_previous(const katsu_node *node, const katsu_hash_building *building)
{
    const VALUE *pairs = building->pairs;
    int count = (int)(building->filled / 2);
    if (building->hash || !node->built || katsu_hash_size(node->built) != (size_t)count) return 0;
    for (int i = 0; i < count; i++) {
        if (!katsu_hash_pair(node->built, i, pairs[i * 2])) return 0;
    }
    VALUE hash = rb_hash_dup(node->built);
    for (int i = 0; i < count; i++) {
        VALUE *pair = katsu_hash_pair(hash, i, pairs[i * 2]);
        if (KATSU_UNLIKELY(!pair)) return 0;
        RB_OBJ_WRITE(hash, &pair[1], pairs[i * 2 + 1]);
    }
    return hash;
}

VALUE katsu_hash_built(katsu_node *node, katsu_hash_building *building)
{
    VALUE hash = katsu_hash_peek_trusted ? copy_of_previous(node, building) : 0;
    if (hash) return hash;
    katsu_hash_flush_pairs(building, 0);
    return node->built = building->hash;
}

/* If a document is part of the value and raises, its error gets the path in the whole document. */
VALUE katsu_hash_value(katsu_batch *batch, katsu_node *node, VALUE value)
{
    bool any = batch->own_as_json;
    if (KATSU_LIKELY(!any)) {
        if (RB_FIXNUM_P(value) || NIL_P(value) || value == Qtrue || value == Qfalse) return value;
        if (RB_FLONUM_P(value)) return value; /* always finite */
        if (katsu_type_p(value, T_STRING)) {
            if (RBASIC_CLASS(value) == rb_cString) return value;
            any = true; /* it may have an as_json */
        }
    }
    batch->generator.calls++;
    node->frame.up = batch->generator.frame;
    return katsu_call_placed(&node->frame, as_json, any ? id_of_any : id_of, value);
}

static VALUE hash_elements(katsu_batch *batch, katsu_node *node, VALUE objects)
{
    VALUE elements = rb_ary_new_capa(RARRAY_LEN(objects));
    node->element.up = batch->generator.frame;
    batch->generator.frame = &node->element;
    for (long i = 0; i < RARRAY_LEN(objects); i++) {
        node->element.index = i;
        rb_ary_push(elements, hash_object(batch, node, RARRAY_AREF(objects, i)));
    }
    batch->generator.frame = node->element.up;
    RB_GC_GUARD(objects);
    return elements;
}

/* By the plans of the objects' classes. */
static VALUE hash_polymorphic(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE target)
{
    if (step->kind == STEP_HAS_ONE) return katsu_execute_polymorphic(batch, node, step, target, hash_object);
    target = katsu_collection_elements(batch, node, step, target);
    VALUE elements = rb_ary_new_capa(RARRAY_LEN(target));
    node->polymorphic_element.up = batch->generator.frame;
    batch->generator.frame = &node->polymorphic_element;
    for (long i = 0; i < RARRAY_LEN(target); i++) {
        node->polymorphic_element.index = i;
        rb_ary_push(elements, katsu_execute_polymorphic(batch, node, step, RARRAY_AREF(target, i), hash_object));
    }
    batch->generator.frame = node->polymorphic_element.up;
    RB_GC_GUARD(target);
    return elements;
}

KATSU_INLINE VALUE hash_target(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE target)
{
    if (NIL_P(target)) return Qnil;
    katsu_node *inner = katsu_node_inner(batch, node, step);
    if (step->kind == STEP_HAS_ONE) return hash_object(batch, inner, target);
    return hash_elements(batch, inner, katsu_collection_elements(batch, node, step, target));
}

/* A collection that is written as a Hash, of object. */
static VALUE hash_keyed(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE target)
{
    VALUE pairs = katsu_keyed_pairs(batch, node, step, object, target), hash = rb_hash_new();
    katsu_frame *frame = &node->polymorphic_element;
    frame->up = batch->generator.frame;
    batch->generator.frame = frame;
    for (long i = 0; i < RARRAY_LEN(pairs); i += 2) {
        VALUE element = RARRAY_AREF(pairs, i + 1);
        frame->key = RARRAY_AREF(pairs, i);
        VALUE built = step->polymorphic ? katsu_execute_polymorphic(batch, node, step, element, hash_object)
                                        : hash_object(batch, katsu_node_inner(batch, node, step), element);
        rb_hash_aset(hash, RARRAY_AREF(pairs, i), built);
    }
    batch->generator.frame = frame->up;
    frame->key = 0;
    RB_GC_GUARD(pairs);
    return hash;
}

/* The objects of a polymorphic association, of one that stands within itself, and of one that is written as a Hash. */
KATSU_COLD VALUE hash_nested_target(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object,
                                    VALUE target)
{
    katsu_nesting here;
    if (NIL_P(target)) return Qnil;
    if (step->polymorphic)
        return step->object_key ? hash_keyed(batch, node, step, object, target)
                                : hash_polymorphic(batch, node, step, target);
    if (step->depth >= 0) katsu_enter_association(batch, &here, step);
    VALUE built =
        step->object_key ? hash_keyed(batch, node, step, object, target) : hash_target(batch, node, step, target);
    if (step->depth >= 0) batch->nesting = here.up;
    return built;
}

/* The objects of an association, below its step in the path of errors. */
VALUE katsu_hash_association(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE target)
{
    node->frame.up = batch->generator.frame;
    batch->generator.frame = &node->frame;
    VALUE built = KATSU_UNLIKELY(step->nested) ? hash_nested_target(batch, node, step, object, target)
                                               : hash_target(batch, node, step, target);
    batch->generator.frame = node->frame.up;
    return built;
}

VALUE katsu_hash_json_column(const katsu_batch *batch, const katsu_node *node, VALUE type, VALUE text, VALUE record)
{
    bool checked = RB_TYPE_P(text, T_STRING) && katsu_json_as_parsed_p(RSTRING_PTR(text), (size_t)RSTRING_LEN(text));
    VALUE value = rb_funcall(cast_json, id_value, 3, type, text, checked ? Qtrue : Qfalse);
    if (value == rb_const_get(cast_json, id_invalid)) katsu_refuse_json_column(batch, node, record, text);
    return value;
}

/* A column's raw value; Qundef if the fallback has to be taken. Raises for a JSON column whose text is not JSON. */
KATSU_INLINE VALUE hash_raw(katsu_batch *batch, katsu_node *node, const katsu_step *step, int cast, VALUE raw,
                            VALUE record)
{
    VALUE value = Qundef;
    if (NIL_P(raw) && cast != CAST_GENERIC) return Qnil; /* a type of the user's may make something of nil */
    switch (cast) {
#define KATSU_CAST(NUMBER, name, mutable, of_values)                                                              \
    case CAST_##NUMBER:                                                                                           \
        value = katsu_##name##_to_hash(raw, &batch->times, &node->layout->access[step - node->plan->steps].size); \
        break;
#include "casts/casts.def"
#undef KATSU_CAST
    }
    if (value != Qundef || cast != CAST_JSON || !RB_TYPE_P(raw, T_STRING)) return value;
    const katsu_access *access = &node->layout->access[step - node->plan->steps];
    return katsu_hash_json_column(batch, node, rb_hash_aref(node->layout->types, access->column), raw, record);
}

static VALUE hash_column(katsu_batch *batch, katsu_node *node, const katsu_row *row, long index, VALUE record)
{
    const katsu_access *access = &node->layout->access[index];
    bool casted;
    VALUE raw = katsu_row_column(node, row, index, access, &casted);
    if (casted && access->cast == CAST_ZONED_DATETIME) raw = katsu_time_in_zone(&batch->times, raw);
    if (raw == Qundef || (casted && !(KATSU_CAST_OF_VALUES >> access->cast & 1))) return Qundef;
    return hash_raw(batch, node, &node->plan->steps[index], access->cast, raw, record);
}

/* A step's value, or Qundef if its key is left out. given: as of katsu_call_field. */
static VALUE hash_step(katsu_batch *batch, katsu_node *node, long index, VALUE object, VALUE given)
{
    const katsu_step *step = &node->plan->steps[index];
    const katsu_access *access = &node->layout->access[index];
    if (katsu_depth_reached(batch, step)) return Qundef;
    if (step->conditions && !katsu_conditions_hold(batch, node, step, object, given)) return Qundef;
    if (step->call.name) {
        VALUE value = katsu_call_field(batch, node, step, object, given);
        if (value == katsu_skip) return Qundef;
        return katsu_association_p(step) ? katsu_hash_association(batch, node, step, object, value)
                                         : katsu_hash_value(batch, node, value);
    }
    if (katsu_association_p(step))
        return katsu_hash_association(batch, node, step, object,
                                      katsu_association_target(batch, node, step, access, object));
    VALUE value = Qundef;
    if (access->how == HOW_KEY) {
        value = katsu_hash_lookup(step, access, object);
    } else if (access->how == HOW_METHOD) {
        value = katsu_reader_value(batch, node, step, object);
    }
    return katsu_hash_value(batch, node, value == Qundef ? katsu_read_value(batch, node, step, object, false) : value);
}

static VALUE hash_object(katsu_batch *batch, katsu_node *node, VALUE object)
{
    if (NIL_P(object)) return Qnil;
    VALUE class = CLASS_OF(object);
    katsu_hash_building building;
    if (class != node->class) katsu_node_bind(batch, node, object, class);
    bool record = node->layout->kind == SOURCE_RECORD;
    katsu_row row;
    bool fast = record && katsu_row_bind(node, object, &row);
    if (!record) katsu_readers_enter(batch, node, object);
    katsu_hash_begin(&building);
    for (long i = 0; i < node->plan->count; i++) {
        const katsu_step *step = &node->plan->steps[i];
        VALUE value = Qundef;
        node->frame.key = step->symbol;
        if (fast && !step->conditions && node->layout->access[i].how == HOW_COLUMN && step->kind == STEP_ATTRIBUTE)
            value = hash_column(batch, node, &row, i, object);
        if (value == Qundef) {
            value = hash_step(batch, node, i, object, fast ? katsu_code_row(batch, node, i, &row, object) : object);
            if (fast) fast = katsu_row_bind(node, object, &row);
            if (value == Qundef) continue;
        }
        katsu_hash_add(&building, step->key, value, node->plan->count - i);
    }
    return katsu_hash_built(node, &building);
}

static VALUE hash_many(katsu_batch *batch, katsu_node *node, VALUE objects)
{
    objects = katsu_collection_elements(batch, node, NULL, objects);
    if (RARRAY_LEN(objects) >= KATSU_READERS_FROM) batch->readers_from = 1;
    return hash_elements(batch, node, objects);
}

VALUE katsu_sink_hash(VALUE plan, VALUE object, VALUE context, VALUE scope, bool many)
{
    return katsu_execute(plan, object, context, scope, 0, many ? hash_many : hash_object);
}

/* work: objects, and the serializers of the calls before; see katsu_batch. */
static VALUE hash_sharing(katsu_batch *batch, katsu_node *node, VALUE work)
{
    batch->instances = RARRAY_AREF(work, 1);
    VALUE hashes = hash_many(batch, node, RARRAY_AREF(work, 0));
    RB_GC_GUARD(work);
    return hashes;
}

VALUE katsu_sink_hash_sharing(VALUE plan, VALUE objects, VALUE context, VALUE scope, VALUE instances)
{
    Check_Type(objects, T_ARRAY);
    Check_Type(instances, T_HASH);
    return katsu_execute(plan, rb_assoc_new(objects, instances), context, scope, 0, hash_sharing);
}

void katsu_init_sink_hash(void)
{
    id_of = rb_intern("of");
    id_of_any = rb_intern("of_any");
    id_value = rb_intern("value");
    id_invalid = rb_intern("INVALID");
    rb_global_variable(&as_json);
    rb_global_variable(&cast_json);
    as_json = rb_define_module_under(katsu_mKatsu, "AsJson");
    cast_json = rb_define_module_under(rb_define_module_under(katsu_mKatsu, "Cast"), "Json");
}
