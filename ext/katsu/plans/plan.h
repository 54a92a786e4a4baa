/* A compiled serializer: Katsu::Plan's C half, and what is known of its steps for objects of one class. */
#ifndef KATSU_PLAN_H
#define KATSU_PLAN_H

#include "casts/cast.h"
#include "records/row.h"

/* Katsu::Plan::Step::KINDS, in its order. */
typedef enum { STEP_ATTRIBUTE, STEP_METHOD, STEP_HAS_ONE, STEP_HAS_MANY } katsu_step_kind;

/* Katsu::Source: how a value is read, and what objects are. */
typedef enum { HOW_METHOD, HOW_COLUMN, HOW_KEY, HOW_ASSOCIATION, HOW_DYNAMIC } katsu_how;
typedef enum { SOURCE_OBJECT, SOURCE_RECORD, SOURCE_HASH, SOURCE_COLLECTION } katsu_source_kind;

/* A plan's keys are followed by so many bytes that may be read. */
#define KATSU_KEY_BLOCK 16

struct katsu_plan;

/* Whether a plan lives, for what is kept of it elsewhere. */
typedef struct {
    unsigned refs;
    bool over;
} katsu_life;

/* What methods of a serializer may be given: the object and the context. */
#define KATSU_ARGUMENTS 2

/* A method of the serializer that is called for a value or a condition. */
typedef struct {
    ID name;                 /* 0: none */
    unsigned char arguments; /* how many it is given */
    bool wanted;             /* of a condition: what the answer is to be */
} katsu_call;

/* An if: and an unless:. */
#define KATSU_CONDITIONS 2

typedef struct {
    const char *text; /* ,"key": with its comma */
    unsigned length;
    unsigned char kind;
    unsigned char conditions;
    bool optional; /* may be left out: SKIP, a condition, or depth */
    bool nested;   /* an association that is polymorphic, or whose depth counts, or that is written as a Hash */
    bool itself;   /* the object that has it is written once more, by its plan; see nested of the DSL */
    ID name;
    VALUE symbol, key; /* the name, and the key as a frozen String */
    katsu_call call;   /* what gives the value, unless the object does */
    katsu_call condition[KATSU_CONDITIONS];
    VALUE plan_object; /* of an association, or 0 */
    VALUE polymorphic; /* of a polymorphic association: a Katsu::Plan::Polymorphic, or 0 */
    /* of a polymorphic association, and of one whose depth counts: the same object in all plans; or 0 */
    VALUE identity;
    VALUE object_key; /* of a collection that is written as a Hash: a Katsu::Serializer::ObjectKey, or 0 */
    long depth;       /* how often the association may stand within itself; -1: that is not counted */
    const struct katsu_plan *plan;
    unsigned inner; /* of an association: its number among those of this plan */
} katsu_step;

typedef struct katsu_plan {
    VALUE serializer;
    VALUE ruby_steps; /* the Array of Katsu::Plan::Step */
    long count;
    katsu_step *steps;
    char *texts;
    unsigned associations;
    bool calls;           /* this plan or one below it may have a step that is Ruby code */
    bool polymorphic;     /* one of them has an association that is polymorphic or written as a Hash */
    bool linking, linked; /* a plan that is not fully linked must not write */
    bool non_ascii;       /* one of them has a key that is not ASCII */
    katsu_life *life;
} katsu_plan;

/* How one step is read from objects of one class. */
typedef struct {
    unsigned char how;
    unsigned char cast;      /* of a column */
    unsigned char staleness; /* of an association: a katsu_staleness */
    VALUE column;            /* the column's name, a Hash source's String key, or the key that an association goes by */
    VALUE type;              /* of the column that has that name; nil if there is none */
    katsu_column_size size;  /* of a decimal column */
    int position;            /* of the column in rows that have layout->columns; -1: not there */
    VALUE name;              /* the key at that position in rows that are Hashes, or 0; of a key: column in UTF-8 */
} katsu_access;

/* The names in a record's Hash of read or written columns, and the steps they concern. Preloading an association
 * reads its key, so they are mostly the same from record to record. */
#define KATSU_NAMES 4
typedef struct {
    VALUE names[KATSU_NAMES];
    int count;
    uint64_t steps;
} katsu_names;

/* Row objects for the code of fields that reads only columns; see code_row.h. */
#define KATSU_CODE_COLUMNS 8
typedef struct {
    VALUE row_class; /* of row objects; 0: not known yet; nil: all code is given the record */
    VALUE columns;   /* [[name, position in the row object, whether its values can change in place], ...] */
    uint64_t steps;  /* a bit for each step whose code is given a row object */
    unsigned serial; /* katsu_standard.code when that was found out */
    unsigned calls;  /* of fields since then, or before it */
} katsu_code_rows;

typedef struct {
    katsu_source_kind kind;
    bool shared;                   /* by all objects that have a class of their own */
    unsigned char readers_skipped; /* batches to come that do not look at readers; see readers.h */
    VALUE readers;                 /* of the class: 0 before they are learned, nil if it has none */
    VALUE types;                   /* the Hash of column types that casts were chosen by, or nil */
    unsigned serial;               /* of katsu_standard, when they were chosen */
    long count;
    katsu_row_places places; /* of the record that was read last */
    /* of its row: the frozen Hash of positions that access has; Qtrue: those of a row that is spread out; or 0 */
    VALUE columns;
    katsu_names read, written; /* of the record that was read last and had some */
    katsu_code_rows code;
    size_t bytes; /* per object, of the last document: what to reserve; an estimate, so races are harmless */
    katsu_access access[];
} katsu_layout;

static inline bool katsu_association_p(const katsu_step *step)
{
    return step->kind == STEP_HAS_ONE || step->kind == STEP_HAS_MANY;
}

extern const rb_data_type_t katsu_plan_type;

VALUE katsu_plan_allocate(VALUE class);
/* Keeps the serializer and the Array of Katsu::Plan::Step, and copies these. Called once, by initialize. */
VALUE katsu_plan_link(VALUE object, VALUE serializer, VALUE steps);
/* Raises if the plan is not linked. */
katsu_plan *katsu_plan_get(VALUE object);
void katsu_life_release(katsu_life *life);
/* The layout of plan for class, in layout.c; *layout is valid while the returned object lives. Counts
 * a call into Ruby. */
VALUE katsu_layout_find(VALUE plan, VALUE class, katsu_layout **layout, unsigned *calls);
/* Forgets it: the class has other columns than when it was made. */
void katsu_layout_forget(VALUE plan, VALUE class);

#endif
