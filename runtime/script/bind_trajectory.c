/* throng.trajectory: what was recorded, of people or of another run, to begin from and to compare with. */
#include "binders.h"
#include "fields.h"
#include "script_files.h"
#include "script_parts.h"
#include "shapes.h"
#include "trajectory_value.h"

#include <math.h>
#include <string.h>

/*--- class throng.trajectory as trajectory
 * A recording. The result of throng.trajectory.
 * @field frames integer How many frames it has.
 * @field fps number(1/s) Frames a second.
 * @field seconds number(s) From its first frame to its last. */

/*--- class throng.moment
 * People at one moment of a recording, to world:spawn from: `from = throng.trajectory("run.txt", 3)`.
 * @field time number(s) From the first frame.
 * @field at throng.point[] Where they are; of all floors of a building each with its `floor`.
 * @field vx number(m/s)[] Velocities, over 0.4 s.
 * @field vy number(m/s)[] The same along y.
 * @field id integer[] Their numbers in the recording. */

/*--- class throng.recorded
 * A floor of a recording. The setting of throng.trajectory.
 * @field file string The recording's name, beside the script.
 * @field floor? string Only those on this floor or flight of a building, as if there were no others; none: all, each
 * with its floor. */

typedef throng_lua_trajectory trajectory;

static trajectory *check_trajectory(lua_State *L)
{
    return throng_check_self(L, 1, THRONG_LUA_TRAJECTORY, "trajectory", "at");
}

static int close_trajectory(lua_State *L)
{
    trajectory *t = check_trajectory(L);
    throng_recording_close(t->recording);
    t->recording = NULL;
    return 0;
}

static throng_record_frame read_frame(lua_State *L, const trajectory *t, int32_t n)
{
    throng_error error;
    throng_record_frame frame;
    if (!throng_recording_read(t->recording, n, &frame, &error))
        throng_raise(L, "throng.trajectory: %s", error.text);
    return frame;
}

static double seconds_of(const trajectory *t, int32_t number)
{
    return (number - t->first) / throng_recording_fps(t->recording);
}

