/* The rows of a query through a plan to JSON. The twin of plans/sink_json.c, whose path of errors, casts and order it
 * keeps. See table.h.
 */
#include "queries/table.h"
#include "plans/sink_json.h"

static void write_row(katsu_batch *batch, katsu_table *table, long row);

static katsu_cast_result write_text(katsu_buffer *buffer, const katsu_datum *datum)
{
    bool ascii;
    if (!katsu_text_p(datum->text, datum->length, &ascii)) return KATSU_CAST_FALLBACK;
    if (!ascii) buffer->non_ascii = true;
    katsu_append_quoted(buffer, datum->text, (size_t)datum->length);
    return KATSU_CAST_WRITTEN;
}

static katsu_cast_result write_json(katsu_buffer *buffer, const katsu_datum *datum)
{
    bool ascii;
    if (!katsu_text_p(datum->text, datum->length, &ascii)) return KATSU_CAST_FALLBACK;
    bool json = katsu_append_json_text(buffer, datum->text, (size_t)datum->length, ascii);
    return json ? KATSU_CAST_WRITTEN : KATSU_CAST_FALLBACK;
}

/* Times as text: of a time with its offset, only those in UTC. */
static katsu_cast_result write_time(katsu_buffer *buffer, katsu_times *times, const katsu_datum *datum, bool zoned)
{
    long length = datum->length;
    if (datum->kind == DATUM_INSTANT) {
        length -= 3;
        if (length < 0 || memcmp(datum->text + length, "+00", 3) != 0) return KATSU_CAST_FALLBACK;
    }
    return katsu_timestamp_text_to_json(buffer, datum->text, length, times, zoned);
}

static katsu_cast_result write_double(katsu_buffer *buffer, double number)
{
    if (number - number != 0) return KATSU_CAST_FALLBACK;
    katsu_append_double(buffer, number);
    return KATSU_CAST_WRITTEN;
}

#define PAIR(cast, kind) ((cast)*KATSU_DATUM_KINDS + (kind))

katsu_cast_result katsu_table_write_datum(katsu_buffer *buffer, katsu_times *times, const katsu_way *way,
                                          const katsu_datum *datum)
{
    switch (PAIR((int)way->cast, (int)datum->kind)) {
    case PAIR(CAST_STRING, DATUM_TEXT):
        return write_text(buffer, datum);
    case PAIR(CAST_JSON, DATUM_TEXT):
        return write_json(buffer, datum);
    case PAIR(CAST_INTEGER, DATUM_INTEGER):
        katsu_append_long(buffer, (long)datum->integer);
        return KATSU_CAST_WRITTEN;
    case PAIR(CAST_INTEGER, DATUM_DIGITS):
        return katsu_integer_text_to_json(buffer, datum->text, datum->length);
    case PAIR(CAST_FLOAT, DATUM_DOUBLE):
        return write_double(buffer, datum->number);
    case PAIR(CAST_FLOAT, DATUM_FLOATING):
        return katsu_float_text_to_json(buffer, datum->text, datum->length);
    case PAIR(CAST_BOOLEAN, DATUM_INTEGER):
        if (datum->integer & ~1) return KATSU_CAST_FALLBACK;
        return katsu_boolean_text_to_json(buffer, datum->integer ? "t" : "f", 1);
    case PAIR(CAST_BOOLEAN, DATUM_TRUTH):
    case PAIR(CAST_BOOLEAN, DATUM_DIGITS):
    case PAIR(CAST_BOOLEAN, DATUM_TEXT):
        return katsu_boolean_text_to_json(buffer, datum->text, datum->length);
    case PAIR(CAST_DATETIME, DATUM_INSTANT):
        if (!way->instant) return KATSU_CAST_FALLBACK; /* the column was of another type when the model was loaded */
        return write_time(buffer, times, datum, false);
    case PAIR(CAST_DATETIME, DATUM_TEXT):
    case PAIR(CAST_DATETIME, DATUM_TIME):
        return write_time(buffer, times, datum, false);
    case PAIR(CAST_ZONED_DATETIME, DATUM_TEXT):
    case PAIR(CAST_ZONED_DATETIME, DATUM_TIME):
    case PAIR(CAST_ZONED_DATETIME, DATUM_INSTANT):
        return write_time(buffer, times, datum, true);
    case PAIR(CAST_DATE, DATUM_TEXT):
    case PAIR(CAST_DATE, DATUM_DATE):
        return katsu_date_text_to_json(buffer, datum->text, datum->length, times);
    case PAIR(CAST_DECIMAL, DATUM_DIGITS):
        return katsu_decimal_text_to_json(buffer, datum->text, datum->length, &way->size);
    case PAIR(CAST_DECIMAL, DATUM_INTEGER):
        return katsu_decimal_integer_to_json(buffer, datum->integer, &way->size);
    case PAIR(CAST_DECIMAL, DATUM_DOUBLE):
        return katsu_decimal_double_to_json(buffer, datum->number, &way->size);
    default:
        return KATSU_CAST_FALLBACK;
    }
}

