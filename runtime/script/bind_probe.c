/* world:probe(agent): why somebody went where it went. */
#include "group_value.h"
#include "world_methods.h"

#include <math.h>

#include "navigation/navmesh.h"

/*--- class throng.probe
 * The result of world:probe: what an agent saw in the last step, and the velocity that it chose.
 * @field planner throng.planner_name How it avoids others.
 * @field neighbours throng.group The agents that it saw.
 * @field path? throng.corner[] The corners of its path to its goal; in a building with their floors.
 * @field map? throng.local_map Planner throng.bvp alone: the map it went by.
 * @field velocity? throng.point Its velocity before, m/s; absent, like all that follows, before its first step.
 * @field preferred? throng.point The velocity that it preferred, m/s, turned by giving way, bodies and hazards.
 * @field chosen? throng.point The velocity that it chose, m/s; contacts may have changed it afterwards.
 * @field max_speed? number(m/s) How fast it can be.
 * @field half_planes? throng.half_plane[] Planner throng.orca: which velocities are permitted.
 * @field velocity_obstacles? throng.velocity_obstacle[] Planner throng.clearpath: which velocities are forbidden.
 * @field samples? throng.velocity_sample[] Planner throng.rvo: the velocities that it tried, the preferred one first,
 * and the cost of each; the cheapest was chosen.
 * @field pushes? throng.push[] throng.forces and the models that say themselves how people walk, as throng.social_force
 * does: the pushes on it.
 * @field attraction? throng.point The same planners: where it wanted to go, weighted as pushes are.
 * @field sum? throng.point The same planners: what came of both: in models of forces the step's acceleration, m/s^2
 * (its pushes change meanwhile, and are listed as they were at its end, of throng.power_law at its beginning), else the
 * direction that it took, of length 1.
 * @field ahead? number(m) Planners throng.collision_free_speed and throng.anticipation: the gap ahead that bounded its
 * speed; absent: none did. */

/*--- class throng.half_plane
 * Velocities on the left of a line are permitted, m/s.
 * @field at throng.point A point of the line.
 * @field direction throng.point Of the line, a unit vector.
 * @field wall boolean Is it of a wall? Else of a neighbour. */

/*--- class throng.velocity_obstacle
 * Velocities are forbidden that lie beyond all of its sides: normal . velocity > offset.
 * @field sides throng.obstacle_side[] Its sides, at most three.
 * @field wall boolean Is it of a wall? Else of a neighbour. */

/*--- class throng.obstacle_side
 * A side of a velocity obstacle.
 * @field normal throng.point A unit vector, into the obstacle.
 * @field offset number(m/s) Of the side from velocity 0, along the normal. */

/*--- class throng.velocity_sample
 * A velocity that was tried.
 * @field velocity throng.point m/s
 * @field cost number(m/s) Distance from the preferred velocity, plus the cost of a coming collision. */

/*--- class throng.push
 * A push on an agent, from another agent or a wall.
 * @field at throng.point Where it was, seen from the agent, m; of throng.forces (0, 0) for all walls, and for all
 * bodies.
 * @field force throng.point In m/s^2 of throng.social_force, generalized_centrifugal_force and power_law; else beside
 * an attraction of about 1.
 * @field wall boolean Is it a wall, or a body? Else a neighbour. */

/*--- class throng.local_map
 * The local map of throng.bvp. Cells are rows, the lowest first: zones[row][column]. The agent is in row
 * (height + 1) // 2 and column (width + 1) // 2. The rim is the border zone, the ring inside it the free zone, the rest
 * the update zone.
 * @field width integer Cells along x.
 * @field height integer Cells along y.
 * @field cell number(m) Side of a cell.
 * @field at throng.point Where the agent stood, m.
 * @field preferred throng.point Direction that the intermediate goal was projected in, a unit vector.
 * @field gradient throng.point Gradient of the potential where the agent stood, 1/m; the agent walks against it.
 * @field zones ("free"|"obstacle"|"goal")[][] What each cell is.
 * @field potential number(1)[][] 0 in goals to 1 in obstacles. */

