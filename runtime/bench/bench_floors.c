/* throng bench floors: the people of one floor, or of the storeys of a tower, at the same density. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "map/building.h"
#include "world/world.h"

#define PERSON_ROOM   1.0 /* m^2 of floor for each */
#define RISE          3.0 /* m */
#define FLIGHT_LENGTH 6.0 /* m, on the plan */
#define FLIGHT_WIDTH  2.0 /* m */

enum { WELLS = 2 }; /* of stairs, a flight over the other */

const throng_bench_storeys throng_bench_towers[] = {{10000, 1}, {10000, 40}, {1000000, 1}, {1000000, 100}, {0, 0}};

/* m: of the strips along two walls of a floor where the wells are. Nobody begins there or walks there. */
static double strip_of(int32_t storeys) { return storeys > 1 ? FLIGHT_WIDTH : 0; }

/* m: of a square floor that has so much room between the strips. */
static double side_of(int32_t agents, int32_t storeys)
{
    double strip = strip_of(storeys);
    return strip + sqrt(strip * strip + PERSON_ROOM * agents / storeys);
}

/* The floor between its strips, as a rectangle. */
static void between(double side, double strip, throng_point from, throng_point corner[4])
{
    const throng_point at[] = {{0, strip}, {side, strip}, {side, side - strip}, {0, side - strip}};
    for (int i = 0; i < 4; i++)
        corner[i] = (throng_point){from.x + at[i].x, from.y + at[i].y};
}

static throng_map *make_floor(double side, throng_error *error)
{
    throng_point corner[4];
    const throng_point *ring[] = {corner};
    const int32_t four = 4;
    between(side, 0, (throng_point){0, 0}, corner);
    return throng_map_from_polygons("floor", ring, &four, 1, NULL, NULL, 0, error);
}

/* In each well a flight from every floor to the next. */
static void furnish(const throng_map *map, double side, int32_t storeys, char (*names)[32], throng_floor_plan *floors,
                    throng_flight_plan *flights)
{
    for (int32_t f = 0; f < storeys; f++) {
        snprintf(names[f], sizeof names[f], "floor %d", f);
        floors[f] = (throng_floor_plan){.name = names[f], .map = map, .z = RISE * f};
    }
    for (int32_t i = 0; i < WELLS * (storeys - 1); i++) {
        snprintf(names[storeys + i], sizeof names[i], "stairs %d", i);
        flights[i] = throng_flight_plan_default(THRONG_SHEET_STAIRS);
        flights[i].name = names[storeys + i];
        flights[i].from = i / WELLS;
        flights[i].to = i / WELLS + 1;
        flights[i].at =
            (throng_point){0.5 * (side - FLIGHT_LENGTH), i % WELLS ? side - 0.5 * FLIGHT_WIDTH : 0.5 * FLIGHT_WIDTH};
        flights[i].length = FLIGHT_LENGTH;
        flights[i].width = FLIGHT_WIDTH;
    }
}

static throng_map *make_tower(const throng_map *map, double side, int32_t storeys, throng_error *error)
{
    int32_t count = WELLS * (storeys - 1);
    char(*names)[32] = calloc((size_t)(storeys + count), sizeof *names);
    throng_floor_plan *floors = calloc((size_t)storeys, sizeof *floors);
    throng_flight_plan *flights = calloc((size_t)count, sizeof *flights);
    throng_map *tower = NULL;
    if (names && floors && flights) {
        furnish(map, side, storeys, names, floors, flights);
        tower = throng_map_build_building("tower", &(throng_building_plan){floors, flights, NULL, storeys, count, 0},
                                          error);
    } else
        throng_fail(error, "out of memory for a tower of %d storeys", storeys);
    free(names);
    free(floors);
    free(flights);
    return tower;
}

static throng_map *make_map(double side, int32_t storeys, throng_error *error)
{
    throng_map *map = make_floor(side, error);
    if (!map || storeys == 1)
        return map;
    throng_map *tower = make_tower(map, side, storeys, error);
    throng_map_destroy(map);
    return tower;
}

