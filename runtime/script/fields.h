/* Checked arguments: numbers, names, samplers, and fields of definition tables. */
#ifndef THRONG_FIELDS_H
#define THRONG_FIELDS_H

#include "bind.h"

/* ---- bind_fields.c: checked arguments */

/* Raises unless every key of the table is one of `names` (ends with NULL). */
void throng_fields_check(lua_State *L, int index, const char *what, const char *const *names);

/* "owner: unknown WHAT 'word', did you mean ...? Expected one of: ..." */
_Noreturn void throng_raise_unknown(lua_State *L, const char *owner, const char *what, const char *word,
                                    const char *const *names);

/* The first of the table's string keys, in their order, that is none of `names`; NULL: there is none. */
const char *throng_unknown_name(lua_State *L, int table, const char *const *names);

/* Of the table at the top: to read a name that is none of `names`, which stay (they end with NULL), raises. Fields of
 * these names may be absent. */
void throng_fields_name(lua_State *L, const char *owner, const char *const *names);

/* The same with the string keys of the table at `table` as what is expected, in their order. */
_Noreturn void throng_raise_unknown_key(lua_State *L, const char *owner, const char *what, const char *word, int table);

/* The number at `index`, finite and in range; `what` names it in the message. */
bool throng_in_range(double value, const throng_range *range); /* no: NaN */
double throng_check_number(lua_State *L, int index, const char *what, const throng_range *range);
int64_t throng_check_integer(lua_State *L, int index, const char *what, int64_t least, int64_t most);

/* The string at `index`, as C has it: without a zero byte in it. */
const char *throng_check_text(lua_State *L, int index, const char *what);
/* As luaL_checkstring, whose text ends at the first zero byte, and likewise without one: of every name that a script
 * gives, of fields and entries of tables, too. */
const char *throng_check_name(lua_State *L, int index);

/* The userdata of that type whose method was called; raises with the noun, and the method or its own name, when it was
 * called with a dot. */
void *throng_check_self(lua_State *L, int index, const char *type, const char *noun, const char *method);
/* Raises when the function `owner` got more than the `count` arguments that it takes. */
void throng_refuse_more(lua_State *L, int count, const char *owner, const char *takes);

/* Pushes the field and, below it, its name for messages; false (nothing pushed) when it is absent. */
bool throng_field_push(lua_State *L, int table, const char *owner, const char *name);
/* Fields of a definition table; absent (nil) ones leave `*value` as it is and give false. */
bool throng_field_number(lua_State *L, int table, const char *owner, const char *name, const throng_range *range,
                         double *value);
bool throng_field_integer(lua_State *L, int table, const char *owner, const char *name, int64_t least, int64_t most,
                          int64_t *value);
bool throng_field_boolean(lua_State *L, int table, const char *owner, const char *name, bool *value);
/* The text stays valid while the table holds it. */
bool throng_field_string(lua_State *L, int table, const char *owner, const char *name, const char **value);

/* A field that a definition table may have. It is declared once: checks and documentation come from here. */
typedef struct throng_setting {
    const char *name;
    const char *type;    /* as LuaLS has it: "integer", "throng.place"; a number's unit is its range's */
    const char *initial; /* what it is when it is absent, NULL: nothing, or `text` says so */
    const char *text; /* what it is; NULL: as the agents' column of that name, with its unit, range and initial value */
    throng_range range; /* of numbers; most = 0: any, or the column's */
} throng_setting;

typedef struct throng_settings {
    const char *class;          /* in the documentation: "throng.map.settings" */
    const char *owner;          /* in messages: "throng.map" */
    const throng_setting *list; /* ends with a name of NULL */
} throng_settings;

/* Each stands in bind_document.c's list, too. The planners' come from kernels/contract/planners.h. */
extern const throng_settings throng_world_settings, throng_record_settings, throng_map_settings, throng_spawn_settings,
    throng_go_to_settings, throng_run_settings, throng_behaviour_settings, throng_path_settings, throng_load_settings,
    throng_measure_settings, throng_batch_settings, throng_hazard_settings, throng_building_settings,
    throng_flight_settings, throng_belt_settings, throng_lift_settings, throng_disc_settings, throng_stadium_settings;

/* Raises unless every key of the table is one of the settings. */
void throng_settings_check(lua_State *L, int table, const throng_settings *settings);
/* As throng_field_number and throng_field_integer, with the range that the setting has. */
bool throng_setting_number(lua_State *L, int table, const throng_settings *settings, const char *name, double *value);
bool throng_setting_integer(lua_State *L, int table, const throng_settings *settings, const char *name, int64_t *value);

/* ---- bind_sampler.c */

#define THRONG_LUA_SAMPLER "throng.sampler"

/* A number, throng.uniform or throng.normal. */
throng_sampler throng_check_sampler(lua_State *L, int index, const char *what, const throng_range *range);
bool throng_field_sampler(lua_State *L, int table, const char *owner, const char *name, const throng_range *range,
                          throng_sampler *value);

#endif
