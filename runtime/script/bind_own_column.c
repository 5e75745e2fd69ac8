/* world:column: columns that the script declares and owns. */
#include "behaviours.h"
#include "column_values.h"

#include <string.h>

/*--- class throng.column.settings
 * Settings of world:column. */
static const throng_setting SETTINGS[] = {
    {"default", "throng.number", "0",
     .text = "The initial value; throng.uniform and throng.normal draw one for each agent."},
    {"unit", "string", "none", .text = "Its unit, like \"s\": for legends."},
    {.name = NULL},
};

const throng_settings throng_column_settings = {"throng.column.settings", "world:column", SETTINGS};

/* What a spawn, a group and an agent of a behaviour function have under this name already. */
static void check_free(lua_State *L, const char *name)
{
    bool taken = throng_group_has(name);
    for (const throng_setting *setting = throng_spawn_settings.list; setting->name; setting++)
        taken = taken || strcmp(setting->name, name) == 0;
    if (taken && throng_column_named(name) < 0)
        throng_raise(L, "world:column: groups and spawns have a field '%s' already: choose another name", name);
    lua_pushstring(L, name);
    throng_program_recorder_call(L, "check_free", 1, 0);
}

static void fill(lua_State *L, int column, const throng_sampler *sampler)
{
    throng_agents_push(L, 1);
    throng_column_sample(L, throng_check_group(L, -1), column, sampler);
    lua_pop(L, 1);
}

/*--- world:column(name, settings)
 * Declares a column of the script's own: a number that each agent has, like `speed`. It is read and written as
 * `group.NAME`, given by world:spawn { NAME = ... }, read by behaviour functions as `a.NAME` and by throng.above and
 * throng.below, and computed by a behaviour function that is assigned to it. `throng view` colours by it, and
 * recordings have it as a further column. A world has up to eight.
 * @param name string Lower-case letters, digits and _, a letter first.
 * @param settings? throng.column.settings Its default and unit.
 * @error a name that is invalid or taken; a ninth column; after the first step, when recordings have begun
 * @example
 * local world = throng.world { seed = 7 }
 * world:column("patience", { default = throng.uniform(20, 60), unit = "s" })
 * local guests = world:spawn { count = 20, where = throng.box(0, 0, 9, 9) }
 * guests.patience = function(t, a) return math.max(0, a.patience - 0.1 * a.frustration) end
 * guests:run(throng.fsm {
 *   start = "visit",
 *   visit = { goal = throng.go_to { 30, 5 }, when = { { throng.below("patience", 10), "leave" } } },
 *   leave = { goal = throng.go_to { -20, 5 } },
 * }) */
int throng_world_column_method(lua_State *L)
{
    throng_error error;
    throng_lua_world *world = throng_check_world(L, 1);
    const char *unit = "";
    throng_sampler sampler = {.kind = THRONG_CONSTANT, .a = 0, .b = 0};
    throng_refuse_recording(L, "world:column");
    throng_refuse_hooked(L, world, "world:column");
    lua_settop(L, 3);
    if (lua_type(L, 2) != LUA_TSTRING)
        throng_raise(L, "world:column: expected a name, like world:column(\"patience\", {default = 1}), got %s",
                     throng_describe(L, 2));
    throng_check_text(L, 2, "world:column: the name");
    if (!lua_isnil(L, 3) && !lua_istable(L, 3))
        throng_raise(L, "world:column: expected a table like {default = 1, unit = \"s\"}, got %s",
                     throng_describe(L, 3));
    if (lua_istable(L, 3)) {
        throng_settings_check(L, 3, &throng_column_settings);
        throng_field_sampler(L, 3, "world:column", "default", &throng_columns[THRONG_COLUMN_GIVEN].range, &sampler);
        throng_field_string(L, 3, "world:column", "unit", &unit);
    }
    if (throng_world_steps(world->world) > 0)
        throng_raise(L, "world:column: columns are declared before the first step, since recordings have begun after");
    check_free(L, lua_tostring(L, 2));
    int column = throng_agents_declare(throng_world_agents(world->world), lua_tostring(L, 2), unit, &error);
    if (column >= THRONG_COLUMN_GIVEN) {
        world->own[column - THRONG_COLUMN_GIVEN] = sampler;
        fill(L, column, &sampler);
        return 0;
    }
    throng_raise(L, "world:column: %s", error.text);
}
