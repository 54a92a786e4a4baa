/* Prefetching the records further on in an Array.
 *
 * A record, its attribute set, the row and the strings are loads that each wait for the one before; in a large
 * collection each misses the cache. So records further on are touched in stages while one is read: nothing is read
 * there that is not read again, and checked, when its turn comes.
 */
#ifndef KATSU_ROW_PREFETCH_H
#define KATSU_ROW_PREFETCH_H

#include "records/row.h"

#define KATSU_PREFETCH_DISTANCE 32
/* How many records before its turn the variables of a record and its attribute set are prefetched. */
#define KATSU_PREFETCH_VARIABLES 29
#define KATSU_PREFETCH_SET 27

/* An element of a ring: that of the object so many further on. */
#define KATSU_PREFETCH_AT(ring, index, distance) (ring)[((index) + (distance)) % KATSU_PREFETCH_DISTANCE]

KATSU_INLINE void katsu_touch(VALUE value, size_t bytes)
{
    for (size_t offset = 0; offset < bytes; offset += 64) KATSU_PREFETCH((char *)value + offset);
}

/* What was met on the way to each record's strings, by the record's index; 0 if there is none. */
typedef struct {
    VALUE sets[KATSU_PREFETCH_DISTANCE], values[KATSU_PREFETCH_DISTANCE], rows[KATSU_PREFETCH_DISTANCE];
} katsu_prefetch_ring;

#ifdef KATSU_LAYOUT_ID
/* Prefetches one part of each of the next records. records: the one to be read and at least KATSU_PREFETCH_DISTANCE
 * more. index: of the first. wanted: a bit for each position in the Array of a row whose String is read. */
void katsu_prefetch_records(katsu_prefetch_ring *ring, const katsu_row_places *p, uint64_t wanted, const VALUE *records,
                            long index);
/* The same if records are found late, as associated ones are: each part is prefetched `later` records later. early: the
 * record that is KATSU_PREFETCH_VARIABLES - later ahead; record: the one that is KATSU_PREFETCH_SET - later ahead. */
void katsu_prefetch_late(katsu_prefetch_ring *ring, const katsu_row_places *p, uint64_t wanted, VALUE early,
                         VALUE record, long index, int later);
#else
#define katsu_prefetch_records(ring, p, wanted, records, index) ((void)(ring))
#endif

#endif
