/* What a Hash's as_json does to its keys: they become Strings, and the last of equal ones wins. Only done if two keys
 * could be equal. See generate.h.
 */
#include "values/generate.h"
#include "values/hash_copy.h"

static ID id_stringify_keys, id_compare_by_identity_p;

typedef struct {
    int type; /* of the first key; 0 before it */
    bool same_type;
    bool interned; /* all are, in one encoding, so that no two Strings are equal */
} key_survey;

/* 0 for keys whose to_s has to be called. */
static int key_type(VALUE key)
{
    if (RB_FIXNUM_P(key)) return T_FIXNUM;
    if (RB_SYMBOL_P(key)) return T_SYMBOL;
    return katsu_type_p(key, T_STRING) && RBASIC_CLASS(key) == rb_cString ? T_STRING : 0;
}

static int survey_key(VALUE key, VALUE value, VALUE arg)
{
    key_survey *survey = (key_survey *)arg;
    int type = key_type(key);
    if (!survey->type) survey->type = type;
    survey->same_type = type && type == survey->type;
    if (type == T_STRING && (!RB_FL_TEST_RAW(key, RSTRING_FSTR) || katsu_encoding(key) != katsu_utf8_index))
        survey->interned = false;
    return survey->same_type ? ST_CONTINUE : ST_STOP;
}

bool katsu_by_identity_p(VALUE hash)
{
    if (!rb_method_basic_definition_p(CLASS_OF(hash), id_compare_by_identity_p)) return true;
    return RTEST(rb_funcall(hash, id_compare_by_identity_p, 0));
}

VALUE katsu_distinct_keys(katsu_generator *generator, VALUE hash)
{
    key_survey survey = {0, true, true};
    katsu_hash_each(hash, survey_key, &survey);
    if (KATSU_LIKELY(survey.same_type && survey.interned)) return hash;
    generator->calls++;
    if (survey.same_type && !katsu_by_identity_p(hash)) return hash;
    hash = rb_funcall(katsu_mGenerator, id_stringify_keys, 1, hash);
    Check_Type(hash, T_HASH);
    return hash;
}

void katsu_init_distinct_keys(void)
{
    id_stringify_keys = rb_intern("stringify_keys");
    id_compare_by_identity_p = rb_intern("compare_by_identity?");
}
