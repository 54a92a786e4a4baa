/* Katsu::ObjectWriter: the methods that Ruby calls. What they take, return and raise is in
 * lib/katsu/object_writer.rb. */
#ifndef KATSU_OBJECT_WRITER_H
#define KATSU_OBJECT_WRITER_H

#include "katsu.h"

void katsu_init_object_writer(void);
VALUE katsu_object_writer_allocate(VALUE class);
VALUE katsu_object_writer_push_object(int argc, VALUE *argv, VALUE self);
VALUE katsu_object_writer_push_array(int argc, VALUE *argv, VALUE self);
VALUE katsu_object_writer_push_key(VALUE self, VALUE key);
VALUE katsu_object_writer_push_value(int argc, VALUE *argv, VALUE self);
VALUE katsu_object_writer_pop(VALUE self);
VALUE katsu_object_writer_output(VALUE self);

#endif
