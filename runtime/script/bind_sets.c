/* Groups as sets: a | b, a & b, a - b, group:filter(f), and tags, which are sets that the world keeps by name. */
#include "behaviours.h"
#include "binders.h"
#include "fields.h"
#include "group_methods.h"
#include "script_parts.h"
#include "world_methods.h"

#include "map/geometry.h"

/* ---- two groups in the order of their slots */

typedef enum set_keep { KEEP_FIRST = 1, KEEP_SECOND = 2, KEEP_BOTH = 4 } set_keep;

/* Handles of a and b by where they are: only in a, only in b, in both. Living agents have a slot each. */
static int32_t merge(const throng_lua_group *a, const throng_lua_group *b, int keep, throng_handle *out)
{
    int32_t i = 0, k = 0, count = 0;
    while (i < a->count || k < b->count) {
        bool first = k == b->count || (i < a->count && a->handles[i].slot <= b->handles[k].slot);
        bool second = i == a->count || (k < b->count && b->handles[k].slot <= a->handles[i].slot);
        throng_handle handle = first ? a->handles[i] : b->handles[k];
        if (keep & (first && second ? KEEP_BOTH : first ? KEEP_FIRST : KEEP_SECOND))
            out[count++] = handle;
        i += first;
        k += second;
    }
    return count;
}

/* The groups at 1 and 2 merged. [-0, +1] */
static int push_merged(lua_State *L, int first, int second, int keep)
{
    const throng_lua_group *a = throng_check_group(L, first), *b = throng_check_group(L, second);
    if (a->owner != b->owner)
        throng_raise(L, "these groups belong to two worlds: '%s' and '%s'", throng_group_name(a), throng_group_name(b));
    throng_handle *handles = lua_newuserdatauv(L, ((size_t)a->count + (size_t)b->count + 1) * sizeof *handles, 0);
    int32_t count = merge(a, b, keep, handles);
    lua_getiuservalue(L, first, 1);
    throng_lua_group *merged = throng_group_push(L, lua_gettop(L), handles, count, -1);
    merged->named_after = a->named_after;
    return 1;
}

static int unite(lua_State *L) { return push_merged(L, 1, 2, KEEP_FIRST | KEEP_SECOND | KEEP_BOTH); }

static int intersect(lua_State *L) { return push_merged(L, 1, 2, KEEP_BOTH); }

static int subtract(lua_State *L) { return push_merged(L, 1, 2, KEEP_FIRST); }

/* ---- group:filter(function(a) ... end) */

/*--- group:filter(f)
 * The agents for which the function returns true. Lua calls it for each, with an agent whose columns are plain
 * numbers: `group:filter(function(a) return a.x < 3 and a.speed > 1 end)`.
 * @param f fun(a: throng.behaviour.agent): boolean Called for each living agent.
 * @return throng.group
 * @error what the function raises, or when it removes agents of the group; columns are read only there
 * @example
 * guests:filter(function(a) return a.x < 3 and a.speed > 1 end):go_to "exit" */
int throng_group_filter(lua_State *L)
{
    const throng_lua_group *group = throng_check_group(L, 1);
    if (!lua_isfunction(L, 2))
        throng_raise(L, "group:filter: expected a function(a) that returns true or false, got %s",
                     throng_describe(L, 2));
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 1);
    throng_program_recorder_call(L, "choose", 2, 1); /* 3: a list of true and false */
    group = throng_check_group(L, 1);
    lua_getiuservalue(L, 1, 1);
    throng_lua_group *chosen = throng_group_push(L, 4, group->handles, group->count, -1);
    int32_t kept = 0;
    for (int32_t i = 0; i < group->count; i++) {
        lua_rawgeti(L, 3, i + 1);
        if (lua_toboolean(L, -1))
            chosen->handles[kept++] = group->handles[i];
        lua_pop(L, 1);
    }
    chosen->count = kept;
    chosen->named_after = group->named_after;
    return 1;
}

/* ---- group:inside(place) */

/*--- group:inside(place)
 * The agents of the group whose centre is in a place.
 * @param place throng.place A region by name, a shape, or a list of those.
 * @return throng.group
 * @error an unknown region
 * @example
 * guests:inside("lobby"):go_to "exit" */
