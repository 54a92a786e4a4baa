/* See row.h. */
#include "records/row_prefetch.h"
#include "values/hash_copy.h"

static katsu_ivar_slot slot_attributes, slot_set_attributes, slot_set_casted, slot_set_values, slot_set_types,
    slot_set_own_types, slot_row_columns, slot_row_values, slot_association_cache, slot_target, slot_loaded,
    slot_stale_state, slot_attribute_value, slot_attribute_raw, slot_attribute_type;

/* ActiveModel::LazyAttributeSet, ActiveRecord::Result::IndexedRow, ActiveModel::AttributeSet, and of
 * ActiveModel::Attribute FromDatabase and FromUser; 0 until row_classes= is called, which is done once ActiveRecord
 * is loaded and its layout has been found to be as row.h says. */
enum { LAZY_SET, INDEXED_ROW, NEW_SET, FROM_DATABASE, FROM_USER, ROW_CLASSES };
static VALUE row_classes[ROW_CLASSES];

KATSU_INLINE VALUE filled(VALUE hash)
{
    return katsu_hash_size(hash) ? hash : 0;
}

#ifdef KATSU_LAYOUT_ID
static unsigned short index_of(katsu_ivar_slot *slot, VALUE object)
{
    VALUE *variable = katsu_ivar_peek(slot, object);
    return variable ? (unsigned short)(variable - KATSU_IVARS(object)) : USHRT_MAX;
}

static unsigned short further(unsigned short one, unsigned short other)
{
    return one > other ? one : other;
}

/* row: 0 if it is a Hash. */
static void learn_places(VALUE record, VALUE set, VALUE row, katsu_row_places *p)
{
    p->attributes = index_of(&slot_attributes, record);
    p->changed = index_of(&slot_set_attributes, set);
    p->casted = index_of(&slot_set_casted, set);
    p->values = index_of(&slot_set_values, set);
    p->types = index_of(&slot_set_types, set);
    p->own_types = index_of(&slot_set_own_types, set);
    p->columns = row ? index_of(&slot_row_columns, row) : 0;
    p->array = row ? index_of(&slot_row_values, row) : 0;
    p->in_set = further(further(further(p->changed, p->casted), further(p->values, p->types)), p->own_types);
    p->in_row = further(p->columns, p->array);
    bool known = p->attributes < USHRT_MAX && p->in_set < USHRT_MAX && p->in_row < USHRT_MAX;
    p->record = known ? KATSU_LAYOUT_ID(record) : 0;
    p->set = known ? KATSU_LAYOUT_ID(set) : 0;
    p->row = known && row ? KATSU_LAYOUT_ID(row) : 0;
}

KATSU_INLINE bool laid_out_as(VALUE object, uint64_t layout_id, VALUE class, unsigned short last)
{
    return katsu_ivars_reach(object, layout_id, last) && RBASIC_CLASS(object) == class;
}

/* As the record before; false if that is not certain. */
KATSU_INLINE bool read_alike(VALUE record, katsu_row *row, const katsu_row_places *p)
{
    if (KATSU_LAYOUT_ID(record) != p->record || !KATSU_HAS_IVAR(record, p->attributes)) return false;
    VALUE set = KATSU_IVARS(record)[p->attributes];
    if (!laid_out_as(set, p->set, row_classes[LAZY_SET], p->in_set)) return false;
    const VALUE *in_set = KATSU_IVARS(set);
    VALUE changed = in_set[p->changed], casted = in_set[p->casted], values = in_set[p->values];
    if (!katsu_type_p(changed, T_HASH) || !katsu_type_p(casted, T_HASH)) return false;
    row->changed = filled(changed);
    row->casted = filled(casted);
    row->types = in_set[p->types];
    row->own_types = in_set[p->own_types];
    if (!p->row) {
        row->columns = 0;
        row->values = values;
        return katsu_type_p(values, T_HASH);
    }
    if (!laid_out_as(values, p->row, row_classes[INDEXED_ROW], p->in_row)) return false;
    const VALUE *in_row = KATSU_IVARS(values);
    row->columns = in_row[p->columns];
    row->values = in_row[p->array];
    return katsu_type_p(row->columns, T_HASH) && katsu_type_p(row->values, T_ARRAY);
}
#else
#define learn_places(record, set, row, places) ((void)0)
#define read_alike(record, row, places) false
#endif

/* A new record's: a Hash of Attribute objects. */
static bool read_new(VALUE set, katsu_row *row)
{
    row->changed = katsu_ivar_get(&slot_set_attributes, set);
    row->casted = row->columns = row->values = row->types = row->own_types = 0;
    return katsu_type_p(row->changed, T_HASH);
}

