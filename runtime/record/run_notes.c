#include "run_notes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "notes_plan.h"
#include "notes_smoke.h"
#include "world/measure.h"

/* Where no group has states, that column has no array. */
throng_column_set throng_run_notes_columns(const throng_world *world)
{
    return THRONG_COLUMN_BIT(group) | THRONG_COLUMN_BIT(radius) | THRONG_COLUMN_BIT(born) |
           (throng_world_states(world) ? THRONG_COLUMN_BIT(fsm_state) : 0);
}

void throng_run_notes_fini(throng_run_notes *run)
{
    throng_notes_fini(&run->notes);
    free(run->seen);
    free(run->open);
    throng_told_lifts_fini(&run->lifts);
    *run = (throng_run_notes){0};
}

/* ---- people */

static bool reserve(throng_run_notes *run, int32_t id, throng_error *error)
{
    if (!throng_array_reserve((void **)&run->seen, &run->seen_room, (int64_t)id + 1, sizeof *run->seen))
        return throng_fail(error, "out of memory for what is known of %d people", id + 1);
    for (; run->ids <= id; run->ids++)
        run->seen[run->ids] = (throng_run_seen){.first = -1, .group = -1, .state = -1, .arrived = NAN};
    return true;
}

static bool note(throng_run_notes *run, double time, int32_t id, throng_run_seen now, throng_error *error)
{
    if (id >= run->ids && !reserve(run, id, error))
        return false;
    throng_run_seen *was = &run->seen[id];
    now.first = was->first < 0 ? now.group : was->first;
    if (was->group >= 0 && was->group != now.group &&
        !THRONG_NOTE_ADD(&run->notes, THRONG_NOTE_TURN, error, {time}, {id}, {now.group}))
        return false;
    if (was->state != now.state &&
        !THRONG_NOTE_ADD(&run->notes, THRONG_NOTE_ENTERED, error, {time}, {id}, {now.state < 0 ? NAN : now.state}))
        return false;
    *was = now;
    return true;
}

bool throng_run_notes_people(throng_run_notes *run, const throng_snapshot *snapshot, double dt, throng_error *error)
{
    const throng_agent_columns *c = &snapshot->agents.columns;
    for (int32_t s = 0; s < snapshot->agents.slots; s++) {
        int32_t state = c->fsm_state ? c->fsm_state[s] : -1;
        throng_run_seen now = {.group = run->first_group + c->group[s],
                               .state = state < 0 ? -1 : run->first_state + state,
                               .radius = c->radius[s],
                               .arrived = c->arrived[s] >= 0 ? (float)(c->arrived[s] * dt) : NAN,
                               .spawned = (float)(c->born[s] * dt)};
        if ((c->state[s] & THRONG_STATE_ALIVE) && !note(run, snapshot->time, c->id[s], now, error))
            return false;
    }
    return true;
}

/* ---- as it goes */

static bool note_doors(throng_run_notes *run, const throng_world *world, throng_error *error)
{
    const throng_map *map = throng_world_map(world);
    bool first = !run->open;
    if (!map || map->door_count == 0)
        return true;
    if (first && !(run->open = calloc((size_t)map->door_count, sizeof *run->open)))
        return throng_fail(error, "out of memory for %d doors", map->door_count);
    for (int32_t d = 0; d < map->door_count; d++) {
        const throng_door *door = &map->doors[d];
        bool open = throng_world_door_open(world, d);
        if ((first || open != run->open[d]) &&
            !THRONG_NOTE_ADD(&run->notes, THRONG_NOTE_DOOR, error, {throng_world_time(world)}, {open}, {door->a.x},
                             {door->a.y}, {door->b.x}, {door->b.y}, {.text = door->name}))
            return false;
        run->open[d] = open;
    }
    return true;
}

enum { MOST_STUCK = 100000 };

static bool note_stuck(throng_run_notes *run, throng_world *world, throng_error *error)
{
    int32_t count;
    const throng_agents *agents = throng_world_agents(world);
    const throng_stuck *newly = throng_world_newly_stuck(world, &count);
    for (int32_t i = 0; i < count && run->notes.tables[THRONG_NOTE_STUCK].rows < MOST_STUCK; i++)
        if (!THRONG_NOTE_ADD(&run->notes, THRONG_NOTE_STUCK, error, {throng_world_time(world)},
                             {throng_agents_id(agents, newly[i].agent.slot)}, {newly[i].place.x}, {newly[i].place.y},
                             {.text = throng_stuck_causes[newly[i].cause]}))
            return false;
    return true;
}

