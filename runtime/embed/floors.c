/* Floors of buildings, and paths over them. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "map/map_sheets.h"
#include "navigation/path_floors.h"
#include "navigation/path_lifts.h"
#include "sim.h"

static const throng_map_sheets *sheets_of(const throng_sim *sim)
{
    const throng_map *map = throng_world_map(sim->world);
    return map ? map->sheets : NULL;
}

int32_t throng_sim_floor_count(const throng_sim *sim)
{
    const throng_map_sheets *sheets = sheets_of(sim);
    return sheets ? sheets->count : 0;
}

const char *throng_sim_floor_name(const throng_sim *sim, int32_t floor)
{
    return floor >= 0 && floor < throng_sim_floor_count(sim) ? sheets_of(sim)->list[floor].name : NULL;
}

int32_t throng_sim_floor_named(const throng_sim *sim, const char *name)
{
    int32_t count = throng_sim_floor_count(sim), floor = 0;
    while (floor < count && (!name || strcmp(throng_sim_floor_name(sim, floor), name) != 0))
        floor++;
    return floor < count ? floor : -1;
}

double throng_sim_height(const throng_sim *sim, throng_place place)
{
    if (!throng_sim_floor_name(sim, place.floor))
        return 0;
    return throng_map_height(throng_world_map(sim->world), place.floor, (throng_point){place.x, place.y});
}

bool throng_floor_check(const throng_sim *sim, int32_t floor, throng_message *message)
{
    int32_t count = throng_sim_floor_count(sim);
    return (floor >= 0 && floor < count) || (floor == 0 && count == 0) ||
           throng_fail((throng_error *)message, "there is no floor %d: throng_sim_floor_named gives the numbers",
                       (int)floor);
}

/* ---- paths */

/* The first path for a radius makes a mesh, which the world goes on with: an input. */
static bool know_radius(throng_sim *sim, double radius, throng_message *message)
{
    for (int32_t i = 0; i < sim->radius_count; i++)
        if (sim->radii[i] == radius)
            return true;
    if (!throng_array_reserve((void **)&sim->radii, &sim->radius_room, (int64_t)sim->radius_count + 1,
                              sizeof *sim->radii))
        return throng_fail((throng_error *)message, "out of memory");
    sim->radii[sim->radius_count++] = radius;
    throng_inputs_begin(&sim->inputs, THRONG_INPUT_RADIUS);
    throng_inputs_put(&sim->inputs, &radius, sizeof radius);
    return throng_inputs_end(&sim->inputs, true);
}

/* Into `*path`, which has no corners when there is no way; false: memory is out. */
static bool find_path(throng_sim *sim, const throng_navmesh *mesh, throng_place from, throng_place to,
                      throng_path *path)
{
    const throng_map *map = throng_world_map(sim->world);
    throng_point start = throng_map_place(map, from.floor, (throng_point){from.x, from.y}),
                 goal = throng_map_place(map, to.floor, (throng_point){to.x, to.y});
    int32_t left = INT32_MAX;
    *path = (throng_path){0};
    if (mesh->lifts)
        return throng_path_by_lifts(sim->search, mesh, map, start, goal, path);
    throng_path_search_begin(sim->search, mesh, start, goal);
    throng_path_state state = throng_path_search_step(sim->search, &left);
    if (state != THRONG_PATH_FOUND)
        return state == THRONG_PATH_NONE;
    return throng_path_on_floors(map, throng_map_sheet_at(map, start), throng_map_sheet_at(map, goal),
                                 throng_path_search_path(sim->search), path);
}

bool throng_sim_path(throng_sim *sim, throng_place from, throng_place to, double radius, throng_place *corners,
                     int32_t most, int32_t *count, double *length, throng_message *message)
{
    throng_error error;
    throng_path path;
    *count = 0;
    *length = INFINITY;
    if (!throng_idle_check(sim, __func__, message) || !throng_floor_check(sim, from.floor, message) ||
        !throng_floor_check(sim, to.floor, message))
        return false;
    const throng_navmesh *mesh = throng_world_navmesh(sim->world, radius, &error);
    if (!mesh)
        return throng_fail((throng_error *)message, "%s", error.text);
    if (!know_radius(sim, radius, message))
        return false;
    if ((!sim->search && !(sim->search = throng_path_search_create())) || !find_path(sim, mesh, from, to, &path))
        return throng_fail((throng_error *)message, "out of memory");
    for (int32_t i = 0; i < path.count && i < most; i++)
        corners[i] = (throng_place){path.corners[i].x, path.corners[i].y, path.sheets ? path.sheets[i] : 0};
    *count = path.count;
    *length = path.count ? path.length : INFINITY;
    throng_path_fini(&path);
    return true;
}
