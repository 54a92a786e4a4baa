/* See driver_sqlite.h.
 *
 * The gem sqlite3 exports nothing. But this extension is one that SQLite can load too, and SQLite then hands over the
 * table of its functions and the connection. The table only ever grew at its end, so the places of old functions are
 * fixed.
 *
 * The gem prepares, binds and makes the first step: what can wait for a lock, or call Ruby code that waits, does so
 * there. The rows are then read by SQLite's functions. The first one is compared with the gem's: if a statement is
 * mistaken for another, the gem reads the rows. The gem closes or resets the statement, whatever happened.
 */
#include "queries/driver_sqlite.h"

typedef struct connection connection; /* sqlite3 */
typedef struct statement statement;   /* sqlite3_stmt */
typedef struct value value;           /* sqlite3_value */

/* Places in sqlite3_api_routines, and the functions' types. */
#define FUNCTION(type, place) ((type)functions[place])
#define COLUMN_COUNT FUNCTION(int (*)(statement *), 22)
#define COLUMN_VALUE FUNCTION(value *(*)(statement *, int), 39)
#define DATA_COUNT FUNCTION(int (*)(statement *), 48)
#define LIBVERSION FUNCTION(const char *(*)(void), 66)
#define RESET FUNCTION(int (*)(statement *), 77)
#define STEP FUNCTION(int (*)(statement *), 94)
#define VALUE_BLOB FUNCTION(const void *(*)(value *), 102)
#define VALUE_BYTES FUNCTION(int (*)(value *), 103)
#define VALUE_DOUBLE FUNCTION(double (*)(value *), 105)
#define VALUE_INT64 FUNCTION(int64_t (*)(value *), 107)
#define VALUE_TEXT FUNCTION(const char *(*)(value *), 109)
#define VALUE_TYPE FUNCTION(int (*)(value *), 113)
#define NEXT_STATEMENT FUNCTION(statement *(*)(connection *, statement *), 152)
#define SQL_OF FUNCTION(const char *(*)(statement *), 153)

enum { SQLITE_IS_INTEGER = 1, SQLITE_IS_FLOAT = 2, SQLITE_IS_TEXT = 3, SQLITE_IS_BLOB = 4 };
enum { SQLITE_IS_OK = 0, SQLITE_HAS_ROW = 100, SQLITE_IS_DONE = 101 };

typedef void *const *api;

/* A connection that has loaded this extension. It must not be used once the SQLite3::Database is closed. */
typedef struct {
    connection *database;
    api functions;
} handle;

/* One value: its kind, and the number or where its bytes begin. */
typedef struct {
    unsigned kind; /* SQLITE_IS_...; 0 for NULL */
    unsigned length;
    union {
        int64_t integer;
        double number;
        size_t start;
    };
} cell;

typedef struct {
    VALUE names;
    long count;
    int columns;
    bool ready, cleared;
    cell *cells;
    char *bytes;
    size_t cells_used, cells_size, bytes_used, bytes_size;
} sqlite_rows;

static ID id_step, id_columns, id_address;
static __thread handle loaded;

/* Called by SQLite when the extension is loaded into a connection; the name is made of that of the file, native. */
RUBY_FUNC_EXPORTED int sqlite3_native_init(connection *database, char **message, api functions);
int sqlite3_native_init(connection *database, char **message, api functions)
{
    loaded = (handle){database, functions};
    return SQLITE_IS_OK;
}

const rb_data_type_t katsu_sqlite_handle_type = {
    "Katsu::Native::SqliteHandle", {NULL, RUBY_DEFAULT_FREE, NULL}, NULL, NULL, RUBY_TYPED_FREE_IMMEDIATELY};

VALUE katsu_sqlite_take_handle(VALUE class, VALUE version)
{
    api functions = loaded.functions;
    if (!functions || strcmp(LIBVERSION(), StringValueCStr(version)) != 0) return Qnil;
    handle *made;
    VALUE object = TypedData_Make_Struct(class, handle, &katsu_sqlite_handle_type, made);
    *made = loaded;
    loaded = (handle){NULL, NULL};
    return object;
}

/* Rows */

static void rows_mark(void *data)
{
    rb_gc_mark(((sqlite_rows *)data)->names);
}

static void release(sqlite_rows *rows)
{
    xfree(rows->cells);
    xfree(rows->bytes);
    rows->cells = NULL;
    rows->bytes = NULL;
    rows->cells_size = rows->bytes_size = 0;
}

static void rows_free(void *data)
{
    release(data);
    xfree(data);
}

static size_t rows_size(const void *data)
{
    const sqlite_rows *rows = data;
    return sizeof *rows + rows->cells_size * sizeof(cell) + rows->bytes_size;
}

const rb_data_type_t katsu_sqlite_type = {"Katsu::Native::SqliteRows",
                                          {rows_mark, rows_free, rows_size},
                                          NULL,
                                          NULL,
                                          RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED};

static sqlite_rows *rows_of(VALUE object)
{
    return rb_check_typeddata(object, &katsu_sqlite_type);
}

