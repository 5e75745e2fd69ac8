#include "face_grid.h"

#include <stdlib.h>

#include "map/geometry.h"
#include "navmesh_pillars.h"

enum { MOST_CELLS = 1 << 20 };

static throng_point start_of(const throng_navmesh *mesh, int32_t e) { return (throng_point){mesh->ax[e], mesh->ay[e]}; }

static throng_point end_of(const throng_navmesh *mesh, int32_t e) { return (throng_point){mesh->bx[e], mesh->by[e]}; }

/* Computed from the same end on both sides of a portal, so that the signs are opposite to the bit. */
static double side_of(throng_point a, throng_point b, throng_point p)
{
    bool swap = a.x > b.x || (a.x == b.x && a.y > b.y);
    return swap ? -throng_turn(b, a, p) : throng_turn(a, b, p);
}

bool throng_face_holds(const throng_navmesh *mesh, int32_t face, throng_point p)
{
    for (int32_t e = mesh->face_start[face]; e < mesh->face_start[face + 1]; e++)
        if (!(side_of(start_of(mesh, e), end_of(mesh, e), p) >= 0))
            return false;
    return true;
}

/* Of the places of half-edges. */
static throng_bounds face_bounds(const throng_navmesh *mesh, int32_t first, int32_t end)
{
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t e = first; e < end; e++) {
        throng_point p = throng_navmesh_place(mesh, mesh->face[e], start_of(mesh, e));
        b = (throng_bounds){fmin(b.x0, p.x), fmin(b.y0, p.y), fmax(b.x1, p.x), fmax(b.y1, p.y)};
    }
    return b;
}

/* False when one of the face's sides has all of the box outside. */
static bool may_overlap(const throng_navmesh *mesh, int32_t face, throng_bounds box)
{
    for (int32_t e = mesh->face_start[face]; e < mesh->face_start[face + 1]; e++) {
        throng_point a = start_of(mesh, e), b = end_of(mesh, e);
        throng_point innermost = {b.y > a.y ? box.x0 : box.x1, b.x > a.x ? box.y1 : box.y0};
        if (throng_turn(a, b, innermost) < 0)
            return false;
    }
    return true;
}

static void size_grid(throng_face_grid *grid, const throng_navmesh *mesh)
{
    throng_bounds b = face_bounds(mesh, 0, mesh->edge_count);
    double width = b.x1 - b.x0 + 2 * mesh->radius, height = b.y1 - b.y0 + 2 * mesh->radius;
    grid->origin_x = b.x0 - mesh->radius;
    grid->origin_y = b.y0 - mesh->radius;
    grid->cell = fmax(0.5, 0.5 * sqrt(width * height / mesh->face_count));
    grid->cell = fmax(grid->cell, sqrt(width * height / MOST_CELLS));
    grid->cell = fmax(grid->cell, fmax(width, height) / MOST_CELLS);
    grid->columns = (int32_t)(width / grid->cell) + 1;
    grid->rows = (int32_t)(height / grid->cell) + 1;
}

/* With a margin: small agents walk that far beside the mesh, and look for its nearest face in their cell. */
static throng_bounds cell_box(const throng_face_grid *grid, double margin, int32_t column, int32_t row)
{
    double hair = margin + 1e-6 * (1 + grid->cell);
    double x = grid->origin_x + column * grid->cell, y = grid->origin_y + row * grid->cell;
    return (throng_bounds){x - hair, y - hair, x + grid->cell + hair, y + grid->cell + hair};
}

