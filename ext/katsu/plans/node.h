/* Nodes: what one call of a plan knows of each plan in its tree.
 *
 * A plan and its associations' plans are a tree. Each path that the objects take in it gets a node when it is first
 * entered. From KATSU_MAX_OWN_NODES on, paths of the same depth and the same plan share one, as only one of them is
 * written at a time. Nodes lie on the C stack of the call, and further ones in temporary buffers that Ruby marks, so
 * calls share nothing.
 */
#ifndef KATSU_NODE_H
#define KATSU_NODE_H

#include "plans/plan.h"
#include "values/generate.h"

/* A step whose column is in the rows of a batch, with all that writing it takes. */
typedef struct {
    const char *text; /* see katsu_step */
    unsigned length;
    int position; /* of the column in a row; -1: not there */
    VALUE name;   /* of the column if rows are Hashes: the key at that position */
    unsigned char cast;
    bool unconditional; /* the column alone decides: no method, condition or depth */
} katsu_cell;

struct katsu_batch;
typedef struct katsu_readers katsu_readers;
typedef struct katsu_code katsu_code;

typedef struct katsu_node {
    const katsu_plan *plan;
    VALUE plan_object;
    struct katsu_node *instanced; /* the node before that made a serializer; see katsu_batch */
    VALUE instance;               /* the serializer that method fields run in; 0 until one is needed */
    VALUE class;                  /* that layout is for; 0 before the first object */
    VALUE layout_object;
    katsu_layout *layout;
    /* the Hash that the cells' positions come from, or Qtrue if rows are Hashes; 0 before the first row */
    VALUE columns;
    /* the Hash of a record's own types that was looked at last and has none of the columns; 0 before that */
    VALUE own_types;
    VALUE built; /* the Hash of an object before; 0 before the first */
    /* of the class, compared when generator.calls was readers_calls; NULL if they are not known. See readers.h */
    katsu_readers *readers;
    VALUE readers_object;
    unsigned readers_calls;
    unsigned met, try_at, gap, lost; /* objects, and when to compare readers again */
    katsu_code *code;                /* NULL before the code of a field is called; see code_row.c */
    katsu_cell *cells;               /* one a step */
    uint64_t positions;              /* a bit for each position under 64 that a cell has */
    katsu_frame frame;               /* the step being written, for errors; its index is KATSU_STEP */
    katsu_frame element;             /* the element of a collection being written */
    /* the same of a collection that is polymorphic or written as a Hash, which is the step being written */
    katsu_frame polymorphic_element;
    long depth;                /* of the path */
    struct katsu_node **inner; /* the nodes of the associations, NULL until they are entered */
    struct katsu_node *next;   /* of the same polymorphic association, or in the same bucket of the batch's table */
} katsu_node;

#define KATSU_MAX_OWN_NODES 64

/* The index of a node's own frame, and of no other. */
#define KATSU_STEP (-1L)

/* The node that has the step which the frame is of; NULL if it is the frame of an element, or there is none. */
KATSU_INLINE const katsu_node *katsu_node_of_step(const katsu_frame *frame)
{
    if (!frame || frame->index != KATSU_STEP) return NULL;
    return (const katsu_node *)((const char *)frame - offsetof(katsu_node, frame));
}

/* Memory for nodes: what is left of the C stack's or of the last buffer. */
typedef struct katsu_node_memory {
    char *at, *end;
    struct katsu_node_chunk *chunk; /* the last buffer, NULL before the first */
    VALUE buffer;                   /* that Ruby owns */
    long count;                     /* of nodes made */
    katsu_node **table;             /* of nodes that paths share, NULL before the first */
} katsu_node_memory;

void katsu_node_memory_init(katsu_node_memory *memory, void *stack, size_t size);
/* Memory of the call, aligned as size is. Ruby marks what lies in it. */
void *katsu_node_memory_take(katsu_node_memory *memory, size_t size);
void katsu_node_memory_free(katsu_node_memory *memory);

/* The node of the outermost plan; of an association's plan (see katsu_node_inner); and of the plan that was chosen
 * for an object of a polymorphic association. */
katsu_node *katsu_node_new(struct katsu_batch *batch, VALUE plan_object, long depth);
katsu_node *katsu_node_enter(struct katsu_batch *batch, katsu_node *node, const katsu_step *step);
katsu_node *katsu_node_polymorphic(struct katsu_batch *batch, katsu_node *node, const katsu_step *step,
                                   VALUE plan_object);

/* Makes node->layout that of class. Counts a call into Ruby. */
void katsu_node_set_layout(katsu_node *node, VALUE class, unsigned *calls);
/* The same for an object of class. Raises if it is a collection. */
void katsu_node_bind(struct katsu_batch *batch, katsu_node *node, VALUE object, VALUE class);

/* The node of an association's plan. */
KATSU_INLINE katsu_node *katsu_node_inner(struct katsu_batch *batch, katsu_node *node, const katsu_step *step)
{
    katsu_node *inner = node->inner[step->inner];
    return KATSU_LIKELY(inner != NULL) ? inner : katsu_node_enter(batch, node, step);
}

#endif
