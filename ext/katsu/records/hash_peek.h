/* The pairs of a Hash, read by their position.
 *
 * The rows of ActiveRecord 7.2, and of a join on each version, are Hashes with the same keys, and to walk one takes a
 * sixth of a record's instructions. If its memory is laid out as it was found to be when the extension was loaded, the
 * pair at a known position is read there, and taken only if its key is the very object that is expected. If not, or on
 * a Ruby that is not known, the Hash is walked.
 */
#ifndef KATSU_HASH_PEEK_H
#define KATSU_HASH_PEEK_H

#include "katsu.h"

#if defined(KATSU_UNKNOWN_RUBY) || SIZEOF_VALUE != 8
/* Not read in place. */
#elif RUBY_API_VERSION_CODE >= 30100 && RUBY_API_VERSION_CODE < 30200
#define KATSU_HAVE_HASH_PEEK 1
/* A pointer to the pairs or the st_table is the first word behind flags and class. */
#define KATSU_HASH_TABLE(hash) (((void **)(hash))[2])
#define KATSU_HASH_SMALL(hash) (((void **)(hash))[2])
#elif RUBY_API_VERSION_CODE >= 30300 && RUBY_API_VERSION_CODE < 40100
#define KATSU_HAVE_HASH_PEEK 1
/* Either follows the Hash itself (flags, class, default); before the pairs are eight bytes of hints. */
#define KATSU_HASH_TABLE(hash) ((void *)((VALUE *)(hash) + 3))
#define KATSU_HASH_SMALL(hash) ((void *)((VALUE *)(hash) + 4))
#endif

#ifdef KATSU_HAVE_HASH_PEEK

/* Whether Hashes are laid out so. */
extern bool katsu_hash_peek_trusted;

/* An array of pairs, for up to eight of them; or an st_table, whose entries are hash, key and value. Both keep the
 * order of the pairs. One that is deleted leaves a gap: the last pair of such an array counts as not known, and an
 * st_table with a gap that is not at its beginning is not read. */
#define KATSU_HASH_TABLE_P(hash) ((RBASIC(hash)->flags & RUBY_FL_USER3) != 0)
#define KATSU_HASH_SMALL_SIZE(hash) ((long)(RBASIC(hash)->flags >> (RUBY_FL_USHIFT + 4) & 15))

/* The pair at a position, from 0; NULL if its key is not the same object as name. hash: a T_HASH. */
KATSU_INLINE VALUE *katsu_hash_pair(VALUE hash, int position, VALUE name)
{
    VALUE *pair;
    if (KATSU_UNLIKELY(KATSU_HASH_TABLE_P(hash))) {
        const st_table *table = (const st_table *)KATSU_HASH_TABLE(hash);
        if (table->num_entries != table->entries_bound - table->entries_start ||
            (st_index_t)position >= table->num_entries)
            return NULL;
        pair = (VALUE *)table->entries + (table->entries_start + (st_index_t)position) * 3 + 1;
    } else {
        if (position >= KATSU_HASH_SMALL_SIZE(hash)) return NULL;
        pair = (VALUE *)KATSU_HASH_SMALL(hash) + position * 2;
    }
    return KATSU_LIKELY(pair[0] == name) ? pair : NULL;
}

/* Its value; Qundef if its key is not the same object as name. */
KATSU_INLINE VALUE katsu_hash_peek(VALUE hash, int position, VALUE name)
{
    const VALUE *pair = katsu_hash_pair(hash, position, name);
    return KATSU_LIKELY(pair != NULL) ? pair[1] : Qundef;
}

/* RHASH_SIZE, which is a call. */
KATSU_INLINE size_t katsu_hash_size(VALUE hash)
{
    if (KATSU_UNLIKELY(!katsu_hash_peek_trusted || KATSU_HASH_TABLE_P(hash))) return RHASH_SIZE(hash);
    return (size_t)KATSU_HASH_SMALL_SIZE(hash);
}

/* The value under a key, which is mostly the very object that is a key of a small Hash; Qundef if there is none. */
KATSU_INLINE VALUE katsu_hash_find(VALUE hash, VALUE key)
{
    if (KATSU_LIKELY(katsu_hash_peek_trusted && !KATSU_HASH_TABLE_P(hash))) {
        const VALUE *pairs = (const VALUE *)KATSU_HASH_SMALL(hash);
        for (long i = 0, count = KATSU_HASH_SMALL_SIZE(hash); i < count; i++) {
            if (pairs[i * 2] == key) return pairs[i * 2 + 1];
        }
    }
    return rb_hash_lookup2(hash, key, Qundef);
}
/* The value under symbol or, if that is no key, under one of two equal Strings. Qundef if that is not known without a
 * lookup: the key may be another equal String, and one that is neither a Symbol nor a String decides itself what it is
 * equal to. */
KATSU_INLINE VALUE katsu_hash_peek_either(VALUE hash, VALUE symbol, VALUE string, VALUE other)
{
    VALUE found = Qundef;
    if (KATSU_UNLIKELY(!katsu_hash_peek_trusted || KATSU_HASH_TABLE_P(hash))) return Qundef;
    const VALUE *pair = (const VALUE *)KATSU_HASH_SMALL(hash);
    for (const VALUE *end = pair + KATSU_HASH_SMALL_SIZE(hash) * 2; pair < end; pair += 2) {
        if (pair[0] == symbol) return pair[1];
        if (pair[0] == string || pair[0] == other) {
            found = pair[1];
        } else if (!RB_STATIC_SYM_P(pair[0]) && !katsu_type_p(pair[0], T_STRING)) {
            return Qundef; /* or a gap, and then the last pair is not among these */
        }
    }
    return found;
}
#else
#define katsu_hash_size(hash) RHASH_SIZE(hash)
#define katsu_hash_peek_either(hash, symbol, string, other) Qundef
#define katsu_hash_find(hash, key) rb_hash_lookup2(hash, key, Qundef)
#define katsu_hash_peek_trusted false
#define katsu_hash_pair(hash, position, name) ((void)(hash), (void)(position), (void)(name), (VALUE *)NULL)
#define katsu_hash_peek(hash, position, name) ((void)(hash), (void)(position), (void)(name), Qundef)
#endif

void katsu_init_hash_peek(void);

#endif
