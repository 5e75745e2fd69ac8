#include "svg.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { MOST_NODES = 1000000, DEEP = 200 };

typedef struct building {
    throng_svg *svg;
    int32_t open, last[DEEP]; /* the element that is open, and by depth its last child */
    int32_t depth;
} building;

/* ---- the tree */

void throng_svg_fini(throng_svg *svg)
{
    for (int32_t i = 0; i < svg->count; i++) {
        free(svg->nodes[i].name);
        for (char **a = svg->nodes[i].attributes; a && *a; a++)
            free(*a);
        free(svg->nodes[i].attributes);
    }
    free(svg->nodes);
    free(svg->ids);
    *svg = (throng_svg){0};
}

static bool copy_attributes(throng_svg_node *node, const char **attributes)
{
    size_t count = 0;
    while (attributes[count])
        count++;
    node->attributes = calloc(count + 1, sizeof *node->attributes);
    for (size_t i = 0; node->attributes && i < count; i++)
        if (!(node->attributes[i] = strdup(attributes[i])))
            return false;
    return node->attributes != NULL;
}

/* Without the prefix of its name space. */
static const char *local(const char *name)
{
    const char *colon = strchr(name, ':');
    return colon ? colon + 1 : name;
}

static bool on_start(throng_markup *markup, const char *element, const char **attributes, throng_error *error)
{
    building *b = markup->user;
    throng_svg *svg = b->svg;
    if (b->depth == DEEP)
        return throng_fail(error, "<%.40s> is nested more than %d deep", element, DEEP);
    if (svg->count == MOST_NODES)
        return throng_fail(error, "there are more than %d elements", MOST_NODES);
    if (!throng_array_reserve((void **)&svg->nodes, &svg->capacity, (int64_t)svg->count + 1, sizeof *svg->nodes))
        return throng_fail(error, "out of memory");
    int32_t at = svg->count++;
    throng_svg_node *node = &svg->nodes[at];
    *node = (throng_svg_node){.parent = b->open, .next = -1, .child = -1, .line = markup->line};
    node->name = strdup(local(element));
    if (!node->name || !copy_attributes(node, attributes))
        return throng_fail(error, "out of memory");
    if (b->open >= 0) {
        int32_t before = b->last[b->depth];
        *(before < 0 ? &svg->nodes[b->open].child : &svg->nodes[before].next) = at;
    }
    b->last[b->depth++] = b->open = at;
    if (b->depth < DEEP)
        b->last[b->depth] = -1;
    return true;
}

static bool on_end(throng_markup *markup, const char *element, throng_error *error)
{
    building *b = markup->user;
    (void)element, (void)error;
    b->open = b->svg->nodes[b->open].parent;
    b->depth--;
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    const throng_svg_id *one = a, *other = b;
    int order = strcmp(one->id, other->id);
    return order ? order : (one->node > other->node) - (one->node < other->node);
}

static bool index_ids(throng_svg *svg)
{
    svg->ids = malloc(((size_t)svg->count + 1) * sizeof *svg->ids);
    for (int32_t i = 0; svg->ids && i < svg->count; i++) {
        const char *own = throng_markup_attribute((const char **)svg->nodes[i].attributes, "id");
        if (own)
            svg->ids[svg->id_count++] = (throng_svg_id){own, i};
    }
    if (svg->ids)
        qsort(svg->ids, (size_t)svg->id_count, sizeof *svg->ids, compare_ids);
    return svg->ids != NULL;
}

bool throng_svg_read(throng_svg *svg, const char *path, throng_error *error)
{
    building b = {.svg = svg, .open = -1, .last = {-1}};
    const throng_markup_handlers handlers = {on_start, on_end, NULL};
    *svg = (throng_svg){0};
    bool fine = throng_markup_read(path, &handlers, &b, error);
    if (fine && (svg->count == 0 || !throng_markup_is(svg->nodes[0].name, "svg")))
        fine = throng_fail(error, "%s: the outermost element is <%.40s>, and not <svg>", path, svg->nodes[0].name);
    fine = fine && (index_ids(svg) || throng_fail(error, "%s: out of memory", path));
    if (!fine)
        throng_svg_fini(svg);
    return fine;
}

/* ---- attributes */

/* The value of a property in "fill:none; stroke: #000"; NULL: it is not there, or does not fit. */
static const char *property(const char *style, const char *name, char *room, size_t size)
{
    size_t length = strlen(name);
    for (const char *at = style; at; at = strchr(at, ';')) {
        at += *at == ';';
        at += strspn(at, " \t\r\n");
        if (strncmp(at, name, length) != 0)
            continue;
        const char *value = at + length + strspn(at + length, " \t\r\n");
        if (*value != ':')
            continue;
        value += 1 + strspn(value + 1, " \t\r\n");
        size_t end = strcspn(value, ";");
        while (end && isspace((unsigned char)value[end - 1]))
            end--;
        if (end >= size)
            return NULL;
        memcpy(room, value, end);
        room[end] = 0;
        return room;
    }
    return NULL;
}

