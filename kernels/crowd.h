/* What the kernel bodies see of the world: pointers into the backend's memory
 * and the frame's numbers. The same struct on every backend.
 *
 * Columns (first block) are in order of slot. Everything from `slot` on is in
 * sorted order: agents sorted by cell, and within a cell by slot. Lists are
 * slot-major, entry s of agent i at [s * stride + i], so that lanes and threads
 * read them side by side. */
#ifndef THRONG_CROWD_H
#define THRONG_CROWD_H

#include "kernels/contract/air.h"
#include "kernels/contract/columns.h"
#include "kernels/contract/frame.h"
#include "kernels/contract/goals.h"
#include "kernels/contract/influences.h"
#include "kernels/contract/navigation.h"
#include "kernels/contract/places.h"
#include "kernels/contract/planners.h"
#include "kernels/contract/sheets.h"
#include "kernels/contract/walls.h"
#include "kernels/lane/lane.h"

typedef struct crowd {
    /* columns, by slot */
    union {
        throng_agent_columns columns;
        struct {
            THRONG_COLUMNS(THRONG_COLUMN_ARRAY)
        };
    };
    const int32_t *steered; /* by slot: THRONG_KEPT or less where the script gives desired_v; NULL: nowhere */
    float *reach;           /* m: distance of the farthest neighbour last seen, a first guess for the next search */
    float *from_x, *from_y; /* m: where it was when the frame began, sheets laid out; where places are watched */

    /* sorted */
    int32_t *slot;       /* [agents] */
    int32_t *rank;       /* [slots] sorted index of a slot */
    int32_t *cell_start; /* [grid_width * grid_height + 1]; behind the cells: whom nobody sees (overfull_cells.h) */
    float *sx, *sy, *svx, *svy, *sr;
    float *swx, *swy; /* as the plan stage begins: desired_vx, desired_vy, */
    int32_t *splace;  /* goals_place of the goal, */
    int32_t *sarrived;
    int32_t *sheet; /* in a building: that it is on when the frame begins */
    int32_t *seen;  /* [k] x agents: sorted index of each neighbour, nearest first */
    int32_t *seen_count;
    float *seen_reach; /* m^2: everybody nearer than this (squared) is in the list */
    int32_t *wall;     /* [THRONG_WALLS_MAX] x agents: wall segments, nearest first */
    int32_t *wall_count;
    int32_t *near_body;               /* by slot: it may touch a body in this step */
    float *nx, *ny;                   /* the planners' new velocity, m/s; on CUDA before that what they start from */
    float *press, *press_x, *press_y; /* the part of it, 0 to 1, that gives way to this one, m/s (passing.h) */
    float *shape;                     /* four an agent: see contacts/shape.h; NULL: all are discs */

    throng_sheets sheets;
    throng_walls walls;
    throng_goals goals;
    throng_navigation navigation;
    throng_waypoints waypoints;
    throng_influences influences;
    throng_air air;
    throng_places places;
    const throng_planner *planners;               /* indexed by column `planner` */
    const float *computed[THRONG_PLANNER_VALUES]; /* by slot: parameters that programs give, NaN: none; or NULL */

    throng_frame frame;
    int32_t stride, k;                    /* of the neighbour lists: see above; entries, at most */
    float inverse_cell_x, inverse_cell_y; /* of the frame's cells */
    float extent;       /* m: what rounding misplaces in the grid is less than a millionth of this and of where it is */
    float largest_step; /* m */
} crowd;

/* A column, as floats or as whole numbers. */
LANE_FN const float *crowd_floats(const crowd *c, int32_t column) { return ((float *const *)&c->columns)[column]; }
LANE_FN const int32_t *crowd_ints(const crowd *c, int32_t column) { return ((int32_t *const *)&c->columns)[column]; }

enum { CROWD_PLANNER_STRIDE = sizeof(throng_planner) / 4 };

/* The slots of the agents from sorted index `first` on. Other lanes have the first one's: of any other agent somebody
 * may be writing what is then read. */
