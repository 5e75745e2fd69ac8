#include "navmesh_doors.h"

#include <stdlib.h>

#include "base/array.h"
#include "map/box_pairs.h"
#include "map/geometry.h"
#include "navmesh.h"

/* A door's line, prolonged into its walls. */
typedef struct line {
    throng_point a, b;
    double length, grid;
} line;

/* Prolonged by so many metres beyond a, and beyond b. */
static line prolonged(const throng_door *door, double at_a, double at_b, double grid)
{
    double length = throng_distance(door->a, door->b);
    return (line){throng_between(door->a, door->b, -at_a / length), throng_between(door->a, door->b, 1 + at_b / length),
                  length + at_a + at_b, grid};
}

static line line_of(const throng_door *door, double radius, double grid)
{
    double by = radius + THRONG_NAVMESH_SLACK;
    return prolonged(door, by, by, grid);
}

/* What is on the line, or crossed by it, is in this box or comes into it. */
static throng_bounds box_of(const line *l)
{
    const throng_point ends[] = {l->a, l->b};
    return throng_box_round(ends, 2, 4 * l->grid);
}

/* Which side of the line a corner is on; within a step of the grid it is on the line. */
static int side_of(const line *l, throng_point p)
{
    double off = throng_turn(l->a, l->b, p);
    return (off > l->length * l->grid) - (off < -l->length * l->grid);
}

/* How far along the door, 0 .. 1. */
static double along(const line *l, throng_point p)
{
    return ((p.x - l->a.x) * (l->b.x - l->a.x) + (p.y - l->a.y) * (l->b.y - l->a.y)) / (l->length * l->length);
}

static bool is_on(const line *l, throng_point p)
{
    double t = along(l, p);
    return fabs(throng_turn(l->a, l->b, p)) <= 2 * l->length * l->grid && t > 0 && t < 1;
}

/* --- cutting --- */

/* A side of a triangle that was cut in two, its ends in order. */
typedef struct cut {
    throng_point low, high;
} cut;

typedef struct cutter {
    line line;
    throng_triangles *triangles;
    int32_t room;    /* corners */
    int32_t *pieces; /* of a triangle, each the next: what was cut off it, and off that; -1: no more */
    int32_t pieces_room;
    int32_t *near; /* the triangles that the door may come into */
    int32_t near_count, near_room;
    cut *cuts;
    int32_t cut_count, cut_room;
    bool failed, unfit; /* the latter: not for want of memory */
} cutter;

/* Where the side from p to q crosses the door, the same from both of its triangles. False when it does not. */
static bool crossing(const line *l, throng_point p, throng_point q, throng_point *at)
{
    if (side_of(l, p) * side_of(l, q) >= 0)
        return false;
    if (throng_compare_points(p, q) > 0) {
        throng_point swap = p;
        p = q;
        q = swap;
    }
    double from = throng_turn(l->a, l->b, p), to = throng_turn(l->a, l->b, q);
    throng_point on = throng_between(p, q, from / (from - to));
    double t = along(l, on);
    *at = (throng_point){round(on.x / l->grid) * l->grid, round(on.y / l->grid) * l->grid};
    return t > 0 && t < 1;
}

static void note_cut(cutter *c, throng_point p, throng_point q)
{
    bool reversed = throng_compare_points(p, q) > 0;
    if (throng_array_reserve((void **)&c->cuts, &c->cut_room, (int64_t)c->cut_count + 1, sizeof *c->cuts))
        c->cuts[c->cut_count++] = (cut){reversed ? q : p, reversed ? p : q};
    else
        c->failed = true;
}

/* What was cut off a triangle. */
static void add(cutter *c, int32_t triangle, throng_point p, throng_point q, throng_point r)
{
    throng_triangles *t = c->triangles;
    c->unfit |= !(throng_turn(p, q, r) > 0);
    if (c->unfit ||
        !throng_array_reserve((void **)&t->corners, &c->room, 3 * ((int64_t)t->count + 1), sizeof *t->corners) ||
        !throng_array_reserve((void **)&c->pieces, &c->pieces_room, (int64_t)t->count + 1, sizeof *c->pieces)) {
        c->failed = true;
        return;
    }
    c->pieces[t->count] = c->pieces[triangle];
    c->pieces[triangle] = t->count;
    throng_point *corners = t->corners + 3 * (size_t)t->count++;
    corners[0] = p;
    corners[1] = q;
    corners[2] = r;
}

