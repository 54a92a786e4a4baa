/* See code_row.h. */
#include "plans/code_row.h"

/* The code of fields is looked at after so many calls for objects of a class, since to look takes as long as hundreds
 * of calls. */
#ifndef KATSU_CALLS_BEFORE
#define KATSU_CALLS_BEFORE 50
#endif

/* If the class of a node's objects changes more often, their code is given the records. */
#define MAX_CHANGES 16

/* A node's row object, and how its values are found in a record's row. */
struct katsu_code {
    VALUE layout;         /* the layout object that the rest is of */
    VALUE object, values; /* the row object, and the Array of its values */
    VALUE columns;        /* as katsu_code_rows has it */
    VALUE found_in;       /* the Hash of positions that positions are from, or 0 */
    VALUE own_types;      /* the Hash of a record's own types that has none of the columns, or 0 */
    uint64_t steps;
    unsigned serial, changes;
    int count;
    struct {
        VALUE name;
        long value;   /* its position in values */
        int position; /* in the row; -1: not there */
        bool mutable;
    } column[KATSU_CODE_COLUMNS];
};

static ID id_of;
static VALUE code_rows;

/* Katsu::Query::CodeRows.of gave [[name, position, mutable], ...]. Checked here once. */
static VALUE checked_columns(VALUE columns)
{
    Check_Type(columns, T_ARRAY);
    columns = rb_ary_freeze(rb_ary_dup(columns));
    bool known = RARRAY_LEN(columns) <= KATSU_CODE_COLUMNS;
    for (long i = 0; known && i < RARRAY_LEN(columns); i++) {
        VALUE column = RARRAY_AREF(columns, i);
        known = RB_TYPE_P(column, T_ARRAY) && RARRAY_LEN(column) == 3 && RB_TYPE_P(RARRAY_AREF(column, 0), T_STRING) &&
                RB_FIXNUM_P(RARRAY_AREF(column, 1)) && FIX2LONG(RARRAY_AREF(column, 1)) >= 0;
        rb_ary_freeze(column);
    }
    if (!known) katsu_raise(katsu_eError, "Katsu::Query::CodeRows: unknown columns");
    return columns;
}

/* Finds out which code is given row objects, by a call into Ruby. */
KATSU_COLD void look(katsu_batch *batch, const katsu_node *node)
{
    katsu_layout *layout = node->layout;
    VALUE layout_object = node->layout_object;
    unsigned serial = __atomic_load_n(&katsu_standard.code, __ATOMIC_ACQUIRE);
    batch->generator.calls++;
    layout->code.calls = 0;
    VALUE found = rb_funcall(code_rows, id_of, 3, node->plan_object, node->class, layout->types);
    VALUE row_class = Qnil, columns = Qnil;
    uint64_t steps = 0;
    if (!NIL_P(found)) {
        Check_Type(found, T_ARRAY);
        row_class = rb_ary_entry(found, 0);
        Check_Type(row_class, T_CLASS);
        columns = checked_columns(rb_ary_entry(found, 1));
        steps = NUM2ULL(rb_ary_entry(found, 2));
    }
    RB_OBJ_WRITE(layout_object, &layout->code.row_class, row_class);
    RB_OBJ_WRITE(layout_object, &layout->code.columns, columns);
    layout->code.steps = steps;
    layout->code.serial = serial;
    RB_GC_GUARD(layout_object);
}

