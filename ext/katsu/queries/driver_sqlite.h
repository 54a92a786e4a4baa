/* SQLite's rows, read from a statement into memory that one Ruby object owns: Katsu::Native::SqliteRows. */
#ifndef KATSU_DRIVER_SQLITE_H
#define KATSU_DRIVER_SQLITE_H

#include "queries/rows.h"

extern const rb_data_type_t katsu_sqlite_type, katsu_sqlite_handle_type;

/* The connection that loaded this extension last in this thread, as a Ruby object; nil if there is none, or if its
 * SQLite is not of that version. */
VALUE katsu_sqlite_take_handle(VALUE class, VALUE version);

VALUE katsu_sqlite_allocate(VALUE class);
/* Notes which of SQLite's statements a SQLite3::Statement is, if it was prepared for sql just now. */
void katsu_sqlite_know(VALUE handle, VALUE statement, VALUE sql);
bool katsu_sqlite_known_p(VALUE statement);
/* Reads all rows of a SQLite3::Statement, which was bound and not stepped. False if the gem has to read them: it is not
 * known, or an error came up, which the gem will meet again. */
bool katsu_sqlite_init(VALUE object, VALUE handle, VALUE statement);
/* True if Ruby code may be called by a statement of the connection, a SQLite3::Database. */
bool katsu_sqlite_callbacks_p(VALUE connection);
void katsu_sqlite_clear(VALUE object);
VALUE katsu_sqlite_names(VALUE object);

#endif
