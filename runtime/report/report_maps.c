#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/picture_heat.h"
#include "report_parts.h"

enum { CELLS_ACROSS = 400 };

/* m: the finest cell; and how far a person's share is spread (the standard deviation of the filter): over about
 * 4 pi 0.7^2 = 6 m^2, in which one alone makes 0.3 persons/m^2, where Fruin's level A ends. */
static const double FINEST = 0.5, SPREAD = 0.7;

static void describe(const throng_report_maps *maps, const throng_map *map, throng_plan_picture *plan)
{
    *plan = (throng_plan_picture){.map = map,
                                  .columns = maps->columns,
                                  .rows = maps->rows,
                                  .cell = maps->cell,
                                  .origin_x = maps->x0,
                                  .origin_y = maps->y0};
}

static bool allocate(throng_report_maps *maps, const throng_map *map)
{
    size_t cells = (size_t)maps->columns * (size_t)maps->rows;
    throng_plan_picture plan;
    describe(maps, map, &plan);
    maps->floor = calloc(cells, sizeof *maps->floor);
    maps->seconds = calloc(cells, sizeof *maps->seconds);
    maps->crowd = calloc(cells, sizeof *maps->crowd);
    maps->peak = calloc(cells, sizeof *maps->peak);
    maps->last = calloc(cells, sizeof *maps->last);
    maps->mean = calloc(cells, sizeof *maps->mean);
    maps->walked = calloc(cells, sizeof *maps->walked);
    maps->walks = calloc(cells, sizeof *maps->walks);
    if (!maps->walked || !maps->walks || !maps->floor || !maps->seconds || !maps->crowd || !maps->peak || !maps->last ||
        !maps->mean)
        return false;
    for (size_t i = 0; i < cells; i++)
        maps->last[i] = -1;
    const throng_heat_grid grid = {maps->columns, maps->rows, maps->cell, maps->x0, maps->y0};
    if (map && map->ring_count && !(maps->walls = throng_heat_walls_create(map, &grid)))
        return false;
    if (!throng_heat_floor(maps->floor, &plan, maps->walls))
        return false;
    throng_heat_smooth(maps->floor, maps->columns, maps->rows, maps->passes, maps->walls);
    return true;
}

bool throng_report_maps_init(throng_report_maps *maps, const throng_map *map, const throng_bounds *people,
                             throng_error *error)
{
    throng_bounds b = *people;
    if (map && !map->open)
        b = (throng_bounds){fmin(b.x0, map->bounds.x0), fmin(b.y0, map->bounds.y0), fmax(b.x1, map->bounds.x1),
                            fmax(b.y1, map->bounds.y1)};
    if (!(b.x1 >= b.x0))
        b = (throng_bounds){0, 0, 1, 1};
    double cell = fmax(FINEST, fmax(b.x1 - b.x0, b.y1 - b.y0) / CELLS_ACROSS), margin = 3 * cell;
    *maps = (throng_report_maps){.columns = (int32_t)ceil((b.x1 - b.x0 + 2 * margin) / cell) + 1,
                                 .rows = (int32_t)ceil((b.y1 - b.y0 + 2 * margin) / cell) + 1,
                                 .passes = (int32_t)fmax(1, round(2 * SPREAD * SPREAD / (cell * cell))),
                                 .cell = cell,
                                 .x0 = b.x0 - margin,
                                 .y0 = b.y0 - margin};
    return allocate(maps, map) || throng_fail(error, "out of memory for the density maps of the report");
}

void throng_report_maps_fini(throng_report_maps *maps)
{
    free(maps->floor);
    free(maps->seconds);
    free(maps->crowd);
    free(maps->peak);
    free(maps->last);
    free(maps->mean);
    free(maps->walked);
    free(maps->walks);
    throng_heat_walls_destroy(maps->walls);
}

/* Cells that walls cut count only what is free of them. */
static double density(const throng_report_maps *maps, size_t cell, double persons)
{
    return persons / (fmax((double)maps->floor[cell], 0.1) * maps->cell * maps->cell);
}

static size_t cell_of(const throng_report_maps *maps, throng_point place)
{
    size_t cell = (size_t)((place.y - maps->y0) / maps->cell) * (size_t)maps->columns +
                  (size_t)((place.x - maps->x0) / maps->cell);
    return maps->walls ? throng_heat_walls_cell(maps->walls, place, cell) : cell;
}

