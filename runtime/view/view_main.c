/* The viewer's window and its loop: events, steps that are due, a frame. */
#include "view_controls.h"

#include "base/watchdog.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BUDGET = 25 }; /* ms of steps a frame */

/* Steps that are due after `seconds`, as far as the budget of a frame goes. What is drawn between the last two of them
 * is kept before the last one alone. */
static void play(throng_viewer *viewer, double seconds)
{
    throng_error error;
    throng_session *session = &viewer->session;
    double dt = throng_shown_dt(viewer), moved = 0;
    uint64_t start = SDL_GetTicks64();
    session->debt += seconds * viewer->speed;
    while (viewer->playing && session->debt >= dt) {
        if (!viewer->fixed_clock && SDL_GetTicks64() - start > BUDGET) {
            session->debt = 0; /* it cannot keep up */
            break;
        }
        session->debt -= dt;
        moved += dt;
        viewer->hurries = session->debt >= dt;
        if (!viewer->hurries && !throng_crowd_keep(viewer, &error))
            throng_viewer_fail(viewer, &error);
        throng_viewer_step(viewer);
    }
    viewer->hurries = false;
    double weight = fmin(seconds, 1);
    session->pace += weight * ((seconds > 0 ? moved / seconds : 0) - session->pace);
}

/* ---- window */

static void measure(throng_viewer *viewer)
{
    if (!throng_window_measure(viewer))
        return;
    throng_ground_forget(&viewer->ground);
    if (viewer->fitted)
        throng_camera_fit(viewer);
}

static void close_all(throng_viewer *viewer)
{
    throng_shot_end_film(viewer);
    throng_viewer_forget_world(viewer);
    throng_viewer_forget_run(viewer);
    throng_crowd_fini(&viewer->crowd);
    throng_mass_fini(&viewer->mass);
    throng_console_fini(&viewer->console);
    throng_window_close(viewer);
    if (viewer->past.replay) {
        throng_world_destroy(viewer->session.live.scenario.world);
        throng_replay_close(viewer->past.replay);
    } else
        throng_session_close(&viewer->session);
    free(viewer);
}

/* ---- a frame */

/* It has come to a floor that is not shown. */
static void climb_after(throng_viewer *viewer, int32_t entry)
{
    throng_error error;
    double scale = viewer->camera.scale;
    throng_floors_show(viewer, THRONG_FLOORS_ONE, viewer->floors.floor_of[viewer->crowd.sheet[entry]]);
    viewer->camera.scale = scale;
    viewer->chosen.followed = true;
    if (!throng_crowd_take(viewer, &error))
        throng_viewer_fail(viewer, &error);
    throng_camera_centre(viewer, (double)viewer->crowd.x[entry], (double)viewer->crowd.y[entry]);
}

static void follow(throng_viewer *viewer)
{
    int32_t entry = viewer->chosen.followed ? throng_agent_entry(viewer) : -1;
    if (entry >= 0 && !isfinite(viewer->crowd.x[entry]))
        climb_after(viewer, entry);
    else if (entry >= 0)
        throng_camera_centre(viewer, (double)viewer->crowd.x[entry], (double)viewer->crowd.y[entry]);
}

static void draw_stack(throng_viewer *viewer)
{
    throng_error error;
    if (!throng_heat_layer_prepare(viewer, &error) || !throng_smoke_layer_prepare(viewer, &error))
        throng_viewer_fail(viewer, &error);
    throng_stack_draw(viewer);
    throng_trails_draw(viewer);
    throng_ink_show(viewer);
    throng_agent_mark(viewer);
}

static void draw_plan(throng_viewer *viewer)
{
    throng_error error;
    if (viewer->floors.mode == THRONG_FLOORS_STACKED) {
        draw_stack(viewer);
        return;
    }
    throng_ground_draw(viewer);
    throng_mesh_layer_draw(viewer);
    if (!throng_smoke_layer_draw(viewer, &error) || !throng_heat_layer_draw(viewer, &error))
        throng_viewer_fail(viewer, &error);
    throng_flights_draw(viewer);
    throng_viewer_draw_doors(viewer, -1);
    throng_viewer_draw_bodies(viewer, -1);
    throng_trails_draw(viewer);
    throng_crowd_draw(viewer);
    throng_agent_mark(viewer);
}

static void draw(throng_viewer *viewer)
{
    throng_error error;
    if (!throng_crowd_take(viewer, &error))
        throng_viewer_fail(viewer, &error);
    throng_column_lay(viewer);
    if (viewer->refits)
        throng_camera_fit(viewer);
    viewer->refits = false;
    follow(viewer);
    throng_theme_clear(viewer->renderer);
    if (!throng_ride_draw(viewer))
        draw_plan(viewer);
    throng_hud_draw(viewer);
}

