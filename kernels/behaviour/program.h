/* Programs: behaviour functions of the script, evaluated for every agent they are bound to.
 *
 * A program is a list of instructions over registers, recorded from a Lua function (lua/throng/program_recorder.lua). A
 * target is a column that programs write: bound[slot] says which program writes it for that agent. The loop
 * over instructions is outermost, so that finding out what to do is paid once a tile of agents: 128 on the CPU,
 * where a register is an array of so many floats, one on the GPU, where all threads of a warp do the same.
 *
 * What a program reads of the agent is what stands in its columns when the target's turn comes: targets run in
 * the order of their columns, those of the preferred velocity after the desire stage. */
#ifndef THRONG_PROGRAM_H
#define THRONG_PROGRAM_H

#include "air.h"
#include "kernels/routing/goals.h"
#include "kernels/sense/counted.h"
#include "kernels/sense/nearest.h"
#include "kernels/sheets.h"
#include "kernels/lane/lane_math.h"
#include "kernels/lane/noise.h"
#include "kernels/lane/philox.h"
#include "kernels/contract/programs.h"

#if defined(__CUDACC__)
enum { PROGRAM_TILE = 1 };
#else
enum { PROGRAM_TILE = 128 };
#endif

#define PROGRAM_RANDOM 0x50524f47u /* the purpose of their random numbers */

/* The vector from the agents at `slot` to goal `goal`, to the nearest point of a region; 0 inside of it. Without
 * a goal (-1) it is infinitely long. */
LANE_FN void program_to_goal(const crowd *c, lane_i goal, int32_t slot, lane_m lanes, lane_f *dx, lane_f *dy)
{
    lane_m any = lanes & (goal >= 0);
    *dx = lane_set(INFINITY);
    *dy = lane_set(0);
    if (!lane_any(any))
        return;
    goal = lane_select_i(any, goal, lane_set_i(0));
    lane_f x = lane_load(c->x + slot), y = lane_load(c->y + slot), to_x = x, to_y = y;
    lane_m there = goals_target(c, goal, lane_iota(slot), any, x, y, &to_x, &to_y);
    there = there & (GOALS_INT(c, goal, kind) == THRONG_GOAL_REGION);
    *dx = lane_select(any, lane_select(there, lane_set(0), to_x - x), *dx);
    *dy = lane_select(any, lane_select(there, lane_set(0), to_y - y), *dy);
}

/* The vector to where the nearest neighbour of a group (-1: any) is now. Infinitely long when there is none. */
LANE_FN void program_to_nearest(const crowd *c, int32_t kind, int32_t slot, lane_m lanes, lane_f *dx, lane_f *dy)
{
    lane_i other = nearest_of_group(c, lane_set_i(kind), lane_iota(slot), lanes);
    lane_m found = other >= 0;
    other = lane_select_i(found, other, lane_set_i(0));
    lane_f x = lane_gather(c->x, other) - lane_load(c->x + slot), y = lane_gather(c->y, other) - lane_load(c->y + slot);
    crowd_nearest_image(c, &x, &y);
    *dx = lane_select(found, x, lane_set(INFINITY));
    *dy = lane_select(found, y, lane_set(0));
}

/* The living of the agents in slots `first` .., before slot `end`. */
LANE_FN lane_m program_alive(const crowd *c, int32_t first, int32_t end)
{
    return (lane_iota(first) < end) & (lane_load_i(c->state + first) != 0);
}

LANE_FN lane_f program_count(const crowd *c, int32_t kind, bool walking, int32_t first, int32_t end)
{
    return counted_of_group(c, kind, walking, lane_iota(first), program_alive(c, first, end));
}

LANE_FN lane_f program_truth(lane_m m) { return lane_select(m, lane_set(1), lane_set(0)); }

LANE_FN lane_f program_sine(lane_f a)
{
    lane_f s, c;
    lane_sincos(a, &s, &c);
    return s;
}

LANE_FN lane_f program_cosine(lane_f a)
{
    lane_f s, c;
    lane_sincos(a, &s, &c);
    return c;
}

#define PROGRAM_EACH for (int j = 0; j < n; j += LANES)
#define PROGRAM_NULLARY(name, expression)                                                                              \
    case THRONG_PROGRAM_##name:                                                                                        \
        PROGRAM_EACH lane_put(to + j, expression);                                                                     \
        break;
