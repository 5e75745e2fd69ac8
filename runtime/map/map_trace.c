#include "map_trace.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

/* A side of a pixel, walked with the pixel on the left: 0 its bottom (heading right), 1 its right side
 * (up), 2 its top (left), 3 its left side (down). */
typedef struct side {
    int32_t x, y, heading;
} side;

static const int32_t ahead_x[4] = {1, 0, -1, 0}, ahead_y[4] = {0, 1, 0, -1};
static const int32_t right_x[4] = {0, 1, 0, -1}, right_y[4] = {-1, 0, 1, 0};

/* One ring, found in the area with this label. */
typedef struct found {
    int32_t label, start, count; /* points of the tracer's `rings` */
    bool hole;
} found;

typedef struct tracer {
    const throng_map_areas *areas;
    const throng_map_yaml *yaml;
    uint8_t *walked;        /* [pixels] 1: the pixel's bottom side is part of a ring already */
    throng_ring_list rings; /* as they were found */
    found *found;
    int32_t count, room;
} tracer;

static int32_t label_at(const throng_map_areas *areas, int32_t x, int32_t y)
{
    return areas->label[(size_t)y * (size_t)areas->width + (size_t)x];
}

/* Free space is connected through sides only, so where two areas' corners meet the walk turns left
 * and stays with its own pixel. */
static side next_side(const throng_map_areas *areas, side s)
{
    int32_t label = label_at(areas, s.x, s.y), right = (s.heading + 3) % 4;
    side ahead = {s.x + ahead_x[s.heading], s.y + ahead_y[s.heading], s.heading};
    if (label_at(areas, ahead.x, ahead.y) != label)
        return (side){s.x, s.y, (s.heading + 1) % 4};
    side corner = {ahead.x + right_x[s.heading], ahead.y + right_y[s.heading], right};
    return label_at(areas, corner.x, corner.y) != label ? ahead : corner;
}

/* The pixel's middle, moved by so many pixels. */
static throng_point near_pixel(const throng_map_yaml *yaml, int32_t px, int32_t py, double right, double up)
{
    double x = (px - 1 + 0.5 + right) * yaml->resolution, y = (py - 1 + 0.5 + up) * yaml->resolution;
    if (yaml->yaw == 0)
        return (throng_point){yaml->origin_x + x, yaml->origin_y + y};
    double c = cos(yaml->yaw), t = sin(yaml->yaw);
    return (throng_point){yaml->origin_x + c * x - t * y, yaml->origin_y + t * x + c * y};
}

throng_point throng_map_pixel_centre(const throng_map_yaml *yaml, int32_t x, int32_t y)
{
    return near_pixel(yaml, x, y, 0, 0);
}

/* The middle of the side. */
static throng_point middle(const throng_map_yaml *yaml, side s)
{
    return near_pixel(yaml, s.x, s.y, 0.5 * right_x[s.heading], 0.5 * right_y[s.heading]);
}

/* The points walked, from `start` on, are a ring of the area. */
static bool keep_ring(tracer *t, int32_t label, int32_t start)
{
    if (!throng_array_reserve((void **)&t->found, &t->room, (int64_t)t->count + 1, sizeof *t->found))
        return false;
    int32_t count = t->rings.point_count - start;
    t->found[t->count++] = (found){label, start, count, throng_ring_area(t->rings.points + start, count) < 0};
    return true;
}

static void mark_walked(tracer *t, side s)
{
    if (s.heading == 0)
        t->walked[(size_t)s.y * (size_t)t->areas->width + (size_t)s.x] = 1;
}

static bool walk_ring(tracer *t, side first)
{
    int32_t start = t->rings.point_count;
    side s = first;
    do {
        mark_walked(t, s);
        if (!throng_ring_list_add(&t->rings, middle(t->yaml, s)))
            return false;
        s = next_side(t->areas, s);
    } while (s.x != first.x || s.y != first.y || s.heading != first.heading);
    return keep_ring(t, label_at(t->areas, s.x, s.y), start);
}

/* Every ring has a bottom side. */
static bool walk_all(tracer *t, bool (*walk)(tracer *t, side first))
{
    for (int32_t y = 1; y + 1 < t->areas->height; y++)
        for (int32_t x = 1; x + 1 < t->areas->width; x++) {
            int32_t label = label_at(t->areas, x, y);
            if (label >= 0 && label_at(t->areas, x, y - 1) != label &&
                !t->walked[(size_t)y * (size_t)t->areas->width + (size_t)x] && !walk(t, (side){x, y, 0}))
                return false;
        }
    return true;
}

