/* See prefetch.h. */
#include "plans/prefetch.h"
#include "casts/cast.h"

#ifdef KATSU_LAYOUT_ID
/* How many records before its turn each part of a record is prefetched. */
enum { RECORD = 31, VARIABLES = 29, SET = 27, SET_VARIABLES = 25, VALUES = 23, ROW = 21, STRINGS = 19 };
/* A target's parts are prefetched so much later than its record's, as it is found by them. */
enum { CACHE = 28, ASSOCIATIONS = 26, ASSOCIATION = 24, TARGET = 22, FIRST = 20, LATER = 12 };

/* An element of a ring: that of the object so many further on. */
#define AT(ring, index, distance) (ring)[((index) + (distance)) % KATSU_PREFETCH_DISTANCE]

void katsu_prefetch_init(katsu_prefetch *prefetch)
{
    memset(prefetch, 0, sizeof *prefetch);
}

static void find_association(katsu_prefetch *prefetch, const katsu_node *node)
{
    prefetch->ready = true;
    for (long i = 0; i < node->plan->count && !prefetch->step; i++) {
        if (node->plan->steps[i].plan_object && node->layout->access[i].how == HOW_ASSOCIATION)
            prefetch->step = &node->plan->steps[i];
    }
}

/* One part of each record or target further on. early, object: those at VARIABLES - later and SET - later,
 * prefetched before. */
static void prefetch_next_stage(katsu_prefetch_ring *way, const katsu_node *node, VALUE early, VALUE object, long index,
                                int later)
{
    if (!node || !node->layout) return; /* before the first target */
    const katsu_row_places *places = &node->layout->places;
    katsu_prefetch_variables(early, places->record, places->attributes);
    AT(way->sets, index, SET - later) = katsu_prefetch_set(object, places);
    katsu_prefetch_variables(AT(way->sets, index, SET_VARIABLES - later), places->set, places->values);
    AT(way->values, index, VALUES - later) = katsu_prefetch_values(AT(way->sets, index, VALUES - later), places);
    AT(way->rows, index, ROW - later) = katsu_prefetch_row(AT(way->values, index, ROW - later), places);
    katsu_prefetch_strings(AT(way->rows, index, STRINGS - later), node->positions);
}

/* The way to an associated record is long too: cache, association, target and, of a collection, its Array. */
static void prefetch_targets(katsu_prefetch *prefetch, const katsu_node *node, const VALUE *records, long index)
{
    const katsu_step *step = prefetch->step;
    VALUE known;
    katsu_prefetch_cache(records[CACHE], 1);
    katsu_prefetch_cache(records[ASSOCIATIONS], 2);
    AT(prefetch->associations, index, ASSOCIATION) = katsu_prefetch_association(records[ASSOCIATION], step->symbol);
    known = AT(prefetch->associations, index, TARGET);
    AT(prefetch->target, index, TARGET) = known ? katsu_prefetch_target(known) : 0;
    if (step->kind == STEP_HAS_MANY && (known = AT(prefetch->target, index, FIRST))) {
        VALUE first = katsu_type_p(known, T_ARRAY) && RARRAY_LEN(known) ? RARRAY_CONST_PTR(known)[0] : 0;
        AT(prefetch->target, index, FIRST) = first;
        if (first && !RB_SPECIAL_CONST_P(first)) KATSU_PREFETCH((void *)first);
    }
    prefetch_next_stage(&prefetch->targets, node->inner[step->inner], AT(prefetch->target, index, VARIABLES - LATER),
                        AT(prefetch->target, index, SET - LATER), index, LATER);
}

void katsu_prefetch_next(katsu_prefetch *prefetch, const katsu_node *node, const VALUE *records, long index)
{
    if (KATSU_UNLIKELY(!prefetch->ready)) find_association(prefetch, node);
    if (!RB_SPECIAL_CONST_P(records[RECORD])) KATSU_PREFETCH((void *)records[RECORD]);
    prefetch_next_stage(&prefetch->records, node, records[VARIABLES], records[SET], index, 0);
    if (prefetch->step) prefetch_targets(prefetch, node, records, index);
}
#endif
