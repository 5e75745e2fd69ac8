/* What bind_module.c calls: each makes its metatable and adds its functions to the host table at the top. [-0, +0] */
#ifndef THRONG_BINDERS_H
#define THRONG_BINDERS_H

#include "bind.h"

void throng_bind_sampler(lua_State *L);
void throng_bind_figure(lua_State *L);
void throng_bind_shape(lua_State *L);
void throng_bind_planner(lua_State *L);
void throng_bind_map(lua_State *L);
void throng_bind_map_queries(lua_State *L); /* after it */
void throng_bind_door(lua_State *L);
void throng_bind_flight(lua_State *L);
void throng_bind_lift(lua_State *L);
void throng_bind_measure(lua_State *L);
void throng_bind_test(lua_State *L);
void throng_bind_study(lua_State *L);
void throng_bind_page(lua_State *L);
void throng_bind_database(lua_State *L);
void throng_bind_minimise(lua_State *L);
void throng_bind_body(lua_State *L);
void throng_bind_world(lua_State *L);
void throng_bind_group(lua_State *L);
void throng_bind_column(lua_State *L);
void throng_bind_fsm(lua_State *L);
void throng_bind_behaviour(lua_State *L);
void throng_bind_air(lua_State *L);
void throng_bind_choose(lua_State *L);
void throng_bind_trajectory(lua_State *L);
void throng_bind_fds(lua_State *L);
void throng_bind_compare(lua_State *L);
void throng_bind_program_recorder(lua_State *L);
void throng_bind_sets(lua_State *L);
void throng_bind_paths(lua_State *L);
void throng_bind_batch(lua_State *L);
void throng_bind_stages(lua_State *L);
void throng_bind_influences(lua_State *L);
void throng_bind_document(lua_State *L);
void throng_bind_math(lua_State *L); /* makes math's functions take recorded values */
/* All of them: makes THRONG_HOST. (bind_module.c) */
void throng_bind_host(lua_State *L);

#endif
