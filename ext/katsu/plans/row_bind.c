/* See row_bind.h. */
#include "plans/row_bind.h"
#include "casts/cast.h"
#include "values/hash_copy.h"

typedef struct {
    katsu_access *access;
    long count, next; /* steps are often in the order of the columns */
} column_search;

static int note_position(VALUE name, VALUE position, VALUE arg)
{
    column_search *p = (column_search *)arg;
    long i = p->next;
    if (i >= p->count || p->access[i].column != name) {
        for (i = 0; i < p->count && p->access[i].column != name; i++) continue;
        if (i == p->count) return ST_CONTINUE;
    }
    p->access[i].position = RB_FIXNUM_P(position) ? FIX2INT(position) : -1;
    p->next = i + 1;
    return ST_CONTINUE;
}

/* Finds the positions of a layout's columns. A Hash that cannot change is kept at hand: records of one result are often
 * written one by one. */
static void find_positions(const katsu_node *node, VALUE columns)
{
    katsu_layout *layout = node->layout;
    if (layout->columns == columns) return;
    RB_OBJ_WRITE(node->layout_object, &layout->columns, OBJ_FROZEN(columns) ? columns : 0);
    for (long i = 0; i < layout->count; i++) layout->access[i].position = -1;
    /* A column's name is mostly the same object in the model and in what the database returned. */
    column_search search = {layout->access, layout->count, 0};
    katsu_hash_each(columns, note_position, &search);
    for (katsu_access *access = layout->access; access < layout->access + layout->count; access++) {
        if (access->how != HOW_COLUMN || access->position >= 0) continue;
        VALUE position = rb_hash_lookup2(columns, access->column, Qnil);
        if (RB_FIXNUM_P(position)) access->position = FIX2INT(position);
    }
}

static bool same_positions(const katsu_layout *layout, const katsu_row *row)
{
    for (long i = 0; i < layout->count; i++) {
        const katsu_access *access = &layout->access[i];
        if (access->position >= 0 && (access->position >= row->count || row->names[access->position] != access->name))
            return false;
    }
    return true;
}

/* A row that the application made may have other names than Strings. */
static bool same_name(VALUE name, VALUE column)
{
    return name == column || (katsu_type_p(name, T_STRING) && rb_str_equal(name, column) == Qtrue);
}

/* The same of a row that is spread out; columns is Qtrue then. */
static void find_positions_by_name(const katsu_node *node, const katsu_row *row)
{
    katsu_layout *layout = node->layout;
    if (layout->columns == Qtrue && same_positions(layout, row)) return;
    layout->columns = Qtrue;
    for (long i = 0; i < layout->count; i++) {
        katsu_access *access = &layout->access[i];
        access->position = -1;
        if (access->how != HOW_COLUMN) continue;
        for (int j = 0; j < row->count && access->position < 0; j++) {
            if (same_name(row->names[j], access->column)) access->position = j;
        }
        if (access->position >= 0) {
            RB_OBJ_WRITE(node->layout_object, &access->name, row->names[access->position]);
        } else {
            layout->columns = 0; /* the next row may have that column */
        }
    }
}

/* Takes the positions of the layout. columns: see katsu_node. */
static void init_cells(katsu_node *node, VALUE columns)
{
    node->positions = 0;
    for (long i = 0; i < node->plan->count; i++) {
        const katsu_step *step = &node->plan->steps[i];
        const katsu_access *access = &node->layout->access[i];
        int position = access->how == HOW_COLUMN ? access->position : -1;
        node->cells[i] = (katsu_cell){step->text,   step->length, position,
                                      access->name, access->cast, position >= 0 && !step->optional};
        if (position >= 0 && position < 64) node->positions |= (uint64_t)1 << position;
    }
    node->columns = columns;
}

/* Whether the cells are those of a row that is spread out: the records of a result share the names in it. */
static bool cells_fit_row(const katsu_node *node, const katsu_row *row)
{
    if (node->columns != Qtrue) return false;
    for (long i = 0; i < node->plan->count; i++) {
        const katsu_cell *cell = &node->cells[i];
        if (cell->position >= 0 && (cell->position >= row->count || row->names[cell->position] != cell->name))
            return false;
    }
    return true;
}

