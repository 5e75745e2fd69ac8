/* routing = "navmesh" | "roadmap" | "field" | "direct", door_policy = "reroute" | "wait" */
#include "fields.h"
#include "routing_value.h"

#include <string.h>

#include "base/suggest.h"

/*--- alias throng.routing_name = "navmesh"|"roadmap"|"field"|"direct"
 * How a group finds its paths: through the portals of the navigation mesh, round the corners of the roadmap, down a
 * potential over the whole map, or straight on through everything. What doors cost (throng.running_door) counts on the
 * navmesh; where a door costs something, the roadmap and fields are errors, and "direct" heeds no door at all. Doors'
 * max_radius counts for all but "direct". */

/*--- alias throng.door_policy = "reroute"|"wait"
 * Closed-door policy: take another route while there is one ("reroute"), or walk to the door and wait ("wait"). */

const char *const throng_routing_names[] = {"navmesh", "roadmap", "field", "direct", NULL};
_Static_assert(sizeof throng_routing_names / sizeof *throng_routing_names == THRONG_ROUTING_COUNT + 1, "a name each");

const char *const throng_door_policy_names[] = {"reroute", "wait", NULL};
_Static_assert(sizeof throng_door_policy_names / sizeof *throng_door_policy_names == THRONG_DOORS_COUNT + 1,
               "a name each");

static int32_t check_name(lua_State *L, int index, const char *what, const char *kind, const char *const *names)
{
    if (lua_type(L, index) != LUA_TSTRING) {
        char list[64];
        throng_list_names(list, sizeof list, names);
        throng_raise(L, "%s must be the name of a %s (%s), got %s%s", what, kind, list, throng_describe(L, index),
                     lua_istable(L, index) ? ": one name for all; a part of them, like group:filter(f), has its own"
                                           : "");
    }
    const char *name = throng_check_name(L, index);
    for (int32_t i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    throng_raise_unknown(L, what, kind, name, names);
}

int32_t throng_check_routing(lua_State *L, int index, const char *what)
{
    return check_name(L, index, what, "method", throng_routing_names);
}

int32_t throng_check_door_policy(lua_State *L, int index, const char *what)
{
    return check_name(L, index, what, "rule", throng_door_policy_names);
}
