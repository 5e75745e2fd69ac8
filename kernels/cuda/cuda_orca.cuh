/* ORCA on CUDA: a thread an agent, but for those whose lines leave no velocity. Nearly every warp has one or a few, and
 * all its threads would wait for their 3-d programs; so a block sets them apart, and gives each a thread group, which
 * does the same but for loops over lines: these it shares out. */
#ifndef THRONG_CUDA_ORCA_CUH
#define THRONG_CUDA_ORCA_CUH

#include "cuda_plan.cuh"
#include "cuda_thread_group.cuh"

enum { ORCA_GROUP = 4, ORCA_APART = BLOCK / ORCA_GROUP };
typedef thread_group<ORCA_GROUP> orca_group;
/* so many at a time */

/* The problems of those set apart: their lines, and what orca_program3 projects them to. */
template <int LINES> struct orca_apart {
    float4 line[LINES][ORCA_APART], projected[LINES][ORCA_APART];
    float max_speed[ORCA_APART], vx[ORCA_APART], vy[ORCA_APART];
    int32_t failed[ORCA_APART], walls[ORCA_APART], count[ORCA_APART], agent[ORCA_APART], agents;
};

/* `count`: where the compiler knows it the lines stay in registers. */
template <int LINES>
GROUP_FN void orca_set_apart(orca_apart<LINES> *apart, const orca_problem *p, int count, int32_t i, int at)
{
#pragma unroll
    for (int s = 0; s < count; s++)
        apart->line[s][at] = make_float4(p->lines.px[s], p->lines.py[s], p->lines.dx[s], p->lines.dy[s]);
    apart->max_speed[at] = p->max_speed;
    apart->vx[at] = p->vx;
    apart->vy[at] = p->vy;
    apart->failed[at] = p->failed;
    apart->walls[at] = p->walls;
    apart->count[at] = count;
    apart->agent[at] = i;
}

GROUP_FN orca_line line_of(float4 line) { return {line.x, line.y, line.z, line.w}; }

/* orca_program1 */
GROUP_FN bool group_program1(const orca_group &g, const float4 (*line)[ORCA_APART], int at, int i, float radius,
                             float vx, float vy, float *rx, float *ry)
{
    orca_line o = line_of(line[i][at]);
    orca_span span = orca_span_of(o, radius);
    for (int j = g.rank; j < i; j += ORCA_GROUP)
        orca_cut(o, line_of(line[j][at]), &span);
#pragma unroll
    for (int q = 1; q < ORCA_GROUP; q *= 2) {
        float left = group_swap(g, span.left, q), right = group_swap(g, span.right, q);
        span.left = span.left < left ? left : span.left;
        span.right = right < span.right ? right : span.right;
        span.ok = group_swap(g, (int)span.ok, q) && span.ok;
    }
    return orca_best(o, &span, vx, vy, true, rx, ry);
}

/* orca_program2, for a direction */
GROUP_FN bool group_program2(const orca_group &g, const float4 (*line)[ORCA_APART], int at, int count, float radius,
                             float vx, float vy, float *rx, float *ry)
{
    float x = vx * radius, y = vy * radius;
    for (int i = 0; i < count; i++) {
        orca_line o = line_of(line[i][at]);
        if (!(lane_det(o.dx, o.dy, o.px - x, o.py - y) > 0))
            continue;
        float nx, ny;
        if (!group_program1(g, line, at, i, radius, vx, vy, &nx, &ny))
            return false;
        x = nx;
        y = ny;
    }
    *rx = x;
    *ry = y;
    return true;
}

/* orca_program3 */
template <int LINES>
GROUP_FN void group_program3(const orca_group &g, orca_apart<LINES> *apart, int at, float *rx, float *ry)
{
    int walls = apart->walls[at], count = apart->count[at], failed = apart->failed[at];
    float radius = apart->max_speed[at], distance = 0;
    *rx = apart->vx[at];
    *ry = apart->vy[at];
    for (int j = g.rank; j < walls; j += ORCA_GROUP)
        apart->projected[j][at] = apart->line[j][at];
    for (int i = failed; i < count; i++) {
        orca_line o = line_of(apart->line[i][at]);
        if ((o.dx == 0 && o.dy == 0) || !(lane_det(o.dx, o.dy, o.px - *rx, o.py - *ry) > distance))
            continue;
        group_meet(g); /* all are done with what was projected for the line before */
        for (int j = walls + g.rank; j < i; j += ORCA_GROUP) {
            orca_line between = orca_bisector(o, line_of(apart->line[j][at]));
            apart->projected[j][at] = make_float4(between.px, between.py, between.dx, between.dy);
        }
        group_meet(g);
        group_program2(g, apart->projected, at, max(i, walls), radius, -o.dy, o.dx, rx, ry);
        distance = lane_det(o.dx, o.dy, o.px - *rx, o.py - *ry);
    }
}

/* Those that fail, so many at a time. All threads of a block call this. */
template <int LINES>
GROUP_FN void solve_apart(const crowd &c, orca_apart<LINES> *apart, const orca_problem *p, int lines, bool fails,
                          int32_t i)
{
    int mine = (int)threadIdx.x / ORCA_GROUP;
    orca_group g = group_of_thread<ORCA_GROUP>();
    for (;;) {
        if (threadIdx.x == 0)
            apart->agents = 0;
        __syncthreads();
        int at = fails ? atomicAdd(&apart->agents, 1) : ORCA_APART;
        if (at < ORCA_APART) {
            orca_set_apart(apart, p, lines, i, at);
            fails = false;
        }
        __syncthreads();
        int all = apart->agents;
        if (mine < min(all, ORCA_APART)) {
            float vx, vy;
            group_program3(g, apart, mine, &vx, &vy);
            if (g.rank == 0) {
                c.nx[apart->agent[mine]] = vx;
                c.ny[apart->agent[mine]] = vy;
            }
        }
        if (all <= ORCA_APART)
            return;
        __syncthreads();
    }
}

template <int K, bool WALLS> BODY plan_orca_body(const crowd &c)
{
    __shared__ orca_apart<K + (WALLS ? THRONG_WALLS_MAX : 0) + 1> apart;
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    bool mine = i < c.frame.agents && crowd_planner_kind(&c, c.planner[c.slot[i]]) == THRONG_PLANNER_orca;
    orca_problem p;
    p.failed = p.count = 0;
    if (mine)
        orca_solve(&c, K, WALLS, i, true, c.nx[i], c.ny[i], &p);
    int lines = WALLS ? p.count : K;
    bool fails = mine && p.failed < lines;
    if (mine && !fails) {
        c.nx[i] = p.vx;
        c.ny[i] = p.vy;
    }
    solve_apart(c, &apart, &p, lines, fails, i);
}

#endif