static katsu_cast_result cast_object_to_json(katsu_batch *batch, const katsu_way *way, VALUE raw)
{
    switch (way->cast) {
#define KATSU_CAST(NUMBER, name, mutable, of_values) \
    case CAST_##NUMBER:                              \
        return katsu_##name##_to_json(&batch->buffer, raw, &batch->times, &way->size);
#include "casts/casts.def"
#undef KATSU_CAST
    default:
        return KATSU_CAST_FALLBACK;
    }
}

/* A raw value, by its cast or the fallback. */
static void write_object(katsu_batch *batch, katsu_table *table, const katsu_way *way, long row, VALUE raw)
{
    katsu_cast_result result = cast_object_to_json(batch, way, raw);
    if (result == KATSU_CAST_WRITTEN) return;
    if (result == KATSU_CAST_REFUSED)
        katsu_refuse_json_column(batch, table->node, rb_ary_new_from_args(2, table->object, LONG2NUM(row)), raw);
    katsu_json_value(batch, table->node, katsu_table_deserialize(batch, way, raw));
}

static void write_column(katsu_batch *batch, katsu_table *table, const katsu_way *way, long row)
{
    katsu_datum datum;
    katsu_rows_read(&table->rows, row, way->position, &datum);
    if (KATSU_UNLIKELY(datum.kind == DATUM_NULL)) {
        if (way->cast == CAST_GENERIC) { /* a type of the user's may make something of nil */
            write_object(batch, table, way, row, Qnil);
        } else {
            katsu_append(&batch->buffer, "null", 4);
        }
    } else if (datum.kind == DATUM_OBJECT) {
        write_object(batch, table, way, row, datum.object);
    } else if (katsu_table_write_datum(&batch->buffer, &batch->times, way, &datum) != KATSU_CAST_WRITTEN) {
        write_object(batch, table, way, row, katsu_rows_value(&table->rows, row, way->position));
    }
    RB_GC_GUARD(datum.owner);
}

/* The children of a row, as an array. */
static void write_children(katsu_batch *batch, katsu_table *inner, long child)
{
    katsu_frame *element = &inner->node->element;
    element->up = batch->generator.frame;
    batch->generator.frame = element;
    katsu_append_byte(&batch->buffer, '[');
    for (element->index = 0; child != KATSU_NO_ROW; element->index++) {
        if (element->index > 0) katsu_append_byte(&batch->buffer, ',');
        write_row(batch, inner, child);
        child = katsu_edge_next(&inner->edge, child);
    }
    katsu_append_byte(&batch->buffer, ']');
    batch->generator.frame = element->up;
}

/* The rows of an association, below its step in the path of errors. */
static void write_edge(katsu_batch *batch, katsu_table *table, const katsu_step *step, long row)
{
    katsu_node *node = table->node;
    katsu_nesting here;
    node->frame.up = batch->generator.frame;
    batch->generator.frame = &node->frame;
    katsu_table *inner = katsu_table_inner(batch, table, step);
    if (KATSU_UNLIKELY(step->depth >= 0)) katsu_enter_association(batch, &here, step);
    long child = katsu_edge_first(&inner->edge, row);
    if (child == KATSU_NO_ROW) {
        katsu_append(&batch->buffer, step->kind == STEP_HAS_MANY ? "[]" : "null", step->kind == STEP_HAS_MANY ? 2 : 4);
    } else if (step->kind == STEP_HAS_MANY) {
        write_children(batch, inner, child);
    } else {
        write_row(batch, inner, child);
    }
    if (KATSU_UNLIKELY(step->depth >= 0)) batch->nesting = here.up;
    batch->generator.frame = node->frame.up;
}

