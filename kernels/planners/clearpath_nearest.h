/* The velocity nearest to the preferred one on CPU lanes: a lane is an agent until its walks begin, then a walk.
 *
 * Of 16 agents' walks, each lane its own agent's, 3 in 16 lanes were walking at a time. So walks that have begun wait
 * in a list, and a lane that is done takes the next, of whatever agent of the vector: the lines of region j are those
 * of 16 agents in one register, of which each lane picks its agent's. */
#ifndef THRONG_CLEARPATH_NEAREST_H
#define THRONG_CLEARPATH_NEAREST_H

#include "clearpath_walk.h"
#include "kernels/crowd.h"

enum {
    CLEARPATH_WALLS = THRONG_WALLS_MAX,
    CLEARPATH_REGIONS = THRONG_WALLS_MAX + THRONG_NEIGHBOURS_MAX, /* of a wall or neighbour */
    CLEARPATH_HALVES = THRONG_NEIGHBOURS_MAX,
    CLEARPATH_LINES = CLEARPATH_SIDES * CLEARPATH_REGIONS + CLEARPATH_HALVES,
    CLEARPATH_LINE = 3 * LANES /* floats */
};

/* How far a walk is that has begun, and what it costs at least; INFINITY: there is none. */
typedef struct clearpath_begun {
    lane_f t, high, least;
} clearpath_begun;

/* The best of an agent's walks yet. */
typedef struct clearpath_found {
    float x, y, cost;
    int32_t line;
} clearpath_found;

/* The walks of a vector of agents: number n * LANES + lane is up line n of the agent in that lane. */
typedef struct clearpath_walks {
    clearpath_lines g;
    clearpath_begun begun[CLEARPATH_LINES];
    clearpath_found found[LANES];
    lane_f best; /* what these cost */
    int32_t list[CLEARPATH_LINES * LANES];
    int count, next; /* of the list */
} clearpath_walks;

/* The lanes that walk: whose walk it is, of which region, and for how many regions it has not moved. */
typedef struct clearpath_pack {
    clearpath_walk walk;
    lane_i agent, region, calm;
} clearpath_pack;

/* What the lanes' agents have of a line. */
LANE_FN clearpath_line clearpath_line_of(const clearpath_line *l, lane_i agent)
{
    clearpath_line mine = {lane_permute(l->nx, agent), lane_permute(l->ny, agent), lane_permute(l->d, agent)};
    return mine;
}

/* Is the walk worth while? */
LANE_FN bool clearpath_promises(const clearpath_walks *w, int32_t number)
{
    int32_t lane = number % LANES;
    return ((const float *)&w->begun[number / LANES].least)[lane] <= w->found[lane].cost;
}

/* Puts the lanes `fresh` on the walks with these numbers. */
LANE_FN void clearpath_load(const clearpath_walks *w, clearpath_pack *p, lane_i number, lane_m fresh)
{
    clearpath_walk *walk = &p->walk;
    p->agent = number & (LANES - 1);
    walk->of = (lane_i)((lane_u)number / LANES);
    lane_i at = walk->of * CLEARPATH_LINE + p->agent;
    const float *line = (const float *)w->g.line, *begun = (const float *)w->begun;
    walk->line.nx = lane_gather(line, at);
    walk->line.ny = lane_gather(line + LANES, at);
    walk->line.d = lane_gather(line + 2 * LANES, at);
    walk->t = lane_select(fresh, lane_gather(begun, at), walk->t);
    walk->high = lane_gather(begun + LANES, at);
    walk->best = lane_permute(w->best, p->agent);
    walk->slit = lane_select(fresh, lane_set(0), walk->slit);
    walk->lanes = walk->lanes | fresh;
    lane_m region = walk->of < CLEARPATH_SIDES * w->g.regions;
    p->region = lane_select_i(region, clearpath_region_of(walk->of), lane_set_i(CLEARPATH_REGIONS));
    p->calm = lane_select_i(fresh, lane_set_i(0), p->calm);
}

/* Lanes that do not walk take the next walks of the list. */
LANE_FN void clearpath_refill(clearpath_walks *w, clearpath_pack *p)
{
    int32_t number[LANES], fresh[LANES] = {0};
    lane_store_i(number, p->walk.of * LANES + p->agent, lane_not(lane_none()));
    for (int idle = lane_bits(lane_not(p->walk.lanes)); idle; idle &= idle - 1) {
        while (w->next < w->count && !clearpath_promises(w, w->list[w->next]))
            w->next++;
        if (w->next == w->count)
            break;
        number[lane_lowest(idle)] = w->list[w->next++];
        fresh[lane_lowest(idle)] = 1;
    }
    clearpath_load(w, p, lane_load_i(number), lane_load_i(fresh) != 0);
}

