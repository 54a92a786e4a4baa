/* See execution.h. */
#include "plans/execution.h"
#include "values/hash_copy.h"

static ID id_read, id_to_a, id_context, id_scope, id_bad_json, id_raise_copy, id_plan_for, id_compare_by_identity,
    id_bullet_on, id_refuse_collection, id_refuse_single;
static katsu_slot slot_object;
static VALUE source_module, field_error;
static katsu_options rails_options;
VALUE katsu_skip;

/* As Katsu::Source::ReaderPatches has them: who else wants to know when an association is read. */
static enum { READERS_UNWATCHED, READERS_AS_BULLET_SAYS, READERS_WATCHED } association_readers;
static VALUE reader_patches;

static void bind(katsu_run *run, VALUE class)
{
    run->columns = run->own_types = 0;
    run->layout_object = katsu_layout_find(run->plan_object, class, &run->layout);
    run->class = class;
}

/* Raises for an object that is written where a collection is, or the other way round, with the association that has it. The
 * frame of an association is that of the run which it is a step of. */
static void refuse(const katsu_batch *batch, const katsu_run *run, ID how, VALUE object)
{
    const katsu_frame *frame = batch->generator.frame;
    bool association = frame && frame->key;
    if (association) run = (const katsu_run *)((const char *)frame - offsetof(katsu_run, frame));
    rb_funcall(source_module, how, 3, run->plan->serializer, association ? frame->key : Qnil, object);
    katsu_raise(katsu_eError, "a collection, or none");
}

void katsu_run_bind(katsu_batch *batch, katsu_run *run, VALUE object, VALUE class)
{
    bind(run, class);
    if (KATSU_UNLIKELY(run->layout->kind == SOURCE_COLLECTION)) refuse(batch, run, id_refuse_collection, object);
}

typedef struct {
    katsu_access *access;
    long count, next; /* steps are often in the order of the columns */
} placing;

static int place_column(VALUE name, VALUE position, VALUE arg)
{
    placing *p = (placing *)arg;
    long i = p->next;
    if (i >= p->count || p->access[i].column != name) {
        for (i = 0; i < p->count && p->access[i].column != name; i++) continue;
        if (i == p->count) return ST_CONTINUE;
    }
    p->access[i].position = RB_FIXNUM_P(position) ? FIX2INT(position) : -1;
    p->next = i + 1;
    return ST_CONTINUE;
}

/* Finds the positions of a layout's columns. A Hash that cannot change is kept at hand: records of one result are often
 * written one by one. */
static void find_positions(const katsu_run *run, VALUE columns)
{
    katsu_layout *layout = run->layout;
    if (layout->columns == columns) return;
    RB_OBJ_WRITE(run->layout_object, &layout->columns, OBJ_FROZEN(columns) ? columns : 0);
    for (long i = 0; i < layout->count; i++) layout->access[i].position = -1;
    /* A column's name is mostly the same object in the model and in what the database returned. */
    placing place = {layout->access, layout->count, 0};
    katsu_hash_each(columns, place_column, &place);
    for (long i = 0; i < layout->count; i++) {
        katsu_access *access = &layout->access[i];
        if (access->how != HOW_COLUMN || access->position >= 0) continue;
        VALUE position = rb_hash_lookup2(columns, access->column, Qnil);
        if (RB_FIXNUM_P(position)) access->position = FIX2INT(position);
    }
}

static bool named_alike(const katsu_layout *layout, const katsu_row *row)
{
    for (long i = 0; i < layout->count; i++) {
        const katsu_access *access = &layout->access[i];
        if (access->position >= 0 && (access->position >= row->count || row->names[access->position] != access->name)) return false;
    }
    return true;
}

