/* Objects through a plan to JSON bytes. See sink.h, execution.h.
 *
 * One function per kind of source; each walks the steps and leaves C only for a user's method and for values
 * that a cast does not know. A step's key is written with its value, never before it is known that there
 * is one.
 */
#include "plans/sink.h"
#include "plans/prefetch.h"
#include "casts/cast.h"
#include "bytes/escape.h"
#include "bytes/number.h"
#include "plans/execution.h"

/* The last document says nothing certain about this one. */
#define MOST_RESERVED (64u << 20)

static void write_object(katsu_batch *batch, katsu_run *run, VALUE object);

/* A string or integer is written in its caller, everything else where any value is. */
static void write_value(katsu_batch *batch, katsu_run *run, VALUE value)
{
    run->frame.up = batch->generator.frame;
    batch->generator.frame = &run->frame;
    if (KATSU_UNLIKELY(batch->own_as_json)) value = katsu_ask(&batch->generator, value);
    katsu_generate_value(&batch->generator, value);
    batch->generator.frame = run->frame.up;
}

/* text: ,"key": of length bytes. Room for more bytes is reserved behind it. */
KATSU_INLINE void put_key(katsu_buffer *buffer, const char *text, unsigned length, bool first, size_t more)
{
    text += first;
    length -= first;
    katsu_reserve(buffer, length + KATSU_KEY_BLOCK + more);
    /* Most keys are one block: a fixed copy is a load and a store, a variable one a call. */
    memcpy(buffer->at, text, KATSU_KEY_BLOCK);
    if (KATSU_UNLIKELY(length > KATSU_KEY_BLOCK)) memcpy(buffer->at, text, length);
    buffer->at += length;
}

KATSU_INLINE void write_key(katsu_buffer *buffer, const katsu_step *step, bool first)
{
    put_key(buffer, step->text, step->length, first, 0);
}

static void write_elements(katsu_batch *batch, katsu_run *run, VALUE objects)
{
    katsu_buffer *buffer = &batch->buffer;
    run->element.up = batch->generator.frame;
    batch->generator.frame = &run->element;
    katsu_append_byte(buffer, '[');
    for (long i = 0; i < RARRAY_LEN(objects); i++) {
        if (i > 0) katsu_append_byte(buffer, ',');
        run->element.index = i;
        write_object(batch, run, RARRAY_AREF(objects, i));
    }
    katsu_append_byte(buffer, ']');
    batch->generator.frame = run->element.up;
    RB_GC_GUARD(objects);
}

static VALUE write_chosen(katsu_batch *batch, katsu_run *run, VALUE object)
{
    batch->buffer.foreign |= run->plan->wide;
    write_object(batch, run, object);
    return Qtrue;
}

/* An object of a polymorphic association, by the plan of its class. */
static void write_choice(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object)
{
    if (!RTEST(katsu_run_choice(batch, run, step, object, write_chosen))) katsu_append(&batch->buffer, "null", 4);
}

static void write_choices(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE target)
{
    if (step->kind == STEP_HAS_ONE || NIL_P(target)) {
        write_choice(batch, run, step, target);
        return;
    }
    target = katsu_run_elements(batch, run, target);
    run->chosen.up = batch->generator.frame;
    batch->generator.frame = &run->chosen;
    katsu_append_byte(&batch->buffer, '[');
    for (long i = 0; i < RARRAY_LEN(target); i++) {
        if (i > 0) katsu_append_byte(&batch->buffer, ',');
        run->chosen.index = i;
        write_choice(batch, run, step, RARRAY_AREF(target, i));
    }
    katsu_append_byte(&batch->buffer, ']');
    batch->generator.frame = run->chosen.up;
    RB_GC_GUARD(target);
}

KATSU_INLINE void write_plain_target(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE target)
{
    if (NIL_P(target)) {
        katsu_append(&batch->buffer, "null", 4);
    } else if (step->kind == STEP_HAS_ONE) {
        write_object(batch, katsu_run_inner(batch, run, step), target);
    } else {
        write_elements(batch, katsu_run_inner(batch, run, step), katsu_run_elements(batch, run, target));
    }
}

/* The objects of a polymorphic association, or of one that stands within itself. */
KATSU_COLD void write_nested_target(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE target)
{
    katsu_choosing here;
    if (step->choice) {
        write_choices(batch, run, step, target);
        return;
    }
    katsu_run_choose(batch, &here, step);
    write_plain_target(batch, run, step, target);
    batch->choosing = here.up;
}

/* The objects of an association, below its step in the path of errors. */
static void write_target(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE target)
{
    run->frame.up = batch->generator.frame;
    batch->generator.frame = &run->frame;
    if (KATSU_UNLIKELY(step->nested)) {
        write_nested_target(batch, run, step, target);
    } else {
        write_plain_target(batch, run, step, target);
    }
    batch->generator.frame = run->frame.up;
}

