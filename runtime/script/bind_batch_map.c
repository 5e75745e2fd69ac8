/* throng.paths on a map: a path queue whose frame has no end. */
#include "fields.h"
#include "map_value.h"

#include <math.h>

#include "navigation/path_queue.h"

static const char OWNER[] = "throng.paths";

#define QUERIES "throng.path_queries"

/* A value of Lua's, so that it goes also when something is raised. */
typedef struct path_queries {
    throng_stages stages;
    throng_path_queue *queue;
} path_queries;

static int free_queries(lua_State *L)
{
    path_queries *q = lua_touserdata(L, 1);
    throng_path_queue_destroy(q->queue);
    if (q->stages.api)
        throng_stages_close(&q->stages);
    *q = (path_queries){0};
    return 0;
}

/* [-0, +1] */
static path_queries *push_queries(lua_State *L)
{
    throng_error error;
    const throng_backend_options best = {0};
    const char *backend = "cpu";
    path_queries *q = lua_newuserdatauv(L, sizeof *q, 0);
    *q = (path_queries){0};
    if (luaL_newmetatable(L, QUERIES)) {
        lua_pushcfunction(L, free_queries);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    throng_field_string(L, 1, OWNER, "backend", &backend);
    if (!throng_stages_open(backend, &best, &q->stages, &error))
        throng_raise(L, "%s: %s", OWNER, error.text);
    q->queue = throng_path_queue_create(&q->stages);
    if (!q->queue)
        throng_raise(L, "%s: out of memory", OWNER);
    return q;
}

static void refuse_graphs(lua_State *L)
{
    static const char *const graphs[] = {"grid",      "diagonal", "edges",  "nodes",  "at",
                                         "node_cost", "blocked",  "method", "devices"};
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        if (lua_getfield(L, 1, graphs[i]) != LUA_TNIL)
            throng_raise(L, "%s: with 'map', leave '%s' out: it is for graphs", OWNER, graphs[i]);
        lua_pop(L, 1);
    }
}

/* Where queries begin and end, by places. */
typedef struct path_ends {
    const throng_map *map;
    const throng_point *from, *to;
} path_ends;

/* [-0, +1] */
static const throng_point *read_ends(lua_State *L, const throng_map *map, const char *name, int32_t *count)
{
    lua_getfield(L, 1, name);
    lua_pushfstring(L, "%s: field '%s'", OWNER, name);
    const throng_point *points = throng_points_read(L, -2, map, lua_tostring(L, -1), count);
    lua_replace(L, -3);
    lua_pop(L, 1);
    return points;
}

/* Adds all queries to the queue, each with its number from 1. Returns where they begin and end.
 * [-0, +2] what keeps these alive */
static path_ends ask(lua_State *L, const throng_map *map, throng_path_queue *queue, const throng_navmesh *mesh)
{
    int32_t count, goals;
    path_ends ends = {.map = map};
    ends.from = read_ends(L, map, "from", &count);
    ends.to = read_ends(L, map, "to", &goals);
    if (count != goals)
        throng_raise(L, "%s: 'from' has %d points and 'to' %d; each query needs both", OWNER, count, goals);
    for (int32_t i = 0; i < count; i++)
        if (!throng_path_queue_add(queue, &(throng_path_request){mesh, map, ends.from[i], ends.to[i], false, i + 1}))
            throng_raise(L, "%s: out of memory for %d paths", OWNER, count);
    return ends;
}

/* Adds an answer to the lists `cost` and `path` at the top. [-0, +0] */
static void push_answer(lua_State *L, const path_ends *ends, const throng_path_answer *answer)
{
    int64_t query = answer->tag;
    double length = INFINITY;
    if (answer->path)
        length = throng_found_path_push(L, ends->map, ends->from[query - 1], ends->to[query - 1], answer->path);
    else
        lua_newtable(L);
    lua_rawseti(L, -2, query);
    lua_pushnumber(L, length);
    lua_rawseti(L, -3, query);
}

static void push_answers(lua_State *L, const path_ends *ends, throng_path_queue *queue)
{
    int32_t spent, count;
    while (throng_path_queue_pending(queue) > 0) {
        if (!throng_path_queue_run(queue, INT32_MAX, &spent))
            throng_raise(L, "%s: out of memory", OWNER);
        const throng_path_answer *answers = throng_path_queue_answers(queue, &count);
        for (int32_t i = 0; i < count; i++)
            push_answer(L, ends, &answers[i]);
    }
}

int throng_batch_on_map(lua_State *L)
{
    double radius = 0;
    refuse_graphs(L); /* the map is at 2 */
    if (!luaL_testudata(L, 2, THRONG_LUA_MAP))
        throng_raise(L, "throng.paths: field 'map' must be throng.map{...}, got %s", throng_describe(L, 2));
    const throng_map *map = throng_map_peek(L, 2);
    throng_setting_number(L, 1, &throng_batch_settings, "radius", &radius);
    path_queries *q = push_queries(L);                                     /* 3 */
    path_ends ends = ask(L, map, q->queue, throng_map_mesh(L, 2, radius)); /* 4, 5 */
    int32_t count = throng_path_queue_pending(q->queue);
    lua_createtable(L, 0, 4); /* 6 */
    lua_createtable(L, count, 0);
    lua_createtable(L, count, 0);
    push_answers(L, &ends, q->queue);
    lua_setfield(L, 6, "path");
    lua_setfield(L, 6, "cost");
    lua_pushliteral(L, "searches");
    lua_setfield(L, 6, "method");
    lua_pushinteger(L, 0);
    lua_setfield(L, 6, "shared_suffixes");
    lua_pushcfunction(L, free_queries);
    lua_pushvalue(L, 3);
    lua_call(L, 1, 0); /* now, and not when Lua looks for garbage */
    return 1;
}
