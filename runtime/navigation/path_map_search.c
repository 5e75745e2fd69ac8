#include "path_map_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "kernels/routing/portals_parts.h"
#include "map/geometry.h"
#include "navmesh_lifts.h"
#include "path_net.h"

static const double SAME = 2e-9; /* m: paths to a corner that differ by less are equal. Twice what windows take as
                                    equal: those of a corner that is beaten must not hold off those of the better one */

enum { RIGHT = THRONG_WINDOW_RIGHT, LEFT = THRONG_WINDOW_LEFT };

/* --- windows --- */

/* Adds what its root sees of portal p, now or, when a closed door is in between, in the next round. Paths
 * come the other way. */
static void offer(throng_path_map_search *s, const throng_path_portal *p, const throng_window *w)
{
    int32_t face = portals_beyond(s->net, p);
    if (throng_navmesh_runs_against(s->mesh, s->mesh->twin[p->edge]))
        return;
    if (s->round && throng_navmesh_bars(s->mesh, p->edge, s->heed_doors)) {
        if (throng_array_reserve((void **)&s->put_off, &s->put_off_room, (int64_t)s->put_off_count + 1, sizeof *w))
            s->put_off[s->put_off_count++] = *w;
        else
            s->failed = true;
    } else if (!s->round || s->round[face] == 0 || s->round[face] == s->rounds) {
        throng_window_add(s, w);
    }
}

/* A root on the portal sees all that is beyond: its rays are the portal's sides. */
static throng_point ray_to(throng_point at, throng_point end, throng_point other)
{
    if (at.x == end.x && at.y == end.y)
        at = other;
    return (throng_point){end.x - at.x, end.y - at.y};
}

/* The part t0 .. t1 of portal p (0: its start, on the right, 1: its end) that the root sees between two rays; `through`
 * is the window before. */
static void see(throng_path_map_search *s, const throng_path_portal *p, int32_t root, int32_t through,
                const throng_point *rays, double t0, double t1)
{
    const throng_path_portal *twin = &s->net->portals[p->twin];
    const throng_window *t = through >= 0 ? &s->windows[through] : NULL;
    double delay = (s->delay ? (double)s->delay[twin->edge] : 0) + twin->cost;
    bool goes_on = t && t->root == root;
    throng_window w = {.rays = {rays[RIGHT], rays[LEFT]},
                       .t = {fmin(fmax(t0, 0), 1), fmin(fmax(t1, 0), 1)},
                       .delay = delay + (goes_on ? t->delay : 0),
                       .cost = twin->cost + (goes_on ? t->cost : 0),
                       .portal = p->twin,
                       .root = root,
                       .next = through,
                       .sibling = -1,
                       .ends = (uint8_t)((t0 <= 0) << RIGHT | (t1 >= 1) << LEFT)};
    w.t[LEFT] = fmax(w.t[LEFT], w.t[RIGHT]); /* a window may be a point, between two corners on one ray */
    offer(s, p, &w);
}

static void see_whole(throng_path_map_search *s, const throng_path_portal *p, int32_t root, int32_t through)
{
    throng_point at = s->roots[root].a;
    see(s, p, root, through, (throng_point[]){ray_to(at, p->start, p->end), ray_to(at, p->end, p->start)}, 0, 1);
}

/* --- the goal --- */

static int32_t add_root(throng_path_map_search *s, const throng_window_root *r)
{
    if (!throng_array_reserve((void **)&s->roots, &s->root_room, (int64_t)s->root_count + 1, sizeof *r)) {
        s->failed = true;
        return -1;
    }
    s->roots[s->root_count] = *r;
    return s->root_count++;
}

