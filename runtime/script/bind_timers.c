/* world:at(time, f) and world:every(period, f): callbacks at simulated times, before the step that begins then.
 *
 * THRONG_PART_TIMERS has each under its number, in the order of making. A heap of the world's value has the numbers by
 * when they are due; one that is in the heap and no longer in the table has ended. */
#include "callback.h"
#include "fields.h"
#include "world_methods.h"

#include <math.h>
#include <string.h>

static const throng_range TIME = {0, 1e9, false, "s"};
static const throng_range PERIOD = {0.001, 1e9, false, "s"}; /* called for each, also within one step */

/* A timer: {start, period (0: once), calls so far, function, what it is in messages or nil, true when it has brought
 * people}. */
enum { TIMER_START = 1, TIMER_PERIOD, TIMER_CALLS, TIMER_FUNCTION, TIMER_WHAT, TIMER_BRINGS };

static double number_at(lua_State *L, int entry, int field)
{
    lua_rawgeti(L, entry, field);
    double value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

/* When the entry is due, from a multiple of the period, so that nothing adds up. */
static double due(lua_State *L, int entry)
{
    double start = number_at(L, entry, TIMER_START), period = number_at(L, entry, TIMER_PERIOD);
    return start + period * number_at(L, entry, TIMER_CALLS);
}

static int add_timer(lua_State *L, throng_lua_world *world, double start, double period)
{
    throng_world_part_push(L, 1, THRONG_PART_TIMERS);
    lua_createtable(L, TIMER_WHAT, 0);
    lua_pushnumber(L, start);
    lua_rawseti(L, -2, TIMER_START);
    lua_pushnumber(L, period);
    lua_rawseti(L, -2, TIMER_PERIOD);
    lua_pushinteger(L, 0);
    lua_rawseti(L, -2, TIMER_CALLS);
    lua_pushvalue(L, 3);
    lua_rawseti(L, -2, TIMER_FUNCTION);
    lua_pushvalue(L, 4);
    lua_rawseti(L, -2, TIMER_WHAT);
    lua_rawseti(L, -2, world->timers_made + 1);
    if (!throng_heap_push(&world->timers, start, world->timers_made + 1))
        throng_raise(L, "out of memory for a timer");
    world->timers_made++;
    lua_settop(L, 1);
    return 1;
}

static void check_callback(lua_State *L, const char *method)
{
    if (!lua_isfunction(L, 3))
        throng_raise(L, "%s: the second argument must be a function(world, time), got %s", method,
                     throng_describe(L, 3));
}

/*--- world:at(time, callback)
 * Calls a function once, before the step that begins at that time.
 * @param time number(s) Simulated time.
 * @param callback fun(world: throng.world, time: number(s)) Called then.
 * @return throng.world self
 * @error a time in the past
 * @example
 * world:at(world.time + 20, function() door:close() end) */
int throng_world_at_method(lua_State *L)
{
    throng_lua_world *world = throng_check_world(L, 1);
    double time = throng_check_number(L, 2, "world:at: the time", &TIME), now = throng_world_time(world->world);
    check_callback(L, "world:at");
    lua_settop(L, 3);
    lua_pushnil(L); /* it is the script's own */
    if (time < now)
        throng_raise(L, "world:at: it is %f s already, later than %f s", now, time);
    return add_timer(L, world, time, 0);
}

/*--- world:every(period, callback)
 * Calls a function every `period` seconds from now on, until it returns false.
 * @param period number(s) Between calls.
 * @param callback fun(world: throng.world, time: number(s)): boolean? It is not called again when it returned false.
 * @return throng.world self
 * @error a period shorter than a millisecond and than the world's dt
 * @example
 * world:every(1, function(_, time)
 *   print(time, #guests:inside "hall")
 *   return time < 60
 * end) */
int throng_world_every_method(lua_State *L)
{
    throng_lua_world *world = throng_check_world(L, 1);
    throng_range range = PERIOD;
    range.least = fmin(PERIOD.least, throng_world_dt(world->world));
    double period = throng_check_number(L, 2, "world:every: the period", &range);
    check_callback(L, "world:every");
    lua_settop(L, 3);
    lua_pushnil(L); /* it is the script's own */
    return add_timer(L, world, throng_world_time(world->world) + period, period);
}

/* repeat_now(world, period, f, what): like world:every, but from this step on; `what` is for messages. When f returns a
 * number it is not called before that time. */
int throng_world_repeat_now(lua_State *L)
{
    throng_lua_world *world = throng_check_world(L, 1);
    return add_timer(L, world, throng_world_time(world->world), luaL_checknumber(L, 2));
}

/* repeat_later(world, period, f, what): like world:every */
int throng_world_repeat_later(lua_State *L)
{
    throng_lua_world *world = throng_check_world(L, 1);
    double period = luaL_checknumber(L, 2);
    return add_timer(L, world, throng_world_time(world->world) + period, period);
}

int32_t throng_timers_after(lua_State *L, int index, double time, double *first)
{
    int32_t count = 0, top = lua_gettop(L);
    throng_world_part_push(L, index, THRONG_PART_TIMERS);
    for (lua_pushnil(L); lua_next(L, top + 1); lua_pop(L, 1)) {
        double start = number_at(L, lua_gettop(L), TIMER_START);
        bool own = lua_rawgeti(L, -1, TIMER_WHAT) == LUA_TNIL;
        lua_pop(L, 1);
        if (own && start > time)
            *first = count++ ? fmin(*first, start) : start;
    }
    lua_settop(L, top);
    return count;
}

int32_t throng_timers_waiting(lua_State *L, int index)
{
    int32_t count = 0, top = lua_gettop(L);
    throng_world_part_push(L, index, THRONG_PART_TIMERS);
    for (lua_pushnil(L); lua_next(L, top + 1); lua_settop(L, top + 2)) {
        bool once = number_at(L, lua_gettop(L), TIMER_PERIOD) == 0;
        bool brings = lua_rawgeti(L, -1, TIMER_BRINGS) == LUA_TBOOLEAN;
        bool is_named = lua_rawgeti(L, -2, TIMER_WHAT) == LUA_TSTRING;
        count += once || brings || (is_named && strcmp(lua_tostring(L, -1), "a story") == 0);
    }
    lua_settop(L, top);
    return count;
}

static void push_again(lua_State *L, throng_lua_world *world, int entry, int32_t number)
{
    if (!throng_heap_push(&world->timers, due(L, entry), number))
        throng_raise(L, "out of memory for a timer");
}

/* The timer of the library at `entry` sleeps until the time at the top: the first of its multiples from then on. The
 * heap has it by the next one, and finds then that it is not due. */
static void sleep_until(lua_State *L, int entry)
{
    double calls =
        ceil((lua_tonumber(L, -1) - number_at(L, entry, TIMER_START)) / number_at(L, entry, TIMER_PERIOD) - 1e-6);
    lua_pushinteger(L, (lua_Integer)fmax(fmin(calls, 1e15), number_at(L, entry, TIMER_CALLS)));
    lua_rawseti(L, entry, TIMER_CALLS);
}

/* Calls timer `number`, which the heap had at `time`, and has no longer. The list of timers is at `list`. */
static void call_timer(lua_State *L, int index, throng_lua_world *world, int list, int32_t number, double time)
{
    if (lua_rawgeti(L, list, number) != LUA_TTABLE) {
        lua_pop(L, 1);
        return;
    }
    int entry = lua_gettop(L);
    bool once = number_at(L, entry, TIMER_PERIOD) == 0;
    if (time < due(L, entry)) {
        push_again(L, world, entry, number);
        lua_pop(L, 1);
        return;
    }
    lua_pushinteger(L, (lua_Integer)number_at(L, entry, TIMER_CALLS) + 1);
    lua_rawseti(L, entry, TIMER_CALLS);
    if (once) {
        lua_pushnil(L);
        lua_rawseti(L, list, number);
    } else
        push_again(L, world, entry, number);
    bool named = lua_rawgeti(L, entry, TIMER_WHAT) == LUA_TSTRING;
    const char *what = once ? "a world:at callback" : "a world:every callback";
    what = named ? lua_tostring(L, -1) : what;
    int32_t living = throng_agents_count(throng_world_agents(world->world));
    lua_rawgeti(L, entry, TIMER_FUNCTION);
    lua_pushvalue(L, index);
    lua_pushnumber(L, time);
    throng_callback_call(L, world, what, "", 2, 1);
    if (!named && throng_agents_count(throng_world_agents(world->world)) > living) {
        lua_pushboolean(L, true);
        lua_rawseti(L, entry, TIMER_BRINGS);
    }
    if (lua_isboolean(L, -1) && !lua_toboolean(L, -1)) {
        lua_pushnil(L);
        lua_rawseti(L, list, number);
    } else if (named && lua_type(L, -1) == LUA_TNUMBER)
        sleep_until(L, entry);
    lua_settop(L, entry - 1);
}

/* Those that callbacks of the last step made, and were due in it, wait no longer. */
static void take_up_late(lua_State *L, throng_lua_world *world)
{
    while (world->late_timers.count > 0) {
        double time = world->late_timers.entries[0].key;
        if (!throng_heap_push(&world->timers, time, world->late_timers.entries[0].node))
            throng_raise(L, "out of memory for a timer");
        throng_heap_pop(&world->late_timers);
    }
}

/* A time is reached at the step that begins within half a microsecond of it: sums of dt are not exact. */
static double reached(const throng_lua_world *world) { return throng_world_time(world->world) + 5e-7; }

bool throng_timers_due(const throng_lua_world *world)
{
    const throng_heap *timers = &world->timers;
    return world->late_timers.count > 0 || (timers->count > 0 && timers->entries[0].key <= reached(world));
}

/* What callbacks make waits for the next step. */
void throng_timers_call(lua_State *L, int index)
{
    throng_lua_world *world = throng_check_world(L, index);
    throng_heap *timers = &world->timers;
    double now = reached(world);
    int32_t made = world->timers_made;
    index = lua_absindex(L, index);
    take_up_late(L, world);
    throng_world_part_push(L, index, THRONG_PART_TIMERS);
    int list = lua_gettop(L);
    while (timers->count > 0 && timers->entries[0].key <= now) {
        double time = timers->entries[0].key;
        int32_t number = throng_heap_pop(timers);
        if (number <= made)
            call_timer(L, index, world, list, number, time);
        else if (!throng_heap_push(&world->late_timers, time, number))
            throng_raise(L, "out of memory for a timer");
    }
    lua_pop(L, 1);
}

/* What was due before the step that comes has been called. */
void throng_timers_pass(lua_State *L, int index)
{
    throng_lua_world *world = throng_check_world(L, index);
    double now = throng_world_time(world->world) - throng_world_dt(world->world) / 2;
    take_up_late(L, world);
    throng_world_part_push(L, index, THRONG_PART_TIMERS);
    int list = lua_gettop(L);
    while (world->timers.count > 0 && world->timers.entries[0].key < now) {
        int32_t number = throng_heap_pop(&world->timers);
        if (lua_rawgeti(L, list, number) != LUA_TTABLE) {
            lua_settop(L, list);
            continue;
        }
        double start = number_at(L, list + 1, TIMER_START), period = number_at(L, list + 1, TIMER_PERIOD);
        if (period > 0) {
            lua_pushinteger(L, (lua_Integer)ceil((now - start) / period));
            lua_rawseti(L, list + 1, TIMER_CALLS);
            throng_heap_push(&world->timers, fmax(due(L, list + 1), now), number); /* there is room for it */
        } else {
            lua_pushnil(L);
            lua_rawseti(L, list, number);
        }
        lua_settop(L, list);
    }
    lua_pop(L, 1);
}
