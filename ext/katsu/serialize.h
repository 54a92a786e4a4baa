/* Objects through a plan: to JSON, or to Hashes. */
#ifndef KATSU_SERIALIZE_H
#define KATSU_SERIALIZE_H

#include "katsu.h"

/* many: objects is a collection (an Array, or what has to_a). */
VALUE katsu_serialize(VALUE plan, VALUE object, VALUE context, VALUE scope, bool many);
VALUE katsu_build(VALUE plan, VALUE object, VALUE context, VALUE scope, bool many);

#endif