/* What came of a step that may leave its key out. */
typedef enum { LEFT_OUT, WRITTEN, TO_WRITE } outcome;

/* Steps whose value a method of the serializer gives are written here; others are still to write where their conditions hold. */
static outcome write_optional(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object, bool first)
{
    if (katsu_run_used_up(batch, step)) return LEFT_OUT;
    if (step->conditions && !katsu_run_conditions(batch, run, step, object)) return LEFT_OUT;
    if (!step->call.name) return TO_WRITE;
    VALUE value = katsu_run_method(batch, run, step, object);
    if (value == katsu_skip) return LEFT_OUT;
    write_key(&batch->buffer, step, first);
    if ((value & katsu_standard.integers) && step->kind == STEP_METHOD) {
        katsu_append_long(&batch->buffer, FIX2LONG(value));
    } else if (katsu_association_p(step)) {
        write_target(batch, run, step, value);
    } else {
        write_value(batch, run, value);
    }
    return WRITTEN;
}

/* Writes a column's raw value; false where the long way has to be taken. */
KATSU_INLINE bool write_raw(katsu_batch *batch, katsu_run *run, const katsu_step *step, int cast, VALUE raw, VALUE record)
{
    katsu_buffer *buffer = &batch->buffer;
    if (NIL_P(raw) && cast != CAST_GENERIC) { /* a type of the user's may make something of nil */
        katsu_append(buffer, "null", 4);
        return true;
    }
    switch (cast) {
      case CAST_STRING: {
        bool ascii;
        if (RB_SPECIAL_CONST_P(raw) || RBASIC_CLASS(raw) != rb_cString || !katsu_utf8_p(raw, &ascii)) return false;
        if (!ascii) buffer->wide = true;
        katsu_append_quoted(buffer, RSTRING_PTR(raw), (size_t)RSTRING_LEN(raw));
        RB_GC_GUARD(raw);
        return true;
      }
      case CAST_INTEGER:
        if (!RB_FIXNUM_P(raw)) return false;
        katsu_append_long(buffer, FIX2LONG(raw));
        return true;
      case CAST_FLOAT:
        return katsu_cast_float(buffer, raw);
      case CAST_BOOLEAN:
        return katsu_cast_boolean(buffer, raw);
      case CAST_DATETIME:
      case CAST_ZONED_DATETIME:
        return katsu_cast_datetime(buffer, raw, &batch->times, cast);
      case CAST_DATE:
        return katsu_cast_date(buffer, raw, &batch->times);
      case CAST_DECIMAL: {
        const katsu_access *access = &run->layout->access[step - run->plan->steps];
        return katsu_cast_decimal(buffer, raw, access->digits, access->scale);
      }
      case CAST_JSON:
        if (!RB_TYPE_P(raw, T_STRING)) return false;
        if (!katsu_cast_json(buffer, raw)) katsu_run_bad_json(run, step, record, raw);
        return true;
      default:
        return false;
    }
}

/* Writes a column's value; false where the long way has to be taken. */
KATSU_INLINE bool write_column(katsu_batch *batch, katsu_run *run, const katsu_row *row, long index, VALUE record)
{
    const katsu_step *step = &run->plan->steps[index];
    const katsu_access *access = &run->layout->access[index];
    bool casted;
    VALUE raw = katsu_run_column(run, row, index, access, &casted);
    if (KATSU_UNLIKELY(raw == Qundef)) return false;
    if (KATSU_LIKELY(!casted)) return write_raw(batch, run, step, access->cast, raw, record);
    VALUE value = access->cast == CAST_ZONED_DATETIME ? katsu_time_in_zone(&batch->times, raw) : raw;
    bool known = value != Qundef && (KATSU_CAST_OF_VALUES >> access->cast & 1);
    if (known && write_raw(batch, run, step, access->cast, value, record)) return true;
    write_value(batch, run, raw);
    return true;
}

/* Writes key and value of a column that nobody has read or changed; false, and nothing written, where the long way has to
 * be taken. */
KATSU_INLINE bool write_cell(katsu_batch *batch, katsu_run *run, const katsu_row *row, long index, VALUE record, bool first)
{
    const katsu_cell *cell = &run->cells[index];
    katsu_buffer *buffer = &batch->buffer;
    if (KATSU_UNLIKELY(!cell->plain)) return false;
    VALUE raw = katsu_row_at(row, cell->position, cell->name);
    if (KATSU_UNLIKELY(raw == Qundef)) return false;
    if (RB_FIXNUM_P(raw) && cell->cast == CAST_INTEGER) {
        put_key(buffer, cell->text, cell->length, first, KATSU_INTEGER_SIZE);
        buffer->at = katsu_put_long(buffer->at, FIX2LONG(raw));
        return true;
    }
    size_t before = (size_t)(buffer->at - buffer->start);
    put_key(buffer, cell->text, cell->length, first, 0);
    if (KATSU_LIKELY(write_raw(batch, run, &run->plan->steps[index], cell->cast, raw, record))) return true;
    buffer->at = buffer->start + before;
    return false;
}

