/* See table.h. */
#include "queries/table.h"

static ID id_model, id_columns, id_types, id_rows, id_edges, id_table, id_key, id_child_key, id_row_object, id_record,
    id_deserialize, id_number, id_read, id_objects_p, id_at;
static VALUE cast_module, source_module;

/* Stands for the children of an edge without a table: no query was needed. */
static katsu_table no_children;

/* A type that does not make UTC of a time, as that of PostgreSQL's timestamp, writes an offset. */
static bool instant_type_p(VALUE type)
{
    static const char name[] = "::TimestampWithTimeZone";
    VALUE path = rb_class_name(rb_obj_class(type));
    long before = RSTRING_LEN(path) - (long)(sizeof name - 1);
    return before >= 0 && memcmp(RSTRING_PTR(path) + before, name, sizeof name - 1) == 0;
}

/* A column by the type that the query's result gives it, which is mostly the model's, for which the layout has chosen
 * the cast. */
static void init_column(katsu_table *table, katsu_way *way, const katsu_access *access, VALUE position, VALUE type)
{
    way->kind = WAY_COLUMN;
    way->position = NUM2INT(position);
    if (way->position < 0 || (table->rows.columns >= 0 && way->position >= table->rows.columns))
        katsu_raise(katsu_eError, "a column is at position %d, which the rows have not", way->position);
    way->type = type;
    if (access->how == HOW_COLUMN && access->type == type) {
        way->cast = access->cast;
        way->size = access->size;
    } else if (!NIL_P(type)) { /* before Rails 8, of a column that only the query has there is none */
        int cast = NUM2INT(rb_funcall(cast_module, id_number, 1, type));
        if (cast < CAST_GENERIC || cast >= KATSU_CASTS) katsu_raise(katsu_eError, "an unknown cast");
        way->cast = (unsigned char)cast;
        if (cast == CAST_DECIMAL) way->size = katsu_column_size_of(type);
    }
    way->instant = way->cast == CAST_DATETIME && instant_type_p(type);
}

/* Rows, or objects if the edge says so. */
static void init_edge(katsu_table *table, katsu_way *way, const katsu_step *step)
{
    VALUE edge = katsu_type_p(table->edges, T_HASH) ? rb_hash_lookup2(table->edges, step->symbol, Qnil) : Qnil;
    VALUE objects = NIL_P(edge) ? Qundef : rb_check_funcall(edge, id_objects_p, 0, 0);
    way->kind = WAY_EDGE;
    if (objects == Qundef) return; /* an edge with objects has the method */
    way->kind = WAY_OBJECTS;
    way->type = edge;
}

static void init_way(katsu_table *table, katsu_way *way, const katsu_step *step, const katsu_access *access,
                     VALUE columns, VALUE types)
{
    *way = (katsu_way){step->text, step->length, -1, WAY_RECORD, CAST_GENERIC, !step->optional, false, {0, -1}, Qnil};
    if (step->itself) {
        way->kind = WAY_NESTED;
        way->unconditional = !step->conditions; /* nested takes no depth: option */
    } else if (step->call.name) {
        way->kind = WAY_METHOD;
    } else if (katsu_association_p(step)) {
        init_edge(table, way, step);
    } else if (access->how == HOW_COLUMN || access->how == HOW_DYNAMIC) {
        VALUE position = rb_hash_lookup2(columns, access->column, Qnil);
        if (!NIL_P(position)) init_column(table, way, access, position, rb_hash_lookup2(types, access->column, Qnil));
    }
}

katsu_table *katsu_table_new(katsu_batch *batch, katsu_node *node, VALUE object)
{
    const katsu_plan *plan = node->plan;
    size_t ways = (size_t)plan->count * sizeof(katsu_way), inner = plan->associations * sizeof(katsu_table *);
    katsu_table *table = katsu_node_memory_take(&batch->memory, sizeof(katsu_table) + ways + inner);
    memset(table, 0, sizeof(katsu_table) + ways + inner);
    table->node = node;
    table->object = object;
    table->ways = (katsu_way *)(table + 1);
    table->inner = (katsu_table **)((char *)table->ways + ways);
    batch->generator.calls++;
    VALUE columns = rb_funcall(object, id_columns, 0), types = rb_funcall(object, id_types, 0);
    Check_Type(columns, T_HASH);
    Check_Type(types, T_HASH);
    table->edges = rb_funcall(object, id_edges, 0);
    katsu_rows_init(&table->rows, rb_funcall(object, id_rows, 0));
    table->layout_object =
        katsu_layout_find(node->plan_object, rb_funcall(object, id_model, 0), &table->layout, &batch->generator.calls);
    for (long i = 0; i < plan->count; i++) {
        init_way(table, &table->ways[i], &plan->steps[i], &table->layout->access[i], columns, types);
        /* What is asked once a call is asked now: later there may be a pointer into the rows. */
        int cast = table->ways[i].cast;
        if (cast == CAST_DATETIME || cast == CAST_ZONED_DATETIME || cast == CAST_DATE) katsu_times_learn(&batch->times);
    }
    return table;
}

