/* Reading option Hashes. See options.h. */
#include "values/options.h"
#include "bytes/escape.h"

static VALUE sym_indent, sym_space, sym_space_before, sym_object_nl, sym_array_nl, sym_max_nesting, sym_allow_nan,
    sym_allow_duplicate_key, sym_ascii_only, sym_depth, sym_buffer_initial_length, sym_script_safe, sym_escape_slash,
    sym_strict, sym_as_json, sym_sort_keys, sym_rfc8785;

void katsu_options_init(katsu_options *options)
{
    memset(options, 0, sizeof *options);
    options->max_nesting = 100;
}

static VALUE read_string(VALUE value)
{
    if (!RTEST(value)) return 0;
    Check_Type(value, T_STRING);
    return RSTRING_LEN(value) ? rb_str_new_frozen(value) : 0;
}

static VALUE read_proc(VALUE value)
{
    if (!RTEST(value)) return 0;
    if (rb_obj_is_proc(value)) return value;
    VALUE proc = rb_check_funcall(value, rb_intern("to_proc"), 0, NULL);
    if (proc == Qundef || !rb_obj_is_proc(proc)) katsu_raise(rb_eTypeError, "as_json must be a Proc");
    return proc;
}

static VALUE read_sort_keys(VALUE value)
{
    if (!RTEST(value)) return 0;
    if (value == Qtrue || rb_obj_is_proc(value)) return value;
    katsu_raise(rb_eTypeError, "The `sort_keys` argument must be a boolean or a Proc");
}

static long read_depth(VALUE value)
{
    if (!RTEST(value)) return 0;
    long depth = NUM2LONG(value);
    if (depth < 0) katsu_raise(rb_eArgError, "depth must be >= 0 (got %ld)", depth);
    if (depth > INT_MAX) katsu_raise(rb_eArgError, "depth is too large (got %ld)", depth);
    return depth;
}

/* Of more than this nothing is reserved beforehand: a document that needs it grows. */
#define MAX_INITIAL_LENGTH (64L << 20)

static long read_buffer_length(VALUE value, long otherwise)
{
    if (RB_TYPE_P(value, T_BIGNUM)) return RBIGNUM_POSITIVE_P(value) ? MAX_INITIAL_LENGTH : otherwise;
    Check_Type(value, T_FIXNUM);
    long length = FIX2LONG(value);
    if (length <= 0) return otherwise;
    return length < MAX_INITIAL_LENGTH ? length : MAX_INITIAL_LENGTH;
}

static void set_escape(katsu_options *options, int mode, VALUE value)
{
    if (RTEST(value)) {
        options->escape |= mode;
    } else {
        options->escape &= ~mode;
    }
}

typedef struct {
    katsu_options *options;
    VALUE unknown;
} reading;

static int read_option(VALUE key, VALUE value, VALUE arg)
{
    reading *read = (reading *)arg;
    katsu_options *o = read->options;
    if (key == sym_indent)
        o->indent = read_string(value);
    else if (key == sym_space)
        o->space = read_string(value);
    else if (key == sym_space_before)
        o->space_before = read_string(value);
    else if (key == sym_object_nl)
        o->object_nl = read_string(value);
    else if (key == sym_array_nl)
        o->array_nl = read_string(value);
    else if (key == sym_max_nesting)
        o->max_nesting = RTEST(value) ? NUM2LONG(value) : 0;
    else if (key == sym_depth)
        o->depth = read_depth(value);
    else if (key == sym_allow_nan)
        o->allow_nan = RTEST(value);
    else if (key == sym_ascii_only)
        set_escape(o, KATSU_ESCAPE_ASCII_ONLY, value);
    else if (key == sym_script_safe || key == sym_escape_slash)
        set_escape(o, KATSU_ESCAPE_SCRIPT_SAFE, value);
    else if (key == sym_strict)
        o->strict = RTEST(value);
    else if (key == sym_allow_duplicate_key)
        o->allow_duplicate_key = RTEST(value);
    else if (key == sym_rfc8785)
        o->rfc8785 = RTEST(value);
    else if (key == sym_as_json)
        o->as_json = read_proc(value);
    else if (key == sym_sort_keys)
        o->sort_keys = read_sort_keys(value);
    else if (key == sym_buffer_initial_length) {
        o->buffer_initial_length = read_buffer_length(value, o->buffer_initial_length);
    } else {
        if (!read->unknown) read->unknown = rb_ary_new();
        rb_ary_push(read->unknown, key);
    }
    return ST_CONTINUE;
}

static bool ascii_string_p(VALUE string)
{
    return !string || rb_enc_str_asciionly_p(string);
}

/* See indent_byte. A space if there is no indentation. */
static char read_indent_byte(const katsu_options *o)
{
    if (!ascii_string_p(o->indent) || !ascii_string_p(o->object_nl) || !ascii_string_p(o->array_nl)) return 0;
    if (!o->indent) return ' ';
    const char *bytes = RSTRING_PTR(o->indent);
    for (long i = 1; i < RSTRING_LEN(o->indent); i++) {
        if (bytes[i] != bytes[0]) return 0;
    }
    return bytes[0];
}

