/* The world's path queue: requests of scripts and of agents (path_own.c), one budget a frame. */
#include "world_parts.h"

bool throng_world_open_path_queue(throng_world *w, throng_error *error)
{
    if (!w->paths.queue && !(w->paths.queue = throng_path_queue_create(&w->stages)))
        return throng_fail(error, "out of memory for the path queue");
    return true;
}

const throng_navmesh *throng_world_navmesh(throng_world *w, double radius, throng_error *error)
{
    if (!w->map) {
        throng_fail(error, "this world has no map, and nothing to find a path around");
        return NULL;
    }
    return throng_world_follow_doors(w, error) ? throng_world_mesh(w, radius, error) : NULL;
}

throng_path_ticket throng_world_request_path(throng_world *w, const throng_world_path *path, throng_error *error)
{
    const throng_navmesh *mesh = throng_world_navmesh(w, path->radius, error);
    if (!mesh || !throng_world_open_path_queue(w, error))
        return 0;
    throng_path_ticket ticket = throng_path_queue_add(
        w->paths.queue, &(throng_path_request){mesh, w->map, path->from, path->to, path->urgent, THRONG_SCRIPT_PATH});
    if (!ticket)
        throng_fail(error, "out of memory for a path request");
    return ticket;
}

bool throng_world_cancel_path(throng_world *w, throng_path_ticket ticket)
{
    return w->paths.queue && throng_path_queue_cancel(w->paths.queue, ticket);
}

bool throng_world_prioritize_path(throng_world *w, throng_path_ticket ticket)
{
    return w->paths.queue && throng_path_queue_prioritize(w->paths.queue, ticket);
}

bool throng_world_was_asked_paths(const throng_world *w) { return w->paths.queue != NULL; }

int32_t throng_world_pending_paths(const throng_world *w)
{
    return w->paths.queue ? throng_path_queue_pending(w->paths.queue) : 0;
}

int32_t throng_world_path_budget(const throng_world *w) { return w->paths.budget; }

void throng_world_set_path_budget(throng_world *w, int32_t expansions) { w->paths.budget = expansions; }

int32_t throng_world_path_spent(const throng_world *w) { return w->paths.spent; }

const throng_path_answer *throng_world_paths(const throng_world *w, int32_t *count)
{
    *count = 0;
    return w->paths.queue ? throng_path_queue_answers(w->paths.queue, count) : NULL;
}