bool katsu_row_read(VALUE record, katsu_row *row, katsu_row_places *places)
{
    row->count = 0;
    row->direct = false;
    if (KATSU_LIKELY(read_alike(record, row, places))) return true;
    VALUE set = katsu_ivar_get(&slot_attributes, record);
    if (KATSU_UNLIKELY(!katsu_type_p(set, T_OBJECT))) return false;
    if (RBASIC_CLASS(set) == row_classes[NEW_SET]) return read_new(set, row);
    if (KATSU_UNLIKELY(RBASIC_CLASS(set) != row_classes[LAZY_SET])) return false;
    VALUE changed = katsu_ivar_get(&slot_set_attributes, set);
    VALUE casted = katsu_ivar_get(&slot_set_casted, set);
    if (KATSU_UNLIKELY(!katsu_type_p(changed, T_HASH) || !katsu_type_p(casted, T_HASH))) return false;
    row->changed = filled(changed);
    row->casted = filled(casted);
    row->types = katsu_ivar_get(&slot_set_types, set);
    row->own_types = katsu_ivar_get(&slot_set_own_types, set);
    VALUE values = katsu_ivar_get(&slot_set_values, set);
    if (KATSU_LIKELY(katsu_type_p(values, T_OBJECT) && RBASIC_CLASS(values) == row_classes[INDEXED_ROW])) {
        row->columns = katsu_ivar_get(&slot_row_columns, values);
        row->values = katsu_ivar_get(&slot_row_values, values);
        learn_places(record, set, values, places);
        return katsu_type_p(row->columns, T_HASH) && katsu_type_p(row->values, T_ARRAY);
    }
    row->columns = 0;
    row->values = values;
    if (!katsu_type_p(values, T_HASH)) return false;
    learn_places(record, set, 0, places);
    return true;
}

static int spread_pair(VALUE name, VALUE value, VALUE arg)
{
    katsu_row *row = (katsu_row *)arg;
    row->names[row->count] = name;
    row->spread[row->count++] = value;
    return ST_CONTINUE;
}

void katsu_row_spread(katsu_row *row)
{
    VALUE hash = row->values ? row->values : row->changed;
    if (RHASH_SIZE(hash) <= KATSU_SPREAD) katsu_hash_each(hash, spread_pair, row);
}

void katsu_prefetch_cache(VALUE record, int stage)
{
    VALUE *variable;
    if (!katsu_type_p(record, T_OBJECT) || !(variable = katsu_ivar_peek(&slot_association_cache, record))) return;
    if (stage == 1) {
        KATSU_PREFETCH((void *)variable);
    } else if (!RB_SPECIAL_CONST_P(*variable)) {
        katsu_touch(*variable, 160);
    }
}

VALUE katsu_prefetch_association(VALUE record, VALUE name)
{
    VALUE *variable;
    if (!katsu_type_p(record, T_OBJECT) || !(variable = katsu_ivar_peek(&slot_association_cache, record)) ||
        !katsu_type_p(*variable, T_HASH))
        return 0;
    VALUE association = katsu_hash_find(*variable, name);
    if (RB_SPECIAL_CONST_P(association)) return 0;
    katsu_touch(association, 128);
    return association;
}

VALUE katsu_prefetch_target(VALUE association)
{
    VALUE *variable;
    if (!katsu_type_p(association, T_OBJECT) || !(variable = katsu_ivar_peek(&slot_target, association)) ||
        RB_SPECIAL_CONST_P(*variable))
        return 0;
    katsu_touch(*variable, 64);
    return *variable;
}

bool katsu_attribute_read(VALUE object, VALUE type, katsu_attribute *attribute)
{
    if (!katsu_type_p(object, T_OBJECT)) return false;
    VALUE class = RBASIC_CLASS(object);
    if (class != row_classes[FROM_DATABASE] && class != row_classes[FROM_USER]) return false;
    if (katsu_ivar_get(&slot_attribute_type, object) != type) return false;
    VALUE *value = katsu_ivar_peek(&slot_attribute_value, object);
    attribute->raw = class == row_classes[FROM_DATABASE] ? katsu_ivar_get(&slot_attribute_raw, object) : Qundef;
    attribute->value = value ? *value : katsu_ivar_get(&slot_attribute_value, object);
    if (!value && NIL_P(attribute->value)) attribute->value = Qundef; /* not set, for all that is known */
    return true;
}