LANE_FN lane_i crowd_slots(const crowd *c, int32_t first, lane_m lanes)
{
    return lane_select_i(lanes, lane_load_i(c->slot + first), lane_set_i(c->slot[first]));
}

/* Has the lists of the agents from sorted index `first` on on their way from memory, `k` entries of each. (Lists of ten
 * are ten places to read from at a time, more than processors follow by themselves.) */
LANE_FN void crowd_fetch_seen(const crowd *c, int k, int32_t first)
{
    for (int s = 0; s < k; s++)
        LANE_PREFETCH(c->seen + (int64_t)s * c->stride + first);
}

/* The kinds of entries of the world's table of planners, and a parameter of theirs (THRONG_clearpath_...), or what a
 * program gives the agents in these slots instead. */
LANE_FN lane_i crowd_planner_kind(const crowd *c, lane_i entry)
{
    return lane_gather_i(&c->planners->kind, entry * CROWD_PLANNER_STRIDE);
}
LANE_FN lane_f crowd_planner_value(const crowd *c, lane_i entry, lane_i slot, int parameter)
{
    lane_f value = lane_gather(&c->planners->value[parameter], entry * CROWD_PLANNER_STRIDE);
    if (!c->computed[parameter])
        return value;
    lane_f own = lane_gather(c->computed[parameter], slot);
    return lane_select(own == own, own, value);
}

/* The same of parameters that are whole numbers (THRONG_ROUNDED). */
LANE_FN lane_i crowd_planner_whole(const crowd *c, lane_i entry, lane_i slot, int parameter)
{
    return lane_floor_i(crowd_planner_value(c, entry, slot, parameter) + 0.5f);
}

/* Do the agents in these slots leave all avoiding to others? */
LANE_FN lane_m crowd_passive(const crowd *c, lane_i slot, lane_m lanes)
{
    if (!(c->frame.planners >> THRONG_PLANNER_none & 1))
        return lane_none();
    return lanes & (crowd_planner_kind(c, lane_gather_i(c->planner, slot)) == THRONG_PLANNER_none);
}

