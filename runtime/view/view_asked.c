/* What is asked about the agent that was chosen, once a step: a GPU is asked no more often. */
#include "view_parts.h"

void throng_asked_forget(throng_viewer *viewer)
{
    throng_asked *a = &viewer->asked;
    if (a->path_known)
        throng_path_fini(&a->path);
    *a = (throng_asked){0};
}

static void ask(throng_viewer *viewer, int32_t slot)
{
    throng_asked *a = &viewer->asked;
    throng_world *world = throng_viewer_world(viewer);
    throng_error error;
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++)
        if (!throng_agents_value(throng_world_agents(world), c, slot, &a->value[c], &error))
            throng_viewer_note(viewer, "%.200s", error.text);
    throng_world_neighbours(world, slot, a->neighbour, &a->neighbours, NULL);
    a->path_known = throng_world_remaining_path(world, slot, &a->path, &error);
    throng_handle agent = throng_agents_handle(throng_world_agents(world), slot);
    throng_world_watch(world, agent);
    const throng_choice *choice = throng_world_choice(world, agent);
    a->chose = choice != NULL;
    if (choice)
        a->choice = *choice;
}

const throng_asked *throng_asked_of(throng_viewer *viewer, int32_t entry)
{
    throng_asked *a = &viewer->asked;
    uint32_t step = throng_world_steps(throng_viewer_world(viewer));
    if (viewer->past.shown)
        return NULL;
    if (a->known && a->step == step && a->id == viewer->chosen.id)
        return a;
    throng_asked_forget(viewer);
    *a = (throng_asked){.known = true, .step = step, .id = viewer->chosen.id};
    ask(viewer, viewer->crowd.slot[entry]);
    return a;
}
