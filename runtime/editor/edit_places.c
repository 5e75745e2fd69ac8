/* What lies where: sides and neighbours, snapping, picking. */
#include "edit_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sides */

static throng_point low(const throng_edit_side *s) { return throng_compare_points(s->a, s->b) < 0 ? s->a : s->b; }
static throng_point high(const throng_edit_side *s) { return throng_compare_points(s->a, s->b) < 0 ? s->b : s->a; }

static int by_ends(const void *a, const void *b)
{
    const throng_edit_side *s = *(throng_edit_side *const *)a, *t = *(throng_edit_side *const *)b;
    int order = throng_compare_points(low(s), low(t));
    order = order ? order : throng_compare_points(high(s), high(t));
    return order ? order : (s->slot > t->slot) - (s->slot < t->slot);
}

static int32_t count_sides(const throng_edit *edit)
{
    int32_t count = 0;
    for (int32_t slot = 1; slot < edit->slots; slot++)
        if (edit->things[slot] && edit->things[slot]->kind == THRONG_EDIT_FACE)
            count += edit->things[slot]->count;
    return count;
}

static void list_sides(const throng_edit *edit, throng_edit_side *list)
{
    for (int32_t slot = 1; slot < edit->slots; slot++) {
        const throng_edit_thing *face = edit->things[slot];
        if (!face || face->kind != THRONG_EDIT_FACE)
            continue;
        for (int32_t i = 0; i < face->count; i++)
            *list++ = (throng_edit_side){face->points[i], face->points[(i + 1) % face->count], slot, i, -1};
    }
}

static void link_sides(throng_edit_side **order, int32_t count)
{
    for (int32_t i = 0; i + 1 < count; i++) {
        throng_edit_side *s = order[i], *t = order[i + 1];
        if (throng_edit_same_point(s->a, t->b) && throng_edit_same_point(s->b, t->a)) {
            s->other = t->slot;
            t->other = s->slot;
        }
    }
}

/* Union and find, by the lowest slot. */
static int32_t root_of(int32_t *root, int32_t slot)
{
    while (root[slot] != slot)
        slot = root[slot] = root[root[slot]];
    return slot;
}

/* How many parts the floor falls into that share no side; -1: memory is out. */
static int32_t count_parts(const throng_edit *edit, const throng_edit_side *list, int32_t count)
{
    int32_t parts = 0, *root = malloc((size_t)edit->slots * sizeof *root);
    if (!root)
        return -1;
    for (int32_t slot = 0; slot < edit->slots; slot++) {
        root[slot] = slot;
        parts += edit->things[slot] && edit->things[slot]->kind == THRONG_EDIT_FACE;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t a = root_of(root, list[i].slot), b = list[i].other < 0 ? a : root_of(root, list[i].other);
        root[a > b ? a : b] = a < b ? a : b;
        parts -= a != b;
    }
    free(root);
    return parts;
}

bool throng_edit_sides_build(const throng_edit *edit, throng_edit_sides *sides)
{
    int32_t count = count_sides(edit);
    throng_edit_side *list = malloc(((size_t)count + 1) * sizeof *list),
                     **order = malloc(((size_t)count + 1) * sizeof *order);
    if (!list || !order) {
        free(list);
        free(order);
        return false;
    }
    list_sides(edit, list);
    for (int32_t i = 0; i < count; i++)
        order[i] = &list[i];
    qsort(order, (size_t)count, sizeof *order, by_ends);
    link_sides(order, count);
    free(order);
    throng_edit_sides_fini(sides);
    *sides = (throng_edit_sides){list, count, count_parts(edit, list, count)};
    if (sides->parts >= 0)
        return true;
    throng_edit_sides_fini(sides);
    return false;
}

void throng_edit_sides_fini(throng_edit_sides *sides)
{
    free(sides->list);
    *sides = (throng_edit_sides){0};
}

double throng_edit_floor_area(const throng_edit *edit)
{
    double area = 0;
    for (int32_t slot = 1; slot < edit->slots; slot++)
        if (edit->things[slot] && edit->things[slot]->kind == THRONG_EDIT_FACE)
            area += throng_ring_area(edit->things[slot]->points, edit->things[slot]->count);
    return area;
}

/* ---- snapping */

/* To the decimal number nearest to it: 3.4, and not 34 times the 0.1 that a double is. */
static double rounded(double value, double step)
{
    if (!(step > 0))
        return value;
    double count = floor(value / step + 0.5);
    return step < 1 ? count / floor(1 / step + 0.5) : count * step;
}

static bool corner_wins(const throng_edit_thing *thing, throng_point p, double *reach, throng_point *at)
{
    bool won = false;
    for (int32_t i = 0; i < thing->count; i++)
        if (throng_distance(thing->points[i], p) <= *reach) {
            *reach = throng_distance(thing->points[i], p);
            *at = thing->points[i];
            won = true;
        }
    return won;
}

