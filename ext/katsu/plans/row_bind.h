/* Rows bound to a node: where the columns of its steps lie in the rows of a batch, found out once per result. */
#ifndef KATSU_ROW_BIND_H
#define KATSU_ROW_BIND_H

#include "plans/node.h"
#include "records/row.h"

/* Reads the record's row, and the positions of its columns; false if public readers have to serve. */
bool katsu_row_bind(katsu_node *node, VALUE record, katsu_row *row);

/* The value of a column that was read or written before; false if it was not. *known and *casted: as of
 * katsu_row_column. */
bool katsu_row_known(const katsu_node *node, const katsu_row *row, long index, VALUE *known, bool *casted);

/* The raw value of a step's column; Qundef if the fallback has to be taken. *casted is set if the record has cast
 * the value already: it may have been changed in place since, or have come from no database. */
KATSU_INLINE VALUE katsu_row_column(const katsu_node *node, const katsu_row *row, long index,
                                    const katsu_access *access, bool *casted)
{
    *casted = false;
    if (KATSU_UNLIKELY(row->known_steps >> (index < 63 ? index : 63) & 1)) {
        VALUE known;
        if (katsu_row_known(node, row, index, &known, casted)) return known;
    }
    if (KATSU_LIKELY(katsu_row_positioned_p(row))) {
        int position = node->cells[index].position;
        return KATSU_UNLIKELY(position < 0) ? Qundef : katsu_row_at(row, position, node->cells[index].name);
    }
    if (KATSU_UNLIKELY(!row->values)) return Qundef;
    return rb_hash_lookup2(row->values, access->column, Qundef);
}

#endif
