/* Layouts: made once for a plan and a class in each Ractor, and found. See plan.h.
 *
 * A layout belongs to a plan, a class and a Ractor, and ends with whichever goes first. Its owner is the class: a
 * holder, in an instance variable that Ruby code does not see, marks it. Each Ractor has a memo. It finds a layout in a
 * hash table of bonds, by the plan's life and the holder. A small cache finds it by the addresses of plan and class.
 * That cache is emptied at each garbage collection, because addresses may be reused.
 *
 * No locks: a table belongs to one Ractor; a holder's chain only grows at its head, and is cut while objects are
 * marked, when all Ractors stand still. Bonds and lives are memory of several owners, the last of which frees it.
 */
#include "casts/cast.h"
#include "plans/plan.h"
#include <ruby/ractor.h>

typedef struct holder holder;

typedef struct bond {
    katsu_life *plan;
    const holder *of;
    VALUE layout;
    unsigned refs;     /* two: a holder's chain and a Ractor's table */
    bool over;         /* the class or the Ractor is gone, or the class has other columns now */
    struct bond *next; /* of the same holder */
} bond;

struct holder {
    VALUE class; /* a copy of a class has its variables too */
    bond *bonds;
};

static ID id_layouts, id_bind, id_to_ary;
static VALUE source_module, any_singleton_class;

void katsu_life_release(katsu_life *life)
{
    if (__atomic_sub_fetch(&life->refs, 1, __ATOMIC_ACQ_REL) == 0) xfree(life);
}

static void bond_release(bond *b)
{
    if (__atomic_sub_fetch(&b->refs, 1, __ATOMIC_ACQ_REL)) return;
    katsu_life_release(b->plan);
    xfree(b);
}

static void bond_end(bond *b)
{
    __atomic_store_n(&b->over, true, __ATOMIC_RELEASE);
}

static bool bond_over(const bond *b)
{
    return __atomic_load_n(&b->over, __ATOMIC_ACQUIRE) || __atomic_load_n(&b->plan->over, __ATOMIC_ACQUIRE);
}

/* Layouts */

static void mark_names(const katsu_names *names)
{
    for (int i = 0; i < names->count; i++) rb_gc_mark(names->names[i]);
}

static void layout_mark(void *data)
{
    katsu_layout *layout = data;
    rb_gc_mark(layout->types);
    rb_gc_mark(layout->columns);
    rb_gc_mark(layout->readers);
    rb_gc_mark(layout->code.row_class);
    rb_gc_mark(layout->code.columns);
    mark_names(&layout->read);
    mark_names(&layout->written);
    for (long i = 0; i < layout->count; i++) {
        rb_gc_mark(layout->access[i].column);
        rb_gc_mark(layout->access[i].type);
        rb_gc_mark(layout->access[i].name);
    }
}

static size_t layout_size(const void *data)
{
    const katsu_layout *layout = data;
    return sizeof *layout + (size_t)layout->count * sizeof(katsu_access);
}

static const rb_data_type_t layout_type = {"Katsu::Native::Layout",
                                           {layout_mark, RUBY_DEFAULT_FREE, layout_size},
                                           NULL,
                                           NULL,
                                           RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED};

/* Checked here once: what a layout says is trusted afterwards. */
static void check_access(const katsu_access *access, const katsu_layout *layout, VALUE class)
{
    bool known = access->how <= HOW_DYNAMIC && access->cast < KATSU_CASTS && access->staleness <= STALE_UNKNOWN &&
                 (NIL_P(access->column) || RB_TYPE_P(access->column, T_STRING));
    if (access->how == HOW_KEY) known = known && !NIL_P(access->column) && RTEST(rb_class_inherited_p(class, rb_cHash));
    if (access->how == HOW_COLUMN) known = known && layout->kind == SOURCE_RECORD && RB_TYPE_P(layout->types, T_HASH);
    if (!known) katsu_raise(katsu_eError, "Katsu::Plan: an unknown way to read a step");
}

/* A Hash's String key as literals and parsers make it: that of a Symbol has the encoding US-ASCII. */
static VALUE utf8_key(VALUE key)
{
    if (!rb_enc_str_asciionly_p(key)) return key;
    return rb_enc_interned_str(RSTRING_PTR(key), RSTRING_LEN(key), rb_utf8_encoding());
}