/* Takes what is known for the class of the node's objects; NULL if nothing is yet. */
KATSU_COLD katsu_code *enter(katsu_batch *batch, katsu_node *node)
{
    katsu_code_rows *known = &node->layout->code;
    if (!known->row_class || known->serial != katsu_standard.code) {
        if (++known->calls >= KATSU_CALLS_BEFORE) look(batch, node);
        return NULL; /* the row may be another one after a call */
    }
    katsu_code *code = node->code;
    unsigned changes = code ? code->changes + 1 : 0;
    if (!code) node->code = code = katsu_node_memory_take(&batch->memory, sizeof(katsu_code));
    memset(code, 0, sizeof *code);
    code->layout = node->layout_object;
    code->serial = known->serial;
    code->changes = changes;
    if (NIL_P(known->row_class) || changes > MAX_CHANGES) return code;
    VALUE row_class = known->row_class, arguments[] = {Qnil, rb_ary_new()};
    code->columns = known->columns;
    code->steps = known->steps;
    code->count = (int)RARRAY_LEN(code->columns);
    for (int i = 0; i < code->count; i++) {
        VALUE known_column = RARRAY_AREF(code->columns, i);
        code->column[i].name = RARRAY_AREF(known_column, 0);
        code->column[i].value = FIX2LONG(RARRAY_AREF(known_column, 1));
        code->column[i].mutable = RTEST(RARRAY_AREF(known_column, 2));
    }
    code->values = arguments[1];
    code->object = rb_class_new_instance(2, arguments, row_class);
    return code;
}

static void find_code_positions(katsu_code *code, VALUE columns)
{
    for (int i = 0; i < code->count; i++) {
        VALUE position = rb_hash_lookup2(columns, code->column[i].name, Qnil);
        code->column[i].position = RB_FIXNUM_P(position) ? FIX2INT(position) : -1;
    }
    code->found_in = columns;
}

/* Whether the record has a type of its own for one of the columns. */
static bool own_type_p(katsu_code *code, const katsu_row *row)
{
    if (KATSU_LIKELY(code->own_types == row->own_types)) return false;
    for (int i = 0; i < code->count; i++) {
        if (katsu_hash_find(row->own_types, code->column[i].name) != Qundef) return true;
    }
    code->own_types = row->own_types;
    return false;
}

/* The raw value of a column that nobody has changed, or read if it can change in place; otherwise Qundef. */
KATSU_INLINE VALUE untouched(const katsu_code *code, const katsu_row *row, int i)
{
    VALUE name = code->column[i].name;
    if (row->changed && katsu_hash_find(row->changed, name) != Qundef) return Qundef;
    if (row->casted && code->column[i].mutable && katsu_hash_find(row->casted, name) != Qundef) return Qundef;
    if (!row->columns) return katsu_hash_find(row->values, name);
    int position = code->column[i].position;
    return position < 0 ? Qundef : katsu_row_at(row, position, name);
}

VALUE katsu_code_row(katsu_batch *batch, katsu_node *node, long index, const katsu_row *row, VALUE record)
{
    const katsu_step *step = &node->plan->steps[index];
    katsu_code *code = node->code;
    if (!step->call.name && !step->conditions) return record;
    if (KATSU_UNLIKELY(!code || code->layout != node->layout_object || code->serial != katsu_standard.code) &&
        !(code = enter(batch, node)))
        return record;
    if (index >= 64 || !(code->steps >> index & 1) || !row->values || own_type_p(code, row)) return record;
    if (row->columns && KATSU_UNLIKELY(row->columns != code->found_in)) find_code_positions(code, row->columns);
    for (int i = 0; i < code->count; i++) {
        VALUE raw = untouched(code, row, i);
        if (KATSU_UNLIKELY(raw == Qundef)) return record;
        rb_ary_store(code->values, code->column[i].value, raw);
    }
    return code->object;
}

/* Katsu::Native.code_changed: serializers have other methods now. */
static VALUE code_changed(VALUE module)
{
    __atomic_fetch_add(&katsu_standard.code, 1, __ATOMIC_RELEASE);
    return Qnil;
}

void katsu_init_code_row(void)
{
    id_of = rb_intern("of");
    rb_global_variable(&code_rows);
    code_rows = rb_define_module_under(rb_define_module_under(katsu_mKatsu, "Query"), "CodeRows");
    rb_define_singleton_method(katsu_mNative, "code_changed", code_changed, 0);
}
