#include "edit_trial.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_random.h"
#include "map/map_sheets.h"
#include "navigation/navmesh_lifts.h"

static const double BODY = 0.25, ARRIVED = 0.6; /* m */
enum { USUAL = 50 };                            /* people, where no region says how many */

static bool contains(const char *text, const char *word)
{
    for (; text && *text; text++) {
        size_t i = 0;
        while (word[i] && tolower((unsigned char)text[i]) == word[i])
            i++;
        if (!word[i])
            return true;
    }
    return false;
}

const char *throng_trial_purpose(const char *group, const char *name)
{
    if (contains(group, "spawn") || (!group && contains(name, "spawn")))
        return "spawns";
    return contains(group, "exit") || (!group && contains(name, "exit")) ? "exits" : NULL;
}

/* Copies (of the structures alone) of the regions for a purpose; returns their number. */
static int32_t regions_for(const throng_map *map, const char *purpose, throng_region *list)
{
    int32_t count = 0;
    for (int32_t i = 0; i < map->region_count; i++) {
        const char *is = throng_trial_purpose(map->regions[i].group, map->regions[i].name);
        if (is && strcmp(is, purpose) == 0)
            list[count++] = map->regions[i];
    }
    return count;
}

static double people_of(const throng_region *region, double otherwise)
{
    const throng_property *p = throng_properties_find(&region->properties, "count");
    double count = p ? strtod(p->value, NULL) : otherwise;
    return count > 0 ? count : 0;
}

/* What a region counts for that does not say it: the mean of those that do. */
static double usual_people(const throng_region *spawns, int32_t count)
{
    double sum = 0;
    int32_t said = 0;
    for (int32_t i = 0; i < count; i++)
        if (throng_properties_find(&spawns[i].properties, "count")) {
            sum += people_of(&spawns[i], 0);
            said++;
        }
    return said ? sum / said : 1;
}

/* ---- who comes */

/* So many, or as many of them as fit: parts of those who are left, ever smaller ones. */
static bool spawn(throng_trial *trial, const throng_region *areas, int32_t area_count, int32_t count,
                  throng_handle *handles, throng_error *error)
{
    throng_spawn_def def = throng_spawn_def_default();
    def.areas = areas;
    def.area_count = area_count;
    def.name = "test walkers";
    def.speed = (throng_sampler){.kind = THRONG_NORMAL, .a = 1.34, .b = 0.2};
    int32_t left = count;
    for (def.count = count; def.count > 0;) {
        if (!throng_world_spawn(trial->world, &def, handles + trial->people, error)) {
            def.count /= 2;
            continue;
        }
        trial->people += def.count;
        left -= def.count;
        def.count = left < def.count ? left : def.count;
    }
    trial->asked += count;
    return left < count || count == 0;
}

/* As many as the regions say, `most` at most, each its part. */
static bool spawn_all(throng_trial *trial, const throng_region *spawns, int32_t spawn_count, int32_t most,
                      throng_handle *handles, throng_error *error)
{
    double all = 0, so_far = 0, usual = usual_people(spawns, spawn_count);
    int32_t asked = 0;
    bool said = false;
    for (int32_t i = 0; i < spawn_count; i++) {
        all += people_of(&spawns[i], usual);
        said = said || throng_properties_find(&spawns[i].properties, "count");
    }
    double count = fmin(said ? ceil(all) : USUAL, most);
    if (all <= 0)
        return spawn(trial, NULL, 0, (int32_t)fmin(USUAL, most), handles, error);
    for (int32_t i = 0; i < spawn_count; i++) {
        so_far += people_of(&spawns[i], usual);
        int32_t until = (int32_t)floor(count * so_far / all + 0.5);
        if (!spawn(trial, &spawns[i], 1, until - asked, handles, error))
            return false;
        asked = until;
    }
    return true;
}

/* ---- where they go */

/* `joined` [components]: what is one by lifts. */
static int32_t part_of(const throng_navmesh *mesh, const int32_t *joined, throng_point p)
{
    float on_x, on_y;
    int32_t face = throng_navmesh_nearest(mesh, (float)p.x, (float)p.y, 1, &on_x, &on_y);
    return face < 0 ? -1 : joined[mesh->component[face]];
}

/* Nobody is sent to stairs, or into a lift, to stay. */
static bool is_floor(const throng_map *map, throng_point place)
{
    return !map->sheets || map->sheets->list[throng_map_sheet_at(map, place)].kind == THRONG_SHEET_FLOOR;
}

