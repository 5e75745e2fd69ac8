#include "wall_index.h"

#include <stdlib.h>

#include "base/watchdog.h"
#include "geometry.h"
#include "wall_widths.h"

enum { MOST_CELLS = 1 << 20 };

static int32_t *link_rings(const throng_map *map)
{
    int32_t *next = malloc(((size_t)map->point_count + 1) * sizeof *next);
    for (int32_t r = 0; next && r < map->ring_count; r++)
        for (int32_t i = map->ring_start[r]; i < map->ring_start[r + 1]; i++)
            next[i] = i + 1 < map->ring_start[r + 1] ? i + 1 : map->ring_start[r];
    return next;
}

static void size_grid(throng_wall_index *index, const throng_map *map)
{
    double width = map->bounds.x1 - map->bounds.x0, height = map->bounds.y1 - map->bounds.y0;
    index->origin_x = map->bounds.x0;
    index->origin_y = map->bounds.y0;
    index->cell = fmax(1, sqrt(width * height / MOST_CELLS));
    index->cell = fmax(index->cell, fmax(width, height) / MOST_CELLS);
    index->columns = (int32_t)(width / index->cell) + 1;
    index->rows = (int32_t)(height / index->cell) + 1;
}

typedef struct visitor {
    const throng_wall_index *index;
    int32_t *count; /* [cells + 1], or the places to write to */
    int32_t *list;  /* NULL while counting */
} visitor;

static void visit(visitor *v, int32_t bin, int32_t segment)
{
    if (v->list)
        v->list[v->count[bin]] = segment;
    v->count[bin]++;
}

static throng_bounds cell_box(const throng_wall_index *index, int32_t column, int32_t row)
{
    /* a hair wider, so that rounding loses no segment that runs along a cell's side */
    double hair = 1e-9 * (1 + fabs(index->origin_x) + fabs(index->origin_y) + index->cell);
    double x = index->origin_x + column * index->cell, y = index->origin_y + row * index->cell;
    return (throng_bounds){x - hair, y - hair, x + index->cell + hair, y + index->cell + hair};
}

static void visit_segment(visitor *v, visitor *by_row, int32_t segment, throng_point a, throng_point b)
{
    const throng_wall_index *g = v->index;
    int32_t c0 = throng_cell_of(fmin(a.x, b.x) - 1e-6, g->origin_x, g->cell, g->columns);
    int32_t c1 = throng_cell_of(fmax(a.x, b.x) + 1e-6, g->origin_x, g->cell, g->columns);
    int32_t r0 = throng_cell_of(fmin(a.y, b.y) - 1e-6, g->origin_y, g->cell, g->rows);
    int32_t r1 = throng_cell_of(fmax(a.y, b.y) + 1e-6, g->origin_y, g->cell, g->rows);
    for (int32_t r = r0; r <= r1; r++) {
        visit(by_row, r, segment);
        for (int32_t c = c0; c <= c1; c++)
            if (throng_segment_in_box(a, b, cell_box(g, c, r)))
                visit(v, r * g->columns + c, segment);
    }
}

static bool visit_all(visitor *v, visitor *by_row, const throng_map *map)
{
    for (int32_t i = 0; i < map->point_count; i++) {
        if (throng_given_up_at(i))
            return false;
        visit_segment(v, by_row, i, map->points[i], map->points[v->index->next[i]]);
    }
    return true;
}

/* Counts become the places where each bin starts; returns the sum. */
static int32_t starts_of(int32_t *count, int32_t bins)
{
    int32_t sum = 0;
    for (int32_t i = 0; i <= bins; i++) {
        int32_t here = count[i];
        count[i] = sum;
        sum += i < bins ? here : 0;
    }
    return sum;
}

