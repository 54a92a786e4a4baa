/* See hash_copy.h. */
#include "values/hash_copy.h"

static long find_key(const katsu_few *few, VALUE key)
{
    for (long i = 0; i < few->count; i++) {
        if (few->keys[i] == key) return i;
    }
    return -1;
}

void katsu_few_update(katsu_few *few, VALUE hash)
{
    katsu_few now;
    bool grown = !katsu_few_copy(&now, hash);
    for (long i = 0; !grown && i < now.count; i++) grown = find_key(few, now.keys[i]) < 0;
    if (grown) rb_raise(rb_eRuntimeError, "can't add a new key into hash during iteration");
    for (long i = 0; i < few->count; i++) {
        long place = find_key(&now, few->keys[i]);
        few->values[i] = place < 0 ? Qundef : now.values[place];
    }
}
