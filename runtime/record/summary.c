#include "summary.h"

#include <inttypes.h>
#include <math.h>

#include "base/json.h"
#include "map/map_sheets.h"
#include "world/measure.h"
#include "world/stuck_messages.h"

bool throng_summary_take(throng_world *world, const char *scenario, const char *path, throng_run_end end, double wall,
                         throng_summary *summary, throng_error *error)
{
    *summary = (throng_summary){.scenario = scenario,
                                .path = path,
                                .backend = throng_world_backend(world),
                                .seed = throng_world_seed(world),
                                .steps = throng_world_steps(world),
                                .time = throng_world_time(world),
                                .wall = wall,
                                .end = end,
                                .world = world};
    throng_world_backend_info(world, &summary->device);
    return throng_world_get_stats(world, &summary->stats, error) && throng_world_hash(world, &summary->hash, error) &&
           throng_world_stuck(world, &summary->stuck, &summary->stuck_count, error);
}

static void print_arrivals(const throng_world_stats *stats, FILE *file)
{
    fprintf(file, "  arrived      %d of %d agents", stats->arrived, stats->spawned);
    if (stats->arrived > 0)
        fprintf(file, ", the first at %.1f s, the last at %.1f s", stats->first_arrival, stats->last_arrival);
    fputc('\n', file);
    if (stats->arrived > 0)
        fprintf(file, "  travel time  mean %.1f s, worst %.1f s\n", stats->mean_travel, stats->worst_travel);
}

static void print_outside(const throng_world_stats *stats, FILE *file)
{
    if (stats->outside)
        fprintf(file,
                "  outside      %" PRId64 " agents waited for room at their sources still; `where` is too small\n",
                stats->outside);
}

static void print_measures(const throng_world *world, FILE *file)
{
    char text[512];
    for (const throng_measure *m = throng_world_measures(world); m; m = throng_measure_next(m)) {
        const char *name = throng_measure_def_of(m)->name;
        throng_measure_text(m, text, sizeof text);
        fprintf(file, "  measured     %s%s%s\n", name, *name ? ": " : "", text);
    }
}

/* Names the lifts out of service, which may have been the only way; false: there are none. */
static bool print_stopped_lifts(const throng_world *world, FILE *file)
{
    const throng_map *map = throng_world_map(world);
    const throng_map_sheets *sheets = map ? map->sheets : NULL;
    int32_t lifts = sheets ? sheets->lift_count : 0, stopped = 0;
    for (int32_t l = 0; l < lifts; l++)
        if (!throng_world_lift(world, l).in_service)
            fprintf(file, "%s '%s'", stopped++ ? "," : "               out of service: lift",
                    sheets->list[sheets->stops[sheets->lifts[l].first].sheet].name);
    if (stopped)
        fputs("; lift:start() takes one into service, and stairs lead past it\n", file);
    return stopped > 0;
}

/* What to do about the commonest cause. */
static void print_cure(const throng_world_stats *stats, const throng_world *world, FILE *file)
{
    int most = 0;
    for (int cause = 1; cause < THRONG_STUCK_CAUSE_COUNT; cause++)
        most = stats->stuck[cause] > stats->stuck[most] ? cause : most;
    if (stats->stuck[most] && !(most == THRONG_STUCK_ROUTE && print_stopped_lifts(world, file)))
        fprintf(file, "               %s: %s\n", throng_stuck_messages[most].why, throng_stuck_messages[most].cure);
}

/* "14 times: crowd 12, standoff 2" */
static void print_stuck(const throng_world_stats *stats, const throng_world *world, FILE *file)
{
    int32_t total = 0;
    for (int cause = 0; cause < THRONG_STUCK_CAUSE_COUNT; cause++)
        total += stats->stuck[cause];
    if (total == 0)
        return;
    fprintf(file, "  stuck        %d times", total);
    const char *separator = ":";
    for (int cause = 0; cause < THRONG_STUCK_CAUSE_COUNT; cause++)
        if (stats->stuck[cause]) {
            fprintf(file, "%s %s %d", separator, throng_stuck_causes[cause], stats->stuck[cause]);
            separator = ",";
        }
    fputc('\n', file);
    print_cure(stats, world, file);
}

enum { STUCK_LISTED = 5 };

