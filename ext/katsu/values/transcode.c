/* Strings that are not UTF-8 as they stand. See generate.h. */
#include "values/generate.h"

static ID id_encode;

static VALUE encode(VALUE string)
{
    return rb_funcall(string, id_encode, 1, rb_enc_from_encoding(rb_utf8_encoding()));
}

typedef struct {
    katsu_generator *generator;
    VALUE string;
} encoding;

/* Raised here the error has what encode raised as its cause. */
static VALUE refuse_encoding(VALUE arg, VALUE error)
{
    encoding *e = (encoding *)arg;
    katsu_raise_generator_error_for(e->generator, e->string, error);
    return Qnil;
}

VALUE katsu_transcode(katsu_generator *generator, VALUE string)
{
    encoding e = {generator, string};
    generator->calls++;
    VALUE encoded = rb_rescue(encode, string, refuse_encoding, (VALUE)&e);
    Check_Type(encoded, T_STRING);
    bool ascii;
    if (!katsu_utf8_p(encoded, &ascii)) katsu_refuse_bytes(generator, string);
    return encoded;
}

void katsu_init_transcode(void)
{
    id_encode = rb_intern("encode");
}
