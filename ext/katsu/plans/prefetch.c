/* See prefetch.h. */
#include "plans/prefetch.h"
#include "casts/cast.h"

#ifdef KATSU_LAYOUT_ID
/* How many records before its turn each part on the way to a target is prefetched. A target's own parts are prefetched
 * so much later than its record's, as it is found by them. */
enum { CACHE = 28, ASSOCIATIONS = 26, ASSOCIATION = 24, TARGET = 22, FIRST = 20, LATER = 12 };

#define AT KATSU_PREFETCH_AT

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
    node = node->inner[step->inner];
    if (!node || !node->layout) return; /* before the first target */
    katsu_prefetch_late(&prefetch->targets, &node->layout->places, node->positions,
                        AT(prefetch->target, index, KATSU_PREFETCH_VARIABLES - LATER),
                        AT(prefetch->target, index, KATSU_PREFETCH_SET - LATER), index, LATER);
}

void katsu_prefetch_next(katsu_prefetch *prefetch, const katsu_node *node, const VALUE *records, long index)
{
    if (KATSU_UNLIKELY(!prefetch->ready)) find_association(prefetch, node);
    katsu_prefetch_records(&prefetch->records, &node->layout->places, node->positions, records, index);
    if (prefetch->step) prefetch_targets(prefetch, node, records, index);
}
#endif
