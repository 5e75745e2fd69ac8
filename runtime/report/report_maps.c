#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/geometry.h"
#include "picture/picture_heat.h"
#include "picture/picture_style.h"
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
    maps->still = calloc(cells, sizeof *maps->still);
    maps->mean = calloc(cells, sizeof *maps->mean);
    maps->walked = calloc(cells, sizeof *maps->walked);
    maps->walks = calloc(cells, sizeof *maps->walks);
    if (!maps->still || !maps->walked || !maps->walks || !maps->floor || !maps->seconds || !maps->crowd ||
        !maps->peak || !maps->last || !maps->mean)
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
    free(maps->still);
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

/* Somebody was on all of the way from where it was in the frame before, `seconds` ago. */
static void pass(throng_report_maps *maps, const throng_report_walk *walk, int32_t i, double time, double seconds)
{
    throng_point from = walk->from[walk->person[i]], to = walk->to[walk->person[i]];
    double way = isnan(walk->speed[i]) ? 0 : throng_distance(from, to);
    int32_t parts = (int32_t)ceil(2 * way / maps->cell) + 1;
    for (int32_t k = 1; k <= parts; k++) {
        double part = (double)k / parts;
        size_t cell = cell_of(maps, way > 0 ? throng_between(from, to, part) : to);
        maps->last[cell] = fmaxf(maps->last[cell], (float)(time - (1 - part) * seconds));
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
        pass(maps, walk, i, time, seconds);
    }
    throng_heat_smooth(maps->crowd, maps->columns, maps->rows, maps->passes, maps->walls);
    for (size_t i = 0; i < cells; i++)
        maps->peak[i] = fmaxf(maps->peak[i], maps->crowd[i]);
    add_speeds(maps, walk);
}

/* The latest of a cell and of those beside it that its middle sees. */
static float latest_near(const throng_report_maps *maps, const float *last, int32_t column, int32_t row)
{
    throng_point middle = {maps->x0 + (column + 0.5) * maps->cell, maps->y0 + (row + 0.5) * maps->cell};
    float latest = -1;
    for (int32_t r = row - 1; r <= row + 1; r++)
        for (int32_t c = column - 1; c <= column + 1; c++)
            if (c >= 0 && r >= 0 && c < maps->columns && r < maps->rows && last[r * maps->columns + c] > latest &&
                (!maps->walls || throng_heat_walls_sees(maps->walls, middle, c, r)))
                latest = last[r * maps->columns + c];
    return latest;
}

/* A place is empty when nobody is within a cell of it: people walk lines, and leave rooms by a few. */
static void spread_last(throng_report_maps *maps)
{
    size_t cells = (size_t)maps->columns * (size_t)maps->rows;
    float *last = maps->crowd; /* is not needed any more */
    memcpy(last, maps->last, cells * sizeof *last);
    for (int32_t r = 0; r < maps->rows; r++)
        for (int32_t c = 0; c < maps->columns; c++)
            if (maps->floor[r * maps->columns + c] > 0.02F)
                maps->last[r * maps->columns + c] = latest_near(maps, last, c, r);
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
    spread_last(maps);
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

double throng_report_maps_step(const throng_report_maps *maps)
{
    return throng_style_round_up(fmax(throng_report_maps_top(maps, maps->last), 0.1) / 7);
}

void throng_report_maps_emptied(const throng_report_maps *maps, double areas[THRONG_REPORT_CLASSES + 1])
{
    double step = throng_report_maps_step(maps);
    for (int32_t i = 0; i < maps->columns * maps->rows; i++)
        if (maps->last[i] >= 0) {
            int k = maps->still[i] ? THRONG_REPORT_CLASSES : (int)((double)maps->last[i] / step);
            areas[k] += fmin((double)maps->floor[i], 1) * maps->cell * maps->cell;
        }
}

void throng_report_maps_stay(throng_report_maps *maps, throng_point place) { maps->still[cell_of(maps, place)] = 1; }

/* How classes of its legend are, and in which cells somebody was still at the end. */
static void write_last(FILE *file, const throng_report_maps *maps)
{
    const char *between = "";
    write_whole(file, "last", maps, maps->last, true);
    fprintf(file, ", \"emptied\": {\"step\": %.6g, \"still\": [", throng_report_maps_step(maps));
    for (int32_t i = 0; i < maps->columns * maps->rows; i++)
        if (maps->still[i]) {
            fprintf(file, "%s%d", between, i);
            between = ",";
        }
    fputs("]}", file);
}

void throng_report_maps_write(FILE *file, const throng_report_maps *maps)
{
    throng_report_maps_begin(file, maps);
    write_whole(file, "mean", maps, maps->mean, false);
    write_whole(file, "peak", maps, maps->peak, false);
    write_whole(file, "speed", maps, maps->walked, true);
    write_last(file, maps);
    fputs("}", file);
}
