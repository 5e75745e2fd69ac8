#include "run_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observer.h"
#include "base/output.h"
#include "base/watchdog.h"
#include "picture/picture.h"
#include "picture/picture_page.h"
#include "run_bodies.h"
#include "run_doors.h"
#include "map/map_sheets.h"
#include "measures_csv.h"
#include "run_keep.h"
#include "run_moment.h"
#include "run_sample.h"

enum { FEW = 16, COLOURS = 8 };

/* Ten frames a second show how people walk; ten minutes of 500 are 170 MB of SQLite then. */
enum { SMALL = 500 };
static const double OFTEN = 0.1, SELDOM = 0.5; /* s */

struct throng_run_files {
    throng_run_files_def def;
    char trajectory[1024], plan[1024], curve[1024], summary[1024];
    throng_output *summary_output; /* begun before the run: its lock is the folder's */
    uint32_t every;                /* steps between snapshots */
    throng_observer *observer;     /* who keeps them; the frame shows it the world and goes on */
    throng_run_kept kept;          /* the observer's until it is stopped */
    throng_sample sample;          /* the crowd now */
    throng_sample moment;          /* the crowd at png_at */
    bool has_moment;
    throng_local_map local; /* of the agent def.probe then */
    throng_run_doors doors;
    throng_run_bodies bodies;
    throng_film *film;
    char film_path[1024];
    uint32_t film_every;      /* steps between its pictures */
    throng_bounds film_place; /* what it shows */
};

static bool name_files(throng_run_files *files, throng_error *error)
{
    const char *out = files->def.out, *name = files->def.name;
    if (strlen(out) + 2 * strlen(name) > 900)
        return throng_fail(error, "the path of --out is too long");
    snprintf(files->trajectory, sizeof files->trajectory, "%s/trajectory%s", out,
             files->def.record_compact ? ".throng" : ".sqlite");
    snprintf(files->summary, sizeof files->summary, "%s/summary.json", out);
    snprintf(files->plan, sizeof files->plan, "%s/%s.png", out, name);
    snprintf(files->curve, sizeof files->curve, "%s/%s-curve.png", out, name);
    return throng_output_make_folder(out, error);
}

static bool try_files(throng_run_files *files, throng_error *error)
{
    const throng_run_files_def *def = &files->def;
    return (!def->out || ((files->summary_output = throng_output_begin(files->summary, error)) &&
                          throng_output_check(files->plan, error) && throng_output_check(files->curve, error))) &&
           (!def->png || throng_picture_check(def->png, error)) && (!def->csv || throng_output_check(def->csv, error));
}

/* Also of what this run may not write, a report and bodies: it would be taken for a run's that did. */
static bool all_apart(const throng_run_files *files, throng_error *error)
{
    const throng_run_files_def *def = &files->def;
    static const char *const tables[] = {"doors.csv", "bodies.csv", "report.html"};
    enum { TABLES = sizeof tables / sizeof *tables };
    char paths[TABLES][1024];
    throng_output_name names[TABLES + 7] = {{"--png", def->png}, {"--csv", def->csv}, {"--film", def->film}};
    int32_t count = 3;
    if (def->out) {
        const char *const own[] = {files->trajectory, files->summary, files->plan, files->curve};
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            names[count++] = (throng_output_name){"--out", own[i]};
        for (int i = 0; i < TABLES; i++) {
            snprintf(paths[i], sizeof paths[i], "%s/%s", def->out, tables[i]);
            names[count++] = (throng_output_name){"--out", paths[i]};
        }
    }
    return throng_output_apart(names, count, error);
}

/* ---- opening */

static bool open_occupancy(throng_run_files *files, throng_error *error)
{
    const throng_map *map = throng_world_map(files->def.world);
    if (map)
        return throng_occupancy_init(&files->kept.occupancy, &map->bounds, map, error);
    throng_bounds bounds = throng_sample_bounds(&files->sample);
    return throng_occupancy_init(&files->kept.occupancy, &bounds, NULL, error);
}