static void check_canonical(const katsu_options *o)
{
    const char *clash = o->indent                              ? "indent"
                        : o->space                             ? "space"
                        : o->space_before                      ? "space_before"
                        : o->object_nl                         ? "object_nl"
                        : o->array_nl                          ? "array_nl"
                        : o->escape & KATSU_ESCAPE_ASCII_ONLY  ? "ascii_only"
                        : o->escape & KATSU_ESCAPE_SCRIPT_SAFE ? "script_safe"
                        : o->allow_nan                         ? "allow_nan"
                                                               : NULL;
    if (clash) katsu_raise(rb_eArgError, "%s cannot be used with rfc8785", clash);
}

static VALUE to_hash(VALUE source)
{
    if (RB_TYPE_P(source, T_HASH)) return source;
    VALUE hash = rb_check_funcall(source, rb_intern("to_hash"), 0, NULL);
    if (hash == Qundef) hash = rb_check_funcall(source, rb_intern("to_h"), 0, NULL);
    if (hash == Qundef || !RB_TYPE_P(hash, T_HASH))
        katsu_raise(rb_eTypeError, "can't convert %" PRIsVALUE " into Hash", rb_obj_class(source));
    return hash;
}

void katsu_options_read(katsu_options *options, VALUE source)
{
    if (NIL_P(source)) return;
    source = to_hash(source);
    if (RHASH_SIZE(source) == 0) return;
    reading read = {options, 0};
    rb_hash_foreach(source, read_option, (VALUE)&read);
    options->source = source;
    if (read.unknown) rb_funcall(katsu_mGenerator, rb_intern("refuse_options"), 1, read.unknown);
    options->pretty =
        options->indent || options->space || options->space_before || options->object_nl || options->array_nl;
    options->indent_byte = options->pretty ? read_indent_byte(options) : 0;
    if (options->rfc8785) check_canonical(options);
}

VALUE katsu_options_hash(const katsu_options *o)
{
    if (!o->source || OBJ_FROZEN(o->source)) return o->source;
    const VALUE given[][2] = {
        {sym_indent, o->indent},
        {sym_space, o->space},
        {sym_space_before, o->space_before},
        {sym_object_nl, o->object_nl},
        {sym_array_nl, o->array_nl},
        {sym_as_json, o->as_json},
        {sym_sort_keys, o->sort_keys},
        {sym_max_nesting, o->max_nesting == 100 ? 0 : LONG2NUM(o->max_nesting)},
        {sym_buffer_initial_length, o->buffer_initial_length ? LONG2NUM(o->buffer_initial_length) : 0},
        {sym_allow_nan, o->allow_nan ? Qtrue : 0},
        {sym_ascii_only, o->escape & KATSU_ESCAPE_ASCII_ONLY ? Qtrue : 0},
        {sym_script_safe, o->escape & KATSU_ESCAPE_SCRIPT_SAFE ? Qtrue : 0},
        {sym_strict, o->strict ? Qtrue : 0},
        {sym_allow_duplicate_key, o->allow_duplicate_key ? Qtrue : 0},
        {sym_rfc8785, o->rfc8785 ? Qtrue : 0},
    };
    VALUE hash = rb_hash_new();
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        if (given[i][1]) rb_hash_aset(hash, given[i][0], given[i][1]);
    }
    return hash;
}

void katsu_options_mark(const katsu_options *o)
{
    rb_gc_mark(o->indent);
    rb_gc_mark(o->space);
    rb_gc_mark(o->space_before);
    rb_gc_mark(o->object_nl);
    rb_gc_mark(o->array_nl);
    rb_gc_mark(o->as_json);
    rb_gc_mark(o->sort_keys);
    rb_gc_mark(o->source);
}

static VALUE symbol(const char *name)
{
    return ID2SYM(rb_intern(name));
}

void katsu_init_options(void)
{
    sym_indent = symbol("indent");
    sym_space = symbol("space");
    sym_space_before = symbol("space_before");
    sym_object_nl = symbol("object_nl");
    sym_array_nl = symbol("array_nl");
    sym_max_nesting = symbol("max_nesting");
    sym_allow_nan = symbol("allow_nan");
    sym_allow_duplicate_key = symbol("allow_duplicate_key");
    sym_ascii_only = symbol("ascii_only");
    sym_depth = symbol("depth");
    sym_buffer_initial_length = symbol("buffer_initial_length");
    sym_script_safe = symbol("script_safe");
    sym_escape_slash = symbol("escape_slash");
    sym_strict = symbol("strict");
    sym_as_json = symbol("as_json");
    sym_sort_keys = symbol("sort_keys");
    sym_rfc8785 = symbol("rfc8785");
}
