/* Casts of timestamps and dates. See cast.h. */
#include "cast.h"

/* True where the bytes of word at the places of mask (0x80 each) are digits. */
static inline bool digits_at(uint64_t word, uint64_t mask)
{
    uint64_t low = word ^ 0x3030303030303030ULL;
    return (((low + 0x7676767676767676ULL) | low) & mask) == 0;
}

static inline uint64_t load(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return word;
}

static bool digits(const char *text, int count)
{
    for (int i = 0; i < count; i++) {
        if ((unsigned char)(text[i] - '0') > 9) return false;
    }
    return true;
}

static inline int pair(const char *text)
{
    return (text[0] - '0') * 10 + (text[1] - '0');
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Bytes 0 to 7 are YYYY-MM-, of ten in all. */
static inline bool date_form(const char *text)
{
    return digits_at(load(text), 0x0080800080808080ULL) && text[4] == '-' && text[7] == '-' && digits(text + 8, 2);
}

/* Bytes 0 to 7 are HH:MM:SS. */
static inline bool time_form(const char *text)
{
    return digits_at(load(text), 0x8080008080008080ULL) && text[2] == ':' && text[5] == ':';
}
#else
static inline bool date_form(const char *text)
{
    return digits(text, 4) && text[4] == '-' && digits(text + 5, 2) && text[7] == '-' && digits(text + 8, 2);
}

static inline bool time_form(const char *text)
{
    return digits(text, 2) && text[2] == ':' && digits(text + 3, 2) && text[5] == ':' && digits(text + 6, 2);
}
#endif

/* YYYY-MM-DD of a day that exists; years before 1600, about which calendars disagree, go the long way. */
static inline bool date(const char *text)
{
    if (!date_form(text)) return false;
    int year = pair(text) * 100 + pair(text + 2), month = pair(text + 5), day = pair(text + 8);
    if (year < 1600 || month < 1 || month > 12 || day < 1 || day > 31) return false;
    if (day <= 28) return true;
    if (month != 2) return day <= 30 || (month != 4 && month != 6 && month != 9 && month != 11);
    return day == 29 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static inline bool time_of_day(const char *text)
{
    return time_form(text) && pair(text) < 24 && pair(text + 3) < 60 && pair(text + 6) < 60;
}

bool katsu_cast_datetime(katsu_buffer *buffer, VALUE raw)
{
    if (!RB_TYPE_P(raw, T_STRING)) return false;
    long length = RSTRING_LEN(raw);
    const char *text = RSTRING_PTR(raw);
    if (length < 19 || length > 26 || length == 20 || !date(text) || text[10] != ' ' || !time_of_day(text + 11)) return false;
    if (length > 19 && (text[19] != '.' || !digits(text + 20, (int)length - 20))) return false;
    katsu_reserve(buffer, 26);
    char *at = buffer->at;
    at[0] = '"';
    memcpy(at + 1, text, 19);
    at[11] = 'T';
    memcpy(at + 20, ".000Z\"", 6);
    if (length >= 23) {
        memcpy(at + 21, text + 20, 3);
    } else if (length > 20) {
        memcpy(at + 21, text + 20, (size_t)(length - 20));
    }
    buffer->at += 26;
    RB_GC_GUARD(raw);
    return true;
}

bool katsu_cast_date(katsu_buffer *buffer, VALUE raw)
{
    if (!RB_TYPE_P(raw, T_STRING) || RSTRING_LEN(raw) != 10 || !date(RSTRING_PTR(raw))) return false;
    katsu_reserve(buffer, 12);
    buffer->at[0] = '"';
    memcpy(buffer->at + 1, RSTRING_PTR(raw), 10);
    buffer->at[11] = '"';
    buffer->at += 12;
    RB_GC_GUARD(raw);
    return true;
}
