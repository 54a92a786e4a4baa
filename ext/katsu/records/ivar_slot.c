/* Learning indexes. See ivar_slot.h. */
#include "records/ivar_slot.h"

#ifdef KATSU_HAVE_IVARS
static bool trusted;

#ifdef KATSU_IVARS_APART
#define VARIABLE_COUNT(object) ((st_index_t)ROBJECT_NUMIV(object))
#define KATSU_TABLE_P(object) false
#else
#define VARIABLE_COUNT(object) rb_ivar_count(object)
#ifndef KATSU_TABLE_P
/* The shape of objects with so many differing variables that they are kept in a table: no indexes there.
 * It is the one shape that two objects with different variables share. */
static uint64_t table_shape;
#define KATSU_TABLE_P(object) (KATSU_SHAPE(object) == table_shape)
#define NOTE_TABLE(object) (table_shape = KATSU_SHAPE(object))
#else
#define NOTE_TABLE(object) ((void)0)
#endif
#endif
#ifndef KATSU_NUMBERED_P
#define KATSU_NUMBERED_P(object) false
#endif

typedef struct {
    VALUE object;
    ID wanted;
    VALUE number;            /* the object id that lies among the variables, or Qundef */
    st_index_t limit;        /* indexes in use */
    st_index_t count, index; /* index + 1 of the wanted one */
    bool fits;
} search;

static int check_variable(ID name, VALUE value, st_data_t arg)
{
    search *s = (search *)arg;
    VALUE *slots = KATSU_IVARS(s->object);
    /* Variables that are not set take an index and are not walked, and so does the object id. */
    while (s->count < s->limit && (slots[s->count] == Qundef || slots[s->count] == s->number)) s->count++;
    if (s->count >= s->limit || slots[s->count] != value) {
        s->fits = false;
        return ST_STOP;
    }
    s->count++;
    if (name == s->wanted) s->index = s->count;
    return ST_CONTINUE;
}

/* index + 1 of the variable in the object's memory, or 0. */
static st_index_t find_index(VALUE object, ID name)
{
    if (KATSU_TABLE_P(object)) return 0;
    bool numbered = KATSU_NUMBERED_P(object);
    search s = {object, name, numbered ? rb_obj_id(object) : Qundef, VARIABLE_COUNT(object) + numbered, 0, 0, true};
    rb_ivar_foreach(object, check_variable, (st_data_t)&s);
    return s.fits ? s.index : 0;
}

static VALUE make_object(VALUE class, const char *const *names, int count)
{
    VALUE object = rb_obj_alloc(class);
    for (int i = 0; i < count; i++) rb_ivar_set(object, rb_intern(names[i]), rb_str_new_cstr(names[i]));
    return object;
}

static bool indexes_fit(VALUE object, const char *const *names, int count)
{
    bool fit = true;
    for (int i = 0; i < count; i++) fit = fit && find_index(object, rb_intern(names[i])) == (st_index_t)i + 1;
    return fit;
}

#ifdef KATSU_IVARS_APART
#define probe_shapes(class, one) true
#else
/* Variations of one class until its objects keep their variables in a table. */
static bool probe_table(void)
{
    VALUE crowd = rb_class_new(rb_cObject), before = 0;
    for (int i = 0; i < 64; i++) {
        char name[8];
        snprintf(name, sizeof name, "@v%d", i);
        const char *only = name;
        VALUE next = make_object(crowd, &only, 1);
        if (before && KATSU_SHAPE(before) == KATSU_SHAPE(next)) {
            NOTE_TABLE(next);
            return KATSU_TABLE_P(next) && find_index(next, rb_intern(name)) == 0;
        }
        before = next;
    }
    return false;
}

