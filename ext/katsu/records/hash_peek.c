/* See hash_peek.h. */
#include "records/hash_peek.h"

#ifdef KATSU_HAVE_HASH_PEEK
bool katsu_hash_peek_trusted;

/* A Hash of so many pairs, the first of them deleted if gap says so. */
static VALUE make_hash(VALUE keys, long count, bool gap)
{
    VALUE hash = rb_hash_new();
    for (long i = 0; i < count; i++) rb_hash_aset(hash, RARRAY_AREF(keys, i), LONG2FIX(i + 1));
    if (gap) rb_hash_delete(hash, RARRAY_AREF(keys, 0));
    return hash;
}

/* Symbols are the same objects as the Hash's keys, which Strings are not. */
static bool laid_out(VALUE keys, long count)
{
    VALUE whole = make_hash(keys, count, false), gap = make_hash(keys, count, true);
    bool table = count > 8, right = KATSU_HASH_TABLE_P(whole) == table && KATSU_HASH_TABLE_P(gap) == table;
    if (!table) right = right && KATSU_HASH_SMALL_SIZE(whole) == count && KATSU_HASH_SMALL_SIZE(gap) == count - 1;
    for (int i = 0; right && i < count; i++) {
        right = katsu_hash_peek(whole, i, RARRAY_AREF(keys, i)) == LONG2FIX(i + 1) &&
                katsu_hash_peek(whole, i, Qtrue) == Qundef;
        VALUE other = katsu_hash_peek(gap, i, RARRAY_AREF(keys, i));
        right = right && (other == Qundef || (i > 0 && other == LONG2FIX(i + 1)));
    }
    right = right && katsu_hash_peek(whole, (int)count, Qundef) == Qundef;
    RB_GC_GUARD(whole);
    RB_GC_GUARD(gap);
    return right;
}
#endif

void katsu_init_hash_peek(void)
{
#ifdef KATSU_HAVE_HASH_PEEK
    VALUE keys = rb_ary_new();
    for (int i = 0; i < 40; i++) rb_ary_push(keys, ID2SYM(rb_intern_str(rb_sprintf("katsu_%d", i))));
    katsu_hash_peek_trusted =
        laid_out(keys, 1) && laid_out(keys, 3) && laid_out(keys, 8) && laid_out(keys, 9) && laid_out(keys, 40);
    RB_GC_GUARD(keys);
#endif
}