/* "#cc3333", or "" where the script gave it none. */
static const char *colour_of(const throng_world *world, int32_t group, char text[8])
{
    uint32_t rgb;
    bool known = throng_world_group_colour(world, group, &rgb);
    snprintf(text, 8, known ? "#%06x" : "", (unsigned)rgb & 0xffffff);
    return text;
}

/* Of groups and states that are new. */
static bool note_names(throng_run_notes *run, const throng_world *world, throng_error *error)
{
    const throng_note_table *tables = run->notes.tables;
    char colour[8];
    for (int32_t g; (g = tables[THRONG_NOTE_GROUP].rows - run->first_group) < throng_world_group_count(world);)
        if (!THRONG_NOTE_ADD(&run->notes, THRONG_NOTE_GROUP, error, {run->first_group + g},
                             {.text = throng_world_group_name(world, g)}, {.text = colour_of(world, g, colour)}))
            return false;
    for (int32_t s; (s = tables[THRONG_NOTE_STATE].rows - run->first_state) < throng_world_states(world);)
        if (!THRONG_NOTE_ADD(&run->notes, THRONG_NOTE_STATE, error, {run->first_state + s},
                             {.text = throng_world_state_name(world, s)}))
            return false;
    return true;
}

void throng_run_notes_follow(throng_run_notes *run)
{
    run->first_group = run->notes.tables[THRONG_NOTE_GROUP].rows;
    run->first_state = run->notes.tables[THRONG_NOTE_STATE].rows;
}

bool throng_run_notes_watch(throng_run_notes *run, throng_world *world, throng_error *error)
{
    return note_names(run, world, error) && note_doors(run, world, error) &&
           (throng_world_steps(world) == 0 || note_stuck(run, world, error));
}

bool throng_run_notes_frame(throng_run_notes *run, const throng_world *world, throng_error *error)
{
    return throng_notes_lifts(&run->notes, &run->lifts, world, error) && throng_notes_smoke(&run->notes, world, error);
}

/* ---- at the end */

static bool note_seen(throng_run_notes *run, throng_error *error)
{
    bool ok = true;
    for (int32_t id = 0; ok && id < run->ids; id++) {
        const throng_run_seen *seen = &run->seen[id];
        ok = seen->first < 0 ||
             THRONG_NOTE_ADD(&run->notes, THRONG_NOTE_PERSON, error, {id}, {seen->first}, {(double)seen->radius},
                             {(double)seen->arrived}, {(double)seen->spawned});
    }
    return ok;
}

static bool note_measure(throng_notes *notes, int32_t number, const throng_measure *measure, throng_error *error)
{
    const throng_measure_def *def = throng_measure_def_of(measure);
    const double *times, *values;
    int32_t points = throng_measure_series(measure, &times, &values);
    char result[512], title[400];
    throng_measure_text(measure, result, sizeof result);
    throng_measure_title(measure, title, sizeof title);
    bool ok = THRONG_NOTE_ADD(notes, THRONG_NOTE_MEASURE, error, {number}, {.text = title},
                              {.text = throng_measure_names[def->kind]}, {.text = def->place}, {.text = def->who},
                              {.text = throng_measure_units[def->kind]}, {.text = result});
    for (int32_t i = 0; ok && i < points; i++)
        ok = THRONG_NOTE_ADD(notes, THRONG_NOTE_VALUE, error, {number}, {times[i]}, {values[i]});
    return ok;
}

static bool note_measures(throng_notes *notes, const throng_world *world, throng_error *error)
{
    int32_t number = 0;
    for (const throng_measure *m = throng_world_measures(world); m; m = throng_measure_next(m))
        if (!note_measure(notes, number++, m, error))
            return false;
    return true;
}

bool throng_run_notes_end(throng_run_notes *run, throng_world *world, const float *times, const float *arrived,
                          int32_t points, throng_error *error)
{
    bool ok = note_seen(run, error) && note_measures(&run->notes, world, error) &&
              throng_notes_plan(&run->notes, throng_world_map(world), error);
    for (int32_t i = 0; ok && i < points; i++)
        ok = THRONG_NOTE_ADD(&run->notes, THRONG_NOTE_ARRIVED, error, {(double)times[i]}, {(double)arrived[i]});
    return ok;
}