/* The last frame of the file at that time or before it. */
static int32_t frame_at(lua_State *L, const trajectory *t, double time)
{
    int32_t low = 0, high = throng_recording_frames(t->recording) - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        if (seconds_of(t, read_frame(L, t, middle).frame) <= time + 1e-6)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* ---- a moment */

enum { TIME, AT, VX, VY, ID, MOMENT_FIELDS };
static const char *const MOMENT[] = {"time", "at", "vx", "vy", "id"};

/* By id: where people are in the frame, in a table. [-0, +1] */
static void push_places(lua_State *L, const trajectory *t, int32_t n)
{
    throng_record_frame frame = read_frame(L, t, n);
    lua_createtable(L, frame.count, 1);
    for (int32_t i = 0; i < frame.count; i++) {
        throng_point_push(L, (throng_point){(double)frame.x[i], (double)frame.y[i]});
        lua_rawseti(L, -2, frame.id[i]);
    }
    lua_pushnumber(L, seconds_of(t, frame.frame));
    lua_setfield(L, -2, "time");
}

static double coordinate(lua_State *L, int places, int32_t id, int axis, double otherwise)
{
    double value = otherwise;
    if (lua_rawgeti(L, places, id) == LUA_TTABLE) {
        lua_rawgeti(L, -1, axis);
        value = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return value;
}

static double time_of(lua_State *L, int places)
{
    lua_getfield(L, places, "time");
    double time = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return time;
}

/* [-0, +1] */
static void push_place(lua_State *L, const trajectory *t, const throng_record_frame *frame, int32_t i)
{
    const char *floor = throng_recording_floor(t->recording, frame, i);
    throng_point_push(L, (throng_point){(double)frame->x[i], (double)frame->y[i]});
    if (floor) {
        lua_pushstring(L, floor);
        lua_setfield(L, -2, "floor");
    }
}

#define AROUND 0.2 /* s: velocities are from so long before to so long after */

/* People of frame n as a table with MOMENT's fields. [-0, +1] */
static void push_moment(lua_State *L, const trajectory *t, int32_t n)
{
    int base = lua_gettop(L);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    double time = seconds_of(t, read_frame(L, t, n).frame);
    push_places(L, t, frame_at(L, t, fmax(time - AROUND, 0))); /* base + 1 */
    push_places(L, t, frame_at(L, t, time + AROUND));          /* base + 2 */
    double period = time_of(L, base + 2) - time_of(L, base + 1);
    lua_createtable(L, 0, MOMENT_FIELDS); /* base + 3 */
    throng_record_frame frame = read_frame(L, t, n);
    for (int field = AT; field < MOMENT_FIELDS; field++)
        lua_createtable(L, frame.count, 0); /* base + 3 + field */
    for (int32_t i = 0; i < frame.count; i++) {
        int32_t id = frame.id[i];
        double at[2] = {(double)frame.x[i], (double)frame.y[i]};
        push_place(L, t, &frame, i);
        lua_rawseti(L, base + 3 + AT, i + 1);
        for (int axis = 1; axis <= 2; axis++) {
            double way =
                coordinate(L, base + 2, id, axis, at[axis - 1]) - coordinate(L, base + 1, id, axis, at[axis - 1]);
            lua_pushnumber(L, period > 0 ? way / period : 0);
            lua_rawseti(L, base + 3 + VX + axis - 1, i + 1);
        }
        lua_pushinteger(L, id);
        lua_rawseti(L, base + 3 + ID, i + 1);
    }
    for (int field = MOMENT_FIELDS - 1; field >= AT; field--)
        lua_setfield(L, base + 3, MOMENT[field]);
    lua_pushnumber(L, time);
    lua_setfield(L, base + 3, MOMENT[TIME]);
    lua_replace(L, base + 1);
    lua_settop(L, base + 1);
}

static const throng_range TIMES = {0, 1e9, false, "s"};

static void push_moment_at(lua_State *L, const trajectory *t, int index, const char *what)
{
    double time = throng_check_number(L, index, what, &TIMES);
    if (time > seconds_of(t, t->last) + 1e-6)
        throng_raise(L, "%s must be at most %f s, the recording's end, got %f", what, seconds_of(t, t->last), time);
    push_moment(L, t, frame_at(L, t, time));
}

/*--- trajectory:at(time)
 * The people at a time: those of the last frame that is not later.
 * @param time number(s) From the first frame.
 * @return throng.moment
 * @error a time after its end
 * @example
 * local recorded = throng.trajectory "tests/data/trajectory.txt"
 * print(#recorded:at(0.5).at) */
static int moment_at(lua_State *L)
{
    push_moment_at(L, check_trajectory(L), 2, "trajectory:at: the time");
    return 1;
}

/* moments of all frames, one after the other */
static int next_moment(lua_State *L)
{
    const trajectory *t = luaL_checkudata(L, lua_upvalueindex(1), THRONG_LUA_TRAJECTORY);
    int32_t n = (int32_t)lua_tointeger(L, lua_upvalueindex(2));
    if (n >= throng_recording_frames(t->recording))
        return 0;
    lua_pushinteger(L, n + 1);
    lua_replace(L, lua_upvalueindex(2));
    push_moment(L, t, n);
    return 1;
}

/*--- trajectory:moments()
 * Goes over its frames: `for moment in trajectory:moments() do ... end`.
 * @return fun(): throng.moment?
 * @example
 * local most = 0
 * for moment in throng.trajectory("tests/data/trajectory.txt"):moments() do most = math.max(most, #moment.at) end */
static int moments(lua_State *L)
{
    check_trajectory(L);
    lua_settop(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_moment, 2);
    return 1;
}

static const char *const FIELDS[] = {"file", "floor", NULL};

/*--- throng.trajectory(file, time)
 * Reads a recording: JuPedSim's SQLite, throng's own, a .csv with columns id, frame, x and y (and time), or text as
 * Forschungszentrum Juelich and PedPy have it, lines "id frame x y" below lines like "# framerate: 25" and "# id frame
 * x/m y/m" (or cm). Positions in a building are those of the plan on every floor, and points name their floor, as
 * world:spawn takes them; world:compare, world:source and a world of one plane take one floor: `throng.trajectory {
 * file = "tower.sqlite", floor = "ground" }`.
 * @param file string|throng.recorded Its name, beside the script; or with a floor of it.
 * @param time? number(s) Only the people at this time, as a moment: trajectory:at.
 * @return throng.trajectory|throng.moment
 * @error no such file; one that is no recording, with what is wrong with it, and the line
 * @example
 * local world = throng.world { map = throng.map { boundary = throng.box(-2, -2, 12, 6) } }
 * local people = world:spawn { from = throng.trajectory("tests/data/trajectory.txt", 0.4), radius = 0.2 }
 * people:go_to { 11, 2 } */
static int open_trajectory(lua_State *L)
{
    char path[PATH_MAX];
    throng_error error;
    const char *floor = NULL;
    lua_settop(L, 2);
    if (lua_istable(L, 1)) {
        throng_fields_check(L, 1, "throng.trajectory", FIELDS);
        throng_field_string(L, 1, "throng.trajectory", "floor", &floor);
        lua_getfield(L, 1, "file"); /* the table stays for the text of `floor` */
    } else {
        lua_pushvalue(L, 1);
    }
    if (lua_type(L, 3) != LUA_TSTRING)
        throng_raise(L, "throng.trajectory: expected the name of a file, got %s", throng_describe(L, 3));
    throng_script_find_file(L, "throng.trajectory", 3, path);
    trajectory *t = lua_newuserdatauv(L, sizeof *t, 0);
    *t = (trajectory){0};
    luaL_setmetatable(L, THRONG_LUA_TRAJECTORY);
    throng_script_note_file(throng_script_of(L), path);
    t->recording = throng_recording_open_plan(path, floor, &error);
    if (!t->recording)
        throng_raise(L, "throng.trajectory: %s", error.text);
    if (throng_recording_frames(t->recording) < 1)
        throng_raise(L, "throng.trajectory: '%s' has no frames", path);
    t->first = read_frame(L, t, 0).frame;
    t->last = read_frame(L, t, throng_recording_frames(t->recording) - 1).frame;
    if (!lua_isnil(L, 2))
        push_moment_at(L, t, 2, "throng.trajectory: the time");
    return 1;
}

static int index_trajectory(lua_State *L)
{
    static const char *const names[] = {"at", "moments", "frames", "fps", "seconds", NULL};
    const trajectory *t = check_trajectory(L);
    const char *key = throng_check_name(L, 2);
    if (strcmp(key, "at") == 0)
        lua_pushcfunction(L, moment_at);
    else if (strcmp(key, "moments") == 0)
        lua_pushcfunction(L, moments);
    else if (strcmp(key, "frames") == 0)
        lua_pushinteger(L, throng_recording_frames(t->recording));
    else if (strcmp(key, "fps") == 0)
        lua_pushnumber(L, throng_recording_fps(t->recording));
    else if (strcmp(key, "seconds") == 0)
        lua_pushnumber(L, seconds_of(t, t->last));
    else
        throng_raise_unknown(L, "trajectory", "field", key, names);
    return 1;
}

void throng_bind_trajectory(lua_State *L)
{
    static const luaL_Reg meta[] = {{"__index", index_trajectory}, {"__gc", close_trajectory}, {NULL, NULL}};
    luaL_newmetatable(L, THRONG_LUA_TRAJECTORY);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_pushcfunction(L, open_trajectory);
    lua_setfield(L, -2, "trajectory");
}
