/* Detection: who could touch whom in this step, and which wishes violate a constraint. */
#ifndef THRONG_DETECT_H
#define THRONG_DETECT_H

#include "active.h"
#include "kernels/sense/neighbours.h"
#include "trials.h"
#include "wall_contacts.h"

/* Neighbours read together: on CUDA memory then has several requests at a time to answer, which is what it waits for.
 * (More of them take registers, and with those threads.) */
#if defined(__CUDACC__)
enum { CONTACTS_GROUP = 2 };
#else
enum { CONTACTS_GROUP = 1 };
#endif
enum { CONTACTS_NOTED = 32 }; /* with so many noted they are met */

enum contacts_visit { CONTACTS_DETECT = 1, CONTACTS_COLLECT = 2, CONTACTS_LIST = 4, CONTACTS_TURN = 8 };

typedef struct contacts_visitor {
    lane_m violated;       /* DETECT: some constraint is */
    int overlaps;          /* DETECT: pairs closer than CONTACTS_LIMIT, each counted once */
    int conflicts;         /* DETECT: pairs that would be after this step if they all had their wish */
    lane_f worst;          /* DETECT: least distance / sum of radii */
    nearest_list list;     /* COLLECT: gap, sorted index */
    lane_f left_out;       /* COLLECT: least gap that found no place */
    int longest;           /* COLLECT: no lane's list has more entries */
    int32_t turn;          /* LIST: for this iteration */
    int32_t rank, threads; /* LIST: of every `threads` agents of a cell those from `rank` on: CUDA shares them out */
    shape_trials *trials;  /* TURN */
    /* DETECT: conflicts with somebody who has this planner */
    int conflicts_of[THRONG_PLANNER_COUNT];
} contacts_visitor;

/* Counts a conflict of agent `me` with agent j, also for the planners of both. */
LANE_FN void contacts_conflict(const crowd *c, const contact_body *me, lane_i j, lane_m lanes, contacts_visitor *v)
{
    if (!lane_any(lanes))
        return;
    lane_i mine = crowd_planner_kind(c, lane_gather_i(c->planner, lane_gather_i(c->slot, me->index)));
    lane_i theirs = crowd_planner_kind(c, lane_gather_i(c->planner, lane_gather_i(c->slot, j)));
    v->conflicts += lane_count(lanes);
    for (int kind = 0; kind < THRONG_PLANNER_COUNT; kind++)
        v->conflicts_of[kind] += lane_count(lanes & ((mine == kind) | (theirs == kind)));
}

/* (gap, slot) of agent j before that of agent `other`, or of a free entry? */
LANE_FN lane_m contacts_before(const crowd *c, lane_f gap, lane_i j, lane_f other_gap, lane_i other)
{
    lane_m before = gap < other_gap, same = gap == other_gap;
    if (lane_any(same))
        before = before | (same & (lane_gather_i(c->slot, j) < lane_gather_i(c->slot, lane_select_i(same, other, j))));
    return before;
}

/* nearest_insert, from the last entry on that may be there. */
LANE_FN void contacts_insert(const crowd *c, contacts_visitor *v, lane_f gap, lane_i j, lane_m lanes)
{
    nearest_list *list = &v->list;
#if defined(__CUDACC__)
    const int last = THRONG_CONTACTS_MAX - 1; /* a constant: the list is in registers */
#else
    int last = v->longest < THRONG_CONTACTS_MAX ? v->longest++ : THRONG_CONTACTS_MAX - 1;
#endif
    lane_m before = lanes & contacts_before(c, gap, j, list->distance[last], list->slot[last]);
    LANE_UNROLL
    for (int s = last; s > 0; s--) {
#if !defined(__CUDACC__) /* there a way out at every entry costs more than the entries beyond it */
        if (!lane_any(before))
            return;
#endif
        lane_m further = before & contacts_before(c, gap, j, list->distance[s - 1], list->slot[s - 1]);
        lane_f d = lane_select(further, list->distance[s - 1], gap);
        lane_i i = lane_select_i(further, list->slot[s - 1], j);
        list->distance[s] = lane_select(before, d, list->distance[s]);
        list->slot[s] = lane_select_i(before, i, list->slot[s]);
        before = further;
    }
    list->distance[0] = lane_select(before, gap, list->distance[0]);
    list->slot[0] = lane_select_i(before, j, list->slot[0]);
}

/* Could the two touch in this step? */
LANE_FN lane_m contacts_could_touch(const crowd *c, lane_f gap) { return gap < 2 * c->largest_step; }

