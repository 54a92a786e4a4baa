/* Bindings: Katsu::Plan; and the layouts remembered per Ractor. */
#include "plan.h"
#include "run.h"
#include "serialize.h"
#include <ruby/ractor.h>

static void plan_mark(void *data)
{
    katsu_plan *plan = data;
    rb_gc_mark(plan->serializer);
    rb_gc_mark(plan->ruby_steps);
    for (long i = 0; i < plan->count; i++) {
        katsu_step *step = &plan->steps[i];
        rb_gc_mark(step->symbol);
        rb_gc_mark(step->key);
        rb_gc_mark(step->block);
        rb_gc_mark(step->condition);
        rb_gc_mark(step->plan_object);
        rb_gc_mark(step->choice);
        rb_gc_mark(step->identity);
    }
}

static void plan_free(void *data)
{
    katsu_plan *plan = data;
    xfree(plan->steps);
    xfree(plan->texts);
    xfree(plan);
}

static size_t plan_size(const void *data)
{
    const katsu_plan *plan = data;
    return sizeof *plan + (size_t)plan->count * sizeof(katsu_step);
}

const rb_data_type_t katsu_plan_type = {"Katsu::Plan",
                                        {plan_mark, plan_free, plan_size},
                                        NULL,
                                        NULL,
                                        RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE};

static VALUE plan_allocate(VALUE class)
{
    katsu_plan *plan;
    return TypedData_Make_Struct(class, katsu_plan, &katsu_plan_type, plan);
}

static katsu_plan *plan_data(VALUE object)
{
    katsu_plan *plan;
    TypedData_Get_Struct(object, katsu_plan, &katsu_plan_type, plan);
    return plan;
}

katsu_plan *katsu_plan_get(VALUE object)
{
    katsu_plan *plan = plan_data(object);
    if (KATSU_UNLIKELY(!plan->linked)) katsu_raise(katsu_eError, "Katsu::Plan: uninitialized");
    return plan;
}

static VALUE ask(VALUE object, const char *name)
{
    return rb_funcall(object, rb_intern(name), 0);
}

static VALUE or_zero(VALUE value)
{
    return NIL_P(value) ? 0 : value;
}

static VALUE or_nil(VALUE value)
{
    return value ? value : Qnil;
}

static unsigned char kind_number(VALUE step)
{
    VALUE kinds = rb_const_get(rb_obj_class(step), rb_intern("KINDS"));
    VALUE number = rb_funcall(kinds, rb_intern("index"), 1, ask(step, "kind"));
    int kind = NUM2INT(number);
    if (kind < STEP_ATTRIBUTE || kind > STEP_HAS_MANY) katsu_raise(rb_eArgError, "Katsu::Plan: unknown kind of step");
    return (unsigned char)kind;
}

/* A step's kind, its names and what it calls. */
static void name_step(katsu_step *step, VALUE source)
{
    step->kind = kind_number(source);
    step->symbol = ask(source, "name");
    step->name = SYM2ID(step->symbol);
    step->key = ask(source, "key");
    Check_Type(step->key, T_STRING);
    step->key = rb_str_to_interned_str(step->key);
    step->block = or_zero(ask(source, "block"));
    if (step->kind == STEP_BLOCK && !rb_obj_is_proc(step->block)) katsu_raise(rb_eTypeError, "Katsu::Plan: a block step needs a Proc");
    step->condition = or_zero(ask(source, "condition"));
    step->optional = step->kind == STEP_METHOD || step->kind == STEP_BLOCK || step->condition;
}

/* Copies one Ruby step; text is where its key goes. Returns the end of the key. */
static char *link_step(katsu_plan *plan, katsu_step *step, VALUE source, VALUE key, char *text)
{
    name_step(step, source);
    VALUE association = or_zero(ask(source, "plan"));
    plan->calls |= step->optional;
    if (association && !rb_typeddata_is_kind_of(association, &katsu_plan_type)) {
        step->choice = association;
        plan->choices = true;
        step->identity = ask(association, "identity");
        VALUE depth = ask(association, "depth");
        step->depth = NIL_P(depth) ? -1 : NUM2LONG(depth);
        step->optional |= step->depth >= 0;
    } else if (katsu_association_p(step)) {
        step->plan = katsu_plan_get(association);
        step->plan_object = association;
        step->run = plan->runs;
        plan->runs += step->plan->runs;
        plan->cells += step->plan->cells;
        plan->calls |= step->plan->calls;
        plan->choices |= step->plan->choices;
        plan->wide |= step->plan->wide;
    }
    plan->wide |= katsu_coderange(key) != RUBY_ENC_CODERANGE_7BIT;
    step->text = text;
    step->length = (unsigned)RSTRING_LEN(key) + 1;
    *text = ',';
    memcpy(text + 1, RSTRING_PTR(key), (size_t)RSTRING_LEN(key));
    RB_GC_GUARD(key);
    return text + step->length;
}

