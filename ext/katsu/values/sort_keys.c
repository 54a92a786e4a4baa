/* Hashes in the order of their keys: sort_keys and canonical JSON. */
#include "values/generate.h"
#include <ruby/util.h>

static ID id_sort;

typedef struct {
    VALUE *pairs;
    long count, room;
    bool string_keys_only; /* and all are text */
} pair_list;

static int collect_pair(VALUE key, VALUE value, VALUE arg)
{
    pair_list *list = (pair_list *)arg;
    bool ascii;
    list->string_keys_only = list->count < list->room && RB_TYPE_P(key, T_STRING) && RBASIC_CLASS(key) == rb_cString &&
                             katsu_utf8_p(key, &ascii);
    if (!list->string_keys_only) return ST_STOP;
    list->pairs[list->count++] = key;
    list->pairs[list->count++] = value;
    return ST_CONTINUE;
}

static int compare_keys(const void *one, const void *other, void *unused)
{
    return rb_str_cmp(*(const VALUE *)one, *(const VALUE *)other);
}

/* A Hash of Strings in the order of its keys, as hash.sort.to_h; 0 if there are other keys. */
static VALUE sorted_by_text(VALUE hash)
{
    VALUE memory, result = 0;
    if (katsu_by_identity_p(hash)) return 0;
    long room = (long)RHASH_SIZE(hash) * 2; /* read here: the call may have changed the Hash */
    pair_list list = {ALLOCV_N(VALUE, memory, room + 2), 0, room, true};
    rb_hash_foreach(hash, collect_pair, (VALUE)&list);
    if (list.string_keys_only) {
        ruby_qsort(list.pairs, (size_t)(list.count / 2), sizeof(VALUE) * 2, compare_keys, NULL);
        result = rb_hash_new();
        rb_hash_bulk_insert(list.count, list.pairs, result);
    }
    ALLOCV_END(memory);
    return result;
}

VALUE katsu_sort_keys(katsu_generator *generator, VALUE hash)
{
    const katsu_options *options = generator->options;
    if (!options->rfc8785 && options->sort_keys == Qtrue) {
        VALUE result = sorted_by_text(hash);
        if (result) return result;
    }
    generator->calls++;
    if (options->rfc8785 || options->sort_keys == Qtrue) {
        VALUE as_json = options->strict ? options->as_json : Qfalse; /* 0, for none, is false */
        VALUE path = options->rfc8785 ? katsu_path(generator->frame) : Qnil;
        hash = rb_funcall(katsu_mGenerator, id_sort, 4, hash, options->rfc8785 ? Qtrue : Qfalse, as_json, path);
    } else {
        hash = rb_proc_call_with_block(options->sort_keys, 1, &hash, Qnil);
    }
    Check_Type(hash, T_HASH);
    return hash;
}

void katsu_init_sort_keys(void)
{
    id_sort = rb_intern("sort");
}
