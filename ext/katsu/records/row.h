/* An ActiveRecord record's values, without a call into Ruby.
 *
 *   loaded: record @attributes -> LazyAttributeSet @values -> IndexedRow @row (Rails 8)   or a Hash (Rails 7)
 *   new:    record @attributes -> AttributeSet @attributes -> a Hash of Attribute objects
 *
 * What differs from that layout in anything is not read here; public readers serve then.
 */
#ifndef KATSU_ROW_H
#define KATSU_ROW_H

#include "records/hash_peek.h"
#include "records/ivar_slot.h"

/* Where records keep what is read here: the layout ids (see ivar_slot.h) of a record, its set and its row, and the
 * indexes of their variables. All zero: not known. row is 0 if rows are Hashes. */
typedef struct {
    uint64_t record, set, row;
    unsigned short attributes, changed, casted, values, types, own_types, columns, array;
    unsigned short in_set, in_row; /* the furthest */
} katsu_row_places;

/* Whether a loaded association can have become stale: never; if the key in a column differs from the one that it
 * was loaded by; or in a way that only ActiveRecord knows. As Katsu::Source has them. */
typedef enum { STALE_NEVER, STALE_BY_KEY, STALE_UNKNOWN } katsu_staleness;

/* A Hash with up to this many pairs, of a row or of a new record, is copied into `names` and `spread`. */
#define KATSU_SPREAD 32

typedef struct {
    VALUE changed;        /* Hash of Attribute objects made so far: those decide; 0 if empty */
    VALUE casted;         /* Hash of values read so far; 0 if empty */
    uint64_t known_steps; /* a bit a step, the last for all from 63 on: its column may be in one of the two */
    VALUE columns;        /* Hash of positions in values by name; 0 if values is a Hash by name */
    VALUE values;         /* Array, or Hash; 0 if there are only Attribute objects */
    VALUE types;          /* of the columns of values */
    /* Hash of types by name that the record was given, which take precedence; 0 if there are no values */
    VALUE own_types;
    /* how many pairs `names` and `spread` have: of the Hash or, without values, of `changed` */
    long count;
    bool direct; /* values is a Hash whose pairs are read in place, and not spread out */
    VALUE names[KATSU_SPREAD], spread[KATSU_SPREAD];
} katsu_row;

/* True if values are read by their position: those of an Array, or of a Hash that is spread out or read in place. */
KATSU_INLINE bool katsu_row_positioned_p(const katsu_row *row)
{
    return row->columns || row->direct || row->count;
}

/* The value at a position found in this row or one with the same columns, of a Hash under that name; Qundef if an Array
 * ends before it, or a Hash has been changed. */
KATSU_INLINE VALUE katsu_row_at(const katsu_row *row, int position, VALUE name)
{
    if (KATSU_UNLIKELY(!row->columns))
        return row->direct ? katsu_hash_peek(row->values, position, name) : row->spread[position];
    return KATSU_LIKELY(position < RARRAY_LEN(row->values)) ? RARRAY_CONST_PTR(row->values)[position] : Qundef;
}

/* False if the record, a T_OBJECT, is not laid out as above. */
bool katsu_row_read(VALUE record, katsu_row *row, katsu_row_places *places);
/* Spreads out the Hash of values, or the new record's. */
void katsu_row_spread(katsu_row *row);
/* Prefetches a record's association cache: its variable in the record (1), then the Hash (2). */
void katsu_prefetch_cache(VALUE record, int stage);
/* The association of a record whose cache was prefetched, prefetched in turn; 0 if there is none. */
VALUE katsu_prefetch_association(VALUE record, VALUE name);
/* The target of an association that was prefetched, prefetched in turn; 0 if there is none. */
VALUE katsu_prefetch_target(VALUE association);
/* The loaded target of an association that cannot be stale, or Qundef: the record's reader has to be called then.
 * key: the column that the association goes by, of that type. */
VALUE katsu_row_target(VALUE record, VALUE name, katsu_staleness staleness, VALUE key, VALUE type);
/* What an Attribute object holds. */
typedef struct {
    VALUE raw;   /* as the database gave it; Qundef if it came from elsewhere */
    VALUE value; /* what it was cast to; Qundef before that */
} katsu_attribute;

/* False if it is of a class that is not known, or of another type. */
bool katsu_attribute_read(VALUE object, VALUE type, katsu_attribute *attribute);

#endif
