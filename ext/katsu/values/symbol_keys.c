/* See symbol_keys.h. */
#include "values/symbol_keys.h"
#include "bytes/escape.h"

katsu_symbol_key katsu_symbol_keys[KATSU_SYMBOL_KEYS];

const katsu_symbol_key *katsu_symbol_key_learn(katsu_symbol_key *entry, VALUE symbol)
{
    char text[KATSU_SHORT];
    VALUE string = rb_sym2str(symbol), free_entry = 0;
    size_t length = (size_t)RSTRING_LEN(string);
    if (katsu_coderange(string) != RUBY_ENC_CODERANGE_7BIT || length + 3 > KATSU_SYMBOL_KEY_SIZE) return NULL;
    if (katsu_copy_clean(text, RSTRING_PTR(string), length)) return NULL;
    if (!__atomic_compare_exchange_n(&entry->symbol, &free_entry, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return NULL;
    entry->text[0] = entry->text[length + 1] = '"';
    memcpy(entry->text + 1, text, length);
    entry->text[length + 2] = ':';
    entry->length = (unsigned char)(length + 3);
    __atomic_store_n(&entry->symbol, symbol, __ATOMIC_RELEASE);
    return entry;
}
