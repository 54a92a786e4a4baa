/* Katsu::ObjectWriter's engine: Hashes and Arrays push by push. See object_writer.h.
 *
 * The struct lies within the object if Ruby can do that; nothing else is owned. After a call into Ruby (as_json, a
 * key's hash) it is read again, as that code may push or pop. Write barriers are kept to, as Ruby allocates what does
 * not in a slower way (3.4: a document of one property 419 against 330 ns).
 */
#include "values/object_writer.h"

#if RUBY_API_VERSION_CODE >= 30300
enum { EMBEDDABLE = RUBY_TYPED_EMBEDDABLE };
#else
enum { EMBEDDABLE = 0 };
#endif

enum { NEAR = 3, KNOWN_KEYS = 64, LONGEST_KNOWN_KEY = 32 };

/* A fourth container in `near` would make the object larger than 80 bytes, one of Ruby's slot sizes. What was never set
 * is 0, which is false. A container is stored once and stays in its place while others are opened in it: each store of
 * a reference is a call. */
typedef struct {
    VALUE key;        /* push_key's; nil or false for none */
    VALUE near[NEAR]; /* the open containers, outermost first; the first is the output if none is open */
    VALUE far;        /* and an Array of those that do not fit there, once there are any */
    unsigned open;    /* how many containers are open */
    bool done;        /* the output is complete */
} object_writer;

static void object_writer_mark(void *data)
{
    object_writer *w = data;
    rb_gc_mark(w->key);
    for (int i = 0; i < NEAR; i++) rb_gc_mark(w->near[i]);
    rb_gc_mark(w->far);
}

static const rb_data_type_t object_writer_type = {"Katsu::ObjectWriter",
                                                  {object_writer_mark, RUBY_DEFAULT_FREE, NULL},
                                                  NULL,
                                                  NULL,
                                                  RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED | EMBEDDABLE};

VALUE katsu_object_writer_allocate(VALUE class)
{
    object_writer *w;
    VALUE self = TypedData_Make_Struct(class, object_writer, &object_writer_type, w);
    w->near[0] = Qnil;
    return self;
}

/* self is what the methods below are defined for: to check its type each time takes 10 ns a call. */
KATSU_INLINE object_writer *get(VALUE self)
{
    return RTYPEDDATA_GET_DATA(self);
}

KATSU_INLINE object_writer *get_mutable(VALUE self)
{
    if (KATSU_UNLIKELY(RB_OBJ_FROZEN_RAW(self))) rb_error_frozen_object(self);
    return get(self);
}

NORETURN(static void object_writer_misuse(const char *what));
static void object_writer_misuse(const char *what)
{
    katsu_raise(katsu_eError, "%s", what);
}

/* key, or the one that push_key left. */
KATSU_INLINE VALUE take_key(object_writer *w, VALUE key)
{
    if (!RTEST(w->key)) return key;
    if (!NIL_P(key)) object_writer_misuse("push_value is called with key after push_key is called");
    key = w->key;
    w->key = Qnil;
    return key;
}

/* Before a value that stands in no container. */
KATSU_INLINE void begin_output(const object_writer *w, VALUE key)
{
    if (KATSU_UNLIKELY(w->done)) object_writer_misuse("the document is complete; output returns it");
    if (KATSU_UNLIKELY(!NIL_P(key))) object_writer_misuse("a key needs an open object");
}

/* An Array of interned keys. The index of a key is computed from its length and three of its bytes; nil is there until
 * such a key is pushed. */
static VALUE known_keys;

static ID id_of_any;
static VALUE as_json_module; /* Katsu::AsJson */

void katsu_init_object_writer(void)
{
    known_keys = rb_ary_new_capa(KNOWN_KEYS);
    for (int i = 0; i < KNOWN_KEYS; i++) rb_ary_push(known_keys, Qnil);
    rb_obj_hide(known_keys);
    rb_gc_register_mark_object(known_keys);
    rb_global_variable(&as_json_module);
    as_json_module = rb_define_module_under(katsu_mKatsu, "AsJson");
    id_of_any = rb_intern("of_any");
}

/* A Hash keeps the interned String of a key that is not frozen. A lookup in Ruby's table takes 50 ns; most keys were
 * pushed before and are found here. Ractors share the Array without a lock: an entry is one word, and its String never
 * changes. If two write an entry at once, one of the keys is looked up again later. */
KATSU_INLINE VALUE interned_key(VALUE key)
{
    long length = RSTRING_LEN(key);
    if (RB_OBJ_FROZEN_RAW(key) || length == 0 || length > LONGEST_KNOWN_KEY) return key;
    const char *bytes = RSTRING_PTR(key);
    unsigned first = (unsigned char)bytes[0], middle = (unsigned char)bytes[length / 2],
             last = (unsigned char)bytes[length - 1];
    long index = (first * 5 + middle * 3 + last * 7 + (unsigned)length) % KNOWN_KEYS;
    VALUE known = RARRAY_AREF(known_keys, index);
    if (KATSU_LIKELY(!NIL_P(known) && RSTRING_LEN(known) == length && katsu_encoding(known) == katsu_encoding(key) &&
                     memcmp(RSTRING_PTR(known), bytes, length) == 0))
        return known;
    known = rb_str_to_interned_str(key);
    RARRAY_ASET(known_keys, index, known);
    return known;
}

