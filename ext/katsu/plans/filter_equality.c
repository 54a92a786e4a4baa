/* Whether two filters are the same, for the lookup of a plan. Ruby's own == of Arrays and Hashes is ready for those
 * that contain themselves, which costs more than all the rest of the lookup.
 */
#include "values/hash_copy.h"

/* Filters nested deeper are compared by Ruby. */
#define MAX_FILTER_DEPTH 8

static bool alike_p(VALUE one, VALUE other, int depth);

typedef struct {
    VALUE other;
    int depth;
    bool alike;
} comparison;

static int compare_pair(VALUE name, VALUE filter, VALUE arg)
{
    comparison *so_far = (comparison *)arg;
    VALUE other = RB_STATIC_SYM_P(name) ? rb_hash_lookup2(so_far->other, name, Qundef) : Qundef;
    so_far->alike = other != Qundef && alike_p(filter, other, so_far->depth);
    return so_far->alike ? ST_CONTINUE : ST_STOP;
}

static bool exact_class_p(VALUE value, VALUE class)
{
    return !RB_SPECIAL_CONST_P(value) && RBASIC_CLASS(value) == class;
}

/* True only if nothing but Symbols in Arrays and Hashes was met; nothing is called that could be redefined. */
static bool alike_p(VALUE one, VALUE other, int depth)
{
    if (one == other) return true;
    if (depth == MAX_FILTER_DEPTH) return false;
    if (exact_class_p(one, rb_cArray) && exact_class_p(other, rb_cArray)) {
        long length = RARRAY_LEN(one);
        if (RARRAY_LEN(other) != length) return false;
        for (long i = 0; i < length; i++) {
            if (!alike_p(RARRAY_CONST_PTR(one)[i], RARRAY_CONST_PTR(other)[i], depth + 1)) return false;
        }
        return true;
    }
    if (exact_class_p(one, rb_cHash) && exact_class_p(other, rb_cHash) && RHASH_SIZE(one) == RHASH_SIZE(other)) {
        comparison so_far = {other, depth + 1, true};
        katsu_hash_each(one, compare_pair, &so_far);
        return so_far.alike;
    }
    return false;
}

/* call-seq: same?(one, other) -> true or false */
static VALUE same_p(VALUE self, VALUE one, VALUE other)
{
    return alike_p(one, other, 0) ? Qtrue : rb_equal(one, other);
}

void katsu_init_filter_equality(void)
{
    VALUE plan = rb_define_class_under(katsu_mKatsu, "Plan", rb_cObject);
    rb_define_singleton_method(rb_define_module_under(plan, "Cache"), "same?", same_p, 2);
}