static void take_events(throng_viewer *viewer)
{
    SDL_Event event;
    bool wait = !viewer->playing;
    for (; throng_window_event(viewer, wait, &event); wait = false)
        throng_input_event(viewer, &event);
}

/* ms that this thread has had of a processor. */
static double processor_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Adds the ms since the last call. */
static void clock_in(uint64_t *since, double *ms)
{
    uint64_t now = SDL_GetPerformanceCounter();
    *ms += 1000.0 * (double)(now - *since) / (double)SDL_GetPerformanceFrequency();
    *since = now;
}

static void report(const throng_viewer *viewer)
{
    SDL_RendererInfo info = {.name = "?"};
    SDL_GetRendererInfo(viewer->renderer, &info);
    double frames = fmax((double)viewer->frame, 1), step = viewer->spent.step / frames,
           prepare = viewer->spent.prepare / frames, present = viewer->spent.present / frames;
    double fetched = (double)throng_agents_fetched(throng_world_agents(throng_viewer_world(viewer)));
    printf(
        "%lld frames of %d agents, %.2f ms each, %.0f a second at most: %.2f steps, %.2f what is drawn, %.2f drawing "
        "it (%s)\n"
        "drawing took %.2f ms of a processor each; %.2f MB of columns fetched each%s\n",
        (long long)viewer->frame, viewer->crowd.count, step + prepare + present, 1000 / (step + prepare + present),
        step, prepare, present, info.name, viewer->spent.processor / frames, 1e-6 * fetched / frames,
        throng_past_is_cheap(viewer) ? ", in place" : "");
}

static void loop(throng_viewer *viewer)
{
    uint64_t last = SDL_GetPerformanceCounter();
    while (!viewer->quit && throng_interrupted() != THRONG_STOP_SIGNAL && viewer->frame != viewer->def->window.frames) {
        bool acting = throng_actions_next(viewer);
        take_events(viewer);
        measure(viewer);
        if (!viewer->past.replay && throng_live_saved(&viewer->session.live, 0))
            throng_viewer_reload(viewer, false);
        double seconds = throng_window_elapsed(viewer, &last);
        uint64_t since = SDL_GetPerformanceCounter();
        if (viewer->playing)
            play(viewer, seconds);
        clock_in(&since, &viewer->spent.step);
        double processor = processor_ms();
        draw(viewer);
        throng_input_picture(viewer);
        throng_shot_add(viewer);
        throng_shot_dot(viewer);
        clock_in(&since, &viewer->spent.prepare);
        SDL_RenderPresent(viewer->renderer);
        clock_in(&since, &viewer->spent.present);
        viewer->spent.processor += processor_ms() - processor;
        viewer->frame++;
        if (viewer->def->window.screenshot && !acting)
            break;
    }
}

static bool show(throng_viewer *viewer, throng_error *error)
{
    const throng_view_def *def = viewer->def;
    if (!throng_window_open(viewer, viewer->session.live.scenario.name, error))
        return false;
    measure(viewer);
    bool moved = throng_viewer_step_to(viewer, def->at);
    if (!moved && def->window.screenshot)
        return throng_fail(error, "%s", viewer->session.trouble);
    if (!throng_crowd_take(viewer, error))
        return false;
    throng_column_lay(viewer);
    throng_camera_fit(viewer);
    viewer->playing = moved && !def->window.actions;
    if (def->window.screenshot && !def->window.actions) {
        viewer->playing = false;
        draw(viewer);
        return throng_shot_save(viewer, def->window.screenshot, error);
    }
    loop(viewer);
    if (def->window.screenshot)
        return throng_shot_save(viewer, def->window.screenshot, error);
    if (def->window.frames >= 0)
        report(viewer);
    return true;
}

static bool open_recording(throng_viewer *viewer, throng_error *error)
{
    viewer->past.replay = throng_replay_open(viewer->def->path, &viewer->session.live.scenario, error);
    return viewer->past.replay && throng_replay_mark_doors(viewer, error) && throng_past_show(viewer, 0, error);
}

bool throng_view_run(const throng_view_def *def, throng_error *error)
{
    throng_viewer *viewer = calloc(1, sizeof *viewer);
    if (!viewer)
        return throng_fail(error, "out of memory");
    *viewer =
        (throng_viewer){.def = def,
                        .wanted = &def->window,
                        .speed = 1,
                        .next_action = def->window.actions,
                        .fixed_clock = def->window.screenshot || (def->window.actions && def->window.frames >= 0)};
    bool ok = (!def->window.actions || throng_actions_check(def->window.actions, error)) &&
              (def->replay ? open_recording(viewer, error) : throng_session_open(&viewer->session, def, error)) &&
              (!def->colour || throng_colouring_choose(viewer, def->colour, error)) && show(viewer, error);
    close_all(viewer);
    return ok;
}