/* How fast people are, where, and among how many. */
static void add_speeds(throng_report_maps *maps, const throng_report_walk *walk)
{
    for (int32_t i = 0; i < walk->count; i++) {
        size_t cell = cell_of(maps, walk->to[walk->person[i]]);
        if (isnan(walk->speed[i]))
            continue;
        maps->walked[cell] += (float)walk->speed[i];
        maps->walks[cell] += 1;
        int k = (int)fmin(density(maps, cell, (double)maps->crowd[cell]) / THRONG_REPORT_DENSITY,
                          THRONG_REPORT_DENSITIES - 1);
        maps->dense_speed[k] += walk->speed[i];
        maps->dense[k]++;
    }
}

void throng_report_maps_add(throng_report_maps *maps, const throng_report_walk *walk, double time, double seconds)
{
    size_t cells = (size_t)maps->columns * (size_t)maps->rows;
    memset(maps->crowd, 0, cells * sizeof *maps->crowd);
    for (int32_t i = 0; i < walk->count; i++) {
        size_t cell = cell_of(maps, walk->to[walk->person[i]]);
        maps->crowd[cell] += 1;
        maps->seconds[cell] += (float)seconds;
        maps->last[cell] = (float)time;
    }
    throng_heat_smooth(maps->crowd, maps->columns, maps->rows, maps->passes, maps->walls);
    for (size_t i = 0; i < cells; i++)
        maps->peak[i] = fmaxf(maps->peak[i], maps->crowd[i]);
    add_speeds(maps, walk);
}

bool throng_report_maps_end(throng_report_maps *maps, const throng_map *map, double seconds, throng_error *error)
{
    size_t cells = (size_t)maps->columns * (size_t)maps->rows;
    throng_plan_picture plan;
    throng_heat heat;
    for (size_t i = 0; i < cells; i++)
        maps->walked[i] = maps->walks[i] > 0 ? maps->walked[i] / maps->walks[i] : -1;
    for (int k = 0; k < THRONG_REPORT_DENSITIES; k++)
        maps->dense_speed[k] = maps->dense[k] ? maps->dense_speed[k] / (double)maps->dense[k] : NAN;
    for (size_t i = 0; i < cells; i++)
        maps->peak[i] = (float)density(maps, i, (double)maps->peak[i]);
    describe(maps, map, &plan);
    plan.occupancy = maps->seconds;
    plan.seconds = fmax(seconds, 1e-9);
    if (!throng_heat_init(&heat, &plan))
        return throng_fail(error, "out of memory for the density maps of the report");
    memcpy(maps->mean, heat.density, cells * sizeof *maps->mean);
    throng_heat_fini(&heat);
    return true;
}

double throng_report_maps_top(const throng_report_maps *maps, const float *values)
{
    size_t cells = (size_t)maps->columns * (size_t)maps->rows;
    double top = 0;
    for (size_t i = 0; i < cells; i++)
        top = fmax(top, (double)values[i]);
    return top;
}

/* A byte a cell, 0 to 255 from 0 to `top`; or with gaps, where nobody was: 0 there, else 1 to 255. */
void throng_report_maps_grid(FILE *file, const char *name, const throng_report_maps *maps, const float *values,
                             double top, bool gaps)
{
    size_t cells = (size_t)maps->columns * (size_t)maps->rows;
    uint8_t *bytes = malloc(cells);
    fprintf(file, ", \"%s\": {\"top\": %.6g, \"cells\": \"", name, top);
    for (size_t i = 0; bytes && i < cells; i++) {
        double part = top > 0 ? fmax((double)values[i], 0) / top : 0;
        bytes[i] = gaps ? (uint8_t)(values[i] < 0 ? 0 : 1 + round(254 * part)) : (uint8_t)round(255 * part);
    }
    throng_report_base64(file, bytes, bytes ? cells : 0);
    free(bytes);
    fputs("\"}", file);
}

static void write_whole(FILE *file, const char *name, const throng_report_maps *maps, const float *values, bool gaps)
{
    throng_report_maps_grid(file, name, maps, values, throng_report_maps_top(maps, values), gaps);
}

void throng_report_maps_begin(FILE *file, const throng_report_maps *maps)
{
    fprintf(file, "\"grid\": {\"columns\": %d, \"rows\": %d, \"cell\": %.9g, \"x0\": %.9g, \"y0\": %.9g", maps->columns,
            maps->rows, maps->cell, maps->x0, maps->y0);
}

void throng_report_maps_write(FILE *file, const throng_report_maps *maps)
{
    throng_report_maps_begin(file, maps);
    write_whole(file, "mean", maps, maps->mean, false);
    write_whole(file, "peak", maps, maps->peak, false);
    write_whole(file, "speed", maps, maps->walked, true);
    write_whole(file, "last", maps, maps->last, true);
    fputs("}", file);
}