/* One step's, from a Katsu::Source::Access. */
static void make_access(VALUE object, katsu_layout *layout, katsu_access *access, VALUE source, VALUE class)
{
    Check_Type(source, T_STRUCT);
    VALUE column = RSTRUCT_GET(source, 2);
    access->how = (unsigned char)NUM2INT(RSTRUCT_GET(source, 0));
    access->cast = (unsigned char)NUM2INT(RSTRUCT_GET(source, 1));
    access->staleness = (unsigned char)NUM2INT(RSTRUCT_GET(source, 3));
    RB_OBJ_WRITE(object, &access->column, column);
    check_access(access, layout, class);
    if (access->how == HOW_KEY) RB_OBJ_WRITE(object, &access->name, utf8_key(column));
    RB_OBJ_WRITE(object, &access->type,
                 RB_TYPE_P(layout->types, T_HASH) ? rb_hash_lookup2(layout->types, column, Qnil) : Qnil);
    if (access->how == HOW_COLUMN && access->cast != CAST_GENERIC) access->size = katsu_column_size_of(access->type);
}

static VALUE make_layout(VALUE plan, VALUE class)
{
    unsigned serial = __atomic_load_n(&katsu_standard.serial, __ATOMIC_ACQUIRE);
    VALUE bound = rb_funcall(source_module, id_bind, 2, plan, class);
    Check_Type(bound, T_ARRAY);
    VALUE accesses = rb_ary_entry(bound, 2);
    Check_Type(accesses, T_ARRAY);
    long count = RARRAY_LEN(accesses);
    if (count != katsu_plan_get(plan)->count)
        katsu_raise(katsu_eError, "Katsu::Plan: %ld ways to read its steps", count);
    katsu_layout *made = (katsu_layout *)ruby_xcalloc(1, sizeof(katsu_layout) + (size_t)count * sizeof(katsu_access));
    VALUE object = TypedData_Wrap_Struct(0, &layout_type, made);
    made->kind = (katsu_source_kind)NUM2INT(rb_ary_entry(bound, 0));
    made->shared = class == any_singleton_class;
    made->serial = serial;
    RB_OBJ_WRITE(object, &made->types, rb_ary_entry(bound, 1));
    if (made->kind == SOURCE_RECORD && !NIL_P(made->types)) Check_Type(made->types, T_HASH);
    for (long i = 0; i < count; i++) {
        made->count = i + 1; /* beforehand, for what it has already to be marked */
        make_access(object, made, &made->access[i], rb_ary_entry(accesses, i), class);
    }
    RB_GC_GUARD(bound);
    return object;
}

/* Holders */

static void holder_mark(void *data)
{
    holder *h = data;
    bool cut = rb_during_gc();
    rb_gc_mark(h->class);
    for (bond **at = &h->bonds; *at;) {
        bond *b = *at;
        if (!bond_over(b)) {
            rb_gc_mark(b->layout);
        } else if (cut) {
            *at = b->next;
            bond_release(b);
            continue;
        }
        at = &b->next;
    }
}

static void holder_free(void *data)
{
    holder *h = data;
    for (bond *b = h->bonds, *next; b; b = next) {
        next = b->next;
        bond_end(b);
        bond_release(b);
    }
    xfree(h);
}

static const rb_data_type_t holder_type = {"Katsu::Native::Holder",
                                           {holder_mark, holder_free, NULL},
                                           NULL,
                                           NULL,
                                           RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED};

/* The holder of a class, or nil. */
static VALUE holder_of(VALUE class)
{
    VALUE object = rb_attr_get(class, id_layouts);
    return NIL_P(object) || ((holder *)RTYPEDDATA_DATA(object))->class != class ? Qnil : object;
}

static VALUE make_holder(VALUE class)
{
    holder *h;
    VALUE object = TypedData_Make_Struct(0, holder, &holder_type, h);
    RB_OBJ_WRITE(object, &h->class, class);
    rb_ivar_set(class, id_layouts, object);
    return object;
}

/* A Ractor's table and memo */

#define MEMO_SIZE 1024
#define MEMO_WAYS 4

