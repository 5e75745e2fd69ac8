/* throng.paths: cheapest paths for many queries at once, on a grid or a graph that the script gives, or on a map
 * (bind_batch_map.c). Nodes are counted from 1 in Lua. */
#include "binders.h"
#include "fields.h"
#include "map_value.h"
#include "script_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "navigation/graph_devices.h"
#include "navigation/graph.h"

/*--- class throng.paths.settings
 * Settings of throng.paths: `map`, `grid` or `edges`, and the queries. */

/*--- class throng.paths.result as result
 * The result of throng.paths, by query.
 * @field cost number(any)[] Of the cheapest path, on a map its length in m, without what doors
 *   cost; math.huge: there is none.
 * @field path integer[][]|throng.point[][] Its nodes, on a map its corners, from the start to the goal, both included;
 * empty: there is none.
 * @field method "searches"|"trees" How they were found.
 * @field shared_suffixes integer Queries that took the rest of another's path, since it passes where they begin.
 * @field host_bytes? integer Memory that the batch took at most on the host, pinned memory included, beside the graph;
 * not on a map.
 * @field device_bytes? integer The same on the device, its copy of the graph included; 0: there was none. */

static const char OWNER[] = "throng.paths";

static const throng_setting SETTINGS[] = {
    {"map", "throng.map", NULL, .text = "Shortest paths between points of a map, round its walls."},
    {"radius", "number", "0", "With `map`: kept from walls.", {0, 1e4, false, "m"}},
    {"grid", "string[]", NULL,
     .text =
         "Rows of cells, all as long, the first row on top: \".\" is free, \"#\" is not. Cells are nodes, row by row. "
         "A step to a side costs 1, a diagonal one, which passes no corner, the square root of 2."},
    {"diagonal", "boolean", "false", .text = "On a grid: steps to corners, too."},
    {"edges", "{ [1]: integer, [2]: integer, [3]: number(any) }[]", NULL,
     .text = "Instead of a grid: one-way edges { from, to, cost }. Any number may join the same nodes."},
    {"nodes", "integer", NULL, "With `edges`: how many nodes there are.", {1, 1 << 26, true, ""}},
    {"at", "throng.point[]", NULL,
     .text = "With `edges`: the position of each node. Searches then expand towards their ends first (A*), by the "
             "least cost per distance of all edges; the costs of paths are the same. It does not help where an edge "
             "between two places costs nothing."},
    {"node_cost", "table<integer, number(any)>", NULL,
     .text = "Cost of entering a node, beside the edge's, default 0; math.huge: the node is blocked."},
    {"blocked", "integer[]", NULL,
     .text = "Nodes that nobody enters or leaves; queries that start and end there have a path."},
    {"from", "integer[]|throng.point[]", NULL, .text = "The node, on a map the point, where each query begins."},
    {"to", "integer[]|throng.point[]", NULL, .text = "The node or point where each query ends."},
    {"method", "\"searches\"|\"trees\"", NULL,
     .text =
         "A search for each query, or a tree of all routes to each goal; costs are equal, to the bit. Absent: trees "
         "where 64 or more share a goal in the mean, else searches, where a query that begins on a path to the same "
         "goal takes the rest of it. A batch that is too large for the backend's memory is answered in parts."},
    {"backend", "\"auto\"|\"cpu\"|\"cuda\"", "\"cpu\"",
     .text = "Where; starting CUDA takes longer than small batches."},
    {"devices", "integer[]", "{ 0 }",
     .text = "Not with `map`: devices of the backend, counted from 0, that answer a share of the queries each, at the "
             "same time; the CPU is one. A device may be named more than once. Paths are those that one gives."},
    {.name = NULL},
};

const throng_settings throng_batch_settings = {"throng.paths.settings", OWNER, SETTINGS};

#define BATCH "throng.batch"

