/* Any Ruby value to JSON, as JSON.generate does it. See generate.h.
 *
 * After every call into Ruby (to_json, to_s, as_json, an IO's write) the value being walked may have
 * changed: lengths and pointers are read again, never kept across.
 */
#include "values/generate.h"
#include "values/hash_copy.h"
#include "values/generate_inline.h"
#include "values/symbol_keys.h"

static ID id_canonical_number, id_check_duplicate_keys, id_finish;
static VALUE json_fragment; /* JSON::Fragment, or 0 */

void katsu_put_newline(katsu_generator *generator, VALUE newline)
{
    katsu_buffer *buffer = generator->buffer;
    const katsu_options *options = generator->options;
    VALUE indent = options->indent;
    if (KATSU_UNLIKELY(!options->indent_byte)) {
        if (newline) katsu_append_json(buffer, newline);
        for (long i = 0; indent && i < generator->depth; i++) katsu_append_json(buffer, indent);
        return;
    }
    size_t width = indent ? (size_t)RSTRING_LEN(indent) * (size_t)generator->depth : 0;
    if (newline) katsu_append_string(buffer, newline);
    katsu_reserve(buffer, width + KATSU_SLACK);
    for (size_t i = 0; i < width; i += 16) memset(buffer->at + i, options->indent_byte, 16);
    buffer->at += width;
}

/* Strings */

static void put_text(katsu_generator *generator, VALUE string, bool ascii)
{
    katsu_buffer *buffer = generator->buffer;
    int mode = generator->options->escape;
    if (KATSU_UNLIKELY(buffer->io != 0)) string = rb_str_new_frozen(string);
    /* in other modes the bytes written decide */
    if (!ascii && mode == KATSU_ESCAPE_JSON_ONLY) buffer->non_ascii = true;
    if (KATSU_LIKELY(mode == KATSU_ESCAPE_JSON_ONLY || (ascii && mode == KATSU_ESCAPE_ASCII_ONLY))) {
        katsu_append_quoted(buffer, RSTRING_PTR(string), (size_t)RSTRING_LEN(string));
    } else {
        katsu_append_escaped(buffer, RSTRING_PTR(string), (size_t)RSTRING_LEN(string), mode);
    }
    RB_GC_GUARD(string);
}

void katsu_generate_string(katsu_generator *generator, VALUE string)
{
    bool ascii;
    if (KATSU_UNLIKELY(!katsu_utf8_p(string, &ascii))) {
        string = katsu_transcode(generator, string);
        katsu_utf8_p(string, &ascii);
    }
    put_text(generator, string, ascii);
}

/* In strict mode the as_json block may replace an invalid string by any other value. Returns that value, or Qundef if
 * the string has been written. */
static VALUE generate_invalid_string(katsu_generator *generator, VALUE string, int as_json_calls)
{
    if (generator->options->strict) {
        if (as_json_calls) katsu_refuse_bytes(generator, string);
        VALUE other = generator->options->as_json ? katsu_call_as_json(generator, string, Qfalse) : string;
        if (other != string) {
            bool ascii;
            if (RB_TYPE_P(other, T_STRING) && !katsu_utf8_p(other, &ascii)) katsu_refuse_bytes(generator, string);
            return other;
        }
    }
    katsu_generate_string(generator, string);
    return Qundef;
}

/* A Symbol as its text. Returns as generate_invalid_string. */
static VALUE generate_symbol(katsu_generator *generator, VALUE symbol, int as_json_calls)
{
    bool ascii;
    VALUE string = rb_sym2str(symbol);
    if (!katsu_utf8_p(string, &ascii)) return generate_invalid_string(generator, string, as_json_calls);
    katsu_generate_string(generator, string);
    return Qundef;
}

/* Numbers */

static void put_canonical_number(katsu_generator *generator, VALUE number)
{
    VALUE path = RB_TYPE_P(number, T_BIGNUM) ? katsu_path(generator->frame) : Qnil; /* others are in range */
    VALUE text = rb_funcall(katsu_mGenerator, id_canonical_number, 2, number, path);
    katsu_append_json(generator->buffer, StringValue(text));
}

static void generate_not_finite(katsu_generator *generator, VALUE object)
{
    const katsu_options *options = generator->options;
    if (options->rails) {
        katsu_append(generator->buffer, "null", 4);
        return;
    }
    if (!options->allow_nan) {
        if (options->strict && options->as_json) {
            VALUE other = katsu_call_as_json(generator, object, Qfalse);
            if (other != object) {
                katsu_enter(generator);
                katsu_generate_value(generator, other);
                generator->depth--;
                return;
            }
        }
        katsu_raise_generator_error(
            generator, object, rb_sprintf("%" PRIsVALUE " not allowed in JSON", katsu_call_to_s(generator, object)));
    }
    katsu_append_json(generator->buffer, katsu_call_to_s(generator, object));
}

