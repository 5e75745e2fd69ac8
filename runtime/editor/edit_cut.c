/* An area of any form as convex faces whose corners are the area's own, to the bit, so that they meet others. */
#include "edit_parts.h"

#include <stdlib.h>

#include "map/triangulate.h"

static const double LEAST_PART = 1e-3; /* m^2: smaller parts of an area are left out */

/* Leaves out corners that lie on the one before. */
static bool without_twins(const throng_ring_list *rings, throng_ring_list *kept)
{
    for (int32_t r = 0; r < rings->count; r++) {
        int32_t first = kept->point_count, end = throng_ring_list_end(rings, r);
        if (fabs(throng_ring_area(rings->points + rings->start[r], end - rings->start[r])) < LEAST_PART)
            continue;
        if (!throng_ring_list_begin(kept))
            return false;
        for (int32_t i = rings->start[r]; i < end; i++) {
            throng_point p = rings->points[i];
            bool near_last = kept->point_count > first &&
                             throng_distance(kept->points[kept->point_count - 1], p) < THRONG_EDIT_LEAST;
            bool near_first = i == end - 1 && throng_distance(kept->points[first], p) < THRONG_EDIT_LEAST;
            if (!near_last && !near_first && !throng_ring_list_add(kept, p))
                return false;
        }
    }
    return true;
}

/* A grid as fine as triangles allow, seen from the middle of the points. */
static double grid_for(const throng_ring_list *rings, throng_point *middle)
{
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < rings->point_count; i++) {
        throng_point p = rings->points[i];
        b = (throng_bounds){fmin(b.x0, p.x), fmin(b.y0, p.y), fmax(b.x1, p.x), fmax(b.y1, p.y)};
    }
    *middle = (throng_point){(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2};
    double size = fmax(b.x1 - b.x0, b.y1 - b.y0), grid = ldexp(1, -20);
    while (size >= ldexp(grid, 23))
        grid *= 2;
    return grid;
}

static bool on_grid(const throng_ring_list *rings, throng_point middle, double grid, throng_ring_list *rounded)
{
    for (int32_t r = 0; r < rings->count; r++) {
        if (!throng_ring_list_begin(rounded))
            return false;
        for (int32_t i = rings->start[r]; i < throng_ring_list_end(rings, r); i++) {
            throng_point p = {round((rings->points[i].x - middle.x) / grid) * grid,
                              round((rings->points[i].y - middle.y) / grid) * grid};
            if (!throng_ring_list_add(rounded, p))
                return false;
        }
    }
    return true;
}

/* ---- triangles, and what they join to */

typedef struct cut_faces {
    throng_edit_thing **list; /* [count]; NULL: it went into another one */
    int32_t count;
} cut_faces;

static void faces_fini(cut_faces *faces)
{
    for (int32_t i = 0; i < faces->count; i++)
        throng_edit_thing_free(faces->list[i]);
    free(faces->list);
}

static throng_point exactly(const throng_ring_list *rings, const throng_ring_list *rounded, throng_point p)
{
    int32_t i = 0;
    while (i + 1 < rounded->point_count && (rounded->points[i].x != p.x || rounded->points[i].y != p.y))
        i++;
    return rings->points[i];
}

static bool take_triangles(cut_faces *faces, const throng_triangles *triangles, const throng_ring_list *rings,
                           const throng_ring_list *rounded)
{
    faces->list = calloc((size_t)triangles->count + 1, sizeof(throng_edit_thing *));
    for (int32_t t = 0; faces->list && t < triangles->count; t++) {
        throng_point corners[3];
        for (int32_t k = 0; k < 3; k++)
            corners[k] = exactly(rings, rounded, triangles->corners[3 * t + k]);
        faces->list[faces->count] = throng_edit_thing_new(THRONG_EDIT_FACE, corners, 3);
        if (!faces->list[faces->count++])
            return false;
    }
    return faces->list != NULL;
}

/* Face g into f, which share the side from f's corner i: what they are together, NULL: they are not convex. */
static throng_edit_thing *together(const throng_edit_thing *f, int32_t i, const throng_edit_thing *g)
{
    int32_t j = throng_edit_shared_side(f, i, g), count = 0, n = f->count, m = g->count;
    throng_point *points = j >= 0 ? malloc((size_t)(n + m) * sizeof *points) : NULL;
    if (!points)
        return NULL;
    for (int32_t k = 1; k <= n; k++) /* round f from the end of the side to its beginning */
        points[count++] = f->points[(i + k) % n];
    for (int32_t k = 2; k < m; k++) /* and on round g, without these two */
        points[count++] = g->points[(j + k) % m];
    throng_edit_thing *joined =
        throng_edit_convex(points, count, NULL) ? throng_edit_thing_new(THRONG_EDIT_FACE, points, count) : NULL;
    free(points);
    return joined;
}

/* With any that it can be joined with; was it? */
static bool join_one(cut_faces *faces, int32_t f)
{
    for (int32_t g = 0; g < faces->count; g++)
        for (int32_t i = 0; g != f && faces->list[g] && i < faces->list[f]->count; i++) {
            throng_edit_thing *joined = together(faces->list[f], i, faces->list[g]);
            if (!joined)
                continue;
            throng_edit_thing_free(faces->list[f]);
            throng_edit_thing_free(faces->list[g]);
            faces->list[f] = joined;
            faces->list[g] = NULL;
            return true;
        }
    return false;
}

/* Hertel and Mehlhorn (1983), in the order of the faces. */
static void join_all(cut_faces *faces)
{
    for (int32_t f = 0; f < faces->count; f++)
        while (faces->list[f] && join_one(faces, f)) {
        }
}

/* Into the change, but for what rounding has made of corners on one line. */
static bool put(throng_edit *edit, throng_edit_change *change, cut_faces *faces)
{
    for (int32_t f = 0; f < faces->count; f++) {
        throng_edit_thing *face = faces->list[f];
        faces->list[f] = NULL;
        if (face && !throng_edit_convex(face->points, face->count, NULL)) {
            throng_edit_thing_free(face);
            continue;
        }
        if (face && !throng_edit_put(edit, change, -1, face))
            return false;
    }
    return true;
}

bool throng_edit_put_area(throng_edit *edit, throng_edit_change *change, const GEOSGeometry *area)
{
    throng_ring_list all = {0}, rings = {0}, rounded = {0};
    throng_triangles triangles = {0};
    cut_faces faces = {0};
    throng_point middle;
    bool fine = throng_geos_rings(&edit->geos, area, &all) && without_twins(&all, &rings);
    double grid = fine ? grid_for(&rings, &middle) : 1;
    fine = fine && on_grid(&rings, middle, grid, &rounded) && throng_triangulate(&rounded, grid, 0, &triangles) &&
           take_triangles(&faces, &triangles, &rings, &rounded);
    if (fine)
        join_all(&faces);
    fine = fine && put(edit, change, &faces);
    faces_fini(&faces);
    free(triangles.corners);
    throng_ring_list_fini(&all);
    throng_ring_list_fini(&rings);
    throng_ring_list_fini(&rounded);
    return fine;
}