/* All that a call holds; a value of Lua's, so that it goes also when something is raised. */
typedef struct batch {
    int32_t nodes, edges, width, height, queries;
    bool *blocked;
    float *extra, *x, *y; /* [nodes] */
    int32_t *from, *to;   /* the backend's */
    throng_graph_edge *edge;
    throng_graph *graph;
    throng_stages stages;
} batch;

static int free_batch(lua_State *L)
{
    batch *b = luaL_checkudata(L, 1, BATCH);
    free(b->blocked);
    free(b->extra);
    free(b->x);
    free(b->y);
    free(b->edge);
    throng_graph_destroy(b->graph);
    if (b->stages.api)
        throng_stages_close(&b->stages);
    *b = (batch){0};
    return 0;
}

static void *zeroes(lua_State *L, size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        throng_raise(L, "%s: out of memory", OWNER);
    return memory;
}

/* Pushes a field that must be a list; its length, or -1 when it is absent and may be. [-0, +1] */
static int64_t push_list(lua_State *L, const char *name, bool needed)
{
    int type = lua_getfield(L, 1, name);
    if (type == LUA_TNIL && !needed)
        return -1;
    if (type != LUA_TTABLE)
        throng_raise(L, "%s: field '%s' must be a list, got %s", OWNER, name, throng_describe(L, -1));
    lua_Integer count = luaL_len(L, -1);
    if (count > 1 << 26)
        throng_raise(L, "%s: field '%s' has %I entries; at most %d", OWNER, name, (LUAI_UACINT)count, 1 << 26);
    return count;
}

/* The value at the top as a node, from 0. [-1, +0] */
static int32_t take_node(lua_State *L, const batch *b, const char *name, int64_t at)
{
    int whole;
    lua_Integer node = lua_tointegerx(L, -1, &whole);
    if (!whole || lua_type(L, -1) != LUA_TNUMBER || node < 1 || node > b->nodes)
        throng_raise(L, "%s: %s[%I]: expected a node, 1 to %d, got %s", OWNER, name, (LUAI_UACINT)at, b->nodes,
                     throng_describe(L, -1));
    lua_pop(L, 1);
    return (int32_t)node - 1;
}

/* The value at the top as a cost; what it is of follows. [-1, +0] */
static float take_cost(lua_State *L, const char *name, int64_t at)
{
    double cost = lua_tonumber(L, -1);
    if (lua_type(L, -1) != LUA_TNUMBER || !(cost >= 0))
        throng_raise(L, "%s: %s[%I]: a cost must be a number of 0 or more, got %s; make other ways dearer instead",
                     OWNER, name, (LUAI_UACINT)at, throng_describe(L, -1));
    lua_pop(L, 1);
    return (float)cost;
}

/* ---- the graph */

static void read_row(lua_State *L, batch *b, int32_t row, size_t size, const char *cells)
{
    if ((int64_t)size != b->width)
        throng_raise(L, "%s: grid[%d] has %d cells, but the first row %d", OWNER, row + 1, (int)size, b->width);
    for (int32_t x = 0; x < b->width; x++) {
        if (cells[x] != '.' && cells[x] != '#')
            throng_raise(L, "%s: grid[%d], cell %d: expected '.' (free) or '#' (not), got '%c'", OWNER, row + 1, x + 1,
                         cells[x]);
        b->blocked[row * b->width + x] = cells[x] == '#';
    }
}

static void read_grid(lua_State *L, batch *b, int64_t rows)
{
    size_t size = 0;
    for (int64_t row = 0; row < rows; row++) {
        throng_script_check(L);
        if (lua_rawgeti(L, -1, row + 1) != LUA_TSTRING)
            throng_raise(L, "%s: grid[%I] must be a row of cells like \"..#.\", got %s", OWNER, (LUAI_UACINT)(row + 1),
                         throng_describe(L, -1));
        const char *cells = lua_tolstring(L, -1, &size);
        if (row == 0) {
            if (size * (size_t)rows > 1 << 26)
                throng_raise(L, "%s: a grid of more than %d cells", OWNER, 1 << 26);
            b->width = (int32_t)size;
            b->height = (int32_t)rows;
            b->nodes = b->width * b->height;
            b->blocked = zeroes(L, (size_t)b->nodes, sizeof *b->blocked);
        }
        read_row(L, b, (int32_t)row, size, cells);
        lua_pop(L, 1);
    }
    if (b->nodes < 1)
        throng_raise(L, "%s: field 'grid' has no cells", OWNER);
}