int throng_group_inside(lua_State *L)
{
    const throng_lua_group *group = throng_check_group(L, 1);
    lua_settop(L, 2);
    const throng_shapes *shapes = throng_shapes_read(L, 2, group->owner, "group:inside"); /* 3 */
    const float *x, *y;
    throng_error error;
    if (!throng_world_places(group->owner->world, &x, &y, &error))
        throng_raise_error(L, &error);
    lua_getiuservalue(L, 1, 1);
    throng_lua_group *found = throng_group_push(L, 4, group->handles, group->count, -1);
    int32_t kept = 0;
    for (int32_t i = 0; i < group->count; i++) {
        int32_t slot = group->handles[i].slot;
        bool in = false;
        throng_script_check(L);
        for (int32_t r = 0; !in && r < shapes->count; r++)
            in = throng_polygon_holds(shapes->list[r].points, shapes->list[r].count,
                                      (throng_point){(double)x[slot], (double)y[slot]});
        if (in)
            found->handles[kept++] = group->handles[i];
    }
    found->count = kept;
    found->named_after = group->named_after;
    return 1;
}

/* ---- tags */

static const char *check_tag(lua_State *L, int index, const char *method)
{
    if (lua_type(L, index) != LUA_TSTRING)
        throng_raise(L, "%s: expected the name of a tag, got %s", method, throng_describe(L, index));
    return throng_check_name(L, index);
}

/* The group with the tag at `name`; an empty one when nobody ever had it. [-0, +1] */
static void push_tagged(lua_State *L, int world, int name)
{
    throng_world_part_push(L, world, THRONG_PART_TAGS);
    lua_pushvalue(L, name);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_pop(L, 1);
        throng_group_push(L, world, NULL, 0, -1);
    }
    lua_remove(L, -2);
}

/* group:tag(name), group:untag(name) */
static int change_tag(lua_State *L, const char *method, int keep)
{
    throng_check_members(L, 1, method);
    check_tag(L, 2, method);
    lua_settop(L, 2);
    lua_getiuservalue(L, 1, 1); /* 3 */
    push_tagged(L, 3, 2);       /* 4 */
    throng_world_part_push(L, 3, THRONG_PART_TAGS);
    lua_pushvalue(L, 2);
    push_merged(L, 4, 1, keep);
    lua_replace(L, 4);
    lua_settop(L, 6);
    lua_pushvalue(L, 4);
    lua_rawset(L, -3);
    lua_settop(L, 1);
    return 1;
}

/*--- group:tag(name)
 * Gives the agents a tag. world:tagged finds them by it.
 * @param name string The tag.
 * @return throng.group self
 * @error a name that is no text
 * @example
 * guests[1]:tag "leader" */
int throng_group_tag(lua_State *L) { return change_tag(L, "group:tag", KEEP_FIRST | KEEP_SECOND | KEEP_BOTH); }

/*--- group:untag(name)
 * Removes a tag from the agents.
 * @param name string The tag.
 * @return throng.group self
 * @error a name that is no text
 * @example
 * world:tagged("leader"):untag "leader" */
int throng_group_untag(lua_State *L) { return change_tag(L, "group:untag", KEEP_FIRST); }

/*--- world:tagged(name)
 * The agents that have a tag (group:tag).
 * @param name string The tag; it need not be in use.
 * @return throng.group
 * @error a name that is no text
 * @example
 * guests:inside("left"):tag "late"
 * world:tagged("late").speed = 1.8 -- m/s */
int throng_world_tagged_method(lua_State *L)
{
    throng_check_world(L, 1);
    check_tag(L, 2, "world:tagged");
    push_tagged(L, 1, 2);
    return 1;
}

void throng_bind_sets(lua_State *L)
{
    static const luaL_Reg operators[] = {{"__bor", unite}, {"__band", intersect}, {"__sub", subtract}, {NULL, NULL}};
    luaL_getmetatable(L, THRONG_LUA_GROUP);
    luaL_setfuncs(L, operators, 0);
    lua_pop(L, 1);
}
