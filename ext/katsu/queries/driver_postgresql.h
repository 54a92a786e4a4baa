/* PostgreSQL's results, read by libpq's own functions: Katsu::Native::PostgresqlRows. */
#ifndef KATSU_DRIVER_POSTGRESQL_H
#define KATSU_DRIVER_POSTGRESQL_H

#include "queries/rows.h"

/* The functions that are used, of pg and of the libpq that pg was linked with. */
typedef struct {
    void *(*pgresult_get)(VALUE result);
    int (*pg_get_result_enc_idx)(VALUE result);
    int (*PQntuples)(const void *result);
    int (*PQnfields)(const void *result);
    int (*PQfformat)(const void *result, int field);
    int (*PQgetisnull)(const void *result, int row, int field);
    char *(*PQgetvalue)(const void *result, int row, int field);
    int (*PQgetlength)(const void *result, int row, int field);
} katsu_postgresql_functions;

extern const rb_data_type_t katsu_postgresql_type;

/* Finds the functions by the path of pg's extension, the feature. The name of one that is missing, or NULL. */
const char *katsu_postgresql_find(const char *feature, katsu_postgresql_functions *functions);
/* What is found is used from then on. */
void katsu_postgresql_use(const katsu_postgresql_functions *functions);

VALUE katsu_postgresql_allocate(VALUE class);
/* result: a PG::Result. Raises TypeError for another object. */
void katsu_postgresql_init(VALUE object, VALUE result);
void katsu_postgresql_clear(VALUE object);
VALUE katsu_postgresql_names(VALUE object);

#endif
