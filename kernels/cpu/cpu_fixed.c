/* The world's fixed parts: the arrays stay the caller's. */
#include "cpu_backend.h"

#include <string.h>

bool cpu_set_walls(throng_backend *b, const throng_walls *w, throng_error *error)
{
    if (!b->crowd.walls.count && w->count && b->capacity && !cpu_reserve_walls(b, 0, b->capacity))
        return throng_fail(error, "out of memory for the walls seen by %d agents", b->capacity);
    b->crowd.walls = *w;
    return true;
}

bool cpu_set_sides(throng_backend *b, const throng_walls *w, throng_error *error)
{
    (void)error;
    b->crowd.walls = *w;
    return true;
}

bool cpu_set_navigation(throng_backend *b, const throng_navigation *w, throng_error *error)
{
    (void)error;
    b->crowd.navigation = *w;
    return true;
}

bool cpu_set_goals(throng_backend *b, const throng_goals *g, throng_error *error)
{
    (void)error;
    b->crowd.goals = *g;
    return true;
}

bool cpu_set_waypoints(throng_backend *b, const throng_waypoints *w, throng_error *error)
{
    (void)error;
    b->crowd.waypoints = *w;
    return true;
}

bool cpu_set_planners(throng_backend *b, const throng_planner *planners, int32_t count, throng_error *error)
{
    (void)count, (void)error;
    b->crowd.planners = planners;
    return true;
}

bool cpu_set_influences(throng_backend *b, const throng_influences *influences, throng_error *error)
{
    (void)error;
    b->crowd.influences = *influences;
    return true;
}

bool cpu_set_air(throng_backend *b, const throng_air *air, throng_error *error)
{
    (void)error;
    b->crowd.air = *air;
    return true;
}

bool cpu_set_places(throng_backend *b, const throng_places *places, throng_error *error)
{
    (void)error;
    b->crowd.places = *places;
    return true;
}

bool cpu_set_sheets(throng_backend *b, const throng_sheets *sheets, throng_error *error)
{
    (void)error;
    b->crowd.sheets = *sheets;
    return true;
}

bool cpu_set_programs(throng_backend *b, const throng_programs *given, throng_error *error)
{
    (void)error;
    b->programs = *given;
    b->crowd.steered = NULL;
    memset(b->crowd.computed, 0, sizeof b->crowd.computed);
    for (int32_t t = 0; t < given->targets; t++) {
        const throng_program_target *g = &given->target[t];
        if (g->values)
            b->crowd.computed[g->column[0] - THRONG_COLUMN_COUNT] = g->values;
        if (g->column[0] == THRONG_COLUMN_desired_vx)
            b->crowd.steered = g->bound;
    }
    return true;
}

bool cpu_set_fsm(throng_backend *b, const throng_fsm *given, throng_error *error)
{
    (void)error;
    b->fsm = *given;
    return true;
}
