/* One call of a plan over the rows of queries: Katsu::Query::Table and its edges as a tree of tables, one for each
 * path of associations, made when it is first entered. Tables lie in the memory of the batch, as nodes do. A table's
 * node has its place for errors and the serializer that its method fields run in.
 */
#ifndef KATSU_TABLE_H
#define KATSU_TABLE_H

#include "plans/field_call.h"
#include "queries/edge.h"
#include "queries/rows.h"

/* How a step is read from a row. */
typedef enum {
    WAY_COLUMN,  /* the value at a position, by its cast */
    WAY_EDGE,    /* the children */
    WAY_OBJECTS, /* of an association that is made of objects: edge.at(index) */
    WAY_NESTED,  /* the same row, by the plan of the step */
    WAY_METHOD,  /* a method of the serializer gives the value */
    WAY_RECORD   /* the public reader of table.record(index) */
} katsu_way_kind;

typedef struct {
    const char *text; /* see katsu_step */
    unsigned length;
    int position; /* of a column */
    unsigned char kind, cast;
    bool unconditional;
    bool instant;           /* a column of times with their offset from UTC */
    katsu_column_size size; /* of a decimal column */
    VALUE type;             /* of the column, nil: the raw value is the value; of objects the edge */
} katsu_way;

typedef struct katsu_table {
    katsu_node *node;
    VALUE object; /* the Katsu::Query::Table */
    katsu_rows rows;
    katsu_edge edge;           /* from the parents; of an inner table */
    struct katsu_table *outer; /* of an object nested in a row: the table of the row that it is; otherwise NULL */
    katsu_layout *layout;
    VALUE layout_object;
    VALUE edges;      /* the Hash of Katsu::Query::Edge */
    VALUE row_object; /* of the row at row_index, for method fields; 0 before */
    long row_index;
    katsu_way *ways;            /* one a step */
    struct katsu_table **inner; /* by the number of the association, NULL until they are entered */
} katsu_table;

/* The table that a call is for. */
katsu_table *katsu_table_new(katsu_batch *batch, katsu_node *node, VALUE object);
/* The row number at an index of numbers, an Array; the index itself if numbers is nil. Raises Error if there is no such
 * row. */
long katsu_table_row(const katsu_table *table, VALUE numbers, long index);
/* The children of an association. */
katsu_table *katsu_table_enter(katsu_batch *batch, katsu_table *table, const katsu_step *step);
/* The same rows, by the plan of a step that writes the row itself. */
katsu_table *katsu_table_enter_nested(katsu_batch *batch, katsu_table *table, const katsu_step *step);
/* What stands for a row in method fields, blocks and conditions. */
VALUE katsu_table_row_object(katsu_table *table, long row);
/* The row object that an error of a key names, if the association has by:; otherwise nil. */
VALUE katsu_table_owner(katsu_table *table, const katsu_step *step, long row);
/* The object or objects of an association, WAY_OBJECTS. */
VALUE katsu_table_objects(katsu_batch *batch, const katsu_way *way, long row);
/* A value by a public reader. */
VALUE katsu_table_read(katsu_batch *batch, katsu_table *table, const katsu_step *step, long row);
/* A raw value as the column's type deserializes it. */
VALUE katsu_table_deserialize(katsu_batch *batch, const katsu_way *way, VALUE raw);
/* A datum that is no Ruby object, by its cast. What is not known here has its raw value made. */
katsu_cast_result katsu_table_write_datum(katsu_buffer *buffer, katsu_times *times, const katsu_way *way,
                                          const katsu_datum *datum);

/* Between rows of the outermost table: a thread that is to end, or a timeout, does so here. */
#define KATSU_ROWS_BETWEEN_CHECKS 1024

KATSU_INLINE katsu_table *katsu_table_inner(katsu_batch *batch, katsu_table *table, const katsu_step *step)
{
    katsu_table *inner = table->inner[step->inner];
    return KATSU_LIKELY(inner != NULL) ? inner : katsu_table_enter(batch, table, step);
}

KATSU_INLINE katsu_table *katsu_table_nested(katsu_batch *batch, katsu_table *table, const katsu_step *step)
{
    katsu_table *inner = table->inner[step->inner];
    return KATSU_LIKELY(inner != NULL) ? inner : katsu_table_enter_nested(batch, table, step);
}

VALUE katsu_table_generate(VALUE plan, VALUE table, VALUE context, VALUE scope);
VALUE katsu_table_write(VALUE plan, VALUE table, VALUE context, VALUE scope, VALUE io, bool lines);
/* An Array of the Hashes of the rows of these numbers, of all if that is nil. */
VALUE katsu_table_build(VALUE plan, VALUE table, VALUE numbers, VALUE context, VALUE scope);
/* An Array of the texts of the rows of these numbers. */
VALUE katsu_table_texts(VALUE plan, VALUE table, VALUE numbers, VALUE context, VALUE scope);

#endif