/* Paths that end on the inner part of the side a -> b, seen along its normal. */
static void begin_side(throng_path_map_search *s, int32_t face, throng_point a, throng_point b)
{
    double x = b.x - a.x, y = b.y - a.y, length = sqrt(x * x + y * y);
    throng_window_root r = {
        .a = a, .b = b, .normal = {y / length, -x / length}, .on = a, .next = -1, .corner = -1, .stop = -1, .to = -1};
    int32_t root = add_root(s, &r);
    for (int32_t i = s->net->first[face]; i < s->net->first[face + 1] && root >= 0; i++) {
        const throng_path_portal *p = &s->net->portals[i];
        double u = ((p->start.x - a.x) * x + (p->start.y - a.y) * y) / length,
               v = ((p->end.x - a.x) * x + (p->end.y - a.y) * y) / length;
        double t0 = fmax((0 - u) / (v - u), 0), t1 = fmin((length - u) / (v - u), 1);
        throng_point middle = throng_between(p->start, p->end, 0.5 * (t0 + t1));
        if (v > u && t0 < t1 && throng_turn(a, b, middle) <= 0)
            see(s, p, root, -1, (throng_point[]){r.normal, r.normal}, t0, t1);
    }
}

static void begin_point(throng_path_map_search *s, int32_t face, throng_point at)
{
    throng_window_root r = {.a = at, .b = at, .on = at, .next = -1, .corner = -1, .stop = -1, .to = -1};
    int32_t root = add_root(s, &r);
    for (int32_t i = s->net->first[face]; i < s->net->first[face + 1] && root >= 0; i++)
        see_whole(s, &s->net->portals[i], root, -1);
}

static void begin(throng_path_map_search *s)
{
    const throng_goal_sides *goal = s->goal;
    s->rounds = 1;
    for (int32_t f = 0; s->round && f < s->mesh->face_count; f++)
        s->round[f] = goal->start[f] < goal->start[f + 1];
    for (int32_t f = 0; f < s->mesh->face_count; f++)
        for (int32_t i = goal->start[f]; i < goal->start[f + 1] && !s->failed; i++) {
            throng_point a = goal->a[i], b = goal->b[i];
            begin_point(s, f, a); /* of a polygon's sides every end is the start of another */
            if (a.x == b.x && a.y == b.y)
                continue;
            begin_side(s, f, a, b);
            begin_side(s, f, b, a);
        }
}

/* --- corners --- */

/* The walls at the corner lie on the side that the path along (x, y) bends to: it is tangent there, within the rounding
 * of where a wall cuts the goal. */
static bool is_tangent(const throng_path_corner *c, throng_point at, double x, double y, int side)
{
    static const double angle = 1e-9;
    double ax = (double)c->ax - at.x, ay = (double)c->ay - at.y, bx = (double)c->bx - at.x, by = (double)c->by - at.y;
    double a = x * ay - y * ax, b = x * by - y * bx, length = angle * (fabs(x) + fabs(y));
    double least = -length * fmax(fabs(ax) + fabs(ay), fabs(bx) + fabs(by));
    return side == LEFT ? a >= least && b >= least : -a >= least && -b >= least;
}

/* The root at the corner, where window `through` ends on that side, for paths that turn there; -1 when none do: no
 * corner, not tangent, or there is a path as short. */
static int32_t turn_at(throng_path_map_search *s, int32_t through, int side)
{
    const throng_window *w = &s->windows[through];
    const throng_path_portal *p = &s->net->portals[w->portal];
    const throng_window_root *from = &s->roots[w->root];
    int32_t corner = side == LEFT ? p->at_start : p->at_end;
    throng_point at = side == LEFT ? p->start : p->end;
    throng_point on = throng_nearest_on(from->a, from->b, at);
    if (corner < 0 || !is_tangent(&s->net->corners[corner], at, at.x - on.x, at.y - on.y, side))
        return -1;
    double rest = from->rest + w->delay + throng_distance(on, at);
    int32_t known = s->root_at[corner];
    if (known >= 0 && s->roots[known].round == s->rounds) {
        throng_window_root *k = &s->roots[known];
        if (rest > k->rest + SAME || (rest >= k->rest - SAME && (k->turns >> side & 1)))
            return -1;
        if (rest >= k->rest - SAME) {
            k->turns |= (uint8_t)(1 << side);
            return known;
        }
        k->beaten = true;
    }
    return s->root_at[corner] = add_root(s, &(throng_window_root){.a = at,
                                                                  .b = at,
                                                                  .on = on,
                                                                  .rest = rest,
                                                                  .next = w->root,
                                                                  .corner = corner,
                                                                  .stop = -1,
                                                                  .to = -1,
                                                                  .round = s->rounds,
                                                                  .turns = (uint8_t)(1 << side)});
}

