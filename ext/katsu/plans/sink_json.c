/* See sink_json.h.
 *
 * One function per kind of source. Each walks the steps and leaves C only for a user's method and for values that a
 * cast does not know. A step's key is written with its value, never before it is known that there is one.
 */
#include "plans/sink_json.h"
#include "plans/code_row.h"
#include "plans/prefetch.h"
#include "plans/readers.h"
#include "plans/row_bind.h"

static void json_object(katsu_batch *batch, katsu_node *node, VALUE object);

/* Strings and integers are mostly written by the callers, without this. */
void katsu_json_value(katsu_batch *batch, katsu_node *node, VALUE value)
{
    node->frame.up = batch->generator.frame;
    batch->generator.frame = &node->frame;
    if (KATSU_UNLIKELY(batch->own_as_json)) value = katsu_apply_overrides(&batch->generator, value);
    katsu_generate_value(&batch->generator, value);
    batch->generator.frame = node->frame.up;
}

KATSU_INLINE void json_step_key(katsu_buffer *buffer, const katsu_step *step, bool first)
{
    katsu_json_key(buffer, step->text, step->length, first, 0);
}

static void json_elements(katsu_batch *batch, katsu_node *node, VALUE objects)
{
    katsu_buffer *buffer = &batch->buffer;
    node->element.up = batch->generator.frame;
    batch->generator.frame = &node->element;
    katsu_append_byte(buffer, '[');
    for (long i = 0; i < RARRAY_LEN(objects); i++) {
        if (i > 0) katsu_append_byte(buffer, ',');
        node->element.index = i;
        json_object(batch, node, RARRAY_AREF(objects, i));
    }
    katsu_append_byte(buffer, ']');
    batch->generator.frame = node->element.up;
    RB_GC_GUARD(objects);
}

static VALUE json_chosen(katsu_batch *batch, katsu_node *node, VALUE object)
{
    batch->buffer.unverified |= node->plan->non_ascii;
    json_object(batch, node, object);
    return Qtrue;
}

/* An object of a polymorphic association, by the plan of its class. */
static void json_polymorphic_object(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object)
{
    if (!RTEST(katsu_execute_polymorphic(batch, node, step, object, json_chosen)))
        katsu_append(&batch->buffer, "null", 4);
}

static void json_polymorphic(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE target)
{
    if (step->kind == STEP_HAS_ONE || NIL_P(target)) {
        json_polymorphic_object(batch, node, step, target);
        return;
    }
    target = katsu_collection_elements(batch, node, step, target);
    node->polymorphic_element.up = batch->generator.frame;
    batch->generator.frame = &node->polymorphic_element;
    katsu_append_byte(&batch->buffer, '[');
    for (long i = 0; i < RARRAY_LEN(target); i++) {
        if (i > 0) katsu_append_byte(&batch->buffer, ',');
        node->polymorphic_element.index = i;
        json_polymorphic_object(batch, node, step, RARRAY_AREF(target, i));
    }
    katsu_append_byte(&batch->buffer, ']');
    batch->generator.frame = node->polymorphic_element.up;
    RB_GC_GUARD(target);
}

KATSU_INLINE void json_target(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE target)
{
    if (NIL_P(target)) {
        katsu_append(&batch->buffer, "null", 4);
    } else if (step->kind == STEP_HAS_ONE) {
        json_object(batch, katsu_node_inner(batch, node, step), target);
    } else {
        json_elements(batch, katsu_node_inner(batch, node, step), katsu_collection_elements(batch, node, step, target));
    }
}

/* A collection that is written as a Hash, of object. */
static void json_keyed(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE target)
{
    katsu_buffer *buffer = &batch->buffer;
    VALUE pairs = katsu_keyed_pairs(batch, node, step, object, target);
    katsu_frame *frame = &node->polymorphic_element;
    frame->up = batch->generator.frame;
    batch->generator.frame = frame;
    katsu_append_byte(buffer, '{');
    for (long i = 0; i < RARRAY_LEN(pairs); i += 2) {
        VALUE element = RARRAY_AREF(pairs, i + 1);
        frame->key = RARRAY_AREF(pairs, i);
        if (i > 0) katsu_append_byte(buffer, ',');
        katsu_generate_value(&batch->generator, frame->key);
        katsu_append_byte(buffer, ':');
        if (step->polymorphic) {
            json_polymorphic_object(batch, node, step, element);
        } else {
            json_object(batch, katsu_node_inner(batch, node, step), element);
        }
    }
    katsu_append_byte(buffer, '}');
    batch->generator.frame = frame->up;
    frame->key = 0;
    RB_GC_GUARD(pairs);
}

