/* group:on and world:on: who is called with whom an event happened to. */
#include "fields.h"
#include "group_methods.h"
#include "world_methods.h"

#include <string.h>

/* Events, and what their functions get after the group. */
static const struct event {
    const char *name, *more;
    int part;
} EVENTS[] = {
    {"arrived", "", THRONG_PART_ARRIVED},        {"stuck", ", cause", THRONG_PART_STUCK},
    {"floor", ", from, to", THRONG_PART_FLOORS}, {"incapacitated", "", THRONG_PART_OVERCOME},
    {"entered", ", place", THRONG_PART_PLACES},  {"left", ", place", THRONG_PART_PLACES},
};
enum { EVENT_COUNT = sizeof EVENTS / sizeof *EVENTS };

static const struct event *check_event(lua_State *L, const char *on, int index)
{
    const char *names[EVENT_COUNT + 1] = {NULL};
    if (lua_type(L, index) != LUA_TSTRING)
        throng_raise(L,
                     "%s: the first argument must be the name of an event (arrived, stuck, floor, "
                     "incapacitated, entered, left), got %s",
                     on, throng_describe(L, index));
    const char *name = throng_check_name(L, index);
    for (int i = 0; i < EVENT_COUNT; i++) {
        if (strcmp(name, EVENTS[i].name) == 0)
            return &EVENTS[i];
        names[i] = EVENTS[i].name;
    }
    throng_raise_unknown(L, on, "event", name, names);
}

static void check_place(lua_State *L, const char *on, const struct event *event)
{
    if (lua_isnoneornil(L, 3) || lua_isfunction(L, 3))
        throng_raise(L, "%s: event '%s' needs a place: %s(\"%s\", \"hall\", function(group, place) ... end)", on,
                     event->name, on, event->name);
    if (!lua_isfunction(L, 4))
        throng_raise(L, "%s: event '%s': the third argument must be a function(group, place), got %s", on, event->name,
                     throng_describe(L, 4));
}

static void watch(lua_State *L, const char *on, throng_lua_world *world, int part)
{
    throng_error error;
    world->watches_arrivals = world->watches_arrivals || part == THRONG_PART_ARRIVED;
    world->watches_stuck = world->watches_stuck || part == THRONG_PART_STUCK;
    world->watches_overcome = world->watches_overcome || part == THRONG_PART_OVERCOME;
    if (part != THRONG_PART_FLOORS)
        return;
    if (!throng_world_watch_floors(world->world, &error))
        throng_raise(L, "%s: event 'floor': %s", on, error.text);
    world->watches_floors = true;
}

/* Adds what is at the top to the list below it, as its first or last. [-1, +0] */
static void add(lua_State *L, bool first)
{
    int list = lua_gettop(L) - 1;
    lua_Integer at = (lua_Integer)lua_rawlen(L, list) + 1;
    for (; first && at > 1; at--) {
        lua_rawgeti(L, list, at - 1);
        lua_rawseti(L, list, at);
    }
    lua_rawseti(L, list, at);
}

/* 1 whose events, a group's or those of everybody in a world, 2 anything, then a place of some, the function, which is
 * called before others or after them. [-0, +1] */
static int hear(lua_State *L, const char *on, throng_lua_world *world, const struct event *event, bool everybody,
                bool first)
{
    bool at_place = event->part == THRONG_PART_PLACES;
    watch(L, on, world, event->part);
    lua_settop(L, 3 + at_place);
    if (everybody)
        lua_pushvalue(L, 1);
    else
        lua_getiuservalue(L, 1, 1);
    throng_world_part_push(L, lua_gettop(L), event->part);
    lua_createtable(L, 2, 0);
    if (everybody)
        lua_pushboolean(L, false);
    else
        lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
    lua_pushvalue(L, 3 + at_place);
    lua_rawseti(L, -2, 2);
    if (at_place)
        throng_entered_begin(L, on, world, event->name);
    add(L, first);
    lua_settop(L, 1);
    return 1;
}

/* The same, with the event's name at 2, as scripts give them. */
static int listen(lua_State *L, const char *on, throng_lua_world *world, bool everybody, bool first)
{
    const struct event *event = check_event(L, on, 2);
    if (event->part == THRONG_PART_PLACES)
        check_place(L, on, event);
    else if (!lua_isfunction(L, 3))
        throng_raise(L, "%s: the second argument must be a function(group%s), got %s", on, event->more,
                     throng_describe(L, 3));
    return hear(L, on, world, event, everybody, first);
}

/*--- group:on(event, callback)
 * Calls a function once a step, with the agents of the group that the event happened to.
 * @param event "arrived"|"stuck"|"floor"|"incapacitated"|"entered"|"left" Name of the event; "entered" and "left" are
 * followed by a place: group:on("entered", "hall", callback).
 * @param callback fun(group: throng.group, cause: throng.cause|string, to: string) Called with those it happened to.
 * @overload fun(self, event: "entered"|"left", place: throng.place, callback: fun(group: throng.group, place:
 * throng.place)): throng.group
 * @event arrived They reached where they were sent, or a state of their machine that has no `arrived`.
 * @event stuck They began to be stuck (see world:stuck); the function is called once for each cause, which it gets.
 * @event floor They came to another floor, flight or lift of a building; the function is called once for each two,
 * whose names it gets: where from, and where to.
 * @event incapacitated Smoke or heat has overcome them (see world:smoke): their `pace` is 0.
 * @event entered Their centres came into the place (a region by name, a shape, or a list of those), which the function
 * gets. Who begins in it, by world:spawn or when the function is given, has not entered.
 * @event left Their centres went out of the place; who is removed in it has not left.
 * @return throng.group self
 * @error an unknown event; "entered" or "left" without a place; "floor" in a world that is no building
 * @example
 * guests:on("arrived", function(arrived) arrived:remove() end)
 * guests:on("entered", "lobby", function(entered) entered.speed = 0.9 end) */
int throng_group_on(lua_State *L) { return listen(L, "group:on", throng_check_group(L, 1)->owner, false, false); }

/*--- world:on(event, callback)
 * Calls a function once a step, with all agents that the event happened to, those who came after this call too.
 * @param event "arrived"|"stuck"|"floor"|"incapacitated"|"entered"|"left" Name of the event, as of group:on.
 * @param callback fun(group: throng.group, cause: throng.cause|string, to: string) Called with those it happened to.
 * @overload fun(self, event: "entered"|"left", place: throng.place, callback: fun(group: throng.group, place:
 * throng.place)): throng.world
 * @return throng.world self
 * @error an unknown event; "entered" or "left" without a place; "floor" in a world that is no building
 * @example
 * world:on("arrived", function(arrived) arrived:remove() end) */
int throng_world_on(lua_State *L) { return listen(L, "world:on", throng_check_world(L, 1), true, false); }

int throng_world_on_first(lua_State *L) { return listen(L, "world:on", throng_check_world(L, 1), true, true); }

int throng_on_present(lua_State *L)
{
    static const struct event PRESENT = {"present", ", place", THRONG_PART_PLACES};
    bool everybody = luaL_testudata(L, 1, THRONG_LUA_WORLD) != NULL;
    throng_lua_world *world = everybody ? throng_check_world(L, 1) : throng_check_group(L, 1)->owner;
    lua_pushnil(L);
    lua_insert(L, 2);
    return hear(L, "on_present", world, &PRESENT, everybody, false);
}
