/* The agents that a player steers. */
#include <stdlib.h>
#include <string.h>

#include "world_parts.h"

/* What they prefer is kept until the player changes it: `x`, `y` times their speed. */
static bool prefer(throng_world *w, const throng_handle *handles, int32_t count, double x, double y,
                   throng_error *error)
{
    const float *speed = throng_agents_read(w->agents, THRONG_COLUMN_speed, error);
    float *vx = throng_agents_write(w->agents, THRONG_COLUMN_desired_vx, error);
    float *vy = throng_agents_write(w->agents, THRONG_COLUMN_desired_vy, error);
    if (!speed || !vx || !vy)
        return false;
    for (int32_t i = 0; i < count; i++) {
        if (!throng_agents_alive(w->agents, handles[i]))
            continue;
        int32_t slot = handles[i].slot;
        vx[slot] = (float)x * speed[slot];
        vy[slot] = (float)y * speed[slot];
    }
    return true;
}

bool throng_world_control(throng_world *w, const throng_handle *handles, int32_t count, throng_error *error)
{
    world_player *player = &w->player;
    throng_handle *copy = malloc(((size_t)count + 1) * sizeof *copy);
    if (!copy)
        return throng_fail(error, "out of memory for %d players", count);
    memcpy(copy, handles, (size_t)count * sizeof *copy);
    if (!throng_world_bind(w, handles, count, THRONG_COLUMN_desired_vx, THRONG_KEPT, error) ||
        !prefer(w, handles, count, 0, 0, error)) {
        free(copy);
        return false;
    }
    free(player->handles);
    player->handles = copy;
    player->count = count;
    player->x = player->y = 0;
    return true;
}

bool throng_world_has_player(const throng_world *w)
{
    for (int32_t i = 0; i < w->player.count; i++)
        if (throng_agents_alive(w->agents, w->player.handles[i]))
            return true;
    return false;
}

bool throng_world_steer(throng_world *w, double x, double y, throng_error *error)
{
    world_player *player = &w->player;
    if (x == player->x && y == player->y)
        return true;
    player->x = x;
    player->y = y;
    return prefer(w, player->handles, player->count, x, y, error);
}