/* Counts the face in its cells, or with a list writes it there. */
static void visit_face(const throng_face_grid *grid, const throng_navmesh *mesh, int32_t face, int32_t *places,
                       int32_t *list)
{
    if (throng_navmesh_is_covered(mesh, face))
        return;
    throng_bounds b = face_bounds(mesh, mesh->face_start[face], mesh->face_start[face + 1]);
    double margin = mesh->radius, hair = margin + 1e-6;
    int32_t c0 = throng_cell_of(b.x0 - hair, grid->origin_x, grid->cell, grid->columns);
    int32_t c1 = throng_cell_of(b.x1 + hair, grid->origin_x, grid->cell, grid->columns);
    int32_t r0 = throng_cell_of(b.y0 - hair, grid->origin_y, grid->cell, grid->rows);
    int32_t r1 = throng_cell_of(b.y1 + hair, grid->origin_y, grid->cell, grid->rows);
    for (int32_t r = r0; r <= r1; r++)
        for (int32_t c = c0; c <= c1; c++) {
            throng_bounds box = cell_box(grid, margin, c, r);
            throng_point low = throng_navmesh_position(mesh, face, (throng_point){box.x0, box.y0});
            throng_point high = throng_navmesh_position(mesh, face, (throng_point){box.x1, box.y1});
            if (!may_overlap(mesh, face, (throng_bounds){low.x, low.y, high.x, high.y}))
                continue;
            int32_t at = places[r * grid->columns + c]++;
            if (list)
                list[at] = face;
        }
}

static bool fill_grid(throng_face_grid *grid, const throng_navmesh *mesh)
{
    size_t cells = (size_t)grid->columns * (size_t)grid->rows;
    int32_t *places = calloc(cells + 1, sizeof *places);
    grid->start = calloc(cells + 1, sizeof *grid->start);
    bool fine = places && grid->start;
    for (int32_t f = 0; fine && f < mesh->face_count; f++)
        visit_face(grid, mesh, f, places, NULL);
    for (size_t c = 0; fine && c < cells; c++) {
        grid->start[c + 1] = grid->start[c] + places[c];
        places[c] = grid->start[c];
    }
    grid->list = fine ? malloc(((size_t)grid->start[cells] + 1) * sizeof *grid->list) : NULL;
    for (int32_t f = 0; grid->list && f < mesh->face_count; f++)
        visit_face(grid, mesh, f, places, grid->list);
    free(places);
    return grid->list != NULL;
}

throng_face_grid *throng_face_grid_create(const throng_navmesh *mesh)
{
    throng_face_grid *grid = calloc(1, sizeof *grid);
    if (!grid)
        return NULL;
    size_grid(grid, mesh);
    if (fill_grid(grid, mesh))
        return grid;
    throng_face_grid_destroy(grid);
    return NULL;
}

void throng_face_grid_destroy(throng_face_grid *grid)
{
    if (!grid)
        return;
    free(grid->start);
    free(grid->list);
    free(grid);
}

int32_t throng_navmesh_faces_at(const throng_navmesh *mesh, throng_point p, int32_t *faces, int32_t room)
{
    const throng_face_grid *g = mesh->grid;
    double column = floor((p.x - g->origin_x) / g->cell), row = floor((p.y - g->origin_y) / g->cell);
    int32_t count = 0;
    if (!(column >= 0 && column < g->columns && row >= 0 && row < g->rows) || throng_navmesh_in_pillar(mesh, p))
        return 0;
    int32_t cell = (int32_t)row * g->columns + (int32_t)column;
    for (int32_t k = g->start[cell]; k < g->start[cell + 1] && count < room; k++)
        if (throng_face_holds(mesh, g->list[k], throng_navmesh_position(mesh, g->list[k], p)))
            faces[count++] = g->list[k];
    return count;
}

int32_t throng_navmesh_face_at(const throng_navmesh *mesh, float x, float y)
{
    int32_t face;
    return throng_navmesh_faces_at(mesh, (throng_point){x, y}, &face, 1) ? face : -1;
}

typedef struct nearest {
    int32_t face; /* -1: none yet */
    double distance;
    throng_point on; /* a position */
} nearest;

static void compare_face(const throng_navmesh *mesh, int32_t face, throng_point p, nearest *best)
{
    p = throng_navmesh_position(mesh, face, p);
    for (int32_t e = mesh->face_start[face]; e < mesh->face_start[face + 1]; e++) {
        throng_point on = throng_nearest_on(start_of(mesh, e), end_of(mesh, e), p);
        double distance = throng_distance(on, p);
        if (distance < best->distance || (distance == best->distance && face < best->face))
            *best = (nearest){face, distance, on};
    }
}

