/* group:go_to(target [, {radius =, straight =}]) */
#include "fields.h"
#include "group_methods.h"

typedef struct goal_options {
    double radius; /* m */
    bool straight; /* without looking for a way around walls */
} goal_options;

/*--- class throng.go_to.settings
 * Options of group:go_to. */
static const throng_setting SETTINGS[] = {
    {"radius", "number", "0.5", "Arrived within this distance of a point.", {0, 1e6, true, "m"}},
    {"straight", "boolean", "false", .text = "Walk straight, not around walls; in a building on the same floor."},
    {.name = NULL},
};

const throng_settings throng_go_to_settings = {"throng.go_to.settings", "group:go_to", SETTINGS};

static goal_options read_options(lua_State *L, int index)
{
    goal_options options = {.radius = 0.5};
    if (lua_isnoneornil(L, index))
        return options;
    if (!lua_istable(L, index))
        throng_raise(L, "group:go_to: options must be a table like {radius = 0.5}, got %s", throng_describe(L, index));
    throng_settings_check(L, index, &throng_go_to_settings);
    throng_setting_number(L, index, &throng_go_to_settings, "radius", &options.radius);
    throng_field_boolean(L, index, "group:go_to", "straight", &options.straight);
    return options;
}

static void send(lua_State *L, const throng_lua_group *group, int32_t goal, const throng_point *points,
                 throng_error *error)
{
    if (goal < 0)
        throng_raise(L, "group:go_to: %s", error->text);
    if (!throng_world_send(group->owner->world, group->handles, group->count, goal, points, error))
        throng_raise(L, "group '%s':go_to: %s", throng_group_name(group), error->text);
}

int32_t throng_check_goal(lua_State *L, int index, const throng_lua_world *world, const char *what, double radius,
                          bool straight)
{
    throng_error error;
    int32_t goal;
    if (throng_is_point(L, index)) {
        const char *target = lua_pushfstring(L, "%s: the target", what);
        goal = throng_world_goal_point(
            world->world, throng_check_place(L, index, throng_world_map(world->world), target), radius, &error);
        lua_pop(L, 1);
    } else {
        const throng_shapes *shapes = throng_shapes_read(L, index, world, what);
        goal = throng_world_goal_regions(world->world, shapes->list, shapes->count, &error);
        lua_pop(L, 1);
    }
    if (goal >= 0 && straight)
        goal = throng_world_goal_direct(world->world, goal, &error);
    if (goal < 0)
        throng_raise(L, "%s: %s", what, error.text);
    return goal;
}

static void send_to_list(lua_State *L, const throng_lua_group *group, const goal_options *options)
{
    int32_t count;
    throng_error error;
    const throng_point *points =
        throng_points_read(L, 2, throng_world_map(group->owner->world), "group:go_to: the target", &count);
    if (count != group->count)
        throng_raise(L, "group:go_to: %d points for %d agents; give one point each, or one {x, y} for all", (int)count,
                     (int)group->count);
    throng_world *world = group->owner->world;
    int32_t goal = throng_world_goal_own(world, options->radius, &error);
    if (goal >= 0 && options->straight)
        goal = throng_world_goal_direct(world, goal, &error);
    send(L, group, goal, points, &error);
}

/* A list whose first entry is a point. */
static bool is_point_list(lua_State *L, int index)
{
    if (!lua_istable(L, index) || throng_is_shape(L, index))
        return false;
    lua_rawgeti(L, index, 1);
    bool points = throng_is_point(L, lua_gettop(L));
    lua_pop(L, 1);
    return points;
}

/*--- group:go_to(target, options)
 * Sends the agents to a region (by name), a shape, a point, or a list of points, one for each agent. To points of a
 * list they walk by paths of their own, which the path queue finds. Where nobody can stand on a point (somebody slimmer
 * may) they go next to it, as near as its radius.
 * @param target throng.place|throng.point|throng.point[] Where to. A list of points must have one for each agent.
 * @param options? throng.go_to.settings How.
 * @return throng.group self
 * @error an unknown region; a place that cannot be reached from where an agent stands (it is named)
 * @example
 * guests:go_to "exit"
 * guests:go_to({ 8, 6 }, { radius = 1 }) */
int throng_group_go_to(lua_State *L)
{
    const throng_lua_group *group = throng_check_members(L, 1, "group:go_to");
    if (lua_isnumber(L, 2) && lua_isnumber(L, 3))
        throng_raise(L, "group:go_to: a point is one table, group:go_to { 8, 6 }, not two numbers");
    goal_options options = read_options(L, 3);
    if (luaL_testudata(L, 2, THRONG_LUA_GROUP))
        throng_raise(L,
                     "group:go_to: agents go to places; they run after others in a state machine, group:run(throng.fsm "
                     "{ start = \"hunt\", hunt = { goal = throng.pursue \"name of the others\" } })");
    if (!lua_istable(L, 2) && lua_type(L, 2) != LUA_TSTRING)
        throng_raise(L,
                     "group:go_to: expected a region's name, throng.box, throng.polygon, a point {x, y} or a list of "
                     "points, got %s",
                     throng_describe(L, 2));
    if (!throng_is_point(L, 2) && is_point_list(L, 2)) {
        send_to_list(L, group, &options);
    } else {
        throng_error error;
        int32_t goal = throng_check_goal(L, 2, group->owner, "group:go_to", options.radius, options.straight);
        send(L, group, goal, NULL, &error);
    }
    lua_settop(L, 1);
    return 1;
}
