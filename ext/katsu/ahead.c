/* See ahead.h. The distances between the stages were measured on 2,300 records. */
#include "ahead.h"
#include "cast.h"

static inline bool object_p(VALUE value, int type)
{
    return !RB_SPECIAL_CONST_P(value) && RB_BUILTIN_TYPE(value) == type;
}

void katsu_ahead_init(katsu_ahead *ahead)
{
    memset(ahead, 0, sizeof *ahead);
}

static void find_association(katsu_ahead *ahead, const katsu_run *run)
{
    ahead->how = 1;
    for (long i = 0; i < run->plan->count && !ahead->step; i++) {
        if (run->plan->steps[i].plan_object && run->layout->access[i].how == HOW_ASSOCIATION) ahead->step = &run->plan->steps[i];
    }
}

/* The strings of a row whose Array is in the cache by now. */
static void touch_strings(const katsu_run *run, VALUE record)
{
    const VALUE *values;
    long count;
    if (!katsu_row_peek(record, run->columns, &values, &count)) return;
    for (long i = 0; i < run->plan->count; i++) {
        int position = run->positions[i];
        if (run->layout->access[i].how == HOW_COLUMN && position >= 0 && position < count && !RB_SPECIAL_CONST_P(values[position]))
            KATSU_PREFETCH((void *)values[position]);
    }
}

/* The associated record, or the first of a collection; 0 where it is not loaded. */
static VALUE target_of(const katsu_step *step, VALUE record)
{
    if (!object_p(record, T_OBJECT)) return 0;
    VALUE target = katsu_row_target(record, step->symbol);
    if (target == Qundef || RB_SPECIAL_CONST_P(target)) return 0;
    if (step->kind == STEP_HAS_MANY) {
        if (RB_BUILTIN_TYPE(target) != T_ARRAY || RARRAY_LEN(target) == 0) return 0;
        target = RARRAY_CONST_PTR(target)[0];
        if (RB_SPECIAL_CONST_P(target)) return 0;
    }
    KATSU_PREFETCH((void *)target);
    return target;
}

void katsu_ahead_look(katsu_ahead *ahead, const katsu_run *run, const VALUE *records, long index)
{
    if (KATSU_UNLIKELY(!ahead->how)) find_association(ahead, run);
    if (!RB_SPECIAL_CONST_P(records[14])) KATSU_PREFETCH((void *)records[14]);
    katsu_row_prefetch(records[12], 1);
    katsu_row_prefetch(records[9], 2);
    katsu_row_prefetch(records[6], 3);
    touch_strings(run, records[3]);
    if (!ahead->step) return;
    VALUE *targets = ahead->targets;
    targets[(index + 8) & 15] = target_of(ahead->step, records[8]);
    VALUE target;
    if ((target = targets[(index + 6) & 15])) katsu_row_prefetch(target, 1);
    if ((target = targets[(index + 4) & 15])) katsu_row_prefetch(target, 2);
    if ((target = targets[(index + 3) & 15])) katsu_row_prefetch(target, 3);
    if ((target = targets[(index + 1) & 15])) {
        const katsu_run *child = run + ahead->step->run;
        if (child->layout && child->layout->kind == SOURCE_RECORD) touch_strings(child, target);
    }
}