/* The objects of a polymorphic association, of one that stands within itself, and of one that is written as a Hash. */
KATSU_COLD void json_nested_target(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object,
                                   VALUE target)
{
    katsu_nesting here;
    bool keyed = step->object_key && !NIL_P(target);
    if (step->polymorphic && !keyed) {
        json_polymorphic(batch, node, step, target);
        return;
    }
    bool counted = !step->polymorphic && step->depth >= 0;
    if (counted) katsu_enter_association(batch, &here, step);
    if (keyed) {
        json_keyed(batch, node, step, object, target);
    } else {
        json_target(batch, node, step, target);
    }
    if (counted) batch->nesting = here.up;
}

/* The objects of an association, below its step in the path of errors. */
void katsu_json_association(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE target)
{
    node->frame.up = batch->generator.frame;
    batch->generator.frame = &node->frame;
    if (KATSU_UNLIKELY(step->nested)) {
        json_nested_target(batch, node, step, object, target);
    } else {
        json_target(batch, node, step, target);
    }
    batch->generator.frame = node->frame.up;
}

/* What came of a step that may leave its key out. */
typedef enum { LEFT_OUT, WRITTEN, TO_WRITE } outcome;

/* Writes a step whose value a method of the serializer gives; any other is still to be written if its conditions
 * hold. given: as of katsu_call_field. */
NOINLINE(static outcome json_optional(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object,
                                      VALUE given, bool first));
static outcome json_optional(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE given,
                             bool first)
{
    if (katsu_depth_reached(batch, step)) return LEFT_OUT;
    if (step->conditions && !katsu_conditions_hold(batch, node, step, object, given)) return LEFT_OUT;
    if (!step->call.name) return TO_WRITE;
    VALUE value = katsu_call_field(batch, node, step, object, given);
    if (value == katsu_skip) return LEFT_OUT;
    json_step_key(&batch->buffer, step, first);
    if ((value & katsu_standard.integers) && step->kind == STEP_METHOD) {
        katsu_append_long(&batch->buffer, FIX2LONG(value));
    } else if (katsu_association_p(step)) {
        katsu_json_association(batch, node, step, object, value);
    } else {
        katsu_json_value(batch, node, value);
    }
    return WRITTEN;
}

/* Writes a column's raw value; false if the fallback has to be taken. Raises for a JSON column whose text is not
 * JSON. */
KATSU_INLINE bool json_raw(katsu_batch *batch, katsu_node *node, long index, int cast, VALUE raw, VALUE record)
{
    katsu_buffer *buffer = &batch->buffer;
    katsu_cast_result result = KATSU_CAST_FALLBACK;
    if (NIL_P(raw) && cast != CAST_GENERIC) { /* a type of the user's may make something of nil */
        katsu_append(buffer, "null", 4);
        return true;
    }
    switch (cast) {
#define KATSU_CAST(NUMBER, name, mutable, of_values)                                                    \
    case CAST_##NUMBER:                                                                                 \
        result = katsu_##name##_to_json(buffer, raw, &batch->times, &node->layout->access[index].size); \
        break;
#include "casts/casts.def"
#undef KATSU_CAST
    }
    if (KATSU_UNLIKELY(result == KATSU_CAST_REFUSED)) katsu_refuse_json_column(batch, node, record, raw);
    return result == KATSU_CAST_WRITTEN;
}

/* Writes a column's value; false if the fallback has to be taken. */
KATSU_INLINE bool json_column(katsu_batch *batch, katsu_node *node, const katsu_row *row, long index, VALUE record)
{
    const katsu_access *access = &node->layout->access[index];
    bool casted;
    VALUE raw = katsu_row_column(node, row, index, access, &casted);
    if (KATSU_UNLIKELY(raw == Qundef)) return false;
    if (KATSU_LIKELY(!casted)) return json_raw(batch, node, index, access->cast, raw, record);
    VALUE value = access->cast == CAST_ZONED_DATETIME ? katsu_time_in_zone(&batch->times, raw) : raw;
    bool known = value != Qundef && (KATSU_CAST_OF_VALUES >> access->cast & 1);
    if (known && json_raw(batch, node, index, access->cast, value, record)) return true;
    katsu_json_value(batch, node, raw);
    return true;
}

