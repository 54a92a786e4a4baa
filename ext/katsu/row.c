/* See row.h. */
#include "row.h"

static katsu_slot slot_attributes, slot_set_attributes, slot_set_casted, slot_set_values, slot_set_types,
    slot_row_columns, slot_row_values;
katsu_slot katsu_slot_association_cache, katsu_slot_target, katsu_slot_loaded;

/* ActiveModel::LazyAttributeSet and ActiveRecord::Result::IndexedRow; 0 until row_classes= is called, which
 * is done once ActiveRecord is loaded and its layout has been found to be as row.h says. */
static VALUE set_class, row_class;

static inline bool object_p(VALUE value)
{
    return !RB_SPECIAL_CONST_P(value) && RB_BUILTIN_TYPE(value) == T_OBJECT;
}

static inline bool hash_p(VALUE value)
{
    return !RB_SPECIAL_CONST_P(value) && RB_BUILTIN_TYPE(value) == T_HASH;
}

static inline VALUE filled(VALUE hash)
{
    return RHASH_SIZE(hash) ? hash : 0;
}

bool katsu_row_read(VALUE record, katsu_row *row)
{
    VALUE set = katsu_slot_get(&slot_attributes, record);
    if (KATSU_UNLIKELY(!object_p(set) || RBASIC_CLASS(set) != set_class)) return false;
    VALUE changed = katsu_slot_get(&slot_set_attributes, set);
    VALUE casted = katsu_slot_get(&slot_set_casted, set);
    if (KATSU_UNLIKELY(!hash_p(changed) || !hash_p(casted))) return false;
    row->changed = filled(changed);
    row->casted = filled(casted);
    row->types = katsu_slot_get(&slot_set_types, set);
    VALUE values = katsu_slot_get(&slot_set_values, set);
    if (KATSU_LIKELY(object_p(values) && RBASIC_CLASS(values) == row_class)) {
        row->columns = katsu_slot_get(&slot_row_columns, values);
        row->values = katsu_slot_get(&slot_row_values, values);
        return hash_p(row->columns) && !RB_SPECIAL_CONST_P(row->values) && RB_BUILTIN_TYPE(row->values) == T_ARRAY;
    }
    row->columns = 0;
    row->values = values;
    return hash_p(values);
}

void katsu_row_prefetch(VALUE record, int stage)
{
    if (!object_p(record)) return;
    VALUE *place = katsu_slot_peek(&slot_attributes, record);
    if (!place) return;
    if (stage == 1) {
        KATSU_PREFETCH((void *)*place);
        return;
    }
    VALUE set = *place;
    if (!object_p(set) || !(place = katsu_slot_peek(&slot_set_values, set))) return;
    if (stage == 2) {
        KATSU_PREFETCH((void *)*place);
        return;
    }
    VALUE values = *place;
    if (!object_p(values) || !(place = katsu_slot_peek(&slot_row_values, values))) return;
    KATSU_PREFETCH((void *)*place);
}

VALUE katsu_row_target(VALUE record, VALUE name)
{
    katsu_row row;
    VALUE cache = katsu_slot_get(&katsu_slot_association_cache, record);
    if (!hash_p(cache)) return Qundef;
    VALUE association = rb_hash_lookup2(cache, name, Qnil);
    if (!object_p(association) || katsu_slot_get(&katsu_slot_loaded, association) != Qtrue) return Qundef;
    /* A key that was written since may have made the target stale; the public reader knows. */
    if (!katsu_row_read(record, &row) || row.changed) return Qundef;
    return katsu_slot_get(&katsu_slot_target, association);
}

/* Katsu::Native.row_classes = [LazyAttributeSet, IndexedRow or nil] */
static VALUE set_row_classes(VALUE module, VALUE classes)
{
    Check_Type(classes, T_ARRAY);
    set_class = rb_ary_entry(classes, 0);
    row_class = rb_ary_entry(classes, 1);
    if (NIL_P(set_class)) set_class = 0;
    if (NIL_P(row_class)) row_class = 0;
    return classes;
}

/* Katsu::Native.row(record): [changed?, read?, columns, values, types] as the engine sees them, or nil. */
static VALUE show_row(VALUE module, VALUE record)
{
    katsu_row row;
    if (!object_p(record) || !katsu_row_read(record, &row)) return Qnil;
    return rb_ary_new_from_args(5, row.changed ? Qtrue : Qfalse, row.casted ? Qtrue : Qfalse,
                                row.columns ? row.columns : Qnil, row.values, row.types);
}

void katsu_init_row(void)
{
    katsu_init_slot();
    slot_attributes.name = slot_set_attributes.name = rb_intern("@attributes");
    slot_set_casted.name = rb_intern("@casted_values");
    slot_set_values.name = rb_intern("@values");
    slot_set_types.name = rb_intern("@types");
    slot_row_columns.name = rb_intern("@column_indexes");
    slot_row_values.name = rb_intern("@row");
    katsu_slot_association_cache.name = rb_intern("@association_cache");
    katsu_slot_target.name = rb_intern("@target");
    katsu_slot_loaded.name = rb_intern("@loaded");
    rb_global_variable(&set_class);
    rb_global_variable(&row_class);
    rb_define_singleton_method(katsu_mNative, "row_classes=", set_row_classes, 1);
    rb_define_singleton_method(katsu_mNative, "row", show_row, 1);
}