/* The same of a row that is spread out; columns is Qtrue then. */
static void find_named_positions(const katsu_run *run, const katsu_row *row)
{
    katsu_layout *layout = run->layout;
    if (layout->columns == Qtrue && named_alike(layout, row)) return;
    layout->columns = Qtrue;
    for (long i = 0; i < layout->count; i++) {
        katsu_access *access = &layout->access[i];
        access->position = -1;
        if (access->how != HOW_COLUMN) continue;
        for (int j = 0; j < row->count && access->position < 0; j++) {
            if (row->names[j] == access->column || rb_str_equal(row->names[j], access->column) == Qtrue) access->position = j;
        }
        if (access->position >= 0) {
            RB_OBJ_WRITE(run->layout_object, &access->name, row->names[access->position]);
        } else {
            layout->columns = 0; /* the next row may have that column */
        }
    }
}

/* Takes the positions of the layout. columns: see katsu_run. */
static void init_cells(katsu_run *run, VALUE columns)
{
    run->wanted = 0;
    for (long i = 0; i < run->plan->count; i++) {
        const katsu_step *step = &run->plan->steps[i];
        const katsu_access *access = &run->layout->access[i];
        int position = access->how == HOW_COLUMN ? access->position : -1;
        run->cells[i] = (katsu_cell){step->text, step->length, position, access->name, access->cast, position >= 0 && !step->optional};
        if (position >= 0 && position < 64) run->wanted |= (uint64_t)1 << position;
    }
    run->columns = columns;
}

/* Whether the cells are those of a row that is spread out: the records of a result share the names in it. */
static bool cells_alike(const katsu_run *run, const katsu_row *row)
{
    if (run->columns != Qtrue) return false;
    for (long i = 0; i < run->plan->count; i++) {
        const katsu_cell *cell = &run->cells[i];
        if (cell->position >= 0 && (cell->position >= row->count || row->names[cell->position] != cell->name)) return false;
    }
    return true;
}

typedef struct {
    katsu_run *run;
    katsu_names *names;
    int count;
    bool mutable_only;
} naming;

static int note_name(VALUE name, VALUE value, VALUE arg)
{
    naming *n = (naming *)arg;
    const katsu_run *run = n->run;
    for (long i = 0; i < run->plan->count; i++) {
        const katsu_access *access = &run->layout->access[i];
        if (access->how != HOW_COLUMN || (n->mutable_only && !(KATSU_CAST_MUTABLE >> access->cast & 1))) continue;
        if (rb_str_equal(access->column, name) == Qtrue) n->names->steps |= 1ULL << (i < 63 ? i : 63);
    }
    if (n->count < KATSU_NAMES) RB_OBJ_WRITE(run->layout_object, &n->names->names[n->count], name);
    n->count++;
    return ST_CONTINUE;
}

typedef struct {
    const VALUE *expected, *end;
} comparing;

static int compare_name(VALUE name, VALUE value, VALUE arg)
{
    comparing *c = (comparing *)arg;
    if (c->expected == c->end || *c->expected != name) return ST_STOP;
    c->expected++;
    return ST_CONTINUE;
}

/* Whether they are the Hash's keys, the same objects in the same order. */
static bool identical_names(const katsu_names *names, VALUE hash)
{
    comparing c = {names->names, names->names + names->count};
    katsu_hash_each(hash, compare_name, &c);
    return c.expected == c.end;
}

/* Whether they are the Hash's keys, which are as many. In one batch names are mostly the same objects. */
static bool same_names(const katsu_names *names, VALUE hash)
{
    if (identical_names(names, hash)) return true;
    for (int i = 0; i < names->count; i++) {
        if (rb_hash_lookup2(hash, names->names[i], Qundef) == Qundef) return false;
    }
    return true;
}

/* The steps whose columns are in the Hash. mutable_only: a cast value that cannot change in place is what the
 * row says. */
static uint64_t steps_in(katsu_run *run, katsu_names *names, VALUE hash, bool mutable_only)
{
    if (RHASH_SIZE(hash) == (size_t)names->count && same_names(names, hash)) return names->steps;
    naming n = {run, names, 0, mutable_only};
    names->count = 0;
    names->steps = 0;
    katsu_hash_each(hash, note_name, &n);
    if (n.count <= KATSU_NAMES) names->count = n.count;
    return names->steps;
}

