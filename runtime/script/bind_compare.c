/* For lua/throng/compare.lua and source.lua: what a world's measures give of a recording, and who comes into it. */
#include "binders.h"
#include "trajectory_value.h"
#include "world_methods.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "map/geometry.h"
#include "record/playback.h"
#include "world/measure.h"

#define PLAYED "throng.played"

/* What is freed whatever happens. */
typedef struct played {
    throng_playback *playback;
    throng_measured_run *run;
    throng_measure **measures; /* [count] */
    int32_t count;
} played;

static int free_played(lua_State *L)
{
    played *p = lua_touserdata(L, 1);
    throng_playback_close(p->playback);
    throng_measured_run_free(p->run);
    for (int32_t i = 0; i < p->count; i++)
        throng_measure_free(p->measures[i]);
    free(p->measures);
    *p = (played){0};
    return 0;
}

static throng_recording *check_recording(lua_State *L, int index, const char *owner)
{
    const throng_lua_trajectory *t = luaL_testudata(L, index, THRONG_LUA_TRAJECTORY);
    if (!t || !t->recording)
        throng_raise(L, "%s: expected a recording like throng.trajectory(\"run.txt\"), got %s", owner,
                     throng_describe(L, index));
    throng_error error;
    if (!throng_recording_is_plane(t->recording, &error))
        throng_raise(L, "%s: %s", owner, error.text);
    return t->recording;
}

/* [-0, +1] */
static played *push_played(lua_State *L, const throng_lua_world *world, throng_recording *recording, const char *owner)
{
    throng_error error;
    played *p = lua_newuserdatauv(L, sizeof *p, 0);
    *p = (played){0};
    luaL_setmetatable(L, PLAYED);
    p->playback = throng_playback_open(recording, throng_world_wrap(world->world), &error);
    if (!p->playback)
        throng_raise(L, "%s: the recording: %s", owner, error.text);
    return p;
}

/* ---- measures */

/* The world's measures again, of everybody: recordings know no groups. */
static bool copy_measures(played *p, const throng_world *world, throng_error *error)
{
    int32_t room = 0;
    for (throng_measure *m = throng_world_measures(world); m; m = throng_measure_next(m)) {
        throng_measure_def def = *throng_measure_def_of(m);
        def.spawn = -1;
        def.ids = NULL;
        if (!throng_array_reserve((void **)&p->measures, &room, (int64_t)p->count + 1, sizeof *p->measures))
            return throng_fail(error, "out of memory for measures of a recording");
        if (!(p->measures[p->count] = throng_measure_make(world, &def, error)))
            return false;
        p->count++;
    }
    return true;
}

static bool play(played *p, const throng_world *world, double since, double seconds, throng_error *error)
{
    throng_played at;
    double dt = throng_world_dt(world);
    p->run = throng_measured_run_begin(p->measures, p->count, dt, throng_world_wrap(world), error);
    if (!p->run)
        return false;
    double *first = NULL;
    bool ok = true;
    for (int64_t k = 0; ok && (double)k * dt <= seconds + 1e-6; k++) {
        ok = throng_playback_seek(p->playback, since + (double)k * dt, &at, error);
        if (ok && !first) {
            first = malloc(((size_t)at.count + 1) * sizeof *first);
            ok = first || throng_fail(error, "out of memory for the people of a recording");
            for (int32_t s = 0; ok && s < at.count; s++)
                first[s] = at.first[s] - since;
        }
        throng_measured_people people = {at.count, at.id, at.there, at.x, at.y, first};
        ok = ok && throng_measured_run_step(p->run, &people, error);
    }
    free(first);
    return ok;
}

/* [-0, +1] */
static void push_result(lua_State *L, const throng_measure *m)
{
    static const char *const names[] = {"times", "values", "event_times", "events"};
    const double *times, *values;
    lua_createtable(L, 0, 5);
    int32_t count = throng_measure_series(m, &times, &values);
    throng_lists_push(L, count, times, values);
    count = throng_measure_events(m, &times, &values);
    throng_lists_push(L, count, times, values);
    for (int i = 3; i >= 0; i--)
        lua_setfield(L, -2 - i, names[i]);
}

/* measure_recording(world, recording, since, seconds): a list, in the order of world.measures, of what each gives of
 * the recording from that time on, for so long: { times =, values =, event_times =, events = } */