/* --- lifts --- */

/* m from the middle of a car to the goal, by a path that leaves it through the window. */
static double length_from(const throng_path_map_search *s, const throng_window *w, throng_point p)
{
    const throng_window_root *r = &s->roots[w->root];
    throng_point on = throng_nearest_on(r->a, r->b, p), right = throng_window_at(s, w, w->t[LEFT]),
                 left = throng_window_at(s, w, w->t[RIGHT]);
    double rest = r->rest + w->delay;
    if (throng_turn(p, on, left) < 0)
        return throng_distance(p, left) + throng_segment_distance(r->a, r->b, left) + rest;
    if (throng_turn(p, on, right) > 0)
        return throng_distance(p, right) + throng_segment_distance(r->a, r->b, right) + rest;
    return throng_distance(p, on) + rest;
}

/* Paths that go up to the car at stop `from` and leave it at `to`, unless there are shorter ones. */
static void ride(throng_path_map_search *s, int32_t from, int32_t to, int32_t next)
{
    const throng_mesh_lifts *l = s->mesh->lifts;
    const throng_mesh_stop *stop = &l->stops[from];
    double rest = s->beyond[to] + throng_lift_ride(&l->map, from, to) +
                  throng_lift_wait(&l->map, &l->map.lifts[l->map.stops[from].lift]);
    int32_t known = s->root_in[from];
    bool other_round = s->round && s->round[stop->face] != 0 && s->round[stop->face] != s->rounds;
    if (other_round || (known >= 0 && rest >= s->roots[known].rest - SAME))
        return;
    if (known >= 0)
        s->roots[known].beaten = true;
    if (s->round)
        s->round[stop->face] = s->rounds;
    int32_t root = s->root_in[from] = add_root(s, &(throng_window_root){.a = stop->at,
                                                                        .b = stop->at,
                                                                        .on = stop->at,
                                                                        .rest = rest,
                                                                        .next = next,
                                                                        .corner = -1,
                                                                        .stop = from,
                                                                        .to = to,
                                                                        .round = s->rounds});
    for (int32_t i = s->net->first[stop->face]; i < s->net->first[stop->face + 1] && root >= 0; i++)
        see_whole(s, &s->net->portals[i], root, -1);
}

/* The window leads out of the face: when it is the middle of a car, all other stops of the lift lead there. */
static void ride_to(throng_path_map_search *s, int32_t at, int32_t face)
{
    const throng_mesh_lifts *l = s->mesh->lifts;
    int32_t to = l->stop[face];
    if (to < 0 || l->stops[to].face != face || !(l->use[to] & THRONG_STOP_LEAVE))
        return;
    const throng_map_lift *lift = &l->map.lifts[l->map.stops[to].lift];
    int32_t next = s->windows[at].root;
    double length = length_from(s, &s->windows[at], l->stops[to].at);
    if (!(length < s->beyond[to] - SAME))
        return;
    s->beyond[to] = length;
    for (int32_t from = lift->first; from < lift->first + lift->count && !s->failed; from++)
        if (from != to && l->stops[from].face >= 0 && (l->use[from] & THRONG_STOP_BOARD))
            ride(s, from, to, next);
}

/* --- the search --- */

enum { NOT_ASKED = -2 }; /* for a root; -1: there is none */

static double cross(throng_point a, throng_point from, throng_point to)
{
    return a.x * (to.y - from.y) - a.y * (to.x - from.x);
}

/* What of the portal lies beside the window's ray on that side is reached round the end of the entrance. `root` is that
 * for the whole face once it was asked for. */
