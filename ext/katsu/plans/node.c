/* Nodes: made when they are entered, and the memory that they lie in. See node.h. */
#include "plans/execution.h"
#include "plans/field_call.h"

/* A temporary buffer of Ruby's, which marks all that lies in it; its first bytes are this. */
typedef struct katsu_node_chunk {
    struct katsu_node_chunk *before;
    VALUE buffer; /* that of before */
    size_t size;
} katsu_node_chunk;

#define CHUNK_SIZE ((size_t)16 << 10)
#define MAX_CHUNK_SIZE ((size_t)1 << 20)

/* Buckets of the table of nodes that paths share. */
#define TABLE_SIZE 256

/* A thread's stack may be small: from this depth of plans within each other on, what is left of it is checked. */
#define CHECK_STACK_FROM 100

void katsu_node_memory_init(katsu_node_memory *memory, void *stack, size_t size)
{
    memory->at = stack;
    memory->end = memory->at + size;
    memory->chunk = NULL;
    memory->buffer = 0;
    memory->count = 0;
    memory->table = NULL;
}

static void add_chunk(katsu_node_memory *memory, size_t size)
{
    size_t before = memory->chunk ? memory->chunk->size : CHUNK_SIZE / 2,
           whole = before < MAX_CHUNK_SIZE ? before * 2 : before;
    if (whole < size + sizeof(katsu_node_chunk)) whole = size + sizeof(katsu_node_chunk);
    volatile VALUE buffer = 0;
    katsu_node_chunk *chunk = rb_alloc_tmp_buffer(&buffer, (long)whole);
    memset(chunk, 0, whole);
    chunk->before = memory->chunk;
    chunk->buffer = memory->buffer;
    chunk->size = whole;
    memory->chunk = chunk;
    memory->buffer = buffer;
    memory->at = (char *)(chunk + 1);
    memory->end = (char *)chunk + whole;
}

void *katsu_node_memory_take(katsu_node_memory *memory, size_t size)
{
    if (KATSU_UNLIKELY((size_t)(memory->end - memory->at) < size)) add_chunk(memory, size);
    void *taken = memory->at;
    memory->at += size;
    return taken;
}

/* If an exception leaves the call, Ruby frees the buffers. */
void katsu_node_memory_free(katsu_node_memory *memory)
{
    while (memory->chunk) {
        volatile VALUE buffer = memory->buffer;
        memory->buffer = memory->chunk->buffer;
        memory->chunk = memory->chunk->before;
        rb_free_tmp_buffer(&buffer);
    }
}

/* A node of a plan of its own. */
katsu_node *katsu_node_new(katsu_batch *batch, VALUE plan_object, long depth)
{
    const katsu_plan *plan = katsu_plan_get(plan_object);
    size_t inner = plan->associations * sizeof(katsu_node *), cells = (size_t)plan->count * sizeof(katsu_cell);
    katsu_node *node = katsu_node_memory_take(&batch->memory, sizeof(katsu_node) + inner + cells);
    if (KATSU_UNLIKELY(depth > CHECK_STACK_FROM && ruby_stack_check()))
        rb_raise(rb_eSysStackError, "stack level too deep");
    *node = (katsu_node){.plan = plan, .plan_object = plan_object, .frame = {NULL, 0, KATSU_STEP}, .depth = depth};
    node->inner = (katsu_node **)(node + 1);
    node->cells = (katsu_cell *)((char *)node->inner + inner);
    if (inner) memset(node->inner, 0, inner);
    batch->memory.count++;
    return node;
}

/* The node that all paths of that depth share, once there are many. */
static katsu_node *shared_node(katsu_batch *batch, VALUE plan_object, long depth)
{
    katsu_node_memory *memory = &batch->memory;
    if (memory->count < KATSU_MAX_OWN_NODES) return katsu_node_new(batch, plan_object, depth);
    if (!memory->table) {
        memory->table = katsu_node_memory_take(memory, TABLE_SIZE * sizeof(katsu_node *));
        memset(memory->table, 0, TABLE_SIZE * sizeof(katsu_node *));
    }
    size_t hash = (size_t)(((uint64_t)plan_object >> 3) * 0x9e3779b97f4a7c15u >> 32) + (size_t)depth;
    katsu_node **bucket = &memory->table[hash % TABLE_SIZE], *node = *bucket;
    while (node && (node->plan_object != plan_object || node->depth != depth)) node = node->next;
    if (node) return node;
    node = katsu_node_new(batch, plan_object, depth);
    node->next = *bucket;
    return *bucket = node;
}

katsu_node *katsu_node_enter(katsu_batch *batch, katsu_node *node, const katsu_step *step)
{
    return node->inner[step->inner] = shared_node(batch, step->plan_object, node->depth + 1);
}

katsu_node *katsu_node_polymorphic(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE plan_object)
{
    katsu_node **first = &node->inner[step->inner], **at = first, *found;
    while (*at && (*at)->plan_object != plan_object) at = &(*at)->next;
    if ((found = *at)) {
        *at = found->next;
    } else if (batch->memory.count < KATSU_MAX_OWN_NODES) {
        found = katsu_node_new(batch, plan_object, node->depth + 1);
    } else {
        return shared_node(batch, plan_object, node->depth + 1);
    }
    found->next = *first; /* the next object is often of the same class */
    return *first = found;
}

void katsu_node_set_layout(katsu_node *node, VALUE class, unsigned *calls)
{
    node->columns = node->own_types = 0;
    node->layout_object = katsu_layout_find(node->plan_object, class, &node->layout, calls);
    node->class = class;
    node->readers = NULL;
}

void katsu_node_bind(katsu_batch *batch, katsu_node *node, VALUE object, VALUE class)
{
    katsu_node_set_layout(node, class, &batch->generator.calls);
    /* From now on not all calls into Ruby are counted: those of casts and of a Hash's keys are not. */
    if (node->layout->kind != SOURCE_OBJECT && batch->readers_from != UINT_MAX) {
        batch->readers_from = UINT_MAX;
        batch->generator.calls++;
    }
    if (KATSU_UNLIKELY(node->layout->kind == SOURCE_COLLECTION)) katsu_refuse_collection(batch, node, object);
}
