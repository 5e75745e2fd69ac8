/* Why agents are stuck.
 *
 * The goals stage notes since when an agent makes no progress and counts those who begin to be stuck; only when it has
 * counted some are columns fetched and causes found, on the host, for those few: from the path queue, the trees, the
 * doors and who stands before whom.
 *
 * Who stands in a queue whose head walks on waits, and is not stuck; it is looked at again as long as there are such.
 * Who stands behind those who have arrived where it goes itself gets no nearer: it has arrived, too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "map/geometry.h"
#include "map/map_random.h"
#include "world_parts.h"

const char *const throng_stuck_causes[THRONG_STUCK_CAUSE_COUNT] = {
#define X(name, text) text,
    THRONG_STUCK_CAUSES(X)
#undef X
};

static const double GAP = 0.5;       /* m between two bodies, at most, of which one stands before the other */
static const double AHEAD = 0.5;     /* least cosine of the angle between where one wants to go and what is ahead */
static const double OPPOSITE = -0.5; /* greatest cosine between where two want to go who are in each other's way */
static const double DOOR_AHEAD = 2;  /* m straight ahead, or on the way, in which a closed door is waited at */
static const double DOOR_ASIDE = 1;  /* m: who was pushed aside from a closed door on its own path waits at it still */
static const double JAM = 2;         /* m: who is nearer to another of a jam belongs to it */

enum { PORTALS_AHEAD = 16, QUEUE_LENGTH = 100 };

/* Who is at the head of a queue: stuck, walks on, or has arrived where those behind want to be. */
typedef enum queue_head { QUEUE_STANDS, QUEUE_MOVES, QUEUE_AT_GOAL } queue_head;

/* --- columns ------------------------------------------------------------------------------- */

/* By slot; those of the second and third line are NULL while nobody uses them. */
typedef struct columns {
    const int32_t *state, *goal, *since, *arrived;
    const int32_t *waypoint, *exit_edge, *machine;
    const float *goal_x, *goal_y;
    const float *x, *y, *radius, *wx, *wy;
} columns;

static bool read_columns(throng_agents *a, columns *c, throng_error *error)
{
#define READ(field, column)      (c->field = throng_agents_read(a, THRONG_COLUMN_##column, error))
#define READ_USED(field, column) (!throng_agents_uses(a, THRONG_COLUMN_##column) || READ(field, column))
    *c = (columns){.waypoint = NULL};
    return READ_USED(waypoint, waypoint) && READ_USED(exit_edge, exit_edge) && READ_USED(machine, fsm_state) &&
           READ_USED(goal_x, goal_x) && READ_USED(goal_y, goal_y) && READ(state, state) && READ(goal, goal) &&
           READ(since, last_progress_step) && READ(arrived, arrived) && READ(x, x) && READ(y, y) &&
           READ(radius, radius) && READ(wx, desired_vx) && READ(wy, desired_vy);
#undef READ
#undef READ_USED
}

/* Of a column that may not be used. */
static int32_t value_of(const int32_t *column, int32_t slot) { return column ? column[slot] : -1; }

static throng_point place_of(const columns *c, int32_t slot)
{
    return (throng_point){(double)c->x[slot], (double)c->y[slot]};
}

/* --- who is near --------------------------------------------------------------------------- */

/* Points in square cells, which are hashed: those of a cell form a list, ascending. */
typedef struct near_points {
    double cell;
    uint32_t mask;
    int32_t *first, *next; /* [mask + 1], [slots]; -1: no more */
} near_points;

static uint32_t bucket(const near_points *n, int32_t column, int32_t row)
{
    return ((uint32_t)column * 0x9E3779B1u ^ (uint32_t)row * 0x85EBCA77u) >> 7 & n->mask;
}

static bool near_open(near_points *n, double cell, int32_t slots, throng_error *error)
{
    uint32_t buckets = 64;
    while (buckets < (uint32_t)slots)
        buckets *= 2;
    *n = (near_points){cell, buckets - 1, malloc(buckets * sizeof(int32_t)),
                       malloc(((size_t)slots + 1) * sizeof(int32_t))};
    if (!n->first || !n->next)
        return throng_fail(error, "out of memory for the neighbours of %d agents", slots);
    memset(n->first, -1, buckets * sizeof *n->first);
    return true;
}

