/* Rigid bodies: world:body{...}, world:bodies{...}, and the handles they give. */
#include "binders.h"
#include "fields.h"
#include "world_methods.h"

#include <stdio.h>
#include <string.h>

#include "base/watchdog.h"

enum { BODY_BYTES = 2000 }; /* of memory, about */

#define LUA_BODY "throng.body"

static const throng_range LENGTH = {0.01, 1000, false, "m"}, PLACE = {-1e6, 1e6, false, "m"};
/* At first it is less than a turn, else it was meant in degrees; later it may go on turning. */
static const throng_range ANGLE = {-1e6, 1e6, false, "rad"}, SPIN = {-1000, 1000, false, "rad/s"},
                          FIRST_ANGLE = {-6.2832, 6.2832, false, "rad (90 degrees are math.rad(90))"};
static const throng_range SPEED = {-THRONG_BODY_FASTEST, THRONG_BODY_FASTEST, false, "m/s"};
static const throng_range FORCE = {-1e30, 1e30, false, "N"};

/*--- class throng.bodies
 * The definition of a body, for world:body and world:bodies. One of `box`, `circle` and `polygon`.
 * @field box? number(m)[] {width, height}; each a number or throng.uniform.
 * @field circle? number(m)|throng.sampler Radius.
 * @field polygon? throng.point[] A convex polygon, counter-clockwise, about its place.
 * @field at? throng.point|throng.point[] Where it is, m, in a building with the name of its `floor`; of many, where
 * each is. Or
 * @field where? throng.place In free space there, without overlap; the whole map when neither is given.
 * @field count? integer Of world:bodies.
 * @field angle? number(rad)|throng.sampler How it is turned, default 0.
 * @field mass? number(kg)|throng.sampler Mass, default 20.
 * @field density? number(kg/m^2)|throng.sampler Mass for each square metre that it covers, in the place of `mass`.
 * @field friction? number(1)|throng.sampler Coefficient of friction with the floor and with other bodies, default 0.4.
 * @field velocity? throng.point m/s, at most 10.
 * @field spin? number(rad/s) How fast it turns, default 0.
 * @field static? boolean Nothing moves it. */

/*--- class throng.body as body
 * A rigid body. It slides on the floor, stops at walls, is pushed by agents and pushes them. Agents avoid bodies of a
 * quarter of their own mass or more, from as far as walls (wall_horizon times max_speed), and shove lighter ones
 * aside. Routes on a map lead round bodies that stand: static ones, and others that have rested for a second and weigh
 * 20 kg or more or are wedged. Routes are found again when bodies come to rest or move on. They lead through a body
 * only where there is no other route. In a building it stays on its floor: stairs and lifts hold it as walls do.
 * @field x number(m) Position of its centre of mass.
 * @field y number(m) Position of its centre of mass.
 * @field floor string The floor of a building that it is on, "" where there is one floor; may be written.
 * @field angle number(rad) -pi to pi.
 * @field vx number(m/s) Velocity.
 * @field vy number(m/s) Velocity.
 * @field spin number(rad/s) How fast it turns.
 * @field mass number(kg) Mass; of a static one infinite, and not to be written.
 * @field friction number(1) As a part of what it weighs.
 * @field density number(kg/m^2) Mass for each square metre that it covers; to write it gives it a mass.
 * @field static boolean Nothing moves it (read only).
 * @field alive boolean It was not removed (read only). */

/* ---- handles */

static void push_body(lua_State *L, int world, throng_handle handle)
{
    *(throng_handle *)lua_newuserdatauv(L, sizeof handle, 1) = handle;
    luaL_setmetatable(L, LUA_BODY);
    lua_pushvalue(L, world);
    lua_setiuservalue(L, -2, 1);
}

/* The world of the body at 1; `alive`: raises when the body is gone. */
static throng_world *check_body(lua_State *L, throng_handle *handle, bool alive)
{
    throng_handle *given = throng_check_self(L, 1, LUA_BODY, "body", "remove");
    *handle = *given;
    lua_getiuservalue(L, 1, 1);
    throng_world *world = throng_check_world(L, -1)->world;
    lua_pop(L, 1);
    if (alive && !throng_bodies_alive(throng_world_bodies(world), *handle))
        throng_raise(L, "this body was removed; body.alive says so beforehand");
    return world;
}

