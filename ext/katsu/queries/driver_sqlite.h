/* SQLite's rows, read from a statement into memory that one Ruby object owns: Katsu::Native::SqliteRows. */
#ifndef KATSU_DRIVER_SQLITE_H
#define KATSU_DRIVER_SQLITE_H

#include "queries/rows.h"

extern const rb_data_type_t katsu_sqlite_type, katsu_sqlite_handle_type;

/* The connection that loaded this extension last in this thread, as a Ruby object; nil if there is none, or if its
 * SQLite is not of that version. */
VALUE katsu_sqlite_take_handle(VALUE class, VALUE version);

VALUE katsu_sqlite_allocate(VALUE class);
/* Reads all rows of a SQLite3::Statement, which was prepared for sql just now and bound. False if the gem has to read
 * them: an error came up, which it will meet again. Raises Katsu::Error if the statement is not found. */
bool katsu_sqlite_init(VALUE object, VALUE handle, VALUE statement, VALUE sql);
/* True if Ruby code may be called by a statement of the connection, a SQLite3::Database. */
bool katsu_sqlite_callbacks_p(VALUE connection);
void katsu_sqlite_clear(VALUE object);
VALUE katsu_sqlite_names(VALUE object);

#endif
