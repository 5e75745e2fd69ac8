#include "run_keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "map/map_sheets.h"

enum { TRAJECTORIES = 150 };

const throng_column_set throng_run_keep_columns = THRONG_COLUMN_BIT(id) | THRONG_COLUMN_BIT(x) | THRONG_COLUMN_BIT(y) |
                                                  THRONG_COLUMN_BIT(hx) | THRONG_COLUMN_BIT(hy) |
                                                  THRONG_COLUMN_BIT(state) | THRONG_COLUMN_BIT(arrived);
const throng_column_set throng_run_keep_sheets = THRONG_COLUMN_BIT(floor);
const throng_column_set throng_run_keep_groups = THRONG_COLUMN_BIT(group);

/* What is recorded of bodies where somebody is wider than deep. */
static const int bodies[] = {THRONG_COLUMN_width, THRONG_COLUMN_shoulders};
enum { BODIES = sizeof bodies / sizeof *bodies };

static void add_name(throng_record_own *own, const char *name)
{
    snprintf(own->name[own->count++], sizeof *own->name, "%s", name);
}

void throng_run_keep_own(throng_run_kept *kept, throng_world *world)
{
    const throng_agents *agents = throng_world_agents(world);
    kept->own.count = 0;
    for (int column = THRONG_COLUMN_GIVEN; column < throng_agents_columns(agents); column++)
        add_name(&kept->own, throng_agents_column(agents, column)->name);
    bool wide = throng_agents_uses(agents, THRONG_COLUMN_width) && kept->own.count + BODIES <= THRONG_OWN_COLUMNS;
    for (int b = 0; b < BODIES && wide; b++)
        add_name(&kept->own, throng_columns[bodies[b]].name);
    kept->sheets = kept->map && kept->map->sheets && kept->own.count <= THRONG_OWN_COLUMNS - 2 &&
                   throng_agents_column_named(agents, "sheet") < 0 && throng_agents_column_named(agents, "z") < 0;
    if (!kept->sheets)
        return;
    add_name(&kept->own, "sheet");
    add_name(&kept->own, "z");
}

throng_column_set throng_run_find_own(throng_run_kept *kept, throng_world *world)
{
    const throng_agents *agents = throng_world_agents(world);
    throng_column_set columns = 0;
    for (int32_t k = 0; k < kept->own.count; k++) {
        int column = throng_agents_column_named(agents, kept->own.name[k]);
        bool there = column >= THRONG_COLUMN_GIVEN || (column >= 0 && throng_agents_uses(agents, THRONG_COLUMN_width));
        column = there ? column : -1;
        kept->own_column[k] = column;
        columns |= column < 0 ? 0 : THRONG_COLUMN_SET(column);
    }
    return columns;
}

static int32_t count_living(const int32_t *state, int32_t slots)
{
    int32_t living = 0;
    for (int32_t s = 0; s < slots; s++)
        living += state[s] & THRONG_STATE_ALIVE;
    return living;
}

static void drop_values(const throng_agent_columns *c, float *values, int32_t slots)
{
    for (int32_t s = 0, at = 0; values && s < slots; s++) {
        values[at] = values[s];
        at += c->state[s] & THRONG_STATE_ALIVE;
    }
}

/* Moves the living together, in order of slot. */
static void drop_the_gone(throng_agent_columns *c, int32_t slots)
{
    for (int column = THRONG_COLUMN_GIVEN; column < THRONG_COLUMN_COUNT; column++)
        drop_values(c, *throng_column_of(c, column), slots);
    for (int b = 0; b < BODIES; b++)
        drop_values(c, *throng_column_of(c, bodies[b]), slots);
    for (int32_t s = 0, at = 0; s < slots; s++) {
        c->id[at] = c->id[s];
        c->x[at] = c->x[s];
        c->y[at] = c->y[s];
        c->hx[at] = c->hx[s];
        c->hy[at] = c->hy[s];
        if (c->floor)
            c->floor[at] = c->floor[s];
        if (c->group)
            c->group[at] = c->group[s];
        at += c->state[s] & THRONG_STATE_ALIVE;
    }
}