/* Private: keeps the serializer and the Array of steps, and copies these. Called once, by initialize. */
static VALUE plan_link(VALUE self, VALUE serializer, VALUE steps)
{
    katsu_plan *plan = plan_data(self);
    Check_Type(steps, T_ARRAY);
    if (plan->linking) katsu_raise(katsu_eError, "Katsu::Plan: linked twice");
    plan->linking = true;
    rb_ary_freeze(steps); /* what is asked below may not change it */
    if (!katsu_skip) katsu_skip = rb_const_get(rb_const_get(katsu_mKatsu, rb_intern("Serializer")), rb_intern("SKIP"));
    long count = RARRAY_LEN(steps);
    size_t size = KATSU_KEY_BLOCK;
    VALUE keys = rb_ary_new_capa(count);
    for (long i = 0; i < count; i++) {
        VALUE key = rb_str_new_frozen(rb_str_to_str(ask(RARRAY_AREF(steps, i), "json_key")));
        rb_ary_push(keys, key);
        size += (size_t)RSTRING_LEN(key) + 1;
    }
    plan->serializer = serializer;
    plan->ruby_steps = steps;
    plan->texts = ZALLOC_N(char, size);
    plan->steps = ZALLOC_N(katsu_step, count + 1);
    plan->runs = 1;
    plan->cells = (size_t)count;
    char *text = plan->texts;
    for (long i = 0; i < count; i++) {
        plan->count = i + 1; /* beforehand, for what it has already to be marked */
        text = link_step(plan, &plan->steps[i], RARRAY_AREF(steps, i), RARRAY_AREF(keys, i), text);
    }
    plan->linked = true;
    RB_GC_GUARD(keys);
    RB_GC_GUARD(steps);
    return self;
}

/* Katsu::Plan#serializer */
static VALUE plan_serializer(VALUE self)
{
    return or_nil(katsu_plan_get(self)->serializer);
}

/* Katsu::Plan#steps: the Array of Katsu::Plan::Step. */
static VALUE plan_steps(VALUE self)
{
    return or_nil(katsu_plan_get(self)->ruby_steps);
}

static VALUE plan_generate(VALUE self, VALUE object, VALUE context, VALUE scope)
{
    return katsu_serialize(self, object, context, scope, 0, false);
}

static VALUE plan_generate_all(VALUE self, VALUE objects, VALUE context, VALUE scope)
{
    return katsu_serialize(self, objects, context, scope, 0, true);
}

static VALUE plan_write_all(VALUE self, VALUE objects, VALUE context, VALUE scope, VALUE io)
{
    return katsu_serialize(self, objects, context, scope, io, true);
}

static VALUE plan_build(VALUE self, VALUE object, VALUE context, VALUE scope)
{
    return katsu_build(self, object, context, scope, false);
}

static VALUE plan_build_all(VALUE self, VALUE objects, VALUE context, VALUE scope)
{
    return katsu_build(self, objects, context, scope, true);
}

/* Layouts */

static void mark_names(const katsu_names *names)
{
    for (int i = 0; i < names->count; i++) rb_gc_mark(names->names[i]);
}

static void layout_mark(void *data)
{
    katsu_layout *layout = data;
    rb_gc_mark(layout->types);
    rb_gc_mark(layout->columns);
    mark_names(&layout->read);
    mark_names(&layout->written);
    for (long i = 0; i < layout->count; i++) {
        rb_gc_mark(layout->access[i].column);
        rb_gc_mark(layout->access[i].type);
        rb_gc_mark(layout->access[i].name);
    }
}

static const rb_data_type_t layout_type = {
    "Katsu::Native::Layout", {layout_mark, RUBY_DEFAULT_FREE, NULL}, NULL, NULL, RUBY_TYPED_FREE_IMMEDIATELY};

#define MEMO_SIZE 128
#define MEMO_WAYS 4

typedef struct {
    struct {
        VALUE plan, class, layout;
    } entries[MEMO_SIZE];
    unsigned next; /* the way that is given up next */
} memo;

static void memo_mark(void *data)
{
    memo *m = data;
    for (int i = 0; i < MEMO_SIZE; i++) {
        rb_gc_mark(m->entries[i].plan);
        rb_gc_mark(m->entries[i].class);
        rb_gc_mark(m->entries[i].layout);
    }
}

static const rb_data_type_t memo_type = {
    "Katsu::Native::Memo", {memo_mark, RUBY_DEFAULT_FREE, NULL}, NULL, NULL, RUBY_TYPED_FREE_IMMEDIATELY};

static rb_ractor_local_key_t memo_key;
static VALUE source_module;

static memo *current_memo(void)
{
    VALUE object = rb_ractor_local_storage_value(memo_key);
    memo *m;
    if (NIL_P(object)) {
        object = TypedData_Make_Struct(0, memo, &memo_type, m);
        rb_ractor_local_storage_value_set(memo_key, object);
        return m;
    }
    return RTYPEDDATA_DATA(object);
}

/* The first of the MEMO_WAYS entries that may hold plan and class. */
static unsigned memo_index(VALUE plan, VALUE class)
{
    return (unsigned)(((plan >> 4) * 31 + (class >> 4)) * MEMO_WAYS % MEMO_SIZE);
}

