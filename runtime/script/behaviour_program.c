/* Behaviour functions, prepared for agents: what lua/throng/program_recorder.lua recorded becomes a program. */
#include "behaviours.h"
#include "column_values.h"

#include <string.h>

enum { PLACE = 64 }; /* as much as a world keeps of one */

/* A behaviour for one column of one world. User value 1: the function, when it is slow, else what was recorded, which
 * holds the texts that `lines` points to. */
typedef struct prepared {
    bool slow;
    throng_program_def program;
    char place[PLACE];  /* of the function, "walk.lua:12" */
    const char **lines; /* [count] behind the code */
    throng_instruction code[];
} prepared;

/* Field of the instruction's table at the top; -1 when it is absent. */
static int field(lua_State *L, const char *name)
{
    int value = lua_getfield(L, -1, name) == LUA_TNUMBER ? (int)lua_tointeger(L, -1) : -1;
    lua_pop(L, 1);
    return value;
}

/* The text at the top; "" when a script has meddled with the notes. */
static const char *text(lua_State *L) { return lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : ""; }

/* The goal entry of place number `number` of the program at `program`. */
static int32_t place_index(lua_State *L, const throng_lua_world *world, int program, lua_Integer number)
{
    throng_error error;
    int top = lua_gettop(L);
    lua_getfield(L, program, "places");
    lua_rawgeti(L, -1, number);
    const throng_shapes *shapes = throng_shapes_read(L, lua_gettop(L), world, "a behaviour function: the place");
    int32_t goal = throng_world_goal_regions(world->world, shapes->list, shapes->count, &error);
    goal = goal < 0 ? -1 : throng_world_place(world->world, goal, &error);
    if (goal < 0)
        throng_raise(L, "a behaviour function: the place: %s", error.text);
    lua_settop(L, top);
    return goal;
}

/* The kind of that name; the next one for the spawn that is being made. */
static int32_t kind_index(lua_State *L, const throng_world *world, const char *wanted, const char *name)
{
    if (name && strcmp(name, wanted) == 0)
        return throng_world_group_count(world);
    return throng_kind_named(L, world, "a behaviour function (spawn whom it names first)", wanted);
}

/* The instruction whose table is at the top. */
static throng_instruction read_instruction(lua_State *L, const throng_lua_world *world, int program, const char *name)
{
    lua_getfield(L, -1, "op");
    int op = throng_program_op_named(text(L));
    lua_pop(L, 1);
    throng_instruction in = {.op = (uint8_t)op, .to = (uint8_t)field(L, "to")};
    int a = field(L, "a"), b = field(L, "b"), third = field(L, "c");
    in.a = (uint8_t)(a < 0 ? 0 : a);
    in.b = (uint8_t)(b < 0 ? 0 : b);
    in.index = third < 0 ? 0 : third;
    lua_getfield(L, -1, "index");
    if (op == THRONG_PROGRAM_value)
        in.value = (float)lua_tonumber(L, -1);
    else if (op == THRONG_PROGRAM_column || op == THRONG_PROGRAM_whole)
        in.index = throng_world_column_named(world, text(L));
    else if (op == THRONG_PROGRAM_random || op == THRONG_PROGRAM_air)
        in.index = (int32_t)lua_tointeger(L, -1);
    else if (op == THRONG_PROGRAM_to_place)
        in.index = place_index(L, world, program, lua_tointeger(L, -1));
    else if (op == THRONG_PROGRAM_to_nearest || op == THRONG_PROGRAM_seen || op == THRONG_PROGRAM_walking)
        in.index = kind_index(L, world->world, text(L), name);
    lua_pop(L, 1);
    return in;
}

/* Where the function at the top is defined; "" of what is none. */
static void find_place(lua_State *L, char *place, size_t size)
{
    lua_Debug about = {0};
    *place = 0;
    if (!lua_isfunction(L, -1))
        return;
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">S", &about);
    snprintf(place, size, "%s:%d", about.short_src, about.linedefined);
}

/* Results are cut off to what the column may hold. */
static void set_limits(throng_program_def *def, const throng_range *range)
{
    def->least = (float)range->least + (range->above ? 1e-3f : 0);
    def->most = (float)range->most;
}

/* What the recorder is told of the world's agents. [-0, +1] */
static void push_agents(lua_State *L, const throng_lua_world *world)
{
    lua_createtable(L, 0, 2);
    throng_own_columns_push(L, world);
    lua_setfield(L, -2, "own");
    lua_pushlightuserdata(L, (void *)world); /* what identity_of(world) gives */
    lua_setfield(L, -2, "world");
}

void throng_behaviour_prepare(lua_State *L, const throng_lua_world *world, int index, int column, const char *name)
{
    index = lua_absindex(L, index);
    throng_behaviour_check_target(L, column);
    int32_t wanted = throng_behaviour_is_desired(column) ? 2 : 1;
    bool slow = throng_behaviour_function_push(L, index);
    int function = lua_gettop(L);
    if (slow && column >= THRONG_COLUMN_COUNT)
        throng_raise(L,
                     "%s takes no slow behaviour function: the parameters of planners are not columns, and Lua writes "
                     "columns alone",
                     throng_behaviour_target_name(column));
    if (slow) {
        prepared *p = lua_newuserdatauv(L, sizeof *p, 1);
        *p = (prepared){.slow = true};
        lua_insert(L, function);
        lua_setiuservalue(L, function, 1);
        return;
    }
    char place[PLACE];
    find_place(L, place, sizeof place);
    lua_pushinteger(L, wanted);
    push_agents(L, world);
    throng_program_recorder_call(L, "compile", 3, 1); /* in the function's place */
    lua_getfield(L, function, "code");
    int32_t count = (int32_t)lua_rawlen(L, -1);
    prepared *p = lua_newuserdatauv(L, sizeof *p + (size_t)count * (sizeof *p->code + sizeof *p->lines), 1);
    *p = (prepared){.lines = (const char **)(void *)(p->code + count)};
    p->program =
        (throng_program_def){.code = p->code, .count = count, .results = wanted, .place = p->place, .lines = p->lines};
    lua_pushvalue(L, function);
    lua_setiuservalue(L, -2, 1);
    memcpy(p->place, place, sizeof place);
    const throng_range range = throng_behaviour_range(column);
    set_limits(&p->program, &range);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, function + 1, i + 1);
        p->code[i] = read_instruction(L, world, function, name);
        lua_getfield(L, -1, "at");
        p->lines[i] = text(L);
        lua_pop(L, 2);
    }
    lua_getfield(L, function, "results");
    for (int32_t k = 0; k < wanted; k++) {
        lua_rawgeti(L, -1, k + 1);
        p->program.result[k] = (int32_t)lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    lua_replace(L, function);
    lua_settop(L, function);
}

const throng_program_def *throng_behaviour_program(lua_State *L, int index)
{
    const prepared *p = lua_touserdata(L, index);
    return p->slow ? NULL : &p->program;
}
