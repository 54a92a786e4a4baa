/* Bindings: the rows of drivers, Katsu::Native::PostgresqlRows, SqliteRows and Mysql2Rows. What they share is
 * Katsu::Native::Rows: values as ActiveRecord::Result#rows would have them, made when they are asked for.
 */
#include "bytes/number.h"
#include "queries/driver_mysql2.h"
#include "queries/driver_postgresql.h"
#include "queries/driver_sqlite.h"
#include "queries/rows.h"

static katsu_rows driver_rows_of(VALUE self)
{
    katsu_rows rows;
    katsu_rows_init(&rows, self);
    return rows;
}

/* How many rows there are. */
static VALUE driver_rows_size(VALUE self)
{
    return LONG2NUM(driver_rows_of(self).count);
}

static long check_index(VALUE index, long count, const char *what)
{
    long number = NUM2LONG(index);
    if (number < 0 || number >= count) katsu_raise(rb_eIndexError, "there is no %s %ld", what, number);
    return number;
}

/* The raw value at a position of a row. Raises IndexError if there is none. */
static VALUE rows_value(VALUE self, VALUE row, VALUE position)
{
    katsu_rows rows = driver_rows_of(self);
    long index = check_index(row, rows.count, "row");
    return katsu_rows_value(&rows, index, (int)check_index(position, rows.columns, "column"));
}

static VALUE values_of(const katsu_rows *rows, long row)
{
    VALUE values = rb_ary_new_capa(rows->columns);
    for (int i = 0; i < rows->columns; i++) rb_ary_push(values, katsu_rows_value(rows, row, i));
    return values;
}

/* The raw values of a row; nil if there is no such row. */
static VALUE rows_aref(VALUE self, VALUE row)
{
    katsu_rows rows = driver_rows_of(self);
    long index = NUM2LONG(row);
    return index < 0 || index >= rows.count ? Qnil : values_of(&rows, index);
}

/* Yields the raw values of each row. */
static VALUE rows_each(VALUE self)
{
    RETURN_ENUMERATOR(self, 0, NULL);
    katsu_rows rows = driver_rows_of(self);
    for (long i = 0; i < rows.count; i++) rb_yield(values_of(&rows, i));
    return self;
}

/* The raw values of a column. */
static VALUE rows_column(VALUE self, VALUE position)
{
    katsu_rows rows = driver_rows_of(self);
    int index = (int)check_index(position, rows.columns, "column");
    VALUE values = rb_ary_new_capa(rows.count);
    for (long i = 0; i < rows.count; i++) rb_ary_push(values, katsu_rows_value(&rows, i, index));
    return values;
}

static void define_rows(VALUE class)
{
    rb_include_module(class, rb_mEnumerable);
    rb_define_method(class, "size", driver_rows_size, 0);
    rb_define_method(class, "value", rows_value, 2);
    rb_define_method(class, "[]", rows_aref, 1);
    rb_define_method(class, "each", rows_each, 0);
    rb_define_method(class, "column", rows_column, 1);
    rb_undef_method(class, "initialize_copy");
}

/* result: the PG::Result of a query. */
static VALUE postgresql_initialize(VALUE self, VALUE result)
{
    katsu_postgresql_init(self, result);
    return self;
}

/* The names of the columns. */
static VALUE postgresql_columns(VALUE self)
{
    return katsu_postgresql_names(self);
}

/* Gives the result's memory back. To read a value raises from then on. */
static VALUE postgresql_clear(VALUE self)
{
    katsu_postgresql_clear(self);
    return Qnil;
}

/* Finds the functions in pg's extension, given by its path, and uses them: nil, or the name of one that is missing. */
static VALUE postgresql_look_in(VALUE class, VALUE feature)
{
    katsu_postgresql_functions functions;
    const char *missing = katsu_postgresql_find(StringValueCStr(feature), &functions);
    if (missing) return rb_utf8_str_new_cstr(missing);
    katsu_postgresql_use(&functions);
    return Qnil;
}

/* Remembers which sqlite3_stmt belongs to this SQLite3::Statement, so that its rows can be read; nothing if it is not
 * found. Must be called right after prepare(sql): SQLite lists the newest statement first. handle: what handle gave for
 * the connection.
 */
static VALUE sqlite_know(VALUE class, VALUE handle, VALUE statement, VALUE sql)
{
    katsu_sqlite_know(handle, statement, sql);
    return Qnil;
}

/* True if the rows of a statement can be read. */
static VALUE sqlite_known_p(VALUE class, VALUE statement)
{
    return katsu_sqlite_known_p(statement) ? Qtrue : Qfalse;
}

/* statement: one that was bound and not stepped. Returns nil if the gem has to read it again from its beginning: it is
 * not known, or an error came up, which the gem will raise.
 */
