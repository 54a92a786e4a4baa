/* See ahead.h. The distances between the stages were measured on 2,300 records. */
#include "ahead.h"
#include "cast.h"

void katsu_ahead_init(katsu_ahead *ahead)
{
    memset(ahead, 0, sizeof *ahead);
}

static void find_association(katsu_ahead *ahead, const katsu_run *run)
{
    ahead->ready = true;
    for (long i = 0; i < run->plan->count && !ahead->step; i++) {
        if (run->plan->steps[i].plan_object && run->layout->access[i].how == HOW_ASSOCIATION) ahead->step = &run->plan->steps[i];
    }
}

/* The strings of a row whose Array is in the cache by now. */
static void touch_strings(const katsu_run *run, VALUE record)
{
    const VALUE *values;
    long count;
    if (run->columns == Qtrue) {
        katsu_row_touch(record);
        return;
    }
    if (!katsu_row_peek(record, run->columns, &values, &count)) return;
    for (long i = 0; i < run->plan->count; i++) {
        int position = run->cells[i].position;
        if (run->layout->access[i].how == HOW_COLUMN && position >= 0 && position < count && !RB_SPECIAL_CONST_P(values[position]))
            KATSU_PREFETCH((void *)values[position]);
    }
}

/* The way to an associated record is long too: cache, association, target and, of a collection, its Array. */
static void look_for_targets(katsu_ahead *ahead, const katsu_run *run, const VALUE *records, long index)
{
    const katsu_step *step = ahead->step;
    VALUE *associations = ahead->associations, *targets = ahead->targets, known;
    katsu_cache_prefetch(records[14], 1);
    katsu_cache_prefetch(records[12], 2);
    associations[(index + 10) & 15] = katsu_cache_association(records[10], step->symbol);
    known = associations[(index + 8) & 15];
    targets[(index + 8) & 15] = known ? katsu_association_peek(known) : 0;
    if (step->kind == STEP_HAS_MANY && (known = targets[(index + 7) & 15])) {
        VALUE first = katsu_type_p(known, T_ARRAY) && RARRAY_LEN(known) ? RARRAY_CONST_PTR(known)[0] : 0;
        targets[(index + 7) & 15] = first;
        if (first && !RB_SPECIAL_CONST_P(first)) KATSU_PREFETCH((void *)first);
    }
    if ((known = targets[(index + 6) & 15])) katsu_row_prefetch(known, 1);
    if ((known = targets[(index + 4) & 15])) katsu_row_prefetch(known, 2);
    if ((known = targets[(index + 3) & 15])) katsu_row_prefetch(known, 3);
    const katsu_run *child = run + step->run;
    if ((known = targets[(index + 1) & 15]) && child->layout && child->layout->kind == SOURCE_RECORD) touch_strings(child, known);
}

void katsu_ahead_look(katsu_ahead *ahead, const katsu_run *run, const VALUE *records, long index)
{
    if (KATSU_UNLIKELY(!ahead->ready)) find_association(ahead, run);
    if (!RB_SPECIAL_CONST_P(records[16])) KATSU_PREFETCH((void *)records[16]);
    katsu_row_prefetch(records[12], 1);
    katsu_row_prefetch(records[9], 2);
    katsu_row_prefetch(records[6], 3);
    touch_strings(run, records[3]);
    if (ahead->step) look_for_targets(ahead, run, records, index);
}