static void write_record(katsu_batch *batch, katsu_run *run, VALUE record)
{
    katsu_buffer *buffer = &batch->buffer;
    const katsu_plan *plan = run->plan;
    katsu_row row;
    bool fast = katsu_run_row(run, record, &row), first = true;
    unsigned calls = batch->generator.calls;
    katsu_append_byte(buffer, '{');
    for (long i = 0; i < plan->count; i++) {
        const katsu_step *step = &plan->steps[i];
        /* A call into Ruby may have read or written what row points to. */
        if (KATSU_UNLIKELY(batch->generator.calls != calls)) {
            calls = batch->generator.calls;
            fast = katsu_run_row(run, record, &row);
        }
        run->frame.key = step->symbol;
        if (KATSU_LIKELY(fast && !row.look && katsu_row_positioned_p(&row)) && write_cell(batch, run, &row, i, record, first)) {
            first = false;
            continue;
        }
        if (KATSU_UNLIKELY(step->optional)) {
            outcome done = write_optional(batch, run, step, record, first);
            if (done == WRITTEN) first = false;
            if (done != TO_WRITE) continue;
            if (batch->generator.calls != calls) fast = katsu_run_row(run, record, &row); /* its condition was asked */
        }
        write_key(buffer, step, first);
        first = false;
        const katsu_access *access = &run->layout->access[i];
        if (KATSU_LIKELY(access->how == HOW_COLUMN)) {
            if (!fast || !write_column(batch, run, &row, i, record)) write_value(batch, run, katsu_run_read(batch, run, step, record));
        } else if (katsu_association_p(step)) {
            write_target(batch, run, step, katsu_run_target(batch, run, step, access, record));
        } else if (access->how == HOW_METHOD) {
            write_value(batch, run, katsu_run_call(batch, step, record));
        } else {
            write_value(batch, run, katsu_run_read(batch, run, step, record));
        }
    }
    katsu_append_byte(buffer, '}');
}

/* Hashes and other objects: one step by one. */
static void write_plain(katsu_batch *batch, katsu_run *run, VALUE object)
{
    katsu_buffer *buffer = &batch->buffer;
    const katsu_plan *plan = run->plan;
    bool first = true;
    katsu_append_byte(buffer, '{');
    for (long i = 0; i < plan->count; i++) {
        const katsu_step *step = &plan->steps[i];
        run->frame.key = step->symbol;
        if (KATSU_UNLIKELY(step->optional)) {
            outcome done = write_optional(batch, run, step, object, first);
            if (done == WRITTEN) first = false;
            if (done != TO_WRITE) continue;
        }
        const katsu_access *access = &run->layout->access[i];
        if (katsu_association_p(step)) {
            VALUE target = katsu_run_target(batch, run, step, access, object);
            write_key(buffer, step, first);
            write_target(batch, run, step, target);
        } else {
            VALUE value = Qundef;
            if (access->how == HOW_KEY) {
                value = katsu_run_key(step, access, object);
            } else if (access->how == HOW_METHOD) {
                value = katsu_run_call(batch, step, object);
            }
            if (KATSU_UNLIKELY(value == Qundef)) value = katsu_run_read(batch, run, step, object);
            write_key(buffer, step, first);
            if (value & katsu_standard.integers) {
                katsu_append_long(buffer, FIX2LONG(value));
            } else {
                write_value(batch, run, value);
            }
        }
        first = false;
    }
    katsu_append_byte(buffer, '}');
}

static void write_object(katsu_batch *batch, katsu_run *run, VALUE object)
{
    if (NIL_P(object)) {
        katsu_append(&batch->buffer, "null", 4);
        return;
    }
    VALUE class = CLASS_OF(object);
    if (KATSU_UNLIKELY(class != run->class)) katsu_run_bind(batch, run, object, class);
    if (KATSU_LIKELY(run->layout->kind == SOURCE_RECORD)) {
        write_record(batch, run, object);
    } else {
        write_plain(batch, run, object);
    }
}

/* Gives the io what is full. Between elements only: within one what was written may be taken back. */
static void write_full(katsu_batch *batch, size_t full)
{
    katsu_buffer *buffer = &batch->buffer;
    if ((size_t)(buffer->at - buffer->start) < full) return;
    buffer->io = batch->io;
    katsu_buffer_flush(buffer);
    buffer->io = 0;
}