static void near_close(near_points *n)
{
    free(n->first);
    free(n->next);
}

/* Slots are added in descending order. */
static void near_add(near_points *n, const columns *c, int32_t slot)
{
    uint32_t b = bucket(n, (int32_t)floor((double)c->x[slot] / n->cell), (int32_t)floor((double)c->y[slot] / n->cell));
    n->next[slot] = n->first[b];
    n->first[b] = slot;
}

/* Calls `visit` for everybody who may be within a cell's side of the point, some more than once, until it is true. */
static bool near_visit(const near_points *n, throng_point p, bool (*visit)(void *context, int32_t slot), void *context)
{
    int32_t column = (int32_t)floor(p.x / n->cell), row = (int32_t)floor(p.y / n->cell);
    for (int32_t r = row - 1; r <= row + 1; r++)
        for (int32_t k = column - 1; k <= column + 1; k++)
            for (int32_t s = n->first[bucket(n, k, r)]; s >= 0; s = n->next[s])
                if (visit(context, s))
                    return true;
    return false;
}

/* --- what is asked of one agent ------------------------------------------------------------ */

typedef struct asked {
    throng_world *w;
    const columns *c;
    const near_points *near;
    int32_t slot;
    const world_goal *goal;
    const world_target *target;
    throng_point at;
    double dx, dy; /* unit vector to where it wants to go; 0, 0: nowhere */
    bool opposed;  /* somebody ahead wants to go the other way */
} asked;

static bool waits_for_path(const asked *a)
{
    return a->goal->path_mesh >= 0 && value_of(a->c->waypoint, a->slot) < 0 && a->slot < a->w->paths.own.slot_room &&
           a->w->paths.own.requests[a->slot].ticket;
}

/* Seeks or flees: its own goal is only a direction. */
static bool is_steered(const asked *a)
{
    int32_t state = value_of(a->c->machine, a->slot);
    return state >= 0 && a->w->fsm.table.state[state].action >= THRONG_FSM_SEEK;
}

/* Regions that are walked to on a mesh have some of it; who walks straight to one may not find any. */
static bool goal_in_wall(const asked *a)
{
    throng_point free_point;
    const world_target *t = a->target;
    if (!a->w->map || is_steered(a))
        return false;
    if (t->kind == THRONG_GOAL_REGION)
        return a->goal->mesh < 0 && !throng_map_random_point(a->w->map, t->regions, t->region_count, 0, 1, &free_point);
    throng_point to = t->kind == THRONG_GOAL_POINT
                          ? t->point
                          : (throng_point){(double)a->c->goal_x[a->slot], (double)a->c->goal_y[a->slot]};
    return !throng_map_fits(a->w->floor, to, fmax((double)a->c->radius[a->slot] - t->radius, 0));
}

static int32_t face_of(const throng_navmesh *mesh, throng_point p)
{
    float x, y;
    return throng_navmesh_nearest(mesh, (float)p.x, (float)p.y, (float)mesh->radius + 1, &x, &y);
}

static bool component_has_goal(const throng_navmesh *mesh, const int32_t *side_start, int32_t component)
{
    for (int32_t f = 0; f < mesh->face_count; f++)
        if (mesh->component[f] == component && side_start[f] < side_start[f + 1])
            return true;
    return false;
}

static bool has_no_route(const asked *a)
{
    int32_t mesh = a->goal->mesh >= 0 ? a->goal->mesh : a->goal->path_mesh;
    if (mesh < 0 || (a->goal->mesh < 0 && value_of(a->c->waypoint, a->slot) >= 0))
        return false;
    const throng_navmesh *m = a->w->routing.meshes[mesh].mesh;
    int32_t face = face_of(m, a->at);
    if (face < 0)
        return true;
    if (a->goal->mesh >= 0)
        return !component_has_goal(m, throng_world_goal_sides(a->goal), m->component[face]);
    int32_t there = face_of(m, (throng_point){(double)a->c->goal_x[a->slot], (double)a->c->goal_y[a->slot]});
    return there < 0 || m->component[there] != m->component[face];
}