/* t[name] = rows of the local map's cells, the lowest first. [-0, +0] */
static void set_cells(lua_State *L, const char *name, const throng_local_map *map, bool zones)
{
    static const char *const names[] = {"free", "obstacle", "goal"};
    lua_createtable(L, map->height, 0);
    for (int32_t row = 0; row < map->height; row++) {
        lua_createtable(L, map->width, 0);
        for (int32_t column = 0; column < map->width; column++) {
            int32_t cell = row * map->width + column;
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
    lua_createtable(L, 0, 8);
    lua_pushinteger(L, map->width);
    lua_setfield(L, -2, "width");
    lua_pushinteger(L, map->height);
    lua_setfield(L, -2, "height");
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

/* t.path, if it has one. [-0, +0] */
static void set_path(lua_State *L, throng_world *world, int32_t slot)
{
    throng_path path;
    if (!throng_world_remaining_path(world, slot, &path, NULL))
        return;
    throng_path_push(L, throng_world_map(world), &path);
    throng_path_fini(&path);
    lua_setfield(L, -2, "path");
}

static void set_number(lua_State *L, const char *name, float value)
{
    lua_pushnumber(L, (lua_Number)value);
    lua_setfield(L, -2, name);
}

/* Ends entry `i` of the list below it. [-1, +0] */
static void end_entry(lua_State *L, const throng_choice *c, int32_t i)
{
    lua_pushboolean(L, i < c->walls);
    lua_setfield(L, -2, "wall");
    lua_rawseti(L, -2, i + 1);
}

/* [-0, +1] */
static void push_half_planes(lua_State *L, const throng_choice *c)
{
    lua_createtable(L, c->count, 0);
    for (int32_t i = 0; i < c->count; i++) {
        const throng_choice_line *l = &c->line[i];
        lua_createtable(L, 0, 3);
        set_point(L, "at", (double)l->x, (double)l->y);
        set_point(L, "direction", (double)l->dx, (double)l->dy);
        end_entry(L, c, i);
    }
}

static void push_obstacles(lua_State *L, const throng_choice *c)
{
    lua_createtable(L, c->count, 0);
    for (int32_t i = 0; i < c->count; i++) {
        const throng_choice_region *r = &c->region[i];
        lua_createtable(L, 0, 2);
        lua_createtable(L, THRONG_CHOICE_SIDES, 0);
        for (int side = 0, sides = 0; side < THRONG_CHOICE_SIDES; side++) {
            if (r->nx[side] == 0 && r->ny[side] == 0)
                continue; /* all is beyond it */
            lua_createtable(L, 0, 2);
            set_point(L, "normal", (double)r->nx[side], (double)r->ny[side]);
            set_number(L, "offset", r->d[side]);
            lua_rawseti(L, -2, ++sides);
        }
        lua_setfield(L, -2, "sides");
        end_entry(L, c, i);
    }
}

static void push_samples(lua_State *L, const throng_choice *c)
{
    lua_createtable(L, c->count, 0);
    for (int32_t i = 0; i < c->count; i++) {
        lua_createtable(L, 0, 2);
        set_point(L, "velocity", (double)c->sample[i].vx, (double)c->sample[i].vy);
        set_number(L, "cost", c->sample[i].cost);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_pushes(lua_State *L, const throng_choice *c)
{
    lua_createtable(L, c->count, 0);
    for (int32_t i = 0; i < c->count; i++) {
        lua_createtable(L, 0, 3);
        set_point(L, "at", (double)c->push[i].x, (double)c->push[i].y);
        set_point(L, "force", (double)c->push[i].fx, (double)c->push[i].fy);
        end_entry(L, c, i);
    }
}

/* What a planner saw, by its name in throng.probe. [-0, +0] */
static void set_seen(lua_State *L, const throng_choice *c)
{
    static const struct {
        int32_t planner;
        const char *name;
        void (*push)(lua_State *L, const throng_choice *c);
    } lists[] = {{THRONG_PLANNER_orca, "half_planes", push_half_planes},
                 {THRONG_PLANNER_clearpath, "velocity_obstacles", push_obstacles},
                 {THRONG_PLANNER_rvo, "samples", push_samples}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i].planner == c->planner) {
            lists[i].push(L, c);
            lua_setfield(L, -2, lists[i].name);
        }
    if (!throng_choice_has_pushes(c->planner))
        return;
    push_pushes(L, c);
    lua_setfield(L, -2, "pushes");
    set_point(L, "attraction", (double)c->attraction_x, (double)c->attraction_y);
    set_point(L, "sum", (double)c->force_x, (double)c->force_y);
    if (isfinite(c->ahead))
        set_number(L, "ahead", c->ahead);
}

/* [-0, +0] */
static void set_choice(lua_State *L, throng_world *world, int32_t slot)
{
    throng_error error;
    throng_choice choice;
    bool known;
    if (!throng_world_choice_of_last_step(world, slot, &choice, &known, &error))
        throng_raise(L, "world:probe: %s", error.text);
    if (!known)
        return;
    set_point(L, "velocity", (double)choice.vx, (double)choice.vy);
    set_point(L, "preferred", (double)choice.preferred_x, (double)choice.preferred_y);
    set_point(L, "chosen", (double)choice.chosen_x, (double)choice.chosen_y);
    set_number(L, "max_speed", choice.max_speed);
    set_seen(L, &choice);
}

/*--- world:probe(agent)
 * What an agent saw in the last step, and the velocity that it chose; the viewer draws both.
 * It is computed again, with the agent's present heading and frustration.
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
    lua_createtable(L, 0, 12);
    lua_pushstring(L, throng_planner_names[kind]);
    lua_setfield(L, -2, "planner");
    set_neighbours(L, world, slot);
    set_path(L, world, slot);
    if (kind == THRONG_PLANNER_bvp) {
        push_map(L, &map);
        lua_setfield(L, -2, "map");
    }
    set_choice(L, world, slot);
    return 1;
}