/* Writes key and value of a column that nobody has read or changed; false, and nothing is written, if the fallback has
 * to be taken. */
KATSU_INLINE bool json_cell(katsu_batch *batch, katsu_node *node, const katsu_row *row, long index, VALUE record,
                            bool first)
{
    const katsu_cell *cell = &node->cells[index];
    katsu_buffer *buffer = &batch->buffer;
    if (KATSU_UNLIKELY(!cell->unconditional)) return false;
    VALUE raw = katsu_row_at(row, cell->position, cell->name);
    if (KATSU_UNLIKELY(raw == Qundef)) return false;
    if (RB_FIXNUM_P(raw) && cell->cast == CAST_INTEGER) {
        katsu_json_key(buffer, cell->text, cell->length, first, KATSU_INTEGER_SIZE);
        buffer->at = katsu_put_long(buffer->at, FIX2LONG(raw));
        return true;
    }
    size_t before = (size_t)(buffer->at - buffer->start);
    katsu_json_key(buffer, cell->text, cell->length, first, 0);
    if (KATSU_LIKELY(json_raw(batch, node, index, cell->cast, raw, record))) return true;
    buffer->at = buffer->start + before;
    return false;
}

static void json_record(katsu_batch *batch, katsu_node *node, VALUE record)
{
    katsu_buffer *buffer = &batch->buffer;
    const katsu_plan *plan = node->plan;
    katsu_row row;
    bool fast = katsu_row_bind(node, record, &row), first = true;
    unsigned calls = batch->generator.calls;
    katsu_append_byte(buffer, '{');
    for (long i = 0; i < plan->count; i++) {
        const katsu_step *step = &plan->steps[i];
        /* A call into Ruby may have read or written what row points to. */
        if (KATSU_UNLIKELY(batch->generator.calls != calls)) {
            calls = batch->generator.calls;
            fast = katsu_row_bind(node, record, &row);
        }
        node->frame.key = step->symbol;
        if (KATSU_LIKELY(fast && !row.known_steps && katsu_row_positioned_p(&row)) &&
            json_cell(batch, node, &row, i, record, first)) {
            first = false;
            continue;
        }
        if (KATSU_UNLIKELY(step->optional)) {
            outcome done = json_optional(batch, node, step, record,
                                         fast ? katsu_code_row(batch, node, i, &row, record) : record, first);
            if (done == WRITTEN) first = false;
            if (done != TO_WRITE) continue;
            /* its conditions were called */
            if (batch->generator.calls != calls) fast = katsu_row_bind(node, record, &row);
        }
        json_step_key(buffer, step, first);
        first = false;
        const katsu_access *access = &node->layout->access[i];
        if (KATSU_LIKELY(access->how == HOW_COLUMN)) {
            if (!fast || !json_column(batch, node, &row, i, record))
                katsu_json_value(batch, node, katsu_read_value(batch, node, step, record, true));
        } else if (katsu_association_p(step)) {
            katsu_json_association(batch, node, step, record,
                                   katsu_association_target(batch, node, step, access, record));
        } else if (access->how == HOW_METHOD) {
            katsu_json_value(batch, node, katsu_call_reader(batch, step, record));
        } else {
            katsu_json_value(batch, node, katsu_read_value(batch, node, step, record, true));
        }
    }
    katsu_append_byte(buffer, '}');
}