static int by_area(const void *a, const void *b)
{
    const found *p = a, *q = b;
    if (p->label != q->label)
        return p->label < q->label ? -1 : 1;
    return p->hole != q->hole ? (p->hole ? 1 : -1) : (p->start > q->start) - (p->start < q->start);
}

/* Area by area, the outer ring first. */
static bool sort_rings(tracer *t, throng_ring_list *rings)
{
    if (t->count)
        qsort(t->found, (size_t)t->count, sizeof *t->found, by_area);
    for (int32_t r = 0; r < t->count; r++) {
        if (!throng_ring_list_begin(rings))
            return false;
        for (int32_t i = 0; i < t->found[r].count; i++)
            if (!throng_ring_list_add(rings, t->rings.points[t->found[r].start + i]))
                return false;
    }
    return true;
}

static bool trace(tracer *t, bool (*walk)(tracer *t, side first), throng_ring_list *rings)
{
    t->walked = calloc((size_t)t->areas->width * (size_t)t->areas->height, 1);
    bool fine = t->walked && walk_all(t, walk) && sort_rings(t, rings);
    throng_ring_list_fini(&t->rings);
    free(t->walked);
    free(t->found);
    return fine;
}

bool throng_map_trace(const throng_map_areas *areas, const throng_map_yaml *yaml, throng_ring_list *rings)
{
    tracer t = {.areas = areas, .yaml = yaml};
    return trace(&t, walk_ring, rings);
}

/* --- exact outlines of cells */

typedef struct cell_tracer {
    tracer t; /* first: walk_cells gets it */
    double cell;
    int32_t *stack; /* corners of the ring being walked */
    int32_t depth, room;
    int32_t *place; /* [corners] 1 + where in the stack a corner is, or 0 */
} cell_tracer;

/* Where the side ends, as a number: corners are counted row by row. */
static int32_t end_corner(const throng_map_areas *areas, side s)
{
    int32_t x = s.x + (s.heading == 0 || s.heading == 1), y = s.y + (s.heading == 1 || s.heading == 2);
    return y * (areas->width + 1) + x;
}

/* The corners on the stack from `from` on become a ring. */
static bool take_ring(cell_tracer *c, int32_t from, int32_t label)
{
    int32_t columns = c->t.areas->width + 1, start = c->t.rings.point_count;
    for (int32_t i = from; i < c->depth; i++) {
        int32_t at = c->stack[i];
        throng_point corner = {(at % columns - 1) * c->cell, (at / columns - 1) * c->cell};
        c->place[at] = 0;
        if (!throng_ring_list_add(&c->t.rings, corner))
            return false;
    }
    c->depth = from;
    return keep_ring(&c->t, label, start);
}

/* A ring that comes back to one of its corners closes there: rings touch in corners, but none touches itself. */
static bool push_corner(cell_tracer *c, int32_t at, int32_t label)
{
    if (c->place[at] && !take_ring(c, c->place[at] - 1, label))
        return false;
    if (!throng_array_reserve((void **)&c->stack, &c->room, (int64_t)c->depth + 1, sizeof *c->stack))
        return false;
    c->stack[c->depth++] = at;
    c->place[at] = c->depth;
    return true;
}

static bool walk_cells(tracer *t, side first)
{
    cell_tracer *c = (cell_tracer *)t;
    int32_t label = label_at(t->areas, first.x, first.y);
    side s = first;
    do {
        mark_walked(t, s);
        side next = next_side(t->areas, s);
        if (next.heading != s.heading && !push_corner(c, end_corner(t->areas, s), label))
            return false;
        s = next;
    } while (s.x != first.x || s.y != first.y || s.heading != first.heading);
    return take_ring(c, 0, label);
}

bool throng_map_trace_cells(const throng_map_areas *areas, double cell, throng_ring_list *rings)
{
    cell_tracer c = {.t = {.areas = areas}, .cell = cell};
    c.place = calloc(((size_t)areas->width + 1) * ((size_t)areas->height + 1), sizeof *c.place);
    bool fine = c.place && trace(&c.t, walk_cells, rings);
    free(c.place);
    free(c.stack);
    return fine;
}