/* The row itself as an object of its own, below its step in the path of errors. */
static void write_nested(katsu_batch *batch, katsu_table *table, const katsu_step *step, long row)
{
    katsu_node *node = table->node;
    node->frame.up = batch->generator.frame;
    batch->generator.frame = &node->frame;
    write_row(batch, katsu_table_nested(batch, table, step), row);
    batch->generator.frame = node->frame.up;
}

/* What came of a step that may leave its key out. */
typedef enum { LEFT_OUT, WRITTEN, TO_WRITE } outcome;

/* Steps whose value a method of the serializer gives are written here; others are still to write if their conditions
 * hold. */
static outcome write_optional(katsu_batch *batch, katsu_table *table, const katsu_step *step, const katsu_way *way,
                              long row, bool first)
{
    katsu_node *node = table->node;
    if (katsu_depth_reached(batch, step)) return LEFT_OUT;
    if (!step->conditions && way->kind != WAY_METHOD) return TO_WRITE;
    VALUE object = katsu_table_row_object(table, row);
    if (!katsu_conditions_hold(batch, node, step, object, object)) return LEFT_OUT;
    if (way->kind != WAY_METHOD) return TO_WRITE;
    VALUE value = katsu_call_field(batch, node, step, object, object);
    if (value == katsu_skip) return LEFT_OUT;
    katsu_json_key(&batch->buffer, step->text, step->length, first, 0);
    if (katsu_association_p(step)) {
        katsu_json_association(batch, node, step, Qnil, value);
    } else {
        katsu_json_value(batch, node, value);
    }
    return WRITTEN;
}

static void write_row(katsu_batch *batch, katsu_table *table, long row)
{
    katsu_buffer *buffer = &batch->buffer;
    katsu_node *node = table->node;
    const katsu_plan *plan = node->plan;
    bool first = true;
    katsu_append_byte(buffer, '{');
    for (long i = 0; i < plan->count; i++) {
        const katsu_step *step = &plan->steps[i];
        const katsu_way *way = &table->ways[i];
        node->frame.key = step->symbol;
        if (KATSU_UNLIKELY(!way->unconditional)) {
            outcome done = write_optional(batch, table, step, way, row, first);
            if (done == WRITTEN) first = false;
            if (done != TO_WRITE) continue;
        }
        katsu_json_key(buffer, way->text, way->length, first, 0);
        first = false;
        if (KATSU_LIKELY(way->kind == WAY_COLUMN)) {
            write_column(batch, table, way, row);
        } else if (way->kind == WAY_EDGE) {
            write_edge(batch, table, step, row);
        } else if (way->kind == WAY_NESTED) {
            write_nested(batch, table, step, row);
        } else if (way->kind == WAY_OBJECTS) {
            katsu_json_association(batch, node, step, katsu_table_owner(table, step, row),
                                   katsu_table_objects(batch, way, row));
        } else {
            katsu_json_value(batch, node, katsu_table_read(batch, table, step, row));
        }
    }
    katsu_append_byte(buffer, '}');
}

/* Reserves what the plan's previous document took for so many rows; for an io, a chunk and the row that fills it. */
static void reserve_rows_like_previous(katsu_batch *batch, const katsu_table *table)
{
    size_t row = table->layout->bytes, all = row * (size_t)table->rows.count, chunk = KATSU_IO_CHUNK + 2 * row;
    katsu_json_expect(batch, batch->io && chunk < all ? chunk : all);
}

/* Makes one line of the text from there on: in JSON a line break is a space, which columns and fragments may have. */
static void join_lines(katsu_buffer *buffer, size_t from)
{
    static const char breaks[] = {'\n', '\r'};
    for (size_t i = 0; i < sizeof breaks; i++) {
        char *at = buffer->start + from;
        while ((at = memchr(at, breaks[i], (size_t)(buffer->at - at)))) *at = ' ';
    }
}

