/* One call of a plan: what is found out once per batch and used for every object.
 *
 * A plan and its associations' plans are a tree. Each path that the objects take in it gets a run when it is first
 * entered; from KATSU_OWN_RUNS on, paths that are as deep and have the same plan share one, as only one of them is
 * written at a time. Runs lie on the C stack of the call, and further ones in temporary buffers that Ruby marks, so
 * nothing of a call is shared.
 */
#ifndef KATSU_RUN_H
#define KATSU_RUN_H

#include "casts/cast.h"
#include "values/generate.h"
#include "plans/plan.h"
#include "records/row.h"

/* A step whose column is in the rows of a batch, with all that writing it takes. */
typedef struct {
    const char *text;    /* see katsu_step */
    unsigned length;
    int position;        /* of a column in a row; -1: not there */
    VALUE name;          /* of the column, where rows are Hashes: the key at that position */
    unsigned char cast;
    bool plain;          /* nothing but the column decides: no condition */
} katsu_cell;

typedef struct katsu_run {
    const katsu_plan *plan;
    VALUE plan_object;
    VALUE instance;      /* the serializer that method fields run in; 0 until one is needed */
    VALUE class;         /* what layout is for; 0 before the first object */
    VALUE layout_object;
    katsu_layout *layout;
    VALUE columns;       /* the Hash that positions were read from, Qtrue for rows that are Hashes; 0 before */
    VALUE own_types;     /* the Hash of a record's own types that was looked at last, and has none of the columns; 0 before */
    katsu_cell *cells;   /* one a step */
    uint64_t wanted;     /* a bit for each position that cells have */
    katsu_frame frame;   /* the step being written, for errors */
    katsu_frame element; /* the element of a collection being written */
    katsu_frame chosen;  /* the same of a polymorphic collection, which is the step being written */
    long depth;          /* of the path */
    struct katsu_run **inner; /* the runs of the associations, NULL until they are entered */
    struct katsu_run *next;   /* of the same polymorphic association, or of the same place in the batch's table */
} katsu_run;

#define KATSU_OWN_RUNS 64

/* Memory for runs: what is left of the C stack's or of the last buffer. */
typedef struct katsu_memory {
    char *at, *end;
    struct katsu_chunk *chunk; /* the last buffer, NULL before */
    VALUE buffer;              /* which Ruby owns */
    long runs;                 /* made */
    katsu_run **table;         /* of runs that paths share, NULL before */
} katsu_memory;

/* The associations that are being written and whose depth counts, a chain on the C stack. */
typedef struct katsu_choosing {
    VALUE identity;
    long within;  /* so many times, counting this one */
    long choices; /* the polymorphic ones among all of the chain */
    struct katsu_choosing *up;
} katsu_choosing;

typedef struct {
    katsu_generator generator;
    katsu_buffer buffer;
    VALUE context, scope;
    VALUE io;            /* 0, or what receives the elements of a collection in chunks */
    katsu_memory memory;
    katsu_choosing *choosing;
    bool readers;        /* the readers of associations are called, of loaded ones too */
    bool own_as_json;    /* a class of values has an as_json of the application's: see katsu_standard */
    bool choices;        /* there are polymorphic associations; */
    VALUE instances;     /* then the serializers that method fields run in, by plan: a Hash, or 0 */
    struct {             /* the method field, block or condition that is being called; run is NULL between calls */
        const katsu_run *run;
        const katsu_frame *frame;
        VALUE object;
    } field;
    katsu_times times;
} katsu_batch;

/* Katsu::Serializer::SKIP: what a method field returns to leave its key out. */
extern VALUE katsu_skip;

/* What a call makes of its object or objects. */
typedef VALUE katsu_work(katsu_batch *batch, katsu_run *run, VALUE object);

/* One call: starts a batch and the run of the plan, and does the work. An error that a method field raises is given its
 * place. */
VALUE katsu_run_plan(VALUE plan, VALUE object, VALUE context, VALUE scope, VALUE io, katsu_work *work);
/* The same for an object of a polymorphic association, by the plan of its class and within the batch. nil for nil. */
VALUE katsu_run_choice(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object, katsu_work *work);
/* True where an association may not stand within itself again. */
bool katsu_run_used_up(const katsu_batch *batch, const katsu_step *step);
/* Around an association whose depth counts. */
void katsu_run_choose(katsu_batch *batch, katsu_choosing *here, const katsu_step *step);
/* Runs, in node.c: of the outermost plan, of an association's (see katsu_run_inner), and of the plan that was chosen for an
 * object of a polymorphic one. */
katsu_run *katsu_run_new(katsu_batch *batch, VALUE plan_object, long depth);
katsu_run *katsu_run_enter(katsu_batch *batch, katsu_run *run, const katsu_step *step);
katsu_run *katsu_run_chosen(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE plan_object);
void katsu_memory_init(katsu_memory *memory, void *stack, size_t size);
void katsu_memory_free(katsu_memory *memory);
/* Makes run->layout that of object's class. Raises for a collection. */
void katsu_run_bind(katsu_batch *batch, katsu_run *run, VALUE object, VALUE class);
/* Reads the record and positions; false where public readers have to serve. */
bool katsu_run_row(katsu_run *run, VALUE record, katsu_row *row);

/* Values, by calls into Ruby. */
VALUE katsu_run_method(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object);
/* True where all conditions of the step hold. */
bool katsu_run_conditions(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object);
VALUE katsu_run_read(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object);
/* The object's own public method. */
VALUE katsu_run_call(katsu_batch *batch, const katsu_step *step, VALUE object);
VALUE katsu_run_target(katsu_batch *batch, katsu_run *run, const katsu_step *step, const katsu_access *access, VALUE object);
/* An Array of what a has_many or a caller gave. */
VALUE katsu_run_elements(katsu_batch *batch, katsu_run *run, VALUE objects);
/* A Hash source's value; Qundef where the key is not there. */
VALUE katsu_run_key(const katsu_step *step, const katsu_access *access, VALUE hash);
NORETURN(void katsu_run_bad_json(katsu_run *run, const katsu_step *step, VALUE record, VALUE raw));

/* The run of an association's plan. */
KATSU_INLINE katsu_run *katsu_run_inner(katsu_batch *batch, katsu_run *run, const katsu_step *step)
{
    katsu_run *inner = run->inner[step->inner];
    return KATSU_LIKELY(inner != NULL) ? inner : katsu_run_enter(batch, run, step);
}

/* The value of a column that was read or written before; false where it was not. *known and *casted are as below. */
bool katsu_run_known(const katsu_run *run, const katsu_row *row, long index, VALUE *known, bool *casted);

/* The raw value of a column; Qundef where the long way has to be taken. *casted is set where the value is
 * one that the record has cast already: it may have been changed in place since, or have come from no database. */
KATSU_INLINE VALUE katsu_run_column(const katsu_run *run, const katsu_row *row, long index, const katsu_access *access, bool *casted)
{
    *casted = false;
    if (KATSU_UNLIKELY(row->look >> (index < 63 ? index : 63) & 1)) {
        VALUE known;
        if (katsu_run_known(run, row, index, &known, casted)) return known;
    }
    if (KATSU_LIKELY(katsu_row_positioned_p(row))) {
        int position = run->cells[index].position;
        return KATSU_UNLIKELY(position < 0) ? Qundef : katsu_row_at(row, position, run->cells[index].name);
    }
    if (KATSU_UNLIKELY(!row->values)) return Qundef;
    return rb_hash_lookup2(row->values, access->column, Qundef);
}

#endif
