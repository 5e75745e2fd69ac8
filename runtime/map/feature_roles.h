/* What the layers of a drawing are: patterns that say which features are walls, obstacles, doors, regions and the
 * boundary.
 *
 * As text, one line a pattern: "walls A-WALL*". A pattern is the name of a layer with * and ?, in any case; with a '='
 * it is an attribute and its value, "walls indoor=wall". */
#ifndef THRONG_FEATURE_ROLES_H
#define THRONG_FEATURE_ROLES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef enum throng_feature_role {
    THRONG_ROLE_NONE,
    THRONG_ROLE_WALLS,     /* lines so thick, polygons */
    THRONG_ROLE_OBSTACLES, /* the same, but closed lines are solid */
    THRONG_ROLE_DOORS,
    THRONG_ROLE_REGIONS,
    THRONG_ROLE_ROOMS, /* regions with walls around them, so thick */
    THRONG_ROLE_BOUNDARY,
    THRONG_ROLE_COUNT
} throng_feature_role;

extern const char *const throng_role_names[THRONG_ROLE_COUNT + 1]; /* "walls", ...; of none ""; ends with NULL */

/* By the names that layers mostly have, in English, German and French, and by the attributes that OpenStreetMap has. */
extern const char throng_roles_usual[];

/* The value of an attribute, NULL: it has none. */
typedef const char *throng_attribute(const char *name, void *feature);

/* The role of a feature by the first pattern that it matches. */
throng_feature_role throng_role_of(const char *patterns, const char *layer, throng_attribute *attribute, void *feature);

/* Adds a pattern to a text of `size` bytes, which begins as "". False: the role or the pattern is wrong. */
bool throng_roles_add(char *patterns, size_t size, const char *role, const char *pattern, throng_error *error);

/* The patterns of a line: "walls=A-WALL*,A-COLS;doors=A-DOOR". */
bool throng_roles_parse(const char *line, char *patterns, size_t size, throng_error *error);

#endif
