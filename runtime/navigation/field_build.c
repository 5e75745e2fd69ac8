/* Fields over the free space of a mesh. */
#include <math.h>
#include <stdlib.h>

#include "base/watchdog.h"
#include "field.h"
#include "goal_sides.h"
#include "navmesh_plane.h"

#define MARGIN 3 /* cells around the mesh */
#define MOST   (1 << 24)

/* The grid to be filled. */
typedef struct raster {
    double x, y, cell; /* m */
    int32_t columns, rows;
    uint8_t *cells;
} raster;

static double middle(double from, double cell, int32_t i) { return from + (i + 0.5) * cell; }

/* The first cell whose middle is not below `at`. */
static int32_t first_beyond(double at, double from, double cell) { return (int32_t)ceil((at - from) / cell - 0.5); }

static bool layout(raster *r, const throng_navmesh *mesh, throng_error *error)
{
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t e = 0; e < mesh->edge_count; e++)
        b = (throng_bounds){fmin(b.x0, mesh->ax[e]), fmin(b.y0, mesh->ay[e]), fmax(b.x1, mesh->ax[e]),
                            fmax(b.y1, mesh->ay[e])};
    r->cell = THRONG_FIELD_CELL * mesh->radius;
    r->x = b.x0 - MARGIN * r->cell;
    r->y = b.y0 - MARGIN * r->cell;
    double columns = ceil((b.x1 - b.x0) / r->cell) + 2 * MARGIN, rows = ceil((b.y1 - b.y0) / r->cell) + 2 * MARGIN;
    if (columns * rows > MOST)
        return throng_fail(error,
                           "a field over %.0f x %.0f m in cells of %.2f m (0.7 of the agents' radius) has more than %d "
                           "cells; use routing = \"navmesh\" there, or larger agents",
                           b.x1 - b.x0, b.y1 - b.y0, r->cell, MOST);
    r->columns = (int32_t)columns;
    r->rows = (int32_t)rows;
    r->cells = calloc((size_t)(r->columns * r->rows), 1);
    return r->cells || throng_field_out_of_memory(r->columns, r->rows, error);
}

/* Frees the cells whose middle lies in the face. */
static void fill_face(raster *r, const throng_navmesh *m, int32_t face)
{
    int32_t begin = m->face_start[face], end = m->face_start[face + 1];
    double y0 = INFINITY, y1 = -INFINITY;
    for (int32_t e = begin; e < end; e++) {
        y0 = fmin(y0, m->ay[e]);
        y1 = fmax(y1, m->ay[e]);
    }
    for (int32_t row = first_beyond(y0, r->y, r->cell); middle(r->y, r->cell, row) <= y1; row++) {
        double y = middle(r->y, r->cell, row), x0 = INFINITY, x1 = -INFINITY;
        for (int32_t e = begin; e < end; e++) {
            if ((m->ay[e] <= y) == (m->by[e] <= y))
                continue;
            double x = m->ax[e] + (y - m->ay[e]) / (m->by[e] - m->ay[e]) * (m->bx[e] - m->ax[e]);
            x0 = fmin(x0, x);
            x1 = fmax(x1, x);
        }
        for (int32_t column = first_beyond(x0, r->x, r->cell); x0 <= x1 && middle(r->x, r->cell, column) <= x1;
             column++)
            r->cells[row * r->columns + column] = THRONG_FIELD_FREE;
    }
}

static uint8_t *cell_at(const raster *r, double x, double y)
{
    int32_t column = (int32_t)floor((x - r->x) / r->cell), row = (int32_t)floor((y - r->y) / r->cell);
    bool inside = column >= 0 && column < r->columns && row >= 0 && row < r->rows;
    return inside ? &r->cells[row * r->columns + column] : NULL;
}

/* Marks the cells around points of a -> b half a cell apart, b included: `from` becomes `to`. */
static void mark_line(raster *r, throng_point a, throng_point b, double around, uint8_t from, uint8_t to)
{
    int32_t steps = (int32_t)ceil(2 * hypot(b.x - a.x, b.y - a.y) / r->cell);
    for (int32_t i = 0; i <= steps; i++) {
        double t = steps ? (double)i / steps : 0, x = a.x + t * (b.x - a.x), y = a.y + t * (b.y - a.y);
        for (double v = -around; v <= around; v += r->cell)
            for (double u = -around; u <= around; u += r->cell) {
                uint8_t *cell = cell_at(r, x + u, y + v);
                if (cell && *cell == from)
                    *cell = to;
            }
    }
}

/* Closed doors that are heeded, and those that are too narrow for the agents, a cell and a half thick. */
static void close_doors(raster *r, const throng_navmesh *m, bool heed_doors)
{
    for (int32_t e = 0; e < m->edge_count; e++)
        if (m->door[e] >= 0 && (m->twin[e] < 0 || (heed_doors && m->shut[e])))
            mark_line(r, (throng_point){m->ax[e], m->ay[e]}, (throng_point){m->bx[e], m->by[e]}, 0.75 * r->cell,
                      THRONG_FIELD_FREE, THRONG_FIELD_WALL);
}