/* Both sides at `tip` are crossed, at m and n: a triangle and a quadrangle, cut along its shorter diagonal. */
static void cut_off(cutter *c, int32_t triangle, throng_point tip, throng_point q, throng_point r, throng_point m,
                    throng_point n)
{
    throng_point *corners = c->triangles->corners + 3 * (size_t)triangle;
    c->unfit |= !(throng_turn(tip, m, n) > 0);
    corners[0] = tip;
    corners[1] = m;
    corners[2] = n;
    if (throng_distance(m, r) < throng_distance(q, n)) {
        add(c, triangle, m, q, r);
        add(c, triangle, m, r, n);
    } else {
        add(c, triangle, m, q, n);
        add(c, triangle, q, r, n);
    }
    note_cut(c, tip, q);
    note_cut(c, tip, r);
}

/* The door goes through `tip` and crosses the side opposite, at m. */
static void cut_through(cutter *c, int32_t triangle, throng_point tip, throng_point q, throng_point r, throng_point m)
{
    throng_point *corners = c->triangles->corners + 3 * (size_t)triangle;
    c->unfit |= !(throng_turn(tip, q, m) > 0);
    corners[0] = tip;
    corners[1] = q;
    corners[2] = m;
    add(c, triangle, tip, m, r);
    note_cut(c, q, r);
}

static void cut_triangle(cutter *c, int32_t triangle)
{
    const throng_point *corners = c->triangles->corners + 3 * (size_t)triangle;
    throng_point p[3] = {corners[0], corners[1], corners[2]}, m[3];
    bool crossed[3];
    int count = 0;
    for (int i = 0; i < 3; i++)
        count += crossed[i] = crossing(&c->line, p[i], p[(i + 1) % 3], &m[i]);
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        if (count == 2 && crossed[i] && crossed[l])
            cut_off(c, triangle, p[i], p[k], p[l], m[i], m[l]);
        else if (count == 1 && crossed[k] && side_of(&c->line, p[i]) == 0 && is_on(&c->line, p[i]))
            cut_through(c, triangle, p[i], p[k], p[l], m[k]);
        else
            continue;
        return;
    }
    c->unfit |= count != 0; /* the door would end in the triangle */
}

static int compare_cuts(const void *a, const void *b)
{
    const cut *p = a, *q = b;
    int order = throng_compare_points(p->low, q->low);
    return order ? order : throng_compare_points(p->high, q->high);
}

/* Sides at the rim are cut from one triangle only, and are two sides of the rim now. */
static void count_rim(cutter *c)
{
    if (c->cut_count)
        qsort(c->cuts, (size_t)c->cut_count, sizeof *c->cuts, compare_cuts);
    for (int32_t i = 0; i < c->cut_count; i++) {
        if (i + 1 < c->cut_count && compare_cuts(&c->cuts[i], &c->cuts[i + 1]) == 0)
            i++;
        else
            c->triangles->rim++;
    }
}

/* Does one of the triangles near the door hold the point? */
static bool holds(const cutter *c, throng_point p)
{
    for (int32_t i = 0; i < c->near_count; i++) {
        const throng_point *corner = c->triangles->corners + 3 * (size_t)c->near[i];
        if (throng_turn(corner[0], corner[1], p) >= 0 && throng_turn(corner[1], corner[2], p) >= 0 &&
            throng_turn(corner[2], corner[0], p) >= 0)
            return true;
    }
    return false;
}

static void sum_area(throng_triangles *t)
{
    double twice = 0;
    for (int32_t i = 0; i < t->count; i++)
        twice += throng_turn(t->corners[3 * i], t->corners[3 * i + 1], t->corners[3 * i + 2]);
    t->area = 0.5 * twice;
}

/* m: how far the door is prolonged at `end`, to `far` at first: into the wall, or, where it meets this at a slant and
 * would leave it again behind, but a hair. Below 0: it ends in the open. */
static double prolonging(const cutter *c, const throng_map *map, double radius, double grid, throng_point end,
                         throng_point far)
{
    if (!holds(c, far))
        return radius + THRONG_NAVMESH_SLACK;
    return throng_map_fits(map, end, fmax(radius, THRONG_NAVMESH_SLACK)) ? -1 : 2 * grid;
}

static int ascending(const void *p, const void *q)
{
    int32_t a = *(const int32_t *)p, b = *(const int32_t *)q;
    return (a > b) - (a < b);
}

/* The triangles near door d, in order: those that were near it at first, and what was cut off them. */
static void find_near(cutter *c, const throng_box_pairs *pairs, int32_t d)
{
    c->near_count = 0;
    for (int32_t at = pairs->start[d]; at < pairs->start[d + 1] && !c->failed; at++)
        for (int32_t i = pairs->list[at]; i >= 0 && !c->failed; i = c->pieces[i])
            if (throng_array_reserve((void **)&c->near, &c->near_room, (int64_t)c->near_count + 1, sizeof *c->near))
                c->near[c->near_count++] = i;
            else
                c->failed = true;
    if (c->near_count)
        qsort(c->near, (size_t)c->near_count, sizeof *c->near, ascending);
}