/* The Attribute object of a column; Qundef where there is none. */
KATSU_INLINE VALUE changed_attribute(const katsu_run *run, const katsu_row *row, long index)
{
    if (!row->changed) return Qundef;
    if (row->values || !row->count) return rb_hash_lookup2(row->changed, run->layout->access[index].column, Qundef);
    int position = run->cells[index].position;
    return position < 0 ? Qundef : row->spread[position];
}

bool katsu_run_known(const katsu_run *run, const katsu_row *row, long index, VALUE *known, bool *casted)
{
    const katsu_access *access = &run->layout->access[index];
    bool mutable = KATSU_CAST_MUTABLE >> access->cast & 1;
    VALUE object = changed_attribute(run, row, index);
    if (object != Qundef) {
        katsu_attribute attribute = {Qundef, Qundef};
        katsu_attribute_read(object, access->type, &attribute);
        if (access->cast == CAST_JSON && NIL_P(attribute.value) && attribute.raw != Qundef) attribute.value = Qundef; /* as below */
        if (!RB_SPECIAL_CONST_P(attribute.raw) && RBASIC_CLASS(attribute.raw) == rb_cTime) attribute.raw = Qundef; /* given by no driver */
        *casted = attribute.value != Qundef && (mutable || attribute.raw == Qundef);
        *known = *casted ? attribute.value : attribute.raw;
        return true;
    }
    if (!row->casted || !mutable) return false;
    *known = rb_hash_lookup2(row->casted, access->column, Qundef);
    /* ActiveRecord reads text that is no JSON as nil. */
    if (access->cast == CAST_JSON && NIL_P(*known)) return false;
    *casted = *known != Qundef;
    return *casted;
}

/* Whether the Hash of a row has each pair where the cells say. */
static bool pairs_alike(const katsu_run *run, VALUE hash)
{
    for (long i = 0; i < run->plan->count; i++) {
        const katsu_cell *cell = &run->cells[i];
        if (cell->position >= 0 && katsu_pair_at(hash, cell->position, cell->name) == Qundef) return false;
    }
    return true;
}

static void find_pairs(katsu_run *run, katsu_row *row)
{
    if (katsu_pairs_trusted && row->values) {
        if (KATSU_UNLIKELY(run->columns != Qtrue && run->layout->columns == Qtrue)) init_cells(run, Qtrue);
        row->direct = run->columns == Qtrue && pairs_alike(run, row->values);
        if (KATSU_LIKELY(row->direct)) return;
    }
    katsu_row_spread(row);
    if (!row->count || KATSU_LIKELY(cells_alike(run, row))) return;
    find_named_positions(run, row);
    init_cells(run, Qtrue);
}

static int find_name(VALUE key, VALUE type, VALUE arg)
{
    bool *found = (bool *)arg;
    *found = !RB_SPECIAL_CONST_P(key);
    return *found ? ST_STOP : ST_CONTINUE;
}

/* Whether a record's own types are those of a column of the run. ActiveRecord 8.1 puts types under the numbers of the
 * result's columns too, which it looks up by their names only. */
static bool has_own_types(const katsu_run *run, VALUE own_types)
{
    bool named = false;
    katsu_hash_each(own_types, find_name, &named);
    for (long i = 0; named && i < run->plan->count; i++) {
        const katsu_access *access = &run->layout->access[i];
        if (access->how == HOW_COLUMN && rb_hash_lookup2(own_types, access->column, Qundef) != Qundef) return true;
    }
    return false;
}

/* Whether the types that the casts were chosen by are those of the record. */
static bool same_types(katsu_run *run, const katsu_row *row)
{
    if (row->types != run->layout->types) {
        /* The class has loaded its schema again since the layout was made. */
        katsu_layout_forget(run->plan_object, run->class);
        bind(run, run->class);
        if (row->types != run->layout->types) return false;
    }
    if (!katsu_type_p(row->own_types, T_HASH) || has_own_types(run, row->own_types)) return false;
    run->own_types = row->own_types;
    return true;
}