typedef struct {
    katsu_node *node;
    katsu_names *names;
    int count;
    bool mutable_only;
} naming;

/* Notes a name, and which steps it concerns. Stores the Hash's own key object as the column's name, so that
 * katsu_hash_find finds it by identity. A name that is no String is not compared: its == may be Ruby code, which may
 * not run here. It names no column. */
static int note_name(VALUE name, VALUE value, VALUE arg)
{
    naming *n = (naming *)arg;
    const katsu_node *node = n->node;
    long steps = katsu_type_p(name, T_STRING) ? node->plan->count : 0;
    for (long i = 0; i < steps; i++) {
        katsu_access *access = &node->layout->access[i];
        bool column = access->how == HOW_COLUMN;
        if (!column && (access->how != HOW_ASSOCIATION || NIL_P(access->column))) continue;
        if (rb_str_equal(access->column, name) != Qtrue) continue;
        RB_OBJ_WRITE(node->layout_object, &access->column, name);
        if (column && (!n->mutable_only || (KATSU_CAST_MUTABLE >> access->cast & 1)))
            n->names->steps |= 1ULL << (i < 63 ? i : 63);
    }
    RB_OBJ_WRITE(node->layout_object, &n->names->names[n->count++], name);
    return n->count < KATSU_NAMES ? ST_CONTINUE : ST_STOP;
}

typedef struct {
    const VALUE *expected, *end;
} comparing;

static int compare_name(VALUE name, VALUE value, VALUE arg)
{
    comparing *c = (comparing *)arg;
    if (c->expected == c->end || *c->expected != name) return ST_STOP;
    c->expected++;
    return ST_CONTINUE;
}

/* Whether they are the Hash's keys, the same objects in the same order. */
static bool identical_names(const katsu_names *names, VALUE hash)
{
    if (katsu_hash_peek_trusted) {
        for (int i = 0; i < names->count; i++) {
            if (katsu_hash_peek(hash, i, names->names[i]) == Qundef) return false;
        }
        return true;
    }
    comparing c = {names->names, names->names + names->count};
    katsu_hash_each(hash, compare_name, &c);
    return c.expected == c.end;
}

/* Whether they are the Hash's keys, which are as many. In one batch names are mostly the same objects. */
static bool same_names(const katsu_names *names, VALUE hash)
{
    if (identical_names(names, hash)) return true;
    for (int i = 0; i < names->count; i++) {
        if (rb_hash_lookup2(hash, names->names[i], Qundef) == Qundef) return false;
    }
    return true;
}

/* The steps whose columns are in the Hash. mutable_only: a cast value that cannot change in place is what the
 * row says. If there are many names it may be any step: katsu_row_known looks for its column. */
static uint64_t steps_of_names(katsu_node *node, katsu_names *names, VALUE hash, bool mutable_only)
{
    size_t count = katsu_hash_size(hash);
    if (KATSU_UNLIKELY(count > KATSU_NAMES)) return ~(uint64_t)0;
    if (count == (size_t)names->count && same_names(names, hash)) return names->steps;
    naming n = {node, names, 0, mutable_only};
    names->steps = 0;
    katsu_hash_each(hash, note_name, &n);
    names->count = n.count;
    return names->steps;
}

/* The Attribute object of a column; Qundef if there is none. */
KATSU_INLINE VALUE changed_attribute(const katsu_node *node, const katsu_row *row, long index)
{
    if (!row->changed) return Qundef;
    if (row->values || !row->count) return katsu_hash_find(row->changed, node->layout->access[index].column);
    int position = node->cells[index].position;
    return position < 0 ? Qundef : row->spread[position];
}

