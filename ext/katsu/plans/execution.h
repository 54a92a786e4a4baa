/* One call of a plan: a batch, and the nodes (node.h) of the plans that its objects reach. */
#ifndef KATSU_EXECUTION_H
#define KATSU_EXECUTION_H

#include "casts/cast.h"
#include "plans/node.h"

/* The associations being written whose depth counts: a chain on the C stack. */
typedef struct katsu_nesting {
    VALUE identity;
    long times;       /* that the association stands within itself, this one counted */
    long polymorphic; /* the polymorphic associations in the whole chain */
    struct katsu_nesting *up;
} katsu_nesting;

typedef struct katsu_batch {
    katsu_generator generator;
    katsu_buffer buffer;
    VALUE context, scope;
    VALUE io; /* 0, or what receives the elements of a collection in chunks */
    katsu_node_memory memory;
    katsu_nesting *nesting;
    unsigned readers_from;    /* the object of a node from whose number on its readers are compared; see readers.h */
    bool association_readers; /* their readers are called, even if they are loaded */
    bool own_as_json;         /* a class of values has an as_json of the application's: see katsu_standard */
    bool polymorphic;         /* there are polymorphic associations, some of whose nodes are freed */
    /* The serializers that method fields run in, one for each plan: in these nodes; and by plan in a Hash, or 0, if
     * there are polymorphic associations or other calls have the same serializers. */
    katsu_node *instanced;
    VALUE instances;
    struct { /* the method field, block or condition that is being called; node is NULL between calls */
        const katsu_node *node;
        const katsu_frame *frame;
        VALUE object;
    } field;
    bool choosing; /* the plan of a polymorphic association's object is being chosen */
    katsu_times times;
} katsu_batch;

/* What a sink makes of the object, or the objects, of a call. */
typedef VALUE katsu_sink(katsu_batch *batch, katsu_node *node, VALUE object);

/* One call: starts a batch, enters the plan's node and calls the sink. An error that a method field raises is given its
 * place, and so is one of an object that a polymorphic association has no plan for. */
VALUE katsu_execute(VALUE plan, VALUE object, VALUE context, VALUE scope, VALUE io, katsu_sink *sink);
/* The same within a batch, for a part of what the call writes, if code of the application may rescue what it raises. */
VALUE katsu_call_sink(katsu_batch *batch, katsu_node *node, VALUE object, katsu_sink *sink);
/* The same for an object of a polymorphic association, by the plan of its class and within the batch. nil for nil. */
VALUE katsu_execute_polymorphic(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object,
                                katsu_sink *sink);

/* True if the association may not stand within itself again. */
bool katsu_depth_reached(const katsu_batch *batch, const katsu_step *step);
/* Before an association whose depth counts; the caller sets batch->nesting back to here->up. */
void katsu_enter_association(katsu_batch *batch, katsu_nesting *here, const katsu_step *step);

#endif
