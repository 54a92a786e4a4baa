/* See edge.h.
 *
 * Open addressing: a slot for each key that children have, with its first and last row. Rows of one key are a chain in
 * their order. If keys are single integers the hash is the key, mixed with the seed of the process, so that equal
 * hashes are equal keys; other keys are read again from the first row of their slot. Integers and Strings are compared
 * without a call of Ruby, other values by eql?.
 */
#include "queries/edge.h"
#include "casts/cast.h"

#define NO_ROW UINT32_MAX

typedef struct {
    uint64_t hash;
    uint32_t first, last;
} slot;

typedef struct {
    slot *slots;
    uint32_t *next; /* by row */
    size_t mask;
    long rows;
    bool exact; /* equal hashes are equal keys: all are single integers of 64 bits */
} index_of_rows;

/* What a part of a key is. Values of two kinds are never equal. */
typedef enum { KEY_INTEGER, KEY_TEXT, KEY_OBJECT } key_kind;

typedef struct {
    key_kind kind;
    bool called; /* reading it may have called Ruby */
    int64_t integer;
    const char *text; /* of an integer its digits, if it has more than 64 bits; or NULL */
    long length;
    VALUE object; /* the value, or the String that has the text; Qundef: the rows have it */
} key_part;

/* The key of a row. Reading one, or comparing two, may call Ruby: of what is compared after that the texts are read
 * again. */
typedef struct {
    const katsu_edge_side *side;
    long row;
    bool none; /* a part is nil */
    uint64_t hash;
    key_part parts[KATSU_KEY_PARTS];
} edge_key;

static ID id_deserialize, id_number, id_cast_number, id_types, id_columns;
static VALUE cast_module;

static void index_free(void *data)
{
    index_of_rows *index = data;
    xfree(index->slots);
    xfree(index->next);
    xfree(index);
}

static size_t index_size(const void *data)
{
    const index_of_rows *index = data;
    return sizeof *index + (index->mask + 1) * sizeof(slot) + (size_t)index->rows * sizeof(uint32_t);
}

static const rb_data_type_t index_type = {"Katsu::Native::EdgeIndex",
                                          {NULL, index_free, index_size},
                                          NULL,
                                          NULL,
                                          RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED};

static index_of_rows *index_get(const katsu_edge *edge)
{
    return rb_check_typeddata(edge->index, &index_type);
}

/* Sides */

typedef struct {
    VALUE position, name;
} named_position;

static int find_position(VALUE name, VALUE position, VALUE arg)
{
    named_position *wanted = (named_position *)arg;
    if (position != wanted->position) return ST_CONTINUE;
    wanted->name = name;
    return ST_STOP;
}

/* The cast of a column, which a Katsu::Query::Table knows already. */
static int cast_number(VALUE table, VALUE name, VALUE type)
{
    if (NIL_P(type)) return CAST_GENERIC;
    VALUE number = rb_check_funcall(table, id_cast_number, 1, &name);
    return NUM2INT(number == Qundef ? rb_funcall(cast_module, id_number, 1, type) : number);
}

static void init_part(katsu_edge_side *side, VALUE table, VALUE columns, VALUE types, VALUE position)
{
    int part = side->count++;
    side->positions[part] = NUM2INT(position);
    if (side->positions[part] < 0 || (side->rows->columns >= 0 && side->positions[part] >= side->rows->columns))
        katsu_raise(katsu_eError, "an edge's key is at position %d, which the rows have not", side->positions[part]);
    named_position wanted = {position, Qnil};
    rb_hash_foreach(columns, find_position, (VALUE)&wanted);
    VALUE type = rb_hash_lookup2(types, wanted.name, Qnil);
    int cast = cast_number(table, wanted.name, type);
    side->types[part] = type;
    side->integers[part] = cast == CAST_INTEGER;
    side->strings[part] = cast == CAST_STRING;
}

void katsu_edge_side_init(katsu_edge_side *side, const katsu_rows *rows, VALUE table, VALUE key)
{
    VALUE columns = rb_funcall(table, id_columns, 0), types = rb_funcall(table, id_types, 0);
    Check_Type(columns, T_HASH);
    Check_Type(types, T_HASH);
    side->rows = rows;
    side->count = 0;
    if (!RB_TYPE_P(key, T_ARRAY)) {
        init_part(side, table, columns, types, key);
        return;
    }
    if (RARRAY_LEN(key) > KATSU_KEY_PARTS)
        katsu_raise(katsu_eError, "an edge's key has more than %d columns", KATSU_KEY_PARTS);
    for (long i = 0; i < RARRAY_LEN(key); i++) init_part(side, table, columns, types, RARRAY_AREF(key, i));
    RB_GC_GUARD(key);
}

