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

static void draw_body(throng_viewer *viewer, const throng_point *corner, int32_t count)
{
    SDL_Color fill = throng_view_colour(THRONG_STYLE_BODY, 1), rim = throng_view_colour(THRONG_STYLE_BODY_RIM, 1);
    SDL_FPoint p[THRONG_BODY_CORNERS];
    for (int32_t i = 0; i < count; i++) {
        throng_point at = throng_view_point(&viewer->camera, corner[i].x, corner[i].y);
        p[i] = (SDL_FPoint){(float)at.x, (float)at.y};
    }
    throng_batch_convex(&viewer->batch, p, count, fill);
    for (int32_t i = 0; i < count; i++) { /* sides go on a little beyond their corners, where they would gape */
        throng_point a = {(double)p[i].x, (double)p[i].y},
                     b = {(double)p[(i + 1) % count].x, (double)p[(i + 1) % count].y};
        double side = fmax(hypot(b.x - a.x, b.y - a.y), 1);
        double width = fmin(viewer->unit, fmax(side / 12, 0.4)), beyond = width / 2 / side;
        throng_point d = {beyond * (b.x - a.x), beyond * (b.y - a.y)};
        throng_batch_line(&viewer->batch, a.x - d.x, a.y - d.y, b.x + d.x, b.y + d.y, width, rim, rim);
    }
}

static void draw_bodies(throng_viewer *viewer)
{
    const throng_body_outlines *bodies = throng_shown_bodies(viewer);
    for (int32_t b = 0; b < bodies->count; b++)
        draw_body(viewer, bodies->points + bodies->start[b], bodies->start[b + 1] - bodies->start[b]);
}

/* Open doors are a fine green line, closed ones a bar. */
static void draw_doors(throng_viewer *viewer)
{
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    for (int32_t d = 0; map && d < map->door_count; d++) {
        bool open;
        if (!throng_shown_door(viewer, d, &open))
            return;
        throng_point a = throng_view_point(&viewer->camera, map->doors[d].a.x, map->doors[d].a.y);
        throng_point b = throng_view_point(&viewer->camera, map->doors[d].b.x, map->doors[d].b.y);
        SDL_Color colour =
            open ? throng_view_colour(THRONG_STYLE_EXIT, 0.7f) : throng_view_colour(THRONG_STYLE_SHUT, 1);
        throng_batch_line(&viewer->batch, a.x, a.y, b.x, b.y, (open ? 1.5 : 4) * viewer->unit, colour, colour);
    }
}

static void follow(throng_viewer *viewer)
{
    int32_t entry = viewer->chosen.followed ? throng_agent_entry(viewer) : -1;
    if (entry >= 0)
        throng_camera_centre(viewer, (double)viewer->crowd.x[entry], (double)viewer->crowd.y[entry]);
}

static void draw_plan(throng_viewer *viewer)
{
    throng_error error;
    throng_ground_draw(viewer);
    throng_mesh_layer_draw(viewer);
    if (!throng_heat_layer_draw(viewer, &error))
        throng_viewer_fail(viewer, &error);
    draw_doors(viewer);
    draw_bodies(viewer);
    throng_trails_draw(viewer);
    throng_crowd_draw(viewer);
    throng_agent_mark(viewer);
}

static void draw(throng_viewer *viewer)
{
    throng_error error;
    if (!throng_crowd_take(viewer, &error))
        throng_viewer_fail(viewer, &error);
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
