/* Learning places. See slot.h. */
#include "slot.h"

#ifdef KATSU_HAVE_PLACES
static bool trusted;

#if RUBY_API_VERSION_MINOR >= 2
/* The shape of objects with so many differing variables that they are kept in a table: no places there.
 * It is the one shape that two objects with different variables share. */
static uint64_t complex_shape;
#define EXPECTED_COUNT(object) rb_ivar_count(object)
#else
#define EXPECTED_COUNT(object) ((st_index_t)ROBJECT_NUMIV(object))
#endif

typedef struct {
    VALUE object;
    ID wanted;
    st_index_t count, place; /* place + 1 of the wanted one */
    bool fits;
} search;

static int look(ID name, VALUE value, st_data_t arg)
{
    search *s = (search *)arg;
    VALUE *slots = ROBJECT_IVPTR(s->object);
    st_index_t limit = EXPECTED_COUNT(s->object);
    /* Variables that are not set take a place and are not walked. */
    while (s->count < limit && slots[s->count] == Qundef) s->count++;
    if (s->count >= limit || slots[s->count] != value) {
        s->fits = false;
        return ST_STOP;
    }
    s->count++;
    if (name == s->wanted) s->place = s->count;
    return ST_CONTINUE;
}

/* place + 1 of the variable in the object's memory, or 0. */
static st_index_t find_place(VALUE object, ID name)
{
#if RUBY_API_VERSION_MINOR >= 2
    if (KATSU_SHAPE(object) == complex_shape) return 0;
#endif
    search s = {object, name, 0, 0, true};
    rb_ivar_foreach(object, look, (st_data_t)&s);
    return s.fits ? s.place : 0;
}

static VALUE make_object(VALUE class, const char *const *names, int count)
{
    VALUE object = rb_obj_alloc(class);
    for (int i = 0; i < count; i++) rb_ivar_set(object, rb_intern(names[i]), rb_str_new_cstr(names[i]));
    return object;
}

/* Whether this Ruby lays objects out as this file believes, found out on objects made for it. */
static bool probe(void)
{
    static const char *const three[] = {"@a", "@b", "@c"}, *const other[] = {"@b", "@a", "@c"};
    VALUE class = rb_class_new(rb_cObject);
    VALUE one = make_object(class, three, 3), two = make_object(class, three, 3);
    bool right = find_place(one, rb_intern("@b")) == 2 && find_place(two, rb_intern("@c")) == 3 &&
        KATSU_SHAPE(one) == KATSU_SHAPE(two);
#if RUBY_API_VERSION_MINOR >= 2
    VALUE three_other = make_object(class, other, 3);
    right = right && KATSU_SHAPE(one) != KATSU_SHAPE(three_other) && find_place(three_other, rb_intern("@b")) == 1;
    /* Variations of one class until two objects with different variables have the same shape. */
    VALUE crowd = rb_class_new(rb_cObject), before = 0;
    bool found = false;
    for (int i = 0; i < 64 && !found; i++) {
        char name[8];
        snprintf(name, sizeof name, "@v%d", i);
        const char *only = name;
        VALUE next = make_object(crowd, &only, 1);
        found = before && KATSU_SHAPE(before) == KATSU_SHAPE(next);
        if (found) complex_shape = KATSU_SHAPE(next);
        before = next;
    }
    right = right && found;
#else
    (void)other;
#endif
    RB_GC_GUARD(one);
    RB_GC_GUARD(two);
    return right;
}
#endif

VALUE katsu_slot_learn(katsu_slot *slot, VALUE object)
{
#ifdef KATSU_HAVE_PLACES
    if (trusted) {
        st_index_t place = find_place(object, slot->name);
        uint64_t shape = KATSU_SHAPE(object);
        if (place && place < 0xffff && shape < 1ULL << 48) {
#if RUBY_API_VERSION_MINOR == 1
            slot->owners[shape & (KATSU_SLOT_WAYS - 1)] = RBASIC_CLASS(object);
#endif
            __atomic_store_n(&slot->places[shape & (KATSU_SLOT_WAYS - 1)], shape << 16 | place, __ATOMIC_RELAXED);
        }
    }
#endif
    return rb_attr_get(object, slot->name);
}

void katsu_slot_init(katsu_slot *slot, const char *name)
{
    slot->name = rb_intern(name);
#if defined(KATSU_HAVE_PLACES) && RUBY_API_VERSION_MINOR == 1
    for (int i = 0; i < KATSU_SLOT_WAYS; i++) rb_gc_register_address(&slot->owners[i]);
#endif
}

void katsu_init_slot(void)
{
#ifdef KATSU_HAVE_PLACES
    /* The probe makes a class with many variations on purpose; Ruby would warn of it. */
    VALUE warning = rb_const_get(rb_cObject, rb_intern("Warning")), category = ID2SYM(rb_intern("performance"));
    bool known = RUBY_API_VERSION_MINOR >= 3;
    VALUE before = known ? rb_funcall(warning, rb_intern("[]"), 1, category) : Qnil;
    if (known) rb_funcall(warning, rb_intern("[]="), 2, category, Qfalse);
    trusted = probe();
    if (known) rb_funcall(warning, rb_intern("[]="), 2, category, before);
#endif
}