/* Who was stuck when the time was up, why, where and since when. */
static void print_left(const throng_summary *summary, FILE *file)
{
    const throng_agents *agents = throng_world_agents(summary->world);
    const throng_map *map = throng_world_map(summary->world);
    if (summary->end != THRONG_RUN_TIME || summary->stuck_count == 0)
        return;
    fprintf(file, "  left stuck   %d", summary->stuck_count);
    for (int32_t i = 0; i < summary->stuck_count && i < STUCK_LISTED; i++) {
        const throng_stuck *s = &summary->stuck[i];
        int32_t sheet = throng_map_sheet_at(map, s->place);
        throng_point at = throng_map_position(map, sheet, s->place);
        fprintf(file, "%s agent %d at (%.1f, %.1f)", i ? ";" : ":", throng_agents_id(agents, s->agent.slot), at.x,
                at.y);
        if (map && map->sheets)
            fprintf(file, " on '%s'", map->sheets->list[sheet].name);
        fprintf(file, " since %.0f s: %s", s->since * throng_world_dt(summary->world), throng_stuck_causes[s->cause]);
    }
    if (summary->stuck_count > STUCK_LISTED)
        fprintf(file, " and %d more", summary->stuck_count - STUCK_LISTED);
    fputc('\n', file);
}

static void print_conflicts(const throng_counters *counters, uint32_t steps, FILE *file)
{
    const char *between = " (";
    fprintf(file, "  conflicts    %.3g pairs a step that the planners alone would have let overlap",
            (double)counters->conflicts / steps);
    for (int kind = 0; kind < THRONG_PLANNER_COUNT; kind++)
        if (counters->conflicts_of[kind]) {
            fprintf(file, "%s%s %.3g", between, throng_planner_names[kind],
                    (double)counters->conflicts_of[kind] / steps);
            between = ", ";
        }
    fprintf(file, "%s\n", counters->conflicts ? ")" : "");
}

enum { PLACES = 8 };

/* The functions that may have given what is no finite number, where no line was found. */
static void print_functions(const throng_world *world, FILE *file)
{
    const char *places[PLACES];
    int32_t count = throng_world_program_places(world, places, PLACES);
    fputs(count == 0 ? "" : count == 1 ? ": those of " : ": those of one or more of ", file);
    for (int32_t i = 0; i < count; i++)
        fprintf(file, "%s%s", i ? ", " : "", places[i]);
    fputs("\n", file);
}

/* What behaviour functions gave that could not be taken as it was, and by which lines. */
static void print_faults(const throng_counters *counters, throng_world *world, FILE *file)
{
    const throng_undefined_line *lines;
    int32_t count = throng_world_undefined_lines(world, &lines);
    if (counters->undefined)
        fprintf(file, "  functions    %" PRIu64 " results were no finite numbers, and changed nothing",
                counters->undefined);
    if (counters->undefined && count == 0)
        print_functions(world, file);
    for (int32_t i = 0; i < count; i++)
        fprintf(file, "%s%s %s (%" PRIu64 ")%s", i ? "               " : ":\n               ", lines[i].line,
                lines[i].what, lines[i].results, i + 1 < count ? ",\n" : "\n");
    if (counters->limited)
        fprintf(file, "  functions    %" PRIu64 " results were out of range, and cut off to it\n", counters->limited);
}

static const char *end_in_words(const throng_summary *summary)
{
    static const char *const ends[] = {"the run failed",  "its files could not be written", "everyone arrived",
                                       "the time was up", "the script stopped the run",     "interrupted"};
    bool emptied = summary->end == THRONG_RUN_ARRIVED && summary->stats.arrived < summary->stats.spawned;
    return emptied ? THRONG_RUN_EMPTIED : ends[summary->end];
}

