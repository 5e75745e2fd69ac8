/* throng.map { roadmap = { nodes = {...}, edges = {...} } } */
#include "fields.h"
#include "map_value.h"

#include <stdio.h>
#include <string.h>

/*--- class throng.roadmap
 * A roadmap of your own: groups with `routing = "roadmap"` steer for the visible node from which the path along the
 * edges is shortest, and for the goal as soon as they see it. In a building an edge may lead from floor to floor,
 * straight over a flight; a switchback needs a node on its landing. Flights that no edge leads over are taken from
 * wherever they are seen, and so are lifts.
 * @field nodes { [1]: number(m), [2]: number(m), floor?: string, max_radius?: number(m), cost?: number(m) }[] {x, y}.
 * `floor`: of a building, the floor, or flight, that it lies on; none: the lowest. Agents with a
 * larger radius do not pass it; `cost` is added to the length of paths through it.
 * @field edges? { [1]: integer, [2]: integer, cost?: number(m) }[] Two nodes, by their places in the list, joined both
 * ways; `cost` is added to the length. No list: all nodes that see each other are joined. */

static const throng_range SIZE = {0, 1e6, false, "m"};

/* Raises when the table has fields beside its first two entries and these. */
static void check_fields(lua_State *L, int table, const char *what, const char *const *names)
{
    const char *unknown = throng_unknown_name(L, table, names);
    if (unknown)
        throng_raise_unknown(L, what, "field", unknown, names);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        if (lua_type(L, -2) != LUA_TSTRING && !lua_isinteger(L, -2))
            throng_raise_unknown(L, what, "field", throng_text_push(L, -2), names);
}

static void add_node(lua_State *L, int index, const char *owner, int number, throng_map *map)
{
    static const char *const names[] = {"floor", "max_radius", "cost", NULL};
    throng_error error;
    char name[16];
    snprintf(name, sizeof name, "%d", number);
    const char *what = lua_pushfstring(L, "%s: node %s of 'roadmap'", owner, name);
    throng_map_node node = {.name = name, .at = throng_check_place(L, index, map, what)};
    check_fields(L, index, what, names);
    throng_field_number(L, index, what, "max_radius", &SIZE, &node.max_radius);
    throng_field_number(L, index, what, "cost", &SIZE, &node.cost);
    if (!throng_map_fits(map, node.at, 0))
        throng_raise(L, "%s lies in a wall, at (%f, %f)", what, throng_check_point(L, index, what).x,
                     throng_check_point(L, index, what).y);
    if (!throng_map_add_node(map, &node, &error))
        throng_raise(L, "%s: %s", owner, error.text);
}

static int32_t read_end(lua_State *L, int index, int which, const char *what, int32_t nodes)
{
    lua_rawgeti(L, index, which);
    int64_t node = throng_check_integer(L, -1, what, 1, nodes);
    lua_pop(L, 1);
    return (int32_t)node - 1;
}

static void add_edge(lua_State *L, int index, const char *owner, int number, throng_map *map)
{
    static const char *const names[] = {"cost", NULL};
    throng_error error;
    const char *what = lua_pushfstring(L, "%s: edge %d of 'roadmap'", owner, number);
    if (!lua_istable(L, index) || lua_rawlen(L, index) != 2)
        throng_raise(L, "%s must be two nodes, like {1, 2}, got %s", what, throng_describe(L, index));
    check_fields(L, index, what, names);
    int32_t count = map->graph.node_count;
    throng_map_edge edge = {.from = read_end(L, index, 1, what, count), .to = read_end(L, index, 2, what, count)};
    throng_field_number(L, index, what, "cost", &SIZE, &edge.cost);
    if (!throng_map_add_edge(map, &edge, &error))
        throng_raise(L, "%s: %s", what, error.text);
}

typedef void adder(lua_State *L, int index, const char *owner, int number, throng_map *map);

/* Each entry of the list `name` in the roadmap at `roadmap`. */
static void add_all(lua_State *L, int roadmap, const char *owner, const char *name, adder *add, throng_map *map)
{
    int top = lua_gettop(L), type = lua_getfield(L, roadmap, name);
    if (type == LUA_TNIL && add == add_edge) {
        lua_settop(L, top);
        return;
    }
    if (type != LUA_TTABLE)
        throng_raise(L, "%s: field 'roadmap' needs a list '%s', got %s", owner, name, throng_describe(L, -1));
    const char *what = lua_pushfstring(L, "%s: '%s' of field 'roadmap'", owner, name);
    throng_refuse_names(L, top + 1, what, add == add_edge ? "{ 1, 2 }" : "{ x, y }");
    lua_settop(L, top + 1);
    for (int i = 1; i <= (int)lua_rawlen(L, top + 1); i++) {
        lua_rawgeti(L, top + 1, i);
        add(L, top + 2, owner, i, map);
        lua_settop(L, top + 1);
    }
    lua_settop(L, top);
}

void throng_map_take_graph(lua_State *L, int table, const char *owner, throng_map *map)
{
    static const char *const names[] = {"nodes", "edges", NULL};
    int roadmap = lua_gettop(L) + 1;
    if (lua_getfield(L, table, "roadmap") == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    if (!lua_istable(L, roadmap))
        throng_raise(L, "%s: field 'roadmap' must be a table like {nodes = {{1, 2}, {5, 2}}, edges = {{1, 2}}}, got %s",
                     owner, throng_describe(L, roadmap));
    check_fields(L, roadmap, "roadmap", names);
    throng_map_graph_fini(&map->graph); /* a file's */
    add_all(L, roadmap, owner, "nodes", add_node, map);
    add_all(L, roadmap, owner, "edges", add_edge, map);
    lua_settop(L, roadmap - 1);
}