/* Rare columns are NULL while everybody has their initial value. */
LANE_FN double crowd_initial(int column)
{
    switch (column) {
#define X(name, type, initial, ...)                                                                                    \
    case THRONG_COLUMN_##name: return initial;
        THRONG_COLUMNS(X)
#undef X
    }
    return 0;
}
#define CROWD_FLOAT(c, name, slot)                                                                                     \
    ((c)->name ? lane_gather((c)->name, slot) : lane_set((float)crowd_initial(THRONG_COLUMN_##name)))
#define CROWD_INT(c, name, slot)                                                                                       \
    ((c)->name ? lane_gather_i((c)->name, slot) : lane_set_i((int32_t)crowd_initial(THRONG_COLUMN_##name)))
LANE_FN lane_f crowd_mass(const crowd *c, lane_i slot) { return CROWD_FLOAT(c, mass, slot); }
LANE_FN float crowd_mass_of(const crowd *c, int32_t slot)
{
    return c->mass ? c->mass[slot] : (float)crowd_initial(THRONG_COLUMN_mass);
}
LANE_FN lane_f crowd_horizon(const crowd *c, lane_i slot) { return CROWD_FLOAT(c, horizon, slot); }
LANE_FN lane_f crowd_wall_horizon(const crowd *c, lane_i slot) { return CROWD_FLOAT(c, wall_horizon, slot); }
LANE_FN lane_f crowd_time_gap(const crowd *c, lane_i slot) { return CROWD_FLOAT(c, time_gap, slot); }
LANE_FN lane_f crowd_relaxation(const crowd *c, lane_i slot) { return CROWD_FLOAT(c, relaxation, slot); }
LANE_FN lane_f crowd_turn_rate(const crowd *c, lane_i slot) { return CROWD_FLOAT(c, turn_rate, slot); }
LANE_FN lane_i crowd_group(const crowd *c, lane_i slot) { return CROWD_INT(c, group, slot); }
/* The agents' goals of their own, m: where their sheets are laid out, as all goals are. */
LANE_FN void crowd_own_goal(const crowd *c, lane_i slot, lane_f *x, lane_f *y)
{
    *x = CROWD_FLOAT(c, goal_x, slot);
    *y = CROWD_FLOAT(c, goal_y, slot);
}
/* What agents of a group weigh the avoiding of those of another. */
LANE_FN lane_f crowd_avoidance(const crowd *c, lane_i group, int32_t of)
{
    int32_t groups = c->influences.groups;
    if (of >= groups)
        return lane_set(1);
    lane_m known = group < groups;
    lane_f weight = lane_gather(c->influences.weight, lane_select_i(known, group * groups + of, lane_set_i(0)));
    return lane_select(known, weight, lane_set(1));
}
/* Were the agents in these slots born in a step before this one (which is not the first)? */
LANE_FN lane_m crowd_was_there(const crowd *c, lane_i slot)
{
    return CROWD_INT(c, born, slot) < (int32_t)c->frame.step;
}

/* Is the pre-movement time of the agents in these slots over? */
LANE_FN lane_m crowd_has_started(const crowd *c, lane_i slot)
{
    lane_f seconds = lane_to_f((int32_t)c->frame.step - CROWD_INT(c, born, slot)) * c->frame.dt;
    return seconds >= CROWD_FLOAT(c, pre_movement, slot);
}

/* Do the agents in these slots stand before a lift, or in one? */
LANE_FN lane_m crowd_waits_for_lift(const crowd *c, lane_i slot) { return CROWD_INT(c, lift, slot) > 0; }

/* Those of the agents in slots `first` .. that have made no progress for long (progress.h). */
LANE_FN lane_m crowd_stuck(const crowd *c, int32_t first)
{
    lane_i since = lane_load_i(c->last_progress_step + first);
    return (since >= 0) & ((int32_t)c->frame.step - since >= THRONG_STUCK_LOOKS * c->frame.look);
}

/* The grid's column and row that hold a place, before they wrap. Where the world wraps, the grid does with it. */
LANE_FN lane_i crowd_column(const crowd *c, lane_f x) { return lane_floor_i(x * c->inverse_cell_x); }
LANE_FN lane_i crowd_row(const crowd *c, lane_f y) { return lane_floor_i(y * c->inverse_cell_y); }

/* Sorted agents from this one on are in no cell: others do not see them. */
LANE_FN int32_t crowd_shown(const crowd *c) { return c->cell_start[c->frame.grid_width * c->frame.grid_height]; }

LANE_FN lane_f crowd_shorter(lane_f d, float size)
{
    d = lane_select(d > 0.5f * size, d - size, d);
    return lane_select(d < -0.5f * size, d + size, d);
}

/* From one place to another: to the nearest image of the other where the world wraps. The way back is exactly opposite.
 */
LANE_FN void crowd_nearest_image(const crowd *c, lane_f *dx, lane_f *dy)
{
    if (c->frame.wrap_x > 0) {
        *dx = crowd_shorter(*dx, c->frame.wrap_x);
        *dy = crowd_shorter(*dy, c->frame.wrap_y);
    }
}

/* The neighbours of agents `first` .., nearest first; each is loaded while the one before is looked at. */
typedef struct crowd_seen {
    const int32_t *row;
    lane_i next;
    int left;
} crowd_seen;

LANE_FN crowd_seen crowd_see(const crowd *c, int k, int32_t first)
{
    const int32_t *row = c->seen + first;
    crowd_seen seen = {row, k > 0 ? lane_load_i(row) : lane_set_i(-1), k};
    return seen;
}

/* Sorted indices; of who sees nobody else -1. To be called k times at most. */
LANE_FN lane_i crowd_see_next(const crowd *c, crowd_seen *seen)
{
    lane_i other = seen->next;
    if (--seen->left > 0) {
        seen->row += c->stride;
        seen->next = lane_load_i(seen->row);
    }
    return other;
}

/* A place that somebody came to in a step, in a world that wraps. */
LANE_FN lane_f crowd_wrapped(lane_f x, float size)
{
    x = lane_select(x < 0, x + size, x);
    return lane_select(x >= size, x - size, x);
}

#endif