/* Keys */

/* False if it is not an integer of up to 18 digits; longer ones are read as objects. */
static bool parse_digits(const char *text, long length, int64_t *number)
{
    bool minus = length > 0 && *text == '-';
    uint64_t value = 0;
    if (length - minus < 1 || length - minus > 18) return false;
    for (long i = minus; i < length; i++) {
        unsigned digit = (unsigned char)(text[i] - '0');
        if (digit > 9) return false;
        value = value * 10 + digit;
    }
    *number = minus ? -(int64_t)value : (int64_t)value;
    return true;
}

static void set_integer(key_part *part, int64_t number)
{
    part->kind = KEY_INTEGER;
    part->integer = number;
    part->text = NULL;
}

static void set_text(key_part *part, key_kind kind, VALUE string)
{
    part->kind = kind;
    part->object = string;
    part->text = RSTRING_PTR(string);
    part->length = RSTRING_LEN(string);
}

/* False for an integer of more than 64 bits. */
static bool read_64_bits(VALUE integer, int64_t *number)
{
    if (RB_FIXNUM_P(integer)) {
        *number = FIX2LONG(integer);
        return true;
    }
    int sign =
        rb_integer_pack(integer, number, 1, sizeof *number, 0, INTEGER_PACK_NATIVE_BYTE_ORDER | INTEGER_PACK_2COMP);
    return sign == (*number < 0 ? -1 : 1);
}

/* What a type makes of a raw value; false for nil. */
static bool set_object(const katsu_edge_side *side, int i, key_part *part, VALUE raw)
{
    bool known = (side->integers[i] && RB_FIXNUM_P(raw)) || (side->strings[i] && katsu_type_p(raw, T_STRING));
    VALUE value = known ? raw : rb_funcall(side->types[i], id_deserialize, 1, raw);
    int64_t number;
    if (NIL_P(value)) return false;
    if (RB_INTEGER_TYPE_P(value) && read_64_bits(value, &number)) {
        set_integer(part, number);
    } else if (RB_INTEGER_TYPE_P(value)) {
        set_text(part, KEY_INTEGER, rb_big2str(value, 10));
    } else if (katsu_type_p(value, T_STRING)) {
        set_text(part, KEY_TEXT, value);
    } else {
        part->kind = KEY_OBJECT;
        part->object = value;
        part->text = NULL;
    }
    return true;
}

/* Reads one part of a key; false for nil. If the column has a type of the application, that says what NULL is. */
static bool read_part(const katsu_edge_side *side, int i, long row, key_part *part)
{
    katsu_datum datum;
    katsu_rows_read(side->rows, row, side->positions[i], &datum);
    if (datum.kind == DATUM_NULL && (side->integers[i] || side->strings[i])) return false;
    if (datum.kind == DATUM_INTEGER && side->integers[i]) {
        set_integer(part, datum.integer);
        return true;
    }
    int64_t number;
    if (datum.kind == DATUM_DIGITS && side->integers[i] && parse_digits(datum.text, datum.length, &number)) {
        set_integer(part, number);
        return true;
    }
    if (datum.kind == DATUM_TEXT && side->strings[i]) {
        part->kind = KEY_TEXT;
        part->text = datum.text;
        part->length = datum.length;
        return true;
    }
    part->called = true;
    VALUE raw = datum.kind == DATUM_OBJECT ? datum.object : katsu_rows_value(side->rows, row, side->positions[i]);
    return set_object(side, i, part, raw);
}

/* Invertible, so that different integers have different hashes: Sebastiano Vigna, "splitmix64". */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

static uint64_t seed;

static uint64_t part_hash(const key_part *part)
{
    if (part->text) return (uint64_t)rb_memhash(part->text, part->length);
    return part->kind == KEY_INTEGER ? (uint64_t)part->integer : (uint64_t)NUM2LL(rb_hash(part->object));
}

static void read_key(const katsu_edge_side *side, long row, edge_key *key)
{
    key->side = side;
    key->row = row;
    key->hash = seed;
    key->none = false;
    for (int i = 0; i < side->count && !key->none; i++) {
        key_part *part = &key->parts[i];
        part->object = Qundef;
        part->called = false;
        key->none = !read_part(side, i, row, part);
        if (key->none) return;
        key->hash = mix(key->hash ^ part_hash(part));
    }
}