VALUE katsu_sqlite_allocate(VALUE class)
{
    sqlite_rows *rows;
    return TypedData_Make_Struct(class, sqlite_rows, &katsu_sqlite_type, rows);
}

static cell *add_cell(sqlite_rows *rows)
{
    if (rows->cells_used == rows->cells_size) {
        size_t size = rows->cells_size ? rows->cells_size * 2 : 256;
        REALLOC_N(rows->cells, cell, size);
        rows->cells_size = size;
    }
    return &rows->cells[rows->cells_used++];
}

static size_t add_bytes(sqlite_rows *rows, const void *bytes, size_t length)
{
    /* Empty text needs an address as well: NULL means that there is no text. */
    if (!rows->bytes || rows->bytes_size - rows->bytes_used < length) {
        size_t size = rows->bytes_size * 2 + length + 4096;
        REALLOC_N(rows->bytes, char, size);
        rows->bytes_size = size;
    }
    if (length) memcpy(rows->bytes + rows->bytes_used, bytes, length);
    rows->bytes_used += length;
    return rows->bytes_used - length;
}

/* Each function of a column locks the connection. Those of a value do not: no other thread uses the connection while
 * this one runs Ruby. */
static void add_row(sqlite_rows *rows, api functions, statement *from)
{
    for (int i = 0; i < rows->columns; i++) {
        cell *c = add_cell(rows);
        value *v = COLUMN_VALUE(from, i);
        *c = (cell){(unsigned)VALUE_TYPE(v), 0, {0}};
        if (c->kind == SQLITE_IS_INTEGER) {
            c->integer = VALUE_INT64(v);
        } else if (c->kind == SQLITE_IS_FLOAT) {
            c->number = VALUE_DOUBLE(v);
        } else if (c->kind == SQLITE_IS_TEXT || c->kind == SQLITE_IS_BLOB) {
            const void *bytes = c->kind == SQLITE_IS_TEXT ? (const void *)VALUE_TEXT(v) : VALUE_BLOB(v);
            c->length = (unsigned)VALUE_BYTES(v);
            c->start = add_bytes(rows, bytes, c->length);
        } else {
            c->kind = 0;
        }
    }
    rows->count++;
}

/* Reading */

static const cell *cell_at(const sqlite_rows *rows, long row, int position)
{
    if (KATSU_UNLIKELY(rows->cleared)) katsu_raise(katsu_eError, "the rows have been cleared");
    return &rows->cells[row * rows->columns + position];
}

static void read_datum(const katsu_rows *of, long row, int position, katsu_datum *datum)
{
    const sqlite_rows *rows = of->data;
    const cell *c = cell_at(rows, row, position);
    switch (c->kind) {
    case 0:
        datum->kind = DATUM_NULL;
        break;
    case SQLITE_IS_INTEGER:
        datum->kind = DATUM_INTEGER;
        datum->integer = c->integer;
        break;
    case SQLITE_IS_FLOAT:
        datum->kind = DATUM_DOUBLE;
        datum->number = c->number;
        break;
    case SQLITE_IS_TEXT:
        datum->kind = DATUM_TEXT;
        datum->text = rows->bytes + c->start;
        datum->length = c->length;
        break;
    default:
        datum->kind = DATUM_UNREAD;
    }
}

static VALUE read_value(const katsu_rows *of, long row, int position)
{
    const sqlite_rows *rows = of->data;
    const cell *c = cell_at(rows, row, position);
    switch (c->kind) {
    case SQLITE_IS_INTEGER:
        return LL2NUM(c->integer);
    case SQLITE_IS_FLOAT:
        return rb_float_new(c->number);
    case SQLITE_IS_TEXT:
        return rb_obj_freeze(rb_utf8_str_new(rows->bytes + c->start, c->length));
    case SQLITE_IS_BLOB:
        return rb_obj_freeze(rb_str_new(rows->bytes + c->start, c->length));
    default:
        return Qnil;
    }
}

static katsu_rows view(VALUE object, const sqlite_rows *rows)
{
    return (katsu_rows){object, rows, rows->count, rows->columns, read_datum, read_value};
}

bool katsu_sqlite_rows(katsu_rows *rows, VALUE object)
{
    if (!rb_typeddata_is_kind_of(object, &katsu_sqlite_type)) return false;
    const sqlite_rows *data = rows_of(object);
    if (!data->ready) katsu_raise(katsu_eError, "uninitialized rows");
    *rows = view(object, data);
    return true;
}

/* The statement that was prepared last, just now. NULL if it is not for sql. */
static statement *newest(const handle *of, VALUE sql)
{
    api functions = of->functions;
    statement *found = NEXT_STATEMENT(of->database, NULL);
    const char *text = found ? SQL_OF(found) : NULL;
    if (!text) return NULL;
    size_t length = strlen(text);
    if (length > (size_t)RSTRING_LEN(sql) || memcmp(text, RSTRING_PTR(sql), length) != 0) return NULL;
    return found;
}

