/* What planners saw and chose, to look at, one agent at a time: for lanes of one. Worked out again from what the last
 * sense stage gathered: exactly so between the stages plan and move; after move with the heading, the velocity and the
 * frustration of now. */
#ifndef THRONG_KERNEL_PROBE_H
#define THRONG_KERNEL_PROBE_H

#include "bvp.h"
#include "kernels/contract/choice.h"
#include "kernels/contract/local_map.h"
#include "plan.h"
#include "probe_pairs.h"

LANE_FN void probe_cell(const bvp_map *m, int i, int j, float q, bool changes, throng_local_map *map)
{
    double rest = (double)q / (double)BVP_ONE;
    map->potential[j * m->width + i] = (float)(1 - rest);
    map->rest[j * m->width + i] = rest;
    map->zone[j * m->width + i] = changes ? THRONG_ZONE_FREE : q > 0 ? THRONG_ZONE_GOAL : THRONG_ZONE_OBSTACLE;
}

/* All but the cells. */
LANE_FN void probe_head(const bvp_map *m, throng_local_map *map)
{
    map->width = m->width;
    map->height = m->height;
    map->x = m->x;
    map->y = m->y;
    map->cell = m->cell;
    map->to_x = m->to_x;
    map->to_y = m->to_y;
}

/* --- choices, of the agent at sorted index i, which prefers (dx, dy) ----------------------------- */

LANE_FN void probe_orca(const crowd *c, int32_t i, float dx, float dy, throng_choice *out)
{
    orca_problem p;
#if defined(__CUDACC__)
    orca_line room[ORCA_LINES_MAX];
    p.lines.line = room;
    p.lines.stride = 1;
#endif
    orca_solve(c, c->k, c->walls.count > 0, i, lane_not(lane_none()), dx, dy, &p);
    for (int s = 0; s < p.count; s++) {
        orca_line o = orca_line_of(&p.lines, s);
        throng_choice_line line = {o.px, o.py, o.dx, o.dy};
        if (line.dx == 0 && line.dy == 0)
            continue;
        out->line[out->count++] = line;
        out->walls += s < p.walls;
    }
}

/* A region of fewer sides has others that all is beyond. */
LANE_FN void probe_region(const clearpath_line *line, int sides, throng_choice *out)
{
    throng_choice_region *r = &out->region[out->count++];
    for (int side = 0; side < THRONG_CHOICE_SIDES; side++) {
        clearpath_line l = side < sides ? line[side] : clearpath_line_all();
        r->nx[side] = l.nx;
        r->ny[side] = l.ny;
        r->d[side] = l.d;
    }
}

/* Of the attempt that was the last one. */
LANE_FN void probe_clearpath(const crowd *c, int32_t i, float dx, float dy, throng_choice *out)
{
    lane_m all = lane_not(lane_none());
    bool walls = c->walls.count > 0;
    clearpath_task next = clearpath_first_task(c, i, all, dx, dy), tried;
    do
        tried = next;
    while (lane_any(clearpath_solve(c, c->k, walls, all, &next)));
    clearpath_self me = clearpath_look_at_self(c, &tried);
    clearpath_line line[CLEARPATH_LINES];
    clearpath_lines g = {line, 0, 0};
    clearpath_collect(c, c->k, walls, &me, &tried, all, &g);
    out->reach = me.limits.reach;
    out->walls = walls ? c->wall_count[i] : 0;
    for (int r = 0; r < g.regions; r++)
        probe_region(&line[CLEARPATH_SIDES * r], CLEARPATH_SIDES, out);
    for (int half = 0; half < g.halves; half++)
        probe_region(clearpath_half_line(&g, half), 1, out);
}

LANE_FN void probe_sample(const crowd *c, const rvo_self *me, const rvo_scene *scene, float vx, float vy,
                          throng_choice *out)
{
    rvo_best best = {INFINITY, 0, 0};
    rvo_try(c, me, scene, out->preferred_x, out->preferred_y, vx, vy, lane_not(lane_none()), &best);
    throng_choice_sample sample = {vx, vy, best.cost};
    out->sample[out->count++] = sample;
}

