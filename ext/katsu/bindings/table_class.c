/* Bindings: the methods of Katsu::Plan for the rows of queries, in the form of Katsu::Query::Table. */
#include "queries/table.h"

/* The JSON array of the table's rows. */
static VALUE plan_generate_table(VALUE self, VALUE table, VALUE context, VALUE scope)
{
    return katsu_table_generate(self, table, context, scope);
}

/* Gives io the same in chunks, or one object a line if lines is true; returns io. */
static VALUE plan_write_table(VALUE self, VALUE table, VALUE context, VALUE scope, VALUE io, VALUE lines)
{
    return katsu_table_write(self, table, context, scope, io, RTEST(lines));
}

/* An Array of Hashes. */
static VALUE plan_build_table(VALUE self, VALUE table, VALUE context, VALUE scope)
{
    return katsu_table_build(self, table, Qnil, context, scope);
}

/* The same of the rows of these numbers. */
static VALUE plan_build_rows(VALUE self, VALUE table, VALUE numbers, VALUE context, VALUE scope)
{
    return katsu_table_build(self, table, numbers, context, scope);
}

/* An Array of their texts. */
static VALUE plan_row_texts(VALUE self, VALUE table, VALUE numbers, VALUE context, VALUE scope)
{
    return katsu_table_texts(self, table, numbers, context, scope);
}

void katsu_init_table_class(void)
{
    VALUE class = rb_define_class_under(katsu_mKatsu, "Plan", rb_cObject);
    rb_define_method(class, "generate_table", plan_generate_table, 3);
    rb_define_method(class, "write_table", plan_write_table, 5);
    rb_define_method(class, "build_table", plan_build_table, 3);
    rb_define_method(class, "build_rows", plan_build_rows, 4);
    rb_define_method(class, "row_texts", plan_row_texts, 4);
    katsu_init_edge();
    katsu_init_table();
}