/* Ends the walks of the lanes `done`, which no region holds up any more. */
LANE_FN void clearpath_end(clearpath_walks *w, clearpath_pack *p, lane_m done)
{
    clearpath_walk walk = p->walk;
    int sides = CLEARPATH_SIDES * w->g.regions;
    walk.lanes = done;
    for (int half = 0; half < w->g.halves && lane_any(walk.lanes); half++) {
        clearpath_line l = clearpath_line_of(clearpath_half_line(&w->g, half), p->agent);
        clearpath_keep(&walk, &l, walk.lanes & (walk.of != sides + half));
    }
    clearpath_point at = clearpath_arrive(&walk, sides);
    for (int bits = lane_bits(walk.lanes); bits; bits &= bits - 1) {
        int lane = lane_lowest(bits), agent = ((const int32_t *)&p->agent)[lane];
        clearpath_found f = {((const float *)&at.x)[lane], ((const float *)&at.y)[lane],
                             ((const float *)&at.cost)[lane], ((const int32_t *)&walk.of)[lane]};
        clearpath_found *best = &w->found[agent];
        if (f.cost < best->cost || (f.cost == best->cost && f.line < best->line)) {
            *best = f;
            ((float *)&w->best)[agent] = f.cost;
        }
    }
    p->walk.lanes = p->walk.lanes & lane_not(done);
    p->walk.best = lane_permute(w->best, p->agent);
}

/* Walks all of the list, round and round the regions. */
LANE_FN void clearpath_go(clearpath_walks *w)
{
    clearpath_pack p = {.walk = {.lanes = lane_none()}};
    for (int j = 0;; j = j + 1 < w->g.regions ? j + 1 : 0) {
        if (w->next < w->count && lane_count(p.walk.lanes) <= LANES / 2)
            clearpath_refill(w, &p);
        if (!lane_any(p.walk.lanes))
            return;
        if (w->g.regions) {
            clearpath_line sides[CLEARPATH_SIDES];
            for (int side = 0; side < CLEARPATH_SIDES; side++)
                sides[side] = clearpath_line_of(&w->g.line[CLEARPATH_SIDES * j + side], p.agent);
            lane_m moved = clearpath_leave(&p.walk, sides, p.walk.lanes & (p.region != j));
            p.calm = lane_select_i(moved, lane_set_i(1), p.calm + 1);
        }
        lane_m done = p.walk.lanes & (p.calm >= w->g.regions);
        if (lane_any(done))
            clearpath_end(w, &p, done);
    }
}

/* Lists the walks of the lanes `m` up line n. */
LANE_FN void clearpath_list(clearpath_walks *w, lane_i n, lane_m m)
{
    w->count += lane_pack_i(&w->list[w->count], n * LANES + lane_iota(0), m);
}

/* Begins all walks; each lane's that can cost least. */
LANE_FN lane_i clearpath_begin(clearpath_walks *w, const clearpath_bounds *b, lane_m lanes)
{
    lane_f least = lane_set(INFINITY);
    lane_i first = lane_set_i(-1);
    for (int n = 0; n < clearpath_line_count(&w->g); n++) {
        clearpath_walk walk = clearpath_start(&w->g, b, n, lanes);
        lane_f cost = lane_select(walk.lanes, clearpath_cost(&walk), lane_set(INFINITY));
        clearpath_begun begun = {walk.t, walk.high, cost};
        w->begun[n] = begun;
        first = lane_select_i(cost < least, lane_set_i(n), first);
        least = lane_min(cost, least);
    }
    return first;
}

/* The velocity nearest to the preferred one, of those within the limits and outside all regions and half-planes, which
 * are moved; the lanes that have one. */
LANE_FN lane_m clearpath_nearest(const clearpath_lines *g, const limits *within, const clearpath_goal *goal,
                                 lane_m lanes, lane_f *vx, lane_f *vy)
{
    lane_m inside = lane_none();
    for (int r = 0; r < g->regions; r++)
        inside = inside | clearpath_centre_region(&g->line[CLEARPATH_SIDES * r], goal);
    for (int half = 0; half < g->halves; half++)
        inside = inside | clearpath_centre(clearpath_half_line(g, half), goal);
    inside = inside & lanes;
    *vx = goal->x;
    *vy = goal->y;
    if (!lane_any(inside))
        return lanes;
    clearpath_walks w;
    w.g = *g;
    w.count = w.next = 0;
    w.best = lane_set(INFINITY);
    for (int lane = 0; lane < LANES; lane++)
        w.found[lane] = (clearpath_found){0, 0, INFINITY, INT32_MAX};
    clearpath_bounds bounds = clearpath_bound(within, goal);
    lane_i first = clearpath_begin(&w, &bounds, inside);
    clearpath_list(&w, first, first >= 0); /* what these find spares others */
    clearpath_go(&w);
    w.count = w.next = 0;
    for (int n = 0; n < clearpath_line_count(g); n++)
        clearpath_list(&w, lane_set_i(n), (w.begun[n].least < INFINITY) & (w.begun[n].least <= w.best) & (first != n));
    clearpath_go(&w);
    lane_i at = lane_iota(0) * (int)(sizeof(clearpath_found) / 4);
    clearpath_take(inside, goal, lane_gather(&w.found->x, at), lane_gather(&w.found->y, at), vx, vy);
    return lanes & (lane_not(inside) | (w.best < INFINITY));
}

#endif