static void generate_float(katsu_generator *generator, VALUE object)
{
    double value = RFLOAT_VALUE(object);
    if (KATSU_UNLIKELY(!(value - value == 0))) {
        generate_not_finite(generator, object);
    } else if (KATSU_UNLIKELY(generator->options->rfc8785)) {
        put_canonical_number(generator, object);
    } else {
        katsu_append_double(generator->buffer, value);
    }
}

static void generate_integer(katsu_generator *generator, VALUE object)
{
    if (KATSU_UNLIKELY(generator->options->rfc8785)) {
        put_canonical_number(generator, object);
    } else if (RB_FIXNUM_P(object)) {
        katsu_append_long(generator->buffer, FIX2LONG(object));
    } else {
        katsu_append_json(generator->buffer, katsu_call_to_s(generator, object));
    }
}

/* Arrays and Hashes */

/* From this length on, the final size is extrapolated from the elements written so far. */
#define LONG_ARRAY 16

static void generate_array(katsu_generator *generator, VALUE array);

KATSU_INLINE void put_array(katsu_generator *generator, VALUE array, bool outermost)
{
    katsu_buffer *buffer = generator->buffer;
    const katsu_options *options = generator->options;
    katsu_enter(generator);
    if (RARRAY_LEN(array) == 0) {
        katsu_append(buffer, "[]", 2);
        generator->depth--;
        return;
    }
    katsu_frame frame = {generator->frame, 0, 0};
    generator->frame = &frame;
    katsu_append_byte(buffer, '[');
    bool compact = katsu_compact_p(generator);
    if (outermost) {
        buffer->before = (size_t)(buffer->at - buffer->start);
        buffer->array = array;
    }
    for (long i = 0; i < RARRAY_LEN(array); i++) {
        VALUE element = RARRAY_CONST_PTR(array)[i];
        if (outermost) buffer->done = i;
        if (KATSU_LIKELY(compact)) {
            if (RB_FIXNUM_P(element)) {
                i = katsu_put_integers(buffer, array, i) - 1;
                continue;
            }
            if (i > 0) katsu_append_byte(buffer, ',');
            if (katsu_put_inline(buffer, element)) continue;
            if (!RB_SPECIAL_CONST_P(element) && RBASIC_CLASS(element) == rb_cArray) {
                frame.index = i;
                generate_array(generator, element);
                continue;
            }
        } else {
            if (i > 0) katsu_append_byte(buffer, ',');
            if (options->pretty) katsu_put_newline(generator, options->array_nl);
            if (generator->short_cuts && katsu_put_inline(buffer, element)) continue;
        }
        frame.index = i;
        katsu_generate_value(generator, element);
    }
    if (outermost) buffer->array = 0;
    generator->frame = frame.up;
    generator->depth--;
    if (KATSU_UNLIKELY(options->pretty) && options->array_nl) katsu_put_newline(generator, options->array_nl);
    katsu_append_byte(buffer, ']');
    RB_GC_GUARD(array);
}

NOINLINE(static void put_long_array(katsu_generator *generator, VALUE array));
static void put_long_array(katsu_generator *generator, VALUE array)
{
    put_array(generator, array, true);
}

static void generate_array(katsu_generator *generator, VALUE array)
{
    if (katsu_put_integer_array(generator, array)) return;
    if (KATSU_UNLIKELY(RARRAY_LEN(array) >= LONG_ARRAY && !generator->buffer->array)) {
        put_long_array(generator, array);
    } else {
        put_array(generator, array, false);
    }
}

typedef struct {
    katsu_generator *generator;
    katsu_frame frame;
    VALUE hash;
    int first_type; /* of the first key; 0 before it */
    bool mixed;     /* String and Symbol keys were met and checked */
} hash_walk;

/* String and Symbol keys in one Hash may come out the same. */
KATSU_COLD void check_mixed_keys(hash_walk *state)
{
    if (state->mixed) return;
    state->mixed = true;
    katsu_generator *generator = state->generator;
    generator->calls++;
    if (generator->options->allow_duplicate_key) return;
    generator->frame = state->frame.up; /* the error's place is the Hash, not a key of it */
    rb_funcall(katsu_mGenerator, id_check_duplicate_keys, 2, state->hash, katsu_path(generator->frame));
    generator->frame = &state->frame;
}