/* --- doors --- */

static bool crosses(throng_point a, throng_point b, throng_point c, throng_point d)
{
    return throng_turn(a, b, c) * throng_turn(a, b, d) <= 0 && throng_turn(c, d, a) * throng_turn(c, d, b) <= 0;
}

static bool crosses_shut(const throng_world *w, throng_point a, throng_point b)
{
    for (int32_t d = 0; d < w->map->door_count; d++)
        if (w->doors.shut[d] && crosses(a, b, w->map->doors[d].a, w->map->doors[d].b))
            return true;
    return false;
}

static bool passes_shut(const throng_world *w, throng_point a, throng_point b)
{
    for (int32_t d = 0; d < w->map->door_count; d++)
        if (w->doors.shut[d] && fmin(throng_segment_distance(a, b, w->map->doors[d].a),
                                     throng_segment_distance(a, b, w->map->doors[d].b)) < DOOR_ASIDE)
            return true;
    return false;
}

/* By the tree the path leads through a closed door, or through a body, though it may be far ahead: a crowd stands
 * before it. */
static bool shut_on_tree(const asked *a, bool by_body)
{
    const world_mesh *m = a->goal->mesh >= 0 ? &a->w->routing.meshes[a->goal->mesh] : NULL;
    int32_t e = m && a->goal->path_map ? value_of(a->c->exit_edge, a->slot) - m->first_edge : -1;
    for (int32_t i = 0; e >= 0 && e < m->mesh->edge_count && i < PORTALS_AHEAD; i++, e = a->goal->path_map->next[e])
        if (m->mesh->shut[e])
            return (m->mesh->door[e] == THRONG_NAVMESH_BODY) == by_body;
    return false;
}

/* No other way is known, or its own path was found as if nothing stood there. */
static bool waits_at_body(const asked *a)
{
    int32_t own = a->goal->path_mesh;
    return shut_on_tree(a, true) || (own >= 0 && a->w->routing.meshes[own].mesh->covered &&
                                     a->slot < a->w->paths.own.slot_room && a->w->paths.own.requests[a->slot].through);
}

static bool shut_on_path(const asked *a)
{
    const world_own_paths *own = &a->w->paths.own;
    int32_t k = a->goal->path_mesh >= 0 ? value_of(a->c->waypoint, a->slot) : -1;
    throng_point from = a->at;
    for (bool more = k >= 0 && k < own->count; more; k++) {
        throng_point to = {(double)own->x[k], (double)own->y[k]};
        if (crosses_shut(a->w, from, to) || passes_shut(a->w, from, to))
            return true;
        from = to;
        more = own->turn[k] != 0;
    }
    return false;
}

/* Asked for a path and has none, though there is a path: the doors are why. */
static bool shut_everywhere(const asked *a)
{
    bool some = false;
    for (int32_t d = 0; d < a->w->map->door_count; d++)
        some |= a->w->doors.shut[d];
    return some && a->goal->path_mesh >= 0 && value_of(a->c->waypoint, a->slot) < 0;
}

static bool waits_at_door(const asked *a)
{
    if (!a->w->map || !a->w->map->door_count)
        return false;
    throng_point ahead = {a->at.x + DOOR_AHEAD * a->dx, a->at.y + DOOR_AHEAD * a->dy};
    return shut_everywhere(a) || shut_on_tree(a, false) || shut_on_path(a) || crosses_shut(a->w, a->at, ahead);
}

/* --- others and walls --- */

/* The unit vector to where it wants to go; false: nowhere. */
static bool direction(const columns *c, int32_t slot, double *x, double *y)
{
    double wx = (double)c->wx[slot], wy = (double)c->wy[slot], speed = hypot(wx, wy);
    *x = speed > 0 ? wx / speed : 0;
    *y = speed > 0 ? wy / speed : 0;
    return speed > 0;
}