bool katsu_row_known(const katsu_node *node, const katsu_row *row, long index, VALUE *known, bool *casted)
{
    const katsu_access *access = &node->layout->access[index];
    bool mutable = KATSU_CAST_MUTABLE >> access->cast & 1;
    VALUE object = changed_attribute(node, row, index);
    if (object != Qundef) {
        katsu_attribute attribute = {Qundef, Qundef};
        katsu_attribute_read(object, access->type, &attribute);
        /* as below */
        if (access->cast == CAST_JSON && NIL_P(attribute.value) && attribute.raw != Qundef) attribute.value = Qundef;
        *casted = attribute.value != Qundef && (mutable || attribute.raw == Qundef);
        *known = *casted ? attribute.value : attribute.raw;
        return true;
    }
    if (!row->casted || !mutable) return false;
    *known = katsu_hash_find(row->casted, access->column);
    /* ActiveRecord reads text that is no JSON as nil. */
    if (access->cast == CAST_JSON && NIL_P(*known)) return false;
    *casted = *known != Qundef;
    return *casted;
}

/* True if the Hash of a row has each pair at the position that the cells say. */
static bool cells_fit_hash(const katsu_node *node, VALUE hash)
{
    for (long i = 0; i < node->plan->count; i++) {
        const katsu_cell *cell = &node->cells[i];
        if (cell->position >= 0 && katsu_hash_peek(hash, cell->position, cell->name) == Qundef) return false;
    }
    return true;
}

static void bind_hash_row(katsu_node *node, katsu_row *row)
{
    if (katsu_hash_peek_trusted && row->values) {
        if (KATSU_UNLIKELY(node->columns != Qtrue && node->layout->columns == Qtrue)) init_cells(node, Qtrue);
        row->direct = node->columns == Qtrue && cells_fit_hash(node, row->values);
        if (KATSU_LIKELY(row->direct)) return;
    }
    katsu_row_spread(row);
    if (!row->count || KATSU_LIKELY(cells_fit_row(node, row))) return;
    find_positions_by_name(node, row);
    init_cells(node, Qtrue);
}

static int find_name(VALUE key, VALUE type, VALUE arg)
{
    bool *found = (bool *)arg;
    *found = !RB_SPECIAL_CONST_P(key);
    return *found ? ST_STOP : ST_CONTINUE;
}

/* Whether a record's own types are those of a column of the node. ActiveRecord 8.1 puts types under the numbers of the
 * result's columns too, which it looks up by their names only. */
static bool has_own_types(const katsu_node *node, VALUE own_types)
{
    bool named = false;
    katsu_hash_each(own_types, find_name, &named);
    for (long i = 0; named && i < node->plan->count; i++) {
        const katsu_access *access = &node->layout->access[i];
        if (access->how == HOW_COLUMN && rb_hash_lookup2(own_types, access->column, Qundef) != Qundef) return true;
    }
    return false;
}

/* Whether the types that the casts were chosen by are those of the record. */
static bool same_types(katsu_node *node, const katsu_row *row)
{
    if (row->types != node->layout->types) {
        /* The class has loaded its schema again since the layout was made. */
        katsu_layout_forget(node->plan_object, node->class);
        unsigned calls = 0; /* for those who read an object that is no record */
        katsu_node_set_layout(node, node->class, &calls);
        if (row->types != node->layout->types) return false;
    }
    if (!katsu_type_p(row->own_types, T_HASH) || has_own_types(node, row->own_types)) return false;
    node->own_types = row->own_types;
    return true;
}

bool katsu_row_bind(katsu_node *node, VALUE record, katsu_row *row)
{
    if (KATSU_UNLIKELY(!katsu_row_read(record, row, &node->layout->places))) return false;
    if (KATSU_UNLIKELY(!row->values)) {
        row->known_steps = ~(uint64_t)0;
        bind_hash_row(node, row);
        return true;
    }
    bool other = (row->types ^ node->layout->types) | (row->own_types ^ node->own_types);
    if (KATSU_UNLIKELY(other) && !same_types(node, row)) return false;
    if (KATSU_LIKELY(row->columns != 0)) {
        if (KATSU_UNLIKELY(row->columns != node->columns)) {
            find_positions(node, row->columns);
            init_cells(node, row->columns);
        }
    } else {
        bind_hash_row(node, row);
    }
    row->known_steps = row->changed ? steps_of_names(node, &node->layout->written, row->changed, false) : 0;
    if (row->casted) row->known_steps |= steps_of_names(node, &node->layout->read, row->casted, true);
    return true;
}
