/* Features of an SVG, as Inkscape and others draw them: a layer is the nearest group with a label or an id. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_features.h"
#include "svg.h"

enum { NESTED = 64, MOST_VISITED = 1000000 };

#define INCH 0.0254 /* m, 96 units of CSS */

typedef struct reading {
    throng_features *to;
    const char *patterns;
    throng_svg svg;
    throng_svg_lines lines;
    int32_t visited; /* elements, copies of theirs too */
} reading;

/* What an element has of those that it is in. */
typedef struct inherited {
    throng_svg_matrix matrix;
    const char *layer;
    bool filled;
    int depth;
} inherited;

/* An element that is asked for attributes, and room for one's value. */
typedef struct current {
    const throng_svg *svg;
    int32_t node;
    char room[160];
} current;

static const char *attribute(const char *name, void *feature)
{
    current *c = feature;
    return throng_svg_own(c->svg, c->node, name, c->room, sizeof c->room);
}

static bool fail_at(const reading *in, int32_t node, throng_error *error)
{
    return throng_fail_in(error, "%s:%d", in->to->path, in->svg.nodes[node].line);
}

/* ---- shapes */

/* "rect12", "path3-7": a name that a program gave. */
static bool is_numbered(const char *id)
{
    size_t letters = strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return letters > 0 && id[letters] && strspn(id + letters, "0123456789-") == strlen(id + letters);
}

/* What people called it; NULL: nothing. */
static const char *given_name(const throng_svg *svg, int32_t node)
{
    const char **attributes = (const char **)svg->nodes[node].attributes;
    const char *label = throng_markup_attribute(attributes, "inkscape:label"),
               *id = throng_markup_attribute(attributes, "id");
    return label && *label ? label : id && *id && !is_numbered(id) ? id : NULL;
}

static bool add_line(reading *in, int32_t line, const throng_svg_matrix *m, throng_error *error)
{
    const throng_svg_lines *lines = &in->lines;
    bool fine = throng_features_begin_ring(in->to, error);
    for (int32_t i = lines->start[line]; fine && i < lines->start[line + 1]; i++)
        fine =
            throng_features_add(in->to, throng_svg_apply(m, lines->points.list[i].x, lines->points.list[i].y), error);
    return fine;
}

static bool is_closed(const throng_svg_lines *lines, int32_t line)
{
    const throng_point *p = lines->points.list + lines->start[line];
    int32_t count = lines->start[line + 1] - lines->start[line];
    return count > 3 && p[0].x == p[count - 1].x && p[0].y == p[count - 1].y;
}

/* The closed lines of what is filled are one area; all other lines are by themselves. */
static bool add_lines(reading *in, const throng_feature *like, const inherited *own, throng_error *error)
{
    const throng_svg_lines *lines = &in->lines;
    bool has_area = false;
    for (int32_t i = 0; own->filled && i < lines->count; i++) {
        if (!is_closed(lines, i))
            continue;
        if ((!has_area && !throng_features_begin(in->to, like->role, like->what, like->name, true, error)) ||
            !add_line(in, i, &own->matrix, error))
            return false;
        has_area = true;
    }
    for (int32_t i = 0; i < lines->count; i++)
        if (!(own->filled && is_closed(lines, i)) &&
            (!throng_features_begin(in->to, like->role, like->what, like->name, false, error) ||
             !add_line(in, i, &own->matrix, error)))
            return false;
    return true;
}

static bool add_shape(reading *in, int32_t node, const inherited *own, throng_error *error)
{
    char what[256];
    bool is_shape;
    if (!throng_svg_draw(&in->svg, node, &in->lines, &is_shape, error))
        return fail_at(in, node, error);
    if (!is_shape)
        return true;
    throng_feature_layer *layer = throng_features_layer(in->to, own->layer, error);
    if (!layer)
        return false;
    current c = {.svg = &in->svg, .node = node};
    throng_feature like = {.role = throng_role_of(in->patterns, own->layer, attribute, &c), .what = what};
    layer->count++;
    if (like.role == THRONG_ROLE_NONE)
        return true;
    layer->used++;
    const char *name = given_name(&in->svg, node);
    snprintf(what, sizeof what, "line %d: <%.20s> of layer \"%.120s\"", in->svg.nodes[node].line,
             in->svg.nodes[node].name, own->layer);
    like.name = (char *)(name ? name : own->layer);
    return add_lines(in, &like, own, error);
}

/* ---- the tree */

static bool add_node(reading *in, int32_t node, inherited own, throng_error *error);

static bool add_children(reading *in, int32_t node, const inherited *own, throng_error *error)
{
    for (int32_t i = in->svg.nodes[node].child; i >= 0; i = in->svg.nodes[i].next)
        if (!add_node(in, i, *own, error))
            return false;
    return true;
}

