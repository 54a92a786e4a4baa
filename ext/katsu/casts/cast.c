/* The list of casts as Ruby sees it, and what their functions share. See cast.h. */
#include "casts/cast.h"

VALUE katsu_cast_text(katsu_cast_to_json *to_json, VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    char bytes[64];
    katsu_buffer buffer;
    katsu_buffer_init(&buffer, bytes, sizeof bytes);
    if (to_json(&buffer, raw, times, size) != KATSU_CAST_WRITTEN) return Qundef;
    return katsu_unquoted(&buffer);
}

VALUE katsu_unquoted(katsu_buffer *buffer)
{
    if (buffer->start[0] != '"') return Qnil;
    VALUE text = rb_utf8_str_new(buffer->start + 1, buffer->at - buffer->start - 2);
    katsu_buffer_release(buffer);
    return text;
}

static int size_of(VALUE type, const char *name, int otherwise)
{
    VALUE size = rb_funcall(type, rb_intern(name), 0);
    return RB_FIXNUM_P(size) && FIX2LONG(size) >= 0 && FIX2LONG(size) < 1000 ? FIX2INT(size) : otherwise;
}

katsu_column_size katsu_column_size_of(VALUE type)
{
    katsu_column_size size = {size_of(type, "precision", 0), size_of(type, "scale", -1)};
    return size;
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

katsu_standard_as_json katsu_standard = {false, RUBY_FIXNUM_FLAG, 0, 0};

/* Katsu::Native.own_as_json(own, integers): see katsu_standard_as_json; integers: whether theirs is one of them. */
static VALUE own_as_json(VALUE module, VALUE own, VALUE integers)
{
    katsu_standard.own = RTEST(own);
    katsu_standard.integers = RTEST(integers) ? 0 : RUBY_FIXNUM_FLAG;
    __atomic_fetch_add(&katsu_standard.serial, 1, __ATOMIC_RELEASE);
    return Qnil;
}

static katsu_cast_result number_to_json(katsu_buffer *buffer, ID cast, VALUE text, const katsu_column_size *size)
{
    const char *bytes = RSTRING_PTR(text);
    long length = RSTRING_LEN(text);
    if (cast == rb_intern("integer")) return katsu_integer_text_to_json(buffer, bytes, length);
    if (cast == rb_intern("float")) return katsu_float_text_to_json(buffer, bytes, length);
    if (cast == rb_intern("decimal")) return katsu_decimal_text_to_json(buffer, bytes, length, size);
    return katsu_boolean_text_to_json(buffer, bytes, length);
}

/* Katsu::Native.number_text(cast, text, digits, scale): the JSON that a column with the cast of that name (integer,
 * float, decimal or boolean) has for the text that a database's client library gives; nil if its type has to make it.
 */
static VALUE number_text(VALUE module, VALUE cast, VALUE text, VALUE digits, VALUE scale)
{
    char bytes[256];
    katsu_buffer buffer;
    katsu_column_size size = {NUM2INT(digits), NUM2INT(scale)};
    StringValue(text);
    katsu_buffer_init(&buffer, bytes, sizeof bytes);
    katsu_cast_result result = number_to_json(&buffer, rb_to_id(cast), text, &size);
    RB_GC_GUARD(text);
    return result == KATSU_CAST_WRITTEN ? katsu_buffer_finish(&buffer) : Qnil;
}

void katsu_init_cast(void)
{
    rb_define_singleton_method(katsu_mNative, "number_text", number_text, 4);
    rb_define_singleton_method(katsu_mNative, "casts", list_casts, 0);
    rb_define_singleton_method(katsu_mNative, "own_as_json", own_as_json, 2);
}