static nearest search_within(const throng_navmesh *mesh, throng_point p, double reach)
{
    const throng_face_grid *g = mesh->grid;
    nearest best = {-1, nextafter(reach, INFINITY), p};
    int32_t c0 = throng_cell_of(p.x - reach, g->origin_x, g->cell, g->columns);
    int32_t c1 = throng_cell_of(p.x + reach, g->origin_x, g->cell, g->columns);
    int32_t r0 = throng_cell_of(p.y - reach, g->origin_y, g->cell, g->rows);
    int32_t r1 = throng_cell_of(p.y + reach, g->origin_y, g->cell, g->rows);
    for (int32_t r = r0; r <= r1; r++)
        for (int32_t c = c0; c <= c1; c++)
            for (int32_t k = g->start[r * g->columns + c]; k < g->start[r * g->columns + c + 1]; k++)
                compare_face(mesh, g->list[k], p, &best);
    return best;
}

static throng_point middle_of(const throng_navmesh *mesh, int32_t face)
{
    throng_point sum = {0, 0};
    int32_t count = mesh->face_start[face + 1] - mesh->face_start[face];
    for (int32_t e = mesh->face_start[face]; e < mesh->face_start[face + 1]; e++) {
        sum.x += mesh->ax[e] / count;
        sum.y += mesh->ay[e] / count;
    }
    return sum;
}

/* Moves a point on the face's rim inwards until, rounded to float, the face holds it. */
static void settle(const throng_navmesh *mesh, const nearest *found, float *on_x, float *on_y)
{
    throng_point middle = middle_of(mesh, found->face), p = found->on;
    for (double by = 1e-4;; by = fmin(2 * by, 1)) {
        throng_point place = throng_navmesh_place(mesh, found->face, p);
        *on_x = (float)place.x;
        *on_y = (float)place.y;
        throng_point on = throng_navmesh_position(mesh, found->face, (throng_point){*on_x, *on_y});
        if (by >= 1 || throng_face_holds(mesh, found->face, on))
            return;
        double length = throng_distance(found->on, middle);
        p = throng_between(found->on, middle, length > by ? by / length : 1);
    }
}

static int32_t beside_pillar(const throng_navmesh *mesh, throng_point p, double reach, float *on_x, float *on_y)
{
    throng_point on = p;
    if (!throng_navmesh_beside_pillar(mesh, &on) || throng_distance(p, on) > reach)
        return -1;
    *on_x = (float)on.x;
    *on_y = (float)on.y;
    return throng_navmesh_face_at(mesh, *on_x, *on_y);
}

int32_t throng_navmesh_nearest(const throng_navmesh *mesh, float x, float y, float reach, float *on_x, float *on_y)
{
    int32_t face = throng_navmesh_face_at(mesh, x, y);
    if (face >= 0 || !isfinite(x) || !isfinite(y) || !(reach >= 0)) {
        *on_x = x;
        *on_y = y;
        return face;
    }
    if (throng_navmesh_in_pillar(mesh, (throng_point){x, y}))
        return beside_pillar(mesh, (throng_point){x, y}, reach, on_x, on_y);
    nearest found = {-1, 0, {0, 0}};
    for (double within = fmin(reach, mesh->grid->cell); found.face < 0; within *= 2) {
        found = search_within(mesh, (throng_point){x, y}, fmin(within, reach));
        if (within >= reach)
            break;
    }
    if (found.face >= 0)
        settle(mesh, &found, on_x, on_y);
    return found.face;
}

throng_point throng_navmesh_position_near(const throng_navmesh *mesh, throng_point place)
{
    float x, y;
    if (!mesh->sheet)
        return place;
    int32_t face = throng_navmesh_nearest(mesh, (float)place.x, (float)place.y, INFINITY, &x, &y);
    return face < 0 ? place : throng_navmesh_position(mesh, face, place);
}
