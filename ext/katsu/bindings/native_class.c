/* What the extension found out about this Ruby and this processor when it was loaded. */
#include "bytes/buffer.h"
#include "bytes/escape.h"
#include "values/hash_copy.h"
#include "records/hash_peek.h"
#include "records/ivar_slot.h"

#ifdef KATSU_UNKNOWN_RUBY
#define NOT_READ "built as for an unknown Ruby (KATSU_VARIANT=unknown)"
#elif SIZEOF_VALUE != 8
#define NOT_READ "this Ruby is not for 64 bits"
#else
#define NOT_READ "how this version of Ruby lays out memory is not known"
#endif

#if defined(KATSU_HAVE_IVARS) || defined(KATSU_HAVE_HASH_PEEK)
#define OTHERWISE "this Ruby lays out memory in another way than its version does"
#endif

static VALUE places(void)
{
#ifdef KATSU_HAVE_IVARS
    return katsu_ivars_trusted_p() ? Qtrue : rb_str_new_cstr(OTHERWISE);
#else
    return rb_str_new_cstr(NOT_READ);
#endif
}

static VALUE pairs(void)
{
#ifdef KATSU_HAVE_HASH_PEEK
    return katsu_hash_peek_trusted ? Qtrue : rb_str_new_cstr(OTHERWISE);
#else
    return rb_str_new_cstr(NOT_READ);
#endif
}

static VALUE small_hashes(void)
{
#if defined(KATSU_HAVE_HASH_COPY)
    return Qtrue;
#elif defined(KATSU_UNKNOWN_RUBY)
    return rb_str_new_cstr(NOT_READ);
#else
    return rb_str_new_cstr("this Ruby does not export rb_hash_stlike_foreach");
#endif
}

/* Katsu::Native.simd: the name of the instructions that strings are copied with, or nil. */
static VALUE simd(VALUE module)
{
    const char *name = katsu_simd();
    return name ? rb_str_new_cstr(name) : Qnil;
}

/* Katsu::Native.short_cuts: by name true, or a String that says why it is off. */
static VALUE short_cuts(VALUE module)
{
    VALUE result = rb_hash_new();
    rb_hash_aset(result, ID2SYM(rb_intern("places")), places());
    rb_hash_aset(result, ID2SYM(rb_intern("pairs")), pairs());
    rb_hash_aset(result, ID2SYM(rb_intern("small_hashes")), small_hashes());
    VALUE simd = katsu_simd() ? Qtrue : rb_str_new_cstr("none are used on this processor");
    rb_hash_aset(result, ID2SYM(rb_intern("simd")), simd);
    return result;
}

/* Katsu::Native.place(object, name): the index of an instance variable, from 1; or nil. */
static VALUE place(VALUE module, VALUE object, VALUE name)
{
    unsigned found = katsu_type_p(object, T_OBJECT) ? katsu_ivar_index(object, rb_to_id(name)) : 0;
    return found ? UINT2NUM(found) : Qnil;
}

/* Katsu::Native.write_out(io, text): see buffer.h. */
static VALUE write_out(VALUE module, VALUE io, VALUE text)
{
    Check_Type(text, T_STRING);
    return katsu_write_out(io, text);
}

void katsu_init_native_class(void)
{
    rb_define_singleton_method(katsu_mNative, "short_cuts", short_cuts, 0);
    rb_define_singleton_method(katsu_mNative, "simd", simd, 0);
    rb_define_singleton_method(katsu_mNative, "write_out", write_out, 2);
    rb_define_singleton_method(katsu_mNative, "place", place, 2);
}