/* A picture a step, but no more than about 25 a second. */
static bool open_film(throng_run_files *files, throng_error *error)
{
    const throng_map *map = throng_world_map(files->def.world);
    double dt = throng_world_dt(files->def.world);
    if (!files->def.film)
        return true;
    files->film_every = (uint32_t)fmax(1, round(0.04 / dt));
    files->film_place = map && !map->open ? throng_page_map_bounds(map) : throng_sample_bounds(&files->sample);
    files->film = throng_film_open(files->def.film, 1 / (files->film_every * dt), error);
    if (files->film)
        snprintf(files->film_path, sizeof files->film_path, "%s", throng_film_path(files->film));
    return files->film != NULL;
}

/* Only when somebody asks for what snapshots are for. */
static bool start_observer(throng_run_files *files, throng_error *error)
{
    if (!files->def.out && !files->def.png)
        return true;
    bool few = files->sample.count <= FEW;
    throng_column_set columns =
        throng_run_keep_columns | (files->kept.map && files->kept.map->sheets ? throng_run_keep_sheets : 0) |
        (few ? throng_run_keep_groups : 0) | (files->kept.recorder ? throng_run_notes_columns(files->def.world) : 0) |
        throng_run_find_own(&files->kept, files->def.world);
    throng_world_keep_gone(files->def.world);
    files->observer = throng_observer_start(columns, throng_run_looks, 2, &files->kept, error);
    return files->observer != NULL;
}

static bool open_all(throng_run_files *files, throng_error *error)
{
    const throng_run_files_def *def = &files->def;
    double dt = throng_world_dt(def->world), every = def->record_every > 0 ? def->record_every : SELDOM;
    files->every = (uint32_t)fmax(1, floor(every / dt + 0.5));
    files->kept.map = throng_world_map(def->world);
    if (def->out && !name_files(files, error)) /* makes the folder, which may be that of the picture */
        return false;
    if (!all_apart(files, error) || !try_files(files, error))
        return false;
    if (def->out && def->record_every > 0) {
        double fps = 1 / (files->every * dt);
        throng_run_keep_own(&files->kept, def->world);
        files->kept.recorder =
            throng_recorder_open(files->trajectory, fps, throng_world_map(def->world), &files->kept.own, error);
        if (!files->kept.recorder || !throng_run_doors_begin(&files->doors, def->out, def->world, error))
            return false;
        throng_run_bodies_begin(&files->bodies, def->out);
    }
    files->kept.seconds = files->every * dt;
    files->kept.dt = dt;
    files->kept.trajectories.wrap = throng_world_wrap(def->world);
    if (files->kept.map && files->kept.map->sheets) /* they go on elsewhere, likewise */
        files->kept.trajectories.wrap = (throng_point){THRONG_PARTS_APART, THRONG_PARTS_APART};
    return throng_sample_take(&files->sample, def->world, error) && open_occupancy(files, error) &&
           open_film(files, error) && start_observer(files, error);
}

static void close_for_good(void *context);

throng_run_files *throng_run_files_open(const throng_run_files_def *def, throng_error *error)
{
    throng_run_files *files = calloc(1, sizeof *files);
    if (!files) {
        throng_fail(error, "out of memory");
        return NULL;
    }
    files->def = *def;
    if (def->record_every < 0)
        files->def.record_every = throng_agents_count(throng_world_agents(def->world)) <= SMALL ? OFTEN : SELDOM;
    if (open_all(files, error)) {
        throng_watchdog_at_end(close_for_good, files);
        return files;
    }
    throng_run_files_destroy(files);
    return NULL;
}

void throng_run_files_destroy(throng_run_files *files)
{
    if (!files)
        return;
    throng_watchdog_at_end(NULL, NULL);
    throng_observer_stop(files->observer, NULL);
    throng_run_kept_fini(&files->kept);
    throng_output_discard(files->summary_output);
    throng_film_close(files->film, NULL);
    throng_run_doors_end(&files->doors, false, NULL);
    throng_run_bodies_end(&files->bodies, false, NULL);
    throng_sample_fini(&files->sample);
    throng_sample_fini(&files->moment);
    free(files);
}

