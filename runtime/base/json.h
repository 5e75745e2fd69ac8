/* Writing JSON: one object, field by field. */
#ifndef THRONG_JSON_H
#define THRONG_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct throng_json {
    FILE *file;
    bool filled; /* a comma is due */
} throng_json;

throng_json throng_json_open(FILE *file);  /* { */
void throng_json_close(throng_json *json); /* } */

void throng_json_text(throng_json *json, const char *name, const char *value); /* NULL: null */
void throng_json_whole(throng_json *json, const char *name, int64_t value);
void throng_json_number(throng_json *json, const char *name, double value); /* null when not finite */
void throng_json_bool(throng_json *json, const char *name, bool value);
/* A value written by the caller follows. */
void throng_json_name(throng_json *json, const char *name);
/* The text in quotes, escaped. */
void throng_json_quote(FILE *file, const char *text);

#endif
