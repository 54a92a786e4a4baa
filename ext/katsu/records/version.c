/* Katsu::Native.record_keys: the keys of cached records that were loaded and not changed since; and changed_records:
 * those that are not known to be so.
 *
 * As Katsu::Caching::RecordVersion finds them, which takes ten times as long. What differs in anything from a record
 * that is read here is left to it.
 */
#include "bytes/number.h"
#include "records/hash_peek.h"
#include "records/row_prefetch.h"
#include "values/hash_copy.h"

static katsu_ivar_slot slot_new, slot_destroyed, slot_mutations;

/* What the keys are made of, and the positions of the two columns in rows that have these columns. */
typedef struct {
    VALUE model, prefix, suffix, id, at, texts, columns;
    int id_position, at_position;
    uint64_t wanted; /* a bit for each position in rows that is read */
    katsu_row_places places;
} making;

/* Room that an id or a time needs at most. Longer keys are made in Ruby. */
#define SHORT_TEXT 64
#define KEY_SIZE 512

static int position_in(VALUE columns, VALUE name)
{
    VALUE position = katsu_hash_find(columns, name);
    return RB_FIXNUM_P(position) ? (int)FIX2LONG(position) : -1;
}

/* A position from 64 on has no bit. */
static uint64_t bit_of(int position)
{
    return position >= 0 && position < 64 ? 1ULL << position : 0;
}

/* The value that the database gave; Qnil if there is none. */
static VALUE raw_value(const katsu_row *row, int position, VALUE name)
{
    if (!row->columns) return rb_hash_lookup2(row->values, name, Qnil);
    return position >= 0 && position < RARRAY_LEN(row->values) ? RARRAY_AREF(row->values, position) : Qnil;
}

typedef struct {
    making *m;
    const katsu_row *row;
    bool unchanged;
} unchanged_check;

/* A value that was read: of a class whose objects do not change, or still the text that the database gave. No Ruby is
 * called, as katsu_hash_each asks. */
static int compare_read(VALUE name, VALUE value, VALUE arg)
{
    unchanged_check *c = (unchanged_check *)arg;
    VALUE own_types = c->row->own_types;
    c->unchanged = RB_FIXNUM_P(value) || NIL_P(value) || value == Qtrue || value == Qfalse || RB_FLONUM_P(value);
    if (c->unchanged) return ST_CONTINUE;
    if (!katsu_type_p(name, T_STRING) || RBASIC_CLASS(name) != rb_cString) return ST_STOP;
    bool own_type = katsu_type_p(own_types, T_HASH) && katsu_hash_size(own_types) &&
                    rb_hash_lookup2(own_types, name, Qundef) != Qundef;
    if (!own_type && katsu_type_p(value, T_STRING) && katsu_hash_find(c->m->texts, name) == Qtrue) {
        int position = c->row->columns ? position_in(c->row->columns, name) : 0;
        VALUE raw = raw_value(c->row, position, name);
        c->m->wanted |= bit_of(position);
        c->unchanged = katsu_type_p(raw, T_STRING) && RTEST(rb_str_equal(raw, value));
    }
    return c->unchanged ? ST_CONTINUE : ST_STOP;
}

/* An Attribute object that holds the integer of the row, or nil: ActiveRecord's preloading makes that of a key. */
static int compare_object(VALUE name, VALUE object, VALUE arg)
{
    unchanged_check *c = (unchanged_check *)arg;
    katsu_attribute attribute;
    c->unchanged = false;
    if (!katsu_type_p(name, T_STRING) || RBASIC_CLASS(name) != rb_cString) return ST_STOP;
    if (!katsu_type_p(c->row->types, T_HASH)) return ST_STOP;
    VALUE type = rb_hash_lookup2(c->row->types, name, Qundef);
    if (type == Qundef || !katsu_attribute_read(object, type, &attribute)) return ST_STOP;
    if (!RB_FIXNUM_P(attribute.raw) && !NIL_P(attribute.raw)) return ST_STOP;
    if (attribute.value != Qundef && attribute.value != attribute.raw) return ST_STOP;
    int position = c->row->columns ? position_in(c->row->columns, name) : 0;
    c->m->wanted |= bit_of(position);
    c->unchanged = attribute.raw == raw_value(c->row, position, name);
    return c->unchanged ? ST_CONTINUE : ST_STOP;
}