/* ---- watching */

static bool film(throng_run_files *files, throng_error *error)
{
    return throng_sample_take(&files->sample, files->def.world, error) &&
           throng_sample_take_smoke(&files->sample, files->def.world, error) &&
           throng_moment_film(files->film, files->def.world, &files->sample, &files->film_place, files->def.name,
                              error);
}

/* The local map of the agent that is asked for. */
static bool probe(throng_run_files *files, throng_error *error)
{
    throng_world *world = files->def.world;
    throng_agents *agents = throng_world_agents(world);
    int32_t slots = throng_agents_slots(agents), slot = 0;
    const int32_t *ids = throng_agents_read(agents, THRONG_COLUMN_id, error);
    const int32_t *states = ids ? throng_agents_read(agents, THRONG_COLUMN_state, error) : NULL;
    if (files->def.probe < 0)
        return true;
    if (!states)
        return false;
    while (slot < slots && !(states[slot] && ids[slot] == files->def.probe))
        slot++;
    if (slot == slots)
        return throng_fail(error, "--probe %" PRId64 ": at %.1f s there is no agent of this number", files->def.probe,
                           throng_world_time(world));
    return throng_world_local_map(world, slot, &files->local, error) ||
           throng_fail_in(error, "--probe %" PRId64, files->def.probe);
}

bool throng_run_files_watch(void *context, throng_error *error)
{
    throng_run_files *files = context;
    throng_world *world = files->def.world;
    uint32_t step = throng_world_steps(world);
    throng_run_doors_follow(&files->doors, world);
    if (files->kept.recorder && !throng_run_notes_watch(&files->kept.notes, world, error))
        return false;
    if (files->film && step % files->film_every == 0 && !film(files, error))
        return false;
    if (!files->observer)
        return true;
    if (!files->has_moment && files->def.png && files->def.png_at >= 0 &&
        throng_world_time(world) >= files->def.png_at - 1e-9) {
        files->has_moment = true;
        if (!throng_sample_take(&files->moment, world, error) ||
            !throng_sample_take_smoke(&files->moment, world, error) || !probe(files, error))
            return false;
    }
    return step % files->every != 0 ||
           ((!files->kept.recorder || throng_run_notes_frame(&files->kept.notes, world, error)) &&
            throng_run_bodies_follow(&files->bodies, world, error) &&
            throng_observer_show(files->observer, world, error));
}

/* What its own columns are in the new world is known to who records once nothing of the old one is left to record. */
void throng_run_files_wait(const throng_run_files *files)
{
    if (files->observer)
        throng_observer_wait(files->observer);
}

bool throng_run_files_follow(throng_run_files *files, throng_world *world, throng_error *error)
{
    files->def.world = world;
    throng_run_bodies_restart(&files->bodies);
    throng_observer *before = files->observer;
    files->observer = NULL;
    bool stopped = throng_observer_stop(before, error);
    throng_run_notes_follow(&files->kept.notes);
    files->kept.map = throng_world_map(world);
    return stopped && (!before || start_observer(files, error));
}

/* ---- pictures */

/* A few are told apart by the colours of their paths; more are a crowd, which has a density. */
static void show_run(throng_plan_picture *plan, const throng_run_files *files, const throng_summary *summary)
{
    bool few = summary->stats.spawned <= FEW && plan->group_count <= COLOURS;
    plan->occupancy = few ? NULL : files->kept.occupancy.seconds;
    plan->columns = files->kept.occupancy.columns;
    plan->rows = files->kept.occupancy.rows;
    plan->cell = files->kept.occupancy.cell;
    plan->origin_x = files->kept.occupancy.x0;
    plan->origin_y = files->kept.occupancy.y0;
    plan->seconds = summary->time > 0 ? summary->time : 1;
    plan->trajectory_x = files->kept.trajectories.x;
    plan->trajectory_y = files->kept.trajectories.y;
    plan->trajectory_start = files->kept.trajectories.start;
    plan->trajectory_group = few ? files->kept.trajectories.group : NULL;
    plan->trajectory_count = files->kept.trajectories.count;
}

