/* From the rows of parents to those of their children: an index from a key to a chain of rows, in memory that one Ruby
 * object owns. Nothing is allocated for a row or a parent.
 */
#ifndef KATSU_EDGE_H
#define KATSU_EDGE_H

#include "queries/rows.h"

/* Columns of a key; MAX_KEY in lib/katsu/query/reflections.rb is the same number. */
#define KATSU_KEY_PARTS 8

/* Where the rows of one side have their key. */
typedef struct {
    const katsu_rows *rows;
    int count;
    int positions[KATSU_KEY_PARTS];
    VALUE types[KATSU_KEY_PARTS]; /* what deserializes a raw value that is neither Integer nor String */
    bool integers[KATSU_KEY_PARTS], strings[KATSU_KEY_PARTS]; /* by the casts of the columns */
} katsu_edge_side;

typedef struct {
    katsu_edge_side parents, children;
    VALUE index; /* the Ruby object; 0 if there are no children at all */
} katsu_edge;

/* No row. */
#define KATSU_NO_ROW (-1L)

/* Reads a side: key is a position or an Array of them, table a Katsu::Query::Table with rows. */
void katsu_edge_side_init(katsu_edge_side *side, const katsu_rows *rows, VALUE table, VALUE key);
/* Makes the index. Both sides are there. */
void katsu_edge_init(katsu_edge *edge);
/* The first child of a parent, and the one that follows. Of an edge that is all zero there is none. */
long katsu_edge_first(const katsu_edge *edge, long parent);
long katsu_edge_next(const katsu_edge *edge, long child);

#endif