/* The entry that holds plan and class, or -1. */
static int memo_find(const memo *m, VALUE plan, VALUE class)
{
    unsigned index = memo_index(plan, class);
    for (unsigned way = 0; way < MEMO_WAYS; way++) {
        if (m->entries[index + way].plan == plan && m->entries[index + way].class == class) return (int)(index + way);
    }
    return -1;
}

/* What a type says of its precision or scale; otherwise where it says nothing. */
static int type_size(VALUE type, const char *name, int otherwise)
{
    VALUE size = rb_funcall(type, rb_intern(name), 0);
    return RB_FIXNUM_P(size) && FIX2LONG(size) >= 0 && FIX2LONG(size) < 1000 ? FIX2INT(size) : otherwise;
}

/* What a layout says is believed without being looked at again. */
static void check_access(const katsu_access *access, const katsu_layout *layout, VALUE class)
{
    bool known = access->how <= HOW_DYNAMIC && access->cast <= CAST_DECIMAL && (NIL_P(access->column) || RB_TYPE_P(access->column, T_STRING));
    if (access->how == HOW_KEY) known = known && RTEST(rb_class_inherited_p(class, rb_cHash));
    if (access->how == HOW_COLUMN) known = known && layout->kind == SOURCE_RECORD && RB_TYPE_P(layout->types, T_HASH);
    if (!known) katsu_raise(katsu_eError, "Katsu::Plan: an unknown way to read a step");
}

static VALUE make_layout(VALUE plan, VALUE class, katsu_layout **layout)
{
    VALUE bound = rb_funcall(source_module, rb_intern("bind"), 2, plan, class);
    Check_Type(bound, T_ARRAY);
    VALUE accesses = rb_ary_entry(bound, 2);
    Check_Type(accesses, T_ARRAY);
    long count = RARRAY_LEN(accesses);
    if (count != katsu_plan_get(plan)->count) katsu_raise(katsu_eError, "Katsu::Plan: %ld ways to read its steps", count);
    katsu_layout *made = (katsu_layout *)ruby_xcalloc(1, sizeof(katsu_layout) + (size_t)count * sizeof(katsu_access));
    VALUE object = TypedData_Wrap_Struct(0, &layout_type, made);
    made->kind = (katsu_source_kind)NUM2INT(rb_ary_entry(bound, 0));
    made->types = rb_ary_entry(bound, 1);
    if (made->kind == SOURCE_RECORD && !NIL_P(made->types)) Check_Type(made->types, T_HASH);
    for (long i = 0; i < count; i++) {
        VALUE access = RARRAY_AREF(accesses, i);
        Check_Type(access, T_STRUCT);
        made->access[i].how = (unsigned char)NUM2INT(RSTRUCT_GET(access, 0));
        made->access[i].cast = (unsigned char)NUM2INT(RSTRUCT_GET(access, 1));
        made->access[i].column = RSTRUCT_GET(access, 2);
        check_access(&made->access[i], made, class);
        made->access[i].type = RB_TYPE_P(made->types, T_HASH) ? rb_hash_lookup2(made->types, RSTRUCT_GET(access, 2), Qnil) : Qnil;
        made->count = i + 1;
        if (made->access[i].cast == CAST_DECIMAL && made->access[i].how == HOW_COLUMN) {
            made->access[i].digits = type_size(made->access[i].type, "precision", 0);
            made->access[i].scale = type_size(made->access[i].type, "scale", -1);
        }
    }
    *layout = made;
    return object;
}

VALUE katsu_layout_find(VALUE plan, VALUE class, katsu_layout **layout)
{
    memo *m = current_memo();
    int found = memo_find(m, plan, class);
    if (found >= 0) {
        VALUE known = m->entries[found].layout;
        *layout = RTYPEDDATA_DATA(known);
        return known;
    }
    VALUE object = make_layout(plan, class, layout);
    m = current_memo();
    unsigned index = memo_index(plan, class) + m->next++ % MEMO_WAYS;
    m->entries[index].plan = plan;
    m->entries[index].class = class;
    m->entries[index].layout = object;
    return object;
}

void katsu_layout_forget(VALUE plan, VALUE class)
{
    memo *m = current_memo();
    int found = memo_find(m, plan, class);
    if (found >= 0) m->entries[found].plan = 0;
}

void katsu_init_plan_class(void)
{
    memo_key = rb_ractor_local_storage_value_newkey();
    rb_global_variable(&source_module);
    source_module = rb_define_module_under(katsu_mKatsu, "Source");
    VALUE class = rb_define_class_under(katsu_mKatsu, "Plan", rb_cObject);
    rb_define_alloc_func(class, plan_allocate);
    rb_define_private_method(class, "link", plan_link, 2);
    rb_define_method(class, "serializer", plan_serializer, 0);
    rb_define_method(class, "steps", plan_steps, 0);
    rb_define_method(class, "generate", plan_generate, 3);
    rb_define_method(class, "generate_all", plan_generate_all, 3);
    rb_define_method(class, "write_all", plan_write_all, 4);
    rb_define_method(class, "build", plan_build, 3);
    rb_define_method(class, "build_all", plan_build_all, 3);
    rb_undef_method(class, "initialize_copy");
}