static void describe(const throng_summary *summary, char *text, size_t size)
{
    int32_t agents = summary->stats.spawned;
    snprintf(text, size, "%d agent%s, %.1f s", agents, agents == 1 ? "" : "s", summary->time);
}

/* The plan with density and trajectories. */
static bool draw_plan(throng_run_files *files, const char *path, const throng_summary *summary, throng_error *error)
{
    char subtitle[128];
    describe(summary, subtitle, sizeof subtitle);
    throng_plan_picture plan = {
        .map = throng_world_map(files->def.world), .title = files->def.name, .subtitle = subtitle, .time = -1};
    bool grouped = throng_moment_groups(files->def.world, &plan);
    throng_body_outlines bodies = {0};
    if (!grouped || !throng_trajectories_flatten(&files->kept.trajectories, error) ||
        !throng_body_outlines_take(&bodies, files->def.world, error)) {
        throng_moment_free_groups(&plan);
        return throng_fail(error, "out of memory");
    }
    throng_body_outlines_show(&bodies, &plan);
    show_run(&plan, files, summary);
    bool drawn = throng_picture_plan(path, &plan, error);
    throng_moment_free_groups(&plan);
    throng_body_outlines_fini(&bodies);
    return drawn;
}

static bool draw_moment(throng_run_files *files, const throng_summary *summary, throng_error *error)
{
    char subtitle[128];
    if (files->def.png_at < 0)
        return draw_plan(files, files->def.png, summary, error);
    if (!files->has_moment)
        return throng_fail(error, "--at %g: the run ended at %.1f s, so '%s' was not drawn", files->def.png_at,
                           summary->time, files->def.png);
    describe(summary, subtitle, sizeof subtitle);
    return throng_moment_draw(files->def.png, files->def.world, &files->moment,
                              files->def.probe < 0 ? NULL : &files->local, 0, files->def.name, subtitle, error);
}

static bool draw_curve(const throng_run_files *files, const throng_summary *summary, throng_error *error)
{
    char subtitle[128];
    int32_t all = summary->stats.spawned, arrived = summary->stats.arrived;
    if (all == 1)
        snprintf(subtitle, sizeof subtitle, "1 agent arrived, at %.1f s", summary->stats.last_arrival);
    else
        snprintf(subtitle, sizeof subtitle, "%d of %d agents arrived, the last at %.1f s", arrived, all,
                 summary->stats.last_arrival);
    throng_curve_picture curve = {.title = files->def.name,
                                  .subtitle = subtitle,
                                  .time = files->kept.times,
                                  .value = files->kept.arrived,
                                  .count = files->kept.points,
                                  .total = all,
                                  .last = arrived == all ? summary->stats.last_arrival : 0};
    return throng_picture_curve(files->curve, &curve, error);
}

static bool write_summary(throng_run_files *files, const throng_summary *summary, throng_error *error)
{
    throng_output *output = files->summary_output;
    files->summary_output = NULL;
    throng_summary_json(summary, throng_output_stream(output));
    return throng_output_commit(output, error);
}

static bool close_film(throng_run_files *files, throng_error *error)
{
    throng_film *film = files->film;
    files->film = NULL;
    return throng_film_close(film, error);
}

/* With a last point, when the run did not end with a snapshot. */
static bool end_curve(throng_run_files *files, const throng_summary *summary, throng_error *error)
{
    throng_run_keep_gone(&files->kept, files->def.world);
    if (!summary || throng_world_steps(files->def.world) % files->every == 0)
        return throng_run_keep_curve(&files->kept, NULL, error);
    throng_run_last last = {summary->time, summary->stats.arrived};
    return throng_run_keep_curve(&files->kept, &last, error);
}

