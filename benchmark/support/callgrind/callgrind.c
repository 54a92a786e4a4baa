/*
 * What a row asks of valgrind's callgrind, from inside the process: zero the counts, then dump them under a name.
 * Outside of valgrind these requests do nothing.
 */
#include <ruby.h>
#include <valgrind/callgrind.h>

/* Callgrind.instrument: from here on instructions are counted. What runs before (loading, making data) is quick. */
static VALUE
callgrind_instrument(VALUE self)
{
    CALLGRIND_START_INSTRUMENTATION;
    return Qnil;
}

/* Callgrind.count(name) { work }: dumps the instructions of the block. */
static VALUE
callgrind_count(VALUE self, VALUE name)
{
    const char *text = StringValueCStr(name);

    CALLGRIND_ZERO_STATS;
    rb_yield(Qnil);
    CALLGRIND_DUMP_STATS_AT(text);
    RB_GC_GUARD(name);
    return Qnil;
}

void
Init_callgrind(void)
{
    VALUE callgrind = rb_define_module("Callgrind");

    rb_define_module_function(callgrind, "instrument", callgrind_instrument, 0);
    rb_define_module_function(callgrind, "count", callgrind_count, 1);
}
