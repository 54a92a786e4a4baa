/* Hashes of up to KATSU_HASH_COPY_SIZE pairs, copied to the C stack and written from there: rb_hash_foreach costs more
 * than their pairs do, as it has to be ready for anything. If Ruby was called meanwhile the copy is brought up to
 * date, so that what changed in the Hash has the effect that it has in a walk: a pair that is gone is not written, and
 * a new one is an error.
 */
#ifndef KATSU_HASH_COPY_H
#define KATSU_HASH_COPY_H

#include "katsu.h"

#define KATSU_HASH_COPY_SIZE 8

typedef struct {
    VALUE keys[KATSU_HASH_COPY_SIZE], values[KATSU_HASH_COPY_SIZE]; /* Qundef: the pair is gone */
    long count;
} katsu_hash_copy;

void katsu_hash_copy_update(katsu_hash_copy *copy, VALUE hash);

#if defined(HAVE_RB_HASH_STLIKE_FOREACH) && !defined(KATSU_UNKNOWN_RUBY)
#define KATSU_HAVE_HASH_COPY 1
/* Exported by Ruby for its own extensions, and not in its headers. It calls nothing but each. */
int rb_hash_stlike_foreach(VALUE hash, int (*each)(st_data_t, st_data_t, st_data_t), st_data_t arg);
/* Walks a Hash; each must not call Ruby. */
#define katsu_hash_each(hash, each, arg) rb_hash_stlike_foreach(hash, each, (st_data_t)(arg))

static inline int katsu_hash_copy_add(st_data_t key, st_data_t value, st_data_t arg)
{
    katsu_hash_copy *copy = (katsu_hash_copy *)arg;
    if (copy->count == KATSU_HASH_COPY_SIZE) return ST_STOP;
    copy->keys[copy->count] = (VALUE)key;
    copy->values[copy->count++] = (VALUE)value;
    return ST_CONTINUE;
}

/* True for the size of a Hash that is copied. */
#define katsu_hash_copy_p(size) ((size) <= KATSU_HASH_COPY_SIZE)

/* Takes the first pairs of a Hash that has more. */
KATSU_INLINE void katsu_hash_copy_take(katsu_hash_copy *copy, VALUE hash)
{
    copy->count = 0;
    katsu_hash_each(hash, katsu_hash_copy_add, copy);
}
#else
#define katsu_hash_each(hash, each, arg) rb_hash_foreach(hash, each, (VALUE)(arg))
#define katsu_hash_copy_p(size) false
#define katsu_hash_copy_take(copy, hash) ((copy)->count = 0)
#endif

#endif
