/* The list of casts as Ruby sees it, and what their functions share. See cast.h. */
#include "casts/cast.h"

VALUE katsu_cast_text(katsu_cast_to_json *to_json, VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    char bytes[64];
    katsu_buffer buffer;
    katsu_buffer_init(&buffer, bytes, sizeof bytes);
    if (to_json(&buffer, raw, times, size) != KATSU_CAST_WRITTEN) return Qundef;
    return rb_utf8_str_new(buffer.start + 1, buffer.at - buffer.start - 2);
}

static void add_cast(VALUE casts, const char *name, bool mutable)
{
    VALUE cast = rb_hash_new();
    rb_hash_aset(cast, ID2SYM(rb_intern("mutable")), mutable ? Qtrue : Qfalse);
    rb_hash_aset(casts, ID2SYM(rb_intern(name)), cast);
}

/* Katsu::Native.casts: {name => {mutable: true or false}} in the order of their numbers. */
static VALUE list_casts(VALUE module)
{
    VALUE casts = rb_hash_new();
#define KATSU_CAST(NUMBER, name, mutable, of_values) add_cast(casts, #name, mutable);
#include "casts/casts.def"
#undef KATSU_CAST
    return casts;
}

katsu_standard_as_json katsu_standard = {false, RUBY_FIXNUM_FLAG, 0};

/* Katsu::Native.own_as_json(own, integers): see katsu_standard_as_json; integers: whether theirs is one of them. */
static VALUE own_as_json(VALUE module, VALUE own, VALUE integers)
{
    katsu_standard.own = RTEST(own);
    katsu_standard.integers = RTEST(integers) ? 0 : RUBY_FIXNUM_FLAG;
    __atomic_fetch_add(&katsu_standard.serial, 1, __ATOMIC_RELEASE);
    return Qnil;
}

void katsu_init_cast(void)
{
    rb_define_singleton_method(katsu_mNative, "casts", list_casts, 0);
    rb_define_singleton_method(katsu_mNative, "own_as_json", own_as_json, 2);
}
