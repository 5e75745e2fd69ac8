/* Worlds built in C: what the structs and calls say is written in Lua and told as that is (throng_sim_load_text,
 * throng_sim_spawn, throng_sim_do). So it does what Lua does, is checked by the same code, and is kept among the
 * inputs and the snapshot's origin like everything else that a program says. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"
#include "sim.h"

#define CHUNK "(program)" /* what messages call it */

/* What messages are written to. */
static throng_error *to(throng_message *message) { return (throng_error *)message; }

/* ---- Lua, written */

typedef struct lua_text {
    FILE *file;
    char *text;
    size_t size;
} lua_text;

static bool begin(lua_text *lua, throng_message *message)
{
    *lua = (lua_text){.file = throng_text_stream(&lua->text, &lua->size)};
    return lua->file || throng_fail(to(message), "out of memory");
}

/* From then on `text` is there, the caller's to free. */
static bool end(lua_text *lua, throng_message *message)
{
    return fclose(lua->file) == 0 || throng_fail(to(message), "out of memory");
}

static void put(lua_text *lua, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(lua->file, format, arguments);
    va_end(arguments);
}

static void put_text(lua_text *lua, const char *text)
{
    put(lua, "\"");
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        put(lua, *c < ' ' || *c == '"' || *c == '\\' ? "\\%03d" : "%c", *c);
    put(lua, "\"");
}

/* To the bit, and also in a program whose locale has a decimal comma. */
static void put_number(lua_text *lua, double value)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", value);
    digits[strcspn(digits, ",")] = strchr(digits, ',') ? '.' : 0;
    put(lua, isfinite(value) ? "%s" : isnan(value) ? "(0/0)" : value > 0 ? "(1/0)" : "(-1/0)", digits);
}

static void put_pair(lua_text *lua, double x, double y)
{
    put_number(lua, x);
    put(lua, ", ");
    put_number(lua, y);
}

/* Fields of a table; NULL and 0 are not given. */
static void put_text_field(lua_text *lua, const char *name, const char *value)
{
    if (!value)
        return;
    put(lua, "%s = ", name);
    put_text(lua, value);
    put(lua, ", ");
}

static void put_number_field(lua_text *lua, const char *name, double value)
{
    if (value == 0)
        return;
    put(lua, "%s = ", name);
    put_number(lua, value);
    put(lua, ", ");
}

static void put_corners(lua_text *lua, const throng_shape *shape)
{
    put(lua, "{");
    for (int32_t i = 0; i < shape->count; i++) {
        put(lua, "{");
        put_pair(lua, shape->xy[2 * i], shape->xy[2 * i + 1]);
        put(lua, "}, ");
    }
    put(lua, "}, ");
}

static void put_area(lua_text *lua, const throng_shape *shape)
{
    if (shape->count != 2) {
        put(lua, "throng.polygon ");
        put_corners(lua, shape);
        return;
    }
    put(lua, "throng.box(");
    put_pair(lua, shape->xy[0], shape->xy[1]);
    put(lua, ", ");
    put_pair(lua, shape->xy[2], shape->xy[3]);
    put(lua, "), ");
}

static void put_areas(lua_text *lua, const char *name, const throng_shape *shapes, int32_t count)
{
    if (count <= 0)
        return;
    put(lua, "%s = {", name);
    for (int32_t i = 0; i < count; i++)
        put_area(lua, &shapes[i]);
    put(lua, "}, ");
}

static bool is_first(const throng_shape *shapes, int32_t i)
{
    int32_t k = 0;
    while (k < i && strcmp(shapes[k].name, shapes[i].name) != 0)
        k++;
    return k == i;
}

/* Those of a name together. */
static void put_regions(lua_text *lua, const throng_shape *regions, int32_t count)
{
    put(lua, "regions = {");
    for (int32_t i = 0; i < count; i++) {
        if (!is_first(regions, i))
            continue;
        put(lua, "[");
        put_text(lua, regions[i].name);
        put(lua, "] = {");
        for (int32_t k = i; k < count; k++)
            if (strcmp(regions[k].name, regions[i].name) == 0)
                put_area(lua, &regions[k]);
        put(lua, "}, ");
    }
    put(lua, "}, ");
}

static void put_doors(lua_text *lua, const throng_shape *doors, int32_t count)
{
    put(lua, "doors = {");
    for (int32_t i = 0; i < count; i++) {
        put(lua, "[");
        put_text(lua, doors[i].name);
        put(lua, "] = ");
        put_corners(lua, &doors[i]);
    }
    put(lua, "}, ");
}

