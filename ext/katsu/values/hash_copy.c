/* See hash_copy.h. */
#include "values/hash_copy.h"

static long find_key(const katsu_hash_copy *copy, VALUE key)
{
    for (long i = 0; i < copy->count; i++) {
        if (copy->keys[i] == key) return i;
    }
    return -1;
}

void katsu_hash_copy_update(katsu_hash_copy *copy, VALUE hash)
{
    katsu_hash_copy now;
    bool grown = !katsu_hash_copy_p(RHASH_SIZE(hash));
    katsu_hash_copy_take(&now, hash);
    for (long i = 0; !grown && i < now.count; i++) grown = find_key(copy, now.keys[i]) < 0;
    if (grown) rb_raise(rb_eRuntimeError, "can't add a new key into hash during iteration");
    for (long i = 0; i < copy->count; i++) {
        long index = find_key(&now, copy->keys[i]);
        copy->values[i] = index < 0 ? Qundef : now.values[index];
    }
}