void throng_summary_print(const throng_summary *summary, FILE *file)
{
    const throng_world_stats *stats = &summary->stats;
    fprintf(file, "%s: %s after %.1f s (%u steps)\n", summary->scenario, end_in_words(summary), summary->time,
            summary->steps);
    print_arrivals(stats, file);
    print_outside(stats, file);
    print_stuck(stats, summary->world, file);
    print_left(summary, file);
    if (stats->bodies)
        fprintf(file, "  bodies       %d\n", stats->bodies);
    fprintf(file, "  overlaps     %" PRIu64 " pairs below 0.99 of the sum of radii (closest: %.4f)\n",
            stats->counters.overlaps, (double)stats->counters.worst);
    if (stats->counters.hidden)
        fprintf(
            file,
            "  hidden       %d agents of the last step were seen by nobody: too many stood in one place, or were much "
            "larger than the others; spread them out\n",
            stats->counters.hidden);
    print_conflicts(&stats->counters, summary->steps ? summary->steps : 1, file);
    print_faults(&stats->counters, summary->world, file);
    print_measures(summary->world, file);
    double steps = 1e-3 * stats->ms_per_step * summary->steps; /* s: of the same clock */
    fprintf(file, "  speed        %.3f ms a step, %.0f x real time; %.1f s in all, with callbacks and files\n",
            stats->ms_per_step, steps > 0 ? summary->time / steps : 0, summary->wall);
    const char *reason = throng_world_backend_reason(summary->world);
    fprintf(file, "  backend      %s (%s), SIMD width %d, %d threads%s%s\n", summary->backend, summary->device.device,
            summary->device.simd, summary->device.threads, reason ? "; auto: " : "", reason ? reason : "");
    fprintf(file, "  seed         %" PRIu64 ", hash %016" PRIx64 "\n", summary->seed, summary->hash);
}

static void add_stuck(throng_json *json, const throng_world_stats *stats)
{
    throng_json_name(json, "stuck");
    throng_json causes = throng_json_open(json->file);
    for (int cause = 0; cause < THRONG_STUCK_CAUSE_COUNT; cause++)
        throng_json_whole(&causes, throng_stuck_causes[cause], stats->stuck[cause]);
    throng_json_close(&causes);
}

static void add_stats(throng_json *json, const throng_world_stats *stats)
{
    throng_json_whole(json, "agents", stats->spawned);
    throng_json_whole(json, "living", stats->living);
    throng_json_whole(json, "arrived", stats->arrived);
    throng_json_whole(json, "outside", stats->outside);
    throng_json_whole(json, "bodies", stats->bodies);
    throng_json_number(json, "first_arrival", stats->first_arrival);
    throng_json_number(json, "last_arrival", stats->last_arrival);
    throng_json_number(json, "mean_travel", stats->mean_travel);
    throng_json_number(json, "worst_travel", stats->worst_travel);
    throng_json_number(json, "ms_per_step", stats->ms_per_step);
    throng_json_whole(json, "overlaps", (int64_t)stats->counters.overlaps);
    throng_json_whole(json, "hidden", stats->counters.hidden);
    throng_json_whole(json, "conflicts", (int64_t)stats->counters.conflicts);
    throng_json_name(json, "conflicts_of");
    throng_json of = throng_json_open(json->file);
    for (int kind = 0; kind < THRONG_PLANNER_COUNT; kind++)
        throng_json_whole(&of, throng_planner_names[kind], (int64_t)stats->counters.conflicts_of[kind]);
    throng_json_close(&of);
    throng_json_number(json, "closest", (double)stats->counters.worst);
    throng_json_whole(json, "held", (int64_t)stats->counters.held);
    throng_json_whole(json, "undefined", (int64_t)stats->counters.undefined);
    throng_json_whole(json, "limited", (int64_t)stats->counters.limited);
    add_stuck(json, stats);
}

static void add_undefined_lines(throng_json *json, throng_world *world)
{
    const throng_undefined_line *lines;
    int32_t count = throng_world_undefined_lines(world, &lines);
    throng_json_name(json, "undefined_lines");
    fputc('[', json->file);
    for (int32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", json->file);
        throng_json one = throng_json_open(json->file);
        throng_json_text(&one, "line", lines[i].line);
        throng_json_text(&one, "what", lines[i].what);
        throng_json_whole(&one, "results", (int64_t)lines[i].results);
        throng_json_close(&one);
    }
    fputc(']', json->file);
}

static void add_numbers(throng_json *json, const char *name, const double *numbers, int32_t count)
{
    throng_json_name(json, name);
    for (int32_t i = 0; i < count; i++)
        fprintf(json->file, "%s%.9g", i ? ", " : "[", numbers[i]);
    fputs(count ? "]" : "[]", json->file);
}

