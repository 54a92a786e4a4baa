/* The text of Symbols as keys, quotes and colon included, found without a call into Ruby.
 *
 * A table for the process: an entry is filled once and never changed, so threads and Ractors read it without a lock.
 * Only Symbols that live for ever are in it, and if two have the same entry the first one stays: the other's
 * text is fetched each time.
 */
#ifndef KATSU_SYMBOL_KEYS_H
#define KATSU_SYMBOL_KEYS_H

#include "katsu.h"

#define KATSU_SYMBOL_KEYS 1024
#define KATSU_SYMBOL_KEY_SIZE 23

typedef struct {
    VALUE symbol; /* 0: free; 1: being filled */
    char text[KATSU_SYMBOL_KEY_SIZE];
    unsigned char length;
} katsu_symbol_key;

extern katsu_symbol_key katsu_symbol_keys[KATSU_SYMBOL_KEYS];

const katsu_symbol_key *katsu_symbol_key_learn(katsu_symbol_key *entry, VALUE symbol);

/* NULL if its text is not short or has escapes, or if the entry is taken. */
KATSU_INLINE const katsu_symbol_key *katsu_symbol_key_find(VALUE symbol)
{
    katsu_symbol_key *entry = &katsu_symbol_keys[symbol >> 12 & (KATSU_SYMBOL_KEYS - 1)];
    VALUE known = __atomic_load_n(&entry->symbol, __ATOMIC_ACQUIRE);
    if (KATSU_LIKELY(known == symbol)) return entry;
    return known ? NULL : katsu_symbol_key_learn(entry, symbol);
}

/* Copies KATSU_SYMBOL_KEY_SIZE bytes, of which entry->length count. */
KATSU_INLINE char *katsu_symbol_key_put(char *at, const katsu_symbol_key *entry)
{
    memcpy(at, entry->text, KATSU_SYMBOL_KEY_SIZE);
    return at + entry->length;
}

#endif
