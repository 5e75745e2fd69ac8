/* The map maker's window: the map that is opened, kept and saved, and the loop. */
#include "editor_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

enum { REFUSED_FOR = 6 };           /* s */
static const double KEEP_AFTER = 2; /* s without a change */

bool throng_editor_told(throng_editor *editor, bool done, const throng_edit_refusal *why)
{
    if (!done) {
        editor->refused.why = *why;
        editor->refused.until = editor->view.clock + REFUSED_FOR;
    }
    return done;
}

const throng_edit_sides *throng_editor_sides(throng_editor *editor)
{
    if (editor->sides_version != editor->doc.version || !editor->sides.list)
        throng_edit_sides_build(&editor->doc, &editor->sides);
    editor->sides_version = editor->doc.version;
    return &editor->sides;
}

/* ---- files */

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

/* What is saved to: the map itself, or an .xml beside one of another format. */
static bool name_files(throng_editor *editor, const char *path, throng_error *error)
{
    bool own = throng_file_ends_in(path, ".xml");
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    int stem = (int)(dot && (!slash || dot > slash) ? dot - path : (long)strlen(path));
    if (stem > 4000)
        return throng_fail(error, "the path of the map is too long");
    snprintf(editor->path, sizeof editor->path, "%.*s%s", own ? (int)strlen(path) : stem, path, own ? "" : ".xml");
    snprintf(editor->kept, sizeof editor->kept, "%.*s.autosave.xml", stem, path);
    editor->overwrites = !own && is_there(editor->path);
    return true;
}

static bool read_map(throng_editor *editor, const char *path, throng_error *error)
{
    bool cut;
    if (!is_there(path) && throng_file_ends_in(path, ".xml"))
        return true; /* a new one */
    throng_map *map = throng_map_read(path, NULL, error);
    bool taken = map && throng_edit_take_map(&editor->doc, map, &cut, error);
    throng_map_destroy(map);
    if (taken && cut)
        throng_viewer_note(&editor->view, "The floor was cut into convex faces.");
    return taken;
}

static void recover(throng_editor *editor)
{
    throng_error error;
    if (!is_there(editor->kept))
        return;
    if (throng_edit_replace(&editor->doc, editor->kept, &error))
        throng_viewer_note(&editor->view, "Recovered what was not saved last time. Ctrl+S keeps it, Ctrl+Z drops it.");
    else
        throng_viewer_note(&editor->view, "Unsaved work cannot be recovered: %.180s", error.text);
    editor->kept_version = editor->seen_version = editor->doc.version;
}

static void forget_kept(throng_editor *editor)
{
    unlink(editor->kept);
    editor->kept_version = editor->seen_version = editor->doc.version;
}

void throng_editor_save(throng_editor *editor)
{
    throng_error error;
    if (editor->overwrites) {
        editor->overwrites = false;
        throng_viewer_note(&editor->view, "%.150s is there already: Ctrl+S again to overwrite it.", editor->path);
        return;
    }
    if (!throng_edit_save(&editor->doc, editor->path, &error)) {
        throng_edit_refusal why = {.at = {NAN, NAN}, .slot = -1};
        snprintf(why.text, sizeof why.text, "%.230s", error.text);
        throng_editor_told(editor, false, &why);
        return;
    }
    forget_kept(editor);
    throng_viewer_note(&editor->view, "Saved %.200s.", editor->path);
}

/* Work that is not saved goes to a file of its own when the hand rests. */
static void keep(throng_editor *editor, bool at_once)
{
    uint32_t version = editor->doc.version;
    if (version != editor->seen_version) {
        editor->seen_version = version;
        editor->changed = editor->view.clock;
    }
    bool rested = at_once || (editor->view.clock - editor->changed >= KEEP_AFTER && !editor->drag.moved);
    if (version == editor->kept_version || !rested)
        return;
    editor->kept_version = version;
    if (!throng_edit_unsaved(&editor->doc))
        unlink(editor->kept);
    else if (throng_edit_floor_area(&editor->doc) > 0) {
        throng_error error;
        if (!throng_edit_keep(&editor->doc, editor->kept, &error))
            throng_viewer_note(&editor->view, "Unsaved work cannot be kept: %.180s", error.text);
    }
}

void throng_editor_quit(throng_editor *editor)
{
    if (throng_edit_unsaved(&editor->doc) && !editor->leaving) {
        editor->leaving = true;
        throng_viewer_note(&editor->view, "There are unsaved changes. Ctrl+S saves them, Q again drops them.");
        return;
    }
    forget_kept(editor);
    editor->view.quit = true;
}

/* ---- what keys and panels do */

void throng_editor_undo(throng_editor *editor, bool again)
{
    const char *name = again ? throng_edit_redo_name(&editor->doc) : throng_edit_undo_name(&editor->doc);
    editor->refused.until = 0;
    if (editor->drag.moved)
        return;
    if (!name) {
        throng_viewer_note(&editor->view, again ? "There is nothing to do again." : "There is nothing to undo.");
        return;
    }
    throng_viewer_note(&editor->view, again ? "Done again: %s." : "Undone: %s.", name);
    if (again)
        throng_edit_redo(&editor->doc);
    else
        throng_edit_undo(&editor->doc);
    if (!throng_edit_thing_at(&editor->doc, editor->selected))
        editor->selected = -1;
}

