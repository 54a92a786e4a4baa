/* See row_prefetch.h. */
#include "records/row_prefetch.h"

#ifdef KATSU_LAYOUT_ID
/* How many records before its turn each part of a record is prefetched. */
enum { RECORD = 31, SET = KATSU_PREFETCH_SET, SET_VARIABLES = 25, VALUES = 23, ROW = 21, STRINGS = 19 };

#define AT KATSU_PREFETCH_AT

/* The variables of an object, if they lie apart from it. */
static void prefetch_variables(VALUE object, uint64_t layout_id, unsigned short index)
{
#ifdef KATSU_IVARS_APART
    if (!RB_SPECIAL_CONST_P(object) && KATSU_LAYOUT_ID(object) == layout_id)
        KATSU_PREFETCH((void *)&KATSU_IVARS(object)[index]);
#endif
}

/* Each of these prefetches what the next one reads, of an object that is in the cache by then, and returns it. 0 if the
 * object is laid out in another way than p says. */

static VALUE prefetch_set(VALUE record, const katsu_row_places *p)
{
    if (!katsu_ivars_reach(record, p->record, p->attributes)) return 0;
    VALUE set = KATSU_IVARS(record)[p->attributes];
    katsu_touch(set, 80);
    return set;
}

static VALUE prefetch_values(VALUE set, const katsu_row_places *p)
{
    if (!katsu_ivars_reach(set, p->set, p->in_set)) return 0;
    const VALUE *in_set = KATSU_IVARS(set);
    KATSU_PREFETCH((void *)in_set[p->values]);
    KATSU_PREFETCH((void *)in_set[p->changed]);
    KATSU_PREFETCH((void *)in_set[p->casted]);
    return in_set[p->values];
}

/* The probable address of a small Hash's pairs, which is enough for a prefetch. */
static void prefetch_table(VALUE hash)
{
#if RUBY_API_VERSION_CODE < 30300
    katsu_touch(((const VALUE *)hash)[2], 136);
#else
    katsu_touch(hash, 160);
#endif
}

static VALUE prefetch_row(VALUE values, const katsu_row_places *p)
{
    if (!p->row) {
        if (!katsu_type_p(values, T_HASH)) return 0;
        prefetch_table(values);
        return values;
    }
    if (!katsu_ivars_reach(values, p->row, p->in_row)) return 0;
    VALUE array = KATSU_IVARS(values)[p->array];
    katsu_touch(array, 80);
    return array;
}

static void prefetch_strings(VALUE array, uint64_t wanted)
{
    if (!katsu_type_p(array, T_ARRAY)) return;
    const VALUE *strings = RARRAY_CONST_PTR(array);
    long count = RARRAY_LEN(array);
    for (long i = 0; i < count && wanted; i++, wanted >>= 1) {
        if (wanted & 1) katsu_touch(strings[i], 128);
    }
}

void katsu_prefetch_late(katsu_prefetch_ring *ring, const katsu_row_places *p, uint64_t wanted, VALUE early,
                         VALUE record, long index, int later)
{
    prefetch_variables(early, p->record, p->attributes);
    AT(ring->sets, index, SET - later) = prefetch_set(record, p);
    prefetch_variables(AT(ring->sets, index, SET_VARIABLES - later), p->set, p->values);
    AT(ring->values, index, VALUES - later) = prefetch_values(AT(ring->sets, index, VALUES - later), p);
    AT(ring->rows, index, ROW - later) = prefetch_row(AT(ring->values, index, ROW - later), p);
    prefetch_strings(AT(ring->rows, index, STRINGS - later), wanted);
}

void katsu_prefetch_records(katsu_prefetch_ring *ring, const katsu_row_places *p, uint64_t wanted, const VALUE *records,
                            long index)
{
    if (!RB_SPECIAL_CONST_P(records[RECORD])) KATSU_PREFETCH((void *)records[RECORD]);
    katsu_prefetch_late(ring, p, wanted, records[KATSU_PREFETCH_VARIABLES], records[SET], index, 0);
}
#endif
