/* What the kernel bodies see of the world: pointers into the backend's memory
 * and the frame's numbers. The same struct on every backend.
 *
 * Columns (first block) are in order of slot. Everything from `slot` on is in
 * sorted order: agents sorted by cell, and within a cell by slot. Lists are
 * slot-major, entry s of agent i at [s * stride + i], so that lanes and threads
 * read them side by side. */
#ifndef THRONG_CROWD_H
#define THRONG_CROWD_H

#include "kernels/contract/influences.h"
#include "kernels/lane/lane.h"
#include "kernels/contract/planners.h"

typedef struct crowd_wall_grid {
    float origin_x, origin_y, cell, reach;
    int32_t columns, rows;
    const int32_t *start, *list;
} crowd_wall_grid;

typedef struct crowd_walls {
    int32_t count, sides; /* segments; the last `sides` of them are sides of bodies */
    const float *ax, *ay, *bx, *by, *dx, *dy;
    const int32_t *next, *previous, *convex;
    const float *vx, *vy, *mass, *depth, *reach, *middle_x, *middle_y; /* [sides] */
    const int32_t *corners;                                            /* [sides] */
    float body_step;
    crowd_wall_grid still, moving, boxes;
} crowd_walls;

/* An agent that may touch a body in this step, as the physics takes it, and gives `wish` back. */
typedef struct crowd_near {
    int32_t slot;
    float x, y, vx, vy, wish_x, wish_y, radius, mass;
} crowd_near;

typedef struct crowd_goal {
    int32_t kind;
    float x, y, radius;
    int32_t tree, field, first_edge, edges;
} crowd_goal;

typedef struct crowd_fields {
    const float *x, *y, *cell;
    const int32_t *columns, *rows, *base;
    const float *direction_x, *direction_y, *aim;
} crowd_fields;

typedef struct crowd_goals {
    int32_t count;
    const crowd_goal *goal;
    const float *ax, *ay, *bx, *by;
    const int32_t *last;
    crowd_fields fields;
} crowd_goals;

typedef struct crowd_navigation {
    int32_t faces;
    const int32_t *face_start;
    const float *ax, *ay, *bx, *by;
    const int32_t *twin, *face, *shut;
    const int32_t *tree_base, *next;
    const int32_t *window_start, *window_edge, *window_root, *window_next;
    const float *right_x, *right_y, *left_x, *left_y;
    const float *root_ax, *root_ay, *root_bx, *root_by, *root_on_x, *root_on_y, *root_rest;
    const int32_t *side_base, *side_start;
    const float *side_ax, *side_ay, *side_bx, *side_by;
    const int32_t *tree_mesh, *tree_congestion;
    const float *delay, *congestion_square;
    const float *mesh_x, *mesh_y, *mesh_cell;
    const int32_t *mesh_columns, *mesh_rows, *mesh_cells, *face_cell, *face_list;
    const float *node_x, *node_y;
    const int32_t *node_start, *node_list;
    const int32_t *road_side, *road_side_end, *road_base, *road_heeds;
    const float *road_cost;
} crowd_navigation;

typedef struct crowd_waypoints {
    int32_t count;
    const float *x, *y, *turn;
} crowd_waypoints;

/* The agent store's columns that the stages read or write, as launchers take them from it. */
/* clang-format off */
#define CROWD_COLUMNS(X) \
    X(x) X(y) X(vx) X(vy) X(hx) X(hy) X(desired_vx) X(desired_vy) X(radius) X(mass) X(speed) X(max_speed) \
    X(horizon) X(wall_horizon) X(time_gap) X(relaxation) X(sight) X(neighbours) X(planner) X(goal) X(goal_x) X(goal_y) X(waypoint) X(face) \
    X(exit_edge) X(frustration) X(last_progress_cell) X(last_progress_step) X(force_x) X(force_y) X(state) X(arrived) X(id) X(group) \
    X(born) X(planned_vx) X(planned_vy)
/* clang-format on */

enum { CROWD_LARGE = 32 };

typedef struct crowd {
    /* columns, by slot */
    float *x, *y, *vx, *vy, *hx, *hy, *desired_vx, *desired_vy;
    float *radius, *mass, *speed, *max_speed, *horizon, *wall_horizon, *time_gap, *relaxation, *sight;
    int32_t *neighbours, *planner, *goal;
    float *goal_x, *goal_y;
    int32_t *waypoint, *face, *exit_edge;
    float *frustration;
    int32_t *last_progress_cell, *last_progress_step;
    float *force_x, *force_y;
    float *planned_vx, *planned_vy; /* see latency.h */
    int32_t *state, *arrived;
    const int32_t *id, *group, *born;
    const int32_t *steered; /* by slot: CROWD_KEPT or less where the script gives desired_v; NULL: nowhere */
    float *reach;           /* m: distance of the farthest neighbour last seen, a first guess for the next search */

    /* sorted */
    int32_t *slot;       /* [agents] */
    int32_t *rank;       /* [slots] sorted index of a slot */
    int32_t *cell_start; /* [grid_width * grid_height + 1]; behind the cells: whom nobody sees (heaps.h) */
    float *sx, *sy, *svx, *svy, *sr;
    int32_t *seen; /* [k] x agents: sorted index of each neighbour, nearest first */
    int32_t *seen_count;
    float *seen_reach; /* m^2: everybody nearer than this (squared) is in the list */
    int32_t *wall;     /* [THRONG_WALLS_MAX] x agents: wall segments, nearest first */
    int32_t *wall_count;
    int32_t *near_body; /* by slot: it may touch a body in this step */
    float *nx, *ny;     /* the planners' new velocity, m/s */

    crowd_walls walls;
    crowd_goals goals;
    crowd_navigation navigation;
    crowd_waypoints waypoints;
    throng_influences influences;
    const throng_planner *planners;               /* indexed by column `planner` */
    uint32_t kinds;                               /* bit for each kind of planner in use */
    const float *computed[THRONG_PLANNER_VALUES]; /* by slot: parameters that programs give, NaN: none; or NULL */

    int32_t slots, agents, stride;
    uint64_t seed;
    uint32_t step;
    int32_t sensed; /* 0: there are no neighbour lists of the last frame */
    int32_t look;   /* steps between looks at who makes progress */
    float dt;
    float cell_x, cell_y, inverse_cell_x, inverse_cell_y;
    float extent; /* m: what rounding misplaces in the grid is less than a millionth of this and of where it is */
    float wrap_x, wrap_y; /* m: size of a world that wraps, from (0, 0) on; 0: it does not */
    int32_t grid_width, grid_height;
    int32_t k;                  /* neighbours in a list, at most */
    float bulk_radius;          /* m: the largest, but for the large agents' */
    float largest_step;         /* m */
    int32_t large_count;        /* agents much larger than all others, which all others look at, */
    int32_t large[CROWD_LARGE]; /* their slots; some may have died */
    float tolerance;            /* contacts: violations up to this part of the sum of radii are none */
} crowd;

