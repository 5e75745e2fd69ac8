/* world:probe(agent): why somebody went where it went. */
#include "bind.h"

#include <string.h>

#include "navigation/navmesh.h"

/*--- class throng.probe
 * What world:probe gives: what an agent saw in the last step, and what it chose.
 * @field planner throng.planner_name How it avoids others.
 * @field neighbours throng.group The agents that it saw.
 * @field path? throng.point[] The corners of its path to its goal.
 * @field map? throng.local_map Planner throng.bvp alone: the map it went by. */

/*--- class throng.local_map
 * The local map of throng.bvp. Cells are rows, the lowest first: zones[row][column]. The agent is in row and column
 * (size + 1) // 2. The rim is the border zone, the ring inside it the free zone, the rest the update zone.
 * @field size integer Cells along a side.
 * @field cell number(m) Side of a cell.
 * @field at throng.point Where the agent stood, m.
 * @field preferred throng.point Direction that the intermediate goal was projected in, a unit vector.
 * @field gradient throng.point Gradient of the potential where the agent stood, 1/m; the agent walks against it.
 * @field zones ("free"|"obstacle"|"goal")[][] What each cell counted as.
 * @field potential number(1)[][] 0 in goals to 1 in obstacles. */

/* t[name] = rows of the local map's cells, the lowest first. [-0, +0] */
static void set_cells(lua_State *L, const char *name, const throng_local_map *map, bool zones)
{
    static const char *const names[] = {"free", "obstacle", "goal"};
    lua_createtable(L, map->size, 0);
    for (int32_t row = 0; row < map->size; row++) {
        lua_createtable(L, map->size, 0);
        for (int32_t column = 0; column < map->size; column++) {
            int32_t cell = row * map->size + column;
            if (zones)
                lua_pushstring(L, names[map->zone[cell]]);
            else
                lua_pushnumber(L, (lua_Number)map->potential[cell]);
            lua_rawseti(L, -2, column + 1);
        }
        lua_rawseti(L, -2, row + 1);
    }
    lua_setfield(L, -2, name);
}

static void set_point(lua_State *L, const char *name, double x, double y)
{
    throng_point_push(L, (throng_point){x, y});
    lua_setfield(L, -2, name);
}

/* [-0, +1] */
static void push_map(lua_State *L, const throng_local_map *map)
{
    throng_point slope = throng_local_map_slope(map);
    lua_createtable(L, 0, 7);
    lua_pushinteger(L, map->size);
    lua_setfield(L, -2, "size");
    lua_pushnumber(L, (lua_Number)map->cell);
    lua_setfield(L, -2, "cell");
    set_point(L, "at", (double)map->x, (double)map->y);
    set_point(L, "preferred", (double)map->to_x, (double)map->to_y);
    set_point(L, "gradient", slope.x, slope.y);
    set_cells(L, "zones", map, true);
    set_cells(L, "potential", map, false);
}

/* t.neighbours. The world's value is at 1. [-0, +0] */
static void set_neighbours(lua_State *L, throng_world *world, int32_t slot)
{
    throng_error error;
    int32_t slots[THRONG_NEIGHBOURS_MAX], count;
    if (!throng_world_neighbours(world, slot, slots, &count, &error))
        throng_raise(L, "world:probe: %s", error.text);
    throng_handle handles[THRONG_NEIGHBOURS_MAX];
    for (int32_t i = 0; i < count; i++)
        handles[i] = throng_agents_handle(throng_world_agents(world), slots[i]);
    throng_group_push(L, 1, handles, count, -1);
    lua_setfield(L, -2, "neighbours");
}

/* t.way, if it has one. [-0, +0] */
static void set_path(lua_State *L, throng_world *world, int32_t slot)
{
    throng_path path;
    if (!throng_world_remaining_path(world, slot, &path, NULL))
        return;
    lua_createtable(L, path.count, 0);
    for (int32_t i = 0; i < path.count; i++) {
        throng_point_push(L, path.corners[i]);
        lua_rawseti(L, -2, i + 1);
    }
    throng_path_fini(&path);
    lua_setfield(L, -2, "path");
}

/*--- world:probe(agent)
 * What an agent saw in the last step and what it chose, which explains where it went.
 * @param agent throng.group A group of one: group[1].
 * @return throng.probe
 * @error a group of not exactly one agent; an agent of another world; walls, doors, bodies or agents have changed
 * since the last step
 * @example
 * world:step()
 * local seen = world:probe(guests[1])
 * print(#seen.neighbours) */
int throng_world_probe_method(lua_State *L)
{
    throng_world *world = throng_check_world(L, 1)->world;
    const throng_lua_group *group = throng_check_group(L, 2);
    if (group->owner->world != world)
        throng_raise(L, "world:probe: the agent is in another world");
    if (group->count != 1)
        throng_raise(L, "world:probe asks one agent, got %d; take one: world:probe(group[1])", group->count);
    int32_t slot = group->handles[0].slot;
    const int32_t *planner = throng_agents_read(throng_world_agents(world), THRONG_COLUMN_planner, NULL);
    throng_error error;
    throng_local_map map;
    if (!planner)
        throng_raise(L, "world:probe: the agent's planner cannot be read");
    int32_t kind = throng_world_planner_kind(world, planner[slot]);
    if (kind == THRONG_PLANNER_bvp && !throng_world_local_map(world, slot, &map, &error))
        throng_raise(L, "world:probe: %s", error.text);
    lua_createtable(L, 0, 4);
    lua_pushstring(L, throng_planner_names[kind]);
    lua_setfield(L, -2, "planner");
    set_neighbours(L, world, slot);
    set_path(L, world, slot);
    if (kind == THRONG_PLANNER_bvp) {
        push_map(L, &map);
        lua_setfield(L, -2, "map");
    }
    return 1;
}
