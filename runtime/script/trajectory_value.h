/* Recordings as values of scripts. */
#ifndef THRONG_TRAJECTORY_VALUE_H
#define THRONG_TRAJECTORY_VALUE_H

#include "bind.h"
#include "record/recording.h"

#define THRONG_LUA_TRAJECTORY "throng.trajectory"

typedef struct throng_lua_trajectory {
    throng_recording *recording; /* NULL: closed */
    int32_t first, last;         /* numbers of the first and last frame */
} throng_lua_trajectory;

#endif