/* Hashes and other objects: one step by one. */
static void json_other(katsu_batch *batch, katsu_node *node, VALUE object)
{
    katsu_buffer *buffer = &batch->buffer;
    const katsu_plan *plan = node->plan;
    bool first = true;
    katsu_readers_enter(batch, node, object);
    katsu_append_byte(buffer, '{');
    for (long i = 0; i < plan->count; i++) {
        const katsu_step *step = &plan->steps[i];
        node->frame.key = step->symbol;
        if (KATSU_UNLIKELY(step->optional)) {
            outcome done = json_optional(batch, node, step, object, object, first);
            if (done == WRITTEN) first = false;
            if (done != TO_WRITE) continue;
        }
        const katsu_access *access = &node->layout->access[i];
        if (katsu_association_p(step)) {
            VALUE target = katsu_association_target(batch, node, step, access, object);
            json_step_key(buffer, step, first);
            katsu_json_association(batch, node, step, object, target);
        } else {
            VALUE value = Qundef;
            if (access->how == HOW_KEY) {
                value = katsu_hash_lookup(step, access, object);
            } else if (access->how == HOW_METHOD) {
                value = katsu_reader_value(batch, node, step, object);
            }
            if (KATSU_UNLIKELY(value == Qundef)) value = katsu_read_value(batch, node, step, object, true);
            json_step_key(buffer, step, first);
            if (value & katsu_standard.integers) {
                katsu_append_long(buffer, FIX2LONG(value));
            } else {
                katsu_json_value(batch, node, value);
            }
        }
        first = false;
    }
    katsu_append_byte(buffer, '}');
}

static void json_object(katsu_batch *batch, katsu_node *node, VALUE object)
{
    if (NIL_P(object)) {
        katsu_append(&batch->buffer, "null", 4);
        return;
    }
    VALUE class = CLASS_OF(object);
    if (KATSU_UNLIKELY(class != node->class)) katsu_node_bind(batch, node, object, class);
    if (KATSU_LIKELY(node->layout->kind == SOURCE_RECORD)) {
        json_record(batch, node, object);
    } else {
        json_other(batch, node, object);
    }
}

/* Gives the io what is full. Between elements only: within one what was written may be taken back. */
void katsu_json_flush(katsu_batch *batch, size_t full)
{
    katsu_buffer *buffer = &batch->buffer;
    if ((size_t)(buffer->at - buffer->start) < full) return;
    batch->generator.calls++;
    buffer->io = batch->io;
    katsu_buffer_flush(buffer);
    buffer->io = 0;
}

/* The outermost collection: as json_elements, and prefetches. */
static void json_collection(katsu_batch *batch, katsu_node *node, VALUE objects)
{
    katsu_buffer *buffer = &batch->buffer;
    katsu_prefetch prefetch;
    bool many = RARRAY_LEN(objects) >= KATSU_PREFETCH_FROM;
    if (many) katsu_prefetch_init(&prefetch);
    batch->generator.frame = &node->element;
    katsu_append_byte(buffer, '[');
    buffer->array = batch->io ? 0 : objects;
    buffer->before = 1;
    for (long i = 0; i < RARRAY_LEN(objects); i++) {
        if (many && RARRAY_LEN(objects) - i > KATSU_PREFETCH_DISTANCE && node->layout &&
            node->layout->kind == SOURCE_RECORD)
            katsu_prefetch_next(&prefetch, node, RARRAY_CONST_PTR(objects) + i, i);
        if (i > 0) katsu_append_byte(buffer, ',');
        node->element.index = buffer->done = i;
        json_object(batch, node, RARRAY_AREF(objects, i));
        if (KATSU_UNLIKELY(batch->io != 0)) katsu_json_flush(batch, KATSU_IO_CHUNK);
    }
    buffer->array = 0;
    katsu_append_byte(buffer, ']');
    RB_GC_GUARD(objects);
}

typedef struct {
    katsu_batch *batch;
    katsu_node *node;
} streaming;

/* As json_object. */
static VALUE json_streamed_object(katsu_batch *batch, katsu_node *node, VALUE object)
{
    json_object(batch, node, object);
    return Qnil;
}

typedef struct {
    const streaming *stream;
    VALUE object;
} streamed;

static VALUE json_watched(VALUE arg)
{
    const streamed *one = (const streamed *)arg;
    return katsu_call_sink(one->stream->batch, one->stream->node, one->object, json_streamed_object);
}

static VALUE forget_field(VALUE batch)
{
    ((katsu_batch *)batch)->field.node = NULL;
    return Qnil;
}

/* An error of a field is given its place here, before the stream's `each` can rescue it. The field is forgotten however
 * it was left, by a throw too: what `each` raises after that is no error of the field. */