static void see_beside(throng_path_map_search *s, int32_t at, const throng_path_portal *p, int side, double t,
                       int32_t *root)
{
    if (*root == NOT_ASKED)
        *root = turn_at(s, at, side);
    if (*root < 0)
        return;
    throng_point from = s->roots[*root].a, ray = s->windows[at].rays[side];
    throng_point rays[] = {ray_to(from, p->start, p->end), ray_to(from, p->end, p->start)};
    if (t > 0 && t < 1)
        rays[1 - side] = ray;
    if (side == RIGHT)
        see(s, p, *root, at, rays, 0, t);
    else
        see(s, p, *root, at, rays, t, 1);
}

/* Has the root of window `at` been seen through that portal on the way to it? */
static bool came_through(const throng_path_map_search *s, int32_t at, int32_t portal)
{
    int32_t root = s->windows[at].root;
    for (; at >= 0 && s->windows[at].root == root; at = s->windows[at].next)
        if (s->windows[at].portal == portal)
            return true;
    return false;
}

/* A root that is an end of the portal sees all of the face. Portals go all the way round a root that is no corner of a
 * wall, where a door was cut through the mesh in a goal: it is seen once round. */
static void expand_pivot(throng_path_map_search *s, int32_t at)
{
    int32_t portal = s->windows[at].portal, root = s->windows[at].root;
    for (int32_t i = s->net->portals[portal].next; i != portal && !s->failed; i = s->net->portals[i].next)
        if (!came_through(s, at, s->net->portals[i].twin))
            see_whole(s, &s->net->portals[i], root, at);
}

/* Sees on through the face that the window leads into. A portal along a ray is seen, if from nowhere in it: paths run
 * along it to the corner where it starts. */
static void expand_cone(throng_path_map_search *s, int32_t at)
{
    const throng_path_portal *portals = s->net->portals, *p;
    throng_window w = s->windows[at];
    const throng_window_root *r = &s->roots[w.root];
    bool side = r->normal.x != 0 || r->normal.y != 0;
    throng_point from_right = side ? throng_window_at(s, &w, w.t[RIGHT]) : r->a,
                 from_left = side ? throng_window_at(s, &w, w.t[LEFT]) : r->a;
    int32_t right_root = w.ends >> RIGHT & 1 ? NOT_ASKED : -1, left_root = w.ends >> LEFT & 1 ? NOT_ASKED : -1;
    for (int32_t i = portals[w.portal].next; i != w.portal && !s->failed; i = p->next) {
        p = &portals[i];
        double p_right = cross(w.rays[RIGHT], from_right, p->start), q_right = cross(w.rays[RIGHT], from_right, p->end);
        double p_left = cross(w.rays[LEFT], from_left, p->start), q_left = cross(w.rays[LEFT], from_left, p->end);
        if ((p_right == 0 && q_right == 0) || (p_left == 0 && q_left == 0)) {
            see_whole(s, p, w.root, at);
            continue;
        }
        double t0 = p_right < 0 ? p_right / (p_right - q_right) : 0, t1 = q_left > 0 ? p_left / (p_left - q_left) : 1;
        if (right_root != -1 && (p_right < 0 || q_right <= 0))
            see_beside(s, at, p, RIGHT, q_right <= 0 ? 1 : t0, &right_root);
        if (q_right > 0 && p_left < 0) {
            throng_point a = s->roots[w.root].a;
            throng_point right =
                p_right < 0 || side ? w.rays[RIGHT] : (throng_point){p->start.x - a.x, p->start.y - a.y};
            throng_point left = q_left > 0 || side ? w.rays[LEFT] : (throng_point){p->end.x - a.x, p->end.y - a.y};
            see(s, p, w.root, at, (throng_point[]){right, left}, t0, t1);
        }
        if (left_root != -1 && (q_left > 0 || p_left >= 0))
            see_beside(s, at, p, LEFT, p_left >= 0 ? 0 : t1, &left_root);
    }
}

