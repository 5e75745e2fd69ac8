#include "wall_widths.h"

#include <math.h>

#include "base/watchdog.h"
#include "geometry.h"

static const double WIDE = 5;       /* m: what is wider counts as this */
static const double INSET = 0.05;   /* m: so far from the corner a width is measured, along its wall */
static const double SHORTEST = 1.0; /* m: a wall that is shorter is beside no passage */

/* How much of the way from a to b lies before the segment from c to d; 1: it is not met. */
static double part_before(throng_point a, throng_point b, throng_point c, throng_point d)
{
    double at_c = throng_turn(a, b, c), at_d = throng_turn(a, b, d);
    double at_a = throng_turn(c, d, a), at_b = throng_turn(c, d, b);
    if ((at_c > 0) == (at_d > 0) || (at_a > 0) == (at_b > 0))
        return 1;
    return at_a / (at_a - at_b);
}

/* The same of all segments but `own` that come into the cells about the piece of the way from p to q. */
static double part_free(const throng_map *map, const throng_wall_index *g, int32_t own, const throng_point *way,
                        throng_point p, throng_point q)
{
    int32_t c0 = throng_cell_of(fmin(p.x, q.x), g->origin_x, g->cell, g->columns);
    int32_t c1 = throng_cell_of(fmax(p.x, q.x), g->origin_x, g->cell, g->columns);
    int32_t r0 = throng_cell_of(fmin(p.y, q.y), g->origin_y, g->cell, g->rows);
    int32_t r1 = throng_cell_of(fmax(p.y, q.y), g->origin_y, g->cell, g->rows);
    double part = 1;
    for (int32_t r = r0; r <= r1; r++)
        for (int32_t k = g->start[r * g->columns + c0]; k < g->start[r * g->columns + c1 + 1]; k++) {
            int32_t i = g->list[k];
            if (i != own)
                part = fmin(part, part_before(way[0], way[1], map->points[i], map->points[g->next[i]]));
        }
    return part;
}

static throng_point between(const throng_point *way, double part)
{
    return (throng_point){way[0].x + part * (way[1].x - way[0].x), way[0].y + part * (way[1].y - way[0].y)};
}

static double length_of(const throng_map *map, const throng_wall_index *g, int32_t i)
{
    return throng_distance(map->points[i], map->points[g->next[i]]);
}

/* m: free space to the left of segment i, straight across at its start or its end, up to `most`; `none` where it is
 * wider. Piece after piece, as most passages are narrow. */
static double width_beside(const throng_map *map, const throng_wall_index *g, int32_t i, bool at_end, double most,
                           double none)
{
    throng_point side[] = {map->points[i], map->points[g->next[i]]};
    double ex = side[1].x - side[0].x, ey = side[1].y - side[0].y, length = sqrt(ex * ex + ey * ey);
    double far = most / length, inset = fmin(INSET / length, 0.25);
    throng_point from = between(side, at_end ? 1 - inset : inset);
    throng_point way[] = {from, {from.x - far * ey, from.y + far * ex}};
    double step = fmin(g->cell / most, 1), part = 1;
    for (double at = 0; at < 1; at += step) {
        part = part_free(map, g, i, way, between(way, at), between(way, at + step));
        if (part <= at + step)
            break;
    }
    return part < 1 ? part * most : none;
}

/* The same of a wall's side that is one of a passage, which is at least as long as that is wide; 0: it is none. */
static double width_of_passage(const throng_map *map, const throng_wall_index *g, int32_t i, bool at_end)
{
    double length = length_of(map, g, i), most = fmin(length, WIDE);
    return length < SHORTEST ? 0 : width_beside(map, g, i, at_end, most, length < WIDE ? 0 : WIDE);
}

/* Free space is on the left: the solid's corners are where it turns right. */
static bool is_corner(const throng_map *map, const throng_wall_index *g, int32_t i)
{
    int32_t next = g->next[i];
    return throng_turn(map->points[i], map->points[next], map->points[g->next[next]]) < 0;
}

/* The end of a wall, segment i, between its two sides, which are those of passages; not where it is beside a door,
 * which is narrower than half of either. */
static void fill_end(const throng_map *map, throng_wall_index *g, int32_t before, int32_t i)
{
    int32_t after = g->next[i];
    double sides = fmax(g->width_at_end[before], g->width_at_start[after]);
    if (g->width_at_end[i] != 0 || g->width_at_start[i] != 0 || !is_corner(map, g, before) || !is_corner(map, g, i) ||
        g->width_at_end[before] <= 0 || g->width_at_start[after] <= 0)
        return;
    double start = width_beside(map, g, i, false, WIDE, WIDE), end = width_beside(map, g, i, true, WIDE, WIDE);
    if (2 * fmin(start, end) < sides)
        return;
    g->width_at_start[i] = (float)-start;
    g->width_at_end[i] = (float)-end;
}

bool throng_wall_widths_fill(const throng_map *map, throng_wall_index *index)
{
    for (int32_t i = 0; i < map->point_count; i++) {
        if (throng_given_up_at(i))
            return false;
        if (!is_corner(map, index, i))
            continue;
        index->width_at_end[i] = (float)width_of_passage(map, index, i, true);
        index->width_at_start[index->next[i]] = (float)width_of_passage(map, index, index->next[i], false);
    }
    for (int32_t i = 0; i < map->point_count; i++)
        fill_end(map, index, i, index->next[i]);
    return true;
}
