/* What keys, buttons, panels and the console do to the run: steps, the past, reloading. */
#include "view_controls.h"

#include <math.h>

#include "picture/picture_style.h"

void throng_viewer_fail(throng_viewer *viewer, const throng_error *error)
{
    viewer->playing = false;
    throng_viewer_note(viewer, "%.240s", error->text);
}

/* The player's agents go where the keys that are held say. */
static bool steer(throng_viewer *viewer, throng_error *error)
{
    throng_world *world = throng_viewer_world(viewer);
    const bool *held = viewer->held;
    double x = held[0] - held[1], y = held[2] - held[3], length = hypot(x, y);
    if (!world || !throng_world_has_player(world))
        return true;
    return throng_world_steer(world, length > 0 ? x / length : 0, length > 0 ? y / length : 0, error);
}

static void step_world(throng_viewer *viewer)
{
    throng_error error;
    bool ended = viewer->session.ended;
    if (!steer(viewer, &error)) {
        throng_viewer_fail(viewer, &error);
        return;
    }
    if (!throng_session_step(&viewer->session)) {
        viewer->playing = false;
        return;
    }
    bool keeps = !viewer->hurries || throng_past_is_cheap(viewer);
    if ((keeps && !throng_past_keep(viewer, &error)) || !throng_timeline_step(viewer, &error) ||
        !throng_timeline_count_floors(viewer, &error) || !throng_trails_step(viewer, &error) ||
        !throng_heat_layer_step(viewer, &error))
        throng_viewer_fail(viewer, &error);
    if (viewer->session.ended && !ended) /* once: who plays on after that wants to */
        viewer->playing = false;
}

static void step_past(throng_viewer *viewer)
{
    throng_error error;
    int64_t step = throng_shown_step(viewer);
    if (viewer->past.replay && step == throng_past_last(viewer)) {
        viewer->playing = false;
        return;
    }
    if (!throng_past_show(viewer, step + 1, &error) || !throng_trails_step(viewer, &error) ||
        (viewer->past.replay && !throng_heat_layer_step(viewer, &error)))
        throng_viewer_fail(viewer, &error);
}

bool throng_viewer_step(throng_viewer *viewer)
{
    if (viewer->past.shown)
        step_past(viewer);
    else
        step_world(viewer);
    return viewer->playing;
}

void throng_viewer_turn_theme(throng_viewer *viewer)
{
    throng_theme_choose(!throng_theme_is_dark());
    throng_ground_forget(&viewer->ground);
    throng_heat_layer_fini(&viewer->heat);
    throng_smoke_layer_fini(&viewer->smoke);
    throng_mesh_layer_fini(&viewer->mesh);
    throng_crowd_forget(&viewer->crowd);
}

void throng_viewer_touched(throng_viewer *viewer)
{
    throng_error error;
    viewer->crowd.before_slots = 0;
    throng_crowd_forget(&viewer->crowd);
    throng_asked_forget(viewer);
    if (!throng_past_keep(viewer, &error))
        throng_viewer_fail(viewer, &error);
}

void throng_viewer_go(throng_viewer *viewer, int64_t steps)
{
    throng_error error;
    viewer->playing = false;
    if (!throng_past_show(viewer, (int64_t)throng_shown_step(viewer) + steps, &error))
        throng_viewer_fail(viewer, &error);
}

void throng_viewer_change_speed(throng_viewer *viewer, bool faster)
{
    double next = faster ? throng_style_round_up(viewer->speed * 1.01) : throng_style_round_down(viewer->speed / 1.01);
    viewer->speed = fmin(fmax(next, 0.1), 100);
}

void throng_viewer_single_step(throng_viewer *viewer)
{
    viewer->playing = false;
    throng_viewer_step(viewer);
}

void throng_viewer_go_home(throng_viewer *viewer)
{
    if (viewer->past.replay)
        throng_viewer_go(viewer, -(int64_t)throng_shown_step(viewer));
    else
        throng_viewer_reload(viewer, true);
}

void throng_viewer_play_or_pause(throng_viewer *viewer)
{
    viewer->playing = !viewer->playing && !viewer->session.stuck;
    if (viewer->playing && viewer->past.replay && throng_shown_step(viewer) == throng_past_last(viewer)) {
        throng_viewer_go_home(viewer);
        viewer->playing = true;
    }
    if (viewer->session.stuck)
        throng_viewer_note(viewer, "a step failed: save the scenario or press Home to begin again");
}

bool throng_viewer_step_to(throng_viewer *viewer, double time)
{
    throng_error error;
    const throng_world *world = throng_viewer_world(viewer);
    if (viewer->past.replay) {
        throng_viewer_go(viewer, llround(time / throng_shown_dt(viewer)) - throng_shown_step(viewer));
        return true;
    }
    if (!throng_past_keep(viewer, &error))
        throng_viewer_fail(viewer, &error);
    while (throng_world_time(world) < time - throng_world_dt(world) / 2) {
        if (!throng_session_step(&viewer->session))
            return false;
        bool last = throng_world_time(world) >= time - throng_world_dt(world) / 2;
        if (((last || throng_past_is_cheap(viewer)) && !throng_past_keep(viewer, &error)) ||
            !throng_timeline_step(viewer, &error) || !throng_timeline_count_floors(viewer, &error))
            throng_viewer_fail(viewer, &error);
    }
    return true;
}

void throng_viewer_forget_world(throng_viewer *viewer)
{
    throng_heat_layer_fini(&viewer->heat);
    throng_smoke_layer_fini(&viewer->smoke);
    throng_trails_fini(&viewer->trails);
    throng_ride_fini(&viewer->ride);
    throng_mesh_layer_fini(&viewer->mesh);
    throng_ground_forget(&viewer->ground);
    throng_floors_forget(viewer);
    throng_asked_forget(viewer);
    throng_crowd_forget(&viewer->crowd);
    viewer->crowd.before_slots = 0;
}

void throng_viewer_forget_run(throng_viewer *viewer)
{
    throng_past_fini(&viewer->past);
    throng_timeline_fini(&viewer->timeline);
    viewer->chosen = (throng_chosen){0};
}

void throng_viewer_reload(throng_viewer *viewer, bool restart)
{
    throng_error error;
    char said[640];
    bool refit = restart || viewer->session.ended;
    uint32_t steps = throng_world_steps(throng_viewer_world(viewer));
    viewer->playing = viewer->playing || viewer->session.stuck || viewer->session.ended;
    if (!throng_session_reload(&viewer->session, restart, said, sizeof said)) {
        viewer->playing = viewer->playing && !viewer->session.stuck && !viewer->session.ended;
        return;
    }
    throng_viewer_forget_world(viewer);
    throng_colouring_keep(viewer);
    viewer->console.begun = viewer->console.more = false; /* of a script that is gone */
    viewer->past.shown = NULL;
    if (throng_world_steps(throng_viewer_world(viewer)) != steps || steps == 0) {
        throng_viewer_forget_run(viewer);
        if (!throng_past_keep(viewer, &error))
            throng_viewer_fail(viewer, &error);
    } else if (!throng_timeline_mark(viewer, steps, THRONG_MARK_LOADED, "scenario saved", &error))
        throng_viewer_fail(viewer, &error);
    if (!throng_crowd_take(viewer, &error))
        throng_viewer_fail(viewer, &error);
    if (viewer->fitted && (refit || throng_world_steps(throng_viewer_world(viewer)) == 0))
        throng_camera_fit(viewer);
    throng_viewer_note(viewer, "%.240s", said);
}
