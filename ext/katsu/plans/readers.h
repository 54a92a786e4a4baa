/* Readers that Ruby made: attr_readers, and members of a Struct or a Data. They are read without a call.
 *
 * Any Ruby code may define such a method again. So a batch compares the methods of a class with those that were
 * learned, and trusts them until it calls into Ruby: generator.calls tells. What is not known is called.
 */
#ifndef KATSU_READERS_H
#define KATSU_READERS_H

#include "plans/field_call.h"
#include "records/ivar_slot.h"

/* Readers are compared from the first object on in a batch of at least this many, otherwise from a node's 16th on. */
#define KATSU_READERS_FROM 16

/* Shapes that one class's objects mostly have. */
#define KATSU_READER_SHAPES 4

typedef struct {
    VALUE method;                          /* the UnboundMethod; 0: to be called */
    ID variable;                           /* of an attr_reader, or 0 */
    int member;                            /* of a Struct: its index */
    unsigned learned;                      /* shapes */
    uint64_t indexes[KATSU_READER_SHAPES]; /* as those of a katsu_ivar_slot */
} katsu_reader;

/* Of a layout's steps, in an object that the layout has. */
struct katsu_readers {
    long count;
    katsu_reader reader[];
};

/* Compares the methods of object's class with those that are known, if that may be worth its while. */
void katsu_readers_check(katsu_batch *batch, katsu_node *node, VALUE object);
/* The variable by its name. Learns its index. */
VALUE katsu_reader_variable(katsu_reader *reader, VALUE object);

KATSU_INLINE bool katsu_readers_trusted_p(const katsu_batch *batch, const katsu_node *node)
{
    return node->readers && node->readers_calls == batch->generator.calls;
}

/* Before the first step of an object that is no record. */
KATSU_INLINE void katsu_readers_enter(katsu_batch *batch, katsu_node *node, VALUE object)
{
    if (KATSU_LIKELY(katsu_readers_trusted_p(batch, node))) return;
    if (++node->met >= batch->readers_from) katsu_readers_check(batch, node, object);
}

/* What the reader of a step with HOW_METHOD gives. */
KATSU_INLINE VALUE katsu_reader_value(katsu_batch *batch, katsu_node *node, const katsu_step *step, VALUE object)
{
    if (!katsu_readers_trusted_p(batch, node)) return katsu_call_reader(batch, step, object);
    katsu_reader *reader = &node->readers->reader[step - node->plan->steps];
    if (!reader->method) return katsu_call_reader(batch, step, object);
    if (!reader->variable) return rb_struct_aref(object, INT2FIX(reader->member));
#ifdef KATSU_HAVE_IVARS
    if (KATSU_LIKELY(RB_BUILTIN_TYPE(object) == T_OBJECT)) {
        uint64_t shape = KATSU_SHAPE(object);
        for (int i = 0; i < KATSU_READER_SHAPES; i++) {
            uint64_t known = reader->indexes[i];
            if (known >> 16 != shape || !(known & 0xffff)) continue;
            unsigned index = (unsigned)(known & 0xffff) - 1;
            VALUE value = KATSU_HAS_IVAR(object, index) ? KATSU_IVARS(object)[index] : Qundef;
            return KATSU_UNLIKELY(value == Qundef) ? Qnil : value;
        }
    }
#endif
    return katsu_reader_variable(reader, object);
}

#endif