static void add_measure(FILE *file, const throng_measure *measure)
{
    const throng_measure_def *def = throng_measure_def_of(measure);
    throng_measured got = throng_measure_read(measure);
    throng_json json = throng_json_open(file);
    throng_json_text(&json, "kind", throng_measure_names[def->kind]);
    throng_json_text(&json, "name", def->name);
    throng_json_text(&json, "place", def->place);
    throng_json_text(&json, "who", def->who);
    if (def->kind == THRONG_MEASURE_FLOW) {
        throng_json_whole(&json, "count", got.passed);
        throng_json_whole(&json, "forth", got.forth);
        throng_json_whole(&json, "back", got.back);
        throng_json_number(&json, "flow", got.flow);
        throng_json_number(&json, "first", got.first);
        throng_json_number(&json, "last", got.last);
    } else {
        throng_json_number(&json, "mean", got.mean);
        throng_json_number(&json, "most", got.most);
        throng_json_number(&json, "most_at", got.most_at);
        throng_json_number(&json, "least", got.least);
        throng_json_number(&json, "least_at", got.least_at);
    }
    const double *times, *values;
    int32_t points = throng_measure_series(measure, &times, &values);
    add_numbers(&json, "times", times, points);
    add_numbers(&json, "values", values, points);
    throng_json_close(&json);
}

static void add_measures(throng_json *json, const throng_world *world)
{
    const throng_measure *first = throng_world_measures(world);
    throng_json_name(json, "measures");
    fputc('[', json->file);
    for (const throng_measure *m = first; m; m = throng_measure_next(m)) {
        fputs(m == first ? "" : ", ", json->file);
        add_measure(json->file, m);
    }
    fputc(']', json->file);
}

void throng_summary_json(const throng_summary *summary, FILE *file)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, summary->hash);
    throng_json json = throng_json_open(file);
    throng_json_text(&json, "scenario", summary->scenario);
    throng_json_text(&json, "path", summary->path);
    throng_json_text(&json, "backend", summary->backend);
    throng_json_text(&json, "device", summary->device.device);
    throng_json_whole(&json, "simd", summary->device.simd);
    throng_json_whole(&json, "threads", summary->device.threads);
    throng_json_whole(&json, "seed", (int64_t)summary->seed);
    throng_json_whole(&json, "steps", summary->steps);
    throng_json_number(&json, "time", summary->time);
    throng_json_number(&json, "wall", summary->wall);
    throng_json_text(&json, "end", throng_run_end_names[summary->end]);
    add_stats(&json, &summary->stats);
    add_undefined_lines(&json, summary->world);
    add_measures(&json, summary->world);
    throng_json_text(&json, "hash", hash);
    throng_json_close(&json);
    fputc('\n', file);
}

/* ---- as notes of its recording */

static bool note_text(throng_notes *notes, const char *name, const char *value, throng_error *error)
{
    return THRONG_NOTE_ADD(notes, THRONG_NOTE_FACT, error, {.text = name}, {.text = value});
}

static bool note_whole(throng_notes *notes, const char *name, int64_t value, throng_error *error)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    return note_text(notes, name, text, error);
}

static bool note_params(const throng_summary *summary, throng_notes *notes, throng_error *error)
{
    bool ok = true;
    for (int32_t i = 0; ok && i < summary->param_count; i++)
        ok = note_text(notes, "set", summary->params[i], error);
    for (int32_t i = 0; ok && i < summary->parameter_count; i++)
        ok = note_text(notes, "parameter", summary->parameters[i], error);
    return ok;
}

bool throng_summary_note(const throng_summary *summary, throng_notes *notes, throng_error *error)
{
    char hash[17], time[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, summary->hash);
    snprintf(time, sizeof time, "%.9g", summary->time);
    return note_text(notes, "scenario", summary->scenario, error) && note_text(notes, "path", summary->path, error) &&
           note_whole(notes, "seed", (int64_t)summary->seed, error) && note_params(summary, notes, error) &&
           note_whole(notes, "steps", summary->steps, error) && note_text(notes, "time", time, error) &&
           note_text(notes, "hash", hash, error) &&
           note_text(notes, "end", throng_run_end_names[summary->end], error) &&
           (throng_world_map(summary->world) || note_text(notes, "plan", "none", error)) &&
           note_whole(notes, "agents", summary->stats.spawned, error) &&
           note_whole(notes, "arrived", summary->stats.arrived, error) &&
           (!summary->stats.outside || note_whole(notes, "outside", summary->stats.outside, error));
}
