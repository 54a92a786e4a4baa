/* The text of Symbols as keys, quotes and colon included, found without asking Ruby.
 *
 * A table for the process: an entry is filled once and never changed, so threads and Ractors read it without a lock.
 * Only Symbols that live for ever are in it, and where two have the same place the first one stays: the other's
 * text is asked for each time.
 */
#ifndef KATSU_NAMES_H
#define KATSU_NAMES_H

#include "katsu.h"

#define KATSU_NAMES_COUNT 1024
#define KATSU_NAME_SIZE 24

typedef struct {
    VALUE symbol; /* 0: free; 1: being filled */
    char text[KATSU_NAME_SIZE - 1];
    unsigned char length;
} katsu_name;

extern katsu_name katsu_symbol_names[KATSU_NAMES_COUNT];

const katsu_name *katsu_name_learn(katsu_name *name, VALUE symbol);

/* NULL where its text is not short and plain, or the place is taken. */
KATSU_INLINE const katsu_name *katsu_name_find(VALUE symbol)
{
    katsu_name *name = &katsu_symbol_names[symbol >> 12 & (KATSU_NAMES_COUNT - 1)];
    VALUE known = __atomic_load_n(&name->symbol, __ATOMIC_ACQUIRE);
    if (KATSU_LIKELY(known == symbol)) return name;
    return known ? NULL : katsu_name_learn(name, symbol);
}

/* Copies KATSU_NAME_SIZE bytes, of which name->length count. */
KATSU_INLINE char *katsu_name_put(char *at, const katsu_name *name)
{
    memcpy(at, name->text, KATSU_NAME_SIZE);
    return at + name->length;
}

#endif