/* Anywhere on the floors, and nowhere on the stairs. */
static bool spawn(throng_world *world, const throng_map *map, const throng_bench_def *def, double side, int32_t storeys,
                  throng_handle *handles, throng_error *error)
{
    throng_spawn_def crowd = throng_spawn_def_default();
    throng_region *areas = calloc((size_t)storeys, sizeof *areas);
    throng_point(*corners)[4] = calloc((size_t)storeys, sizeof *corners);
    for (int32_t f = 0; areas && corners && f < storeys; f++) {
        between(side, strip_of(storeys), map->sheets ? map->sheets->list[f].offset : (throng_point){0, 0}, corners[f]);
        areas[f] = (throng_region){.points = corners[f], .count = 4};
    }
    crowd.count = def->agents;
    crowd.areas = areas;
    crowd.area_count = storeys;
    crowd.planner = throng_planner_default(def->planner);
    crowd.speed.a = 1.3;
    crowd.max_speed.a = 1.6;
    bool ok = (areas && corners) || throng_fail(error, "out of memory for %d floors", storeys);
    ok = ok && throng_world_spawn(world, &crowd, handles, error);
    free(areas);
    free(corners);
    return ok;
}

/* Everybody walks straight to where another began on the same floor: the last one there that `began` knows, and the
 * first to where the last did. */
static void choose_goals(const int32_t *floor, const float *x, const float *y, const throng_bench_def *def,
                         const throng_handle *handles, int32_t *began, throng_point *goals)
{
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < def->agents; i++) {
            int32_t slot = handles[i].slot, *last = &began[floor[slot]];
            int32_t other = *last >= 0 ? *last : slot;
            goals[i] = (throng_point){(double)x[other], (double)y[other]};
            *last = slot;
        }
}

static bool send(throng_world *world, const throng_bench_def *def, int32_t storeys, const throng_handle *handles,
                 throng_point *goals, throng_error *error)
{
    const float *x, *y;
    const int32_t *floor = throng_agents_read(throng_world_agents(world), THRONG_COLUMN_floor, error);
    int32_t *began = malloc((size_t)storeys * sizeof *began);
    bool ok = floor && (began || throng_fail(error, "out of memory for %d floors", storeys)) &&
              throng_world_places(world, &x, &y, error);
    for (int32_t f = 0; ok && f < storeys; f++)
        began[f] = -1;
    if (ok)
        choose_goals(floor, x, y, def, handles, began, goals);
    free(began);
    int32_t goal = ok ? throng_world_goal_own(world, 1, error) : -1;
    goal = goal >= 0 ? throng_world_goal_direct(world, goal, error) : -1;
    return goal >= 0 && throng_world_send(world, handles, def->agents, goal, goals, error);
}

bool throng_bench_floors(const throng_bench_def *def, int32_t storeys, throng_bench_row *row, throng_error *error)
{
    char name[32];
    double side = side_of(def->agents, storeys);
    throng_world_def d = throng_world_def_default();
    throng_map *map = make_map(side, storeys, error);
    throng_handle *handles = malloc((size_t)def->agents * sizeof *handles);
    throng_point *goals = malloc((size_t)def->agents * sizeof *goals);
    d.backend = def->backend;
    d.options = def->options;
    d.map = map;
    snprintf(name, sizeof name, "floors-%d", storeys);
    bool ok = map && ((handles && goals) || throng_fail(error, "out of memory for %d agents", def->agents));
    throng_world *world = ok ? throng_world_create(&d, error) : NULL;
    ok = world && spawn(world, map, def, side, storeys, handles, error) &&
         send(world, def, storeys, handles, goals, error) && throng_bench_frames(world, name, def, row, error);
    if (!world)
        throng_map_destroy(map);
    throng_world_destroy(world);
    free(handles);
    free(goals);
    return ok;
}