/*--- body:remove()
 * Removes it from the world.
 * @error a body that was removed already
 * @example
 * world:at(world.time + 10, function() crate:remove() end) */
static int remove_body(lua_State *L)
{
    throng_handle handle;
    throng_error error;
    throng_world *world = check_body(L, &handle, true);
    if (!throng_world_remove_body(world, handle, &error))
        throng_raise_error(L, &error);
    return 0;
}

/*--- body:push(fx, fy)
 * Applies a force to its centre of mass during the next step.
 * @param fx number(N) The force's x.
 * @param fy number(N) The force's y.
 * @return throng.body self
 * @error a body that was removed; a force that is not finite
 * @example
 * crate:push(50, 0) -- N, until the next step */
static int push(lua_State *L)
{
    throng_handle handle;
    throng_world *world = check_body(L, &handle, true);
    double fx = throng_check_number(L, 2, "body:push: fx", &FORCE);
    double fy = throng_check_number(L, 3, "body:push: fy", &FORCE);
    throng_bodies_push(throng_world_change_bodies(world), handle, fx, fy);
    lua_settop(L, 1);
    return 1;
}

static const char *const FIELDS[] = {"x",        "y",       "floor",  "angle", "vx",     "vy",   "spin", "mass",
                                     "friction", "density", "static", "alive", "remove", "push", NULL};
static const throng_range MASS = {0, 1e9, true, "kg"}, DENSITY = {0, 1e9, true, "kg/m^2"},
                          FRICTION = {0, 100, false, ""};

static bool push_number(lua_State *L, const throng_body *b, const char *key)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"x", b->x},   {"y", b->y},       {"angle", b->angle}, {"vx", b->vx},
                   {"vy", b->vy}, {"spin", b->spin}, {"mass", b->mass},   {"friction", b->friction}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(numbers[i].name, key) == 0) {
            lua_pushnumber(L, numbers[i].value);
            return true;
        }
    return false;
}

static int index_body(lua_State *L)
{
    throng_handle handle;
    const char *key = throng_check_name(L, 2);
    throng_world *world = check_body(L, &handle, strcmp(key, "alive") != 0);
    if (strcmp(key, "alive") == 0) {
        lua_pushboolean(L, throng_bodies_alive(throng_world_bodies(world), handle));
        return 1;
    }
    throng_body body = throng_world_body(world, handle);
    if (push_number(L, &body, key))
        return 1;
    if (strcmp(key, "floor") == 0)
        lua_pushstring(L, throng_floor_name(throng_world_map(world), body.sheet));
    else if (strcmp(key, "density") == 0)
        lua_pushnumber(L, body.mass / throng_bodies_area(throng_world_bodies(world), handle));
    else if (strcmp(key, "remove") == 0)
        lua_pushcfunction(L, remove_body);
    else if (strcmp(key, "push") == 0)
        lua_pushcfunction(L, push);
    else if (strcmp(key, "static") == 0)
        lua_pushboolean(L, body.fixed);
    else
        throng_raise_unknown(L, "body", "field", key, FIELDS);
    return 1;
}

/* Where the number for a field goes, and its range; NULL: it cannot be written. */
static double *field_of(throng_body *b, const char *key, const throng_range **range)
{
    const struct {
        const char *name;
        double *value;
        const throng_range *range;
    } fields[] = {{"x", &b->x, &PLACE},   {"y", &b->y, &PLACE},   {"angle", &b->angle, &ANGLE},
                  {"vx", &b->vx, &SPEED}, {"vy", &b->vy, &SPEED}, {"spin", &b->spin, &SPIN}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(fields[i].name, key) == 0) {
            *range = fields[i].range;
            return fields[i].value;
        }
    return NULL;
}