static void settle(throng_path_map_search *s, int32_t at)
{
    throng_window *w = &s->windows[at];
    w->settled = true;
    throng_window_note(s, at);
    int32_t face = portals_beyond(s->net, &s->net->portals[s->net->portals[w->portal].twin]);
    if (s->round && s->round[face] == 0)
        s->round[face] = s->rounds;
    if (s->root_in)
        ride_to(s, at, face);
    w = &s->windows[at];
    if (throng_window_is_pivot(s, w))
        expand_pivot(s, at);
    else
        expand_cone(s, at);
}

static void run_round(throng_path_map_search *s)
{
    while (s->open.count > 0 && !s->failed) {
        s->failed = throng_given_up();
        int32_t at = throng_heap_pop(&s->open);
        const throng_window *w = &s->windows[at];
        if (!w->settled && !w->dead && !s->roots[w->root].beaten)
            settle(s, at);
    }
}

/* Takes up what was put off where no path has been found yet. */
static void begin_round(throng_path_map_search *s)
{
    int32_t count = s->put_off_count;
    s->rounds++;
    for (int32_t i = 0; i < count; i++) {
        const throng_window *w = &s->put_off[i];
        if (s->round[portals_beyond(s->net, &s->net->portals[s->net->portals[w->portal].twin])] == 0)
            throng_window_add(s, w);
    }
    s->put_off_count = 0;
}

bool throng_path_map_search_run(throng_path_map_search *s)
{
    if ((s->heed_doors || s->mesh->covered) && !(s->round = calloc((size_t)s->mesh->face_count + 1, sizeof *s->round)))
        return false;
    begin(s);
    run_round(s);
    while (s->put_off_count > 0 && !s->failed) {
        begin_round(s);
        run_round(s);
    }
    return !s->failed;
}

/* --- lifetime --- */

static bool any_shut(const throng_navmesh *mesh)
{
    for (int32_t e = 0; e < mesh->edge_count; e++)
        if (mesh->shut[e])
            return true;
    return false;
}

/* What path searches would have if every door was open. */
static throng_path_net *open_net(const throng_navmesh *mesh)
{
    throng_navmesh open = *mesh;
    open.shut = calloc((size_t)mesh->edge_count + 1, 1);
    throng_path_net *net = open.shut ? throng_path_net_create(&open) : NULL;
    free(open.shut);
    return net;
}

static bool init_lifts(throng_path_map_search *s)
{
    int32_t stops = s->mesh->lifts ? s->mesh->lifts->map.stop_count : 0;
    if (!stops)
        return true;
    s->root_in = malloc((size_t)stops * sizeof *s->root_in);
    s->beyond = malloc((size_t)stops * sizeof *s->beyond);
    for (int32_t i = 0; s->root_in && s->beyond && i < stops; i++) {
        s->root_in[i] = -1;
        s->beyond[i] = INFINITY;
    }
    return s->root_in && s->beyond;
}

bool throng_path_map_search_init(throng_path_map_search *s, const throng_navmesh *mesh, const throng_goal_sides *goal)
{
    *s = (throng_path_map_search){.mesh = mesh, .goal = goal, .net = mesh->net};
    if (any_shut(mesh) && !(s->net = s->own_net = open_net(mesh)))
        return false;
    size_t corners = (size_t)s->net->corner_count + 1, portals = (size_t)s->net->first[mesh->face_count] + 1;
    s->root_at = malloc(corners * sizeof *s->root_at);
    s->first = malloc(portals * sizeof *s->first);
    if (!s->root_at || !s->first || !init_lifts(s)) {
        throng_path_map_search_fini(s);
        return false;
    }
    memset(s->root_at, -1, corners * sizeof *s->root_at);
    memset(s->first, -1, portals * sizeof *s->first);
    return true;
}

void throng_path_map_search_fini(throng_path_map_search *s)
{
    throng_path_net_destroy(s->own_net);
    free(s->roots);
    free(s->root_at);
    free(s->root_in);
    free(s->beyond);
    free(s->windows);
    free(s->first);
    free(s->open.entries);
    free(s->order);
    free(s->round);
    free(s->put_off);
    memset(s, 0, sizeof *s);
}