/* The to_s of a key that is a String of a class of its own. */
static VALUE string_key(katsu_generator *generator, VALUE key)
{
    if (KATSU_LIKELY(RBASIC_CLASS(key) == rb_cString)) return key;
    generator->calls++;
    VALUE string = rb_funcall(key, katsu_id_to_s, 0), class = rb_obj_class(key);
    if (!RB_TYPE_P(string, T_STRING))
        katsu_raise(rb_eTypeError, "can't convert %" PRIsVALUE " to String (%" PRIsVALUE "#to_s gives %" PRIsVALUE ")",
                    class, class, rb_obj_class(string));
    return string;
}

/* The text of a key. What to_s or as_json gives may be of a class of its own, with a to_json. */
static void put_key_text(katsu_generator *generator, VALUE string, bool ascii)
{
    if (KATSU_LIKELY(RBASIC_CLASS(string) == rb_cString || generator->options->rails)) {
        put_text(generator, string, ascii);
    } else {
        katsu_generate_value(generator, string);
    }
}

/* Writes the key; returns nothing that could be stale. */
static void put_key(hash_walk *state, VALUE key)
{
    katsu_generator *generator = state->generator;
    const katsu_options *options = generator->options;
    bool as_json_called = false, ascii;
    VALUE string;
    int type;
start:
    type = rb_type(key);
    if (!state->first_type) state->first_type = type;
    if (type == T_STRING) {
        if (KATSU_UNLIKELY(state->first_type != T_STRING)) check_mixed_keys(state);
        string = string_key(generator, key);
    } else if (type == T_SYMBOL) {
        if (KATSU_UNLIKELY(state->first_type != T_SYMBOL)) check_mixed_keys(state);
        string = rb_sym2str(key);
    } else if (options->strict) {
        if (!options->as_json || as_json_called) katsu_refuse(generator, key, "not allowed as object key in JSON");
        key = katsu_call_as_json(generator, key, Qtrue);
        as_json_called = true;
        goto start;
    } else {
        generator->calls++;
        string = rb_convert_type(key, T_STRING, "String", "to_s");
    }
    if (KATSU_UNLIKELY(!katsu_utf8_p(string, &ascii))) {
        if (!as_json_called && options->strict && options->as_json) {
            VALUE other = katsu_call_as_json(generator, string, Qfalse);
            if (other != string) {
                if (!RB_TYPE_P(other, T_STRING)) katsu_refuse(generator, other, "not allowed as object key in JSON");
                if (!katsu_utf8_p(other, &ascii)) katsu_refuse_bytes(generator, string);
                put_key_text(generator, other, ascii);
                return;
            }
        }
        string = katsu_transcode(generator, string);
        katsu_utf8_p(string, &ascii);
    }
    put_key_text(generator, string, ascii);
}

/* A key of up to KATSU_SHORT bytes of ASCII, of the type that the first one had. */
KATSU_INLINE bool put_short_key(hash_walk *state, VALUE key)
{
    VALUE text = key;
    int type = T_STRING;
    if (RB_STATIC_SYM_P(key)) {
        text = rb_sym2str(key);
        type = T_SYMBOL;
    } else if (RB_SPECIAL_CONST_P(key) || RB_BUILTIN_TYPE(key) != T_STRING || RBASIC_CLASS(key) != rb_cString) {
        return false;
    }
    if (KATSU_UNLIKELY(state->first_type != type && state->first_type) ||
        !katsu_put_short_text(state->generator->buffer, text))
        return false;
    state->first_type = type;
    return true;
}

static void put_colon(katsu_buffer *buffer, const katsu_options *options)
{
    if (options->space_before) katsu_append_json(buffer, options->space_before);
    katsu_append_byte(buffer, ':');
    if (options->space) katsu_append_json(buffer, options->space);
}

/* What stands before the value of a Symbol whose text is known. */
KATSU_INLINE bool put_symbol_key(hash_walk *state, VALUE key)
{
    katsu_buffer *buffer = state->generator->buffer;
    const katsu_symbol_key *known;
    if (!RB_STATIC_SYM_P(key) || !(known = katsu_symbol_key_find(key))) return false;
    if (KATSU_UNLIKELY(state->first_type != T_SYMBOL && state->first_type)) return false;
    katsu_reserve(buffer, KATSU_SYMBOL_KEY_SIZE + 1);
    *buffer->at = state->first_type ? ',' : '{';
    buffer->at = katsu_symbol_key_put(buffer->at + 1, known);
    state->first_type = T_SYMBOL;
    return true;
}

