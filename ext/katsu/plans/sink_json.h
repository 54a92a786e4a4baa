/* The JSON sink: objects through a plan to JSON bytes. Its twin is sink_hash.h; what a sink provides is in
 * docs/architecture.md. */
#ifndef KATSU_SINK_JSON_H
#define KATSU_SINK_JSON_H

#include "plans/field_call.h"

/* many: object is a collection (an Array, a Katsu::Stream, or what has to_a). io: 0, or what receives its elements
 * in chunks and is returned. */
VALUE katsu_sink_json(VALUE plan, VALUE object, VALUE context, VALUE scope, VALUE io, bool many);

/* Fills those of texts that are nil with the JSON of the objects at their places; both are Arrays of the same size. The
 * first of objects is element `first` in the path of errors. instances: the serializers by plan, a Hash that calls
 * share, or nil. Returns texts. */
VALUE katsu_sink_json_missing(VALUE plan, VALUE objects, VALUE context, VALUE scope, VALUE texts, VALUE first,
                              VALUE instances);

/* The same, of the objects of a whole array, whose JSON is returned. */
VALUE katsu_sink_json_filling(VALUE plan, VALUE objects, VALUE context, VALUE scope, VALUE texts);

/* Cap for katsu_json_expect: the previous document's size is only a hint. */
#define KATSU_MAX_RESERVED (64u << 20)

/* For the sources of other rooms. */

/* At the start: reserves about so many bytes, if that is more than the stack. */
void katsu_json_expect(katsu_batch *batch, size_t bytes);
/* Any value, below the node's step in the path of errors. */
void katsu_json_value(katsu_batch *batch, katsu_node *node, VALUE value);
/* The object or objects of an association, which is that of object. */
void katsu_json_association(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object, VALUE target);
/* The bytes from `from` on as a String. Its code range is set by the buffer's flags, so that Ruby need not look for it.
 */
VALUE katsu_json_text(const katsu_buffer *buffer, size_t from);
/* Gives the io what is written if that is `full` bytes or more. Between elements only: what is written of one may
 * be taken back. */
void katsu_json_flush(katsu_batch *batch, size_t full);

/* Writes a key. text: ,"key": of length bytes, of which the first element of an object leaves the comma out. Room for
 * `room` bytes more is reserved behind it. */
KATSU_INLINE void katsu_json_key(katsu_buffer *buffer, const char *text, unsigned length, bool first, size_t room)
{
    text += first;
    length -= first;
    katsu_reserve(buffer, length + KATSU_KEY_BLOCK + room);
    /* Most keys are one block: a fixed copy is a load and a store, a variable one a call. */
    memcpy(buffer->at, text, KATSU_KEY_BLOCK);
    if (KATSU_UNLIKELY(length > KATSU_KEY_BLOCK)) memcpy(buffer->at, text, length);
    buffer->at += length;
}

#endif
