/* See driver_postgresql.h.
 *
 * No link with libpq and none of its headers: pg may bring a libpq of its own, and there must not be two. The functions
 * are found where pg was loaded from. What a column's text means is said by the decoder that its result has for it, so
 * that a value is what ActiveRecord's result would have had; a decoder that is not known here is asked for each value.
 *
 * The PG::Result owns the memory; whatever clears it, the next read raises PG's own error.
 */
#include "queries/driver_postgresql.h"
#include <dlfcn.h>

typedef struct {
    VALUE result; /* the PG::Result */
    VALUE names;  /* of the columns, a frozen Array */
    long count;
    int columns;
    unsigned char *kinds; /* katsu_datum_kind of each column's text */
} postgresql_rows;

static katsu_postgresql_functions pg;
static ID id_getvalue, id_fields, id_clear, id_type_map, id_coders, id_default_type_map, id_oid, id_format, id_ftype;

static void rows_mark(void *data)
{
    postgresql_rows *rows = data;
    rb_gc_mark(rows->result);
    rb_gc_mark(rows->names);
}

static void rows_free(void *data)
{
    postgresql_rows *rows = data;
    xfree(rows->kinds);
    xfree(rows);
}

static size_t rows_size(const void *data)
{
    return sizeof(postgresql_rows) + (size_t)((const postgresql_rows *)data)->columns;
}

const rb_data_type_t katsu_postgresql_type = {"Katsu::Native::PostgresqlRows",
                                              {rows_mark, rows_free, rows_size},
                                              NULL,
                                              NULL,
                                              RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED};

static postgresql_rows *rows_of(VALUE object)
{
    return rb_check_typeddata(object, &katsu_postgresql_type);
}

VALUE katsu_postgresql_allocate(VALUE class)
{
    postgresql_rows *rows;
    return TypedData_Make_Struct(class, postgresql_rows, &katsu_postgresql_type, rows);
}

/* Functions */

typedef void function(void);

static function *find(const char *feature, void *library, const char *name)
{
#ifdef HAVE_RB_EXT_RESOLVE_SYMBOL
    void *found = rb_ext_resolve_symbol(feature, name);
    if (found) return (function *)found;
#endif
    return library ? (function *)dlsym(library, name) : NULL;
}

