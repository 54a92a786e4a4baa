/* Learning and comparing readers. See readers.h. */
#include "plans/readers.h"

static ID id_place, id_unbind, id_equal;
static VALUE readers_module;

static void readers_mark(void *data)
{
    katsu_readers *readers = data;
    for (long i = 0; readers && i < readers->count; i++) rb_gc_mark(readers->reader[i].method);
}

static size_t readers_size(const void *data)
{
    const katsu_readers *readers = data;
    if (!readers) return 0;
    return sizeof *readers + (size_t)readers->count * sizeof(katsu_reader);
}

static const rb_data_type_t readers_type = {"Katsu::Native::Readers",
                                            {readers_mark, RUBY_DEFAULT_FREE, readers_size},
                                            NULL,
                                            NULL,
                                            RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED};

/* For rb_method_boundp: methods that anyone can call, not private and not protected ones. */
enum { PUBLIC_ONLY = 3 };

/* The object's public method as an UnboundMethod; 0 if it has none. Equal methods may differ in who can call them.
 * Calls no code but Ruby's own. */
static VALUE method_of(VALUE object, const katsu_step *step)
{
    if (!rb_method_boundp(CLASS_OF(object), step->name, PUBLIC_ONLY)) return 0;
    return rb_funcall(rb_obj_method(object, step->symbol), id_unbind, 0);
}

/* False if objects of its class may be no address, as small Integers are. */
static bool address_p(VALUE object)
{
    switch (rb_type(object)) {
    case T_FIXNUM:
    case T_BIGNUM:
    case T_FLOAT:
    case T_SYMBOL:
    case T_TRUE:
    case T_FALSE:
        return false;
    default:
        return true;
    }
}

static void learn_reader(VALUE owner, katsu_reader *reader, const katsu_step *step, VALUE object)
{
    VALUE method = method_of(object, step), place = method ? rb_funcall(readers_module, id_place, 1, method) : Qnil;
    if (RB_SYMBOL_P(place)) {
        reader->variable = rb_sym2id(place);
    } else if (RB_FIXNUM_P(place) && RB_TYPE_P(object, T_STRUCT)) {
        reader->member = FIX2INT(place);
    } else {
        return;
    }
    RB_OBJ_WRITE(owner, &reader->method, method);
}

/* The readers of the node's class; nil if it has none. */
static VALUE learn(katsu_batch *batch, const katsu_node *node, VALUE object)
{
    long count = node->plan->count;
    bool any = false;
    batch->generator.calls++;
    VALUE owner = TypedData_Wrap_Struct(0, &readers_type, NULL); /* first, so that no memory is lost if it raises */
    katsu_readers *readers = ruby_xcalloc(1, sizeof(katsu_readers) + (size_t)count * sizeof(katsu_reader));
    RTYPEDDATA_DATA(owner) = readers;
    readers->count = count;
    for (long i = 0; i < count; i++) {
        if (node->layout->access[i].how != HOW_METHOD) continue;
        learn_reader(owner, &readers->reader[i], &node->plan->steps[i], object);
        any = any || readers->reader[i].method;
    }
    return any ? owner : Qnil;
}

/* Methods are equal if both read the same variable or member. */
static bool same_methods(const katsu_readers *readers, const katsu_node *node, VALUE object)
{
    for (long i = 0; i < readers->count; i++) {
        VALUE known = readers->reader[i].method, method;
        if (!known) continue;
        method = method_of(object, &node->plan->steps[i]);
        if (!RTEST(rb_funcall(known, id_equal, 1, method))) return false; /* 0, for none, is false */
    }
    return true;
}

/* After a batch in which comparing did not pay, this many batches of the layout skip it. */
#define SKIPPED_BATCHES 63

/* Whether to compare the methods now: at first, and again after twice as many objects each time, unless a call into
 * Ruby was soon made after both of the first two times. */
static bool worth_trying(katsu_node *node)
{
    katsu_layout *layout = node->layout;
    if (node->met < node->try_at || layout->readers == Qnil) return false;
    bool lost_soon = node->try_at && node->met == node->try_at;
    if ((!node->try_at && layout->readers_skipped) || (lost_soon && ++node->lost == 2)) {
        layout->readers_skipped = lost_soon ? SKIPPED_BATCHES : layout->readers_skipped - 1;
        node->try_at = UINT_MAX;
        return false;
    }
    node->gap = node->gap ? node->gap * 2 : KATSU_READERS_FROM;
    node->try_at = node->met + node->gap;
    return true;
}

void katsu_readers_check(katsu_batch *batch, katsu_node *node, VALUE object)
{
    katsu_layout *layout = node->layout;
    node->readers = NULL;
    if (layout->kind != SOURCE_OBJECT || node->plan->calls || !katsu_ivars_trusted_p() || !worth_trying(node)) return;
    if (!address_p(object)) return;
    for (int tries = 0; tries < 2; tries++) {
        if (!layout->readers || tries) {
            VALUE learned = learn(batch, node, object);
            RB_OBJ_WRITE(node->layout_object, &layout->readers, learned);
        }
        VALUE known = layout->readers;
        if (known == Qnil) return;
        if (CLASS_OF(object) != node->class || !same_methods(RTYPEDDATA_DATA(known), node, object)) continue;
        node->readers_object = known;
        node->readers = RTYPEDDATA_DATA(known);
        node->readers_calls = batch->generator.calls;
        return;
    }
}

VALUE katsu_reader_variable(katsu_reader *reader, VALUE object)
{
#ifdef KATSU_HAVE_IVARS
    if (RB_TYPE_P(object, T_OBJECT)) {
        unsigned index = katsu_ivar_index(object, reader->variable);
        uint64_t shape = KATSU_SHAPE(object);
        if (index && index < 0xffff && shape < 1ULL << 48)
            reader->indexes[reader->learned++ % KATSU_READER_SHAPES] = shape << 16 | index;
    }
#endif
    return rb_attr_get(object, reader->variable);
}

void katsu_init_readers(void)
{
    id_place = rb_intern("place");
    id_unbind = rb_intern("unbind");
    id_equal = rb_intern("==");
    rb_global_variable(&readers_module);
    readers_module = rb_define_module_under(rb_define_module_under(katsu_mKatsu, "Source"), "Readers");
}
