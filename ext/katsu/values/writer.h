/* Katsu::Writer: the methods that Ruby calls. What they take, return and raise is in lib/katsu/writer.rb. */
#ifndef KATSU_WRITER_H
#define KATSU_WRITER_H

#include "katsu.h"

VALUE katsu_writer_allocate(VALUE class);
VALUE katsu_writer_initialize(int argc, VALUE *argv, VALUE self);
VALUE katsu_writer_push_object(int argc, VALUE *argv, VALUE self);
VALUE katsu_writer_push_array(int argc, VALUE *argv, VALUE self);
VALUE katsu_writer_push_key(VALUE self, VALUE key);
VALUE katsu_writer_push_value(int argc, VALUE *argv, VALUE self);
VALUE katsu_writer_push_json(int argc, VALUE *argv, VALUE self);
VALUE katsu_writer_pop(VALUE self);
VALUE katsu_writer_to_s(VALUE self);

#endif
