/* One call of a plan: what is found out once per batch and used for every object.
 *
 * A plan and its associations' plans are a tree; each has a run, in the order of the tree. Runs lie on the C
 * stack of the call (or in a temporary buffer that Ruby marks), so that nothing of a call is shared.
 */
#ifndef KATSU_RUN_H
#define KATSU_RUN_H

#include "cast.h"
#include "generate.h"
#include "plan.h"
#include "row.h"

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
} katsu_run;

/* The polymorphic associations that are being written, a chain on the C stack. */
typedef struct katsu_choosing {
    VALUE identity;
    struct katsu_choosing *up;
} katsu_choosing;

typedef struct {
    katsu_generator generator;
    katsu_buffer buffer;
    VALUE context, scope;
    VALUE io;            /* 0, or what receives the elements of a collection in chunks */
    katsu_choosing *choosing;
    bool readers;        /* the readers of associations are called, of loaded ones too */
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
typedef VALUE katsu_work(katsu_batch *batch, katsu_run *runs, VALUE object);

/* One call: starts a batch and the runs of the plan's tree, and does the work. An error that a method field raises is
 * given its place. */
VALUE katsu_run_plan(VALUE plan, VALUE object, VALUE context, VALUE scope, VALUE io, katsu_work *work);
/* The same for an object of a polymorphic association, by the plan of its class and within the batch. nil for nil. */
VALUE katsu_run_choice(katsu_batch *batch, const katsu_step *step, VALUE object, katsu_work *work);
/* True where a polymorphic association may not stand within itself again. */
bool katsu_run_used_up(const katsu_batch *batch, const katsu_step *step);
/* Makes run->layout that of object's class. */
void katsu_run_bind(katsu_run *run, VALUE object, VALUE class);
/* Reads the record and positions; false where public readers have to serve. */
bool katsu_run_row(katsu_run *run, VALUE record, katsu_row *row);

/* Values, by calls into Ruby. */
VALUE katsu_run_method(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object);
bool katsu_run_condition(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object);
VALUE katsu_run_read(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object);
/* The object's own public method. */
VALUE katsu_run_call(katsu_batch *batch, const katsu_step *step, VALUE object);
VALUE katsu_run_target(katsu_batch *batch, katsu_run *run, const katsu_step *step, const katsu_access *access, VALUE object);
/* An Array of what a has_many or a caller gave. */
VALUE katsu_run_elements(VALUE objects);
/* A Hash source's value; Qundef where the key is not there. */
VALUE katsu_run_key(const katsu_step *step, const katsu_access *access, VALUE hash);
NORETURN(void katsu_run_bad_json(katsu_run *run, const katsu_step *step, VALUE record, VALUE raw));

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