void throng_editor_next_use(throng_editor *editor)
{
    throng_edit_refusal why;
    const throng_edit_thing *thing = throng_edit_thing_at(&editor->doc, editor->selected);
    if (!thing || thing->kind != THRONG_EDIT_REGION)
        return;
    const char *now = throng_trial_purpose(thing->group, thing->name);
    const char *next = !now ? "spawns" : strcmp(now, "spawns") == 0 ? "exits" : "places";
    throng_editor_told(editor, throng_edit_set_group(&editor->doc, editor->selected, next, &why), &why);
}

static bool all_bounds(const throng_editor *editor, throng_bounds *b)
{
    *b = (throng_bounds){INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t slot = 1; slot < editor->doc.slots; slot++) {
        const throng_edit_thing *t = editor->doc.things[slot];
        if (t)
            *b = (throng_bounds){fmin(b->x0, t->bounds.x0), fmin(b->y0, t->bounds.y0), fmax(b->x1, t->bounds.x1),
                                 fmax(b->y1, t->bounds.y1)};
    }
    throng_edit_underlay underlay;
    if (editor->image.texture && throng_edit_underlay_of(&editor->doc, &underlay)) {
        throng_point c = underlay.corner;
        *b =
            (throng_bounds){fmin(b->x0, c.x), fmin(b->y0, c.y), fmax(b->x1, c.x + editor->image.width * underlay.scale),
                            fmax(b->y1, c.y + editor->image.height * underlay.scale)};
    }
    return b->x1 > b->x0 && b->y1 > b->y0;
}

static double scale_in(const throng_bounds *room, const throng_bounds *map)
{
    return fmin((room->x1 - room->x0) / (map->x1 - map->x0), (room->y1 - room->y0) / (map->y1 - map->y0));
}

/* Beside the tools, and beside or below the panel; an empty map shows 20 m. */
void throng_editor_fit(throng_editor *editor)
{
    throng_viewer *view = &editor->view;
    throng_bounds b;
    if (!all_bounds(editor, &b))
        b = (throng_bounds){0, 0, 20, 12};
    double u = view->unit;
    throng_bounds beside = {212 * u, 24 * u, view->width - 276 * u, view->height - 64 * u},
                  below = {212 * u, 230 * u, view->width - 24 * u, view->height - 84 * u};
    throng_bounds room = scale_in(&below, &b) > 1.15 * scale_in(&beside, &b) ? below : beside;
    double scale = fmin(fmax(scale_in(&room, &b), 1e-3), 400 * u);
    view->camera.scale = scale;
    view->camera.unit = u;
    view->camera.x = (room.x0 + room.x1) / 2 - (b.x0 + b.x1) / 2 * scale;
    view->camera.y = (room.y0 + room.y1) / 2 + (b.y0 + b.y1) / 2 * scale;
    view->fitted = true;
}

/* ---- the walk */

static void end_trial(throng_editor *editor)
{
    throng_trial_end(&editor->trial);
    editor->view.session.live.scenario.world = NULL;
    editor->view.crowd.count = editor->view.crowd.before_slots = 0;
    editor->view.playing = false;
}

void throng_editor_try_out(throng_editor *editor)
{
    throng_error error;
    if (editor->trial.world) {
        end_trial(editor);
        return;
    }
    editor->count = 0;
    editor->selected = -1;
    editor->dropped = THRONG_EDITOR_WALKERS;
    if (!throng_trial_start(&editor->trial, &editor->doc, editor->dropped, &error)) {
        throng_edit_refusal why = {.at = {NAN, NAN}, .slot = -1};
        snprintf(why.text, sizeof why.text, "%.230s", error.text);
        throng_editor_told(editor, false, &why);
        return;
    }
    editor->view.session.live.scenario.world = editor->trial.world;
    editor->view.session.debt = 0;
    editor->view.playing = true;
    editor->view.note_until = editor->refused.until = 0;
}

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
        end_trial(editor);
        return;
    }
    if (!throng_crowd_take(&editor->view, &error))
        end_trial(editor);
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
    while (!view->quit && view->frame != editor->def->window.frames) {
        bool acting = throng_actions_next(view);
        take_events(editor);
        if (throng_window_measure(view) && view->fitted)
            throng_editor_fit(editor);
        double seconds = throng_window_elapsed(view, &last);
        if (editor->trial.world && walked != editor->doc.version)
            end_trial(editor); /* what is walked in is no longer what is drawn */
        walked = editor->doc.version;
        if (editor->trial.world)
            walk(editor, seconds);
        keep(editor, false);
        draw(editor);
        SDL_RenderPresent(view->renderer);
        view->frame++;
        if (editor->def->window.screenshot && !acting)
            break;
    }
    if (!editor->def->window.screenshot && throng_edit_unsaved(&editor->doc))
        keep(editor, true);
}

static bool show(throng_editor *editor, throng_error *error)
{
    const throng_editor_def *def = editor->def;
    if (!throng_window_open(&editor->view, editor->path, error))
        return false;
    throng_window_measure(&editor->view);
    recover(editor);
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
    end_trial(editor);
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
              throng_edit_init(&editor->doc, error) && name_files(editor, def->path, error) &&
              read_map(editor, def->path, error) && show(editor, error);
    close_all(editor);
    return ok;
}

extern const throng_view_api throng_view;
const throng_view_api throng_view = {THRONG_VIEW_VERSION, throng_view_run, run};
