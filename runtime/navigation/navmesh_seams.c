#include "navmesh_seams.h"

#include <math.h>
#include <stdlib.h>

#include "map/geometry.h"
#include "navmesh.h"

static throng_point on_grid(throng_point p, double grid)
{
    return (throng_point){round(p.x / grid) * grid, round(p.y / grid) * grid};
}

/* What of a seam the centre of an agent can pass: from p to q, positions on the grid. False: nothing, or it is none
 * between parts. */
static bool passage(const throng_seam *seam, double clearance, double grid, throng_point *p, throng_point *q)
{
    double length = throng_distance(seam->a, seam->b), off = clearance > 0 ? clearance + 2 * grid : 0;
    if (seam->inside || length - 2 * off < 8 * grid)
        return false;
    *p = on_grid(throng_between(seam->a, seam->b, off / length), grid);
    *q = on_grid(throng_between(seam->a, seam->b, 1 - off / length), grid);
    return true;
}

static throng_point placed(throng_point p, throng_point by) { return (throng_point){p.x + by.x, p.y + by.y}; }

/* The strip from a passage into the part on its left, deep enough to meet what is left of it; NULL: no memory. */
static GEOSGeometry *strip_of(throng_geos *g, throng_point p, throng_point q, throng_point by, double depth,
                              double grid)
{
    double length = throng_distance(p, q), x = -(q.y - p.y) / length * depth, y = (q.x - p.x) / length * depth;
    throng_point corner[4] = {placed(p, by), placed(q, by)};
    corner[2] = on_grid((throng_point){corner[1].x + x, corner[1].y + y}, grid);
    corner[3] = on_grid((throng_point){corner[0].x + x, corner[0].y + y}, grid);
    return throng_geos_polygon(g, corner, 4);
}

/* The strips on both sides of all seams as one area; NULL when GEOS fails. */
static GEOSGeometry *strips_of(throng_geos *g, const throng_map_sheets *s, double clearance, double grid)
{
    int32_t count = 0;
    double depth = 1.5 * clearance + 16 * grid;
    GEOSGeometry **strips = malloc((2 * (size_t)s->seam_count + 1) * sizeof *strips), *all = NULL;
    for (int32_t i = 0; strips && i < s->seam_count; i++) {
        throng_point p, q;
        if (!passage(&s->seams[i], clearance, grid, &p, &q))
            continue;
        strips[count++] = strip_of(g, p, q, s->list[s->seams[i].left].offset, depth, grid);
        strips[count++] = strip_of(g, q, p, s->list[s->seams[i].right].offset, depth, grid);
    }
    if (strips)
        all = throng_geos_collect(g, GEOS_GEOMETRYCOLLECTION, strips, count);
    free(strips);
    if (all)
        throng_geos_replace(g, &all, GEOSUnaryUnion_r(g->handle, all));
    return all;
}

bool throng_navmesh_open_seams(throng_geos *g, const throng_map *map, const throng_map *shrunk, double clearance,
                               double grid, throng_ring_list *rings)
{
    GEOSGeometry *space = throng_geos_free_space(g, shrunk, 0), *strips = NULL;
    bool fine = space != NULL;
    if (fine && clearance > 0) {
        strips = strips_of(g, map->sheets, clearance, grid);
        fine = strips && throng_geos_replace(g, &space, GEOSUnion_r(g->handle, space, strips));
        throng_geos_free(g, strips);
    }
    fine = fine && throng_geos_replace(g, &space, GEOSGeom_setPrecision_r(g->handle, space, grid, 0)) &&
           throng_geos_rings(g, space, rings);
    throng_geos_free(g, space);
    return fine;
}

static throng_point end_of(const throng_half_edges *h, int32_t e) { return h->from[h->next[e]]; }

/* The side from p to q at the rim, -1: there is none. */
static int32_t find_side(const throng_half_edges *h, throng_point p, throng_point q)
{
    for (int32_t e = 0; e < h->count; e++)
        if (h->twin[e] < 0 && h->from[e].x == p.x && h->from[e].y == p.y && end_of(h, e).x == q.x &&
            end_of(h, e).y == q.y)
            return e;
    return -1;
}

/* How far along p -> q a point is, of its length; NAN: it does not lie there. */
static double part_of(throng_point p, throng_point q, throng_point at, double grid)
{
    double ex = q.x - p.x, ey = q.y - p.y, square = ex * ex + ey * ey;
    double along = ((at.x - p.x) * ex + (at.y - p.y) * ey) / square, off = (at.x - p.x) * ey - (at.y - p.y) * ex;
    return along >= 0 && along <= 1 && off * off <= grid * grid * square ? along : NAN;
}

/* Joins the sides between two positions of a seam: one, or where bodies that stand cut it several. A side that has none
 * beyond is where something is in the way of people that large. */
static void join(throng_half_edges *h, int32_t seam, throng_point p, throng_point q, throng_point left,
                 throng_point right, double grid)
{
    throng_point over = {right.x - left.x, right.y - left.y}, from = placed(p, left), to = placed(q, left);
    for (int32_t a = 0; a < h->count; a++) {
        if (h->twin[a] >= 0 || !(part_of(from, to, h->from[a], grid) < part_of(from, to, end_of(h, a), grid)))
            continue;
        int32_t b = find_side(h, placed(end_of(h, a), over), placed(h->from[a], over));
        if (b < 0)
            continue;
        h->twin[a] = b;
        h->twin[b] = a;
        h->door[a] = h->door[b] = THRONG_NAVMESH_SEAM - seam;
    }
}

bool throng_navmesh_join_seams(const throng_map *map, double clearance, double grid, throng_half_edges *h)
{
    const throng_map_sheets *s = map->sheets;
    for (int32_t i = 0; i < s->seam_count; i++) {
        const throng_seam *seam = &s->seams[i];
        throng_point p, q, left = s->list[seam->left].offset, right = s->list[seam->right].offset;
        if (passage(seam, clearance, grid, &p, &q))
            join(h, i, p, q, left, right, grid);
    }
    h->sheet = malloc(((size_t)h->count + 1) * sizeof *h->sheet);
    for (int32_t e = 0; h->sheet && e < h->count; e++) {
        int32_t sheet = throng_map_first_of_part(s, throng_map_sheet_at(map, h->from[e]));
        h->sheet[e] = sheet;
        h->from[e] = throng_map_position(map, sheet, h->from[e]);
    }
    return h->sheet != NULL;
}