/* Notes which of the pairs `p` of agents `me` and j, so far apart, are violated, and counts. */
LANE_FN void contacts_check(const crowd *c, const contact_body *me, const contact_body *other, const contact_pair *p,
                            lane_f gap, lane_m lanes, contacts_visitor *v)
{
    lane_i j = other->index;
    lane_m violated = lanes & (contacts_approach(p, me, other) > gap + c->frame.tolerance * p->radii);
    lane_m inside = lanes & (p->distance < CONTACTS_LIMIT * p->radii);
    v->violated = v->violated | violated;
    if (lane_any(violated | inside)) {
        lane_m once = lane_gather_i(c->slot, me->index) < lane_gather_i(c->slot, j);
        lane_f x = other->x + other->dx - me->x - me->dx, y = other->y + other->dy - me->y - me->dy;
        crowd_nearest_image(c, &x, &y);
        lane_f limit = CONTACTS_LIMIT * p->radii;
        v->overlaps += lane_count(inside & once);
        contacts_conflict(c, me, j, violated & once & (lane_dot(x, y, x, y) < limit * limit), v);
    }
    v->worst = lane_min(lane_select(lanes, p->distance / p->radii, v->worst), v->worst);
}

LANE_FN void contacts_meet(const crowd *c, contacts *k, int visit, const contact_body *me, const contact_body *other,
                           lane_m lanes, contacts_visitor *v)
{
    lane_i j = other->index;
    contact_pair p = contacts_pair(c, me, other);
    lane_f gap = p.distance - p.radii;
    if (visit & CONTACTS_TURN) {
        trials_meet(c, me, other, &p, gap, lanes, v->trials);
        return;
    }
    lanes = lanes & contacts_could_touch(c, gap);
    if (!lane_any(lanes))
        return;
    if (visit & CONTACTS_DETECT)
        contacts_check(c, me, other, &p, gap, lanes, v);
    if (visit & CONTACTS_COLLECT) {
        lane_m full = lanes & (v->list.slot[THRONG_CONTACTS_MAX - 1] >= 0);
        lane_f out = lane_max(gap, v->list.distance[THRONG_CONTACTS_MAX - 1]);
        v->left_out = lane_select(full & (out < v->left_out), out, v->left_out);
        contacts_insert(c, v, gap, j, lanes);
    }
    if (visit & CONTACTS_LIST)
        contacts_list_beyond(k, j, v->turn, lanes);
}

/* One of the few who are much larger than all others: everybody looks at them, wherever they stand. */
LANE_FN lane_m contacts_large(const crowd *c, lane_f radius) { return radius > c->frame.bulk_radius; }

/* Agents that are near one, noted first and met together: the threads of a warp, which each have others near, then go
 * through as many as one of them has, not through as many as all. */
typedef struct contacts_noted {
    int32_t agent[CONTACTS_NOTED + LANES], count;
} contacts_noted;

/* Meets those noted, of a sheet: for one lane. */
LANE_FN void contacts_meet_noted(const crowd *c, contacts *k, int visit, const contact_body *self,
                                 contacts_noted *noted, lane_m one, contacts_visitor *v)
{
    for (int e = 0; e < noted->count; e++) {
        contact_body other = contacts_body(k, lane_set_i(noted->agent[e]));
        if (!c->frame.large_count || !lane_any(contacts_large(c, shape_reach(c, other.index, other.radius))))
            contacts_meet(c, k, visit, self, &other, one, v);
    }
    noted->count = 0;
}

