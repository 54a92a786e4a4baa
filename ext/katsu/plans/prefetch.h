/* Looking ahead in a collection of records.
 *
 * A record, its attribute set, the row and the strings are loads that each wait for the one before; in a large
 * collection each misses the cache. So records further on are touched in stages while one is written: nothing
 * is read there that is not read again, and checked, when its turn comes.
 */
#ifndef KATSU_AHEAD_H
#define KATSU_AHEAD_H

#include "plans/execution.h"

#define KATSU_AHEAD 32
/* Fewer records than this are in the cache since they were loaded, and asking for them costs more than it brings. */
#ifdef KATSU_FORM
#define KATSU_MANY 2000
#else
#define KATSU_MANY LONG_MAX
#endif

/* What was met on the way to each record's strings, by the record's index; 0 where there is none. */
typedef struct {
    VALUE sets[KATSU_AHEAD], values[KATSU_AHEAD], rows[KATSU_AHEAD];
} katsu_way;

typedef struct {
    const katsu_step *step;  /* the first association, or NULL */
    bool ready;              /* step has been looked for */
    katsu_way records, targets;
    VALUE associations[KATSU_AHEAD], target[KATSU_AHEAD]; /* the same on the way to the targets */
} katsu_ahead;

#ifdef KATSU_FORM
void katsu_ahead_init(katsu_ahead *ahead);
/* records: the one to be written and at least KATSU_AHEAD more; index: of the first. */
void katsu_ahead_look(katsu_ahead *ahead, const katsu_run *run, const VALUE *records, long index);
#else
#define katsu_ahead_init(ahead) ((void)(ahead))
#define katsu_ahead_look(ahead, run, records, index) ((void)(ahead))
#endif

#endif
