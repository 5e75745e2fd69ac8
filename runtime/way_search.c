#include "way_search.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "geometry.h"

enum { UNSEEN, OPEN, SETTLED };

/* Golden section: each step leaves 0.618 of the portal; 24 leave 1e-5 of it. */
static const double GOLDEN = 0.6180339887498949;
enum { SECTIONS = 24 };

/* The heap orders by key, then by half-edge, so that ties fall the same way in every run. */
static bool before(throng_heap_entry a, throng_heap_entry b)
{
    return a.key != b.key ? a.key < b.key : a.edge < b.edge;
}

static void push(throng_way_search *s, throng_heap_entry entry)
{
    if (!throng_array_reserve((void **)&s->heap, &s->heap_capacity, (int64_t)s->heap_count + 1, sizeof entry)) {
        s->failed = true;
        return;
    }
    int32_t at = s->heap_count++;
    while (at > 0 && before(entry, s->heap[(at - 1) / 2])) {
        s->heap[at] = s->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap[at] = entry;
}

static throng_heap_entry pop(throng_way_search *s)
{
    throng_heap_entry top = s->heap[0], last = s->heap[--s->heap_count];
    int32_t at = 0, child;
    while ((child = 2 * at + 1) < s->heap_count) {
        child += child + 1 < s->heap_count && before(s->heap[child + 1], s->heap[child]);
        if (!before(s->heap[child], last))
            break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = last;
    return top;
}

/* What passing the portals from `first` to `last` costs beside their length. */
static double delays(const throng_way_search *s, int32_t first, int32_t last)
{
    double sum = 0;
    for (int32_t e = first; s->delay && e >= 0; e = e == last ? -1 : s->next[e])
        sum += (double)s->delay[e];
    return sum;
}

/* Length of the way from a point that lies before portal `first`, whose sleeve is settled. */
static double way_from(const throng_way_search *s, throng_point from, int32_t via, int32_t first, throng_bend *bend)
{
    *bend = throng_sleeve_bend(&s->sleeve, from, via, first);
    double length = throng_distance(from, bend->at) + delays(s, first, bend->edge);
    if (bend->kind == THRONG_BEND_END)
        return length;
    return length + (bend->kind == THRONG_BEND_LEFT ? s->left : s->right)[bend->edge];
}

static double keep_less(double best, double value, throng_point p, throng_point *target)
{
    if (value < best) {
        *target = p;
        return value;
    }
    return best;
}

static double golden_section(const throng_way_search *s, int32_t edge, int32_t next, throng_point *target)
{
    throng_point a = throng_edge_right(s->mesh, edge), b = throng_edge_left(s->mesh, edge);
    throng_bend bend;
    double low = 0, high = 1, t = 1 - GOLDEN, u = GOLDEN;
    double at_t = way_from(s, throng_between(a, b, t), edge, next, &bend);
    double at_u = way_from(s, throng_between(a, b, u), edge, next, &bend);
    for (int i = 0; i < SECTIONS; i++) {
        if (at_t <= at_u) {
            high = u;
            u = t;
            at_u = at_t;
            t = high - GOLDEN * (high - low);
            at_t = way_from(s, throng_between(a, b, t), edge, next, &bend);
        } else {
            low = t;
            t = u;
            at_t = at_u;
            u = low + GOLDEN * (high - low);
            at_u = way_from(s, throng_between(a, b, u), edge, next, &bend);
        }
    }
    *target = throng_between(a, b, 0.5 * (low + high));
    return way_from(s, *target, edge, next, &bend);
}

/* The point of portal `edge` with the shortest way on through `next`. Its ends see most: when both bend
 * at the same corner, so does every point between. */
static double cheapest(const throng_way_search *s, int32_t edge, int32_t next, throng_point *target)
{
    throng_point a = throng_edge_right(s->mesh, edge), b = throng_edge_left(s->mesh, edge), inner;
    throng_bend from_a, from_b;
    double at_a = way_from(s, a, edge, next, &from_a), at_b = way_from(s, b, edge, next, &from_b), at_inner;
    if (from_a.kind == from_b.kind && from_a.at.x == from_b.at.x && from_a.at.y == from_b.at.y) {
        inner = throng_nearest_on(a, b, from_a.at);
        at_inner = way_from(s, inner, edge, next, &from_a);
    } else {
        at_inner = golden_section(s, edge, next, &inner);
    }
    *target = inner;
    return keep_less(keep_less(at_inner, at_a, a, target), at_b, b, target);
}

/* Offers half-edge `edge` the way on through `next`. */
static void relax(throng_way_search *s, int32_t edge, int32_t next)
{
    double floor_cost = next >= 0 ? s->cost[next] + delays(s, next, next) : 0;
    if (s->state[edge] == SETTLED || (s->state[edge] == OPEN && s->cost[edge] <= floor_cost))
        return;
    throng_point target;
    double cost = fmax(cheapest(s, edge, next, &target), floor_cost);
    if (s->state[edge] == OPEN && s->cost[edge] <= cost)
        return;
    s->state[edge] = OPEN;
    s->cost[edge] = cost;
    s->next[edge] = next;
    s->target[edge] = target;
    push(s, (throng_heap_entry){cost, edge});
}

/* The same, in the next round when a closed door is in between. */
static void offer(throng_way_search *s, int32_t edge, int32_t next)
{
    if (!s->round) {
        relax(s, edge, next);
    } else if (s->mesh->shut[edge]) {
        if (throng_array_reserve((void **)&s->put_off, &s->put_off_capacity, (int64_t)s->put_off_count + 1,
                                 sizeof *s->put_off))
            s->put_off[s->put_off_count++] = (struct throng_way_offer){edge, next};
        else
            s->failed = true;
    } else if (s->round[s->mesh->face[edge]] == 0 || s->round[s->mesh->face[edge]] == s->rounds) {
        relax(s, edge, next);
    }
}

/* Takes up what was put off where no way has been found yet. */
static void begin_round(throng_way_search *s)
{
    s->rounds++;
    for (int32_t i = 0; i < s->put_off_count; i++)
        if (s->round[s->mesh->face[s->put_off[i].edge]] == 0)
            relax(s, s->put_off[i].edge, s->put_off[i].next);
    s->put_off_count = 0;
}

static double side_distance(const throng_way_search *s, int32_t edge, int32_t side)
{
    throng_point a = throng_edge_right(s->mesh, edge), b = throng_edge_left(s->mesh, edge);
    throng_point c = s->goal->a[side], d = s->goal->b[side];
    return throng_segment_distance(c, d, a) + throng_segment_distance(c, d, b) +
           throng_segment_distance(c, d, throng_between(a, b, 0.5));
}

/* Ways that enter `face`, which holds some of the goal, end on the side nearest to the portal as a whole. */
static void begin_at(throng_way_search *s, int32_t face, int32_t first_side, int32_t end_side)
{
    for (int32_t e = s->mesh->face_start[face]; e < s->mesh->face_start[face + 1]; e++) {
        int32_t edge = s->mesh->twin[e];
        if (edge < 0)
            continue;
        int32_t nearest = first_side;
        for (int32_t i = first_side + 1; i < end_side; i++)
            if (side_distance(s, edge, i) < side_distance(s, edge, nearest))
                nearest = i;
        s->end_side[edge] = nearest;
        offer(s, edge, -1);
    }
}

static void begin(throng_way_search *s)
{
    s->rounds = 1;
    for (int32_t f = 0; s->round && f < s->mesh->face_count; f++)
        s->round[f] = s->goal->start[f] < s->goal->start[f + 1];
    for (int32_t f = 0; f < s->mesh->face_count; f++)
        if (s->goal->start[f] < s->goal->start[f + 1])
            begin_at(s, f, s->goal->start[f], s->goal->start[f + 1]);
}

static void settle(throng_way_search *s, int32_t edge)
{
    throng_bend bend;
    s->left[edge] = way_from(s, throng_edge_left(s->mesh, edge), edge, s->next[edge], &bend);
    s->right[edge] = way_from(s, throng_edge_right(s->mesh, edge), edge, s->next[edge], &bend);
    s->state[edge] = SETTLED;
    s->order[s->settled++] = edge;
    if (s->round && s->round[s->mesh->face[edge]] == 0)
        s->round[s->mesh->face[edge]] = s->rounds;
}

/* Every portal into the face that `edge` leaves may go on through `edge`. */
static void relax_into(throng_way_search *s, int32_t edge)
{
    int32_t face = s->mesh->face[edge];
    for (int32_t e = s->mesh->face_start[face]; e < s->mesh->face_start[face + 1]; e++)
        if (e != edge && s->mesh->twin[e] >= 0)
            offer(s, s->mesh->twin[e], edge);
}

static void run_round(throng_way_search *s)
{
    while (s->heap_count > 0 && !s->failed) {
        throng_heap_entry top = pop(s);
        if (s->state[top.edge] == SETTLED)
            continue;
        settle(s, top.edge);
        relax_into(s, top.edge);
    }
}

bool throng_way_search_run(throng_way_search *s)
{
    if (s->heed_doors && !(s->round = calloc((size_t)s->mesh->face_count + 1, sizeof *s->round)))
        return false;
    begin(s);
    run_round(s);
    while (s->put_off_count > 0 && !s->failed) {
        begin_round(s);
        run_round(s);
    }
    return !s->failed;
}

bool throng_way_search_init(throng_way_search *s, const throng_navmesh *mesh, const throng_goal_sides *goal)
{
    size_t edges = (size_t)mesh->edge_count + 1;
    *s = (throng_way_search){.mesh = mesh, .goal = goal};
    s->state = calloc(edges, 1);
    s->next = malloc(edges * sizeof *s->next);
    s->end_side = malloc(edges * sizeof *s->end_side);
    s->cost = malloc(edges * sizeof *s->cost);
    s->target = malloc(edges * sizeof *s->target);
    s->left = malloc(edges * sizeof *s->left);
    s->right = malloc(edges * sizeof *s->right);
    s->order = malloc(edges * sizeof *s->order);
    s->sleeve = (throng_sleeve){mesh, s->next, s->end_side, goal->a, goal->b};
    if (s->state && s->next && s->end_side && s->cost && s->target && s->left && s->right && s->order)
        return true;
    throng_way_search_fini(s);
    return false;
}

void throng_way_search_fini(throng_way_search *s)
{
    free(s->state);
    free(s->next);
    free(s->end_side);
    free(s->cost);
    free(s->target);
    free(s->left);
    free(s->right);
    free(s->order);
    free(s->heap);
    free(s->round);
    free(s->put_off);
    memset(s, 0, sizeof *s);
}