bool katsu_run_row(katsu_run *run, VALUE record, katsu_row *row)
{
    if (KATSU_UNLIKELY(!katsu_row_read(record, row, &run->layout->places))) return false;
    if (KATSU_UNLIKELY(!row->values)) {
        row->look = ~(uint64_t)0;
        find_pairs(run, row);
        return true;
    }
    bool other = (row->types ^ run->layout->types) | (row->own_types ^ run->own_types);
    if (KATSU_UNLIKELY(other) && !same_types(run, row)) return false;
    if (KATSU_LIKELY(row->columns != 0)) {
        if (KATSU_UNLIKELY(row->columns != run->columns)) {
            find_positions(run, row->columns);
            init_cells(run, row->columns);
        }
    } else {
        find_pairs(run, row);
    }
    row->look = row->changed ? steps_in(run, &run->layout->written, row->changed, false) : 0;
    if (row->casted) row->look |= steps_in(run, &run->layout->read, row->casted, true);
    return true;
}

static VALUE new_instance(katsu_batch *batch, katsu_run *run)
{
    VALUE instance = rb_obj_alloc(run->plan->serializer);
    rb_ivar_set(instance, id_context, batch->context);
    rb_ivar_set(instance, id_scope, batch->scope);
    return instance;
}

/* Below a polymorphic association each object has runs of its own: the serializer is kept for the next. */
static VALUE shared_instance(katsu_batch *batch, katsu_run *run)
{
    if (!batch->instances) batch->instances = rb_funcall(rb_hash_new(), id_compare_by_identity, 0);
    VALUE instance = rb_hash_lookup2(batch->instances, run->plan_object, 0);
    if (!instance) rb_hash_aset(batch->instances, run->plan_object, instance = new_instance(batch, run));
    return instance;
}

static VALUE instance_for(katsu_batch *batch, katsu_run *run, VALUE object)
{
    if (!run->instance) run->instance = batch->choices ? shared_instance(batch, run) : new_instance(batch, run);
    VALUE *place = katsu_slot_peek(&slot_object, run->instance);
    if (KATSU_LIKELY(place && !OBJ_FROZEN(run->instance))) {
        RB_OBJ_WRITE(run->instance, place, object);
    } else {
        rb_ivar_set(run->instance, katsu_id_object, object);
        katsu_slot_get(&slot_object, run->instance); /* learns the place */
    }
    return run->instance;
}

static void enter_field(katsu_batch *batch, const katsu_run *run, VALUE object)
{
    batch->generator.calls++;
    batch->field.run = run;
    batch->field.frame = batch->generator.frame;
    batch->field.object = object;
}

static VALUE call_method(katsu_batch *batch, katsu_run *run, const katsu_call *call, VALUE object)
{
    VALUE instance = instance_for(batch, run, object), arguments[KATSU_ARGUMENTS] = {object, batch->context};
    enter_field(batch, run, object);
    VALUE value = rb_funcallv(instance, call->name, call->arguments, arguments);
    batch->field.run = NULL;
    return value;
}

bool katsu_run_conditions(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object)
{
    for (int i = 0; i < step->conditions; i++) {
        if (RTEST(call_method(batch, run, &step->condition[i], object)) != step->condition[i].wanted) return false;
    }
    return true;
}

VALUE katsu_run_method(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object)
{
    return call_method(batch, run, &step->call, object);
}

/* The frames of runs and their elements lie in the memory of the call, which is still there. */
static VALUE note_place(VALUE arg, VALUE error)
{
    katsu_batch *batch = (katsu_batch *)arg;
    if (batch->field.run) {
        VALUE path = rb_ary_new_from_args(1, batch->field.run->frame.key);
        for (const katsu_frame *frame = batch->field.frame; frame; frame = frame->up)
            rb_ary_push(path, frame->key ? frame->key : LONG2NUM(frame->index));
        VALUE object = batch->field.object;
        batch->field.run = NULL; /* it may lie in memory of a call that is left now */
        rb_funcall(field_error, id_raise_copy, 3, error, rb_ary_reverse(path), object);
    }
    rb_exc_raise(error);
    return Qnil;
}