/* Writing moved every start to its bin's end: the bins' starts, one to the right. */
static void shift_back(int32_t *start, int32_t bins)
{
    for (int32_t i = bins; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
}

static bool fill_grid(throng_wall_index *index, const throng_map *map)
{
    int32_t cells = index->columns * index->rows;
    index->start = calloc((size_t)cells + 1, sizeof(int32_t));
    index->row_start = calloc((size_t)index->rows + 1, sizeof(int32_t));
    if (!index->next || !index->start || !index->row_start)
        return false;
    visitor v = {index, index->start, NULL}, by_row = {index, index->row_start, NULL};
    if (!visit_all(&v, &by_row, map))
        return false;
    index->list = malloc(((size_t)starts_of(index->start, cells) + 1) * sizeof(int32_t));
    index->row_list = malloc(((size_t)starts_of(index->row_start, index->rows) + 1) * sizeof(int32_t));
    if (!index->list || !index->row_list)
        return false;
    v.list = index->list;
    by_row.list = index->row_list;
    if (!visit_all(&v, &by_row, map))
        return false;
    shift_back(index->start, cells);
    shift_back(index->row_start, index->rows);
    return true;
}

throng_wall_index *throng_wall_index_create(const throng_map *map)
{
    throng_wall_index *index = calloc(1, sizeof *index);
    if (!index)
        return NULL;
    size_grid(index, map);
    index->next = link_rings(map);
    index->width_at_start = calloc((size_t)map->point_count + 1, sizeof(float));
    index->width_at_end = calloc((size_t)map->point_count + 1, sizeof(float));
    if (index->width_at_start && index->width_at_end && fill_grid(index, map) && throng_wall_widths_fill(map, index))
        return index;
    throng_wall_index_destroy(index);
    return NULL;
}

void throng_wall_index_destroy(throng_wall_index *index)
{
    if (!index)
        return;
    free(index->next);
    free(index->start);
    free(index->list);
    free(index->row_start);
    free(index->row_list);
    free(index->width_at_start);
    free(index->width_at_end);
    free(index);
}

/* Crossings of a ray to the right, counted over the segments of the point's row. */
static bool point_free(const throng_map *map, throng_point p)
{
    const throng_wall_index *g = map->walls;
    if (!(p.x >= map->bounds.x0 && p.x <= map->bounds.x1 && p.y >= map->bounds.y0 && p.y <= map->bounds.y1))
        return map->open && isfinite(p.x) && isfinite(p.y);
    int32_t row = throng_cell_of(p.y, g->origin_y, g->cell, g->rows);
    bool odd = false;
    for (int32_t k = g->row_start[row]; k < g->row_start[row + 1]; k++) {
        throng_point a = map->points[g->row_list[k]], b = map->points[g->next[g->row_list[k]]];
        odd ^= throng_ray_crosses(p, a, b);
    }
    return odd != map->open;
}

/* m: from the point to the nearest wall, `reach` when none is that near. */
static double wall_distance(const throng_map *map, throng_point from, double reach)
{
    const throng_wall_index *g = map->walls;
    if (!(reach > 0) || map->point_count == 0)
        return reach;
    int32_t c0 = throng_cell_of(from.x - reach, g->origin_x, g->cell, g->columns);
    int32_t c1 = throng_cell_of(from.x + reach, g->origin_x, g->cell, g->columns);
    int32_t r0 = throng_cell_of(from.y - reach, g->origin_y, g->cell, g->rows);
    int32_t r1 = throng_cell_of(from.y + reach, g->origin_y, g->cell, g->rows);
    double nearest = reach;
    for (int32_t r = r0; r <= r1; r++)
        for (int32_t c = c0; c <= c1; c++)
            for (int32_t k = g->start[r * g->columns + c]; k < g->start[r * g->columns + c + 1]; k++) {
                int32_t i = g->list[k];
                nearest = fmin(nearest, throng_segment_distance(map->points[i], map->points[g->next[i]], from));
            }
    return nearest;
}

bool throng_map_fits(const throng_map *map, throng_point centre, double radius)
{
    return point_free(map, centre) && wall_distance(map, centre, radius) >= radius;
}
