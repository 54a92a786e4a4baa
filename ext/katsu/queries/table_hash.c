/* The rows of a query through a plan to Hashes. The twin of table_json.c. See table.h. */
#include "queries/table.h"
#include "plans/sink_hash.h"

static VALUE build_row(katsu_batch *batch, katsu_table *table, long row);

static VALUE cast_object_to_hash(katsu_batch *batch, const katsu_way *way, VALUE raw)
{
    switch (way->cast) {
#define KATSU_CAST(NUMBER, name, mutable, of_values) \
    case CAST_##NUMBER:                              \
        return katsu_##name##_to_hash(raw, &batch->times, &way->size);
#include "casts/casts.def"
#undef KATSU_CAST
    default:
        return Qundef;
    }
}

/* A time, date or decimal, as its text. */
static VALUE build_text(katsu_batch *batch, const katsu_way *way, const katsu_datum *datum)
{
    char bytes[64];
    katsu_buffer buffer;
    katsu_buffer_init(&buffer, bytes, sizeof bytes);
    katsu_cast_result result = katsu_table_write_datum(&buffer, &batch->times, way, datum);
    return result == KATSU_CAST_WRITTEN ? katsu_unquoted(&buffer) : Qundef;
}

static VALUE build_string(const katsu_datum *datum)
{
    bool ascii;
    if (datum->kind != DATUM_TEXT || !katsu_text_p(datum->text, datum->length, &ascii)) return Qundef;
    VALUE string = rb_utf8_str_new(datum->text, datum->length);
    ENC_CODERANGE_SET(string, ascii ? ENC_CODERANGE_7BIT : ENC_CODERANGE_VALID);
    return string;
}

/* An integer of up to 18 digits, which has room in 64 bits. */
static VALUE build_integer(const katsu_datum *datum)
{
    if (datum->kind == DATUM_INTEGER) return LL2NUM(datum->integer);
    if (datum->kind != DATUM_DIGITS || datum->length == 0) return Qundef;
    long negative = *datum->text == '-', at = negative;
    int64_t number = 0;
    if (datum->length - negative > 18) return Qundef;
    for (; at < datum->length && katsu_digit_p(datum->text[at]); at++) number = number * 10 + (datum->text[at] - '0');
    return at == datum->length ? LL2NUM(negative ? -number : number) : Qundef;
}

/* The value of a datum that is no Ruby object, by its cast; Qundef for the fallback. */
static VALUE build_datum(katsu_batch *batch, katsu_table *table, const katsu_way *way, long row)
{
    katsu_datum datum;
    VALUE built = Qundef;
    katsu_rows_read(&table->rows, row, way->position, &datum);
    if (datum.kind == DATUM_NULL && way->cast != CAST_GENERIC) return Qnil;
    if (datum.kind == DATUM_OBJECT || datum.kind == DATUM_UNREAD) return Qundef;
    switch (way->cast) {
    case CAST_DATETIME:
    case CAST_ZONED_DATETIME:
    case CAST_DATE:
    case CAST_DECIMAL:
        built = build_text(batch, way, &datum);
        break;
    case CAST_STRING:
        built = build_string(&datum);
        break;
    case CAST_INTEGER:
        built = build_integer(&datum);
        break;
    default:
        break;
    }
    RB_GC_GUARD(datum.owner);
    return built;
}

static VALUE build_column(katsu_batch *batch, katsu_table *table, const katsu_way *way, long row)
{
    VALUE built = build_datum(batch, table, way, row);
    if (built != Qundef) return built;
    VALUE raw = katsu_rows_value(&table->rows, row, way->position);
    if (NIL_P(raw) && way->cast != CAST_GENERIC) return Qnil;
    if (way->cast == CAST_JSON && RB_TYPE_P(raw, T_STRING)) {
        /* The record is made if there is an error to tell of it. */
        VALUE record = rb_ary_new_from_args(2, table->object, LONG2NUM(row));
        batch->generator.calls++;
        return katsu_hash_json_column(batch, table->node, way->type, raw, record);
    }
    built = cast_object_to_hash(batch, way, raw);
    return built == Qundef ? katsu_hash_value(batch, table->node, katsu_table_deserialize(batch, way, raw)) : built;
}

/* Its frame is taken out of the path by the caller. */
static VALUE build_children(katsu_batch *batch, katsu_table *inner, long child)
{
    VALUE elements = rb_ary_new();
    if (child == KATSU_NO_ROW) return elements; /* there may be no node */
    katsu_frame *element = &inner->node->element;
    element->up = batch->generator.frame;
    batch->generator.frame = element;
    for (element->index = 0; child != KATSU_NO_ROW; element->index++) {
        rb_ary_push(elements, build_row(batch, inner, child));
        child = katsu_edge_next(&inner->edge, child);
    }
    return elements;
}