/* Which of the boxes are near which door. */
static bool pair(const throng_map *map, double radius, double grid, const throng_bounds *boxes, int32_t count,
                 throng_box_pairs *pairs)
{
    throng_bounds *doors = malloc(((size_t)map->door_count + 1) * sizeof *doors);
    for (int32_t d = 0; doors && d < map->door_count; d++) {
        line l = line_of(&map->doors[d], radius, grid);
        doors[d] = box_of(&l);
    }
    bool fine = doors && boxes && throng_box_pairs_find(doors, map->door_count, boxes, count, pairs);
    free(doors);
    return fine;
}

static bool pair_triangles(const throng_map *map, double radius, double grid, const throng_triangles *t,
                           throng_box_pairs *pairs)
{
    throng_bounds *boxes = malloc(((size_t)t->count + 1) * sizeof *boxes);
    for (int32_t i = 0; boxes && i < t->count; i++)
        boxes[i] = throng_box_round(t->corners + 3 * (size_t)i, 3, 0);
    bool fine = pair(map, radius, grid, boxes, t->count, pairs);
    free(boxes);
    return fine;
}

/* Cuts all along one door. Does it close its passage? */
static bool cut_door(cutter *c, const throng_map *map, double radius, double grid, const throng_door *door)
{
    line l = line_of(door, radius, grid);
    double at_a = prolonging(c, map, radius, grid, door->a, l.a), at_b = prolonging(c, map, radius, grid, door->b, l.b);
    if (at_a < 0 || at_b < 0)
        return false;
    c->line = prolonged(door, at_a, at_b, grid);
    c->cut_count = 0;
    for (int32_t i = 0; i < c->near_count && !c->failed && !c->unfit; i++)
        cut_triangle(c, c->near[i]);
    count_rim(c);
    return true;
}

bool throng_navmesh_cut_doors(const throng_map *map, double radius, double grid, throng_triangles *triangles,
                              int32_t *open)
{
    throng_box_pairs pairs = {0};
    cutter c = {.triangles = triangles, .room = 3 * triangles->count};
    *open = -1;
    c.failed = !pair_triangles(map, radius, grid, triangles, &pairs) ||
               !throng_array_reserve((void **)&c.pieces, &c.pieces_room, triangles->count, sizeof *c.pieces);
    for (int32_t i = 0; i < triangles->count && !c.failed; i++)
        c.pieces[i] = -1;
    for (int32_t d = 0; d < map->door_count && !c.failed && !c.unfit; d++) {
        const throng_door *door = &map->doors[d];
        find_near(&c, &pairs, d);
        if (!c.failed && !cut_door(&c, map, radius, grid, door) && (door->cost > 0 || door->max_radius > 0))
            *open = d;
    }
    throng_box_pairs_fini(&pairs);
    free(c.cuts);
    free(c.pieces);
    free(c.near);
    sum_area(triangles);
    triangles->unfit = c.unfit;
    return !c.failed && !c.unfit;
}

/* Nobody this wide passes the door. */
static bool is_too_wide(const throng_door *door, double radius)
{
    return door->max_radius > 0 && radius > door->max_radius;
}

bool throng_navmesh_find_doors(const throng_map *map, double radius, double grid, throng_half_edges *h)
{
    if (!map->door_count)
        return true;
    throng_box_pairs pairs = {0};
    throng_bounds *sides = malloc(((size_t)h->count + 1) * sizeof *sides);
    for (int32_t e = 0; sides && e < h->count; e++) {
        const throng_point ends[] = {h->from[e], h->from[h->next[e]]};
        sides[e] = throng_box_round(ends, 2, 0);
    }
    bool fine = pair(map, radius, grid, sides, h->count, &pairs);
    for (int32_t d = 0; fine && d < map->door_count; d++) {
        line l = line_of(&map->doors[d], radius, grid);
        for (int32_t at = pairs.start[d]; at < pairs.start[d + 1]; at++) {
            int32_t e = pairs.list[at];
            if (h->twin[e] >= 0 && is_on(&l, h->from[e]) && is_on(&l, h->from[h->next[e]]))
                h->door[e] = d;
        }
    }
    for (int32_t e = 0; fine && e < h->count; e++)
        if (h->door[e] >= 0 && is_too_wide(&map->doors[h->door[e]], radius))
            h->twin[e] = -1;
    free(sides);
    throng_box_pairs_fini(&pairs);
    return fine;
}
