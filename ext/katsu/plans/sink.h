/* Objects through a plan: to JSON, or to Hashes. */
#ifndef KATSU_SERIALIZE_H
#define KATSU_SERIALIZE_H

#include "katsu.h"

/* many: objects is a collection (an Array, a Katsu::Stream, or what has to_a). io: 0, or what receives them in chunks and is
 * returned. */
VALUE katsu_serialize(VALUE plan, VALUE object, VALUE context, VALUE scope, VALUE io, bool many);
VALUE katsu_build(VALUE plan, VALUE object, VALUE context, VALUE scope, bool many);

#endif
