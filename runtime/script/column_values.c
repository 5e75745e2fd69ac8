/* Values for columns: their ranges, what a number, a sampler, a list or another column gives, and storing it. */
#include "column_values.h"

#include <math.h>

bool throng_column_is_any(int column, int attributes) { return throng_columns[column].attributes & attributes; }

const throng_range *throng_column_range(int column)
{
    return throng_column_is_any(column, THRONG_SCRIPT) ? &throng_columns[column].range : NULL;
}

const char *throng_column_uncomputed(int column)
{
    return throng_column_is_any(column, THRONG_SCRIPT | THRONG_HOOKS) ? throng_columns[column].uncomputed
                                                                      : "scripts do not write it";
}

typedef struct stream {
    const throng_world *world;
    uint32_t id, step, purpose;
} stream;

static double draw_of(const void *of, uint32_t n)
{
    const stream *s = of;
    return throng_world_random(s->world, s->id, s->step, s->purpose + n);
}

/* A sampler's value for one agent: numbered by agent and column, so the order of agents does not matter. */
static double sampled(const throng_world *world, const throng_sampler *sampler, uint32_t id, int column)
{
    stream s = {world, id, throng_world_steps(world), (throng_column_stream(column) + 1) << 20};
    return throng_sampler_draw(sampler, draw_of, &s);
}

static void fill_sampled(const throng_lua_group *group, int column, const throng_sampler *sampler, double *values)
{
    const throng_world *world = group->owner->world;
    const throng_agents *agents = throng_world_agents(group->owner->world);
    bool one = sampler->kind == THRONG_CONSTANT && !(sampler->high > 0);
    for (int32_t i = 0; i < group->count; i++)
        values[i] = one ? sampler->a
                        : sampled(world, sampler, (uint32_t)throng_agents_id(agents, group->handles[i].slot), column);
}

static void check_size(lua_State *L, const char *what, int64_t size, int32_t count)
{
    if (size != count)
        throng_raise(L, "%s: %I values for %d agents: give as many as there are agents, or one number for all", what,
                     (LUAI_UACINT)size, (int)count);
}

/* A number that the column can hold: a whole one, where it holds those. */
static double check_value(lua_State *L, int index, int column, const char *what, const throng_range *range)
{
    if (throng_columns[column].is_float)
        return throng_check_number(L, index, what, range);
    return (double)throng_check_integer(L, index, what, (int64_t)range->least, (int64_t)range->most);
}

static void fill_from_list(lua_State *L, const throng_lua_group *group, int column, int index, const char *what,
                           const throng_range *range, double *values)
{
    check_size(L, what, (int64_t)lua_rawlen(L, index), group->count);
    for (int32_t i = 0; i < group->count; i++) {
        lua_rawgeti(L, index, i + 1);
        values[i] = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
        if (!throng_columns[column].is_float || !throng_in_range(values[i], range)) {
            lua_pushfstring(L, "%s[%d]", what, (int)i + 1);
            values[i] = check_value(L, -2, column, lua_tostring(L, -1), range);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
}

static void fill_from_column(lua_State *L, const throng_lua_group *group, int column, const throng_lua_column *from,
                             const char *what, const throng_range *range, double *values)
{
    check_size(L, what, from->count, group->count);
    for (int32_t i = 0; i < group->count; i++) {
        lua_pushnumber(L, throng_column_number(from, i));
        values[i] = check_value(L, -1, column, what, range);
        lua_pop(L, 1);
    }
}

const double *throng_column_values(lua_State *L, const throng_lua_group *group, int column, int index, const char *what,
                                   const throng_range *range)
{
    double *values = lua_newuserdatauv(L, (size_t)(group->count + 1) * sizeof *values, 0);
    const throng_lua_column *from = luaL_testudata(L, index, THRONG_LUA_COLUMN);
    if (from) {
        fill_from_column(L, group, column, from, what, range, values);
    } else if (lua_istable(L, index)) {
        fill_from_list(L, group, column, index, what, range, values);
    } else {
        if (lua_type(L, index) == LUA_TNUMBER)
            check_value(L, index, column, what, range);
        throng_sampler sampler = throng_check_sampler(L, index, what, range);
        fill_sampled(group, column, &sampler, values);
    }
    return values;
}

void throng_column_store(lua_State *L, const throng_lua_group *group, int column, const double *values)
{
    throng_error error;
    throng_cell *whole = throng_agents_write(throng_world_agents(group->owner->world), column, &error);
    if (!whole)
        throng_raise_error(L, &error);
    bool is_float = throng_columns[column].is_float;
    for (int32_t i = 0; i < group->count; i++) {
        if (is_float)
            whole[group->handles[i].slot].f = (float)values[i];
        else
            whole[group->handles[i].slot].i = (int32_t)values[i];
    }
}

void throng_column_sample(lua_State *L, const throng_lua_group *group, int column, const throng_sampler *sampler)
{
    double *values = lua_newuserdatauv(L, (size_t)(group->count + 1) * sizeof *values, 0);
    fill_sampled(group, column, sampler, values);
    throng_column_store(L, group, column, values);
    lua_pop(L, 1);
}
