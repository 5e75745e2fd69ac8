/* How agents find their paths, by names. */
#ifndef THRONG_ROUTING_VALUE_H
#define THRONG_ROUTING_VALUE_H

#include "bind.h"

/* The method that the name at `index` stands for: THRONG_ROUTING_... */
int32_t throng_check_routing(lua_State *L, int index, const char *what);
extern const char *const throng_routing_names[]; /* by THRONG_ROUTING_..., ends with NULL */
/* What agents do about closed doors: THRONG_DOORS_... */
int32_t throng_check_door_policy(lua_State *L, int index, const char *what);
extern const char *const throng_door_policy_names[]; /* by THRONG_DOORS_..., ends with NULL */

#endif