/* Where a SQLite3::Statement keeps the address of SQLite's, at its beginning: the gem writes NULL there when it closes
 * the statement. NULL if the address is not there. */
static statement *const *place_of(VALUE statement_object, const statement *of)
{
    if (!RB_TYPE_P(statement_object, T_DATA) || !RTYPEDDATA_P(statement_object)) return NULL;
    statement *const *place = RTYPEDDATA_GET_DATA(statement_object);
    return place && *place == of ? place : NULL;
}

/* A SQLite3::Statement keeps the address of SQLite's: both are there until it is closed, and then the gem steps it no
 * more. */
void katsu_sqlite_know(VALUE handle_object, VALUE statement_object, VALUE sql)
{
    const handle *of = rb_check_typeddata(handle_object, &katsu_sqlite_handle_type);
    Check_Type(sql, T_STRING);
    statement *found = newest(of, sql);
    if (found && place_of(statement_object, found))
        rb_ivar_set(statement_object, id_address, ULL2NUM((uintptr_t)found));
    RB_GC_GUARD(handle_object);
    RB_GC_GUARD(sql);
}

bool katsu_sqlite_known_p(VALUE statement_object)
{
    return rb_ivar_defined(statement_object, id_address) == Qtrue;
}

/* The place of the statement that the gem has stepped to its first row, or NULL. */
static statement *const *known(const handle *of, VALUE statement_object, int columns)
{
    api functions = of->functions;
    VALUE address = rb_attr_get(statement_object, id_address);
    if (NIL_P(address)) return NULL;
    statement *found = (statement *)(uintptr_t)NUM2ULL(address);
    statement *const *place = place_of(statement_object, found);
    return place && COLUMN_COUNT(found) == columns && DATA_COUNT(found) == columns ? place : NULL;
}

/* Whether the first row is the gem's. */
static bool first_alike(VALUE object, const sqlite_rows *rows, VALUE first)
{
    katsu_rows read = view(object, rows);
    if (RARRAY_LEN(first) != rows->columns) return false;
    for (int i = 0; i < rows->columns; i++) {
        if (!rb_eql(read_value(&read, 0, i), rb_ary_entry(first, i))) return false;
    }
    return true;
}

/* The other rows. False after an error, and if a signal handler or another thread has closed the statement. */
static bool read_rest(sqlite_rows *rows, api functions, statement *const *place)
{
    int code;
    statement *from = *place;
    while ((code = STEP(from)) == SQLITE_HAS_ROW) {
        add_row(rows, functions, from);
        rb_thread_check_ints(); /* each row may take long to find */
        if (KATSU_UNLIKELY(*place != from)) return false;
    }
    if (code == SQLITE_IS_DONE) return true;
    RESET(from);
    return false;
}

bool katsu_sqlite_init(VALUE object, VALUE handle_object, VALUE statement_object)
{
    sqlite_rows *rows = rows_of(object);
    const handle *of = rb_check_typeddata(handle_object, &katsu_sqlite_handle_type);
    if (rows->names) katsu_raise(katsu_eError, "initialized twice");
    VALUE names = rb_funcall(statement_object, id_columns, 0);
    Check_Type(names, T_ARRAY);
    RB_OBJ_WRITE(object, &rows->names, rb_ary_freeze(rb_ary_dup(names)));
    rows->columns = (int)RARRAY_LEN(rows->names);
    VALUE first = rb_funcall(statement_object, id_step, 0);
    if (!NIL_P(first)) {
        Check_Type(first, T_ARRAY);
        statement *const *place = known(of, statement_object, rows->columns);
        if (!place) return false;
        add_row(rows, of->functions, *place);
        if (!first_alike(object, rows, first) || !read_rest(rows, of->functions, place)) return false;
    }
    rows->ready = true;
    RB_GC_GUARD(handle_object);
    RB_GC_GUARD(statement_object);
    return true;
}

static bool filled_p(VALUE connection_object, const char *name)
{
    VALUE value = rb_attr_get(connection_object, rb_intern(name));
    if (RB_TYPE_P(value, T_HASH)) return RHASH_SIZE(value) > 0;
    if (RB_TYPE_P(value, T_ARRAY)) return RARRAY_LEN(value) > 0;
    return RTEST(value);
}

bool katsu_sqlite_callbacks_p(VALUE connection_object)
{
    static const char *const names[] = {"@functions",  "@collations",  "-collations",
                                        "-functions",  "-aggregators", "@aggregators",
                                        "@authorizer", "@tracefunc",   "@progress_handler"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (filled_p(connection_object, names[i])) return true;
    }
    return false;
}

void katsu_sqlite_clear(VALUE object)
{
    sqlite_rows *rows = rows_of(object);
    rows->cleared = true;
    release(rows);
}

VALUE katsu_sqlite_names(VALUE object)
{
    VALUE names = rows_of(object)->names;
    return names ? names : rb_ary_new();
}

void katsu_init_driver_sqlite(void)
{
    id_step = rb_intern("step");
    id_columns = rb_intern("columns");
    id_address = rb_intern("@katsu_address");
}
