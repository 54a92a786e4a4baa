/* Any Ruby value to JSON. */
#ifndef KATSU_GENERATE_H
#define KATSU_GENERATE_H

#include "bytes/buffer.h"
#include "bytes/escape.h"
#include "values/options.h"

/* The generator's position in the document: a chain on the C stack, read only when an error is raised. */
typedef struct katsu_frame {
    struct katsu_frame *up;
    VALUE key; /* a Hash's key or a step's name; 0: an Array, at index, unless that is KATSU_PAIR */
    long index;
} katsu_frame;

/* The index of a Hash's frame, whose key may be false, which is 0. */
#define KATSU_PAIR (-2L)

#define KATSU_CLASSES 8

typedef struct {
    katsu_buffer *buffer;
    const katsu_options *options;
    katsu_frame *frame;
    VALUE state; /* 0 until a to_json method had to be called */
    long depth;
    unsigned calls;   /* counts calls into Ruby, after which a Hash that is being written may be another */
    bool short_cuts;  /* ASCII is escaped by JSON's own rules, no io: integers, floats and short text go straight */
    long state_depth; /* the depth that state was given */
    VALUE classes[KATSU_CLASSES]; /* classes whose to_json has been looked up, */
    bool as_text[KATSU_CLASSES];  /* whether it is the json gem's own for any object: to_s as a string, */
    bool own[KATSU_CLASSES];      /* and whether it is one that all objects of the class have, and is called */
    int class_count;
    int symbols; /* 0: not known yet; 1: written here; 2: Symbol has a to_json of its own */
} katsu_generator;

/* Starts a document, or a part of one, in buffer. */
KATSU_INLINE void katsu_generator_init(katsu_generator *generator, katsu_buffer *buffer, const katsu_options *options)
{
    generator->buffer = buffer;
    generator->options = options;
    generator->frame = NULL;
    generator->state = 0;
    generator->calls = 0;
    generator->depth = options->depth;
    generator->short_cuts = !(options->escape & KATSU_ESCAPE_SCRIPT_SAFE) && !options->rfc8785 && !buffer->io;
    generator->class_count = 0;
    generator->symbols = 0;
}

void katsu_generate_value(katsu_generator *generator, VALUE object);
/* As katsu_generate_value, but the outermost object's own to_json is not called. */
void katsu_generate_core(katsu_generator *generator, VALUE object);
/* What the as_json of a value gives, which katsu_generate_value does not call again for Strings, integers, Hashes
 * and so on. */
VALUE katsu_apply_overrides(katsu_generator *generator, VALUE object);

/* A value of a document in which values are their as_json. */
KATSU_INLINE void katsu_generate_as_json(katsu_generator *generator, VALUE object)
{
    if (KATSU_UNLIKELY(katsu_standard.own) && generator->options->rails)
        object = katsu_apply_overrides(generator, object);
    katsu_generate_value(generator, object);
}

/* A String, in whatever encoding; raises GeneratorError if it is not text. */
void katsu_generate_string(katsu_generator *generator, VALUE string);

/* True if values stand next to each other and short cuts may be taken. */
KATSU_INLINE bool katsu_compact_p(const katsu_generator *generator)
{
    return generator->short_cuts && !generator->options->pretty;
}

/* errors.c */
/* The keys and indexes that lead to a frame, outermost first. */
VALUE katsu_path(const katsu_frame *frame);
NORETURN(void katsu_raise_generator_error(katsu_generator *generator, VALUE object, VALUE reason));
/* With the message of cause; called by its rescue. */
NORETURN(void katsu_raise_generator_error_for(katsu_generator *generator, VALUE object, VALUE cause));
/* what: after the class of object, such as "not allowed in JSON". */
NORETURN(void katsu_refuse(katsu_generator *generator, VALUE object, const char *what));
NORETURN(void katsu_refuse_bytes(katsu_generator *generator, VALUE string));
NORETURN(void katsu_too_deep(katsu_generator *generator));

/* One level deeper; the caller takes it back. */
KATSU_INLINE void katsu_enter(katsu_generator *generator)
{
    long limit = generator->options->max_nesting;
    if (KATSU_UNLIKELY(generator->depth >= limit) && limit != 0) katsu_too_deep(generator);
    generator->depth++;
    /* Without a limit only the C stack ends the walk; check before it does. */
    if (KATSU_UNLIKELY((unsigned long)limit - 1 >= 1000) && (generator->depth & 31) == 0 && ruby_stack_check())
        rb_raise(rb_eSysStackError, "stack level too deep");
}

/* A line break, if there is one, and the indentation of the depth. */
void katsu_put_newline(katsu_generator *generator, VALUE newline);

/* stream.c: calls take(to, element) for each element of a Katsu::Stream. */
typedef void katsu_take(void *to, VALUE element);
void katsu_stream_each(VALUE stream, katsu_take *take, void *to);
/* A Katsu::Stream as an array. */
void katsu_generate_stream(katsu_generator *generator, VALUE stream);

/* transcode.c: a string that is not UTF-8 as it stands, in UTF-8. Raises if its encoding does not say how. */
VALUE katsu_transcode(katsu_generator *generator, VALUE string);

/* distinct_keys.c: the Hash, or one of Strings made of it if two of its keys could come out the same. Decided before
 * anything is written: the io may have it then, and the as_json of a value is called only once. */
VALUE katsu_distinct_keys(katsu_generator *generator, VALUE hash);
/* True if equal keys may stand in the Hash: it compares them by identity, or its class has a method of its own that
 * says whether it does. */
bool katsu_by_identity_p(VALUE hash);

/* objects.c: what JSON has no syntax for. as_json_calls: how many calls of as_json gave the object. Returns the value
 * to write instead, or Qundef if the object has been written. */
VALUE katsu_generate_other(katsu_generator *generator, VALUE object, int as_json_calls);
/* What the as_json block of the options gives. */
VALUE katsu_call_as_json(katsu_generator *generator, VALUE object, VALUE is_key);
/* The object's to_s, which has to be a String. */
VALUE katsu_call_to_s(katsu_generator *generator, VALUE object);

/* sort_keys.c: the Hash in the order that the options want. */
VALUE katsu_sort_keys(katsu_generator *generator, VALUE hash);

/* to_json.c: what has no syntax in JSON, outside strict mode. */
bool katsu_symbols_are_text(katsu_generator *generator);
/* True if the object's to_json is the json gem's own for objects that have none. Found out once for a class, and again
 * after a to_json was called. */
bool katsu_as_text_p(katsu_generator *generator, VALUE object);
/* True if the object's to_json is called, as katsu_as_text_p found out of another object of its class. */
bool katsu_own_to_json_p(const katsu_generator *generator, VALUE object);
/* As the json gem's to_json for any object writes it. */
void katsu_put_without_to_json(katsu_generator *generator, VALUE object);
void katsu_put_to_json(katsu_generator *generator, VALUE object);
/* Calls a method by which the object writes itself, with one argument, or none if that is Qundef. Its errors have their
 * place within the object: that of the object, a frame or NULL, is put before it. */
VALUE katsu_call_placed(const katsu_frame *frame, VALUE object, ID method, VALUE argument);

/* One document from one value. io: 0 or the receiver of chunks. */
VALUE katsu_generate_document(VALUE object, const katsu_options *options, VALUE io, bool core);

#endif