static bool unchanged_p(making *m, const katsu_row *row)
{
    unchanged_check c = {m, row, true};
    if (row->changed) katsu_hash_each(row->changed, compare_object, &c);
    if (c.unchanged && row->casted) katsu_hash_each(row->casted, compare_read, &c);
    return c.unchanged;
}

/* The end of the bytes of an integer, an ASCII String or a Time, which are copied to `to` if there is room before end;
 * NULL for anything else. */
static char *put_part(char *to, const char *end, VALUE value)
{
    if (end - to < SHORT_TEXT) return NULL;
    if (RB_FIXNUM_P(value)) return katsu_put_long(to, FIX2LONG(value));
    if (RB_SPECIAL_CONST_P(value)) return NULL;
    if (RB_TYPE_P(value, T_STRING)) {
        long length = RSTRING_LEN(value);
        if (length > end - to || rb_enc_str_coderange(value) != RUBY_ENC_CODERANGE_7BIT) return NULL;
        memcpy(to, RSTRING_PTR(value), (size_t)length);
        return to + length;
    }
    if (RBASIC_CLASS(value) != rb_cTime) return NULL;
    struct timespec time = rb_time_timespec(value);
    to = katsu_put_long(to, (long)time.tv_sec);
    *to++ = '.';
    return katsu_put_long(to, time.tv_nsec);
}

/* prefix, id, "-", at and suffix as a frozen String; nil if it is not known here. */
static VALUE make_key(const making *m, VALUE id, VALUE at)
{
    char text[KEY_SIZE];
    const char *end = text + KEY_SIZE;
    char *to = text;
    if (RSTRING_LEN(m->prefix) + RSTRING_LEN(m->suffix) > KEY_SIZE / 2) return Qnil;
    memcpy(to, RSTRING_PTR(m->prefix), (size_t)RSTRING_LEN(m->prefix));
    to = put_part(to + RSTRING_LEN(m->prefix), end - RSTRING_LEN(m->suffix) - SHORT_TEXT - 1, id);
    if (!to) return Qnil;
    *to++ = '-';
    to = put_part(to, end - RSTRING_LEN(m->suffix), at);
    if (!to) return Qnil;
    memcpy(to, RSTRING_PTR(m->suffix), (size_t)RSTRING_LEN(m->suffix));
    to += RSTRING_LEN(m->suffix);
    return rb_obj_freeze(rb_utf8_str_new(text, to - text));
}

/* Reads the row of a record of the model; false if it is new, deleted or changed, or may be. */
static bool saved_p(making *m, VALUE record, katsu_row *row)
{
    if (!katsu_type_p(record, T_OBJECT) || RBASIC_CLASS(record) != m->model) return false;
    if (RTEST(katsu_ivar_get(&slot_new, record)) || RTEST(katsu_ivar_get(&slot_destroyed, record))) return false;
    if (!NIL_P(katsu_ivar_get(&slot_mutations, record))) return false;
    return katsu_row_read(record, row, &m->places) && row->values && unchanged_p(m, row);
}

static VALUE key_of(making *m, VALUE record)
{
    katsu_row row;
    if (!saved_p(m, record, &row)) return Qnil;
    if (row.columns && row.columns != m->columns) {
        m->columns = row.columns;
        m->id_position = position_in(row.columns, m->id);
        m->at_position = position_in(row.columns, m->at);
        m->wanted = bit_of(m->id_position) | bit_of(m->at_position);
    }
    VALUE key = make_key(m, raw_value(&row, m->id_position, m->id), raw_value(&row, m->at_position, m->at));
    RB_GC_GUARD(record);
    return key;
}