/* Visits everybody but the large on a sheet by cells: for one lane, agent `me`, those within `reach`, m. */
LANE_FN void contacts_visit_sheet(const crowd *c, contacts *k, int visit, const contact_body *self, int32_t me,
                                  int32_t sheet, float reach, lane_m one, contacts_noted *noted, contacts_visitor *v)
{
    lane_f x = lane_set(k->body[4 * me]), y = lane_set(k->body[4 * me + 1]);
    lane_f there_x = x + sheets_off_x(c, sheet), there_y = y + sheets_off_y(c, sheet);
    lane_f wide = reach + 1e-6f * (lane_abs(there_x) + lane_abs(there_y) + c->extent);
    int32_t left = lane_first_i(crowd_column(c, there_x - wide), one);
    int32_t low = lane_first_i(crowd_row(c, there_y - wide), one);
    int32_t width = lane_first_i(crowd_column(c, there_x + wide), one) - left + 1;
    int32_t height = lane_first_i(crowd_row(c, there_y + wide), one) - low + 1;
    width = width < c->frame.grid_width ? width : c->frame.grid_width;
    height = height < c->frame.grid_height ? height : c->frame.grid_height;
    int32_t skip = visit & CONTACTS_LIST ? v->rank : 0, stride = visit & CONTACTS_LIST ? v->threads : 1;
    for (int32_t row = low; row < low + height; row++) {
        cell_runs runs = neighbours_runs(c, left, width, row);
        for (int32_t run = 0; run < 2; run++) {
            int32_t from = run ? runs.from[1] : runs.from[0], to = run ? runs.to[1] : runs.to[0];
            for (int32_t j = from + skip; j < to; j += LANES * stride) {
                lane_i at = lane_iota(0) * stride + j;
                lane_m near = (at < to) & (at != me);
                lane_four body = lane_gather_four(k->body, lane_select_i(near, at, lane_set_i(me)));
                lane_f px = body.a - x, py = body.b - y;
                crowd_nearest_image(c, &px, &py);
                near = near & (lane_dot(px, py, px, py) < reach * reach);
                if (sheet >= 0)
                    near = near & (lane_gather_i(c->sheet, lane_select_i(near, at, lane_set_i(me))) == sheet);
                noted->count += lane_pack_i(noted->agent + noted->count, at, near);
                if (noted->count > CONTACTS_NOTED - 1)
                    contacts_meet_noted(c, k, visit, self, noted, one, v);
            }
        }
    }
}

/* Visits everybody but the large by cells: for lanes whose neighbour list does not reach as far as they can touch. */
LANE_FN void contacts_visit_cells(const crowd *c, contacts *k, int visit, const contact_body *self, lane_i i,
                                  lane_f reach, lane_m lanes, contacts_visitor *v)
{
    for (; lane_any(lanes); lanes = lanes & lane_not(lane_only_first(lanes))) {
        lane_m one = lane_only_first(lanes);
        int32_t me = lane_first_i(i, one), sheet = c->sheets.count ? c->sheet[me] : 0;
        float within = lane_greatest(reach, one, 0);
        contacts_noted noted;
        noted.count = 0;
        for (int32_t n = 0, at; (at = sheets_looked_at(c, sheet, n)) != SHEETS_NONE; n++)
            if (n == 0 || lane_any(one & (sheets_distance(c, at, self->x, self->y) <= reach * reach)))
                contacts_visit_sheet(c, k, visit, self, me, at, within, one, &noted, v);
        contacts_meet_noted(c, k, visit, self, &noted, one, v);
    }
}

/* Visits the large. */
LANE_FN void contacts_visit_large(const crowd *c, contacts *k, int visit, const contact_body *me, lane_m lanes,
                                  contacts_visitor *v)
{
    for (int32_t n = 0; n < c->frame.large_count; n++) {
        int32_t j = c->rank[c->frame.large[n]];
        if (!c->state[c->frame.large[n]] || j >= crowd_shown(c))
            continue;
        contact_body other = contacts_body(k, lane_set_i(j));
        lane_m met = lanes & (me->index != j);
        if (c->sheets.count)
            met = sheets_meet(c, lane_gather_i(c->slot, me->index), lane_set_i(c->floor[c->frame.large[n]]), met);
        contacts_meet(c, k, visit, me, &other, met, v);
    }
}

/* How far apart the middles are of those who could touch in this step, at most, but for the large. m */
LANE_FN lane_f contacts_reach(const crowd *c, const contact_body *me)
{
    return shape_reach(c, me->index, me->radius) + c->frame.bulk_radius + 2 * c->largest_step;
}