/* Stands `other` before it? It is opposed when that one wants to go the other way, and gets nowhere either. */
static bool is_blocked_by(asked *a, int32_t other)
{
    const columns *c = a->c;
    double x = (double)c->x[other] - a->at.x, y = (double)c->y[other] - a->at.y, distance = hypot(x, y);
    double gap = distance - (double)c->radius[a->slot] - (double)c->radius[other];
    if (other == a->slot || gap > GAP || x * a->dx + y * a->dy < AHEAD * distance)
        return false;
    double ox, oy;
    int64_t still = (int64_t)a->w->step - 1 - c->since[other];
    if (c->since[other] >= 0 && still >= 2 * a->w->frame.look && direction(c, other, &ox, &oy) &&
        ox * a->dx + oy * a->dy < OPPOSITE && x * ox + y * oy < -AHEAD * distance)
        a->opposed = true;
    return true;
}

static bool visit_blocker(void *context, int32_t other) { return is_blocked_by(context, other); }

/* Goes on until somebody opposes it. */
static bool visit_opponent(void *context, int32_t other)
{
    asked *a = context;
    return is_blocked_by(a, other) && a->opposed;
}

/* One of the segments in `grid`: the walls', or the sides of bodies. */
static bool stands_before(const asked *a, const throng_wall_grid *grid)
{
    const throng_walls *k = &a->w->walls.table;
    double reach = (double)a->c->radius[a->slot] + GAP;
    int32_t column = throng_cell_of(a->at.x, (double)grid->origin_x, (double)grid->cell, grid->columns);
    int32_t row = throng_cell_of(a->at.y, (double)grid->origin_y, (double)grid->cell, grid->rows);
    int32_t cell = row * grid->columns + column;
    for (int32_t i = grid->start[cell]; i < grid->start[cell + 1]; i++) {
        int32_t s = grid->list[i];
        throng_point q = throng_nearest_on((throng_point){(double)k->ax[s], (double)k->ay[s]},
                                           (throng_point){(double)k->bx[s], (double)k->by[s]}, a->at);
        double x = q.x - a->at.x, y = q.y - a->at.y, distance = hypot(x, y);
        if (distance <= reach && x * a->dx + y * a->dy >= AHEAD * distance)
            return true;
    }
    return false;
}

static throng_stuck_cause cause_of(asked *a)
{
    direction(a->c, a->slot, &a->dx, &a->dy);
    if (waits_for_path(a))
        return THRONG_STUCK_PATH;
    if (goal_in_wall(a))
        return THRONG_STUCK_GOAL;
    if (has_no_route(a))
        return THRONG_STUCK_ROUTE;
    if (waits_at_door(a))
        return THRONG_STUCK_DOOR;
    if (waits_at_body(a))
        return THRONG_STUCK_BODY;
    if (near_visit(a->near, a->at, visit_opponent, a))
        return THRONG_STUCK_STANDOFF;
    if (near_visit(a->near, a->at, visit_blocker, a))
        return THRONG_STUCK_CROWD;
    const throng_walls *walls = &a->w->walls.table;
    if (walls->sides && stands_before(a, &walls->moving))
        return THRONG_STUCK_BODY;
    return walls->count > walls->sides && stands_before(a, &walls->still) ? THRONG_STUCK_WALL : THRONG_STUCK_PLANNER;
}

/* --- queues --- */

/* The nearest of those who stand before somebody. */
typedef struct blocker {
    asked *asked;
    int32_t slot; /* -1: nobody */
    double distance;
} blocker;

static bool visit_nearest(void *context, int32_t other)
{
    blocker *b = context;
    if (!is_blocked_by(b->asked, other))
        return false;
    double distance = throng_distance(place_of(b->asked->c, other), b->asked->at);
    if (b->slot < 0 || distance < b->distance || (distance == b->distance && other < b->slot)) {
        b->slot = other;
        b->distance = distance;
    }
    return false;
}

static bool have_one_goal(const columns *c, int32_t a, int32_t b)
{
    return c->goal[a] == c->goal[b] && (!c->goal_x || (c->goal_x[a] == c->goal_x[b] && c->goal_y[a] == c->goal_y[b]));
}

