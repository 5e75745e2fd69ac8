/* ways = "navmesh" | "roadmap" | "direct" */
#include "bind.h"

#include <string.h>

const char *const throng_ways_names[] = {"navmesh", "roadmap", "direct", NULL};
_Static_assert(sizeof throng_ways_names / sizeof *throng_ways_names == THRONG_WAYS_COUNT + 1, "a name each");

int32_t throng_check_ways(lua_State *L, int index, const char *what)
{
    if (lua_type(L, index) != LUA_TSTRING)
        throng_raise(L, "%s must be the name of a method (navmesh, roadmap, direct), got %s", what,
                     throng_describe(L, index));
    for (int32_t i = 0; i < THRONG_WAYS_COUNT; i++)
        if (strcmp(throng_ways_names[i], lua_tostring(L, index)) == 0)
            return i;
    throng_raise_unknown(L, what, "method", lua_tostring(L, index), throng_ways_names);
}