/* The rows of an association, below its step in the path of errors. */
static VALUE build_edge(katsu_batch *batch, katsu_table *table, const katsu_step *step, long row)
{
    katsu_node *node = table->node;
    katsu_nesting here;
    VALUE built = Qnil;
    node->frame.up = batch->generator.frame;
    batch->generator.frame = &node->frame;
    katsu_table *inner = katsu_table_inner(batch, table, step);
    if (step->depth >= 0) katsu_enter_association(batch, &here, step);
    long child = katsu_edge_first(&inner->edge, row);
    if (step->kind == STEP_HAS_MANY) {
        built = build_children(batch, inner, child);
    } else if (child != KATSU_NO_ROW) {
        built = build_row(batch, inner, child);
    }
    if (step->depth >= 0) batch->nesting = here.up;
    batch->generator.frame = node->frame.up;
    return built;
}

/* The row itself as a Hash of its own, below its step in the path of errors. */
static VALUE build_nested(katsu_batch *batch, katsu_table *table, const katsu_step *step, long row)
{
    katsu_node *node = table->node;
    node->frame.up = batch->generator.frame;
    batch->generator.frame = &node->frame;
    VALUE built = build_row(batch, katsu_table_nested(batch, table, step), row);
    batch->generator.frame = node->frame.up;
    return built;
}

/* A step's value, or Qundef if its key is left out. */
static VALUE build_step(katsu_batch *batch, katsu_table *table, long index, long row)
{
    const katsu_step *step = &table->node->plan->steps[index];
    const katsu_way *way = &table->ways[index];
    if (!way->unconditional) {
        if (katsu_depth_reached(batch, step)) return Qundef;
        if (step->conditions) {
            VALUE object = katsu_table_row_object(table, row);
            if (!katsu_conditions_hold(batch, table->node, step, object, object)) return Qundef;
        }
    }
    if (way->kind == WAY_COLUMN) return build_column(batch, table, way, row);
    if (way->kind == WAY_EDGE) return build_edge(batch, table, step, row);
    if (way->kind == WAY_NESTED) return build_nested(batch, table, step, row);
    if (way->kind == WAY_OBJECTS)
        return katsu_hash_association(batch, table->node, step, katsu_table_owner(table, step, row),
                                      katsu_table_objects(batch, way, row));
    if (way->kind == WAY_RECORD) return katsu_hash_value(batch, table->node, katsu_table_read(batch, table, step, row));
    VALUE object = katsu_table_row_object(table, row);
    VALUE value = katsu_call_field(batch, table->node, step, object, object);
    if (value == katsu_skip) return Qundef;
    if (!katsu_association_p(step)) return katsu_hash_value(batch, table->node, value);
    return katsu_hash_association(batch, table->node, step, Qnil, value);
}

static VALUE build_row(katsu_batch *batch, katsu_table *table, long row)
{
    katsu_node *node = table->node;
    katsu_hash_building building;
    katsu_hash_begin(&building);
    for (long i = 0; i < node->plan->count; i++) {
        node->frame.key = node->plan->steps[i].symbol;
        VALUE value = build_step(batch, table, i, row);
        if (value == Qundef) continue;
        katsu_hash_add(&building, node->plan->steps[i].key, value, node->plan->count - i);
    }
    return katsu_hash_built(node, &building);
}

/* work: a Katsu::Query::Table, and the numbers of the rows or nil for all. */
static VALUE build_table(katsu_batch *batch, katsu_node *node, VALUE work)
{
    VALUE numbers = RARRAY_AREF(work, 1);
    katsu_table *table = katsu_table_new(batch, node, RARRAY_AREF(work, 0));
    long count = NIL_P(numbers) ? table->rows.count : RARRAY_LEN(numbers);
    VALUE built = rb_ary_new_capa(count);
    batch->generator.frame = &node->element;
    for (long i = 0; i < count; i++) {
        node->element.index = i;
        rb_ary_push(built, build_row(batch, table, katsu_table_row(table, numbers, i)));
        if ((i + 1) % KATSU_ROWS_BETWEEN_CHECKS == 0) rb_thread_check_ints();
    }
    RB_GC_GUARD(work);
    return built;
}

VALUE katsu_table_build(VALUE plan, VALUE table, VALUE numbers, VALUE context, VALUE scope)
{
    if (!NIL_P(numbers)) Check_Type(numbers, T_ARRAY);
    return katsu_execute(plan, rb_assoc_new(table, numbers), context, scope, 0, build_table);
}
