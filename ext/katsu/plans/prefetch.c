/* See prefetch.h. */
#include "plans/prefetch.h"
#include "casts/cast.h"

#ifdef KATSU_FORM
/* How many records before its turn each part of a record is asked for. */
enum { RECORD = 31, VARIABLES = 29, SET = 27, SET_VARIABLES = 25, VALUES = 23, ROW = 21, STRINGS = 19 };
/* A target's parts are asked for so much later than its record's, as it is found by them. */
enum { CACHE = 28, ASSOCIATIONS = 26, ASSOCIATION = 24, TARGET = 22, FIRST = 20, LATER = 12 };

/* A place in a ring: that of the object so many further on. */
#define AT(ring, index, distance) (ring)[((index) + (distance)) % KATSU_AHEAD]

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

/* One part of each record or target further on. early, object: those at VARIABLES - later and SET - later, asked for before. */
static void go_on(katsu_way *way, const katsu_run *run, VALUE early, VALUE object, long index, int later)
{
    if (!run || !run->layout) return; /* before the first target */
    const katsu_row_places *places = &run->layout->places;
    katsu_touch_variables(early, places->record, places->attributes);
    AT(way->sets, index, SET - later) = katsu_touch_set(object, places);
    katsu_touch_variables(AT(way->sets, index, SET_VARIABLES - later), places->set, places->values);
    AT(way->values, index, VALUES - later) = katsu_touch_values(AT(way->sets, index, VALUES - later), places);
    AT(way->rows, index, ROW - later) = katsu_touch_row(AT(way->values, index, ROW - later), places);
    katsu_touch_strings(AT(way->rows, index, STRINGS - later), run->wanted);
}

/* The way to an associated record is long too: cache, association, target and, of a collection, its Array. */
static void look_for_targets(katsu_ahead *ahead, const katsu_run *run, const VALUE *records, long index)
{
    const katsu_step *step = ahead->step;
    VALUE known;
    katsu_cache_prefetch(records[CACHE], 1);
    katsu_cache_prefetch(records[ASSOCIATIONS], 2);
    AT(ahead->associations, index, ASSOCIATION) = katsu_cache_association(records[ASSOCIATION], step->symbol);
    known = AT(ahead->associations, index, TARGET);
    AT(ahead->target, index, TARGET) = known ? katsu_association_peek(known) : 0;
    if (step->kind == STEP_HAS_MANY && (known = AT(ahead->target, index, FIRST))) {
        VALUE first = katsu_type_p(known, T_ARRAY) && RARRAY_LEN(known) ? RARRAY_CONST_PTR(known)[0] : 0;
        AT(ahead->target, index, FIRST) = first;
        if (first && !RB_SPECIAL_CONST_P(first)) KATSU_PREFETCH((void *)first);
    }
    go_on(&ahead->targets, run->inner[step->inner], AT(ahead->target, index, VARIABLES - LATER), AT(ahead->target, index, SET - LATER), index, LATER);
}

void katsu_ahead_look(katsu_ahead *ahead, const katsu_run *run, const VALUE *records, long index)
{
    if (KATSU_UNLIKELY(!ahead->ready)) find_association(ahead, run);
    if (!RB_SPECIAL_CONST_P(records[RECORD])) KATSU_PREFETCH((void *)records[RECORD]);
    go_on(&ahead->records, run, records[VARIABLES], records[SET], index, 0);
    if (ahead->step) look_for_targets(ahead, run, records, index);
}
#endif