long katsu_table_row(const katsu_table *table, VALUE numbers, long index)
{
    long row = NIL_P(numbers) ? index : NUM2LONG(rb_ary_entry(numbers, index));
    if (row < 0 || row >= table->rows.count) katsu_raise(katsu_eError, "there is no row %ld", row);
    return row;
}

katsu_table *katsu_table_enter(katsu_batch *batch, katsu_table *table, const katsu_step *step)
{
    bool known = katsu_type_p(table->edges, T_HASH) && !step->polymorphic;
    VALUE edge = known ? rb_hash_lookup2(table->edges, step->symbol, Qnil) : Qnil;
    if (NIL_P(edge))
        katsu_raise(katsu_eError, "%" PRIsVALUE ": there are no rows for its association %" PRIsVALUE,
                    table->node->plan->serializer, step->symbol);
    batch->generator.calls++;
    VALUE children = rb_funcall(edge, id_table, 0);
    if (NIL_P(children)) return table->inner[step->inner] = &no_children;
    katsu_table *inner = katsu_table_new(batch, katsu_node_inner(batch, table->node, step), children);
    katsu_edge_side_init(&inner->edge.parents, &table->rows, table->object, rb_funcall(edge, id_key, 0));
    katsu_edge_side_init(&inner->edge.children, &inner->rows, inner->object, rb_funcall(edge, id_child_key, 0));
    katsu_edge_init(&inner->edge);
    return table->inner[step->inner] = inner;
}

katsu_table *katsu_table_enter_nested(katsu_batch *batch, katsu_table *table, const katsu_step *step)
{
    katsu_table *inner = katsu_table_new(batch, katsu_node_inner(batch, table->node, step), table->object);
    inner->outer = table;
    return table->inner[step->inner] = inner;
}

VALUE katsu_table_row_object(katsu_table *table, long row)
{
    while (table->outer) table = table->outer;
    if (!table->row_object || table->row_index != row) {
        table->row_object = rb_funcall(table->object, id_row_object, 1, LONG2NUM(row));
        table->row_index = row;
    }
    return table->row_object;
}

VALUE katsu_table_owner(katsu_table *table, const katsu_step *step, long row)
{
    return step->object_key ? katsu_table_row_object(table, row) : Qnil;
}

VALUE katsu_table_objects(katsu_batch *batch, const katsu_way *way, long row)
{
    batch->generator.calls++;
    return rb_funcall(way->type, id_at, 1, LONG2NUM(row));
}

VALUE katsu_table_read(katsu_batch *batch, katsu_table *table, const katsu_step *step, long row)
{
    batch->generator.calls++;
    VALUE record = rb_funcall(table->object, id_record, 1, LONG2NUM(row));
    return rb_funcall(source_module, id_read, 3, table->node->plan->serializer, record, step->symbol);
}

VALUE katsu_table_deserialize(katsu_batch *batch, const katsu_way *way, VALUE raw)
{
    batch->generator.calls++;
    return NIL_P(way->type) ? raw : rb_funcall(way->type, id_deserialize, 1, raw);
}

void katsu_init_table(void)
{
    id_model = rb_intern("model");
    id_columns = rb_intern("columns");
    id_types = rb_intern("types");
    id_rows = rb_intern("rows");
    id_edges = rb_intern("edges");
    id_table = rb_intern("table");
    id_key = rb_intern("key");
    id_child_key = rb_intern("child_key");
    id_row_object = rb_intern("row_object");
    id_record = rb_intern("record");
    id_deserialize = rb_intern("deserialize");
    id_number = rb_intern("number");
    id_read = rb_intern("read");
    id_objects_p = rb_intern("objects?");
    id_at = rb_intern("at");
    rb_global_variable(&cast_module);
    cast_module = rb_define_module_under(katsu_mKatsu, "Cast");
    rb_global_variable(&source_module);
    source_module = rb_define_module_under(katsu_mKatsu, "Source");
}