/* What Lua said of it, without its line, which is none of the program's. */
static void pass_on(const throng_message *said, throng_message *message)
{
    int begins = 0;
    sscanf(said->text, CHUNK ":%*d: %n", &begins);
    throng_fail(to(message), "%s", said->text + begins);
}

/* ---- a world */

static bool check_named(const throng_shape *shapes, int32_t count, bool once, const char *what, throng_message *message)
{
    for (int32_t i = 0; i < count; i++)
        if (!shapes[i].name || !*shapes[i].name)
            return throng_fail(to(message), "throng_sim_world.%ss[%d] has no name: give it one", what, (int)i);
        else if (once && !is_first(shapes, i))
            return throng_fail(to(message),
                               "throng_sim_world.%ss[%d]: there is a %s '%s' already: give it another name", what,
                               (int)i, what, shapes[i].name);
    return true;
}

static void put_map(lua_text *lua, const throng_sim_world *w)
{
    if (w->boundary_count + w->wall_count + w->door_count == 0) {
        put(lua, w->map ? "map = file, " : "");
        return;
    }
    put(lua, "map = throng.map {%s", w->map ? "file = file, " : "");
    put_areas(lua, "boundary", w->boundary, w->boundary_count);
    put_areas(lua, "walls", w->walls, w->wall_count);
    put_doors(lua, w->doors, w->door_count);
    put(lua, "}, ");
}

static void put_world(lua_text *lua, const throng_sim_world *w)
{
    put(lua, "local throng = require 'throng'\n%sreturn throng.world {",
        w->map ? "local file = throng.params { map = '' }.map\n" : "");
    put_map(lua, w);
    put_regions(lua, w->regions, w->region_count);
    if (w->wrap_width != 0 || w->wrap_height != 0) {
        put(lua, "wrap = {");
        put_pair(lua, w->wrap_width, w->wrap_height);
        put(lua, "}, ");
    }
    put_number_field(lua, "dt", w->dt);
    put_number_field(lua, "seconds", w->seconds);
    if (w->discs)
        put(lua, "people = false, ");
    put(lua, "}\n");
}

/* The map's file is a parameter, since scenarios see no file but those of their folders and those that a parameter
 * names. */
static throng_sim *load(const lua_text *lua, const char *map, throng_sim_settings settings, throng_message *message)
{
    lua_text param;
    throng_message said;
    throng_sim *sim = NULL;
    if (!begin(&param, message))
        return NULL;
    put(&param, "map=%s", map ? map : "");
    if (end(&param, message)) {
        settings.params = (const char *const[]){param.text};
        settings.param_count = map ? 1 : 0;
        sim = throng_sim_load_text(CHUNK, lua->text, lua->size, &settings, &said);
        if (!sim)
            pass_on(&said, message);
    }
    free(param.text);
    return sim;
}

static bool check_counts(const throng_sim_world *w, throng_message *message)
{
    return throng_whole_check(w->boundary_count, 0, "throng_sim_world.boundary_count", message) &&
           throng_whole_check(w->wall_count, 0, "throng_sim_world.wall_count", message) &&
           throng_whole_check(w->region_count, 0, "throng_sim_world.region_count", message) &&
           throng_whole_check(w->door_count, 0, "throng_sim_world.door_count", message);
}

throng_sim *throng_sim_create(const throng_sim_world *given, const throng_sim_settings *given_settings,
                              throng_message *message)
{
    lua_text lua;
    throng_sim *sim = NULL;
    throng_sim_settings settings;
    throng_sim_world world = throng_sim_world_default();
    if ((given && !throng_struct_read(&world, given, sizeof world, "throng_sim_world", message)) ||
        !throng_settings_read(given_settings, &settings, message) || !check_counts(&world, message))
        return NULL;
    if (settings.param_count > 0) {
        throng_fail(to(message), "throng_sim_settings.params: a world built in C has none; give throng_sim_world other "
                                 "values");
        return NULL;
    }
    if (!check_named(world.regions, world.region_count, false, "region", message) ||
        !check_named(world.doors, world.door_count, true, "door", message) || !begin(&lua, message))
        return NULL;
    put_world(&lua, &world);
    if (end(&lua, message))
        sim = load(&lua, world.map, settings, message);
    free(lua.text);
    return sim;
}

