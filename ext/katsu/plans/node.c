/* Runs: made when they are entered, and the memory that they lie in. See execution.h. */
#include "plans/execution.h"

/* A temporary buffer of Ruby's, which marks all that lies in it; its first bytes are this. */
typedef struct katsu_chunk {
    struct katsu_chunk *before;
    VALUE buffer; /* that of before */
    size_t size;
} katsu_chunk;

#define CHUNK_SIZE ((size_t)16 << 10)
#define MOST_CHUNK ((size_t)1 << 20)

/* Buckets of the table of runs that paths share. */
#define TABLE_SIZE 256

/* A thread's stack may be small: how much is left is asked from so many plans within each other on. */
#define DEEP 100

void katsu_memory_init(katsu_memory *memory, void *stack, size_t size)
{
    memory->at = stack;
    memory->end = memory->at + size;
    memory->chunk = NULL;
    memory->buffer = 0;
    memory->runs = 0;
    memory->table = NULL;
}

static void add_chunk(katsu_memory *memory, size_t size)
{
    size_t before = memory->chunk ? memory->chunk->size : CHUNK_SIZE / 2, whole = before < MOST_CHUNK ? before * 2 : before;
    if (whole < size + sizeof(katsu_chunk)) whole = size + sizeof(katsu_chunk);
    volatile VALUE buffer = 0;
    katsu_chunk *chunk = rb_alloc_tmp_buffer(&buffer, (long)whole);
    memset(chunk, 0, whole);
    chunk->before = memory->chunk;
    chunk->buffer = memory->buffer;
    chunk->size = whole;
    memory->chunk = chunk;
    memory->buffer = buffer;
    memory->at = (char *)(chunk + 1);
    memory->end = (char *)chunk + whole;
}

static void *take(katsu_memory *memory, size_t size)
{
    if (KATSU_UNLIKELY((size_t)(memory->end - memory->at) < size)) add_chunk(memory, size);
    void *taken = memory->at;
    memory->at += size;
    return taken;
}

/* Where an exception leaves the call, Ruby frees the buffers. */
void katsu_memory_free(katsu_memory *memory)
{
    while (memory->chunk) {
        volatile VALUE buffer = memory->buffer;
        memory->buffer = memory->chunk->buffer;
        memory->chunk = memory->chunk->before;
        rb_free_tmp_buffer(&buffer);
    }
}

/* A run of a plan of its own. */
katsu_run *katsu_run_new(katsu_batch *batch, VALUE plan_object, long depth)
{
    const katsu_plan *plan = katsu_plan_get(plan_object);
    size_t inner = plan->associations * sizeof(katsu_run *), cells = (size_t)plan->count * sizeof(katsu_cell);
    katsu_run *run = take(&batch->memory, sizeof(katsu_run) + inner + cells);
    if (KATSU_UNLIKELY(depth > DEEP && ruby_stack_check())) rb_raise(rb_eSysStackError, "stack level too deep");
    run->plan = plan;
    run->plan_object = plan_object;
    run->instance = run->class = run->layout_object = run->columns = run->own_types = 0;
    run->layout = NULL;
    run->wanted = 0;
    run->element = run->chosen = (katsu_frame){NULL, 0, 0};
    run->depth = depth;
    run->inner = (katsu_run **)(run + 1);
    run->cells = (katsu_cell *)((char *)run->inner + inner);
    run->next = NULL;
    if (inner) memset(run->inner, 0, inner);
    batch->memory.runs++;
    return run;
}

/* The run that all paths of that depth share, once there are many. */
static katsu_run *shared_run(katsu_batch *batch, VALUE plan_object, long depth)
{
    katsu_memory *memory = &batch->memory;
    if (memory->runs < KATSU_OWN_RUNS) return katsu_run_new(batch, plan_object, depth);
    if (!memory->table) {
        memory->table = take(memory, TABLE_SIZE * sizeof(katsu_run *));
        memset(memory->table, 0, TABLE_SIZE * sizeof(katsu_run *));
    }
    size_t hash = (size_t)(((uint64_t)plan_object >> 3) * 0x9e3779b97f4a7c15u >> 32) + (size_t)depth;
    katsu_run **bucket = &memory->table[hash % TABLE_SIZE], *run = *bucket;
    while (run && (run->plan_object != plan_object || run->depth != depth)) run = run->next;
    if (run) return run;
    run = katsu_run_new(batch, plan_object, depth);
    run->next = *bucket;
    return *bucket = run;
}

katsu_run *katsu_run_enter(katsu_batch *batch, katsu_run *run, const katsu_step *step)
{
    return run->inner[step->inner] = shared_run(batch, step->plan_object, run->depth + 1);
}

katsu_run *katsu_run_chosen(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE plan_object)
{
    katsu_run **first = &run->inner[step->inner], **at = first, *found;
    while (*at && (*at)->plan_object != plan_object) at = &(*at)->next;
    if ((found = *at)) {
        *at = found->next;
    } else if (batch->memory.runs < KATSU_OWN_RUNS) {
        found = katsu_run_new(batch, plan_object, run->depth + 1);
    } else {
        return shared_run(batch, plan_object, run->depth + 1);
    }
    found->next = *first; /* the next object is often of the same class */
    return *first = found;
}