/* A place that can be reached from another; that one itself where a hundred draws found none. */
static throng_point somewhere(throng_trial *trial, const throng_navmesh *mesh, const int32_t *joined,
                              throng_point place)
{
    throng_point p;
    const throng_map *map = throng_world_map(trial->world);
    int32_t part = part_of(mesh, joined, place);
    for (int i = 0; i < 100; i++)
        if (throng_map_random_point(map, NULL, 0, BODY, ++trial->draws, &p) && is_floor(map, p) &&
            part_of(mesh, joined, p) == part)
            return p;
    return place;
}

static bool send_about(throng_trial *trial, const throng_handle *handles, int32_t count, throng_error *error)
{
    throng_agents *agents = throng_world_agents(trial->world);
    const throng_navmesh *mesh = throng_world_navmesh(trial->world, BODY, error);
    const float *x = throng_agents_read(agents, THRONG_COLUMN_x, error),
                *y = throng_agents_read(agents, THRONG_COLUMN_y, error);
    const throng_map *map = throng_world_map(trial->world);
    const int32_t *floor = map->sheets ? throng_agents_read(agents, THRONG_COLUMN_floor, error) : NULL;
    throng_point *to = malloc(((size_t)count + 1) * sizeof *to);
    int32_t *joined = malloc(((size_t)(mesh ? mesh->component_count : 0) + 1) * sizeof *joined);
    bool fine = mesh && x && y && (floor || !map->sheets);
    if (fine && !(to && joined))
        fine = throng_fail(error, "out of memory");
    if (fine)
        throng_navmesh_join_by_lifts(mesh, joined);
    for (int32_t i = 0; fine && i < count; i++) {
        int32_t s = handles[i].slot;
        throng_point place = throng_map_place(map, floor ? floor[s] : 0, (throng_point){(double)x[s], (double)y[s]});
        to[i] = somewhere(trial, mesh, joined, place);
    }
    fine = fine && throng_world_send(trial->world, handles, count, trial->goal, to, error);
    free(to);
    free(joined);
    return fine;
}

static bool set_goal(throng_trial *trial, const throng_region *exits, int32_t exit_count, throng_error *error)
{
    trial->leaving = exit_count > 0;
    trial->goal = trial->leaving ? throng_world_goal_regions(trial->world, exits, exit_count, error)
                                 : throng_world_goal_own(trial->world, ARRIVED, error);
    return trial->goal >= 0;
}

static bool people(throng_trial *trial, int32_t most, throng_error *error)
{
    const throng_map *map = throng_world_map(trial->world);
    throng_region *spawns = malloc(((size_t)map->region_count + 1) * sizeof *spawns),
                  *exits = malloc(((size_t)map->region_count + 1) * sizeof *exits);
    throng_handle *handles = malloc((size_t)most * sizeof *handles);
    bool fine = spawns && exits && handles;
    if (!fine)
        throng_fail(error, "out of memory");
    fine = fine && set_goal(trial, exits, regions_for(map, "exits", exits), error) &&
           spawn_all(trial, spawns, regions_for(map, "spawns", spawns), most, handles, error) &&
           (trial->leaving ? throng_world_send(trial->world, handles, trial->people, trial->goal, NULL, error)
                           : send_about(trial, handles, trial->people, error));
    free(spawns);
    free(exits);
    free(handles);
    return fine;
}

/* ---- */

bool throng_trial_start(throng_trial *trial, const throng_edit *edit, int32_t most, throng_error *error)
{
    throng_world_def def = throng_world_def_default();
    *trial = (throng_trial){0};
    def.backend = "cpu";
    def.map = throng_edit_map(edit, "this map", error);
    trial->world = def.map ? throng_world_create(&def, error) : NULL;
    if (!trial->world) {
        throng_map_destroy(def.map);
        return false;
    }
    if (people(trial, most, error))
        return true;
    throng_trial_end(trial);
    return false;
}

bool throng_trial_step(throng_trial *trial, throng_error *error)
{
    const throng_handle *arrived;
    int32_t count;
    if (!throng_world_step(trial->world, error) || !throng_world_arrivals(trial->world, &arrived, &count, error))
        return false;
    if (count == 0)
        return true;
    trial->out = throng_world_time(trial->world);
    throng_handle *handles = malloc((size_t)count * sizeof *handles); /* theirs go with the next call */
    if (!handles)
        return throng_fail(error, "out of memory");
    memcpy(handles, arrived, (size_t)count * sizeof *handles);
    bool fine = trial->leaving ? throng_world_remove(trial->world, handles, count, error) >= 0
                               : send_about(trial, handles, count, error);
    free(handles);
    return fine;
}

void throng_trial_end(throng_trial *trial)
{
    throng_world_destroy(trial->world);
    *trial = (throng_trial){0};
}
