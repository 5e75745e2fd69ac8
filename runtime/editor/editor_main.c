/* The map maker's window: the walk, and the loop. */
#include "editor_parts.h"
#include "view/view_controls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/watchdog.h"

/* ---- the walk */

static void walk(throng_editor *editor, double seconds)
{
    throng_error error;
    double dt = throng_world_dt(editor->trial.world);
    editor->view.session.debt = fmin(editor->view.session.debt + seconds, 3 * dt);
    while (editor->view.session.debt >= dt) {
        editor->view.session.debt -= dt;
        if (throng_crowd_keep(&editor->view, &error) && throng_trial_step(&editor->trial, &error))
            continue;
        throng_viewer_note(&editor->view, "The walk ended: %.200s", error.text);
        throng_editor_end_trial(editor);
        return;
    }
    if (!throng_crowd_take(&editor->view, &error))
        throng_editor_end_trial(editor);
}

/* ---- frames */

static void draw(throng_editor *editor)
{
    throng_theme_clear(editor->view.renderer);
    throng_editor_draw_plan(editor);
    throng_editor_draw_hud(editor);
}

static void take_events(throng_editor *editor)
{
    SDL_Event event;
    bool wait = !editor->trial.world;
    for (; throng_window_event(&editor->view, wait, &event); wait = false)
        throng_editor_event(editor, &event);
}

static void loop(throng_editor *editor)
{
    throng_viewer *view = &editor->view;
    uint64_t last = SDL_GetPerformanceCounter();
    uint32_t walked = editor->doc.version;
    while (!view->quit && throng_interrupted() != THRONG_STOP_SIGNAL && view->frame != editor->def->window.frames) {
        bool acting = throng_actions_next(view);
        take_events(editor);
        if (throng_window_measure(view) && view->fitted)
            throng_editor_fit(editor);
        double seconds = throng_window_elapsed(view, &last);
        if (editor->trial.world && walked != editor->doc.version)
            throng_editor_end_trial(editor); /* what is walked in is no longer what is drawn */
        walked = editor->doc.version;
        if (editor->trial.world)
            walk(editor, seconds);
        throng_editor_keep(editor, false);
        draw(editor);
        SDL_RenderPresent(view->renderer);
        view->frame++;
        if (editor->def->window.screenshot && !acting)
            break;
    }
    if (!editor->def->window.screenshot && throng_edit_unsaved(&editor->doc))
        throng_editor_keep(editor, true);
}

static bool show(throng_editor *editor, throng_error *error)
{
    const throng_editor_def *def = editor->def;
    if (!throng_window_open(&editor->view, editor->path, error))
        return false;
    throng_window_measure(&editor->view);
    throng_editor_recover(editor);
    if (def->underlay)
        throng_image_lay(editor, def->underlay);
    throng_editor_fit(editor);
    draw(editor); /* reads the image that the map names */
    throng_editor_fit(editor);
    loop(editor);
    if (def->window.frames >= 0 && !def->window.screenshot)
        printf("%lld frames, %.2f ms each\n", (long long)editor->view.frame, editor->view.frame_ms);
    return !def->window.screenshot || throng_shot_save(&editor->view, def->window.screenshot, error);
}

static void close_all(throng_editor *editor)
{
    throng_editor_end_trial(editor);
    throng_image_forget(editor);
    throng_crowd_fini(&editor->view.crowd);
    throng_window_close(&editor->view);
    throng_edit_sides_fini(&editor->sides);
    throng_edit_fini(&editor->doc);
    free(editor);
}

static bool run(const throng_editor_def *def, throng_error *error)
{
    throng_editor *editor = calloc(1, sizeof *editor);
    if (!editor)
        return throng_fail(error, "out of memory");
    editor->def = def;
    editor->selected = -1;
    editor->view =
        (throng_viewer){.wanted = &def->window,
                        .speed = 1,
                        .next_action = def->window.actions,
                        .fixed_clock = def->window.screenshot || (def->window.actions && def->window.frames >= 0)};
    bool ok = (!def->window.actions || throng_actions_check(def->window.actions, error)) &&
              throng_edit_init(&editor->doc, error) && throng_editor_name_files(editor, def->path, error) &&
              throng_editor_read(editor, def->path, error) && show(editor, error);
    close_all(editor);
    return ok;
}

extern const throng_view_api throng_view;
const throng_view_api throng_view = {THRONG_VIEW_VERSION, throng_view_run, run};