/* body.mass, friction or density = the number at 3; false: it is another field. */
static bool weigh_body(lua_State *L, throng_world *world, throng_handle handle, const char *key)
{
    throng_body body;
    throng_error error;
    bool mass = strcmp(key, "mass") == 0, density = strcmp(key, "density") == 0;
    if (!mass && !density && strcmp(key, "friction") != 0)
        return false;
    throng_bodies_get(throng_world_bodies(world), handle, &body);
    if (body.fixed && (mass || density))
        throng_raise(L, "body.%s: a static body has no mass to be written", key);
    double area = density ? throng_bodies_area(throng_world_bodies(world), handle) : 1;
    const throng_range range = {0, MASS.most / area, true, "kg/m^2"};
    if (mass)
        body.mass = throng_check_number(L, 3, "body.mass", &MASS);
    else if (density)
        body.mass = area * throng_check_number(L, 3, "body.density", &range);
    else
        body.friction = throng_check_number(L, 3, "body.friction", &FRICTION);
    if (!throng_world_weigh_body(world, handle, body.mass, body.friction, &error))
        throng_raise_error(L, &error);
    return true;
}

static int write_body(lua_State *L)
{
    throng_handle handle;
    throng_error error;
    const throng_range *range;
    char what[64];
    const char *key = throng_check_name(L, 2);
    throng_world *world = check_body(L, &handle, true);
    if (weigh_body(L, world, handle, key))
        return 0;
    throng_body body = throng_world_body(world, handle);
    bool floor = strcmp(key, "floor") == 0;
    double *value = floor ? NULL : field_of(&body, key, &range);
    if (!value && !floor)
        throng_raise(L, "body.%s cannot be written; x, y, floor, angle, vx, vy, spin, mass, friction and density can",
                     key);
    snprintf(what, sizeof what, "body.%s", key);
    if (floor)
        body.sheet = throng_check_floor(L, 3, throng_world_map(world), what);
    else
        *value = throng_check_number(L, 3, what, range);
    if (!floor && (range == &SPEED || range == &SPIN))
        throng_bodies_send(throng_world_change_bodies(world), handle, body.vx, body.vy, body.spin);
    else if (!throng_world_put_body(world, handle, &body, &error))
        throng_raise(L, "%s: %s", what, error.text);
    return 0;
}

static int same_body(lua_State *L)
{
    const throng_handle *a = luaL_testudata(L, 1, LUA_BODY), *b = luaL_testudata(L, 2, LUA_BODY);
    lua_getiuservalue(L, 1, 1);
    lua_getiuservalue(L, 2, 1);
    lua_pushboolean(L, a && b && a->slot == b->slot && a->generation == b->generation && lua_rawequal(L, -1, -2));
    return 1;
}

/* ---- making them */

/* box = {width, height}, circle = radius, or polygon = {{x, y}, ...}. [-0, +3 or more]: what keeps the points alive */
static void read_shape(lua_State *L, const char *owner, throng_bodies_def *def)
{
    char what[64];
    int box = lua_gettop(L) + 1, circle = box + 1, polygon = box + 2;
    int shapes = (lua_getfield(L, 2, "box") != LUA_TNIL) + (lua_getfield(L, 2, "circle") != LUA_TNIL) +
                 (lua_getfield(L, 2, "polygon") != LUA_TNIL);
    if (shapes != 1)
        throng_raise(L, "%s: give one shape, box = {width, height}, circle = radius or polygon = {{x, y}, ...}, not %d",
                     owner, shapes);
    if (!lua_isnil(L, circle)) {
        def->shape = THRONG_CIRCLE;
        throng_field_sampler(L, 2, owner, "circle", &LENGTH, &def->radius);
    } else if (!lua_isnil(L, polygon)) {
        def->shape = THRONG_POLYGON;
        snprintf(what, sizeof what, "%s: field 'polygon'", owner);
        def->points = throng_points_read(L, polygon, NULL, what, &def->point_count);
    } else {
        def->shape = THRONG_BOX;
        if (!lua_istable(L, box) || lua_rawlen(L, box) != 2)
            throng_raise(L, "%s: field 'box' must be a table like {width, height}, got %s", owner,
                         throng_describe(L, box));
        lua_rawgeti(L, box, 1);
        lua_rawgeti(L, box, 2);
        snprintf(what, sizeof what, "%s: field 'box': width", owner);
        def->width = throng_check_sampler(L, -2, what, &LENGTH);
        snprintf(what, sizeof what, "%s: field 'box': height", owner);
        def->height = throng_check_sampler(L, -1, what, &LENGTH);
    }
}