static int measure_recording(lua_State *L)
{
    throng_error error;
    const throng_lua_world *world = throng_check_world(L, 1);
    throng_recording *recording = check_recording(L, 2, "world:compare");
    played *p = push_played(L, world, recording, "world:compare");
    if (!copy_measures(p, world->world, &error) ||
        !play(p, world->world, lua_tonumber(L, 3), lua_tonumber(L, 4), &error))
        throng_raise(L, "world:compare: the recording: %s", error.text);
    lua_createtable(L, p->count, 0);
    for (int32_t i = 0; i < p->count; i++) {
        push_result(L, p->measures[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* ---- who comes */

typedef struct entry {
    double time, last; /* s: when it came, and when it was seen last of the time that tells its velocity */
    float x, y, last_x, last_y;
    bool came;
} entry;

#define LOOKED 0.4 /* s after somebody came: for its velocity */

static bool is_within(const throng_shapes *where, float x, float y)
{
    for (int32_t i = 0; where && i < where->count; i++)
        if (throng_polygon_holds(where->list[i].points, where->list[i].count, (throng_point){(double)x, (double)y}))
            return true;
    return !where;
}

static void follow(entry *e, const throng_played *at, int32_t s, double time, const throng_shapes *where)
{
    if (!at->there[s])
        return;
    if (!e->came && is_within(where, at->x[s], at->y[s]))
        *e = (entry){.came = true, .time = time, .x = at->x[s], .y = at->y[s]};
    if (e->came && time <= e->time + LOOKED + 1e-6) {
        e->last = time;
        e->last_x = at->x[s];
        e->last_y = at->y[s];
    }
}

/* [-0, +1] */
static void push_entry(lua_State *L, const entry *e, int32_t id, double since)
{
    double period = e->last - e->time;
    const struct {
        const char *name;
        double value;
    } fields[] = {{"time", e->time - since},
                  {"x", (double)e->x},
                  {"y", (double)e->y},
                  {"vx", period > 0 ? ((double)e->last_x - (double)e->x) / period : 0},
                  {"vy", period > 0 ? ((double)e->last_y - (double)e->y) / period : 0}};
    lua_createtable(L, 0, 6);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        lua_pushnumber(L, fields[i].value);
        lua_setfield(L, -2, fields[i].name);
    }
    lua_pushinteger(L, id);
    lua_setfield(L, -2, "id");
}

/* Is that person there already at the time from which on others come? */
static void pass_over(entry *entries, const throng_played *at, const throng_map *map)
{
    for (int32_t s = 0; s < at->count; s++)
        if (at->there[s] && (!map || throng_map_fits(map, (throng_point){(double)at->x[s], (double)at->y[s]}, 0)))
            entries[s] = (entry){.came = true, .time = -INFINITY};
}

/* entries(world, recording, since or nil, where or nil): a list of { time =, id =, x =, y =, vx =, vy = }, by no order;
 * of those who are seen in a place of `where` first after `since`; nil: at all */
static int entries(lua_State *L)
{
    static const char *const OWNER = "world:source: field 'recording'";
    throng_error error;
    throng_played at;
    const throng_lua_world *world = throng_check_world(L, 1);
    throng_recording *recording = check_recording(L, 2, OWNER);
    bool later = !lua_isnil(L, 3);
    double since = later ? lua_tonumber(L, 3) : 0, fps = throng_recording_fps(recording);
    lua_settop(L, 4);
    const throng_shapes *where =
        lua_isnil(L, 4) ? NULL : throng_shapes_read(L, 4, world, "world:source: field 'where'");
    played *p = push_played(L, world, recording, OWNER);
    double seconds = throng_playback_seconds(p->playback);
    if (since > seconds)
        throng_raise(L, "world:source: field 'since' must be at most %f s, the recording's end, got %f", seconds,
                     since);
    entry *list = NULL;
    int32_t count = 0;
    for (int64_t k = 0; since + (double)k / fps <= seconds + 1e-6; k++) {
        double time = since + (double)k / fps;
        if (!throng_playback_seek(p->playback, time, &at, &error))
            throng_raise(L, "%s: %s", OWNER, error.text);
        count = at.count;
        if (k == 0) {
            list = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *list, 0);
            for (int32_t s = 0; s < count; s++)
                list[s] = (entry){.came = false};
            if (later)
                pass_over(list, &at, throng_world_map(world->world));
        }
        for (int32_t s = 0; s < count; s++)
            follow(&list[s], &at, s, time, where);
    }
    lua_createtable(L, count, 0);
    for (int32_t s = 0, n = 0; s < count; s++) {
        if (!list[s].came || isinf(list[s].time))
            continue;
        push_entry(L, &list[s], at.id[s], since);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

/* recording_seconds(recording) */
static int recording_seconds(lua_State *L)
{
    check_recording(L, 1, "world:compare");
    lua_getfield(L, 1, "seconds");
    return 1;
}

void throng_bind_compare(lua_State *L)
{
    static const luaL_Reg meta[] = {{"__gc", free_played}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"measure_recording", measure_recording},
                                         {"entries", entries},
                                         {"recording_seconds", recording_seconds},
                                         {NULL, NULL}};
    luaL_newmetatable(L, PLAYED);
    luaL_setfuncs(L, meta, 0);
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
}