/* True if a loaded association's target may belong to another key than the record has now. */
static bool stale_p(VALUE record, VALUE association, katsu_staleness staleness, VALUE key, VALUE type)
{
    katsu_attribute attribute;
    if (staleness == STALE_NEVER) return false;
    VALUE set = katsu_ivar_get(&slot_attributes, record);
    if (!katsu_type_p(set, T_OBJECT) || RBASIC_CLASS(set) != row_classes[LAZY_SET]) return true;
    VALUE changed = katsu_ivar_get(&slot_set_attributes, set);
    if (!katsu_type_p(changed, T_HASH)) return true;
    if (katsu_hash_size(changed) == 0) return false; /* no key was written since */
    if (staleness == STALE_UNKNOWN) return true;
    VALUE object = katsu_hash_find(changed, key);
    if (object == Qundef) return false;
    if (!katsu_attribute_read(object, type, &attribute) || !RB_FIXNUM_P(attribute.raw)) return true;
    return attribute.raw != katsu_ivar_get(&slot_stale_state, association);
}

VALUE katsu_row_target(VALUE record, VALUE name, katsu_staleness staleness, VALUE key, VALUE type)
{
    VALUE cache = katsu_ivar_get(&slot_association_cache, record);
    if (!katsu_type_p(cache, T_HASH)) return Qundef;
    VALUE association = katsu_hash_find(cache, name);
    if (association == Qundef || !katsu_type_p(association, T_OBJECT) ||
        katsu_ivar_get(&slot_loaded, association) != Qtrue)
        return Qundef;
    if (KATSU_UNLIKELY(stale_p(record, association, staleness, key, type))) return Qundef;
    VALUE target = katsu_ivar_get(&slot_target, association);
    if (NIL_P(target) || katsu_type_p(target, T_ARRAY)) return target;
    /* A promise of a query that runs in the background, for one, is no record. */
    return katsu_type_p(target, T_OBJECT) && katsu_type_p(katsu_ivar_get(&slot_attributes, target), T_OBJECT) ? target
                                                                                                              : Qundef;
}

/* Katsu::Native.row_classes = the classes of row_classes, nil for what ActiveRecord has not */
static VALUE set_row_classes(VALUE module, VALUE classes)
{
    Check_Type(classes, T_ARRAY);
    for (int i = 0; i < ROW_CLASSES; i++) row_classes[i] = rb_ary_entry(classes, i);
    return classes;
}

/* Katsu::Native.attribute(object, type): [raw, value] as the engine sees them, nil for what is not known; or nil. */
static VALUE show_attribute(VALUE module, VALUE object, VALUE type)
{
    katsu_attribute attribute;
    if (!katsu_attribute_read(object, type, &attribute)) return Qnil;
    return rb_ary_new_from_args(2, attribute.raw == Qundef ? Qnil : attribute.raw,
                                attribute.value == Qundef ? Qnil : attribute.value);
}

/* Katsu::Native.row(record): [changed?, read?, columns, values, types, own types] as the engine sees them, nil for
 * what is not there; or nil. */
static VALUE show_row(VALUE module, VALUE record)
{
    katsu_row row;
    katsu_row_places places = {0};
    if (!katsu_type_p(record, T_OBJECT) || !katsu_row_read(record, &row, &places)) return Qnil;
    return rb_ary_new_from_args(6, row.changed ? Qtrue : Qfalse, row.casted ? Qtrue : Qfalse,
                                row.columns ? row.columns : Qnil, row.values ? row.values : Qnil,
                                row.types ? row.types : Qnil, row.own_types ? row.own_types : Qnil);
}

void katsu_init_row(void)
{
    katsu_init_ivar_slot();
    katsu_init_hash_peek();
    katsu_ivar_slot_init(&slot_attributes, "@attributes");
    katsu_ivar_slot_init(&slot_set_attributes, "@attributes");
    katsu_ivar_slot_init(&slot_set_casted, "@casted_values");
    katsu_ivar_slot_init(&slot_set_values, "@values");
    katsu_ivar_slot_init(&slot_set_types, "@types");
    katsu_ivar_slot_init(&slot_set_own_types, "@additional_types");
    katsu_ivar_slot_init(&slot_row_columns, "@column_indexes");
    katsu_ivar_slot_init(&slot_row_values, "@row");
    katsu_ivar_slot_init(&slot_association_cache, "@association_cache");
    katsu_ivar_slot_init(&slot_target, "@target");
    katsu_ivar_slot_init(&slot_loaded, "@loaded");
    katsu_ivar_slot_init(&slot_stale_state, "@stale_state");
    katsu_ivar_slot_init(&slot_attribute_value, "@value");
    katsu_ivar_slot_init(&slot_attribute_type, "@type");
    katsu_ivar_slot_init(&slot_attribute_raw, "@value_before_type_cast");
    for (int i = 0; i < ROW_CLASSES; i++) rb_global_variable(&row_classes[i]);
    rb_define_singleton_method(katsu_mNative, "row_classes=", set_row_classes, 1);
    rb_define_singleton_method(katsu_mNative, "row", show_row, 1);
    rb_define_singleton_method(katsu_mNative, "attribute", show_attribute, 2);
}
