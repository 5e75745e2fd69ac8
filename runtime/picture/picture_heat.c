#include "picture_heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raster.h"

enum { PASSES = 2 };

/* One pass of a 1-2-1 filter along a row or a column; beyond the end is nothing. */
static void smooth_line(float *values, int32_t count, int32_t stride)
{
    float before = 0;
    for (int32_t i = 0; i < count; i++) {
        float here = values[(size_t)i * (size_t)stride];
        float after = i + 1 < count ? values[(size_t)(i + 1) * (size_t)stride] : 0;
        values[(size_t)i * (size_t)stride] = 0.25f * before + 0.5f * here + 0.25f * after;
        before = here;
    }
}

void throng_heat_smooth(float *grid, int32_t columns, int32_t rows, int32_t passes, const throng_heat_walls *walls)
{
    for (int32_t pass = 0; walls && pass < passes; pass++) {
        throng_heat_walls_smooth(walls, grid, true);
        throng_heat_walls_smooth(walls, grid, false);
    }
    for (int32_t pass = 0; !walls && pass < passes; pass++) {
        for (int32_t r = 0; r < rows; r++)
            smooth_line(grid + (size_t)r * (size_t)columns, columns, 1);
        for (int32_t c = 0; c < columns; c++)
            smooth_line(grid + c, rows, columns);
    }
}

bool throng_heat_floor(float *part, const throng_plan_picture *plan, const throng_heat_walls *walls)
{
    size_t cells = (size_t)plan->columns * (size_t)plan->rows;
    for (size_t i = 0; i < cells; i++)
        part[i] = 1;
    if (!plan->map)
        return true;
    throng_point *points = malloc((size_t)plan->map->point_count * sizeof *points);
    if (!points)
        return false;
    for (int32_t i = 0; i < plan->map->point_count; i++)
        points[i] = (throng_point){(plan->map->points[i].x - plan->origin_x) / plan->cell,
                                   (plan->map->points[i].y - plan->origin_y) / plan->cell};
    throng_outline outline = {points, plan->map->ring_start, plan->map->ring_count};
    bool ok = throng_raster_cover(part, plan->columns, plan->rows, &outline);
    free(points);
    for (size_t i = 0; ok && plan->map->open && i < cells; i++)
        part[i] = 1 - part[i]; /* the rings are obstacles on a plane */
    if (ok && walls)
        throng_heat_walls_floor(walls, plan->map, part);
    return ok;
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* 1, 2, 3, 4, 6 or 8 times a power of ten, at least `value`: a quarter of it, where
 * the ramp's middle tick is, stays round too. */
static double round_top(double value)
{
    static const double steps[] = {1, 2, 3, 4, 6, 8};
    double decade = pow(10, floor(log10(value)));
    for (int i = 0; i < 6; i++)
        if (value <= steps[i] * decade)
            return steps[i] * decade;
    return 10 * decade;
}

/* The dark end of the ramp: a round number near the 99th percentile of where
 * anybody was, so that one crowded corner does not pale everything else. */
static double choose_top(const float *density, size_t count, float *scratch)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (density[i] > 1e-4f)
            scratch[used++] = density[i];
    if (!used)
        return 0;
    qsort(scratch, used, sizeof *scratch, ascending);
    return round_top(scratch[(size_t)(0.99 * (double)(used - 1))]);
}

/* density = smoothed person-seconds / smoothed (floor area x seconds) */
static void divide(float *density, const float *part, size_t count, double floor_seconds)
{
    for (size_t i = 0; i < count; i++) {
        double area = fmax(part[i], 0.1) * floor_seconds;
        density[i] = isfinite(density[i]) ? (float)(density[i] / area) : 0;
    }
}