#define PROGRAM_UNARY(name, expression)                                                                                \
    case THRONG_PROGRAM_##name:                                                                                        \
        PROGRAM_EACH                                                                                                   \
        {                                                                                                              \
            lane_f a = lane_load(ra + j);                                                                              \
            lane_put(to + j, expression);                                                                              \
        }                                                                                                              \
        break;
#define PROGRAM_BINARY(name, expression)                                                                               \
    case THRONG_PROGRAM_##name:                                                                                        \
        PROGRAM_EACH                                                                                                   \
        {                                                                                                              \
            lane_f a = lane_load(ra + j), b = lane_load(rb + j);                                                       \
            lane_put(to + j, expression);                                                                              \
        }                                                                                                              \
        break;
#define PROGRAM_TERNARY(name, expression)                                                                              \
    case THRONG_PROGRAM_##name:                                                                                        \
        PROGRAM_EACH                                                                                                   \
        {                                                                                                              \
            lane_f a = lane_load(ra + j), b = lane_load(rb + j);                                                       \
            lane_f d = lane_load(r + in.index * PROGRAM_TILE + j);                                                     \
            lane_put(to + j, expression);                                                                              \
        }                                                                                                              \
        break;
#define PROGRAM_VECTOR(name, call)                                                                                     \
    case THRONG_PROGRAM_##name:                                                                                        \
        PROGRAM_EACH                                                                                                   \
        {                                                                                                              \
            lane_m alive = program_alive(c, first + j, end);                                                           \
            lane_f dx, dy;                                                                                             \
            call;                                                                                                      \
            lane_put(to + j, dx);                                                                                      \
            lane_put(r + in.b * PROGRAM_TILE + j, dy);                                                                 \
        }                                                                                                              \
        break;

/* The registers of `n` agents (whole vectors) from slot `first` on, for the column of this stream of random numbers. */
LANE_FN void program_run(const crowd *c, const throng_programs *s, const throng_program *p, uint32_t stream,
                         int32_t first, int32_t end, int n, float *r)
{
    for (int32_t at = p->first; at < p->first + p->count; at++) {
        const throng_instruction in = s->code[at];
        float *to = r + in.to * PROGRAM_TILE;
        const float *ra = r + in.a * PROGRAM_TILE, *rb = r + in.b * PROGRAM_TILE;
        switch (in.op) {
            PROGRAM_NULLARY(value, lane_set(in.value))
            PROGRAM_NULLARY(time, lane_set(c->frame.time))
            PROGRAM_NULLARY(column, lane_load(crowd_floats(c, in.index) + first + j))
            PROGRAM_NULLARY(whole, lane_to_f(lane_load_i(crowd_ints(c, in.index) + first + j)))
            PROGRAM_BINARY(add, a + b)
            PROGRAM_BINARY(subtract, a - b)
            PROGRAM_BINARY(multiply, a * b)
            PROGRAM_BINARY(divide, a / b)
            PROGRAM_UNARY(negate, -a)
            PROGRAM_BINARY(min, lane_min(b, a)) /* the first unless the second is less, as Lua does */
            PROGRAM_BINARY(max, lane_max(b, a))
            PROGRAM_UNARY(abs, lane_abs(a))
            PROGRAM_UNARY(floor, lane_floor(a))
            PROGRAM_UNARY(sqrt, lane_sqrt(a))
            PROGRAM_UNARY(sin, program_sine(a))
            PROGRAM_UNARY(cos, program_cosine(a))
            PROGRAM_UNARY(exp, lane_exp(a))
            PROGRAM_UNARY(log, lane_log(a))
            PROGRAM_BINARY(atan, lane_atan2(a, b))
            PROGRAM_BINARY(less, program_truth(a < b))
            PROGRAM_BINARY(less_equal, program_truth(a <= b))
            PROGRAM_BINARY(equal, program_truth(a == b))
            PROGRAM_TERNARY(select, lane_select(a != 0, b, d))
            PROGRAM_TERNARY(noise, noise_at(a, b, d))
            PROGRAM_NULLARY(random, philox_unit(philox_random(c->frame.seed, (lane_u)lane_load_i(c->id + first + j),
                                                              (lane_u)lane_set_i((int32_t)c->frame.step),
                                                              stream << 16 | (uint32_t)in.index, PROGRAM_RANDOM)
                                                    .a))
            PROGRAM_NULLARY(height, sheets_height(c, lane_iota(first + j)))
            PROGRAM_NULLARY(ground, sheets_ground(c, lane_iota(first + j)))
            PROGRAM_NULLARY(air, air_at(c, in.index, first + j))
            PROGRAM_NULLARY(seen, program_count(c, in.index, false, first + j, end))
            PROGRAM_NULLARY(walking, program_count(c, in.index, true, first + j, end))
            PROGRAM_VECTOR(to_place, program_to_goal(c, lane_set_i(in.index), first + j, alive, &dx, &dy))
            PROGRAM_VECTOR(to_goal, program_to_goal(c, lane_load_i(c->goal + first + j), first + j, alive, &dx, &dy))
            PROGRAM_VECTOR(to_nearest, program_to_nearest(c, in.index, first + j, alive, &dx, &dy))
        }
    }
}