const char *katsu_postgresql_find(const char *feature, katsu_postgresql_functions *functions)
{
    const char *missing = NULL;
    void *library = dlopen(feature, RTLD_NOLOAD | RTLD_LAZY);
#define FIND(name) \
    if (!missing && !(functions->name = (__typeof__(functions->name))find(feature, library, #name))) missing = #name;
    FIND(pgresult_get)
    FIND(pg_get_result_enc_idx)
    FIND(PQntuples)
    FIND(PQnfields)
    FIND(PQfformat)
    FIND(PQgetisnull)
    FIND(PQgetvalue)
    FIND(PQgetlength)
#undef FIND
    if (library) dlclose(library);
    return missing;
}

void katsu_postgresql_use(const katsu_postgresql_functions *functions)
{
    pg = *functions;
}

/* What texts mean */

/* The decoders that are known, by their classes' names. */
static const struct {
    const char *class;
    katsu_datum_kind kind;
} decoders[] = {{"PG::TextDecoder::Integer", DATUM_DIGITS},    {"PG::TextDecoder::Numeric", DATUM_DIGITS},
                {"PG::TextDecoder::Float", DATUM_FLOATING},    {"PG::TextDecoder::Boolean", DATUM_TRUTH},
                {"PG::TextDecoder::TimestampUtc", DATUM_TIME}, {"PG::TextDecoder::Timestamp", DATUM_INSTANT},
                {"PG::TextDecoder::Date", DATUM_DATE}};

static bool named(VALUE object, const char *name)
{
    VALUE path = rb_class_name(rb_obj_class(object));
    return (size_t)RSTRING_LEN(path) == strlen(name) && memcmp(RSTRING_PTR(path), name, strlen(name)) == 0;
}

static katsu_datum_kind kind_of(VALUE decoder)
{
    for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++) {
        if (named(decoder, decoders[i].class)) return decoders[i].kind;
    }
    return DATUM_UNREAD;
}

/* The decoder of a column among those of a PG::TypeMapByOid, or nil. */
static VALUE decoder_by_oid(VALUE coders, VALUE oid)
{
    for (long i = 0; i < RARRAY_LEN(coders); i++) {
        VALUE coder = RARRAY_AREF(coders, i);
        if (rb_funcall(coder, id_format, 0) == INT2FIX(0) && rb_equal(rb_funcall(coder, id_oid, 0), oid)) return coder;
    }
    return Qnil;
}

/* Sets the kinds of the columns by a type map: PG::TypeMapByColumn, which a PG::TypeMapByOid makes of itself for a
 * result of many rows, or one by oid. False if it is another one. */
static bool read_type_map(postgresql_rows *rows, VALUE map, katsu_datum_kind text)
{
    bool by_column = named(map, "PG::TypeMapByColumn");
    if (named(map, "PG::TypeMapAllStrings")) {
        memset(rows->kinds, (int)text, (size_t)rows->columns);
        return true;
    }
    if (!by_column && !named(map, "PG::TypeMapByOid")) return false;
    VALUE otherwise = rb_funcall(map, id_default_type_map, 0), coders = rb_funcall(map, id_coders, 0);
    Check_Type(coders, T_ARRAY);
    if (!read_type_map(rows, otherwise, text)) return false;
    for (int i = 0; i < rows->columns; i++) {
        VALUE oid = by_column ? Qnil : rb_funcall(rows->result, id_ftype, 1, INT2FIX(i));
        VALUE decoder = by_column ? rb_ary_entry(coders, i) : decoder_by_oid(coders, oid);
        if (!NIL_P(decoder)) rows->kinds[i] = (unsigned char)kind_of(decoder);
    }
    RB_GC_GUARD(coders);
    return true;
}

/* Strings are made in the result's encoding, and then in Ruby's internal one, if there is one. */
static katsu_datum_kind kind_of_text(VALUE result)
{
    rb_encoding *internal = rb_default_internal_encoding();
    bool utf8 = pg.pg_get_result_enc_idx(result) == katsu_utf8_index && (!internal || internal == rb_utf8_encoding());
    return utf8 ? DATUM_TEXT : DATUM_UNREAD;
}

void katsu_postgresql_init(VALUE object, VALUE result)
{
    postgresql_rows *rows = rows_of(object);
    if (!pg.pgresult_get) katsu_raise(katsu_eError, "the functions of pg are not known; see available?");
    if (rows->result) katsu_raise(katsu_eError, "initialized twice");
    if (!rb_obj_is_kind_of(result, rb_path2class("PG::Result")))
        katsu_raise(rb_eTypeError, "a PG::Result is needed, not %" PRIsVALUE, rb_obj_class(result));
    const void *raw = pg.pgresult_get(result);
    rows->count = pg.PQntuples(raw);
    int columns = pg.PQnfields(raw);
    rows->kinds = ZALLOC_N(unsigned char, columns + 1);
    rows->columns = columns;
    RB_OBJ_WRITE(object, &rows->result, result);
    VALUE names = rb_funcall(result, id_fields, 0);
    Check_Type(names, T_ARRAY);
    RB_OBJ_WRITE(object, &rows->names, rb_ary_freeze(rb_ary_dup(names)));
    if (!read_type_map(rows, rb_funcall(result, id_type_map, 0), kind_of_text(result)))
        memset(rows->kinds, DATUM_UNREAD, (size_t)columns);
    raw = pg.pgresult_get(result);
    for (int i = 0; i < columns; i++) {
        if (pg.PQfformat(raw, i) != 0) rows->kinds[i] = DATUM_UNREAD; /* binary */
    }
}

void katsu_postgresql_clear(VALUE object)
{
    VALUE result = rows_of(object)->result;
    if (result) rb_funcall(result, id_clear, 0);
}

VALUE katsu_postgresql_names(VALUE object)
{
    VALUE names = rows_of(object)->names;
    return names ? names : rb_ary_new();
}

/* Reading */

static void read_datum(const katsu_rows *of, long row, int position, katsu_datum *datum)
{
    const postgresql_rows *rows = of->data;
    const void *result = pg.pgresult_get(rows->result);
    datum->kind = (katsu_datum_kind)rows->kinds[position];
    datum->length = pg.PQgetlength(result, (int)row, position);
    datum->text = pg.PQgetvalue(result, (int)row, position);
    if (datum->length == 0 && pg.PQgetisnull(result, (int)row, position)) datum->kind = DATUM_NULL;
}

static VALUE read_value(const katsu_rows *of, long row, int position)
{
    const postgresql_rows *rows = of->data;
    return rb_funcall(rows->result, id_getvalue, 2, LONG2NUM(row), INT2FIX(position));
}

bool katsu_postgresql_rows(katsu_rows *rows, VALUE object)
{
    if (!rb_typeddata_is_kind_of(object, &katsu_postgresql_type)) return false;
    const postgresql_rows *data = rows_of(object);
    if (!data->result) katsu_raise(katsu_eError, "uninitialized rows");
    *rows = (katsu_rows){object, data, data->count, data->columns, read_datum, read_value};
    return true;
}

void katsu_init_driver_postgresql(void)
{
    id_getvalue = rb_intern("getvalue");
    id_fields = rb_intern("fields");
    id_clear = rb_intern("clear");
    id_type_map = rb_intern("type_map");
    id_coders = rb_intern("coders");
    id_default_type_map = rb_intern("default_type_map");
    id_oid = rb_intern("oid");
    id_format = rb_intern("format");
    id_ftype = rb_intern("ftype");
}