static void read_motion(lua_State *L, const char *owner, throng_bodies_def *def)
{
    char what[64];
    bool weighs = throng_field_sampler(L, 2, owner, "mass", &MASS, &def->mass), moves;
    def->dense = throng_field_sampler(L, 2, owner, "density", &DENSITY, &def->mass);
    if (weighs && def->dense)
        throng_raise(L, "%s: give 'mass' or 'density', not both", owner);
    throng_field_sampler(L, 2, owner, "friction", &FRICTION, &def->friction);
    throng_field_sampler(L, 2, owner, "angle", &FIRST_ANGLE, &def->angle);
    throng_field_boolean(L, 2, owner, "static", &def->fixed);
    moves = throng_field_number(L, 2, owner, "spin", &SPIN, &def->spin);
    if (lua_getfield(L, 2, "velocity") != LUA_TNIL) {
        snprintf(what, sizeof what, "%s: field 'velocity'", owner);
        throng_point v = throng_check_point(L, -1, what);
        if (v.x * v.x + v.y * v.y > THRONG_BODY_FASTEST * THRONG_BODY_FASTEST)
            throng_raise(L, "%s: no body moves faster than %d m/s, got (%f, %f)", what, (int)THRONG_BODY_FASTEST, v.x,
                         v.y);
        def->vx = v.x;
        def->vy = v.y;
        moves = true;
    }
    if (def->fixed && (weighs || def->dense || moves))
        throng_raise(L, "%s: a static body has no %s; leave one of them out", owner,
                     weighs       ? "mass"
                     : def->dense ? "density"
                                  : "velocity");
}

/* `at`: {x, y}, or with `many` a list of those; `where`; `count`. [-0, +1 to 3]: what keeps them alive */
static void read_places(lua_State *L, const char *owner, const throng_lua_world *world, bool many,
                        throng_bodies_def *def)
{
    static const throng_point origin = {0, 0};
    char what[64];
    int64_t count = 0;
    bool counted = many && throng_field_integer(L, 2, owner, "count", 1, 10000000, &count);
    snprintf(what, sizeof what, "%s: field 'at'", owner);
    if (lua_getfield(L, 2, "at") != LUA_TNIL) {
        if (!many) {
            throng_point *place = lua_newuserdatauv(L, sizeof *place, 0);
            *place = throng_check_place(L, -2, throng_world_map(world->world), what);
            def->positions = place;
        } else {
            def->positions = throng_points_read(L, -1, throng_world_map(world->world), what, &def->count);
            if (def->count == 0 || (counted && count != def->count))
                throng_raise(L, "%s has %d places%s", what, (int)def->count,
                             counted ? ", not as many as 'count' says" : "; give at least one");
        }
    } else if (many && !counted) {
        throng_raise(L, "%s: field 'count' is missing (or 'at' with exact places)", owner);
    }
    def->count = counted ? (int32_t)count : def->count;
    snprintf(what, sizeof what, "%s: field 'where'", owner);
    if (lua_getfield(L, 2, "where") != LUA_TNIL) {
        const throng_shapes *areas = throng_shapes_read(L, -1, world, what);
        def->areas = areas->list;
        def->area_count = areas->count;
    } else if (!def->positions && def->shape == THRONG_POLYGON && !many) {
        def->positions = &origin; /* the polygon says where it is */
    } else if (!def->positions && !throng_world_map(world->world)) {
        throng_raise(L, "%s: a world without a map needs 'where' or 'at'", owner);
    }
    if (def->positions && def->areas)
        throng_raise(L, "%s: give 'where' or 'at', not both", owner);
}