/* ---- the curve of arrivals */

static bool keep_point(throng_run_kept *kept, double time, int32_t arrived, throng_error *error)
{
    int64_t wanted = (int64_t)kept->points + 1;
    if (!throng_array_reserve((void **)&kept->times, &kept->times_room, wanted, sizeof(float)) ||
        !throng_array_reserve((void **)&kept->arrived, &kept->arrived_room, wanted, sizeof(float)))
        return throng_fail(error, "out of memory");
    kept->times[kept->points] = (float)time;
    kept->arrived[kept->points++] = (float)arrived;
    return true;
}

static bool reserve_done(throng_run_kept *kept, int32_t id, throng_error *error)
{
    if (!throng_array_reserve((void **)&kept->done, &kept->done_room, (int64_t)id + 1, sizeof *kept->done))
        return throng_fail(error, "out of memory for the arrivals of %d agents", id + 1);
    for (; kept->ids <= id; kept->ids++)
        kept->done[kept->ids] = (throng_run_done){-1, -1};
    return true;
}

static bool keep_arrivals(throng_run_kept *kept, const throng_snapshot *snapshot, throng_error *error)
{
    const throng_agent_columns *c = &snapshot->agents.columns;
    for (int32_t s = 0; s < snapshot->agents.slots; s++) {
        if (!(c->state[s] & THRONG_STATE_ALIVE))
            continue;
        if (c->id[s] >= kept->ids && !reserve_done(kept, c->id[s], error))
            return false;
        kept->done[c->id[s]] = (throng_run_done){c->arrived[s], kept->points};
    }
    return keep_point(kept, snapshot->time, snapshot->gone_arrived, error);
}