/* What is at the head of the queue that it stands in: somebody whom nobody else stands before. Who walks on there takes
 * the queue along; who has arrived where it wants to be itself leaves no nearer place. */
static queue_head head_of_queue(const asked *a)
{
    const columns *c = a->c;
    int64_t patience = (int64_t)THRONG_STUCK_LOOKS * a->w->frame.look;
    asked at = *a;
    for (int32_t i = 0; i < QUEUE_LENGTH; i++) {
        blocker b = {.asked = &at, .slot = -1};
        near_visit(a->near, at.at, visit_nearest, &b);
        if (b.slot < 0)
            return QUEUE_STANDS;
        if (c->arrived[b.slot] >= 0 && have_one_goal(c, a->slot, b.slot))
            return value_of(c->machine, a->slot) < 0 ? QUEUE_AT_GOAL : QUEUE_STANDS; /* machines note their own */
        if (c->since[b.slot] < 0)
            return QUEUE_STANDS;
        if ((int64_t)a->w->step - 1 - c->since[b.slot] < patience)
            return QUEUE_MOVES;
        at.slot = b.slot;
        at.at = place_of(c, b.slot);
        if (!direction(c, b.slot, &at.dx, &at.dy))
            return QUEUE_STANDS;
    }
    return QUEUE_STANDS;
}

/* --- jams ---------------------------------------------------------------------------------- */

typedef struct jams {
    const columns *c;
    throng_stuck *list;
    int32_t *entry; /* [slots] index in the list */
    int32_t *open;  /* [count] entries whose neighbours are still to be looked at */
    int32_t opened, now;
} jams;

static bool join(void *context, int32_t slot)
{
    jams *j = context;
    const throng_stuck *now = &j->list[j->now];
    throng_stuck *other = &j->list[j->entry[slot]];
    if (other->jam < 0 && other->cause == now->cause && throng_distance(other->place, now->place) <= JAM) {
        other->jam = now->jam;
        j->open[j->opened++] = j->entry[slot];
    }
    return false;
}

/* Numbers the jams in the order of their first agents. */
static bool number_jams(const columns *c, throng_stuck *list, int32_t count, int32_t slots, throng_error *error)
{
    near_points near;
    jams j = {.c = c, .list = list};
    j.entry = malloc(((size_t)slots + 1) * sizeof *j.entry);
    j.open = malloc(((size_t)count + 1) * sizeof *j.open);
    bool fine = near_open(&near, JAM, slots, error) &&
                ((j.entry && j.open) || throng_fail(error, "out of memory for the jams of %d agents", count));
    for (int32_t i = count - 1; fine && i >= 0; i--) {
        j.entry[list[i].agent.slot] = i;
        near_add(&near, c, list[i].agent.slot);
    }
    for (int32_t i = 0, jam = 0; fine && i < count; i++) {
        if (list[i].jam >= 0)
            continue;
        list[i].jam = jam++;
        j.open[j.opened++] = i;
        while (j.opened) {
            j.now = j.open[--j.opened];
            near_visit(&near, list[j.now].place, join, &j);
        }
    }
    near_close(&near);
    free(j.entry);
    free(j.open);
    return fine;
}

/* --- lists --------------------------------------------------------------------------------- */

static int64_t still_for(const throng_world *w, int32_t since) { return (int64_t)w->step - 1 - since; }

static bool is_listed(const throng_world *w, const columns *c, int32_t slot)
{
    int64_t patience = (int64_t)THRONG_STUCK_LOOKS * w->frame.look;
    return c->state[slot] && c->since[slot] >= 0 && c->goal[slot] >= 0 && still_for(w, c->since[slot]) >= patience;
}

/* Keeps what was found of the i-th of the list at `kept`, or those apart who are in a queue that is none to report. */
static bool keep(throng_world *w, throng_stuck *list, int32_t i, int32_t *kept, queue_head head, throng_error *error)
{
    world_stuck *k = &w->stuck;
    k->queued += head != QUEUE_STANDS;
    if (head == QUEUE_STANDS)
        list[(*kept)++] = list[i];
    if (head != QUEUE_AT_GOAL)
        return true;
    if (!throng_array_reserve((void **)&k->at_goal, &k->at_goal_room, k->at_goal_count + 1, sizeof *k->at_goal))
        return throng_fail(error, "out of memory for a list of agents that stand round their goal");
    k->at_goal[k->at_goal_count++] = list[i].agent;
    return true;
}