static void prefetch(katsu_prefetch_ring *ring, const making *m, VALUE objects, long index)
{
    if (RARRAY_LEN(objects) - index > KATSU_PREFETCH_DISTANCE)
        katsu_prefetch_records(ring, &m->places, m->wanted, RARRAY_CONST_PTR(objects) + index, index);
}

/* Katsu::Native.record_keys(objects, model, prefix, suffix, [primary key, updated_at], texts): an Array of the key of
 * each object, nil for those that are not known here. texts: a Hash with the names of columns of text. */
static VALUE record_keys(VALUE module, VALUE objects, VALUE model, VALUE prefix, VALUE suffix, VALUE names, VALUE texts)
{
    Check_Type(objects, T_ARRAY);
    Check_Type(names, T_ARRAY);
    Check_Type(texts, T_HASH);
    StringValue(prefix);
    StringValue(suffix);
    making m = {model, prefix, suffix, rb_ary_entry(names, 0), rb_ary_entry(names, 1), texts, 0, -1, -1, 0, {0}};
    katsu_prefetch_ring ring = {{0}, {0}, {0}};
    VALUE keys = rb_ary_new_capa(RARRAY_LEN(objects));
    for (long i = 0; i < RARRAY_LEN(objects); i++) {
        prefetch(&ring, &m, objects, i);
        rb_ary_push(keys, key_of(&m, RARRAY_AREF(objects, i)));
    }
    RB_GC_GUARD(objects);
    RB_GC_GUARD(prefix);
    RB_GC_GUARD(suffix);
    return keys;
}

/* Katsu::Native.changed_records(objects, model, texts): those of objects that are not known to be records of the model
 * as the database has them. texts: as of record_keys. */
static VALUE changed_records(VALUE module, VALUE objects, VALUE model, VALUE texts)
{
    Check_Type(objects, T_ARRAY);
    Check_Type(texts, T_HASH);
    making m = {model, Qnil, Qnil, Qnil, Qnil, texts, 0, -1, -1, 0, {0}};
    katsu_row row;
    katsu_prefetch_ring ring = {{0}, {0}, {0}};
    VALUE changed = rb_ary_new();
    for (long i = 0; i < RARRAY_LEN(objects); i++) {
        VALUE record = RARRAY_AREF(objects, i);
        prefetch(&ring, &m, objects, i);
        if (!saved_p(&m, record, &row)) rb_ary_push(changed, record);
    }
    RB_GC_GUARD(objects);
    return changed;
}

/* Katsu::Native.cached_pairs(keys, texts): the Hash of each key that is not nil, and its text; both are frozen. */
static VALUE cached_pairs(VALUE module, VALUE keys, VALUE texts)
{
    Check_Type(keys, T_ARRAY);
    Check_Type(texts, T_ARRAY);
    VALUE memory, pairs = rb_hash_new();
    long room = RARRAY_LEN(keys) * 2, filled = 0;
    VALUE *flat = ALLOCV_N(VALUE, memory, room + 2);
    for (long i = 0; i < RARRAY_LEN(keys); i++) {
        VALUE key = RARRAY_AREF(keys, i), text = rb_ary_entry(texts, i);
        if (NIL_P(key)) continue;
        flat[filled++] = rb_obj_freeze(key);
        flat[filled++] = rb_obj_freeze(text);
    }
    if (filled) rb_hash_bulk_insert(filled, flat, pairs);
    ALLOCV_END(memory);
    RB_GC_GUARD(keys);
    RB_GC_GUARD(texts);
    return pairs;
}

void katsu_init_version(void)
{
    katsu_ivar_slot_init(&slot_new, "@new_record");
    katsu_ivar_slot_init(&slot_destroyed, "@destroyed");
    katsu_ivar_slot_init(&slot_mutations, "@mutations_from_database");
    rb_define_singleton_method(katsu_mNative, "record_keys", record_keys, 6);
    rb_define_singleton_method(katsu_mNative, "changed_records", changed_records, 3);
    rb_define_singleton_method(katsu_mNative, "cached_pairs", cached_pairs, 2);
}
