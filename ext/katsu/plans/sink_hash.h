/* The Hash sink: objects through a plan to Hashes and Arrays. The twin of sink_json.h. */
#ifndef KATSU_SINK_HASH_H
#define KATSU_SINK_HASH_H

#include "plans/field_call.h"

/* many: object is a collection (an Array, or what has to_a). */
VALUE katsu_sink_hash(VALUE plan, VALUE object, VALUE context, VALUE scope, bool many);

/* For the sources of other rooms; see sink_json.h. */

/* A value as it stands in a Hash. */
VALUE katsu_hash_value(katsu_batch *batch, VALUE value);
VALUE katsu_hash_association(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE target);

/* So many pairs go into a Hash at once. */
#define KATSU_PAIRS 32

KATSU_INLINE VALUE katsu_hash_new(long count)
{
#ifdef HAVE_RB_HASH_NEW_CAPA
    return rb_hash_new_capa(count);
#else
    return rb_hash_new();
#endif
}

KATSU_INLINE void katsu_hash_flush_pairs(VALUE hash, VALUE *pairs, long *count)
{
    if (*count) rb_hash_bulk_insert(*count, pairs, hash);
    *count = 0;
}

#endif
