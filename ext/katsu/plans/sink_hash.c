/* Objects through a plan to Hashes and Arrays. The twin of sink_json.c: the same steps, values as as_json
 * gives them instead of their bytes.
 */
#include "plans/sink.h"
#include "casts/cast.h"
#include "plans/execution.h"

static ID id_of, id_of_any, id_value;
static VALUE as_json, cast_json; /* Katsu::AsJson and Katsu::Cast::Json */

static VALUE build_object(katsu_batch *batch, katsu_run *run, VALUE object);

/* A value as it stands in a Hash. */
static VALUE plain(const katsu_batch *batch, VALUE value)
{
    if (KATSU_UNLIKELY(batch->own_as_json)) return rb_funcall(as_json, id_of_any, 1, value);
    if (RB_FIXNUM_P(value) || NIL_P(value) || value == Qtrue || value == Qfalse) return value;
    return rb_funcall(as_json, id_of, 1, value);
}

static VALUE build_elements(katsu_batch *batch, katsu_run *run, VALUE objects)
{
    VALUE elements = rb_ary_new_capa(RARRAY_LEN(objects));
    run->element.up = batch->generator.frame;
    batch->generator.frame = &run->element;
    for (long i = 0; i < RARRAY_LEN(objects); i++) {
        run->element.index = i;
        rb_ary_push(elements, build_object(batch, run, RARRAY_AREF(objects, i)));
    }
    batch->generator.frame = run->element.up;
    RB_GC_GUARD(objects);
    return elements;
}

/* By the plans of the objects' classes. */
static VALUE build_choices(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE target)
{
    if (step->kind == STEP_HAS_ONE) return katsu_run_choice(batch, run, step, target, build_object);
    target = katsu_run_elements(batch, run, target);
    VALUE elements = rb_ary_new_capa(RARRAY_LEN(target));
    run->chosen.up = batch->generator.frame;
    batch->generator.frame = &run->chosen;
    for (long i = 0; i < RARRAY_LEN(target); i++) {
        run->chosen.index = i;
        rb_ary_push(elements, katsu_run_choice(batch, run, step, RARRAY_AREF(target, i), build_object));
    }
    batch->generator.frame = run->chosen.up;
    RB_GC_GUARD(target);
    return elements;
}

static VALUE build_plain_target(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE target)
{
    katsu_run *inner = katsu_run_inner(batch, run, step);
    return step->kind == STEP_HAS_ONE ? build_object(batch, inner, target) : build_elements(batch, inner, katsu_run_elements(batch, run, target));
}

static VALUE build_target(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE target)
{
    katsu_choosing here;
    if (NIL_P(target)) return Qnil;
    if (step->choice) return build_choices(batch, run, step, target);
    if (step->depth < 0) return build_plain_target(batch, run, step, target);
    katsu_run_choose(batch, &here, step);
    VALUE built = build_plain_target(batch, run, step, target);
    batch->choosing = here.up;
    return built;
}

/* The text that a cast writes, without its quotes; Qundef where it does not know the value. */
static VALUE text_of(katsu_batch *batch, int cast, VALUE raw)
{
    char bytes[64];
    katsu_buffer buffer;
    katsu_buffer_init(&buffer, bytes, sizeof bytes);
    bool known = cast == CAST_DATE ? katsu_cast_date(&buffer, raw, &batch->times) : katsu_cast_datetime(&buffer, raw, &batch->times, cast);
    return known ? rb_utf8_str_new(bytes + 1, buffer.at - buffer.start - 2) : Qundef;
}

static VALUE parse(const katsu_run *run, const katsu_step *step, const katsu_access *access, VALUE record, VALUE raw)
{
    if (!RB_TYPE_P(raw, T_STRING)) return Qundef;
    VALUE type = rb_hash_aref(run->layout->types, access->column);
    return rb_funcall(cast_json, id_value, 5, run->plan->serializer, record, step->symbol, type, raw);
}

/* Qundef where the long way has to be taken. */
static VALUE build_raw(katsu_batch *batch, int cast, VALUE raw)
{
    bool ascii;
    if (NIL_P(raw) && cast != CAST_GENERIC) return Qnil;
    switch (cast) {
      case CAST_STRING:
        if (RB_SPECIAL_CONST_P(raw) || RBASIC_CLASS(raw) != rb_cString || !katsu_utf8_p(raw, &ascii)) return Qundef;
        return rb_str_dup(raw);
      case CAST_INTEGER:
        return RB_FIXNUM_P(raw) ? raw : Qundef;
      case CAST_FLOAT:
        return RB_FLOAT_TYPE_P(raw) && RFLOAT_VALUE(raw) - RFLOAT_VALUE(raw) == 0 ? raw : Qundef;
      case CAST_BOOLEAN:
        if (raw == Qtrue || raw == INT2FIX(1)) return Qtrue;
        return raw == Qfalse || raw == INT2FIX(0) ? Qfalse : Qundef;
      case CAST_DATETIME:
      case CAST_ZONED_DATETIME:
      case CAST_DATE:
        return text_of(batch, cast, raw);
      default:
        return Qundef;
    }
}

