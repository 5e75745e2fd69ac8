/* The groups of scripts: lists of agents. */
#ifndef THRONG_GROUP_VALUE_H
#define THRONG_GROUP_VALUE_H

#include "world_value.h"

typedef struct throng_lua_group {
    throng_lua_world *owner; /* kept alive by user value 1 */
    int32_t count;
    int32_t room;        /* for so many, when it is about to be extended; else 0 */
    int32_t kind;        /* of the spawn, -1: a group made otherwise */
    int32_t named_after; /* kind whose name messages use, -1: none */
    bool awaited;        /* a source's: who is in it comes over time */
    uint32_t removals;
    throng_handle *handles; /* [count] ascending by slot; kept alive by user value 2 */
} throng_lua_group;

/* The kind that was spawned under the name; -1 (any) for an empty one. `owner` names who asks in messages. */
int32_t throng_kind_named(lua_State *L, const throng_world *world, const char *owner, const char *name);
/* A group of copies of the handles. [-0, +1] */
throng_lua_group *throng_group_push(lua_State *L, int world, const throng_handle *handles, int32_t count, int32_t kind);
/* Makes room for so many more in the group at `index`, which is extended next: then that takes no memory. */
void throng_group_reserve(lua_State *L, int index, int32_t more);
/* Adds agents to the group at `index`; they are in no order and not in it yet. */
void throng_group_extend(lua_State *L, int index, const throng_handle *handles, int32_t count);
/* Brings the handles of a group, who live, into their order, each once. */
void throng_group_sort(lua_State *L, int index);
/* The group at `index`, without removed agents. */
throng_lua_group *throng_check_group(lua_State *L, int index);
/* The same where something is done to all of the group; an error when it is a source's and nobody has come. */
throng_lua_group *throng_check_members(lua_State *L, int index, const char *what);
const char *throng_group_name(const throng_lua_group *group);
bool throng_group_has(const char *name); /* a method or field that is no column */
/* Those of `handles` that are alive and belong to the group at `group`, false: to anybody, as a group. [-0, +1] */
const throng_lua_group *throng_group_select(lua_State *L, int world, int group, const throng_handle *handles,
                                            int32_t count);
/* All living agents as a group. [-0, +2]: what keeps them, the group */
void throng_agents_push(lua_State *L, int world);

#endif
