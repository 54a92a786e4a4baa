/* The Hash sink: objects through a plan to Hashes and Arrays. The twin of sink_json.h. */
#ifndef KATSU_SINK_HASH_H
#define KATSU_SINK_HASH_H

#include "plans/field_call.h"

/* many: object is a collection (an Array, or what has to_a). */
VALUE katsu_sink_hash(VALUE plan, VALUE object, VALUE context, VALUE scope, bool many);
/* objects: an Array. instances: the serializers by plan, a Hash that calls share. */
VALUE katsu_sink_hash_sharing(VALUE plan, VALUE objects, VALUE context, VALUE scope, VALUE instances);

/* For the sources of other rooms; see sink_json.h. */

/* A value of the step that the frame of the node names, as it stands in a Hash. */
VALUE katsu_hash_value(katsu_batch *batch, katsu_node *node, VALUE value);
VALUE katsu_hash_association(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE target);
/* The value of a JSON column. Raises if its text is not JSON; record: see katsu_refuse_json_column. */
VALUE katsu_hash_json_column(const katsu_batch *batch, const katsu_node *node, VALUE type, VALUE text, VALUE record);

/* A Hash that is being built. So many pairs are held back, and go into it at once. */
#define KATSU_PAIRS 32

typedef struct {
    VALUE pairs[KATSU_PAIRS * 2], hash; /* 0 before the first pairs go into it */
    long filled;
} katsu_hash_building;

void katsu_hash_flush_pairs(katsu_hash_building *building, long left);
/* The Hash. */
VALUE katsu_hash_built(katsu_node *node, katsu_hash_building *building);

KATSU_INLINE void katsu_hash_begin(katsu_hash_building *building)
{
    building->hash = 0;
    building->filled = 0;
}

/* left: how many pairs there may be from this one on. */
KATSU_INLINE void katsu_hash_add(katsu_hash_building *building, VALUE key, VALUE value, long left)
{
    if (KATSU_UNLIKELY(building->filled == KATSU_PAIRS * 2)) katsu_hash_flush_pairs(building, left);
    building->pairs[building->filled++] = key;
    building->pairs[building->filled++] = value;
}

#endif
