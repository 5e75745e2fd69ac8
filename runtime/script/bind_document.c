/* What the documentation is made of beside the doc comments: the tables that checks go by (lua/throng/document.lua). */
#include "behaviours.h"
#include "binders.h"
#include "column_values.h"

#include <stdio.h>
#include <string.h>

static const throng_settings *const SETTINGS[] = {
    &throng_world_settings,  &throng_record_settings,    &throng_map_settings,    &throng_building_settings,
    &throng_flight_settings, &throng_belt_settings,      &throng_spawn_settings,  &throng_go_to_settings,
    &throng_run_settings,    &throng_behaviour_settings, &throng_path_settings,   &throng_batch_settings,
    &throng_load_settings,   &throng_measure_settings,   &throng_hazard_settings, &throng_column_settings,
    &throng_lift_settings,   &throng_disc_settings,      &throng_stadium_settings};

static void set_text(lua_State *L, const char *name, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, name);
}

static void set_range(lua_State *L, const throng_range *range)
{
    lua_pushnumber(L, range->least);
    lua_setfield(L, -2, "least");
    lua_pushnumber(L, range->most);
    lua_setfield(L, -2, "most");
    lua_pushboolean(L, range->above);
    lua_setfield(L, -2, "above");
    set_text(L, "unit", range->unit);
}

static void set_initial(lua_State *L, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.7g", value);
    set_text(L, "initial", text);
}

static void set_computed(lua_State *L, bool computed)
{
    lua_pushboolean(L, computed);
    lua_setfield(L, -2, "computed");
}

/* The stages that write a column: "goals, move". */
static void set_stages(lua_State *L, int attributes)
{
    static const int by[THRONG_STAGE_COUNT] = {[THRONG_STAGE_goals] = THRONG_BY_GOALS | THRONG_BY_MACHINES,
                                               [THRONG_STAGE_desire] = THRONG_BY_DESIRE,
                                               [THRONG_STAGE_plan] = THRONG_BY_PLAN,
                                               [THRONG_STAGE_move] = THRONG_BY_MOVE};
    char text[64] = "";
    for (int stage = 0; stage < THRONG_STAGE_COUNT; stage++)
        if (attributes & by[stage]) {
            strcat(text, *text ? ", " : "");
            strcat(text, throng_stage_names[stage]);
        }
    set_text(L, "stages", text);
}

/* The column as an entry: name, unit, text, initial; range when scripts may write it; computed, when behaviour
 * functions may; stages, "" or those that write it; hooked, when hooks of stages may. [-0, +1] */
static void push_column(lua_State *L, int column)
{
    const throng_column_info *info = &throng_columns[column];
    const throng_range *range = throng_column_range(column);
    lua_newtable(L);
    if (range)
        set_range(L, range);
    set_text(L, "name", info->name);
    set_text(L, "unit", info->unit);
    set_text(L, "text", info->text);
    set_text(L, "type", info->is_float ? "number" : "integer");
    set_initial(L, info->initial);
    set_stages(L, info->attributes);
    lua_pushboolean(L, info->attributes & THRONG_HOOKS);
    lua_setfield(L, -2, "hooked");
    set_computed(L, range && info->is_float && !throng_behaviour_refusal(column));
}

/* [-0, +1] */
static void push_setting(lua_State *L, const throng_setting *setting)
{
    if (setting->text) {
        lua_newtable(L);
        if (setting->range.unit)
            set_range(L, &setting->range);
        set_text(L, "name", setting->name);
        set_text(L, "text", setting->text);
    } else {
        push_column(L, throng_column_named(setting->name));
    }
    set_text(L, "type", setting->type);
    if (setting->initial || setting->text)
        set_text(L, "initial", setting->initial);
}

static void push_parameter(lua_State *L, int parameter)
{
    const throng_parameter_info *info = &throng_parameters[parameter];
    bool below = info->form == THRONG_BETWEEN || info->form == THRONG_BELOW;
    const throng_range range = {info->least, info->most, info->form == THRONG_ABOVE || info->form == THRONG_BETWEEN,
                                info->unit};
    lua_newtable(L);
    set_range(L, &range);
    lua_pushboolean(L, below);
    lua_setfield(L, -2, "below");
    set_text(L, "name", info->name);
    set_text(L, "text", info->text);
    set_text(L, "type", info->form == THRONG_WHOLE || info->form == THRONG_ROUNDED ? "integer" : "number");
    set_initial(L, info->initial);
    set_computed(L, !throng_behaviour_refusal(THRONG_COLUMN_COUNT + parameter));
}

static void append(lua_State *L) { lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1); }

/* What a planner's constructor takes. [-0, +1] */
static void push_planner(lua_State *L, int32_t kind)
{
    static const int columns[] = {THRONG_COLUMN_horizon, THRONG_COLUMN_wall_horizon, THRONG_COLUMN_sight,
                                  THRONG_COLUMN_neighbours};
    lua_newtable(L);
    for (int i = 0; i < 4; i++)
        if (throng_planners[kind].columns & 1 << i) {
            push_column(L, columns[i]);
            if (throng_columns[columns[i]].is_float)
                set_text(L, "type", "throng.number");
            append(L);
        }
    for (int i = 0; i < THRONG_PLANNER_VALUES; i++)
        if (throng_parameters[i].planner == kind) {
            push_parameter(L, i);
            append(L);
        }
}

/* declared_settings(): lists of entries by class. [-0, +1] */
static int push_settings(lua_State *L)
{
    lua_newtable(L);
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++) {
        lua_newtable(L);
        for (const throng_setting *setting = SETTINGS[i]->list; setting->name; setting++) {
            push_setting(L, setting);
            append(L);
        }
        lua_setfield(L, -2, SETTINGS[i]->class);
    }
    return 1;
}

/* declared_planners(): a list of planners, each with `name` and the `settings` that its constructor takes. [-0, +1] */
static int push_planners(lua_State *L)
{
    lua_newtable(L);
    for (int32_t kind = 0; kind < THRONG_PLANNER_COUNT; kind++) {
        lua_newtable(L);
        set_text(L, "name", throng_planners[kind].name);
        push_planner(L, kind);
        lua_setfield(L, -2, "settings");
        append(L);
    }
    return 1;
}

/* declared_columns(): a list of entries. [-0, +1] */
static int push_columns(lua_State *L)
{
    lua_newtable(L);
    for (int column = 0; column < THRONG_COLUMN_GIVEN; column++) {
        push_column(L, column);
        append(L);
    }
    return 1;
}

void throng_bind_document(lua_State *L)
{
    lua_pushcfunction(L, push_settings);
    lua_setfield(L, -2, "declared_settings");
    lua_pushcfunction(L, push_planners);
    lua_setfield(L, -2, "declared_planners");
    lua_pushcfunction(L, push_columns);
    lua_setfield(L, -2, "declared_columns");
}