static bool find_causes(throng_world *w, const columns *c, throng_stuck *list, int32_t *count, throng_error *error)
{
    near_points near;
    double largest = 0;
    int32_t slots = throng_agents_slots(w->agents), kept = 0;
    for (int32_t s = 0; s < slots; s++)
        largest = c->state[s] ? fmax(largest, (double)c->radius[s]) : largest;
    bool fine = near_open(&near, 2 * largest + GAP, slots, error);
    for (int32_t s = slots - 1; fine && s >= 0; s--)
        if (c->state[s])
            near_add(&near, c, s);
    for (int32_t i = 0; fine && i < *count; i++) {
        const world_goal *goal = &w->routing.goals[c->goal[list[i].agent.slot]];
        asked a = {.w = w,
                   .c = c,
                   .near = &near,
                   .slot = list[i].agent.slot,
                   .goal = goal,
                   .target = &w->routing.targets[goal->target],
                   .at = list[i].place};
        list[i].cause = cause_of(&a);
        queue_head head = list[i].cause == THRONG_STUCK_CROWD ? head_of_queue(&a) : QUEUE_STANDS;
        fine = keep(w, list, i, &kept, head, error);
    }
    near_close(&near);
    *count = kept;
    return fine && number_jams(c, list, kept, slots, error);
}

static bool list_stuck(throng_world *w, throng_stuck **list, int32_t *room, int32_t *count, throng_error *error)
{
    columns c;
    *count = w->stuck.queued = w->stuck.at_goal_count = 0;
    if (!read_columns(w->agents, &c, error))
        return false;
    for (int32_t s = 0; s < throng_agents_slots(w->agents); s++) {
        if (!is_listed(w, &c, s))
            continue;
        if (!throng_array_reserve((void **)list, room, *count + 1, sizeof **list))
            return throng_fail(error, "out of memory for a list of agents that are stuck");
        (*list)[(*count)++] = (throng_stuck){.agent = throng_agents_handle(w->agents, s),
                                             .jam = -1,
                                             .place = place_of(&c, s),
                                             .since = (uint32_t)c.since[s]};
    }
    return *count == 0 || find_causes(w, &c, *list, count, error);
}

bool throng_world_stuck(throng_world *w, const throng_stuck **list, int32_t *count, throng_error *error)
{
    if (!list_stuck(w, &w->stuck.list, &w->stuck.list_room, count, error))
        return false;
    *list = w->stuck.list;
    return true;
}

bool throng_world_note_stuck(throng_world *w, throng_error *error)
{
    throng_counters counters;
    world_stuck *k = &w->stuck;
    k->newly_count = 0;
    if (!w->frame.agents || (w->step - 1) % (uint32_t)w->frame.look != 0)
        return true;
    if (!throng_stages_goal_counters(&w->stages, &counters, error))
        return false;
    if (counters.stuck == k->seen && !k->queued)
        return true;
    k->seen = counters.stuck;
    int32_t count, patience = THRONG_STUCK_LOOKS * w->frame.look;
    if (!list_stuck(w, &k->newly, &k->newly_room, &count, error))
        return false;
    for (int32_t i = 0; i < count; i++) {
        if (still_for(w, (int32_t)k->newly[i].since) != patience)
            continue;
        k->counts[k->newly[i].cause]++;
        k->newly[k->newly_count++] = k->newly[i];
    }
    return !k->at_goal_count || throng_world_arrive(w, k->at_goal, k->at_goal_count, error);
}

const throng_stuck *throng_world_newly_stuck(const throng_world *w, int32_t *count)
{
    *count = w->stuck.newly_count;
    return w->stuck.newly;
}

void throng_world_free_stuck(throng_world *w)
{
    free(w->stuck.list);
    free(w->stuck.newly);
    free(w->stuck.at_goal);
}