/* The objects of an association, below its step in the path of errors. */
static VALUE build_association(katsu_batch *batch, katsu_run *run, const katsu_step *step, VALUE target)
{
    run->frame.up = batch->generator.frame;
    batch->generator.frame = &run->frame;
    VALUE built = build_target(batch, run, step, target);
    batch->generator.frame = run->frame.up;
    return built;
}

static VALUE build_column(katsu_batch *batch, katsu_run *run, const katsu_row *row, long index, VALUE record)
{
    const katsu_access *access = &run->layout->access[index];
    bool casted;
    VALUE raw = katsu_run_column(run, row, index, access, &casted);
    if (casted && access->cast == CAST_ZONED_DATETIME) raw = katsu_time_in_zone(&batch->times, raw);
    if (raw == Qundef || (casted && !(KATSU_CAST_OF_VALUES >> access->cast & 1))) return Qundef;
    if (access->cast == CAST_JSON && !NIL_P(raw)) return parse(run, &run->plan->steps[index], access, record, raw);
    return build_raw(batch, access->cast, raw);
}

/* A step's value, or Qundef where its key is left out. */
static VALUE build_step(katsu_batch *batch, katsu_run *run, long index, VALUE object)
{
    const katsu_step *step = &run->plan->steps[index];
    const katsu_access *access = &run->layout->access[index];
    if (katsu_run_used_up(batch, step)) return Qundef;
    if (step->conditions && !katsu_run_conditions(batch, run, step, object)) return Qundef;
    if (step->call.name) {
        VALUE value = katsu_run_method(batch, run, step, object);
        if (value == katsu_skip) return Qundef;
        return katsu_association_p(step) ? build_association(batch, run, step, value) : plain(batch, value);
    }
    if (katsu_association_p(step)) return build_association(batch, run, step, katsu_run_target(batch, run, step, access, object));
    VALUE value = Qundef;
    if (access->how == HOW_KEY) {
        value = katsu_run_key(step, access, object);
    } else if (access->how == HOW_METHOD) {
        value = katsu_run_call(batch, step, object);
    }
    return plain(batch, value == Qundef ? katsu_run_read(batch, run, step, object) : value);
}

#define PAIRS 32

static void flush_pairs(VALUE hash, VALUE *pairs, long *count)
{
    if (*count) rb_hash_bulk_insert(*count, pairs, hash);
    *count = 0;
}

static VALUE build_object(katsu_batch *batch, katsu_run *run, VALUE object)
{
    if (NIL_P(object)) return Qnil;
    VALUE class = CLASS_OF(object), pairs[PAIRS * 2];
    if (class != run->class) katsu_run_bind(batch, run, object, class);
    bool record = run->layout->kind == SOURCE_RECORD;
    katsu_row row;
    bool fast = record && katsu_run_row(run, object, &row);
    long filled = 0;
#ifdef HAVE_RB_HASH_NEW_CAPA
    VALUE hash = rb_hash_new_capa(run->plan->count);
#else
    VALUE hash = rb_hash_new();
#endif
    for (long i = 0; i < run->plan->count; i++) {
        const katsu_step *step = &run->plan->steps[i];
        VALUE value = Qundef;
        run->frame.key = step->symbol;
        if (fast && !step->conditions && run->layout->access[i].how == HOW_COLUMN && step->kind == STEP_ATTRIBUTE)
            value = build_column(batch, run, &row, i, object);
        if (value == Qundef) {
            value = build_step(batch, run, i, object);
            if (fast) fast = katsu_run_row(run, object, &row);
            if (value == Qundef) continue;
        }
        if (filled == PAIRS * 2) flush_pairs(hash, pairs, &filled);
        pairs[filled++] = step->key;
        pairs[filled++] = value;
    }
    flush_pairs(hash, pairs, &filled);
    return hash;
}

static VALUE build_many(katsu_batch *batch, katsu_run *run, VALUE objects)
{
    return build_elements(batch, run, katsu_run_elements(batch, run, objects));
}

VALUE katsu_build(VALUE plan, VALUE object, VALUE context, VALUE scope, bool many)
{
    return katsu_run_plan(plan, object, context, scope, 0, many ? build_many : build_object);
}

void katsu_init_build(void)
{
    id_of = rb_intern("of");
    id_of_any = rb_intern("of_any");
    id_value = rb_intern("value");
    rb_global_variable(&as_json);
    rb_global_variable(&cast_json);
    as_json = rb_define_module_under(katsu_mKatsu, "AsJson");
    cast_json = rb_define_module_under(rb_define_module_under(katsu_mKatsu, "Cast"), "Json");
}