/* lines: an object a line, not an array. */
static void write_rows(katsu_batch *batch, katsu_table *table, bool lines)
{
    katsu_buffer *buffer = &batch->buffer;
    katsu_frame *element = &table->node->element;
    batch->generator.frame = element;
    if (!lines) katsu_append_byte(buffer, '[');
    for (long row = 0; row < table->rows.count; row++) {
        if (row > 0 && !lines) katsu_append_byte(buffer, ',');
        element->index = row;
        size_t from = (size_t)(buffer->at - buffer->start);
        write_row(batch, table, row);
        if (lines) {
            join_lines(buffer, from);
            katsu_append_byte(buffer, '\n');
        }
        if (KATSU_UNLIKELY(batch->io != 0)) katsu_json_flush(batch, KATSU_IO_CHUNK);
        if (KATSU_UNLIKELY((row + 1) % KATSU_ROWS_BETWEEN_CHECKS == 0)) rb_thread_check_ints();
    }
    if (!lines) katsu_append_byte(buffer, ']');
}

static VALUE write_table(katsu_batch *batch, katsu_node *node, VALUE object, bool lines)
{
    char stack[KATSU_STACK_SIZE];
    katsu_buffer_init(&batch->buffer, stack, sizeof stack);
    batch->buffer.unverified = node->plan->non_ascii;
    katsu_table *table = katsu_table_new(batch, node, object);
    reserve_rows_like_previous(batch, table);
    write_rows(batch, table, lines);
    size_t written = batch->buffer.flushed + (size_t)(batch->buffer.at - batch->buffer.start);
    if (table->rows.count) table->layout->bytes = written / (size_t)table->rows.count + 1;
    if (!batch->io) return katsu_buffer_finish(&batch->buffer);
    katsu_json_flush(batch, 0);
    katsu_buffer_release(&batch->buffer);
    return batch->io;
}

static VALUE write_array(katsu_batch *batch, katsu_node *node, VALUE object)
{
    return write_table(batch, node, object, false);
}

static VALUE write_lines(katsu_batch *batch, katsu_node *node, VALUE object)
{
    return write_table(batch, node, object, true);
}

/* work: a Katsu::Query::Table, and the numbers of the rows. */
static VALUE write_texts(katsu_batch *batch, katsu_node *node, VALUE work)
{
    char stack[KATSU_STACK_SIZE];
    katsu_buffer *buffer = &batch->buffer;
    VALUE numbers = RARRAY_AREF(work, 1);
    katsu_buffer_init(buffer, stack, sizeof stack);
    katsu_table *table = katsu_table_new(batch, node, RARRAY_AREF(work, 0));
    VALUE texts = rb_ary_new_capa(RARRAY_LEN(numbers));
    batch->generator.frame = &node->element;
    for (long i = 0; i < RARRAY_LEN(numbers); i++) {
        node->element.index = i;
        buffer->at = buffer->start;
        buffer->non_ascii = false;
        buffer->unverified = node->plan->non_ascii;
        write_row(batch, table, katsu_table_row(table, numbers, i));
        rb_ary_push(texts, katsu_json_text(buffer, 0));
        if (KATSU_UNLIKELY((i + 1) % KATSU_ROWS_BETWEEN_CHECKS == 0)) rb_thread_check_ints();
    }
    RB_GC_GUARD(work);
    return texts;
}

VALUE katsu_table_texts(VALUE plan, VALUE table, VALUE numbers, VALUE context, VALUE scope)
{
    Check_Type(numbers, T_ARRAY);
    return katsu_execute(plan, rb_assoc_new(table, numbers), context, scope, 0, write_texts);
}

VALUE katsu_table_generate(VALUE plan, VALUE table, VALUE context, VALUE scope)
{
    return katsu_execute(plan, table, context, scope, 0, write_array);
}

VALUE katsu_table_write(VALUE plan, VALUE table, VALUE context, VALUE scope, VALUE io, bool lines)
{
    return katsu_execute(plan, table, context, scope, io, lines ? write_lines : write_array);
}