/* For a String key, rb_hash_bulk_insert takes 5 ns less than rb_hash_aset does, which calls back to find out what
 * the key becomes. Not for other keys: their hash may be Ruby code that pushes pairs in between. Nobody else knows
 * the Hash, so nobody walks it or has frozen it. */
KATSU_INLINE void add_pair(VALUE hash, VALUE key, VALUE value)
{
    if (KATSU_LIKELY(katsu_type_p(key, T_STRING) && RBASIC_CLASS(key) == rb_cString && RHASH_SIZE(hash) < 8)) {
        VALUE pair[] = {interned_key(key), value};
        rb_hash_bulk_insert(2, pair, hash);
    } else {
        rb_hash_aset(hash, key, value);
    }
}

/* Into the innermost container. A key's hash may be Ruby code. */
KATSU_INLINE void add_value(VALUE container, VALUE key, VALUE value)
{
    if (RB_BUILTIN_TYPE(container) == T_HASH) {
        if (NIL_P(key)) object_writer_misuse("a value in an object needs a key");
        add_pair(container, key, value);
    } else {
        if (!NIL_P(key)) object_writer_misuse("a key needs an open object; an array is open");
        rb_ary_push(container, value);
    }
}

/* The container that was opened last; one is open. */
KATSU_INLINE VALUE innermost(const object_writer *w)
{
    if (KATSU_LIKELY(w->open <= NEAR)) return w->near[w->open - 1];
    return RARRAY_AREF(w->far, RARRAY_LEN(w->far) - 1);
}

/* The Array is hidden from ObjectSpace: nobody else may change it. */
static void open_far(VALUE self, object_writer *w, VALUE container)
{
    if (!w->far) RB_OBJ_WRITE(self, &w->far, rb_obj_hide(rb_ary_new()));
    rb_ary_push(w->far, container);
}

KATSU_INLINE void open_container(VALUE self, VALUE container, VALUE key)
{
    object_writer *w = get_mutable(self);
    if (w->open) {
        add_value(innermost(w), take_key(w, key), container);
        w = get_mutable(self); /* checked again: what add_value called may have frozen the writer, or popped */
    } else {
        begin_output(w, key);
    }
    if (KATSU_LIKELY(w->open < NEAR)) {
        RB_OBJ_WRITE(self, &w->near[w->open], container);
    } else {
        open_far(self, w, container);
    }
    w->open++;
}

VALUE katsu_object_writer_push_object(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 0, 1);
    open_container(self, rb_hash_new(), argc == 1 ? argv[0] : Qnil);
    return self;
}

VALUE katsu_object_writer_push_array(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 0, 1);
    open_container(self, rb_ary_new(), argc == 1 ? argv[0] : Qnil);
    return self;
}

VALUE katsu_object_writer_push_key(VALUE self, VALUE key)
{
    object_writer *w = get_mutable(self);
    if (!w->open || RB_BUILTIN_TYPE(innermost(w)) != T_HASH) object_writer_misuse("push_key needs an open object");
    if (RTEST(w->key)) object_writer_misuse("push_key is called twice without a value");
    if (KATSU_UNLIKELY(!RTEST(key))) object_writer_misuse("push_key needs a key");
    RB_OBJ_WRITE(self, &w->key, key);
    return self;
}

/* Strings and Integers are what their as_json gives back, but for one of the application's. */
KATSU_INLINE bool its_own_json_p(VALUE value)
{
    if (KATSU_UNLIKELY(katsu_standard.own)) return false;
    return RB_INTEGER_TYPE_P(value) || (katsu_type_p(value, T_STRING) && RBASIC_CLASS(value) == rb_cString);
}

static VALUE as_json(VALUE value)
{
    if (!rb_respond_to(value, katsu_id_as_json)) return value;
    /* These may be or hold a JSON::Fragment, which ActiveSupport's as_json takes for any Struct. */
    if (katsu_type_p(value, T_STRUCT) || katsu_type_p(value, T_ARRAY) || katsu_type_p(value, T_HASH))
        return rb_funcall(as_json_module, id_of_any, 1, value);
    return rb_funcallv_public(value, katsu_id_as_json, 0, NULL);
}

VALUE katsu_object_writer_push_value(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 2);
    VALUE value = argv[0];
    object_writer *w = get_mutable(self);
    if (!its_own_json_p(value)) {
        value = as_json(value);
        w = get_mutable(self); /* as_json may have frozen it */
    }
    VALUE key = argc == 2 ? argv[1] : Qnil;
    if (w->open) {
        add_value(innermost(w), take_key(w, key), value);
    } else {
        begin_output(w, key);
        RB_OBJ_WRITE(self, &w->near[0], value);
        w->done = true;
    }
    return self;
}

VALUE katsu_object_writer_pop(VALUE self)
{
    object_writer *w = get_mutable(self);
    if (w->open == 0) object_writer_misuse("pop without an open object or array");
    if (KATSU_UNLIKELY(RTEST(w->key))) object_writer_misuse("pop after push_key without a value");
    if (KATSU_UNLIKELY(w->open > NEAR)) {
        rb_ary_pop(w->far);
    } else if (w->open > 1) {
        w->near[w->open - 1] = Qnil; /* not the first, which is the output now */
    }
    w->open--;
    w->done = w->open == 0;
    return self;
}

VALUE katsu_object_writer_output(VALUE self)
{
    object_writer *w = get(self);
    if (w->open) object_writer_misuse("Output is called before poping all");
    return w->near[0];
}
