/* Row objects in the place of records, for the code of fields that reads only columns. Their readers take a fraction of
 * the time of a record's. Which code that is, Katsu::Query::CodeRows finds out.
 */
#ifndef KATSU_CODE_ROW_H
#define KATSU_CODE_ROW_H

#include "plans/execution.h"
#include "plans/row_bind.h"

/* What the code of a step gets as the object: a row object that has the values of the record's row, which is bound to
 * the node; or the record. The row object is the same for all records: nothing but that code may get it. */
VALUE katsu_code_row(katsu_batch *batch, katsu_node *node, long index, const katsu_row *row, VALUE record);

#endif
