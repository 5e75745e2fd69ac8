/* Frames that are kept of the running world, and which one is shown. */
#include "map/map_sheets.h"
#include "world/world_sizes.h"
#include "view_parts.h"

#include <stdlib.h>
#include <string.h>

static const size_t ROOM = (size_t)256 << 20; /* bytes of frames kept */

enum { FRAMES = 1 << 14 };

/* What is kept of every frame where that costs no transfer; all else that is known of an agent is known of now only. */
static const throng_column_set CHEAP =
    THRONG_COLUMN_BIT(id) | THRONG_COLUMN_BIT(x) | THRONG_COLUMN_BIT(y) | THRONG_COLUMN_BIT(hx) |
    THRONG_COLUMN_BIT(hy) | THRONG_COLUMN_BIT(vx) | THRONG_COLUMN_BIT(vy) | THRONG_COLUMN_BIT(radius) |
    THRONG_COLUMN_BIT(state) | THRONG_COLUMN_BIT(group) | THRONG_COLUMN_BIT(goal) | THRONG_COLUMN_BIT(planner) |
    THRONG_COLUMN_BIT(fsm_state) | THRONG_COLUMN_BIT(frustration) | THRONG_COLUMN_BIT(floor) | THRONG_COLUMN_BIT(lift);

/* The columns of the script's own, and what is wide of bodies. */
static throng_column_set own_columns(const throng_agents *agents)
{
    throng_column_set wide = THRONG_COLUMN_BIT(width) | THRONG_COLUMN_BIT(shoulders);
    return (THRONG_COLUMN_SET(throng_agents_columns(agents)) - THRONG_COLUMN_SET(THRONG_COLUMN_GIVEN)) |
           (throng_bodies_are_wide(agents) ? wide : 0);
}

/* ---- frames that are kept */

static throng_moment *nth(const throng_past *past, int32_t n) { return &past->kept[(past->first + n) % FRAMES]; }

static size_t bytes_of(const throng_moment *moment)
{
    return (size_t)moment->slots * 4 * (size_t)throng_column_set_size(moment->known) +
           (moment->asked ? sizeof *moment->asked : 0) + (size_t)moment->bodies.room * sizeof(int32_t) +
           (size_t)moment->bodies.point_room * sizeof(throng_point);
}

static void fini_moment(throng_moment *moment)
{
    free(moment->block);
    free(moment->open);
    free(moment->lifts);
    throng_asked_destroy(moment->asked);
    throng_body_outlines_fini(&moment->bodies);
}

static void drop_first(throng_past *past)
{
    throng_moment *oldest = nth(past, 0);
    past->bytes -= bytes_of(oldest);
    fini_moment(oldest);
    past->first = (past->first + 1) % FRAMES;
    past->count--;
}

static void drop_last(throng_past *past)
{
    throng_moment *newest = nth(past, --past->count);
    past->bytes -= bytes_of(newest);
    fini_moment(newest);
}

static bool copy_columns(throng_moment *moment, throng_agents *agents, throng_error *error)
{
    size_t bytes = (size_t)moment->slots * 4;
    char *to = moment->block;
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++) {
        if (moment->slots == 0 || !throng_column_in(moment->known, c) || !throng_agents_uses(agents, c))
            continue;
        const void *data = throng_agents_read(agents, c, error);
        if (!data)
            return false;
        moment->column[c] = memcpy(to, data, bytes);
        to += bytes;
    }
    return true;
}

static bool copy_doors(const throng_world *world, throng_moment *moment, throng_error *error)
{
    const throng_map *map = throng_world_map(world);
    int32_t doors = map ? map->door_count : 0;
    moment->open = doors ? malloc((size_t)doors * sizeof *moment->open) : NULL;
    for (int32_t d = 0; moment->open && d < doors; d++)
        moment->open[d] = throng_world_door_open(world, d);
    return !doors || moment->open || throng_fail(error, "out of memory for %d doors", doors);
}