enum { CROWD_WALLS_MAX = 16, CROWD_NEIGHBOURS_MAX = 16, CROWD_KEPT = -2, CROWD_STUCK_LOOKS = 10 };

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

/* Do the agents in these slots leave all avoiding to others? */
LANE_FN lane_m crowd_passive(const crowd *c, lane_i slot, lane_m lanes)
{
    if (!(c->kinds >> THRONG_PLANNER_none & 1))
        return lane_none();
    return lanes & (crowd_planner_kind(c, lane_gather_i(c->planner, slot)) == THRONG_PLANNER_none);
}

/* Columns that are NULL while everybody has their initial value (THRONG_RARE_COLUMNS). */
#define CROWD_MASS 80.0f /* kg */
LANE_FN lane_f crowd_mass(const crowd *c, lane_i slot)
{
    return c->mass ? lane_gather(c->mass, slot) : lane_set(CROWD_MASS);
}
#define CROWD_HORIZON      3.0f /* s */
#define CROWD_WALL_HORIZON 1.0f /* s */
LANE_FN lane_f crowd_horizon(const crowd *c, lane_i slot)
{
    return c->horizon ? lane_gather(c->horizon, slot) : lane_set(CROWD_HORIZON);
}
LANE_FN lane_f crowd_wall_horizon(const crowd *c, lane_i slot)
{
    return c->wall_horizon ? lane_gather(c->wall_horizon, slot) : lane_set(CROWD_WALL_HORIZON);
}
#define CROWD_TIME_GAP   0.6f /* s */
#define CROWD_RELAXATION 0.5f /* s */
LANE_FN lane_f crowd_time_gap(const crowd *c, lane_i slot)
{
    return c->time_gap ? lane_gather(c->time_gap, slot) : lane_set(CROWD_TIME_GAP);
}
LANE_FN lane_f crowd_relaxation(const crowd *c, lane_i slot)
{
    return c->relaxation ? lane_gather(c->relaxation, slot) : lane_set(CROWD_RELAXATION);
}
LANE_FN lane_i crowd_group(const crowd *c, lane_i slot)
{
    return c->group ? lane_gather_i(c->group, slot) : lane_set_i(0);
}
/* The agents' goals of their own, m. */
LANE_FN void crowd_own_goal(const crowd *c, lane_i slot, lane_f *x, lane_f *y)
{
    *x = c->goal_x ? lane_gather(c->goal_x, slot) : lane_set(0);
    *y = c->goal_y ? lane_gather(c->goal_y, slot) : lane_set(0);
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
    return (c->born ? lane_gather_i(c->born, slot) : lane_set_i(0)) < (int32_t)c->step;
}

/* Those of the agents in slots `first` .. that have made no progress for long (progress.h). */
LANE_FN lane_m crowd_stuck(const crowd *c, int32_t first)
{
    lane_i since = lane_load_i(c->last_progress_step + first);
    return (since >= 0) & ((int32_t)c->step - since >= CROWD_STUCK_LOOKS * c->look);
}

/* The grid's column and row that hold a place, before they wrap. Where the world wraps, the grid does with it. */
LANE_FN lane_i crowd_column(const crowd *c, lane_f x) { return lane_floor_i(x * c->inverse_cell_x); }
LANE_FN lane_i crowd_row(const crowd *c, lane_f y) { return lane_floor_i(y * c->inverse_cell_y); }

/* Sorted agents from this one on are in no cell: others do not see them. */
LANE_FN int32_t crowd_shown(const crowd *c) { return c->cell_start[c->grid_width * c->grid_height]; }

LANE_FN lane_f crowd_shorter(lane_f d, float size)
{
    d = lane_select(d > 0.5f * size, d - size, d);
    return lane_select(d < -0.5f * size, d + size, d);
}

/* From one place to another: to the nearest image of the other where the world wraps. The way back is exactly opposite.
 */
LANE_FN void crowd_nearest_image(const crowd *c, lane_f *dx, lane_f *dy)
{
    if (c->wrap_x > 0) {
        *dx = crowd_shorter(*dx, c->wrap_x);
        *dy = crowd_shorter(*dy, c->wrap_y);
    }
}

/* A place that somebody came to in a step, in a world that wraps. */
LANE_FN lane_f crowd_wrapped(lane_f x, float size)
{
    x = lane_select(x < 0, x + size, x);
    return lane_select(x >= size, x - size, x);
}

#endif
