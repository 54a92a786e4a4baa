/* Values that take a call into Ruby: method fields and conditions, public readers, associations, collections. */
#ifndef KATSU_FIELD_CALL_H
#define KATSU_FIELD_CALL_H

#include "plans/execution.h"

/* Katsu::Serializer::SKIP: what a method field returns to leave its key out. */
extern VALUE katsu_skip;

/* The value of a method field. given: what its code gets as the object, which is the object or a row object in its
 * place. */
VALUE katsu_call_field(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE given);
/* True if all conditions of the step hold. given: as above. */
bool katsu_conditions_hold(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE given);
/* The value as Katsu::Source.read_for finds it: the fallback for all that is not read in another way. json: whether it
 * is for JSON, not for a Hash. */
VALUE katsu_read_value(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, bool json);
/* The value of the object's own public method. */
VALUE katsu_call_reader(katsu_batch *batch, const katsu_step *step, VALUE object);
/* A Hash source's value; Qundef if the key is not there. */
VALUE katsu_hash_lookup(const katsu_step *step, const katsu_access *access, VALUE hash);
/* The object or objects of an association. */
VALUE katsu_association_target(katsu_batch *batch, katsu_node *node, const katsu_step *step, const katsu_access *access,
                               VALUE object);
/* An Array of the objects that a has_many or a caller gave. step: the has_many, of the node's plan; NULL for a caller.
 * Raises if it is one object. */
VALUE katsu_collection_elements(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE objects);

/* The objects of a collection that is written as a Hash, by their keys: keys and objects in turns. */
VALUE katsu_keyed_pairs(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE objects);

/* The first raises if a collection was given for one object, the second if the text of a JSON column is not JSON.
 * record: the record, or [table, row] as in Katsu::Source.refuse_json. */
NORETURN(void katsu_refuse_collection(const katsu_batch *batch, const katsu_node *node, VALUE object));
NORETURN(void katsu_refuse_json_column(const katsu_batch *batch, const katsu_node *node, VALUE record, VALUE text));

#endif
