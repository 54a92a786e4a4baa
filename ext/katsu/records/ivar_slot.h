/* Instance variables of objects, read by their index in the object's memory.
 *
 * rb_ivar_get searches the object's shape by name each time. Objects of the same shape (Ruby 3.2 to 4.0: the upper
 * half of the flags) or class (3.1) keep a variable at the same index, so a slot remembers indexes by shape, each with
 * its shape in one word, which Ractors may share. An index is learned by walking all of an object's variables and
 * comparing each with memory; if that does not fit, or the Ruby is not known, rb_ivar_get serves.
 */
#ifndef KATSU_IVAR_SLOT_H
#define KATSU_IVAR_SLOT_H

#include "katsu.h"

/* Two shapes that share an entry are learned again each time, which takes longer than writing a record. */
#define KATSU_IVAR_SLOT_WAYS 64

#if defined(KATSU_UNKNOWN_RUBY) || SIZEOF_VALUE != 8
/* Indexes are not known. */
#elif RUBY_API_VERSION_CODE >= 30200 && RUBY_API_VERSION_CODE < 40100
#define KATSU_HAVE_IVARS 1
#if RUBY_API_VERSION_CODE >= 40000
/* Which of the upper 32 bits say where variables lie: 0 to 18, the shape's number, and 27, set if they lie in a
 * table. (The comment in Ruby 4.0's shape.h has the flags three bits lower than its code.) The others are the size
 * of the object's memory (22 to 24), frozen (25) and has an object id (26): that takes an index among the
 * variables, so it has a shape of its own. */
#define KATSU_SHAPE_BITS 0x0807ffffULL
#define KATSU_TABLE_P(object) (RBASIC(object)->flags >> 59 & 1)
#define KATSU_NUMBERED_P(object) (RBASIC(object)->flags >> 58 & 1)
#define KATSU_IVARS(object) ROBJECT_FIELDS(object)
#else
#define KATSU_SHAPE_BITS 0xffffffffULL
#define KATSU_IVARS(object) ROBJECT_IVPTR(object)
#endif
#define KATSU_SHAPE(object) ((uint64_t)(RBASIC(object)->flags >> 32 & KATSU_SHAPE_BITS))
/* An object's type and shape, or its class, in one word. Objects with the same one keep all variables at the same
 * indexes. */
#define KATSU_LAYOUT_ID(object) ((uint64_t)(RBASIC(object)->flags & (KATSU_SHAPE_BITS << 32 | RUBY_T_MASK)))
/* True if an object of a known layout id has memory for that index. */
#define KATSU_HAS_IVAR(object, index) true
#elif RUBY_API_VERSION_CODE >= 30100 && RUBY_API_VERSION_CODE < 30200
#define KATSU_HAVE_IVARS 1
#define KATSU_IVARS(object) ROBJECT_IVPTR(object)
#define KATSU_SHAPE(object) ((uint64_t)RBASIC_CLASS(object) >> 3)
#define KATSU_LAYOUT_ID(object) ((uint64_t)RBASIC_CLASS(object))
/* Variables lie apart from their object. */
#define KATSU_IVARS_APART 1
#define KATSU_HAS_IVAR(object, index) ((index) < ROBJECT_NUMIV(object))
#endif

typedef struct {
    ID name;
    uint64_t indexes[KATSU_IVAR_SLOT_WAYS]; /* shape << 16 | index + 1 */
#ifdef KATSU_IVARS_APART
    VALUE owners[KATSU_IVAR_SLOT_WAYS]; /* shapes are classes: kept, so that no other class gets their address */
#endif
} katsu_ivar_slot;

VALUE katsu_ivar_learn(katsu_ivar_slot *slot, VALUE object);
void katsu_ivar_slot_init(katsu_ivar_slot *slot, const char *name);
void katsu_init_ivar_slot(void);
/* Whether this Ruby lays variables out as described here. */
bool katsu_ivars_trusted_p(void);
/* The index of a T_OBJECT's variable, from 1; 0 if it is not known. */
unsigned katsu_ivar_index(VALUE object, ID name);

#ifdef KATSU_LAYOUT_ID
/* True if variables may be read from an object. last: the highest index that will be. */
KATSU_INLINE bool katsu_ivars_reach(VALUE object, uint64_t layout_id, unsigned short last)
{
    return !RB_SPECIAL_CONST_P(object) && KATSU_LAYOUT_ID(object) == layout_id && KATSU_HAS_IVAR(object, last);
}
#endif

/* object must be a T_OBJECT. nil if it has no such variable. */
KATSU_INLINE VALUE katsu_ivar_get(katsu_ivar_slot *slot, VALUE object)
{
#ifdef KATSU_HAVE_IVARS
    uint64_t shape = KATSU_SHAPE(object);
    uint64_t known = __atomic_load_n(&slot->indexes[shape & (KATSU_IVAR_SLOT_WAYS - 1)], __ATOMIC_RELAXED);
    if (KATSU_LIKELY(known >> 16 == shape && (known & 0xffff))) {
        unsigned index = (unsigned)(known & 0xffff) - 1;
        if (KATSU_UNLIKELY(!KATSU_HAS_IVAR(object, index))) return Qnil;
        VALUE value = KATSU_IVARS(object)[index];
        return KATSU_UNLIKELY(value == Qundef) ? Qnil : value;
    }
#endif
    return katsu_ivar_learn(slot, object);
}

/* The address of the variable; NULL if it is not known. */
KATSU_INLINE VALUE *katsu_ivar_peek(katsu_ivar_slot *slot, VALUE object)
{
#ifdef KATSU_HAVE_IVARS
    uint64_t shape = KATSU_SHAPE(object);
    uint64_t known = __atomic_load_n(&slot->indexes[shape & (KATSU_IVAR_SLOT_WAYS - 1)], __ATOMIC_RELAXED);
    if (known >> 16 == shape && (known & 0xffff)) {
        unsigned index = (unsigned)(known & 0xffff) - 1;
        return KATSU_HAS_IVAR(object, index) ? &KATSU_IVARS(object)[index] : NULL;
    }
#endif
    return NULL;
}

#endif
