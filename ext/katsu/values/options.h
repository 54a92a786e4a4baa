/* The generator's options as C values; on the stack for a one-shot call, inside Generator::Options when reused. */
#ifndef KATSU_OPTIONS_H
#define KATSU_OPTIONS_H

#include "katsu.h"

typedef struct {
    /* Strings, procs: 0 if not given. */
    VALUE indent, space, space_before, object_nl, array_nl, as_json, sort_keys;
    VALUE source;     /* the Hash that was given, or 0; the caller may change it, unless it is frozen */
    long max_nesting; /* 0: no limit */
    long depth;
    long buffer_initial_length;
    bool allow_nan, strict, allow_duplicate_key, rfc8785;
    bool pretty;      /* one of the five strings is set */
    char indent_byte; /* what indent repeats, if it is one byte repeated, and ASCII as the line breaks are; else 0 */
    bool rails;       /* values of serializers: as_json for what JSON does not know, null for NaN */
    int escape;       /* a sum of katsu_escape_mode */
} katsu_options;

void katsu_options_init(katsu_options *options);
/* Reads a Hash, or anything with to_hash or to_h; raises ArgumentError for what it does not know. */
void katsu_options_read(katsu_options *options, VALUE source);
/* What a State is made from: the Hash that was given if it is frozen, else one of what was read. 0: no options. */
VALUE katsu_options_hash(const katsu_options *options);
void katsu_options_mark(const katsu_options *options);

#endif