/* ---- who is there */

bool throng_sim_spawn_group(throng_sim *sim, const throng_sim_group *given, const float *xy, int32_t count,
                            throng_agent *agents, throng_message *message)
{
    lua_text lua;
    throng_message said;
    throng_sim_group group = throng_sim_group_default();
    if (!throng_struct_read(&group, given, sizeof group, "throng_sim_group", message) ||
        !throng_floor_check(sim, group.floor, message) || !begin(&lua, message))
        return false;
    put(&lua, "{");
    put_text_field(&lua, "name", group.name);
    put_text_field(&lua, "planner", group.planner);
    put_text_field(&lua, "where", group.where);
    if (xy)
        put_text_field(&lua, "floor", throng_sim_floor_name(sim, group.floor));
    put_number_field(&lua, "radius", group.radius);
    if (group.speed_deviation != 0) {
        put(&lua, "speed = throng.normal(");
        put_pair(&lua, group.speed, group.speed_deviation);
        put(&lua, "), ");
    } else {
        put_number_field(&lua, "speed", group.speed);
    }
    put_number_field(&lua, "max_speed", group.max_speed);
    put_text_field(&lua, "routing", group.routing);
    put_text_field(&lua, "door_policy", group.door_policy);
    put_text_field(&lua, "colour", group.colour);
    put(&lua, "}");
    bool fine = end(&lua, message);
    if (fine && !(fine = throng_sim_spawn(sim, lua.text, xy, count, agents, &said)))
        pass_on(&said, message);
    free(lua.text);
    return fine;
}

/* ---- what happens */

/* A line that was written, about `group`. */
static bool tell(throng_sim *sim, lua_text *lua, const throng_agent *agents, int32_t count, throng_message *message)
{
    throng_message said;
    bool fine = end(lua, message);
    if (fine && !(fine = throng_sim_do_with(sim, agents, count, lua->text, &said)))
        pass_on(&said, message);
    free(lua->text);
    return fine;
}

bool throng_sim_go_to(throng_sim *sim, const throng_agent *agents, int32_t count, const char *region,
                      throng_message *message)
{
    lua_text lua;
    if (!throng_text_check(region, "the region's name", message) || !begin(&lua, message))
        return false;
    put(&lua, "group:go_to(");
    put_text(&lua, region);
    put(&lua, ")");
    return tell(sim, &lua, agents, count, message);
}

bool throng_sim_go_to_point(throng_sim *sim, const throng_agent *agents, int32_t count, throng_place point,
                            throng_message *message)
{
    lua_text lua;
    if (!throng_floor_check(sim, point.floor, message) || !begin(&lua, message))
        return false;
    put(&lua, "group:go_to {");
    put_pair(&lua, point.x, point.y);
    put(&lua, ", ");
    put_text_field(&lua, "floor", throng_sim_floor_name(sim, point.floor));
    put(&lua, "}");
    return tell(sim, &lua, agents, count, message);
}

bool throng_sim_remove(throng_sim *sim, const throng_agent *agents, int32_t count, throng_message *message)
{
    return throng_sim_do_with(sim, agents, count, "group:remove()", message);
}

bool throng_sim_set_door(throng_sim *sim, const char *door, bool open, throng_message *message)
{
    lua_text lua;
    if (!throng_text_check(door, "the door's name", message))
        return false;
    if (!throng_world_map(sim->world))
        return throng_fail(to(message), "there is no door '%s': the world has no map", door);
    if (!begin(&lua, message))
        return false;
    put(&lua, "world.map:door(");
    put_text(&lua, door);
    put(&lua, "):%s()", open ? "open" : "close");
    return tell(sim, &lua, NULL, 0, message);
}

/* ---- what is asked: no input, since it changes nothing */

bool throng_sim_count_in(throng_sim *sim, const char *region, int32_t *count, throng_message *message)
{
    lua_text lua;
    throng_message said;
    throng_script_chunk chunk = {.expression = true};
    if (!throng_text_check(region, "the region's name", message) || !begin(&lua, message))
        return false;
    put(&lua, "#world.agents:inside(");
    put_text(&lua, region);
    put(&lua, ")");
    bool fine = end(&lua, message);
    chunk.text = lua.text;
    if (fine && !(fine = throng_script_do(sim->script, &chunk, to(&said))))
        pass_on(&said, message);
    if (fine)
        *count = (int32_t)chunk.number;
    free(lua.text);
    return fine;
}