bool throng_heat_init(throng_heat *heat, const throng_plan_picture *plan)
{
    *heat = (throng_heat){.columns = plan->columns,
                          .rows = plan->rows,
                          .cell = plan->cell,
                          .origin_x = plan->origin_x,
                          .origin_y = plan->origin_y};
    if (!plan->occupancy || plan->columns < 1 || plan->rows < 1 || !(plan->seconds > 0) || !(plan->cell > 0))
        return true;
    size_t count = (size_t)plan->columns * (size_t)plan->rows;
    float *part = malloc(count * sizeof *part);
    heat->density = malloc(count * sizeof *heat->density);
    const throng_heat_grid grid = {plan->columns, plan->rows, plan->cell, plan->origin_x, plan->origin_y};
    heat->walls = plan->map && plan->map->ring_count ? throng_heat_walls_create(plan->map, &grid) : NULL;
    bool ok = heat->walls || !plan->map || !plan->map->ring_count;
    if (!part || !heat->density || !ok || !throng_heat_floor(part, plan, heat->walls)) {
        free(part);
        throng_heat_fini(heat);
        return false;
    }
    memcpy(heat->density, plan->occupancy, count * sizeof *heat->density);
    throng_heat_smooth(heat->density, plan->columns, plan->rows, PASSES, heat->walls);
    throng_heat_smooth(part, plan->columns, plan->rows, PASSES, heat->walls);
    divide(heat->density, part, count, plan->cell * plan->cell * plan->seconds);
    heat->top = choose_top(heat->density, count, part);
    free(part);
    return true;
}

void throng_heat_fini(throng_heat *heat)
{
    free(heat->density);
    throng_heat_walls_destroy(heat->walls);
    heat->density = NULL;
    heat->walls = NULL;
}

static double cell_density(const throng_heat *heat, int32_t column, int32_t row)
{
    if (column < 0 || row < 0 || column >= heat->columns || row >= heat->rows)
        return 0;
    return heat->density[(size_t)row * (size_t)heat->columns + (size_t)column];
}

static bool is_cut(const throng_heat *heat, int32_t column, int32_t row)
{
    return column >= 0 && row >= 0 && column < heat->columns && row < heat->rows &&
           throng_heat_walls_cut(heat->walls, (size_t)row * (size_t)heat->columns + (size_t)column);
}

/* Near walls: bilinear between the middles that the point sees, or else the cell that it counts for. */
static double density_beside_walls(const throng_heat *heat, throng_point p, int32_t column, int32_t row, double u,
                                   double v)
{
    double sum = 0, weights = 0;
    for (int k = 0; k < 4; k++) {
        int32_t c = column + k % 2, r = row + k / 2;
        double weight = (k % 2 ? u : 1 - u) * (k / 2 ? v : 1 - v);
        bool there = c >= 0 && r >= 0 && c < heat->columns && r < heat->rows;
        if (!there || !(weight > 0) || !throng_heat_walls_sees(heat->walls, p, c, r))
            continue;
        sum += weight * cell_density(heat, c, r);
        weights += weight;
    }
    if (weights > 1e-3)
        return sum / weights;
    int32_t c = column + (u >= 0.5), r = row + (v >= 0.5);
    if (c < 0 || r < 0 || c >= heat->columns || r >= heat->rows)
        return 0;
    size_t cell = throng_heat_walls_cell(heat->walls, p, (size_t)r * (size_t)heat->columns + (size_t)c);
    return heat->density[cell];
}

/* Bilinear between cell centres. */
static double density_at(const throng_heat *heat, double x, double y)
{
    double gx = (x - heat->origin_x) / heat->cell - 0.5, gy = (y - heat->origin_y) / heat->cell - 0.5;
    if (!(gx > -1 && gy > -1 && gx < heat->columns && gy < heat->rows))
        return 0;
    int32_t column = (int32_t)floor(gx), row = (int32_t)floor(gy);
    double u = gx - column, v = gy - row;
    if (heat->walls && (is_cut(heat, column, row) || is_cut(heat, column + 1, row) || is_cut(heat, column, row + 1) ||
                        is_cut(heat, column + 1, row + 1)))
        return density_beside_walls(heat, (throng_point){x, y}, column, row, u, v);
    double low = cell_density(heat, column, row) * (1 - u) + cell_density(heat, column + 1, row) * u;
    double high = cell_density(heat, column, row + 1) * (1 - u) + cell_density(heat, column + 1, row + 1) * u;
    return low * (1 - v) + high * v;
}

double throng_heat_shade(const throng_heat *heat, double x, double y)
{
    return heat->top > 0 ? sqrt(density_at(heat, x, y) / heat->top) : 0;
}
