/* What every file of the extension shares: Ruby's headers, the module, and the names looked up once.
 *
 * Each folder is a floor: its files include those of their own floor and of the floors below it (the order here), and
 * nothing above. Reading order:
 *
 *   bytes/     buffer.h  where the output goes         escape.h   strings              number.h  integers and floats
 *   values/    options.h  what generate was told       generate.h  any Ruby value      generate_inline.h  without calls
 *              hash_copy.h  small Hashes               symbol_keys.h  Symbols as keys  sort_keys.c  sorted Hashes
 *              distinct_keys.c  equal keys             objects.c  by their methods     to_json.c  to_json methods
 *              stream.c  elements one by one           transcode.c  other encodings    errors.c  what is raised
 *              writer.h  push by push                  object_writer.h  the same to Hashes
 *   records/   ivar_slot.h  instance variables         hash_peek.h  pairs of Hashes    row.h  ActiveRecord's rows
 *              row_prefetch.h  records further on     version.c  keys of cached records
 *   casts/     casts.def  one line a cast              cast.h  column values to JSON and to Hashes
 *   plans/     plan.h  compiled serializers            filter_equality.c  whose filters are alike   layout.c  layouts
 *              node.h  what a call knows of a plan     execution.h  one call           row_bind.h  rows and positions
 *              field_call.h  values by calls           code_row.h  rows for such code  readers.h  without calls
 *              prefetch.h  records further on
 *              sink_json.h  objects to JSON            sink_hash.h  the same to Hashes
 *   queries/   rows.h  a driver's result              edge.h  children by key         table.h  rows as a tree
 *              table_json.c to JSON                    table_hash.c to Hashes        driver_*.c  drivers' rows
 *   bindings/  the classes that Ruby sees: files that end in _class.c only bind, init.c calls all init functions
 *              (functions for Katsu's own Ruby code may be bound in the file that they are in)
 *
 * Memory: nothing in here calls malloc for the length of a call. Output lives on the C stack or in a Ruby
 * String; a plan's arrays are owned by its Ruby object. So an exception, a throw or a killed thread may
 * leave any function at any call into Ruby without a leak.
 */
#ifndef KATSU_H
#define KATSU_H

#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/version.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define KATSU_INLINE static inline __attribute__((always_inline))
#define KATSU_COLD static __attribute__((noinline, cold))
#define KATSU_LIKELY(x) __builtin_expect(!!(x), 1)
#define KATSU_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define KATSU_PREFETCH(p) __builtin_prefetch(p)
#else
#define KATSU_INLINE static inline
#define KATSU_COLD static
#define KATSU_LIKELY(x) (x)
#define KATSU_UNLIKELY(x) (x)
#define KATSU_PREFETCH(p) ((void)0)
#endif

extern VALUE katsu_mKatsu, katsu_mNative, katsu_mGenerator, katsu_eError, katsu_eGeneratorError, katsu_eNestingError,
    katsu_cFragment, katsu_cStream, katsu_mChunked;
extern int katsu_utf8_index;
extern ID katsu_id_to_s, katsu_id_to_json, katsu_id_as_json, katsu_id_write, katsu_id_object;

/* What Katsu::AsJson::Overrides has found: whether a class of values has an as_json of the application's, which has to
 * be called then; the tag bit of integers that are written without a call, or 0; and how often it has checked. code
 * counts changes of serializers: after one, the code of their fields is looked at again. */
typedef struct {
    bool own;
    VALUE integers;
    unsigned serial, code;
} katsu_standard_as_json;

extern katsu_standard_as_json katsu_standard;

void katsu_init_buffer(void);
void katsu_init_escape(void);
void katsu_init_options(void);
void katsu_init_generate(void);
void katsu_init_objects(void);
void katsu_init_transcode(void);
void katsu_init_distinct_keys(void);
void katsu_init_sort_keys(void);
void katsu_init_to_json(void);
void katsu_init_stream(void);
void katsu_init_generator_class(void);
void katsu_init_writer_class(void);
void katsu_init_object_writer_class(void);
void katsu_init_cast(void);
void katsu_init_cast_number(void);
void katsu_init_cast_time(void);
void katsu_init_row(void);
void katsu_init_version(void);
void katsu_init_native_class(void);
void katsu_init_execution(void);
void katsu_init_field_call(void);
void katsu_init_code_row(void);
void katsu_init_readers(void);
void katsu_init_sink_hash(void);
void katsu_init_layout(void);
void katsu_init_plan_class(void);
void katsu_init_filter_equality(void);
void katsu_init_edge(void);
void katsu_init_table(void);
void katsu_init_table_class(void);
void katsu_init_driver_postgresql(void);
void katsu_init_driver_mysql2(void);
void katsu_init_driver_sqlite(void);
void katsu_init_driver_rows_class(void);

/* Ruby 3.1 and 3.2 keep no data within an object. */
#if RUBY_API_VERSION_CODE < 30300
#define RTYPEDDATA_GET_DATA RTYPEDDATA_DATA
#endif

/* Like rb_raise, but the message is UTF-8, not binary. */
#define katsu_raise(...) rb_enc_raise(rb_utf8_encoding(), __VA_ARGS__)

/* True for a heap object of a built-in type: nothing is called. */
KATSU_INLINE bool katsu_type_p(VALUE value, enum ruby_value_type type)
{
    return !RB_SPECIAL_CONST_P(value) && RB_BUILTIN_TYPE(value) == type;
}

/* The code range of a string, from its flags if it is known. */
KATSU_INLINE int katsu_coderange(VALUE string)
{
    int range = (int)(RBASIC(string)->flags & RUBY_ENC_CODERANGE_MASK);
    return KATSU_LIKELY(range) ? range : rb_enc_str_coderange(string);
}

KATSU_INLINE int katsu_encoding(VALUE string)
{
    return RB_ENCODING_GET(string);
}

/* True if the string's bytes are UTF-8 as they stand; sets *ascii to whether they are all ASCII. */
KATSU_INLINE bool katsu_utf8_p(VALUE string, bool *ascii)
{
    int range = katsu_coderange(string);
    *ascii = range == RUBY_ENC_CODERANGE_7BIT;
    if (KATSU_LIKELY(*ascii)) return true;
    return range == RUBY_ENC_CODERANGE_VALID && katsu_encoding(string) == katsu_utf8_index;
}

#endif
