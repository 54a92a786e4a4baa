/* Katsu::Native::Mysql2Rows: the rows that the gem mysql2 gives if it casts nothing, an Array of Arrays of Strings. */
#ifndef KATSU_DRIVER_MYSQL2_H
#define KATSU_DRIVER_MYSQL2_H

#include "queries/rows.h"

/* types: an Array of the columns' types as the database names them, such as "bigint(20)". Returns a String with a
 * katsu_datum_kind for each, or nil if the gem has to make the values, or is as fast. */
VALUE katsu_mysql2_kinds(VALUE types);

VALUE katsu_mysql2_allocate(VALUE class);
/* Returns false if a text is not of its kind. The object cannot be used then. */
bool katsu_mysql2_init(VALUE object, VALUE rows, VALUE kinds);
void katsu_mysql2_clear(VALUE object);

#endif