static double between(double value, double a, double b) { return fmin(fmax(value, fmin(a, b)), fmax(a, b)); }

/* The point of the side, on the grid's line across it where it is level or upright. */
static throng_point along(throng_point a, throng_point b, throng_point p, double step)
{
    if (a.y == b.y)
        return (throng_point){between(rounded(p.x, step), a.x, b.x), a.y};
    if (a.x == b.x)
        return (throng_point){a.x, between(rounded(p.y, step), a.y, b.y)};
    return throng_nearest_on(a, b, p);
}

static bool side_wins(const throng_edit_thing *thing, throng_point p, double *reach, double step, throng_point *at)
{
    bool won = false;
    for (int32_t i = 0; i < thing->count; i++) {
        throng_point a = thing->points[i], b = thing->points[(i + 1) % thing->count];
        double distance = throng_segment_distance(a, b, p);
        if (distance > *reach)
            continue;
        *reach = distance;
        *at = along(a, b, p, step);
        won = true;
    }
    return won;
}

throng_edit_snap throng_edit_snap_to(const throng_edit *edit, throng_point p, double reach, double step, int32_t except)
{
    throng_edit_snap snap = {
        step > 0 ? THRONG_EDIT_GRID : THRONG_EDIT_FREE, {rounded(p.x, step), rounded(p.y, step)}, -1};
    double corner = reach, side = reach;
    for (int32_t slot = 1; slot < edit->slots; slot++)
        if (slot != except && edit->things[slot] && corner_wins(edit->things[slot], p, &corner, &snap.at)) {
            snap.what = THRONG_EDIT_ON_CORNER;
            snap.slot = slot;
        }
    for (int32_t slot = 1; snap.what != THRONG_EDIT_ON_CORNER && slot < edit->slots; slot++)
        if (slot != except && edit->things[slot] && side_wins(edit->things[slot], p, &side, step, &snap.at)) {
            snap.what = THRONG_EDIT_ON_SIDE;
            snap.slot = slot;
        }
    return snap;
}

/* ---- picking */

int32_t throng_edit_corner_near(const throng_edit_thing *thing, throng_point p, double reach)
{
    int32_t nearest = -1;
    for (int32_t i = 0; i < thing->count; i++)
        if (throng_distance(thing->points[i], p) <= reach) {
            reach = throng_distance(thing->points[i], p);
            nearest = i;
        }
    return nearest;
}

bool throng_edit_holds(const throng_edit_thing *thing, throng_point p)
{
    for (int32_t i = 0; i < thing->count; i++)
        if (throng_segment_distance(thing->points[i], thing->points[(i + 1) % thing->count], p) == 0)
            return true;
    return throng_polygon_holds(thing->points, thing->count, p);
}

/* What lies higher has the smaller rank: doors, regions by their area, faces. */
typedef struct rank {
    int layer;
    double area;
    int32_t slot;
} rank;

static bool above(rank a, rank b)
{
    if (a.layer != b.layer)
        return a.layer < b.layer;
    return a.area != b.area ? a.area < b.area : a.slot < b.slot;
}

static rank rank_of(const throng_edit_thing *thing, int32_t slot)
{
    return (rank){throng_edit_is_line(thing)          ? 0
                  : thing->kind == THRONG_EDIT_REGION ? 1
                                                      : 2,
                  throng_ring_area(thing->points, thing->count), slot};
}

static bool lies_at(const throng_edit_thing *thing, throng_point p, double reach)
{
    if (thing->kind == THRONG_EDIT_FLOOR)
        return false;
    bool line = throng_edit_is_line(thing);
    return line ? throng_segment_distance(thing->points[0], thing->points[1], p) <= reach : throng_edit_holds(thing, p);
}

int32_t throng_edit_pick(const throng_edit *edit, throng_point p, double reach, int32_t under)
{
    rank limit = {-1, 0, -1}, best = {3, 0, -1};
    if (throng_edit_thing_at(edit, under))
        limit = rank_of(edit->things[under], under);
    for (int32_t slot = 1; slot < edit->slots; slot++) {
        if (!edit->things[slot] || !lies_at(edit->things[slot], p, reach))
            continue;
        rank r = rank_of(edit->things[slot], slot);
        if (above(limit, r) && above(r, best))
            best = r;
    }
    return best.slot;
}

/* ---- names */

static bool taken(const throng_edit *edit, const char *name)
{
    for (int32_t slot = 1; slot < edit->slots; slot++)
        if (edit->things[slot] && edit->things[slot]->name && strcmp(edit->things[slot]->name, name) == 0)
            return true;
    return false;
}

void throng_edit_free_name(const throng_edit *edit, const char *stem, char *name, size_t size)
{
    snprintf(name, size, "%s", stem);
    for (int n = 2; taken(edit, name); n++)
        snprintf(name, size, "%s %d", stem, n);
}