/* The first point that is not before the time. */
static int32_t point_at(const throng_run_kept *kept, double time)
{
    int32_t low = 0, high = kept->points;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if ((double)kept->times[middle] < time - kept->dt / 2)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void throng_run_keep_gone(throng_run_kept *kept, const throng_world *world)
{
    int32_t count;
    const throng_gone *gone = throng_world_gone(world, &count);
    for (int32_t i = 0; i < count; i++) {
        if (gone[i].id < kept->ids)
            kept->done[gone[i].id].step = gone[i].arrived;
        if (gone[i].id < kept->notes.ids)
            kept->notes.seen[gone[i].id].arrived = (float)(gone[i].arrived * kept->dt);
    }
}

bool throng_run_keep_curve(throng_run_kept *kept, const throng_run_last *last, throng_error *error)
{
    int32_t *change = calloc((size_t)kept->points + 2, sizeof *change);
    if (!change)
        return throng_fail(error, "out of memory");
    for (int32_t id = 0; id < kept->ids; id++) {
        const throng_run_done *done = &kept->done[id];
        int32_t from = done->step < 0 ? INT32_MAX : point_at(kept, done->step * kept->dt);
        if (from <= done->point) {
            change[from]++;
            change[done->point + 1]--; /* from there on it is among the gone */
        }
    }
    for (int32_t i = 0, there = 0; i < kept->points; i++)
        kept->arrived[i] += (float)(there += change[i]);
    free(change);
    if (last && !keep_point(kept, last->time, last->arrived, error))
        return false;
    for (int32_t i = kept->points - 2; i >= 0; i--) /* who was sent on and removed between two snapshots */
        kept->arrived[i] = kept->arrived[i] < kept->arrived[i + 1] ? kept->arrived[i] : kept->arrived[i + 1];
    return true;
}

/* In a building, positions become places on the map. */
static void lay_out(const throng_map *map, throng_agent_columns *c, int32_t slots)
{
    for (int32_t s = 0; map && map->sheets && s < slots; s++) {
        throng_point by = map->sheets->list[c->floor[s]].offset;
        c->x[s] += (float)by.x;
        c->y[s] += (float)by.y;
    }
}

/* m; who rides is where the car is. */
static double height_of(const throng_map *map, const float *lift_z, int32_t sheet, throng_point place)
{
    int32_t lift = throng_map_lift_of(map->sheets, sheet);
    return lift >= 0 ? (double)lift_z[lift] : throng_map_height(map, sheet, throng_map_position(map, sheet, place));
}

static bool take_sheets(throng_run_kept *kept, const throng_snapshot *snapshot, int32_t count, throng_error *error)
{
    const throng_agent_columns *c = &snapshot->agents.columns;
    int32_t room = kept->sheets_room;
    if (!throng_array_reserve((void **)&kept->sheet, &room, (int64_t)count + 1, sizeof *kept->sheet) ||
        !throng_array_reserve((void **)&kept->z, &kept->sheets_room, (int64_t)count + 1, sizeof *kept->z))
        return throng_fail(error, "out of memory");
    for (int32_t i = 0; i < count; i++) {
        throng_point place = {(double)c->x[i], (double)c->y[i]};
        kept->sheet[i] = (float)c->floor[i];
        kept->z[i] = (float)height_of(kept->map, snapshot->lift_z, c->floor[i], place);
    }
    return true;
}

static bool keep(void *context, throng_snapshot *snapshot, throng_error *error)
{
    throng_run_kept *kept = context;
    throng_agent_columns *c = &snapshot->agents.columns;
    int32_t slots = snapshot->agents.slots, living = count_living(c->state, slots);
    if (!keep_arrivals(kept, snapshot, error) ||
        (kept->recorder && !throng_run_notes_people(&kept->notes, snapshot, kept->dt, error)))
        return false;
    lay_out(kept->map, c, slots);
    if (living < slots)
        drop_the_gone(c, slots);
    snapshot->agents.slots = living;
    return throng_occupancy_add(&kept->occupancy, c->x, c->y, living, kept->seconds, error) &&
           throng_trajectories_add(&kept->trajectories, c->id, c->x, c->y, c->group, living, TRAJECTORIES, error);
}

static bool reserve_zeros(throng_run_kept *kept, int32_t count, throng_error *error)
{
    if (!throng_array_reserve((void **)&kept->zeros, &kept->zeros_room, (int64_t)count + 1, sizeof *kept->zeros))
        return throng_fail(error, "out of memory");
    memset(kept->zeros, 0, (size_t)kept->zeros_room * sizeof *kept->zeros);
    return true;
}

static bool record(void *context, throng_snapshot *snapshot, throng_error *error)
{
    throng_run_kept *kept = context;
    throng_agent_columns *c = &snapshot->agents.columns;
    throng_record_frame frame = {.frame = kept->frame++,
                                 .count = snapshot->agents.slots,
                                 .id = c->id,
                                 .x = c->x,
                                 .y = c->y,
                                 .hx = c->hx,
                                 .hy = c->hy};
    int32_t given = kept->own.count - 2 * kept->sheets;
    if (kept->sheets) {
        if (!take_sheets(kept, snapshot, frame.count, error))
            return false;
        frame.own[given] = kept->sheet;
        frame.own[given + 1] = kept->z;
    }
    for (int32_t k = 0; k < given; k++) {
        if (kept->own_column[k] < 0 && !reserve_zeros(kept, frame.count, error))
            return false;
        frame.own[k] = kept->own_column[k] < 0 ? kept->zeros : *throng_column_of(c, kept->own_column[k]);
    }
    return !kept->recorder || throng_recorder_add(kept->recorder, &frame, error);
}

const throng_look throng_run_looks[2] = {keep, record};

void throng_run_kept_fini(throng_run_kept *kept)
{
    throng_recorder_discard(kept->recorder);
    throng_run_notes_fini(&kept->notes);
    throng_occupancy_fini(&kept->occupancy);
    throng_trajectories_fini(&kept->trajectories);
    free(kept->times);
    free(kept->arrived);
    free(kept->done);
    free(kept->zeros);
    free(kept->sheet);
    free(kept->z);
}