/* Results that a column does not take as they are. */
typedef struct program_faults {
    int undefined; /* no finite numbers */
    int limited;   /* outside of the range, and cut off to it */
} program_faults;

/* Writes the results of program `which` to the agents bound to it. What is no finite number leaves the column as it
 * was. */
LANE_FN program_faults program_keep(const crowd *c, const throng_programs *s, const throng_program_target *t,
                                    int32_t which, int32_t first, int32_t end, int n, const float *r)
{
    const throng_program *p = &s->list[which];
    lane_f least = lane_set(p->least), most = lane_set(p->most);
    float *to = t->values ? t->values : (float *)crowd_floats(c, t->column[0]);
    program_faults faults = {0, 0};
    for (int j = 0; j < n; j += LANES) {
        lane_m lanes = (lane_iota(first + j) < end) & (lane_load_i(t->bound + first + j) == which) &
                       (lane_load_i(c->state + first + j) != 0);
        lane_f u = lane_load(r + p->result[0] * PROGRAM_TILE + j), v = lane_load(r + p->result[1] * PROGRAM_TILE + j);
        lane_m finite = (lane_abs(u) < INFINITY) & (lane_abs(v) < INFINITY);
        faults.undefined += lane_count(lanes & lane_not(finite));
        faults.limited +=
            lane_count(lanes & finite & ((u < least) | (u > most) | ((p->results > 1) & ((v < least) | (v > most)))));
        u = lane_select(finite, lane_clamp(u, least, most), lane_set(NAN));
        lane_store(to + first + j, u, t->values ? lanes : lanes & finite);
        if (p->results > 1)
            lane_store((float *)crowd_floats(c, t->column[1]) + first + j, lane_clamp(v, least, most), lanes & finite);
    }
    return faults;
}

/* The least program above `last` that any of `n` agents is bound to. */
LANE_FN int32_t program_next(const int32_t *bound, int n, int32_t last)
{
    int32_t next = INT32_MAX;
    for (int j = 0; j < n; j++)
        next = bound[j] > last && bound[j] < next ? bound[j] : next;
    return next;
}

/* Targets from .. to of the agents in slots first .. end, a tile at most. */
LANE_FN program_faults program_stage(const crowd *c, const throng_programs *s, int32_t from, int32_t to, int32_t first,
                                     int32_t end)
{
    float r[THRONG_PROGRAM_REGISTERS * PROGRAM_TILE];
    int agents = end - first < PROGRAM_TILE ? end - first : PROGRAM_TILE, n = (agents + LANES - 1) / LANES * LANES;
    program_faults faults = {0, 0};
    for (int32_t target = from; target < to; target++) {
        const throng_program_target *t = &s->target[target];
        for (int32_t p = program_next(t->bound + first, agents, -1); p < INT32_MAX;
             p = program_next(t->bound + first, agents, p)) {
            program_run(c, s, &s->list[p], t->stream, first, first + agents, n, r);
            program_faults more = program_keep(c, s, t, p, first, first + agents, n, r);
            faults.undefined += more.undefined;
            faults.limited += more.limited;
        }
    }
    return faults;
}

#endif
