/* Methods of groups: what bind_group.c has of the other bindings. */
#ifndef THRONG_GROUP_METHODS_H
#define THRONG_GROUP_METHODS_H

#include "group_value.h"

/* in bind_company.c */
int throng_company_size(lua_State *L); /* of a world and what `company` says: of the next agent's */
throng_sampler throng_check_company(lua_State *L, int index);
int throng_group_walk_together(lua_State *L);
int throng_group_walk_alone(lua_State *L);

int throng_group_on(lua_State *L); /* in bind_on.c */
/* group:filter, group:inside, group:tag, group:untag, in bind_sets.c */
int throng_group_filter(lua_State *L);
int throng_group_inside(lua_State *L);
int throng_group_tag(lua_State *L);
int throng_group_untag(lua_State *L);
/* group.desired, in bind_desired.c: written from a behaviour, {vx, vy} or nil, and read as {vx, vy} [-0, +1] */
void throng_desired_write(lua_State *L, int index);
void throng_desired_push(lua_State *L, const throng_lua_group *group);
/* group:go_to(...), in bind_goal.c */
int throng_group_go_to(lua_State *L);
/* The world's goal for a point, a region's name, a shape, or a list of those. */
int32_t throng_check_goal(lua_State *L, int index, const throng_lua_world *world, const char *what, double radius,
                          bool straight);

#endif