static void json_streamed(void *to, VALUE object)
{
    streaming *s = to;
    s->batch->generator.calls++;
    if (s->node->element.index > 0) katsu_append_byte(&s->batch->buffer, ',');
    streamed one = {s, object};
    if (s->node->plan->calls) {
        rb_ensure(json_watched, (VALUE)&one, forget_field, (VALUE)s->batch);
    } else {
        json_object(s->batch, s->node, object);
    }
    s->node->element.index++;
    if (s->batch->io) katsu_json_flush(s->batch, KATSU_IO_CHUNK);
}

/* The elements of a Katsu::Stream as they come. */
static void json_stream(katsu_batch *batch, katsu_node *node, VALUE stream)
{
    streaming s = {batch, node};
    batch->generator.frame = &node->element;
    node->element.index = 0;
    katsu_append_byte(&batch->buffer, '[');
    katsu_stream_each(stream, json_streamed, &s);
    katsu_append_byte(&batch->buffer, ']');
}

void katsu_json_expect(katsu_batch *batch, size_t bytes)
{
    if (bytes > KATSU_MAX_RESERVED) bytes = KATSU_MAX_RESERVED;
    if (bytes > KATSU_STACK_SIZE) katsu_buffer_use_string(&batch->buffer, bytes + bytes / 16 + 64);
}

/* Expects what the plan's previous document took for so many objects. */
static void reserve_like_previous(katsu_batch *batch, katsu_node *node, VALUE objects)
{
    long count = RARRAY_LEN(objects);
    VALUE first = count ? RARRAY_AREF(objects, 0) : Qnil;
    if (NIL_P(first)) return;
    batch->generator.frame = &node->element; /* an error of the first object has its index */
    node->element.index = 0;
    katsu_node_bind(batch, node, first, CLASS_OF(first));
    katsu_json_expect(batch, node->layout->bytes * (size_t)count);
}

static void note_size(const katsu_buffer *buffer, katsu_node *node, VALUE objects)
{
    long count = RARRAY_LEN(objects);
    if (count && node->layout) node->layout->bytes = (size_t)(buffer->at - buffer->start) / (size_t)count + 1;
}

static VALUE json_one(katsu_batch *batch, katsu_node *node, VALUE object)
{
    char stack[KATSU_STACK_SIZE];
    katsu_buffer_init(&batch->buffer, stack, sizeof stack);
    batch->buffer.unverified = node->plan->non_ascii;
    json_object(batch, node, object);
    return katsu_buffer_finish(&batch->buffer);
}

static void json_array(katsu_batch *batch, katsu_node *node, VALUE objects)
{
    if (RARRAY_LEN(objects) >= KATSU_READERS_FROM) batch->readers_from = 1;
    if (!batch->io) reserve_like_previous(batch, node, objects);
    json_collection(batch, node, objects);
    if (!batch->io) note_size(&batch->buffer, node, objects);
    RB_GC_GUARD(objects);
}

static VALUE json_many(katsu_batch *batch, katsu_node *node, VALUE objects)
{
    char stack[KATSU_STACK_SIZE];
    bool stream = RTEST(rb_obj_is_kind_of(objects, katsu_cStream));
    if (!stream) objects = katsu_collection_elements(batch, node, NULL, objects);
    katsu_buffer_init(&batch->buffer, stack, sizeof stack);
    batch->buffer.unverified = node->plan->non_ascii;
    if (stream) {
        json_stream(batch, node, objects);
    } else {
        json_array(batch, node, objects);
    }
    RB_GC_GUARD(objects);
    if (!batch->io) return katsu_buffer_finish(&batch->buffer);
    katsu_json_flush(batch, 0);
    katsu_buffer_release(&batch->buffer);
    return batch->io;
}

VALUE katsu_sink_json(VALUE plan, VALUE object, VALUE context, VALUE scope, VALUE io, bool many)
{
    return katsu_execute(plan, object, context, scope, io, many ? json_many : json_one);
}

VALUE katsu_json_text(const katsu_buffer *buffer, size_t from)
{
    VALUE text = rb_utf8_str_new(buffer->start + from, buffer->at - buffer->start - (long)from);
    if (KATSU_LIKELY(!buffer->unverified))
        ENC_CODERANGE_SET(text, buffer->non_ascii ? ENC_CODERANGE_VALID : ENC_CODERANGE_7BIT);
    return text;
}