typedef struct {
    struct {
        VALUE plan, class, layout;
    } entries[MEMO_SIZE];
    unsigned next; /* the way that is given up next */
    bond **bonds;  /* a table; size is a power of two, at least twice used */
    size_t size, used;
} memo;

static void memo_mark(void *data)
{
    memo *m = data;
    memset(m->entries, 0, sizeof m->entries);
}

static void memo_free(void *data)
{
    memo *m = data;
    for (size_t i = 0; i < m->size; i++) {
        if (!m->bonds[i]) continue;
        bond_end(m->bonds[i]);
        bond_release(m->bonds[i]);
    }
    xfree(m->bonds);
    xfree(m);
}

/* Not write barrier protected: marked, and so emptied, in each garbage collection. */
static const rb_data_type_t memo_type = {
    "Katsu::Native::Memo", {memo_mark, memo_free, NULL}, NULL, NULL, RUBY_TYPED_FREE_IMMEDIATELY};

static rb_ractor_local_key_t memo_key;

static memo *current_memo(void)
{
    VALUE object = rb_ractor_local_storage_value(memo_key);
    memo *m;
    if (NIL_P(object)) {
        object = TypedData_Make_Struct(0, memo, &memo_type, m);
        rb_ractor_local_storage_value_set(memo_key, object);
        return m;
    }
    return RTYPEDDATA_DATA(object);
}

/* The first of the MEMO_WAYS entries that may hold plan and class. */
static unsigned memo_index(VALUE plan, VALUE class)
{
    return (unsigned)(((plan >> 4) * 31 + (class >> 4)) * MEMO_WAYS % MEMO_SIZE);
}

/* The entry that holds plan and class, or -1. */
static int memo_find(const memo *m, VALUE plan, VALUE class)
{
    unsigned index = memo_index(plan, class);
    for (unsigned way = 0; way < MEMO_WAYS; way++) {
        if (m->entries[index + way].plan == plan && m->entries[index + way].class == class) return (int)(index + way);
    }
    return -1;
}

static void memo_store(memo *m, VALUE plan, VALUE class, VALUE layout)
{
    unsigned index = memo_index(plan, class) + m->next++ % MEMO_WAYS;
    m->entries[index].plan = plan;
    m->entries[index].class = class;
    m->entries[index].layout = layout;
}

/* The entry of a bond, or the free one that it would have. The table has room. */
static bond **table_entry(bond **bonds, size_t size, const katsu_life *plan, const holder *of)
{
    uint64_t hash = ((uint64_t)(uintptr_t)plan * 31 + (uint64_t)(uintptr_t)of) * 0x9e3779b97f4a7c15u;
    size_t at = (size_t)(hash >> 32);
    for (;; at++) {
        bond **entry = &bonds[at & (size - 1)];
        if (!*entry || ((*entry)->plan == plan && (*entry)->of == of && !bond_over(*entry))) return entry;
    }
}

static bond *table_find(const memo *m, const katsu_life *plan, const holder *of)
{
    return m->size ? *table_entry(m->bonds, m->size, plan, of) : NULL;
}

/* Makes room for one more, without those that are over. */
static void table_grow(memo *m)
{
    size_t alive = 0, size = 16;
    if (m->used * 2 < m->size) return;
    for (size_t i = 0; i < m->size; i++) alive += m->bonds[i] && !bond_over(m->bonds[i]);
    while (size < alive * 4) size *= 2;
    bond **before = m->bonds, **bonds = ZALLOC_N(bond *, size);
    size_t used = 0;
    for (size_t i = 0; i < m->size; i++) {
        bond *b = before[i];
        if (b && bond_over(b)) {
            bond_release(b);
        } else if (b) {
            *table_entry(bonds, size, b->plan, b->of) = b;
            used++;
        }
    }
    m->bonds = bonds;
    m->size = size;
    m->used = used;
    xfree(before);
}