static void read_edges(lua_State *L, batch *b, int64_t count)
{
    int64_t nodes = 0;
    if (!throng_setting_integer(L, 1, &throng_batch_settings, "nodes", &nodes))
        throng_raise(L, "%s: with 'edges' needs 'nodes', how many there are", OWNER);
    b->nodes = (int32_t)nodes;
    b->edges = (int32_t)count;
    b->edge = zeroes(L, (size_t)count, sizeof *b->edge);
    b->blocked = zeroes(L, (size_t)nodes, sizeof *b->blocked);
    for (int64_t e = 0; e < count; e++) {
        throng_script_check(L);
        if (lua_rawgeti(L, -1, e + 1) != LUA_TTABLE)
            throng_raise(L, "%s: edges[%I] must be a table { from, to, cost }, got %s", OWNER, (LUAI_UACINT)(e + 1),
                         throng_describe(L, -1));
        lua_rawgeti(L, -1, 1);
        b->edge[e].from = take_node(L, b, "edges", e + 1);
        lua_rawgeti(L, -1, 2);
        b->edge[e].to = take_node(L, b, "edges", e + 1);
        lua_rawgeti(L, -1, 3);
        b->edge[e].cost = take_cost(L, "edges", e + 1);
        lua_pop(L, 1);
    }
}

