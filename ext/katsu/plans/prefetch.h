/* Prefetching in a collection of records, and of their first association's targets. See records/row_prefetch.h. */
#ifndef KATSU_PREFETCH_H
#define KATSU_PREFETCH_H

#include "plans/row_bind.h"
#include "records/row_prefetch.h"

/* Fewer records than this are in the cache since they were loaded, and prefetching them costs more than it saves. */
#ifdef KATSU_LAYOUT_ID
#define KATSU_PREFETCH_FROM 2000
#else
#define KATSU_PREFETCH_FROM LONG_MAX
#endif

typedef struct {
    const katsu_step *step; /* the first association, or NULL */
    bool ready;             /* step has been searched for */
    katsu_prefetch_ring records, targets;
    /* the same on the way to the targets */
    VALUE associations[KATSU_PREFETCH_DISTANCE], target[KATSU_PREFETCH_DISTANCE];
} katsu_prefetch;

#ifdef KATSU_LAYOUT_ID
void katsu_prefetch_init(katsu_prefetch *prefetch);
/* records: the one to be written and at least KATSU_PREFETCH_DISTANCE more; index: of the first. */
void katsu_prefetch_next(katsu_prefetch *prefetch, const katsu_node *node, const VALUE *records, long index);
#else
#define katsu_prefetch_init(prefetch) ((void)(prefetch))
#define katsu_prefetch_next(prefetch, node, records, index) ((void)(prefetch))
#endif

#endif
