/* Katsu::Plan's C half: the steps, copied from Ruby's. See plan.h. */
#include "plans/plan.h"
#include "plans/field_call.h"

static void plan_mark(void *data)
{
    katsu_plan *plan = data;
    rb_gc_mark(plan->serializer);
    rb_gc_mark(plan->ruby_steps);
    for (long i = 0; i < plan->count; i++) {
        katsu_step *step = &plan->steps[i];
        rb_gc_mark(step->symbol);
        rb_gc_mark(step->key);
        rb_gc_mark(step->plan_object);
        rb_gc_mark(step->polymorphic);
        rb_gc_mark(step->identity);
        rb_gc_mark(step->object_key);
    }
}

static void plan_free(void *data)
{
    katsu_plan *plan = data;
    if (plan->life) {
        __atomic_store_n(&plan->life->over, true, __ATOMIC_RELEASE);
        katsu_life_release(plan->life);
    }
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
                                        RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE |
                                            RUBY_TYPED_WB_PROTECTED};

VALUE katsu_plan_allocate(VALUE class)
{
    katsu_plan *plan;
    VALUE object = TypedData_Make_Struct(class, katsu_plan, &katsu_plan_type, plan);
    plan->life = ZALLOC(katsu_life);
    plan->life->refs = 1;
    return object;
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

static unsigned char kind_number(VALUE step)
{
    VALUE kinds = rb_const_get(rb_obj_class(step), rb_intern("KINDS"));
    VALUE number = rb_funcall(kinds, rb_intern("index"), 1, ask(step, "kind"));
    int kind = NUM2INT(number);
    if (kind < STEP_ATTRIBUTE || kind > STEP_HAS_MANY) katsu_raise(rb_eArgError, "Katsu::Plan: unknown kind of step");
    return (unsigned char)kind;
}

/* A Katsu::Serializer::Call. Its name is that of a method, whose ID Ruby keeps. */
static katsu_call read_call(VALUE source)
{
    katsu_call call = {0};
    if (NIL_P(source)) return call;
    VALUE name = ask(source, "name");
    int arguments = NUM2INT(ask(source, "arguments"));
    Check_Type(name, T_SYMBOL);
    if (arguments < 0 || arguments > KATSU_ARGUMENTS) katsu_raise(rb_eArgError, "Katsu::Plan: too many arguments");
    call.name = SYM2ID(name);
    call.arguments = (unsigned char)arguments;
    return call;
}

static void link_conditions(katsu_step *step, VALUE conditions)
{
    Check_Type(conditions, T_ARRAY);
    if (RARRAY_LEN(conditions) > KATSU_CONDITIONS) katsu_raise(rb_eArgError, "Katsu::Plan: too many conditions");
    for (long i = 0; i < RARRAY_LEN(conditions); i++) {
        VALUE condition = RARRAY_AREF(conditions, i);
        step->condition[i] = read_call(ask(condition, "call"));
        step->condition[i].wanted = RTEST(ask(condition, "wanted"));
        step->conditions++;
    }
}

/* A step's kind, its names and what it calls. */
static void name_step(VALUE self, katsu_step *step, VALUE source)
{
    step->kind = kind_number(source);
    RB_OBJ_WRITE(self, &step->symbol, ask(source, "name"));
    step->name = SYM2ID(step->symbol);
    VALUE key = ask(source, "key");
    Check_Type(key, T_STRING);
    RB_OBJ_WRITE(self, &step->key, rb_str_to_interned_str(key));
    VALUE call = ask(source, "call");
    step->call = read_call(call);
    step->itself = step->call.name && RTEST(ask(call, "itself?"));
    if (step->kind == STEP_METHOD && !step->call.name)
        katsu_raise(rb_eArgError, "Katsu::Plan: a method step needs a call");
    link_conditions(step, ask(source, "conditions"));
    RB_OBJ_WRITE(self, &step->identity, or_zero(ask(source, "identity")));
    RB_OBJ_WRITE(self, &step->object_key, or_zero(ask(source, "object_key")));
    VALUE depth = ask(source, "depth");
    step->depth = NIL_P(depth) ? -1 : NUM2LONG(depth);
    step->optional = step->call.name || step->conditions || step->depth >= 0;
}

/* The plan or the choice of an association. Plans that contain each other are linked inside out. `calls`, `polymorphic`
 * and `non_ascii` are therefore complete only for the outermost plan, by which a call begins. A node of an inner plan
 * that says no `calls` may look at readers in vain. */
static void link_association(VALUE self, katsu_plan *plan, katsu_step *step, VALUE association)
{
    step->inner = plan->associations++;
    step->nested = true;
    if (step->object_key) plan->calls = plan->polymorphic = true;
    if (!NIL_P(association) && !rb_typeddata_is_kind_of(association, &katsu_plan_type)) {
        RB_OBJ_WRITE(self, &step->polymorphic, association);
        plan->calls = plan->polymorphic = true;
        return;
    }
    step->plan = plan_data(association);
    step->nested = step->depth >= 0 || step->object_key;
    RB_OBJ_WRITE(self, &step->plan_object, association);
    plan->calls |= step->plan->calls;
    plan->polymorphic |= step->plan->polymorphic;
    plan->non_ascii |= step->plan->non_ascii;
}

/* Copies one Ruby step; text is where its key goes. Returns the end of the key. */
static char *link_step(VALUE self, katsu_plan *plan, katsu_step *step, VALUE source, VALUE key, char *text)
{
    name_step(self, step, source);
    plan->calls |= step->call.name || step->conditions;
    if (katsu_association_p(step)) link_association(self, plan, step, ask(source, "plan"));
    plan->non_ascii |= katsu_coderange(key) != RUBY_ENC_CODERANGE_7BIT;
    step->text = text;
    step->length = (unsigned)RSTRING_LEN(key) + 1;
    *text = ',';
    memcpy(text + 1, RSTRING_PTR(key), (size_t)RSTRING_LEN(key));
    RB_GC_GUARD(key);
    return text + step->length;
}

VALUE katsu_plan_link(VALUE self, VALUE serializer, VALUE steps)
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
    RB_OBJ_WRITE(self, &plan->serializer, serializer);
    RB_OBJ_WRITE(self, &plan->ruby_steps, steps);
    plan->texts = ZALLOC_N(char, size);
    plan->steps = ZALLOC_N(katsu_step, count);
    char *text = plan->texts;
    for (long i = 0; i < count; i++) {
        plan->count = i + 1; /* beforehand, for what it has already to be marked */
        text = link_step(self, plan, &plan->steps[i], RARRAY_AREF(steps, i), RARRAY_AREF(keys, i), text);
    }
    plan->linked = true;
    RB_GC_GUARD(keys);
    RB_GC_GUARD(steps);
    return self;
}
