/* An SVG file (https://www.w3.org/TR/SVG11) as a tree, and what its elements draw as lines. */
#ifndef THRONG_SVG_H
#define THRONG_SVG_H

#include "map_markup.h"

/* An element. Text and what is of no use to plans (styles in sheets, animations) is left out. */
typedef struct throng_svg_node {
    int32_t parent, next, child; /* -1: none */
    int32_t line;                /* of the file */
    char *name;
    char **attributes; /* names and values in turn, NULL at the end */
} throng_svg_node;

typedef struct throng_svg_id {
    const char *id;
    int32_t node;
} throng_svg_id;

typedef struct throng_svg {
    throng_svg_node *nodes; /* nodes[0] is the outermost */
    int32_t count, capacity;
    throng_svg_id *ids; /* in order */
    int32_t id_count;
} throng_svg;

bool throng_svg_read(throng_svg *svg, const char *path, throng_error *error);
void throng_svg_fini(throng_svg *svg);

/* An attribute, or a property of its style; NULL: it has none. */
const char *throng_svg_own(const throng_svg *svg, int32_t node, const char *name, char *room, size_t size);

/* The node with that id; -1: none. */
int32_t throng_svg_with_id(const throng_svg *svg, const char *id);

/* (x, y) becomes (a x + c y + e, b x + d y + f). */
typedef struct throng_svg_matrix {
    double a, b, c, d, e, f;
} throng_svg_matrix;

throng_svg_matrix throng_svg_times(throng_svg_matrix outer, throng_svg_matrix inner);
throng_point throng_svg_apply(const throng_svg_matrix *m, double x, double y);

/* "translate(3, 4) rotate(30)": false when it is not one. */
bool throng_svg_transform(const char *text, throng_svg_matrix *m);

/* What a shape draws, one line after the other, curves as lines of 5 degrees and less. */
typedef struct throng_svg_lines {
    throng_points points;
    int32_t *start; /* [count + 1] in points */
    int32_t count, capacity;
} throng_svg_lines;

/* The lines of a path, rect, circle, ellipse, line, polyline or polygon, in its own units, `*is_shape`; nothing of any
 * other element. Fails with "<path>: ..." where what it says is no such thing. */
bool throng_svg_draw(const throng_svg *svg, int32_t node, throng_svg_lines *lines, bool *is_shape, throng_error *error);
void throng_svg_lines_fini(throng_svg_lines *lines);

/* A length in units of the file: "12", "12px", "3mm" (96 units an inch); a percentage of `whole`. */
bool throng_svg_length(const char *text, double whole, double *length);

#endif