LANE_FN void probe_rvo(const crowd *c, int32_t i, float dx, float dy, throng_choice *out)
{
    rvo_self me = rvo_look_at_self(c, i);
    rvo_scene scene;
    rvo_collect(c, &me, c->k, c->walls.count > 0, lane_not(lane_none()), &scene);
    out->reach = me.limits.reach;
    limits_pull(&me.limits, &dx, &dy);
    probe_sample(c, &me, &scene, dx, dy, out);
    for (int32_t n = 0; n < me.samples && out->count < THRONG_CHOICE_SAMPLES; n++) {
        philox_words words = rvo_words(c, &me, n / 4);
        float vx, vy;
        if (rvo_sample(&me, rvo_word(&words, n % 4), &vx, &vy))
            probe_sample(c, &me, &scene, vx, vy, out);
    }
}

LANE_FN bool probe_is_before(const throng_choice_push *a, const throng_choice_push *b)
{
    float near = lane_dot(a->x, a->y, a->x, a->y) - lane_dot(b->x, b->y, b->x, b->y);
    if (near != 0)
        return near < 0;
    return a->x != b->x ? a->x < b->x : a->y != b->y ? a->y < b->y : a->fx != b->fx ? a->fx < b->fx : a->fy < b->fy;
}

/* The nearest, those that pushed from number `first` on being sorted: backends list a cell's agents in any order. */
LANE_FN void probe_near_push(throng_choice_push push, int32_t first, throng_choice *out)
{
    int32_t at = out->count < THRONG_CHOICE_PUSHES ? out->count++ : THRONG_CHOICE_PUSHES;
    for (; at > first && probe_is_before(&push, &out->push[at - 1]); at--)
        if (at < THRONG_CHOICE_PUSHES)
            out->push[at] = out->push[at - 1];
    if (at < THRONG_CHOICE_PUSHES)
        out->push[at] = push;
}

/* What the agents of sorted indices `from` .. `to` push with who are in its rectangle, after `first` other pushes,
 * added to the sums of `all`. */
LANE_FN void probe_pushes(const crowd *c, const forces_self *me, int32_t sheet, int32_t from, int32_t to, float weight,
                          int32_t first, forces_self *all, throng_choice *out)
{
    for (int32_t j = from; j < to; j++) {
        forces_self alone = *me;
        float dx, dy;
        if (!sheets_hold(c, j, sheet) || !forces_inside(c, j, me, lane_not(lane_none()), &dx, &dy))
            continue;
        forces_push(c, j, dx, dy, lane_not(lane_none()), &alone);
        throng_choice_push push = {-dx, -dy, weight * alone.sum_x, weight * alone.sum_y};
        probe_near_push(push, first, out);
        all->sum_x += alone.sum_x;
        all->sum_y += alone.sum_y;
    }
}

/* The pushes from number `first` on, which come to (x, y), are cut as forces_decide cuts them. */
LANE_FN void probe_cut_pushes(float x, float y, float most, int32_t first, throng_choice *out)
{
    float push = lane_sqrt(lane_dot(x, y, x, y));
    for (int32_t k = first; push > most && k < out->count; k++) {
        out->push[k].fx *= most / push;
        out->push[k].fy *= most / push;
    }
}

