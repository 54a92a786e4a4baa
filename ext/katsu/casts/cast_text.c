/* Casts of the text in which a database's client library gives numbers and booleans: the raw value that the driver
 * would make of it is never made. See cast.h.
 */
#include "casts/cast.h"
#include <ruby/util.h>

katsu_cast_result katsu_boolean_text_to_json(katsu_buffer *buffer, const char *text, long length)
{
    if (length != 1) return KATSU_CAST_FALLBACK;
    switch (*text) {
    case 't':
    case '1':
        katsu_append(buffer, "true", 4);
        return KATSU_CAST_WRITTEN;
    case 'f':
    case '0':
        katsu_append(buffer, "false", 5);
        return KATSU_CAST_WRITTEN;
    default:
        return KATSU_CAST_FALLBACK;
    }
}

katsu_cast_result katsu_integer_text_to_json(katsu_buffer *buffer, const char *text, long length)
{
    long i = length > 0 && *text == '-';
    if (i == length || (text[i] == '0' && length > 1)) return KATSU_CAST_FALLBACK; /* 007 is no JSON */
    while (i < length && katsu_digit_p(text[i])) i++;
    if (i < length) return KATSU_CAST_FALLBACK;
    katsu_append(buffer, text, (size_t)length);
    return KATSU_CAST_WRITTEN;
}

/* True for "-12.5" and "12", with no more digits than a double keeps and none that its shortest text would not
 * have, in the range that is printed without an exponent: the double prints as the text, or as the text and ".0". */
static bool shortest_p(const char *text, long length, bool *point)
{
    int all = 0, zeros = 0;
    *point = false;
    if (length > 0 && *text == '-') text++, length--;
    if (length == 0 || length > KATSU_DOUBLE_DIGITS + 2 || !katsu_digit_p(text[0]) || !katsu_digit_p(text[length - 1]))
        return false;
    if (text[0] == '0' && length > 1 && text[1] != '.') return false;
    for (long i = 0; i < length; i++) {
        if (text[i] == '.' && !*point) {
            *point = true;
        } else if (!katsu_digit_p(text[i])) {
            return false;
        } else {
            all += all > 0 || text[i] > '0';
            zeros += *point && all == 0;
        }
    }
    return all <= KATSU_DOUBLE_DIGITS && zeros <= 3 && !(*point && text[length - 1] == '0');
}

#define MAX_FLOAT_TEXT 40

katsu_cast_result katsu_float_text_to_json(katsu_buffer *buffer, const char *text, long length)
{
    char copy[MAX_FLOAT_TEXT + 1], *end;
    bool point;
    if (length == 0 || length > MAX_FLOAT_TEXT) return KATSU_CAST_FALLBACK;
    if (shortest_p(text, length, &point)) {
        katsu_append(buffer, text, (size_t)length);
        if (!point) katsu_append(buffer, ".0", 2);
        return KATSU_CAST_WRITTEN;
    }
    memcpy(copy, text, (size_t)length);
    copy[length] = 0;
    if (strcmp(copy, "NaN") == 0 || strcmp(copy, "Infinity") == 0 || strcmp(copy, "-Infinity") == 0) {
        katsu_append(buffer, "null", 4);
        return KATSU_CAST_WRITTEN;
    }
    double value = ruby_strtod(copy, &end);
    if (end != copy + length || value - value != 0) return KATSU_CAST_FALLBACK;
    katsu_append_double(buffer, value);
    return KATSU_CAST_WRITTEN;
}
