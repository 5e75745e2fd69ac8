/* The map's rings as wall segments, and the grid that finds those near a point. */
#include <math.h>
#include <stdlib.h>

#include "world_parts.h"

enum { WALL_CELLS_MAX = 1 << 22 };

typedef struct wall_arrays {
    float *ax, *ay, *bx, *by, *dx, *dy;
    int32_t *next, *previous, *convex;
} wall_arrays;

void throng_world_free_walls(throng_world *world)
{
    throng_walls *w = &world->walls;
    const void *blocks[] = {w->ax,   w->ay,       w->bx,     w->by,    w->dx,  w->dy,
                            w->next, w->previous, w->convex, w->start, w->list};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free((void *)blocks[i]);
    *w = (throng_walls){0};
}

static bool allocate_segments(throng_walls *w, wall_arrays *a, int32_t count)
{
    size_t n = (size_t)count;
    w->ax = a->ax = malloc(n * sizeof(float));
    w->ay = a->ay = malloc(n * sizeof(float));
    w->bx = a->bx = malloc(n * sizeof(float));
    w->by = a->by = malloc(n * sizeof(float));
    w->dx = a->dx = malloc(n * sizeof(float));
    w->dy = a->dy = malloc(n * sizeof(float));
    w->next = a->next = malloc(n * sizeof(int32_t));
    w->previous = a->previous = malloc(n * sizeof(int32_t));
    w->convex = a->convex = malloc(n * sizeof(int32_t));
    return a->ax && a->ay && a->bx && a->by && a->dx && a->dy && a->next && a->previous && a->convex;
}

/* Rings have the free side on their left, walls the solid side: each ring is taken backwards. */
static void fill_ring(wall_arrays *a, const throng_point *points, int32_t count, int32_t base)
{
    for (int32_t i = 0; i < count; i++) {
        const throng_point *from = &points[count - 1 - i], *to = &points[(2 * count - 2 - i) % count];
        int32_t s = base + i;
        a->ax[s] = (float)from->x;
        a->ay[s] = (float)from->y;
        a->bx[s] = (float)to->x;
        a->by[s] = (float)to->y;
        float ex = a->bx[s] - a->ax[s], ey = a->by[s] - a->ay[s];
        float scale = 1.0f / sqrtf(ex * ex + ey * ey);
        a->dx[s] = ex * scale;
        a->dy[s] = ey * scale;
        a->next[s] = base + (i + 1) % count;
        a->previous[s] = base + (i + count - 1) % count;
    }
    for (int32_t s = base; s < base + count; s++) {
        int32_t p = a->previous[s];
        float turn = (a->ax[s] - a->ax[p]) * (a->by[s] - a->ay[s]) - (a->ay[s] - a->ay[p]) * (a->bx[s] - a->ax[s]);
        a->convex[s] = turn >= 0;
    }
}

/* --- the grid ------------------------------------------------------------------------- */

static double segment_distance(const throng_walls *w, int32_t s, double x, double y)
{
    double ax = w->ax[s], ay = w->ay[s], ex = w->bx[s] - ax, ey = w->by[s] - ay;
    double t = ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(ax + t * ex - x, ay + t * ey - y);
}

static int32_t clamp_cell(double position, double origin, double cell, int32_t count)
{
    double c = floor((position - origin) / cell);
    return c < 0 ? 0 : c >= count ? count - 1 : (int32_t)c;
}

/* Calls for every (cell, segment) that come within reach of each other: counts into `start`, or fills `list`. */
static void visit_cells(const throng_walls *w, int32_t *start, int32_t *list)
{
    double far = w->reach + w->cell * 0.7072;
    for (int32_t s = 0; s < w->count; s++) {
        double x0 = fmin(w->ax[s], w->bx[s]) - w->reach, x1 = fmax(w->ax[s], w->bx[s]) + w->reach;
        double y0 = fmin(w->ay[s], w->by[s]) - w->reach, y1 = fmax(w->ay[s], w->by[s]) + w->reach;
        int32_t c0 = clamp_cell(x0, w->origin_x, w->cell, w->columns),
                c1 = clamp_cell(x1, w->origin_x, w->cell, w->columns);
        int32_t r0 = clamp_cell(y0, w->origin_y, w->cell, w->rows), r1 = clamp_cell(y1, w->origin_y, w->cell, w->rows);
        for (int32_t r = r0; r <= r1; r++)
            for (int32_t c = c0; c <= c1; c++) {
                double x = w->origin_x + (c + 0.5) * w->cell, y = w->origin_y + (r + 0.5) * w->cell;
                if (segment_distance(w, s, x, y) > far)
                    continue;
                int32_t cell = r * w->columns + c;
                if (list)
                    list[start[cell]] = s;
                start[cell]++;
            }
    }
}

static bool build_grid(throng_walls *w, const throng_bounds *b, float reach)
{
    double width = b->x1 - b->x0 + 2 * reach, height = b->y1 - b->y0 + 2 * reach;
    double cell = fmax(1, reach / 2);
    while (width / cell * (height / cell) > WALL_CELLS_MAX)
        cell *= 2;
    w->cell = (float)cell;
    w->reach = reach;
    w->origin_x = (float)(b->x0 - reach);
    w->origin_y = (float)(b->y0 - reach);
    w->columns = (int32_t)(width / cell) + 2;
    w->rows = (int32_t)(height / cell) + 2;
    size_t cells = (size_t)w->columns * (size_t)w->rows;
    int32_t *start = calloc(cells + 1, sizeof *start);
    w->start = start;
    if (!start)
        return false;
    visit_cells(w, start, NULL);
    int32_t total = 0;
    for (size_t c = 0; c <= cells; c++) {
        int32_t here = start[c];
        start[c] = total;
        total += here;
    }
    int32_t *list = malloc(((size_t)total + 1) * sizeof *list);
    w->list = list;
    if (!list)
        return false;
    visit_cells(w, start, list); /* moves each start to its cell's end: where the next one starts */
    for (size_t c = cells; c > 0; c--)
        start[c] = start[c - 1];
    start[0] = 0;
    return true;
}

static int32_t count_shut(const throng_world *world)
{
    int32_t count = 0;
    for (int32_t d = 0; d < world->map->door_count; d++)
        count += world->door_shut[d];
    return count;
}

/* A closed door is a ring of its two sides. */
static void fill_doors(wall_arrays *a, const throng_world *world, int32_t base)
{
    for (int32_t d = 0; d < world->map->door_count; d++) {
        if (!world->door_shut[d])
            continue;
        throng_point ends[] = {world->map->doors[d].a, world->map->doors[d].b};
        fill_ring(a, ends, 2, base);
        base += 2;
    }
}

bool throng_world_build_walls(throng_world *world, float reach, throng_error *error)
{
    const throng_map *map = world->map;
    throng_world_free_walls(world);
    throng_walls *w = &world->walls;
    wall_arrays arrays;
    if (!map->point_count)
        return true;
    w->count = map->point_count + 2 * count_shut(world);
    if (!allocate_segments(w, &arrays, w->count))
        return throng_fail(error, "out of memory for the %d walls of %s", w->count, map->name);
    for (int32_t r = 0; r < map->ring_count; r++)
        fill_ring(&arrays, map->points + map->ring_start[r], map->ring_start[r + 1] - map->ring_start[r],
                  map->ring_start[r]);
    fill_doors(&arrays, world, map->point_count);
    if (!build_grid(w, &map->bounds, reach))
        return throng_fail(error, "out of memory for the grid over the %d walls of %s", w->count, map->name);
    world->walls_reach = reach;
    return world->stages.api->set_walls(world->stages.backend, w, error);
}
