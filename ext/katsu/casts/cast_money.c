/* The cast of PostgreSQL's money columns: "-$1,234.50" to "-1234.5" in quotes, as a decimal prints. See cast.h.
 *
 * How the text looks depends on the database's locale. What is known here is the form that ActiveRecord reads first: a
 * sign, a currency's symbol, digits with commas, a point and two digits. Any other takes the fallback.
 */
#include "casts/cast.h"

/* Behind the digits and commas that begin at at; NULL if there is no digit. *digits: how many there are, copied to
 * `to`. */
static const char *copy_whole(const char *at, const char *end, char *to, int room, int *digits)
{
    int count = 0;
    for (; at < end && (*at == ',' || (*at >= '0' && *at <= '9')); at++) {
        if (*at == ',') continue;
        if (count == room) return NULL;
        to[count++] = *at;
    }
    *digits = count;
    return count ? at : NULL;
}

static bool symbol_byte_p(char byte)
{
    return byte != '-' && byte != '.' && byte != '\n' && (byte < '0' || byte > '9');
}

#define MAX_MONEY_DIGITS 20

katsu_cast_result katsu_money_to_json(katsu_buffer *buffer, VALUE raw, katsu_times *times,
                                      const katsu_column_size *size)
{
    char text[MAX_MONEY_DIGITS + 5];
    int digits;
    bool ascii;
    if (!katsu_type_p(raw, T_STRING)) return katsu_decimal_to_json(buffer, raw, times, size);
    if (!katsu_utf8_p(raw, &ascii)) return KATSU_CAST_FALLBACK;
    const char *at = RSTRING_PTR(raw), *end = at + RSTRING_LEN(raw);
    bool negative = at < end && *at == '-';
    at += negative;
    while (at < end && symbol_byte_p(*at)) at++;
    at = copy_whole(at, end, text + 1, MAX_MONEY_DIGITS, &digits);
    if (!at || end - at != 3 || *at != '.' || at[1] < '0' || at[1] > '9' || at[2] < '0' || at[2] > '9')
        return KATSU_CAST_FALLBACK;
    if (digits > 1 && text[1] == '0') return KATSU_CAST_FALLBACK;
    text[0] = '-';
    memcpy(text + 1 + digits, at, 3);
    katsu_append_quoted(buffer, text + !negative, (size_t)(digits + negative + (at[2] == '0' ? 2 : 3)));
    RB_GC_GUARD(raw);
    return KATSU_CAST_WRITTEN;
}

VALUE katsu_money_to_hash(VALUE raw, katsu_times *times, const katsu_column_size *size)
{
    return katsu_cast_text(katsu_money_to_json, raw, times, size);
}
