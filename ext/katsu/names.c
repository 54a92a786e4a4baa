/* See names.h. */
#include "names.h"
#include "escape.h"

katsu_name katsu_symbol_names[KATSU_NAMES_COUNT];

const katsu_name *katsu_name_learn(katsu_name *name, VALUE symbol)
{
    char text[KATSU_SHORT];
    VALUE string = rb_sym2str(symbol), free_place = 0;
    size_t length = (size_t)RSTRING_LEN(string);
    if (katsu_coderange(string) != RUBY_ENC_CODERANGE_7BIT || length + 3 >= KATSU_NAME_SIZE) return NULL;
    if (katsu_copy_clean(text, RSTRING_PTR(string), length)) return NULL;
    if (!__atomic_compare_exchange_n(&name->symbol, &free_place, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return NULL;
    name->text[0] = name->text[length + 1] = '"';
    memcpy(name->text + 1, text, length);
    name->text[length + 2] = ':';
    name->length = (unsigned char)(length + 3);
    __atomic_store_n(&name->symbol, symbol, __ATOMIC_RELEASE);
    return name;
}
