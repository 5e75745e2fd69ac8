/* XML files for the map readers, through expat: elements as they come, with lines in every message. */
#ifndef THRONG_MAP_MARKUP_H
#define THRONG_MAP_MARKUP_H

#include "map.h"

typedef struct throng_markup throng_markup;

/* What a reader does with a file; each may be NULL, returns false with a message to stop the reading.
 * `attributes` are names and values in turn, NULL at the end. */
typedef struct throng_markup_handlers {
    bool (*start)(throng_markup *markup, const char *element, const char **attributes, throng_error *error);
    bool (*end)(throng_markup *markup, const char *element, throng_error *error);
    bool (*text)(throng_markup *markup, const char *text, int32_t length, throng_error *error);
} throng_markup_handlers;

struct throng_markup {
    const char *path;
    void *user; /* the reader's own state */
    int line;   /* that is being read */
};

/* Messages begin with "path:line: ". */
bool throng_markup_read(const char *path, const throng_markup_handlers *handlers, void *user, throng_error *error);

/* Names are compared without their letters' case. */
bool throng_markup_is(const char *name, const char *wanted);

/* The value of an attribute, or NULL. */
const char *throng_markup_attribute(const char **attributes, const char *name);

/* A number with nothing behind it. */
bool throng_markup_parse(const char *text, double *value);

/* Leaves `*value` alone when the attribute is absent; a failure when it is no finite number. */
bool throng_markup_number(const char *element, const char **attributes, const char *name, double *value,
                          throng_error *error);

/* The same for one that must be there. */
bool throng_markup_need(const char *element, const char **attributes, const char *name, double *value,
                        throng_error *error);

/* Points as they come in. */
typedef struct throng_points {
    throng_point *list;
    int32_t count, capacity;
} throng_points;

bool throng_points_add(throng_points *points, throng_point point); /* false when memory is out */

#endif