/* Where nodes lie, all in one place where nothing is said. */
static void read_places(lua_State *L, batch *b)
{
    b->x = zeroes(L, (size_t)b->nodes, sizeof *b->x);
    b->y = zeroes(L, (size_t)b->nodes, sizeof *b->y);
    int64_t count = push_list(L, "at", false);
    if (count >= 0 && count != b->nodes)
        throng_raise(L, "%s: field 'at' has %I places, but there are %d nodes; each needs one", OWNER,
                     (LUAI_UACINT)count, b->nodes);
    for (int64_t i = 0; i < count; i++) {
        throng_script_check(L);
        lua_rawgeti(L, -1, i + 1);
        lua_pushfstring(L, "%s: at[%I]", OWNER, (LUAI_UACINT)(i + 1));
        throng_point p = throng_check_point(L, -2, lua_tostring(L, -1));
        b->x[i] = (float)p.x;
        b->y[i] = (float)p.y;
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
}

/* Nodes that are blocked, and what entering others costs. */
static void read_nodes(lua_State *L, batch *b)
{
    b->extra = zeroes(L, (size_t)b->nodes, sizeof *b->extra);
    int64_t count = push_list(L, "blocked", false);
    for (int64_t i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        b->blocked[take_node(L, b, "blocked", i)] = true;
    }
    lua_pop(L, 1);
    bool given = push_list(L, "node_cost", false) >= 0;
    for (lua_pushnil(L); given && lua_next(L, -2);) {
        lua_pushvalue(L, -2);
        int32_t node = take_node(L, b, "node_cost", 0);
        b->extra[node] = take_cost(L, "node_cost", node + 1);
        b->blocked[node] = b->blocked[node] || isinf(b->extra[node]);
    }
    lua_settop(L, 2);
}

static void make_graph(lua_State *L, batch *b, bool diagonal)
{
    throng_error error;
    if (b->edge) {
        read_places(L, b);
        for (int32_t e = 0; e < b->edges; e++) {
            throng_graph_edge *edge = &b->edge[e];
            edge->cost = b->blocked[edge->from] || b->blocked[edge->to] ? INFINITY : edge->cost + b->extra[edge->to];
        }
        b->graph = throng_graph_create(b->nodes, b->x, b->y, b->edges, b->edge, &error);
    } else {
        b->graph = throng_graph_grid(b->width, b->height, b->blocked, diagonal, b->extra, &error);
    }
    if (!b->graph)
        throng_raise(L, "%s: %s", OWNER, error.text);
}

static void read_graph(lua_State *L, batch *b)
{
    bool diagonal = false;
    int64_t rows = push_list(L, "grid", false), edges = push_list(L, "edges", false);
    if ((rows < 0) == (edges < 0))
        throng_raise(L, "%s: needs either 'map', or 'grid', rows of cells, or 'edges' and 'nodes'", OWNER);
    if (throng_field_boolean(L, 1, OWNER, "diagonal", &diagonal) && edges >= 0)
        throng_raise(L, "%s: 'diagonal' is for grids", OWNER);
    if (edges < 0 && lua_getfield(L, 1, "at") != LUA_TNIL)
        throng_raise(L, "%s: 'at' is for 'edges'; cells of a grid lie where they are drawn", OWNER);
    lua_pushvalue(L, rows >= 0 ? 3 : 4);
    if (rows >= 0)
        read_grid(L, b, rows);
    else
        read_edges(L, b, edges);
    lua_settop(L, 2);
    read_nodes(L, b);
    make_graph(L, b, diagonal);
}

/* ---- the queries and their answers */

static void read_ends(lua_State *L, const batch *b, const char *name, int32_t *ends)
{
    push_list(L, name, true);
    for (int32_t i = 0; i < b->queries; i++) {
        lua_rawgeti(L, -1, i + 1);
        ends[i] = take_node(L, b, name, i + 1);
    }
    lua_pop(L, 1);
}

static void read_queries(lua_State *L, batch *b)
{
    throng_error error;
    int64_t from = push_list(L, "from", true), to = push_list(L, "to", true);
    if (from != to)
        throng_raise(L, "%s: 'from' has %I nodes and 'to' %I; each query needs both", OWNER, (LUAI_UACINT)from,
                     (LUAI_UACINT)to);
    lua_settop(L, 2);
    b->queries = (int32_t)from;
    if (!throng_graph_queries(&b->stages, b->queries, &b->from, &b->to, &error))
        throng_raise(L, "%s: %s", OWNER, error.text);
    read_ends(L, b, "from", b->from);
    read_ends(L, b, "to", b->to);
}

static int32_t read_method(lua_State *L)
{
    static const char *const names[] = {"searches", "trees", NULL};
    const char *name = NULL;
    if (!throng_field_string(L, 1, OWNER, "method", &name))
        return THRONG_PATHS_AUTO;
    if (strcmp(name, "searches") != 0 && strcmp(name, "trees") != 0)
        throng_raise_unknown(L, OWNER, "method", name, names);
    return strcmp(name, "trees") == 0 ? THRONG_PATHS_TREES : THRONG_PATHS_SEARCH;
}

/* The devices asked for; opens them. */
static void open_devices(lua_State *L, batch *b)
{
    throng_error error;
    const char *backend = "cpu";
    int32_t device[THRONG_GRAPH_DEVICES_MAX] = {0};
    int64_t count = push_list(L, "devices", false);
    if (count == 0 || count > THRONG_GRAPH_DEVICES_MAX)
        throng_raise(L, "%s: field 'devices' must name 1 to %d devices, got %d", OWNER, THRONG_GRAPH_DEVICES_MAX,
                     (int)count);
    for (int64_t i = 0; i < count; i++) {
        int whole;
        lua_geti(L, -1, i + 1);
        lua_Integer number = lua_tointegerx(L, -1, &whole);
        if (!whole || lua_type(L, -1) != LUA_TNUMBER || number < 0 || number > INT32_MAX)
            throng_raise(L, "%s: devices[%d]: expected a device's number, 0 or more, got %s", OWNER, (int)i + 1,
                         throng_describe(L, -1));
        device[i] = (int32_t)number;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    throng_field_string(L, 1, OWNER, "backend", &backend);
    if (!throng_graph_devices_open(backend, device, count < 0 ? 1 : (int32_t)count, &b->stages, &error))
        throng_raise(L, "%s: %s", OWNER, error.text);
}

static void push_results(lua_State *L, const batch *b, const throng_path_results *r)
{
    lua_createtable(L, 0, 6);
    lua_createtable(L, b->queries, 0);
    lua_createtable(L, b->queries, 0);
    for (int32_t q = 0; q < b->queries; q++) {
        lua_pushnumber(L, r->cost[q]);
        lua_rawseti(L, -3, q + 1);
        lua_createtable(L, r->count[q], 0);
        for (int32_t i = 0; i < r->count[q]; i++) {
            lua_pushinteger(L, r->node[r->first[q] + i] + 1);
            lua_rawseti(L, -2, i + 1);
        }
        lua_rawseti(L, -2, q + 1);
    }
    lua_setfield(L, -3, "path");
    lua_setfield(L, -2, "cost");
    lua_pushstring(L, r->method == THRONG_PATHS_TREES ? "trees" : "searches");
    lua_setfield(L, -2, "method");
    lua_pushinteger(L, r->suffixes);
    lua_setfield(L, -2, "shared_suffixes");
    lua_pushinteger(L, (lua_Integer)r->host_bytes);
    lua_setfield(L, -2, "host_bytes");
    lua_pushinteger(L, (lua_Integer)r->device_bytes);
    lua_setfield(L, -2, "device_bytes");
}

/*--- throng.paths(settings)
 * Cheapest paths for many queries at once, on a grid or a graph of the script's own, or on a map. Paths are the same on
 * every backend.
 * @param settings throng.paths.settings The graph, the queries, and how.
 * @return throng.paths.result
 * @error costs below 0; nodes that are not there; rows of different lengths
 * @example
 * local found = throng.paths { grid = { "..#.", "..#.", "...." }, from = { 1, 4 }, to = { 4, 9 } }
 * print(found.cost[1], table.concat(found.path[1], " ")) --> 7.0  1 2 6 10 11 12 8 4
 * @example
 * local museum = throng.map "maps/museum.xml"
 * local paths = throng.paths { map = museum, radius = 0.25, from = { { 2, 2 } }, to = { { 9, 4 } } }
 * print(paths.cost[1]) -- m */
static int paths(lua_State *L)
{
    throng_error error;
    throng_path_results results;
    lua_settop(L, 1);
    if (!lua_istable(L, 1))
        throng_raise(L, "%s: expected a table like {grid = {\"..\", \"..\"}, from = {1}, to = {4}}, got %s", OWNER,
                     throng_describe(L, 1));
    throng_settings_check(L, 1, &throng_batch_settings);
    if (lua_getfield(L, 1, "map") != LUA_TNIL)
        return throng_batch_on_map(L);
    lua_settop(L, 1);
    batch *b = lua_newuserdatauv(L, sizeof *b, 0); /* 2 */
    *b = (batch){0};
    luaL_setmetatable(L, BATCH);
    read_graph(L, b);
    open_devices(L, b);
    read_queries(L, b);
    const throng_path_batch asked = {b->queries, b->from, b->to, read_method(L)};
    if (!throng_graph_paths(&b->stages, b->graph, &asked, &results, &error))
        throng_raise(L, "%s: %s", OWNER, error.text);
    push_results(L, b, &results);
    lua_pushcfunction(L, free_batch);
    lua_pushvalue(L, 2);
    lua_call(L, 1, 0); /* now, and not when Lua looks for garbage */
    return 1;
}

void throng_bind_batch(lua_State *L)
{
    luaL_newmetatable(L, BATCH);
    lua_pushcfunction(L, free_batch);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    lua_pushcfunction(L, paths);
    lua_setfield(L, -2, "paths");
}
