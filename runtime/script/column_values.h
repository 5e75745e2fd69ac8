/* Columns of groups: read, written, and those that scripts declare. */
#ifndef THRONG_COLUMN_VALUES_H
#define THRONG_COLUMN_VALUES_H

#include "fields.h"
#include "group_value.h"

/* ---- bind_column.c */

typedef union throng_cell {
    float f;
    int32_t i;
} throng_cell;

/* A column that was read. */
typedef struct throng_lua_column {
    int column;
    char name[THRONG_COLUMN_NAME], unit[THRONG_COLUMN_NAME];
    int32_t count;
    throng_cell cells[];
} throng_lua_column;

/* The column of a group, copied. [-0, +1] */
void throng_column_push(lua_State *L, const throng_lua_group *group, int column);
double throng_column_number(const throng_lua_column *value, int32_t at);

/* ---- bind_column_write.c */

/* Writes the value at `index` (number, sampler, list or column) to the group's column. Hooks of stages may write some
 * that others may not. */
void throng_column_write(lua_State *L, const throng_lua_group *group, int column, int index);

/* ---- column_values.c */

bool throng_column_is_any(int column, int attributes); /* has it one of these attributes? */
/* What a script may write there, NULL: nothing. */
const throng_range *throng_column_range(int column);
/* Why no behaviour function may compute the column, NULL: one may. */
const char *throng_column_uncomputed(int column);

/* The values that writing the value at `index` to the group's column would store, checked against `range`; `what` names
 * the column in messages. [-0, +1] the userdata that holds them */
const double *throng_column_values(lua_State *L, const throng_lua_group *group, int column, int index, const char *what,
                                   const throng_range *range);
/* Writes plain numbers, one for each agent of the group: no checks. */
void throng_column_store(lua_State *L, const throng_lua_group *group, int column, const double *values);
/* Writes a number for each agent, without looking at its range. */
void throng_column_sample(lua_State *L, const throng_lua_group *group, int column, const throng_sampler *sampler);

/* ---- own_columns.c */

/* The world's column of that name, or -1; what is known of a column. */
int throng_world_column_named(const throng_lua_world *world, const char *name);
const throng_column_info *throng_world_column(const throng_lua_world *world, int column);
/* The names of the world's columns, into `names`. How many there are. */
int throng_world_column_names(const throng_lua_world *world, const char **names);
/* The names of those that it has declared, as a list. [-0, +1] */
void throng_own_columns_push(lua_State *L, const throng_lua_world *world);
int throng_world_own_columns(lua_State *L); /* (world): that list */

/* ---- bind_own_column.c */

int throng_world_column_method(lua_State *L); /* world:column(name, settings) */
extern const throng_settings throng_column_settings;

#endif