const char *throng_svg_own(const throng_svg *svg, int32_t node, const char *name, char *room, size_t size)
{
    const char **attributes = (const char **)svg->nodes[node].attributes, *style = NULL;
    for (; attributes[0]; attributes += 2) {
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
        if (strcmp(attributes[0], "style") == 0)
            style = attributes[1];
    }
    return style ? property(style, name, room, size) : NULL;
}

int32_t throng_svg_with_id(const throng_svg *svg, const char *id)
{
    int32_t low = 0, high = svg->id_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (strcmp(svg->ids[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < svg->id_count && strcmp(svg->ids[low].id, id) == 0 ? svg->ids[low].node : -1;
}

bool throng_svg_length(const char *text, double whole, double *length)
{
    static const struct {
        const char *name;
        double size;
    } units[] = {{"", 1},    {"px", 1},         {"mm", 96 / 25.4}, {"cm", 96 / 2.54}, {"m", 96 / 0.0254},
                 {"in", 96}, {"pt", 96 / 72.0}, {"pc", 16}};
    char *end;
    double value = strtod(text, &end);
    if (end == text || !isfinite(value))
        return false;
    while (isspace((unsigned char)*end))
        end++;
    if (strcmp(end, "%") == 0)
        return *length = value / 100 * whole, true;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0)
            return *length = value * units[i].size, true;
    return false;
}

/* ---- transforms */

throng_svg_matrix throng_svg_times(throng_svg_matrix o, throng_svg_matrix i)
{
    return (throng_svg_matrix){o.a * i.a + o.c * i.b, o.b * i.a + o.d * i.b,       o.a * i.c + o.c * i.d,
                               o.b * i.c + o.d * i.d, o.a * i.e + o.c * i.f + o.e, o.b * i.e + o.d * i.f + o.f};
}

throng_point throng_svg_apply(const throng_svg_matrix *m, double x, double y)
{
    return (throng_point){m->a * x + m->c * y + m->e, m->b * x + m->d * y + m->f};
}

/* One function of the list, of `count` numbers. */
static bool one_transform(const char *name, size_t length, const double *v, int count, throng_svg_matrix *m)
{
    const double degree = M_PI / 180;
    char word[16] = "";
    if (length >= sizeof word)
        return false;
    memcpy(word, name, length);
    if (strcmp(word, "matrix") == 0 && count == 6)
        *m = (throng_svg_matrix){v[0], v[1], v[2], v[3], v[4], v[5]};
    else if (strcmp(word, "translate") == 0 && (count == 1 || count == 2))
        *m = (throng_svg_matrix){1, 0, 0, 1, v[0], count == 2 ? v[1] : 0};
    else if (strcmp(word, "scale") == 0 && (count == 1 || count == 2))
        *m = (throng_svg_matrix){v[0], 0, 0, count == 2 ? v[1] : v[0], 0, 0};
    else if (strcmp(word, "rotate") == 0 && (count == 1 || count == 3)) {
        double c = cos(v[0] * degree), s = sin(v[0] * degree), x = count == 3 ? v[1] : 0, y = count == 3 ? v[2] : 0;
        *m = (throng_svg_matrix){c, s, -s, c, x - c * x + s * y, y - s * x - c * y};
    } else if (strcmp(word, "skewX") == 0 && count == 1)
        *m = (throng_svg_matrix){1, 0, tan(v[0] * degree), 1, 0, 0};
    else if (strcmp(word, "skewY") == 0 && count == 1)
        *m = (throng_svg_matrix){1, tan(v[0] * degree), 0, 1, 0, 0};
    else
        return false;
    return true;
}

bool throng_svg_transform(const char *text, throng_svg_matrix *m)
{
    static const char between[] = " \t\r\n,";
    *m = (throng_svg_matrix){1, 0, 0, 1, 0, 0};
    for (text += strspn(text, between); *text; text += strspn(text, between)) {
        const char *name = text;
        size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzXY");
        double values[6];
        int count = 0;
        text += length + strspn(text + length, " \t\r\n");
        if (*text++ != '(')
            return false;
        for (text += strspn(text, between); *text != ')'; text += strspn(text, between)) {
            char *end;
            if (count == 6)
                return false;
            values[count++] = strtod(text, &end);
            if (end == text || !isfinite(values[count - 1]))
                return false;
            text = end;
        }
        text++;
        throng_svg_matrix next;
        if (!one_transform(name, length, values, count, &next))
            return false;
        *m = throng_svg_times(*m, next);
    }
    return true;
}