/* What the definition says: one, or a list of many, which are values of Lua before they are bodies. [-0, +1] */
static void make(lua_State *L, const char *owner, bool many)
{
    static const char *const names[] = {"box",     "circle",   "polygon", "at",       "where", "angle", "mass",
                                        "density", "friction", "static",  "velocity", "spin",  "count", NULL};
    throng_error error;
    throng_lua_world *world = throng_check_world(L, 1);
    lua_settop(L, 2);
    if (!lua_istable(L, 2))
        throng_raise(L, "%s: expected a table like {box = {1, 0.5}, at = {3, 4}}, got %s", owner,
                     throng_describe(L, 2));
    throng_fields_check(L, 2, owner, names);
    if (!many && lua_getfield(L, 2, "count") != LUA_TNIL)
        throng_raise(L, "world:body makes one; world:bodies{count = ...} makes many");
    throng_bodies_def def = throng_bodies_def_default();
    read_shape(L, owner, &def);
    read_motion(L, owner, &def);
    read_places(L, owner, world, many, &def);
    if (!throng_memory_fits((size_t)def.count * BODY_BYTES))
        throng_raise(L, "%s: %d bodies take more memory than is left; make fewer, or allow more (--memory MIB)", owner,
                     (int)def.count);
    throng_handle *handles = lua_newuserdatauv(L, (size_t)def.count * sizeof *handles, 0);
    if (!many)
        push_body(L, 1, (throng_handle){0});
    else
        lua_createtable(L, def.count, 0);
    int made = lua_gettop(L);
    for (int32_t i = 0; many && i < def.count; i++) {
        push_body(L, 1, (throng_handle){0});
        lua_rawseti(L, made, i + 1);
    }
    if (!throng_world_place_bodies(world->world, &def, handles, &error))
        throng_raise(L, "%s: %s", owner, error.text);
    if (!many)
        *(throng_handle *)lua_touserdata(L, made) = *handles;
    for (int32_t i = 0; many && i < def.count; i++, lua_pop(L, 1)) {
        lua_rawgeti(L, made, i + 1);
        *(throng_handle *)lua_touserdata(L, -1) = handles[i];
    }
}

/*--- world:body(definition)
 * Makes a rigid body.
 * @param definition throng.bodies Its shape and place.
 * @return throng.body
 * @error no shape or several; a polygon that is not convex; no mass; no room for it
 * @example local crate = world:body { box = { 1, 0.5 }, at = { 3, 4 }, mass = 30 } */
int throng_world_body_method(lua_State *L)
{
    make(L, "world:body", false);
    return 1;
}

/* All there are, in the order of their places in the store. [-0, +1] */
static void push_all(lua_State *L)
{
    const throng_bodies *bodies = throng_world_bodies(throng_check_world(L, 1)->world);
    lua_newtable(L);
    for (int32_t slot = 0, n = 0; bodies && slot < throng_bodies_slots(bodies); slot++) {
        throng_handle handle = throng_bodies_handle(bodies, slot);
        if (!throng_bodies_alive(bodies, handle))
            continue;
        push_body(L, 1, handle);
        lua_rawseti(L, -2, ++n);
    }
}

/*--- world:bodies(definition)
 * Makes many rigid bodies. Without a definition it returns all bodies of the world.
 * @param definition? throng.bodies Their shape, number and places.
 * @return throng.body[]
 * @error as world:body
 * @example world:bodies { count = 50, box = { 0.4, 0.4 }, where = "hall" } */
int throng_world_bodies_method(lua_State *L)
{
    if (lua_isnoneornil(L, 2)) {
        push_all(L);
        return 1;
    }
    make(L, "world:bodies", true);
    return 1;
}

void throng_bind_body(lua_State *L)
{
    static const luaL_Reg meta[] = {
        {"__index", index_body}, {"__newindex", write_body}, {"__eq", same_body}, {NULL, NULL}};
    luaL_newmetatable(L, LUA_BODY);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
