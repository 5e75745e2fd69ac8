/* What is shown: the world as it is, or a frame that was, kept of the running world or recorded. */
#include "view_parts.h"

#include <stdio.h>
#include <string.h>

uint32_t throng_past_first(const throng_viewer *viewer)
{
    const throng_past *past = &viewer->past;
    return past->count > 0 ? past->kept[past->first].step : throng_past_last(viewer);
}

uint32_t throng_past_last(const throng_viewer *viewer)
{
    if (viewer->past.replay)
        return (uint32_t)throng_replay_frames(viewer->past.replay) - 1;
    return throng_world_steps(throng_viewer_world(viewer));
}

const void *throng_shown_column(throng_viewer *viewer, int column, throng_error *error)
{
    if (viewer->past.shown)
        return viewer->past.shown->column[column];
    throng_agents *agents = throng_world_agents(throng_viewer_world(viewer));
    return throng_agents_uses(agents, column) ? throng_agents_read(agents, column, error) : NULL;
}

bool throng_shown_holds(const throng_viewer *viewer, int column)
{
    if (viewer->past.shown)
        return viewer->past.shown->column[column];
    return throng_agents_uses(throng_world_agents(throng_viewer_world(viewer)), column);
}

bool throng_shown_knows(const throng_viewer *viewer, int column)
{
    return !viewer->past.shown || throng_column_in(viewer->past.shown->known, column);
}

int32_t throng_shown_slots(throng_viewer *viewer)
{
    return viewer->past.shown ? viewer->past.shown->slots
                              : throng_agents_slots(throng_world_agents(throng_viewer_world(viewer)));
}

bool throng_shown_door(const throng_viewer *viewer, int32_t door, bool *open)
{
    const throng_moment *shown = viewer->past.shown;
    if (shown && !shown->open)
        return false;
    *open = shown ? shown->open[door] : throng_world_door_open(throng_viewer_world(viewer), door);
    return true;
}

bool throng_shown_lift(const throng_viewer *viewer, int32_t lift, throng_lift_state *state)
{
    const throng_moment *shown = viewer->past.shown;
    if (shown && !shown->lifts)
        return false;
    *state = shown ? shown->lifts[lift] : throng_world_lift(throng_viewer_world(viewer), lift);
    return true;
}

const throng_body_outlines *throng_shown_bodies(throng_viewer *viewer)
{
    throng_error error;
    if (viewer->past.shown)
        return &viewer->past.shown->bodies;
    if (!throng_body_outlines_take(&viewer->past.bodies, throng_viewer_world(viewer), &error))
        throng_viewer_note(viewer, "%.200s", error.text);
    return &viewer->past.bodies;
}

uint32_t throng_shown_step(const throng_viewer *viewer)
{
    return viewer->past.shown ? viewer->past.shown->step : throng_world_steps(throng_viewer_world(viewer));
}

double throng_shown_dt(const throng_viewer *viewer)
{
    return viewer->past.replay ? throng_replay_dt(viewer->past.replay) : throng_world_dt(throng_viewer_world(viewer));
}

double throng_shown_time(const throng_viewer *viewer) { return throng_shown_step(viewer) * throng_shown_dt(viewer); }

void throng_goal_words(const throng_viewer *viewer, int32_t goal, char *text, size_t size)
{
    const throng_world *world = throng_viewer_world(viewer);
    const char *name = throng_world_goal_name(world, goal);
    throng_point point;
    if (name)
        snprintf(text, size, "%s", name);
    else if (throng_world_goal_place(world, goal, &point))
        snprintf(text, size, "(%.3g, %.3g)", point.x, point.y);
    else
        snprintf(text, size, "its own");
}

bool throng_past_is_cheap(const throng_viewer *viewer)
{
    return strncmp(throng_world_backend(throng_viewer_world(viewer)), "cpu", 3) == 0;
}