LANE_FN void probe_forces(const crowd *c, int32_t i, float dx, float dy, throng_choice *out)
{
    int32_t slot = c->slot[i], entry = c->planner[slot];
    forces_self me = forces_begin(c, i, slot, dx, dy);
    forces_unit(&dx, &dy);
    float weight = crowd_planner_value(c, entry, slot, THRONG_forces_walls), wx, wy;
    if (c->walls.count) {
        forces_walls(c, i, lane_not(lane_none()), &me, crowd_planner_value(c, entry, slot, THRONG_forces_comfort), &wx,
                     &wy);
        probe_push(0, 0, weight * wx, weight * wy, out);
        out->walls = 1;
    }
    float attraction = crowd_planner_value(c, entry, slot, THRONG_forces_attraction);
    int32_t walls = out->count;
    forces_self all = me;
    out->attraction_x = attraction * dx;
    out->attraction_y = attraction * dy;
    out->force_x = c->force_x[slot];
    out->force_y = c->force_y[slot];
    weight = crowd_planner_value(c, entry, slot, THRONG_forces_avoidance) / FORCES_UNIT;
    if (c->walls.sides) {
        forces_self bodies = me;
        forces_box box = forces_box_of(c, &me);
        for (int32_t n = 0, on; (on = sheets_looked_at(c, sheets_of(c, slot), n)) != SHEETS_NONE; n++)
            forces_bodies(c, &box, on, lane_not(lane_none()), &bodies);
        probe_push(0, 0, weight * bodies.sum_x, weight * bodies.sum_y, out);
        all.sum_x += bodies.sum_x;
        all.sum_y += bodies.sum_y;
        out->walls++;
    }
    float around = me.length + me.half_width;
    int32_t first = out->count;
    for (int32_t n = 0, on; (on = sheets_looked_at(c, sheets_of(c, slot), n)) != SHEETS_NONE; n++) {
        float x = me.x + sheets_off_x(c, on), y = me.y + sheets_off_y(c, on);
        int32_t x0 = crowd_column(c, x - around), y0 = crowd_row(c, y - around);
        int32_t width = crowd_column(c, x + around) - x0 + 1, height = crowd_row(c, y + around) - y0 + 1;
        width = width < c->frame.grid_width ? width : c->frame.grid_width;
        height = height < c->frame.grid_height ? height : c->frame.grid_height;
        for (int32_t row = y0; row < y0 + height; row++) {
            cell_runs runs = neighbours_runs(c, x0, width, row);
            for (int r = 0; r < 2; r++)
                probe_pushes(c, &me, on, runs.from[r], runs.to[r], weight, first, &all, out);
        }
    }
    if (crowd_planner_value(c, entry, slot, THRONG_forces_published) == 0 && weight > 0 && lane_dot(dx, dy, dx, dy) > 0)
        probe_cut_pushes(weight * all.sum_x, weight * all.sum_y, FORCES_LESS * attraction, walls, out);
}

/* The agent in `slot`, whose planner is any but bvp, which has none of it. */
LANE_FN void probe_choice(const crowd *c, int32_t slot, throng_choice *out)
{
    int32_t i = c->rank[slot];
    float dx, dy;
    plan_desired(c, i, lane_not(lane_none()), slot, &dx, &dy);
    out->planner = crowd_planner_kind(c, c->planner[slot]);
    out->vx = c->svx[i];
    out->vy = c->svy[i];
    out->preferred_x = dx;
    out->preferred_y = dy;
    out->chosen_x = c->nx[i];
    out->chosen_y = c->ny[i];
    out->max_speed = c->max_speed[slot];
    out->reach = out->ahead = INFINITY;
    out->attraction_x = out->attraction_y = out->force_x = out->force_y = 0;
    out->count = out->walls = 0;
    switch (out->planner) {
    case THRONG_PLANNER_orca: probe_orca(c, i, dx, dy, out); break;
    case THRONG_PLANNER_clearpath: probe_clearpath(c, i, dx, dy, out); break;
    case THRONG_PLANNER_rvo: probe_rvo(c, i, dx, dy, out); break;
    case THRONG_PLANNER_forces: probe_forces(c, i, dx, dy, out); break;
    case THRONG_PLANNER_collision_free_speed: probe_collision_free_speed(c, i, dx, dy, out); break;
    case THRONG_PLANNER_social_force: probe_social_force(c, i, dx, dy, out); break;
    case THRONG_PLANNER_anticipation: probe_anticipation(c, i, dx, dy, out); break;
    case THRONG_PLANNER_generalized_centrifugal_force: probe_generalized_centrifugal_force(c, i, dx, dy, out); break;
    case THRONG_PLANNER_power_law: probe_power_law(c, i, dx, dy, out); break;
    default: break;
    }
}

#endif