static void put_pair_key(hash_walk *state, VALUE key)
{
    katsu_generator *generator = state->generator;
    katsu_buffer *buffer = generator->buffer;
    const katsu_options *options = generator->options;
    katsu_append_byte(buffer, state->first_type ? ',' : '{');
    if (KATSU_UNLIKELY(options->pretty)) katsu_put_newline(generator, options->object_nl);
    if (!generator->short_cuts || !put_short_key(state, key)) put_key(state, key);
    if (KATSU_UNLIKELY(options->pretty)) {
        put_colon(buffer, options);
    } else {
        katsu_append_byte(buffer, ':');
    }
}

static int generate_pair(VALUE key, VALUE value, VALUE arg)
{
    hash_walk *state = (hash_walk *)arg;
    katsu_generator *generator = state->generator;
    bool short_cuts = generator->short_cuts;
    state->frame.key = key;
    if (!katsu_compact_p(generator) || !put_symbol_key(state, key)) put_pair_key(state, key);
    if (!short_cuts || !katsu_put_inline(generator->buffer, value)) katsu_generate_value(generator, value);
    return ST_CONTINUE;
}

/* What follows the pairs. */
KATSU_INLINE void end_hash(hash_walk *state)
{
    katsu_generator *generator = state->generator;
    const katsu_options *options = generator->options;
    generator->frame = state->frame.up;
    generator->depth--;
    if (KATSU_UNLIKELY(!state->first_type)) {
        /* emptied from inside before its first pair was reached */
        katsu_append(generator->buffer, "{}", 2);
        return;
    }
    if (KATSU_UNLIKELY(options->pretty) && options->object_nl) katsu_put_newline(generator, options->object_nl);
    katsu_append_byte(generator->buffer, '}');
}

/* The copy of a small Hash is not on the stack of a large one. */
NOINLINE(static void put_small_hash(katsu_generator *generator, VALUE hash));
static void put_small_hash(katsu_generator *generator, VALUE hash)
{
    hash_walk state = {generator, {generator->frame, Qnil, KATSU_PAIR}, hash, 0, false};
    katsu_hash_copy copy;
    generator->frame = &state.frame;
    katsu_hash_copy_take(&copy, hash);
    for (long i = 0; i < copy.count; i++) {
        unsigned calls = generator->calls;
        if (KATSU_UNLIKELY(copy.values[i] == Qundef)) continue;
        generate_pair(copy.keys[i], copy.values[i], (VALUE)&state);
        if (KATSU_UNLIKELY(generator->calls != calls)) katsu_hash_copy_update(&copy, hash);
    }
    end_hash(&state);
    RB_GC_GUARD(hash);
}

NOINLINE(static void put_large_hash(katsu_generator *generator, VALUE hash));
static void put_large_hash(katsu_generator *generator, VALUE hash)
{
    hash_walk state = {generator, {generator->frame, Qnil, KATSU_PAIR}, hash, 0, false};
    generator->frame = &state.frame;
    rb_hash_foreach(hash, generate_pair, (VALUE)&state);
    end_hash(&state);
    RB_GC_GUARD(hash);
}

static void generate_hash(katsu_generator *generator, VALUE hash)
{
    katsu_buffer *buffer = generator->buffer;
    const katsu_options *options = generator->options;
    if (KATSU_UNLIKELY(options->rails) && RHASH_SIZE(hash) > 1) hash = katsu_distinct_keys(generator, hash);
    if (KATSU_UNLIKELY(options->rfc8785 || options->sort_keys)) hash = katsu_sort_keys(generator, hash);
    katsu_enter(generator);
    size_t size = RHASH_SIZE(hash);
    if (size == 0) {
        katsu_append(buffer, "{}", 2);
        generator->depth--;
    } else if (KATSU_LIKELY(!buffer->io) && katsu_hash_copy_p(size)) {
        put_small_hash(generator, hash);
    } else {
        put_large_hash(generator, hash);
    }
}

/* Any value */

static void generate_fragment(katsu_generator *generator, VALUE fragment)
{
    VALUE json = RSTRUCT_GET(fragment, 0);
    Check_Type(json, T_STRING);
    katsu_append_json(generator->buffer, json);
}

