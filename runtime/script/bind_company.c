/* Who walks with whom: group:walk_together(), group:walk_alone(). */
#include <math.h>

#include "fields.h"
#include "group_methods.h"

throng_sampler throng_check_company(lua_State *L, int index)
{
    static const throng_range sizes = {1, THRONG_COMPANY_MAX, false, ""};
    throng_sampler sampler = throng_check_sampler(L, index, "world:spawn: field 'company'", &sizes);
    if (sampler.kind == THRONG_CONSTANT && sampler.a != floor(sampler.a))
        throng_raise(L, "world:spawn: field 'company' must be a whole number from 1 to %d, got %f", THRONG_COMPANY_MAX,
                     sampler.a);
    return sampler;
}

int throng_company_size(lua_State *L)
{
    const throng_lua_world *world = throng_check_world(L, 1);
    throng_sampler sizes = throng_check_company(L, 2);
    lua_pushinteger(L, throng_world_company_size(world->world, &sizes));
    return 1;
}

/*--- group:walk_together()
 * Makes one company of the agents; they leave their earlier ones. They walk abreast, those ahead wait for the slower
 * ones (not for whom a crowd holds up), and those far from the others go to them (Moussaid and others, 2010). The
 * setting `company` of world:spawn and world:source forms companies of agents that stand near each other.
 * @return throng.group self
 * @error more than 16 agents
 * @example
 * world:spawn({ name = "family", count = 4, where = "left" }):walk_together():go_to "right" */
int throng_group_walk_together(lua_State *L)
{
    throng_error error;
    const throng_lua_group *group = throng_check_members(L, 1, "group:walk_together");
    if (lua_gettop(L) > 1 && !lua_isnil(L, 2))
        throng_raise(
            L,
            "group:walk_together takes no arguments, got %s: all of the group become one company; `company = N` "
            "of world:spawn makes companies of N",
            throng_describe(L, 2));
    throng_refuse_hooked(L, group->owner, "group:walk_together");
    if (!throng_world_walk_together(group->owner->world, group->handles, group->count, &error))
        throng_raise(L, "group:walk_together: %s", error.text);
    lua_settop(L, 1);
    return 1;
}

/*--- group:walk_alone()
 * Takes the agents out of their companies.
 * @return throng.group self
 * @example
 * guests:inside("hall"):walk_alone() */
int throng_group_walk_alone(lua_State *L)
{
    throng_error error;
    const throng_lua_group *group = throng_check_group(L, 1);
    throng_refuse_hooked(L, group->owner, "group:walk_alone");
    if (!throng_world_leave_companies(group->owner->world, group->handles, group->count, &error))
        throng_raise(L, "group:walk_alone: %s", error.text);
    lua_settop(L, 1);
    return 1;
}
