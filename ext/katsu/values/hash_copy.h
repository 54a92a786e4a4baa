/* Hashes of up to KATSU_FEW pairs, copied to the C stack and written from there: rb_hash_foreach costs more than
 * their pairs do, as it has to be ready for anything. Where Ruby was called meanwhile the copy is brought up to
 * date, so that what changed in the Hash has the effect that it has in a walk: a pair that is gone is not written,
 * and a new one is an error.
 */
#ifndef KATSU_FEW_H
#define KATSU_FEW_H

#include "katsu.h"

#define KATSU_FEW 8

typedef struct {
    VALUE keys[KATSU_FEW], values[KATSU_FEW]; /* Qundef: the pair is gone */
    long count;
} katsu_few;

void katsu_few_update(katsu_few *few, VALUE hash);

#if defined(HAVE_RB_HASH_STLIKE_FOREACH) && !defined(KATSU_UNKNOWN_RUBY)
#define KATSU_HAVE_FEW 1
/* Exported by Ruby for its own extensions, and not in its headers. It calls nothing but each. */
int rb_hash_stlike_foreach(VALUE hash, int (*each)(st_data_t, st_data_t, st_data_t), st_data_t arg);
/* Walks a Hash; each must not call Ruby. */
#define katsu_hash_each(hash, each, arg) rb_hash_stlike_foreach(hash, each, (st_data_t)(arg))

static inline int katsu_few_add(st_data_t key, st_data_t value, st_data_t arg)
{
    katsu_few *few = (katsu_few *)arg;
    if (few->count == KATSU_FEW) return ST_STOP;
    few->keys[few->count] = (VALUE)key;
    few->values[few->count++] = (VALUE)value;
    return ST_CONTINUE;
}

/* False where the Hash has more. */
KATSU_INLINE bool katsu_few_copy(katsu_few *few, VALUE hash)
{
    if (RHASH_SIZE(hash) > KATSU_FEW) return false;
    few->count = 0;
    katsu_hash_each(hash, katsu_few_add, few);
    return true;
}
#else
#define katsu_hash_each(hash, each, arg) rb_hash_foreach(hash, each, (VALUE)(arg))
#define katsu_few_copy(few, hash) ((few)->count = 0, false)
#endif

#endif