/* Variables that have outgrown the object's memory, an object id among them, and one that is frozen. */
static bool probe_states(VALUE class)
{
    static const char *const names[] = {"@a", "@b", "@c", "@d", "@e", "@f", "@g", "@h"};
    VALUE grown = make_object(class, names, 8), whole = make_object(class, names, 3);
    VALUE frozen = make_object(class, names, 3);
    OBJ_FREEZE(frozen);
    bool right = indexes_fit(grown, names, 8) && indexes_fit(frozen, names, 3);
#if RUBY_API_VERSION_CODE >= 40000
    VALUE numbered = make_object(class, names, 3);
    rb_obj_id(numbered);
    rb_ivar_set(numbered, rb_intern("@d"), Qtrue);
    right = right && KATSU_SHAPE(frozen) == KATSU_SHAPE(whole) && KATSU_NUMBERED_P(numbered) &&
            !KATSU_NUMBERED_P(whole) && indexes_fit(numbered, names, 3) && find_index(numbered, rb_intern("@d")) == 5;
    RB_GC_GUARD(numbered);
#endif
    RB_GC_GUARD(grown);
    RB_GC_GUARD(whole);
    RB_GC_GUARD(frozen);
    return right;
}

static bool probe_shapes(VALUE class, VALUE one)
{
    static const char *const other[] = {"@b", "@a", "@c"};
    VALUE turned = make_object(class, other, 3);
    bool right = probe_table() && KATSU_SHAPE(one) != KATSU_SHAPE(turned) && indexes_fit(turned, other, 3) &&
                 probe_states(class);
    RB_GC_GUARD(turned);
    return right;
}
#endif

/* Whether this Ruby lays objects out as this file believes, found out on objects made for it. */
static bool probe(void)
{
    static const char *const three[] = {"@a", "@b", "@c"};
    VALUE class = rb_class_new(rb_cObject);
    VALUE one = make_object(class, three, 3), two = make_object(class, three, 3);
    bool right = indexes_fit(one, three, 3) && indexes_fit(two, three, 3) && KATSU_SHAPE(one) == KATSU_SHAPE(two) &&
                 probe_shapes(class, one);
    RB_GC_GUARD(one);
    RB_GC_GUARD(two);
    return right;
}
#endif

bool katsu_ivars_trusted_p(void)
{
#ifdef KATSU_HAVE_IVARS
    return trusted;
#else
    return false;
#endif
}

unsigned katsu_ivar_index(VALUE object, ID name)
{
#ifdef KATSU_HAVE_IVARS
    if (trusted) return (unsigned)find_index(object, name);
#endif
    return 0;
}

VALUE katsu_ivar_learn(katsu_ivar_slot *slot, VALUE object)
{
#ifdef KATSU_HAVE_IVARS
#ifdef KATSU_IVARS_APART
    /* An object's class of its own would be kept, and the object with it. */
    if (trusted && rb_class_real(RBASIC_CLASS(object)) == RBASIC_CLASS(object)) {
#else
    if (trusted) {
#endif
        st_index_t index = find_index(object, slot->name);
        uint64_t shape = KATSU_SHAPE(object);
        if (index && index < 0xffff && shape < 1ULL << 48) {
#ifdef KATSU_IVARS_APART
            slot->owners[shape & (KATSU_IVAR_SLOT_WAYS - 1)] = RBASIC_CLASS(object);
#endif
            __atomic_store_n(&slot->indexes[shape & (KATSU_IVAR_SLOT_WAYS - 1)], shape << 16 | index, __ATOMIC_RELAXED);
        }
    }
#endif
    return rb_attr_get(object, slot->name);
}

void katsu_ivar_slot_init(katsu_ivar_slot *slot, const char *name)
{
    slot->name = rb_intern(name);
#ifdef KATSU_IVARS_APART
    for (int i = 0; i < KATSU_IVAR_SLOT_WAYS; i++) rb_gc_register_address(&slot->owners[i]);
#endif
}

void katsu_init_ivar_slot(void)
{
#ifdef KATSU_HAVE_IVARS
    /* The probe makes a class with many variations on purpose; Ruby would warn of it. */
    VALUE warning = rb_const_get(rb_cObject, rb_intern("Warning")), category = ID2SYM(rb_intern("performance"));
    bool known = RUBY_API_VERSION_CODE >= 30300;
    VALUE before = known ? rb_funcall(warning, rb_intern("[]"), 1, category) : Qnil;
    if (known) rb_funcall(warning, rb_intern("[]="), 2, category, Qfalse);
    trusted = probe();
    if (known) rb_funcall(warning, rb_intern("[]="), 2, category, before);
#endif
}
