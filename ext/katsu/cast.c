/* Casts of booleans and floats; strings and integers are written where records are. See cast.h. */
#include "cast.h"
#include "number.h"

bool katsu_cast_boolean(katsu_buffer *buffer, VALUE raw)
{
    bool value;
    if (raw == Qtrue || raw == INT2FIX(1)) {
        value = true;
    } else if (raw == Qfalse || raw == INT2FIX(0)) {
        value = false;
    } else if (RB_TYPE_P(raw, T_STRING) && RSTRING_LEN(raw) == 1) {
        switch (RSTRING_PTR(raw)[0]) {
          case 't': case '1': value = true; break;
          case 'f': case '0': value = false; break;
          default: return false;
        }
    } else {
        return false;
    }
    if (value) {
        katsu_append(buffer, "true", 4);
    } else {
        katsu_append(buffer, "false", 5);
    }
    return true;
}

bool katsu_cast_float(katsu_buffer *buffer, VALUE raw)
{
    if (!RB_FLOAT_TYPE_P(raw)) return false;
    double value = RFLOAT_VALUE(raw);
    if (value - value != 0) {
        katsu_append(buffer, "null", 4);
    } else {
        katsu_append_double(buffer, value);
    }
    return true;
}