static void remember(memo *m, katsu_life *plan, VALUE holder_object, VALUE layout)
{
    holder *of = RTYPEDDATA_DATA(holder_object);
    table_grow(m);
    bond *b = ZALLOC(bond);
    __atomic_add_fetch(&plan->refs, 1, __ATOMIC_RELAXED);
    *b = (bond){plan, of, layout, 2, false, __atomic_load_n(&of->bonds, __ATOMIC_RELAXED)};
    *table_entry(m->bonds, m->size, plan, of) = b;
    m->used++;
    while (!__atomic_compare_exchange_n(&of->bonds, &b->next, b, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) continue;
    RB_OBJ_WRITTEN(holder_object, Qundef, layout);
}

/* Whether the casts of a layout still stand for what as_json gives. */
static bool fresh(VALUE layout)
{
    return ((katsu_layout *)RTYPEDDATA_DATA(layout))->serial == katsu_standard.serial;
}

/* The layout of a bond, which may be NULL. One that is not fresh is given up: 0. */
static VALUE bond_layout(bond *found)
{
    if (!found || fresh(found->layout)) return found ? found->layout : 0;
    bond_end(found);
    return 0;
}

/* The layout that the table has, or a new one. That of a frozen class lasts until the memo is emptied. */
static VALUE find_or_make(VALUE plan, VALUE class)
{
    katsu_life *life = katsu_plan_get(plan)->life;
    VALUE of = holder_of(class);
    bond *found = NIL_P(of) ? NULL : table_find(current_memo(), life, RTYPEDDATA_DATA(of));
    if (bond_layout(found)) return found->layout;
    VALUE layout = make_layout(plan, class);
    if (OBJ_FROZEN(class)) return layout;
    of = holder_of(class);
    if (NIL_P(of)) of = make_holder(class);
    found = table_find(current_memo(), life, RTYPEDDATA_DATA(of)); /* made meanwhile, by another thread */
    if (bond_layout(found)) return found->layout;
    remember(current_memo(), life, of, layout);
    RB_GC_GUARD(of);
    return layout;
}

/* An object's class of its own lives no longer than the object, and may differ from its class in any method: all
 * such objects share a layout that knows of no method. What a Hash holds is read in one way in all classes, and
 * collections are told by their class. */
static VALUE shared_class(VALUE class)
{
    VALUE real = rb_class_real(class);
    if (KATSU_LIKELY(real == class)) return class;
    if (RTEST(rb_class_inherited_p(real, rb_cModule)) || rb_method_boundp(real, id_to_ary, 1)) return real;
    return RTEST(rb_class_inherited_p(real, rb_cHash)) ? real : any_singleton_class;
}

KATSU_COLD VALUE look_up(VALUE plan, VALUE class, katsu_layout **layout, unsigned *calls)
{
    VALUE shared = shared_class(class), object;
    if (shared != class) return katsu_layout_find(plan, shared, layout, calls);
    ++*calls;
    object = find_or_make(plan, class);
    memo_store(current_memo(), plan, class, object);
    *layout = RTYPEDDATA_DATA(object);
    return object;
}

VALUE katsu_layout_find(VALUE plan, VALUE class, katsu_layout **layout, unsigned *calls)
{
    memo *m = current_memo();
    int found = memo_find(m, plan, class);
    if (KATSU_UNLIKELY(found < 0)) return look_up(plan, class, layout, calls);
    VALUE known = m->entries[found].layout;
    *layout = RTYPEDDATA_DATA(known);
    if (KATSU_LIKELY(fresh(known))) return known;
    m->entries[found].plan = 0;
    return look_up(plan, class, layout, calls);
}

void katsu_layout_forget(VALUE plan, VALUE class)
{
    memo *m = current_memo();
    int found = memo_find(m, plan, class);
    VALUE of = holder_of(class);
    bond *known = NIL_P(of) ? NULL : table_find(m, katsu_plan_get(plan)->life, RTYPEDDATA_DATA(of));
    if (found >= 0) m->entries[found].plan = 0;
    if (known) bond_end(known);
}

void katsu_init_layout(void)
{
    id_layouts = rb_intern("katsu_layouts"); /* no name that Ruby code could use */
    id_bind = rb_intern("bind");
    id_to_ary = rb_intern("to_ary");
    memo_key = rb_ractor_local_storage_value_newkey();
    rb_global_variable(&source_module);
    source_module = rb_define_module_under(katsu_mKatsu, "Source");
    rb_global_variable(&any_singleton_class);
    any_singleton_class = rb_class_new(rb_cBasicObject);
}