KATSU_INLINE void generate(katsu_generator *generator, VALUE object, bool core)
{
    katsu_buffer *buffer = generator->buffer;
    int as_json_calls = 0;
start:
    if (RB_SPECIAL_CONST_P(object)) {
        if (RB_FIXNUM_P(object)) {
            generate_integer(generator, object);
            return;
        }
        if (RB_FLONUM_P(object)) {
            generate_float(generator, object);
            return;
        }
        if (NIL_P(object)) {
            katsu_append(buffer, "null", 4);
            return;
        }
        if (object == Qtrue) {
            katsu_append(buffer, "true", 4);
            return;
        }
        if (object == Qfalse) {
            katsu_append(buffer, "false", 5);
            return;
        }
        if (RB_STATIC_SYM_P(object) && (generator->options->strict || generator->options->rails)) {
            object = generate_symbol(generator, object, as_json_calls);
            goto replaced;
        }
    } else {
        VALUE class = RBASIC_CLASS(object);
        switch (RB_BUILTIN_TYPE(object)) {
        case T_STRING: {
            bool ascii;
            if (!core && KATSU_UNLIKELY(class != rb_cString)) break;
            if (KATSU_LIKELY(generator->short_cuts) && katsu_put_short_text(buffer, object)) return;
            if (KATSU_LIKELY(katsu_utf8_p(object, &ascii))) {
                put_text(generator, object, ascii);
                return;
            }
            object = generate_invalid_string(generator, object, as_json_calls);
            goto replaced;
        }
        case T_ARRAY:
            if (!core && KATSU_UNLIKELY(class != rb_cArray)) break;
            generate_array(generator, object);
            return;
        case T_HASH:
            if (!core && KATSU_UNLIKELY(class != rb_cHash)) break;
            generate_hash(generator, object);
            return;
        case T_FLOAT:
            generate_float(generator, object);
            return;
        case T_BIGNUM:
            generator->calls++; /* another thread may run meanwhile */
            generate_integer(generator, object);
            return;
        case T_SYMBOL:
            if (!generator->options->strict && !generator->options->rails) break;
            object = generate_symbol(generator, object, as_json_calls);
            goto replaced;
        case T_STRUCT:
            if (class != katsu_cFragment && class != json_fragment) break;
            generate_fragment(generator, object);
            return;
        default:
            break;
        }
    }
    object = katsu_generate_other(generator, object, as_json_calls);
replaced:
    if (object == Qundef) return;
    as_json_calls++;
    goto start;
}

void katsu_generate_value(katsu_generator *generator, VALUE object)
{
    generate(generator, object, false);
}

void katsu_generate_core(katsu_generator *generator, VALUE object)
{
    generate(generator, object, true);
}

/* stack: where a small document is written, of size bytes. */
KATSU_INLINE VALUE generate_on(char *stack, size_t size, VALUE object, const katsu_options *options, VALUE io,
                               bool core)
{
    katsu_buffer buffer;
    katsu_buffer_init(&buffer, stack, size);
    if (KATSU_UNLIKELY(io != 0)) {
        katsu_buffer_use_string(&buffer, KATSU_IO_CHUNK);
        buffer.io = io;
    } else if (KATSU_UNLIKELY(options->buffer_initial_length > KATSU_STACK_SIZE)) {
        katsu_buffer_use_string(&buffer, (size_t)options->buffer_initial_length);
    }
    katsu_generator generator;
    katsu_generator_init(&generator, &buffer, options);
    generate(&generator, object, core);
    VALUE result = katsu_buffer_finish(&buffer);
    return KATSU_UNLIKELY(io != 0) ? rb_funcall(katsu_mGenerator, id_finish, 1, io) : result;
}

/* What a to_json generates within another document. A Fiber's stack has room for a hundred such levels. */
NOINLINE(static VALUE generate_nested(VALUE object, const katsu_options *options, VALUE io, bool core));
static VALUE generate_nested(VALUE object, const katsu_options *options, VALUE io, bool core)
{
    char stack[KATSU_STACK_SIZE / 8];
    return generate_on(stack, sizeof stack, object, options, io, core);
}

NOINLINE(static VALUE generate_outermost(VALUE object, const katsu_options *options, VALUE io, bool core));
static VALUE generate_outermost(VALUE object, const katsu_options *options, VALUE io, bool core)
{
    char stack[KATSU_STACK_SIZE];
    return generate_on(stack, sizeof stack, object, options, io, core);
}

VALUE katsu_generate_document(VALUE object, const katsu_options *options, VALUE io, bool core)
{
    if (KATSU_UNLIKELY(options->depth > 0)) return generate_nested(object, options, io, core);
    return generate_outermost(object, options, io, core);
}

void katsu_init_generate(void)
{
    id_canonical_number = rb_intern("canonical_number");
    id_check_duplicate_keys = rb_intern("check_duplicate_keys");
    id_finish = rb_intern("finish");
    VALUE json = rb_const_get(rb_cObject, rb_intern("JSON"));
    ID fragment = rb_intern("Fragment");
    rb_global_variable(&json_fragment);
    json_fragment = rb_const_defined_at(json, fragment) ? rb_const_get(json, fragment) : 0;
}
