/* Looking ahead in a collection of records.
 *
 * A record, its attribute set, the row and the strings are loads that each wait for the one before; in a large
 * collection each misses the cache. So records further on are touched in stages while one is written: nothing
 * is read there that is not read again, and checked, when its turn comes.
 */
#ifndef KATSU_AHEAD_H
#define KATSU_AHEAD_H

#include "run.h"

#define KATSU_AHEAD 16
/* Fewer records than this are in the cache since they were loaded, and asking for them costs more than it brings. */
#define KATSU_MANY 200

typedef struct {
    const katsu_step *step;  /* the first association, or NULL */
    bool ready;              /* step has been looked for */
    VALUE associations[16];  /* of the records ahead, by their index; 0 where there is none */
    VALUE targets[16];       /* their records */
} katsu_ahead;

void katsu_ahead_init(katsu_ahead *ahead);
/* records: the one to be written and at least KATSU_AHEAD more; index: of the first. */
void katsu_ahead_look(katsu_ahead *ahead, const katsu_run *run, const VALUE *records, long index);

#endif