/* The goals' insides, and their sides, which may lie between the middles of cells. */
static bool mark_goals(raster *r, const throng_navmesh *m, const throng_navmesh *building, const throng_region *goals,
                       int32_t count, throng_error *error)
{
    throng_goal_sides sides;
    if (!throng_goal_sides_cut(m, building, goals, count, &sides, error))
        return false;
    for (int32_t s = 0; s < sides.start[m->face_count]; s++)
        mark_line(r, sides.a[s], sides.b[s], 0.5 * r->cell, THRONG_FIELD_FREE, THRONG_FIELD_GOAL);
    throng_goal_sides_fini(&sides);
    for (int32_t c = 0; c < r->columns * r->rows; c++) {
        if (c % r->columns == 0 && throng_given_up())
            return throng_fail(error, "%s", throng_interrupted_text());
        throng_point p = {middle(r->x, r->cell, c % r->columns), middle(r->y, r->cell, c / r->columns)};
        if (r->cells[c] == THRONG_FIELD_FREE && throng_goals_hold(goals, count, p))
            r->cells[c] = THRONG_FIELD_GOAL;
    }
    return true;
}

/* m: so near to a seam shortest paths lead over it. */
static const double AT_SEAM = 0.5;

/* Do people who come to `before` m from a seam leave by it? Asked before its middle and near its ends: whom the field
 * leads there shortest paths must not lead away. */
static bool leads_on(const throng_navmesh *m, const throng_navmesh *plane, const throng_path_map *tree, int32_t e,
                     double before)
{
    static const double parts[] = {0.5, 0.1, 0.9};
    throng_point a = {plane->ax[e], plane->ay[e]}, b = {plane->bx[e], plane->by[e]};
    double length = hypot(b.x - a.x, b.y - a.y);
    throng_point in = {-(b.y - a.y) / length * before, (b.x - a.x) / length * before};
    for (int i = 0; i < 3; i++) {
        throng_point p = {a.x + parts[i] * (b.x - a.x) + in.x, a.y + parts[i] * (b.y - a.y) + in.y};
        int32_t face = throng_navmesh_face_at(plane, (float)p.x, (float)p.y);
        if (face >= 0 && throng_navmesh_same_part(m, face, m->face[e]) &&
            !throng_path_map_leads_over(tree, face, throng_navmesh_position(m, face, p), e))
            return false;
    }
    return true;
}

/* The cells before the seams by which the building `mesh` is walked through are as good as the goal's. `near`: those,
 * and what of walls is as near. */
static bool mark_seams(raster *r, raster *near, const throng_navmesh *mesh, const throng_navmesh *plane,
                       const throng_region *goals, int32_t count, bool heed_doors, throng_error *error)
{
    throng_path_map_rules rules = {.heed_doors = heed_doors};
    *near = *r;
    near->cells = calloc((size_t)(r->columns * r->rows), 1);
    if (!near->cells)
        return throng_field_out_of_memory(r->columns, r->rows, error);
    throng_path_map *tree = throng_path_map_build(mesh, goals, count, &rules, error);
    for (int32_t e = 0; tree && e < mesh->edge_count; e++) {
        throng_point a = {plane->ax[e], plane->ay[e]}, b = {plane->bx[e], plane->by[e]};
        double around = fmax(AT_SEAM, 1.5 * r->cell);
        if (!throng_navmesh_on_seam(mesh, e) || mesh->twin[e] < 0 || !leads_on(mesh, plane, tree, e, 0.01) ||
            !leads_on(mesh, plane, tree, e, around + r->cell))
            continue;
        mark_line(r, a, b, around, THRONG_FIELD_FREE, THRONG_FIELD_GOAL);
        mark_line(near, a, b, around + r->cell, 0, 1);
    }
    throng_path_map_destroy(tree);
    return tree != NULL;
}

/* Who is pushed off the mesh beside a seam, or stands on its line, is not led back from it. */
static void leave_seams(throng_field *f, const raster *r, const raster *near)
{
    for (int32_t c = 0; c < r->columns * r->rows; c++)
        if (near->cells[c] && r->cells[c] == THRONG_FIELD_WALL)
            f->x[c] = f->y[c] = f->aim[c] = 0;
}

/* `plane`: the mesh, or a building's laid out. */
static throng_field *build(const throng_navmesh *mesh, const throng_navmesh *plane, const throng_region *goals,
                           int32_t count, bool heed_doors, const struct throng_stages *stages, throng_error *error)
{
    raster r = {0}, near = {0};
    throng_field *f = NULL;
    if (!layout(&r, plane, error))
        return NULL;
    for (int32_t face = 0; face < plane->face_count && !throng_given_up(); face++)
        if (!throng_navmesh_is_covered(plane, face))
            fill_face(&r, plane, face);
    close_doors(&r, plane, heed_doors);
    if (mark_goals(&r, plane, mesh, goals, count, error) &&
        (plane == mesh || mark_seams(&r, &near, mesh, plane, goals, count, heed_doors, error)))
        f = throng_field_solve(r.cells, r.columns, r.rows, stages, error);
    if (f && near.cells)
        leave_seams(f, &r, &near);
    free(r.cells);
    free(near.cells);
    if (f) {
        f->origin_x = r.x;
        f->origin_y = r.y;
        f->cell = r.cell;
    }
    return f;
}

throng_field *throng_field_build(const throng_navmesh *mesh, const throng_region *goals, int32_t count, bool heed_doors,
                                 const struct throng_stages *stages, throng_error *error)
{
    throng_navmesh laid = {0};
    throng_field *field = NULL;
    if (mesh->sheet && !throng_navmesh_lay_out(mesh, &laid))
        throng_fail(error, "out of memory for a field");
    else
        field = build(mesh, mesh->sheet ? &laid : mesh, goals, count, heed_doors, stages, error);
    throng_navmesh_plane_fini(&laid);
    return field;
}