static bool same_part(const key_part *one, const key_part *other)
{
    if (one->kind != other->kind || !one->text != !other->text) return false;
    if (one->kind == KEY_OBJECT) return rb_eql(one->object, other->object);
    if (!one->text) return one->integer == other->integer;
    return one->length == other->length && memcmp(one->text, other->text, (size_t)one->length) == 0;
}

static bool called_p(const edge_key *key)
{
    for (int i = 0; i < key->side->count; i++) {
        if (key->parts[i].called) return true;
    }
    return false;
}

static void read_text_again(edge_key *key, int i)
{
    key_part *part = &key->parts[i];
    katsu_datum datum;
    if (!part->text) return;
    if (part->object != Qundef) {
        part->text = RSTRING_PTR(part->object);
        part->length = RSTRING_LEN(part->object);
        return;
    }
    katsu_rows_read(key->side->rows, key->row, key->side->positions[i], &datum);
    part->text = datum.text;
    part->length = datum.length;
}

static bool same_key(const katsu_edge *edge, edge_key *key, long child)
{
    edge_key other;
    read_key(&edge->children, child, &other);
    if (other.none) return false;
    bool called = called_p(key) || called_p(&other);
    for (int i = 0; i < edge->children.count; i++) {
        if (KATSU_UNLIKELY(called)) {
            read_text_again(key, i);
            read_text_again(&other, i);
        }
        if (!same_part(&key->parts[i], &other.parts[i])) return false;
    }
    return true;
}

/* The slot of a key, or the free one where it would be: there are at least twice as many slots as rows. */
static slot *find_slot(const katsu_edge *edge, const index_of_rows *index, edge_key *key)
{
    for (size_t at = (size_t)(key->hash >> 7);; at++) {
        slot *found = &index->slots[at & index->mask];
        if (found->first == NO_ROW) return found;
        if (found->hash == key->hash && (index->exact || same_key(edge, key, found->first))) return found;
    }
}

static void edge_add_row(const katsu_edge *edge, index_of_rows *index, long row)
{
    edge_key key;
    index->next[row] = NO_ROW;
    read_key(&edge->children, row, &key);
    if (key.none) return;
    if (key.parts[0].object != Qundef) index->exact = false;
    slot *found = find_slot(edge, index, &key);
    if (found->first == NO_ROW) {
        *found = (slot){key.hash, (uint32_t)row, (uint32_t)row};
    } else {
        index->next[found->last] = (uint32_t)row;
        found->last = (uint32_t)row;
    }
}

void katsu_edge_init(katsu_edge *edge)
{
    index_of_rows *index;
    long rows = edge->children.rows->count;
    size_t size = 4;
    if (edge->parents.count != edge->children.count)
        katsu_raise(katsu_eError, "an edge's keys have %d and %d columns", edge->parents.count, edge->children.count);
    if ((uint64_t)rows >= NO_ROW) katsu_raise(katsu_eError, "an edge to more than %lu rows", (unsigned long)NO_ROW);
    while (size < (size_t)rows * 2) size *= 2;
    edge->index = TypedData_Make_Struct(0, index_of_rows, &index_type, index);
    index->slots = ALLOC_N(slot, size);
    index->next = ALLOC_N(uint32_t, rows);
    index->mask = size - 1;
    index->rows = rows;
    index->exact = edge->children.count == 1 && edge->parents.integers[0] && edge->children.integers[0];
    for (size_t i = 0; i < size; i++) index->slots[i].first = NO_ROW;
    for (long row = 0; row < rows; row++) edge_add_row(edge, index, row);
}

long katsu_edge_first(const katsu_edge *edge, long parent)
{
    edge_key key;
    if (!edge->index) return KATSU_NO_ROW;
    read_key(&edge->parents, parent, &key);
    if (key.none) return KATSU_NO_ROW;
    const slot *found = find_slot(edge, index_get(edge), &key);
    return found->first == NO_ROW ? KATSU_NO_ROW : (long)found->first;
}

long katsu_edge_next(const katsu_edge *edge, long child)
{
    uint32_t next = index_get(edge)->next[child];
    return next == NO_ROW ? KATSU_NO_ROW : (long)next;
}

void katsu_init_edge(void)
{
    id_deserialize = rb_intern("deserialize");
    id_number = rb_intern("number");
    id_cast_number = rb_intern("cast_number");
    id_types = rb_intern("types");
    id_columns = rb_intern("columns");
    seed = (uint64_t)rb_hash_start(0);
    rb_global_variable(&cast_module);
    cast_module = rb_define_module_under(katsu_mKatsu, "Cast");
}