static VALUE sqlite_read(VALUE class, VALUE handle, VALUE statement)
{
    VALUE rows = rb_obj_alloc(class);
    return katsu_sqlite_init(rows, handle, statement) ? rows : Qnil;
}

/* The names of the columns. */
static VALUE sqlite_columns(VALUE self)
{
    return katsu_sqlite_names(self);
}

/* Gives the memory back. To read a value raises from then on. */
static VALUE sqlite_clear(VALUE self)
{
    katsu_sqlite_clear(self);
    return Qnil;
}

/* What reads statements of the connection that has just loaded this extension; nil if its SQLite is not of that
 * version. */
static VALUE sqlite_handle(VALUE class, VALUE version)
{
    return katsu_sqlite_take_handle(rb_const_get(katsu_mNative, rb_intern("SqliteHandle")), version);
}

/* True if a statement of the connection may call Ruby code. */
static VALUE sqlite_callbacks_p(VALUE class, VALUE connection)
{
    return katsu_sqlite_callbacks_p(connection) ? Qtrue : Qfalse;
}

/* See katsu_mysql2_kinds. */
static VALUE mysql2_kinds(VALUE class, VALUE types)
{
    return katsu_mysql2_kinds(types);
}

/* rows: an Array of Arrays of Strings and nil, which nobody else changes from now on. kinds: what kinds gave. Returns
 * nil if a text is not of its kind: then the gem has to make the values. */
static VALUE mysql2_read(VALUE class, VALUE rows, VALUE kinds)
{
    VALUE read = rb_obj_alloc(class);
    return katsu_mysql2_init(read, rows, kinds) ? read : Qnil;
}

/* Gives the memory back. To read a value raises from then on. */
static VALUE mysql2_clear(VALUE self)
{
    katsu_mysql2_clear(self);
    return Qnil;
}

/* Katsu::Native.key_list: an Array of Integers as a list in SQL, "1, 2, 3"; nil if one is not an Integer of 63 bits. */
static VALUE key_list(VALUE module, VALUE keys)
{
    Check_Type(keys, T_ARRAY);
    VALUE list = rb_utf8_str_new(NULL, 0);
    for (long i = 0; i < RARRAY_LEN(keys); i++) {
        char text[KATSU_INTEGER_SIZE + 3], *end = text;
        VALUE key = RARRAY_AREF(keys, i);
        if (!FIXNUM_P(key)) return Qnil;
        if (i > 0) *end++ = ',', *end++ = ' ';
        end = katsu_put_long(end, FIX2LONG(key));
        rb_str_cat(list, text, end - text);
    }
    RB_GC_GUARD(keys);
    return list;
}

static void define_mysql2(void)
{
    katsu_init_driver_mysql2();
    VALUE mysql2 = rb_define_class_under(katsu_mNative, "Mysql2Rows", rb_cObject);
    rb_define_alloc_func(mysql2, katsu_mysql2_allocate);
    define_rows(mysql2);
    rb_define_method(mysql2, "clear", mysql2_clear, 0);
    rb_define_singleton_method(mysql2, "kinds", mysql2_kinds, 1);
    rb_define_singleton_method(mysql2, "read", mysql2_read, 2);
}

static void define_sqlite(void)
{
    katsu_init_driver_sqlite();
    rb_undef_alloc_func(rb_define_class_under(katsu_mNative, "SqliteHandle", rb_cObject));
    VALUE sqlite = rb_define_class_under(katsu_mNative, "SqliteRows", rb_cObject);
    rb_define_alloc_func(sqlite, katsu_sqlite_allocate);
    define_rows(sqlite);
    rb_define_method(sqlite, "columns", sqlite_columns, 0);
    rb_define_method(sqlite, "clear", sqlite_clear, 0);
    rb_define_singleton_method(sqlite, "know", sqlite_know, 3);
    rb_define_singleton_method(sqlite, "known?", sqlite_known_p, 1);
    rb_define_singleton_method(sqlite, "read", sqlite_read, 2);
    rb_define_singleton_method(sqlite, "handle", sqlite_handle, 1);
    rb_define_singleton_method(sqlite, "callbacks?", sqlite_callbacks_p, 1);
}

void katsu_init_driver_rows_class(void)
{
    define_sqlite();
    define_mysql2();
    katsu_init_driver_postgresql();
    rb_define_singleton_method(katsu_mNative, "key_list", key_list, 1);
    VALUE postgresql = rb_define_class_under(katsu_mNative, "PostgresqlRows", rb_cObject);
    rb_define_alloc_func(postgresql, katsu_postgresql_allocate);
    define_rows(postgresql);
    rb_define_method(postgresql, "initialize", postgresql_initialize, 1);
    rb_define_method(postgresql, "columns", postgresql_columns, 0);
    rb_define_method(postgresql, "clear", postgresql_clear, 0);
    rb_define_singleton_method(postgresql, "look_in", postgresql_look_in, 1);
}
