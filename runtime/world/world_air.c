/* The air over the map: what behaviour programs read of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "map/map_sheets.h"
#include "world_parts.h"

enum { MOST_POINTS = 1 << 20 };

void throng_world_free_air(throng_world *w) { free(w->air.value); }

/* --- the grid ------------------------------------------------------------------------------- */

/* The last coordinate before `least` that is whole cells from the anchor. */
static double begin(double least, double anchor, double cell)
{
    return anchor + floor((least - anchor) / cell + 1e-9) * cell;
}

bool throng_world_make_air(throng_world *w, double cell, throng_point anchor, int32_t layers, throng_error *error)
{
    if (!w->map || w->map->open)
        return throng_fail(error,
                           "a world without the bounds of a map has no grid to give it on: give a number, the same "
                           "everywhere");
    if (layers < throng_world_air_read(w))
        return throng_fail(error, "behaviour functions read %d layers of the air that there was, and now there are %d",
                           throng_world_air_read(w), layers);
    const throng_bounds *b = &w->map->bounds;
    throng_point first = {begin(b->x0, anchor.x, cell), begin(b->y0, anchor.y, cell)};
    double columns = ceil((b->x1 - first.x) / cell) + 1, rows = ceil((b->y1 - first.y) / cell) + 1;
    if (!(columns * rows <= MOST_POINTS))
        return throng_fail(error, "%.0f x %.0f points of %g m are more than %d: take larger cells", columns, rows, cell,
                           (int)MOST_POINTS);
    throng_air table = {.layers = layers,
                        .columns = (int32_t)columns,
                        .rows = (int32_t)rows,
                        .x0 = (float)first.x,
                        .y0 = (float)first.y,
                        .inverse_cell = (float)(1 / cell)};
    float *value = calloc(2 * (size_t)layers * (size_t)table.columns * (size_t)table.rows + 1, sizeof *value);
    if (!value)
        return throng_fail(error, "out of memory for %d layers of %.0f x %.0f points", layers, columns, rows);
    throng_array_abandon(w->air.value);
    table.value = value;
    w->air.value = value;
    w->air.first = first;
    w->air.cell = cell;
    w->air.table = table;
    w->air.changed = true;
    return true;
}

int32_t throng_world_air_points(const throng_world *w) { return w->air.table.columns * w->air.table.rows; }
int32_t throng_world_air_layers(const throng_world *w) { return w->air.table.layers; }

throng_point throng_world_air_point(const throng_world *w, int32_t i, int32_t *sheet, bool *inside)
{
    const throng_air *t = &w->air.table;
    throng_point place = {w->air.first.x + i % t->columns * w->air.cell, w->air.first.y + i / t->columns * w->air.cell};
    *sheet = throng_map_sheet_at(w->map, place);
    throng_point at = throng_map_position(w->map, *sheet, place);
    throng_bounds b = w->map->sheets ? w->map->sheets->list[*sheet].bounds : w->map->bounds;
    *inside = at.x >= b.x0 && at.x <= b.x1 && at.y >= b.y0 && at.y <= b.y1;
    return at;
}

static float *layer_of(const throng_world *w, int32_t moment, int32_t layer)
{
    return w->air.value + (size_t)(moment * w->air.table.layers + layer) * (size_t)throng_world_air_points(w);
}

float *throng_world_write_air(throng_world *w, int32_t moment, int32_t layer)
{
    w->air.changed = true;
    return layer_of(w, moment, layer);
}

void throng_world_advance_air(throng_world *w)
{
    size_t size = (size_t)w->air.table.layers * (size_t)throng_world_air_points(w) * sizeof(float);
    memcpy(w->air.value, layer_of(w, 1, 0), size);
    w->air.changed = true;
}

void throng_world_time_air(throng_world *w, double time, double period)
{
    w->air.table.time = (float)time;
    w->air.table.inverse_period = period > 0 ? (float)(1 / period) : 0;
    w->air.changed = true;
}

/* As kernels/behaviour/air.h, in double. */
double throng_world_air_at(const throng_world *w, int32_t layer, throng_point place)
{
    const throng_air *t = &w->air.table;
    double gx = fmin(fmax((place.x - w->air.first.x) / w->air.cell, 0), t->columns - 1);
    double gy = fmin(fmax((place.y - w->air.first.y) / w->air.cell, 0), t->rows - 1);
    int32_t c = (int32_t)gx, r = (int32_t)gy, next = c + 1 < t->columns, above = r + 1 < t->rows ? t->columns : 0;
    double part = fmin(fmax((throng_world_time(w) - (double)t->time) * (double)t->inverse_period, 0), 1), sum = 0;
    for (int32_t moment = 0; moment < 2; moment++) {
        const float *v = layer_of(w, moment, layer) + r * t->columns + c;
        double low = (double)v[0] + (gx - c) * (double)(v[next] - v[0]);
        double high = (double)v[above] + (gx - c) * (double)(v[above + next] - v[above]);
        sum += (moment ? part : 1 - part) * (low + (gy - r) * (high - low));
    }
    return sum;
}

void throng_world_show_smoke(throng_world *w, int32_t layer, double extinction)
{
    w->air.smoky = layer >= 0 || extinction > 0;
    w->air.smoke = layer;
    w->air.extinction = extinction;
}

bool throng_world_smoke_grid(const throng_world *w, int32_t *columns, int32_t *rows, throng_point *first, double *cell)
{
    bool grid = w->air.smoke >= 0;
    *columns = grid ? w->air.table.columns : 1;
    *rows = grid ? w->air.table.rows : 1;
    *first = grid ? w->air.first : (throng_point){0, 0};
    *cell = grid ? w->air.cell : 1;
    return w->air.smoky;
}

void throng_world_smoke(const throng_world *w, float *extinction)
{
    const throng_air *t = &w->air.table;
    float part = fminf(fmaxf((float)(throng_world_time(w) - (double)t->time) * t->inverse_period, 0), 1);
    if (w->air.smoke < 0) {
        extinction[0] = (float)w->air.extinction;
        return;
    }
    const float *before = layer_of(w, 0, w->air.smoke), *after = layer_of(w, 1, w->air.smoke);
    for (int32_t i = 0; i < throng_world_air_points(w); i++)
        extinction[i] = before[i] + part * (after[i] - before[i]);
}

bool throng_world_upload_air(throng_world *w, throng_error *error)
{
    if (w->air.changed && !w->stages.api->set_air(w->stages.backend, &w->air.table, error))
        return false;
    w->air.changed = false;
    return true;
}