/* Writes an object. Returns its JSON as a String of its own. */
static VALUE object_text(katsu_batch *batch, katsu_node *node, VALUE object)
{
    katsu_buffer *buffer = &batch->buffer;
    size_t from = (size_t)(buffer->at - buffer->start);
    bool non_ascii = buffer->non_ascii, unverified = buffer->unverified;
    buffer->non_ascii = false;
    buffer->unverified = node->plan->non_ascii;
    json_object(batch, node, object);
    VALUE text = katsu_json_text(buffer, from);
    buffer->non_ascii |= non_ascii;
    buffer->unverified |= unverified;
    return text;
}

/* work: objects, texts, the index of the first object, and the serializers of the calls before; see katsu_batch. */
static VALUE json_missing(katsu_batch *batch, katsu_node *node, VALUE work)
{
    char stack[KATSU_STACK_SIZE];
    katsu_buffer *buffer = &batch->buffer;
    VALUE objects = RARRAY_AREF(work, 0), texts = RARRAY_AREF(work, 1);
    long first = NUM2LONG(RARRAY_AREF(work, 2));
    if (!NIL_P(RARRAY_AREF(work, 3))) batch->instances = RARRAY_AREF(work, 3);
    katsu_buffer_init(buffer, stack, sizeof stack);
    batch->generator.frame = &node->element;
    for (long i = 0; i < RARRAY_LEN(objects); i++) {
        if (!NIL_P(rb_ary_entry(texts, i))) continue;
        node->element.index = first + i;
        rb_ary_store(texts, i, object_text(batch, node, RARRAY_AREF(objects, i)));
        buffer->at = buffer->start;
    }
    RB_GC_GUARD(work);
    return texts;
}

VALUE katsu_sink_json_missing(VALUE plan, VALUE objects, VALUE context, VALUE scope, VALUE texts, VALUE first,
                              VALUE instances)
{
    Check_Type(objects, T_ARRAY);
    Check_Type(texts, T_ARRAY);
    if (!NIL_P(instances)) Check_Type(instances, T_HASH);
    VALUE work = rb_ary_new_from_args(4, objects, texts, first, instances);
    return katsu_execute(plan, work, context, scope, 0, json_missing);
}

/* Writes an element of an array: its text, or if that is nil the object, whose JSON becomes the text. */
static void json_element(katsu_batch *batch, katsu_node *node, VALUE objects, VALUE texts, long i)
{
    VALUE text = rb_ary_entry(texts, i);
    if (!NIL_P(text)) {
        katsu_append_json(&batch->buffer, StringValue(text));
        return;
    }
    rb_ary_store(texts, i, object_text(batch, node, RARRAY_AREF(objects, i)));
}

/* work: objects and texts. */
static VALUE json_filling(katsu_batch *batch, katsu_node *node, VALUE work)
{
    char stack[KATSU_STACK_SIZE];
    katsu_buffer *buffer = &batch->buffer;
    VALUE objects = RARRAY_AREF(work, 0), texts = RARRAY_AREF(work, 1);
    katsu_buffer_init(buffer, stack, sizeof stack);
    reserve_like_previous(batch, node, objects);
    batch->generator.frame = &node->element;
    katsu_append_byte(buffer, '[');
    buffer->array = objects;
    buffer->before = 1;
    for (long i = 0; i < RARRAY_LEN(objects); i++) {
        if (i > 0) katsu_append_byte(buffer, ',');
        node->element.index = buffer->done = i;
        json_element(batch, node, objects, texts, i);
    }
    buffer->array = 0;
    katsu_append_byte(buffer, ']');
    note_size(buffer, node, objects);
    RB_GC_GUARD(work);
    return katsu_buffer_finish(buffer);
}

VALUE katsu_sink_json_filling(VALUE plan, VALUE objects, VALUE context, VALUE scope, VALUE texts)
{
    Check_Type(objects, T_ARRAY);
    Check_Type(texts, T_ARRAY);
    return katsu_execute(plan, rb_assoc_new(objects, texts), context, scope, 0, json_filling);
}
