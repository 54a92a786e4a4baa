/* MySQL's rows as the gem mysql2 gives them if it casts nothing, an Array of Arrays of Strings: Katsu::Native::Mysql2Rows.
 */
#ifndef KATSU_DRIVER_MYSQL2_H
#define KATSU_DRIVER_MYSQL2_H

#include "queries/rows.h"

/* What texts of columns of these types mean, a String of a byte for each; nil if it is faster or needed that the gem
 * makes the values. types: as the database names them, such as "bigint(20)". */
VALUE katsu_mysql2_kinds(VALUE types);

VALUE katsu_mysql2_allocate(VALUE class);
/* False if one of the texts is none that the gem would make such a value of. The object is of no use then. */
bool katsu_mysql2_init(VALUE object, VALUE rows, VALUE kinds);
void katsu_mysql2_clear(VALUE object);

#endif