typedef struct {
    katsu_work *work;
    katsu_batch *batch;
    katsu_run *run;
    VALUE object;
} call;

static VALUE do_work(VALUE arg)
{
    call *c = (call *)arg;
    return c->work(c->batch, c->run, c->object);
}

/* As Katsu::Plan::Choice::MOST_NESTED. */
#define MOST_CHOICES 100

/* Runs that fit in here need no memory of their own for a call. */
#define RUN_STACK 4096

/* Katsu::Native.association_readers = one of ReaderPatches' numbers */
static VALUE set_association_readers(VALUE module, VALUE number)
{
    association_readers = NUM2INT(number);
    return number;
}

static bool ask_bullet(void)
{
    return association_readers == READERS_WATCHED || RTEST(rb_funcall(reader_patches, id_bullet_on, 0));
}

VALUE katsu_run_plan(VALUE plan, VALUE object, VALUE context, VALUE scope, VALUE io, katsu_work *work)
{
    VALUE stack[RUN_STACK / sizeof(VALUE)];
    katsu_batch batch;
    batch.readers = KATSU_UNLIKELY(association_readers) && ask_bullet();
    batch.context = context;
    batch.scope = scope;
    batch.io = io;
    batch.choosing = NULL;
    batch.own_as_json = katsu_standard.own;
    batch.instances = 0;
    batch.field.run = NULL;
    batch.buffer.io = 0;
    katsu_memory_init(&batch.memory, stack, sizeof stack);
    katsu_generator_init(&batch.generator, &batch.buffer, &rails_options);
    katsu_times_init(&batch.times);
    call c = {work, &batch, katsu_run_new(&batch, plan, 0), object};
    batch.choices = c.run->plan->choices;
    VALUE result = c.run->plan->calls ? rb_rescue2(do_work, (VALUE)&c, note_place, (VALUE)&batch, rb_eStandardError, (VALUE)0) : do_work((VALUE)&c);
    katsu_memory_free(&batch.memory);
    RB_GC_GUARD(plan);
    RB_GC_GUARD(object);
    return result;
}

static long times_within(const katsu_batch *batch, VALUE identity)
{
    for (const katsu_choosing *outer = batch->choosing; outer; outer = outer->up) {
        if (outer->identity == identity) return outer->within;
    }
    return 0;
}

void katsu_run_choose(katsu_batch *batch, katsu_choosing *here, const katsu_step *step)
{
    katsu_choosing *up = batch->choosing;
    *here = (katsu_choosing){step->identity, times_within(batch, step->identity) + 1, (up ? up->choices : 0) + (step->choice != 0), up};
    batch->choosing = here;
}

bool katsu_run_used_up(const katsu_batch *batch, const katsu_step *step)
{
    return step->depth >= 0 && times_within(batch, step->identity) >= step->depth;
}

/* Plans may be made anew for each object: from so many runs on, an object's have memory of their own. */
#define MOST_KEPT 4096

static VALUE work_apart(katsu_batch *batch, katsu_run *run, VALUE plan, VALUE object, katsu_work *work)
{
    katsu_memory kept = batch->memory;
    katsu_memory_init(&batch->memory, NULL, 0);
    VALUE result = work(batch, katsu_run_new(batch, plan, run->depth + 1), object);
    katsu_memory_free(&batch->memory);
    batch->memory = kept;
    RB_GC_GUARD(kept.buffer);
    RB_GC_GUARD(plan);
    return result;
}

VALUE katsu_run_choice(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object, katsu_work *work)
{
    if (NIL_P(object)) return Qnil;
    batch->generator.calls++;
    if (batch->choosing && batch->choosing->choices >= MOST_CHOICES) {
        batch->generator.depth = batch->choosing->choices;
        katsu_too_deep(&batch->generator);
    }
    VALUE plan = rb_funcall(step->choice, id_plan_for, 3, object, batch->context, batch->scope), result;
    katsu_choosing here;
    batch->choices = true;
    katsu_run_choose(batch, &here, step);
    if (KATSU_LIKELY(batch->memory.runs < MOST_KEPT)) {
        result = work(batch, katsu_run_chosen(batch, run, step, plan), object);
    } else {
        result = work_apart(batch, run, plan, object, work);
    }
    batch->choosing = here.up;
    return result;
}