/* Visits everybody who could touch agents `i` in this step. Whom nobody sees meets nobody: contacts are mutual. */
LANE_FN void contacts_visit_all(const crowd *c, contacts *k, int visit, lane_i i, lane_m lanes, contacts_visitor *v)
{
    contact_body me = contacts_body(k, i);
    lane_f reach = contacts_reach(c, &me);
    lanes = lanes & (i < crowd_shown(c));
    lane_m listed = c->k > 0 ? lanes & (reach * reach <= lane_gather(c->seen_reach, i)) : lane_none();
    lane_i count = lane_gather_i(c->seen_count, i);
    for (int s = 0; s < c->k; s += CONTACTS_GROUP) {
        lane_i j[CONTACTS_GROUP];
        lane_m near[CONTACTS_GROUP];
        lane_four body[CONTACTS_GROUP], a[CONTACTS_GROUP];
        LANE_UNROLL
        for (int g = 0; g < CONTACTS_GROUP; g++) {
            near[g] = listed & (count > s + g);
            lane_i at = lane_select_i(near[g], i + (s + g) * c->stride, lane_set_i(0));
            j[g] = lane_select_i(near[g], lane_gather_i(c->seen, at), i);
        }
        LANE_UNROLL
        for (int g = 0; g < CONTACTS_GROUP; g++) {
            body[g] = lane_gather_four(k->body, j[g]);
            lane_f px = body[g].a - me.x, py = body[g].b - me.y;
            crowd_nearest_image(c, &px, &py);
            near[g] = near[g] & (lane_dot(px, py, px, py) < reach * reach);
        }
        if (!lane_any(near[0])) /* the list is sorted by distance */
            break;
        if (c->frame.large_count)
            for (int g = 0; g < CONTACTS_GROUP; g++)
                near[g] = near[g] & lane_not(contacts_large(c, shape_reach(c, j[g], body[g].c)));
        LANE_UNROLL
        for (int g = 0; g < CONTACTS_GROUP; g++)
            a[g] = lane_gather_four(k->a, lane_select_i(near[g], j[g], i));
        LANE_UNROLL
        for (int g = 0; g < CONTACTS_GROUP; g++)
            if (lane_any(near[g])) {
                contact_body other = contacts_join_parts(j[g], &body[g], &a[g]);
                contacts_meet(c, k, visit, &me, &other, near[g], v);
            }
    }
    lane_m search = lanes & lane_not(listed);
    if (lane_any(search))
        contacts_visit_cells(c, k, visit, &me, i, reach, search, v);
    contacts_visit_large(c, k, visit, &me, lanes, v);
}

LANE_FN void contacts_collect_begin(contacts_visitor *v)
{
    nearest_init(&v->list, THRONG_CONTACTS_MAX, lane_set(INFINITY));
    v->left_out = lane_set(INFINITY);
    v->longest = 0;
}

/* The cap of agents whose lists left out others, at this gap or more. m */
LANE_FN lane_f contacts_cap(const crowd *c, lane_f radius, lane_f left_out)
{
    lane_f part = lane_set(0.05f) * radius; /* who starts inside others may still part */
    return contacts_shorter(lane_set(-c->largest_step), lane_select(left_out < 0, part, 0.5f * left_out));
}

/* The lists of agents `first` .., of what was visited; nothing presses yet. */
LANE_FN void contacts_collect_end(const crowd *c, contacts *k, int32_t first, lane_i i, lane_m lanes,
                                  const contacts_visitor *v)
{
    for (int s = 0; s < THRONG_CONTACTS_MAX; s++) {
        lane_m there = lanes & (v->list.slot[s] >= 0);
        lane_store_i(k->partner + s * c->stride + first, v->list.slot[s], lanes);
        lane_store(k->lambda + s * c->stride + first, lane_set(0), there);
        if (!lane_any(there))
            break;
    }
    lane_m crowded = lanes & (v->left_out < INFINITY);
    if (lane_any(crowded)) {
        lane_f cap = contacts_cap(c, lane_gather(k->body + 2, 4 * i), v->left_out);
        lane_scatter(k->a + 3, 4 * i, cap, crowded);
        lane_scatter(k->b + 3, 4 * i, cap, crowded);
    }
}

/* Lists whom everybody could touch. Whose wishes violate a constraint, or who was pressed in the last step, takes part
 * from the first: the lanes are returned; counts what overlaps already. What it finds goes to b, as others read a.
 * (Lists for those alone who take part, when they do, read all that is read here again, and wait for it: a tenth of the
 * frame.) */
LANE_FN lane_m contacts_detect(const crowd *c, contacts *k, int32_t first, lane_m lanes, contacts_visitor *v)
{
    lane_i i = lane_select_i(lanes, lane_iota(first), lane_set_i(first));
    v->violated = lane_none();
    crowd_fetch_seen(c, c->k < 5 ? c->k : 5, first + 2 * LANES);
    contacts_collect_begin(v);
    contacts_visit_all(c, k, CONTACTS_DETECT | CONTACTS_COLLECT, i, lanes, v);
    contacts_collect_end(c, k, first, i, lanes, v);
    if (c->walls.count)
        v->violated = v->violated | contacts_detect_walls(c, k, i, lanes);
    lane_scatter(k->b + 2, 4 * i, lane_set(-1), v->violated);
    lane_m active = v->violated | (lanes & contacts_pressed(c, k, i));
    contacts_start(k, first, active);
    return active;
}

#endif
