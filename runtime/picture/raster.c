#include "raster.h"

#include <math.h>
#include <stdlib.h>

/* Spreads the strip between x0 and x1 of one row, `height` high (negative when
 * the edge runs up), over its cells: everything right of the edge is covered. */
static void add_strip(float *row, double x0, double x1, double height)
{
    int32_t first = (int32_t)x0, last = (int32_t)ceil(x1);
    if (last <= first + 1) {
        double right = 0.5 * (x0 + x1) - first; /* part of the first cell left of the edge */
        row[first] += (float)(height * (1 - right));
        row[first + 1] += (float)(height * right);
        return;
    }
    double slope = 1 / (x1 - x0), before = 0;
    for (int32_t i = first; i < last; i++) {
        double from = fmax(x0, i), to = fmin(x1, i + 1);
        double inside = slope * (to - from) * (i + 1 - 0.5 * (from + to)) + slope * (from - x0);
        row[i] += (float)(height * (inside - before));
        before = inside;
    }
    row[last] += (float)(height * (1 - before));
}

static double clamp(double x, double low, double high) { return x > high ? high : x > low ? x : low; /* low for NaN */ }

static void add_edge(float *sums, int32_t columns, int32_t rows, throng_point a, throng_point b)
{
    double sign = a.y < b.y ? 1 : -1;
    throng_point top = a.y < b.y ? a : b, low = a.y < b.y ? b : a;
    double slope = (low.x - top.x) / (low.y - top.y);
    int32_t y0 = (int32_t)clamp(floor(top.y), 0, rows), y1 = (int32_t)clamp(ceil(low.y), 0, rows);
    for (int32_t y = y0; y < y1; y++) {
        double from = fmax(top.y, y), to = fmin(low.y, y + 1);
        double x0 = clamp(top.x + (from - top.y) * slope, 0, columns);
        double x1 = clamp(top.x + (to - top.y) * slope, 0, columns);
        add_strip(sums + (size_t)y * (size_t)(columns + 2), fmin(x0, x1), fmax(x0, x1), sign * (to - from));
    }
}

static void grow_cells(throng_cells *cells, throng_point p, int32_t columns, int32_t rows)
{
    int32_t x = (int32_t)clamp(floor(p.x), 0, columns), y = (int32_t)clamp(floor(p.y), 0, rows);
    cells->x0 = x < cells->x0 ? x : cells->x0;
    cells->y0 = y < cells->y0 ? y : cells->y0;
    cells->x1 = x + 1 > cells->x1 ? x + 1 : cells->x1;
    cells->y1 = y + 1 > cells->y1 ? y + 1 : cells->y1;
}

throng_cells throng_raster_edges(float *sums, int32_t columns, int32_t rows, const throng_outline *outline)
{
    throng_cells cells = {columns, rows, 0, 0};
    for (int32_t c = 0; c < outline->count; c++) {
        int32_t first = outline->start[c], end = outline->start[c + 1];
        for (int32_t i = first; i < end; i++) {
            throng_point a = outline->points[i], b = outline->points[i + 1 < end ? i + 1 : first];
            grow_cells(&cells, a, columns, rows);
            if (a.y != b.y)
                add_edge(sums, columns, rows, a, b);
        }
    }
    cells.x1 = cells.x1 < columns ? cells.x1 : columns;
    cells.y1 = cells.y1 < rows ? cells.y1 : rows;
    return cells;
}

void throng_raster_row(float *sums, float *coverage, int32_t columns)
{
    double winding = 0;
    for (int32_t x = 0; x < columns; x++) {
        winding += sums[x];
        double odd = fabs(winding - 2 * floor(winding / 2 + 0.5)); /* distance to the nearest even number */
        coverage[x] = odd < 1e-3 ? 0 : (float)odd;
        sums[x] = 0;
    }
    sums[columns] = sums[columns + 1] = 0;
}

bool throng_raster_cover(float *coverage, int32_t columns, int32_t rows, const throng_outline *outline)
{
    size_t stride = (size_t)columns + 2;
    float *sums = calloc(stride * (size_t)rows, sizeof *sums);
    if (!sums)
        return false;
    throng_raster_edges(sums, columns, rows, outline);
    for (int32_t y = 0; y < rows; y++)
        throng_raster_row(sums + (size_t)y * stride, coverage + (size_t)y * (size_t)columns, columns);
    free(sums);
    return true;
}