/* The collection that was asked for: as write_elements, and looks ahead. */
static void write_collection(katsu_batch *batch, katsu_run *run, VALUE objects)
{
    katsu_buffer *buffer = &batch->buffer;
    katsu_ahead ahead;
    bool many = RARRAY_LEN(objects) >= KATSU_MANY;
    if (many) katsu_ahead_init(&ahead);
    batch->generator.frame = &run->element;
    katsu_append_byte(buffer, '[');
    buffer->array = batch->io ? 0 : objects;
    buffer->before = 1;
    for (long i = 0; i < RARRAY_LEN(objects); i++) {
        if (many && RARRAY_LEN(objects) - i > KATSU_AHEAD && run->layout && run->layout->kind == SOURCE_RECORD)
            katsu_ahead_look(&ahead, run, RARRAY_CONST_PTR(objects) + i, i);
        if (i > 0) katsu_append_byte(buffer, ',');
        run->element.index = buffer->done = i;
        write_object(batch, run, RARRAY_AREF(objects, i));
        if (KATSU_UNLIKELY(batch->io != 0)) write_full(batch, KATSU_IO_CHUNK);
    }
    buffer->array = 0;
    katsu_append_byte(buffer, ']');
    batch->generator.frame = 0;
    RB_GC_GUARD(objects);
}

typedef struct {
    katsu_batch *batch;
    katsu_run *run;
} streaming;

static void write_streamed(void *to, VALUE object)
{
    streaming *s = to;
    s->batch->generator.calls++;
    if (s->run->element.index > 0) katsu_append_byte(&s->batch->buffer, ',');
    write_object(s->batch, s->run, object);
    s->run->element.index++;
    if (s->batch->io) write_full(s->batch, KATSU_IO_CHUNK);
}

/* The elements of a Katsu::Stream as they come. */
static void write_stream(katsu_batch *batch, katsu_run *run, VALUE stream)
{
    streaming s = {batch, run};
    batch->generator.frame = &run->element;
    run->element.index = 0;
    katsu_append_byte(&batch->buffer, '[');
    katsu_stream_each(stream, write_streamed, &s);
    katsu_append_byte(&batch->buffer, ']');
    batch->generator.frame = 0;
}

/* Reserves what the plan's last document took for so many objects, where that is more than the stack. */
static void reserve_like_last(katsu_batch *batch, katsu_run *run, VALUE objects)
{
    long count = RARRAY_LEN(objects);
    VALUE first = count ? RARRAY_AREF(objects, 0) : Qnil;
    if (NIL_P(first)) return;
    katsu_run_bind(batch, run, first, CLASS_OF(first));
    size_t guess = run->layout->bytes * (size_t)count;
    if (guess > MOST_RESERVED) guess = MOST_RESERVED;
    if (guess > KATSU_STACK_SIZE) katsu_buffer_use_string(&batch->buffer, guess + guess / 16 + 64);
}

static VALUE write_one(katsu_batch *batch, katsu_run *run, VALUE object)
{
    char stack[KATSU_STACK_SIZE];
    katsu_buffer_init(&batch->buffer, stack, sizeof stack);
    batch->buffer.foreign = run->plan->wide;
    write_object(batch, run, object);
    return katsu_buffer_finish(&batch->buffer);
}

static void write_array(katsu_batch *batch, katsu_run *run, VALUE objects)
{
    if (!batch->io) reserve_like_last(batch, run, objects);
    write_collection(batch, run, objects);
    long count = RARRAY_LEN(objects);
    if (!batch->io && count && run->layout) run->layout->bytes = (size_t)(batch->buffer.at - batch->buffer.start) / (size_t)count + 1;
    RB_GC_GUARD(objects);
}

static VALUE write_many(katsu_batch *batch, katsu_run *run, VALUE objects)
{
    char stack[KATSU_STACK_SIZE];
    bool stream = RTEST(rb_obj_is_kind_of(objects, katsu_cStream));
    if (!stream) objects = katsu_run_elements(batch, run, objects);
    katsu_buffer_init(&batch->buffer, stack, sizeof stack);
    batch->buffer.foreign = run->plan->wide;
    if (stream) {
        write_stream(batch, run, objects);
    } else {
        write_array(batch, run, objects);
    }
    RB_GC_GUARD(objects);
    if (!batch->io) return katsu_buffer_finish(&batch->buffer);
    write_full(batch, 0);
    return batch->io;
}

VALUE katsu_serialize(VALUE plan, VALUE object, VALUE context, VALUE scope, VALUE io, bool many)
{
    return katsu_run_plan(plan, object, context, scope, io, many ? write_many : write_one);
}