static bool copy_lifts(const throng_world *world, throng_moment *moment, throng_error *error)
{
    const throng_map *map = throng_world_map(world);
    int32_t lifts = map && map->sheets ? map->sheets->lift_count : 0;
    moment->lifts = lifts ? malloc((size_t)lifts * sizeof *moment->lifts) : NULL;
    for (int32_t l = 0; moment->lifts && l < lifts; l++)
        moment->lifts[l] = throng_world_lift(world, l);
    return !lifts || moment->lifts || throng_fail(error, "out of memory for %d lifts", lifts);
}

bool throng_past_keep(throng_viewer *viewer, throng_error *error)
{
    throng_past *past = &viewer->past;
    throng_world *world = throng_viewer_world(viewer);
    throng_agents *agents = throng_world_agents(world);
    throng_moment moment = {.step = throng_world_steps(world),
                            .slots = throng_agents_slots(agents),
                            .known = throng_past_is_cheap(viewer) ? CHEAP | own_columns(agents)
                                                                  : throng_crowd_columns(viewer)};
    if (!past->kept && !(past->kept = calloc(FRAMES, sizeof *past->kept)))
        return throng_fail(error, "out of memory for frames to go back to");
    if (bytes_of(&moment) > ROOM / 8) { /* too few would fit to be worth fetching them from a GPU */
        while (past->count > 0)
            drop_last(past);
        return true;
    }
    while (past->count > 0 && nth(past, past->count - 1)->step >= moment.step) /* of a run that began again */
        drop_last(past);
    while (past->count > 0 && (past->count == FRAMES || past->bytes + bytes_of(&moment) > ROOM))
        drop_first(past);
    moment.block = malloc(bytes_of(&moment) + 1);
    if (!moment.block)
        return throng_fail(error, "out of memory for frames to go back to");
    if (!copy_columns(&moment, agents, error) || !copy_doors(world, &moment, error) ||
        !copy_lifts(world, &moment, error) || !throng_asked_keep(viewer, &moment.asked, error) ||
        !throng_body_outlines_take(&moment.bodies, world, error)) {
        fini_moment(&moment);
        return false;
    }
    *nth(past, past->count++) = moment;
    past->bytes += bytes_of(&moment);
    return true;
}

void throng_past_fini(throng_past *past)
{
    while (past->count > 0)
        drop_first(past);
    free(past->kept);
    throng_body_outlines_fini(&past->bodies);
    throng_replay *replay = past->replay;
    *past = (throng_past){.replay = replay};
}

/* ---- which one is shown */

static bool show_recorded(throng_viewer *viewer, uint32_t step, throng_error *error)
{
    const throng_moment *moment = throng_replay_read(viewer->past.replay, (int32_t)step, error);
    if (moment)
        viewer->past.shown = moment;
    return moment != NULL;
}

/* The first frame kept of that step or a later one; `count` where there is none. */
static int32_t find(const throng_past *past, int64_t step)
{
    int32_t low = 0, high = past->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (nth(past, middle)->step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A step back goes to the frame before when that step was not kept. */
static const throng_moment *nearest(const throng_past *past, uint32_t before, int64_t step)
{
    int32_t n = find(past, step);
    if (n > 0 && (n == past->count || nth(past, n)->step > step) && step < before)
        n--;
    return n < past->count ? nth(past, n) : NULL;
}

bool throng_past_show(throng_viewer *viewer, int64_t step, throng_error *error)
{
    throng_past *past = &viewer->past;
    int64_t first = past->replay ? 0 : throng_past_first(viewer), last = throng_past_last(viewer);
    uint32_t before = throng_shown_step(viewer), to = (uint32_t)(step < first ? first : step > last ? last : step);
    if (past->replay && !show_recorded(viewer, to, error))
        return false;
    if (!past->replay)
        past->shown = to < last ? nearest(past, before, to) : NULL;
    if (to != before + 1) { /* a trail goes forward */
        throng_trails_fini(&viewer->trails);
        viewer->crowd.before_slots = 0;
    }
    return true;
}