/* What the run knew goes behind its frames. */
static bool keep_notes(throng_run_files *files, const throng_summary *summary, throng_error *error)
{
    throng_run_kept *kept = &files->kept;
    return !kept->recorder ||
           (throng_run_notes_end(&kept->notes, files->def.world, kept->times, kept->arrived, kept->points, error) &&
            (!summary || throng_summary_note(summary, &kept->notes.notes, error)) &&
            throng_recorder_note(kept->recorder, &kept->notes.notes, error));
}

/* Everything that was shown is kept then, or the first failure told. */
static bool stop_observer(throng_run_files *files, const throng_summary *summary, throng_error *error)
{
    bool seen = throng_observer_stop(files->observer, error);
    files->observer = NULL;
    seen = end_curve(files, summary, seen ? error : NULL) && seen;
    seen = keep_notes(files, summary, seen ? error : NULL) && seen;
    throng_recorder *recorder = files->kept.recorder;
    files->kept.recorder = NULL;
    return throng_recorder_close(recorder, seen ? error : NULL) && seen;
}

/* Each is closed, whatever becomes of the others; the first failure is told. */
static bool close_recordings(throng_run_files *files, const throng_summary *summary, throng_error *error)
{
    bool closed = stop_observer(files, summary, error);
    closed = throng_run_doors_end(&files->doors, true, closed ? error : NULL) && closed;
    closed = throng_run_bodies_end(&files->bodies, true, closed ? error : NULL) && closed;
    return close_film(files, closed ? error : NULL) && closed;
}

/* The watchdog's, for a run that does not come back: of what it recorded, nothing is lost. */
static void close_for_good(void *context)
{
    throng_error error;
    throng_run_files *files = context;
    if (!close_recordings(files, NULL, &error))
        fprintf(stderr, "%s\n", error.text);
    else if (files->def.out && files->def.record_every > 0)
        fprintf(stderr, "  wrote        %s\n", files->trajectory);
}

/* The summary before the pictures, which are larger and can be drawn again. Where nobody arrived, there is no curve. */
static bool write_out(throng_run_files *files, const throng_summary *summary, throng_error *error)
{
    bool written = write_summary(files, summary, error);
    written = draw_plan(files, files->plan, summary, written ? error : NULL) && written;
    if (!summary->stats.arrived)
        *files->curve = 0;
    return (!*files->curve || draw_curve(files, summary, written ? error : NULL)) && written;
}

bool throng_run_files_finish(throng_run_files *files, const throng_summary *summary, throng_error *error)
{
    throng_watchdog_at_end(NULL, NULL);
    bool written = close_recordings(files, summary, error);
    if (!summary || summary->end <= THRONG_RUN_UNWATCHED)
        return written;
    if (files->def.out)
        written = write_out(files, summary, written ? error : NULL) && written;
    if (files->def.csv)
        written = throng_measures_csv(files->def.csv, files->def.world, written ? error : NULL) && written;
    if (files->def.png)
        written = draw_moment(files, summary, written ? error : NULL) && written;
    return written;
}

const char *throng_run_files_trajectory(const throng_run_files *files)
{
    return files->def.out && files->def.record_every > 0 ? files->trajectory : NULL;
}

static void list(FILE *file, const char *path, const char *more)
{
    char text[1024];
    snprintf(text, sizeof text, "%s%s", path, more);
    throng_text_plain(text, sizeof text);
    fprintf(file, "  wrote        %s\n", text);
}

void throng_run_files_list(const throng_run_files *files, FILE *file)
{
    const throng_run_files_def *def = &files->def;
    if (throng_run_files_trajectory(files))
        list(file, files->trajectory, "");
    if (def->out) {
        list(file, files->summary, "");
        list(file, files->plan, "");
    }
    if (*files->curve)
        list(file, files->curve, "");
    if (def->csv)
        list(file, def->csv, "");
    if (def->png)
        list(file, def->png, "");
    if (def->film)
        list(file, files->film_path,
             strcmp(files->film_path, def->film) == 0 ? "" : "/*.png; where ffmpeg is installed, an MP4");
}