VALUE katsu_run_read(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE object)
{
    batch->generator.calls++;
    if (run->layout->shared && rb_obj_respond_to(object, step->name, false)) {
        /* Other calls leave the method, and so the object, in a cache of Ruby's (before 3.4). */
        VALUE value = rb_check_funcall(object, step->name, 0, NULL);
        if (value != Qundef) return value;
    }
    return rb_funcall(source_module, id_read, 3, run->plan->serializer, object, step->symbol);
}

VALUE katsu_run_call(katsu_batch *batch, const katsu_step *step, VALUE object)
{
    batch->generator.calls++;
    return rb_funcallv(object, step->name, 0, NULL);
}

VALUE katsu_run_key(const katsu_step *step, const katsu_access *access, VALUE hash)
{
    VALUE value = rb_hash_lookup2(hash, step->symbol, Qundef);
    return value == Qundef ? rb_hash_lookup2(hash, access->column, Qundef) : value;
}

VALUE katsu_run_target(katsu_batch *batch, katsu_run *run, const katsu_step *step, const katsu_access *access, VALUE object)
{
    VALUE value = Qundef;
    if (access->how == HOW_ASSOCIATION) {
        if (KATSU_LIKELY(!batch->readers)) value = katsu_row_target(object, step->symbol, access);
        if (value == Qundef) return katsu_run_call(batch, step, object);
    } else if (access->how == HOW_METHOD) {
        return katsu_run_call(batch, step, object);
    } else if (access->how == HOW_KEY) {
        value = katsu_run_key(step, access, object);
    }
    return value == Qundef ? katsu_run_read(batch, run, step, object) : value;
}

VALUE katsu_run_elements(katsu_batch *batch, katsu_run *run, VALUE objects)
{
    if (RB_TYPE_P(objects, T_ARRAY)) return objects;
    bool single = RB_TYPE_P(objects, T_HASH) || RB_TYPE_P(objects, T_STRUCT); /* which have a to_a too */
    VALUE elements = single ? Qundef : rb_check_funcall(objects, id_to_a, 0, NULL);
    if (elements == Qundef || !RB_TYPE_P(elements, T_ARRAY)) refuse(batch, run, id_refuse_single, objects);
    return elements;
}

void katsu_run_bad_json(katsu_run *run, const katsu_step *step, VALUE record, VALUE raw)
{
    rb_funcall(source_module, id_bad_json, 4, run->plan->serializer, record, step->symbol, raw);
    katsu_raise(katsu_eError, "invalid JSON in a column");
}

void katsu_init_run(void)
{
    id_read = rb_intern("read");
    id_to_a = rb_intern("to_a");
    id_context = rb_intern("@context");
    id_scope = rb_intern("@scope");
    id_bad_json = rb_intern("refuse_json");
    id_raise_copy = rb_intern("raise_copy");
    id_plan_for = rb_intern("plan_for");
    id_compare_by_identity = rb_intern("compare_by_identity");
    id_bullet_on = rb_intern("bullet_on?");
    id_refuse_collection = rb_intern("refuse_collection");
    id_refuse_single = rb_intern("refuse_single");
    katsu_options_init(&rails_options);
    rails_options.rails = true;
    rails_options.max_nesting = 512; /* as JSON columns */
    rails_options.allow_duplicate_key = true;
    katsu_slot_init(&slot_object, "@object");
    rb_global_variable(&field_error);
    field_error = rb_const_get(katsu_mKatsu, rb_intern("FieldError"));
    rb_global_variable(&katsu_skip);
    rb_global_variable(&source_module);
    source_module = rb_define_module_under(katsu_mKatsu, "Source");
    rb_global_variable(&reader_patches);
    reader_patches = rb_define_module_under(source_module, "ReaderPatches");
    rb_define_singleton_method(katsu_mNative, "association_readers=", set_association_readers, 1);
}