/* What an element is a copy of, moved to its x and y. */
static bool add_use(reading *in, int32_t node, inherited own, throng_error *error)
{
    const throng_svg *svg = &in->svg;
    const char **attributes = (const char **)svg->nodes[node].attributes;
    const char *of = throng_markup_attribute(attributes, "href"), *x = throng_markup_attribute(attributes, "x"),
               *y = throng_markup_attribute(attributes, "y");
    if (!of)
        of = throng_markup_attribute(attributes, "xlink:href");
    int32_t target = of && *of == '#' ? throng_svg_with_id(svg, of + 1) : -1;
    throng_svg_matrix moved = {1, 0, 0, 1, 0, 0};
    if (target < 0)
        return throng_fail(error, "<use>: there is no element '%.60s' in the file", of ? of : "") ||
               fail_at(in, node, error);
    if ((x && !throng_svg_length(x, 0, &moved.e)) || (y && !throng_svg_length(y, 0, &moved.f)))
        return throng_fail(error, "<use>: its x and y are no lengths") || fail_at(in, node, error);
    own.matrix = throng_svg_times(own.matrix, moved);
    own.depth++;
    if (strcmp(svg->nodes[target].name, "symbol") == 0)
        return add_children(in, target, &own, error);
    return add_node(in, target, own, error);
}

static bool add_node(reading *in, int32_t node, inherited own, throng_error *error)
{
    const throng_svg *svg = &in->svg;
    const char **attributes = (const char **)svg->nodes[node].attributes, *name = svg->nodes[node].name;
    const char *transform = throng_markup_attribute(attributes, "transform"), *text;
    char room[64];
    if (++in->visited > MOST_VISITED)
        return throng_fail(error, "%s: more than %d elements are drawn, with their copies", in->to->path, MOST_VISITED);
    if (own.depth > NESTED)
        return throng_fail(error, "<%.20s> uses what it is part of", name) || fail_at(in, node, error);
    if ((text = throng_svg_own(svg, node, "display", room, sizeof room)) && strcmp(text, "none") == 0)
        return true;
    if ((text = throng_svg_own(svg, node, "fill", room, sizeof room)))
        own.filled = strcmp(text, "none") != 0 && strcmp(text, "transparent") != 0;
    if (transform) {
        throng_svg_matrix m;
        if (!throng_svg_transform(transform, &m))
            return throng_fail(error, "<%.20s>: transform=\"%.60s\" is none", name, transform) ||
                   fail_at(in, node, error);
        own.matrix = throng_svg_times(own.matrix, m);
    }
    if (strcmp(name, "use") == 0)
        return add_use(in, node, own, error);
    bool is_group = strcmp(name, "g") == 0;
    if (is_group) {
        const char *given = given_name(svg, node);
        own.layer = given ? given : own.layer;
    }
    if (is_group || strcmp(name, "svg") == 0 || strcmp(name, "a") == 0 || strcmp(name, "switch") == 0)
        return add_children(in, node, &own, error);
    return add_shape(in, node, &own, error);
}

/* ---- the sheet */

/* Turns it upright, so that its lower left corner is (0, 0); how long a unit is. */
static bool lay_out(const reading *in, throng_svg_matrix *m, double *unit, throng_error *error)
{
    const char **attributes = (const char **)in->svg.nodes[0].attributes;
    const char *box = throng_markup_attribute(attributes, "viewBox"),
               *width = throng_markup_attribute(attributes, "width"),
               *height = throng_markup_attribute(attributes, "height");
    double x = 0, y = 0, w = 0, h = 0, wide = 0, high = 0;
    int end = 0;
    if (box && (sscanf(box, "%lf%*[ ,\t\r\n]%lf%*[ ,\t\r\n]%lf%*[ ,\t\r\n]%lf %n", &x, &y, &w, &h, &end) != 4 ||
                box[end] || !isfinite(x + y) || !(w > 0 && h > 0 && w < INFINITY && h < INFINITY)))
        return throng_fail(error, "<svg>: viewBox=\"%.60s\" is not valid: give x, y, width and height", box) ||
               fail_at(in, 0, error);
    if ((width && !throng_svg_length(width, w, &wide)) || (height && !throng_svg_length(height, h, &high)))
        return throng_fail(error, "<svg>: its width and height are no lengths") || fail_at(in, 0, error);
    double per_unit = w > 0 && wide > 0 ? wide / w : h > 0 && high > 0 ? high / h : 1;
    *m = (throng_svg_matrix){1, 0, 0, -1, -x, y + (h > 0 ? h : high)};
    *unit = per_unit * INCH / 96;
    return true;
}

bool throng_features_read_svg(throng_features *features, const char *patterns, throng_feature_units *units,
                              throng_error *error)
{
    reading in = {.to = features, .patterns = patterns};
    inherited own = {.layer = "", .filled = true};
    features->format = "SVG";
    units->paper = true;
    if (!throng_svg_read(&in.svg, features->path, error))
        return false;
    bool fine = lay_out(&in, &own.matrix, &units->linear, error) && add_children(&in, 0, &own, error);
    throng_svg_lines_fini(&in.lines);
    throng_svg_fini(&in.svg);
    return fine;
}
