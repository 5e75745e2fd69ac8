/* What is asked about the agent that was chosen, once a step: a GPU is asked no more often. */
#include "view_parts.h"

#include <stdlib.h>
#include <string.h>

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
    throng_asked_forget(viewer);
    *a = (throng_asked){.known = true, .step = throng_world_steps(world), .id = viewer->chosen.id};
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

/* Is it what was asked last? */
static bool is_asked(const throng_viewer *viewer)
{
    const throng_asked *a = &viewer->asked;
    return a->known && a->step == throng_world_steps(throng_viewer_world(viewer)) && a->id == viewer->chosen.id;
}

const throng_asked *throng_asked_of(throng_viewer *viewer, int32_t entry)
{
    const throng_moment *shown = viewer->past.shown;
    if (shown)
        return shown->asked && shown->asked->id == viewer->chosen.id ? shown->asked : NULL;
    if (!is_asked(viewer))
        ask(viewer, viewer->crowd.slot[entry]);
    return &viewer->asked;
}

/* ---- for frames that are kept */

static int32_t slot_of(throng_viewer *viewer)
{
    throng_agents *agents = throng_world_agents(throng_viewer_world(viewer));
    const int32_t *ids = throng_agents_read(agents, THRONG_COLUMN_id, NULL);
    const int32_t *states = ids ? throng_agents_read(agents, THRONG_COLUMN_state, NULL) : NULL;
    for (int32_t slot = 0; states && slot < throng_agents_slots(agents); slot++)
        if (ids[slot] == viewer->chosen.id && states[slot] & THRONG_STATE_ALIVE)
            return slot;
    return -1;
}

static bool copy_path(const throng_path *from, throng_path *to)
{
    size_t bytes = (size_t)from->count * sizeof *from->corners;
    size_t sheets = from->sheets ? (size_t)from->count * sizeof *from->sheets : 0;
    *to = *from;
    to->corners = malloc(bytes + 1);
    to->sheets = from->sheets ? malloc(sheets + 1) : NULL;
    if (to->corners && from->count)
        memcpy(to->corners, from->corners, bytes);
    if (to->sheets)
        memcpy(to->sheets, from->sheets, sheets);
    return to->corners && (to->sheets || !from->sheets);
}

bool throng_asked_keep(throng_viewer *viewer, throng_asked **kept, throng_error *error)
{
    int32_t slot = viewer->chosen.any && throng_past_is_cheap(viewer) ? slot_of(viewer) : -1;
    if (slot < 0)
        return true;
    if (!is_asked(viewer))
        ask(viewer, slot);
    *kept = malloc(sizeof **kept);
    if (*kept)
        **kept = viewer->asked;
    if (*kept && (!viewer->asked.path_known || copy_path(&viewer->asked.path, &(*kept)->path)))
        return true;
    throng_asked_destroy(*kept);
    *kept = NULL;
    return throng_fail(error, "out of memory for what an agent saw");
}

void throng_asked_destroy(throng_asked *asked)
{
    if (asked && asked->path_known)
        throng_path_fini(&asked->path);
    free(asked);
}
