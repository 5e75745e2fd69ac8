/* The world's fixed parts: the arrays stay the caller's. */
#include "cpu_backend.h"

#include <string.h>

bool cpu_set_walls(throng_backend *b, const throng_walls *w, throng_error *error)
{
    if (!b->crowd.walls.count && w->count && b->capacity && !cpu_reserve_walls(b, 0, b->capacity))
        return throng_fail(error, "out of memory for the walls seen by %d agents", b->capacity);
    memcpy(&b->crowd.walls, w, sizeof *w);
    return true;
}

bool cpu_set_sides(throng_backend *b, const throng_walls *w, throng_error *error)
{
    (void)error;
    memcpy(&b->crowd.walls, w, sizeof *w);
    return true;
}

bool cpu_set_navigation(throng_backend *b, const throng_navigation *w, throng_error *error)
{
    (void)error;
    b->crowd.navigation = (crowd_navigation){.faces = w->faces,
                                             .face_start = w->face_start,
                                             .ax = w->ax,
                                             .ay = w->ay,
                                             .bx = w->bx,
                                             .by = w->by,
                                             .twin = w->twin,
                                             .face = w->face,
                                             .tree_base = w->tree_base,
                                             .next = w->next,
                                             .window_start = w->window_start,
                                             .window_edge = w->window_edge,
                                             .window_root = w->window_root,
                                             .window_next = w->window_next,
                                             .right_x = w->right_x,
                                             .right_y = w->right_y,
                                             .left_x = w->left_x,
                                             .left_y = w->left_y,
                                             .root_ax = w->root_ax,
                                             .root_ay = w->root_ay,
                                             .root_bx = w->root_bx,
                                             .root_by = w->root_by,
                                             .root_on_x = w->root_on_x,
                                             .root_on_y = w->root_on_y,
                                             .root_rest = w->root_rest,
                                             .side_base = w->side_base,
                                             .side_start = w->side_start,
                                             .side_ax = w->side_ax,
                                             .side_ay = w->side_ay,
                                             .side_bx = w->side_bx,
                                             .side_by = w->side_by,
                                             .tree_mesh = w->tree_mesh,
                                             .mesh_x = w->mesh_x,
                                             .mesh_y = w->mesh_y,
                                             .mesh_cell = w->mesh_cell,
                                             .mesh_columns = w->mesh_columns,
                                             .mesh_rows = w->mesh_rows,
                                             .mesh_cells = w->mesh_cells,
                                             .face_cell = w->face_cell,
                                             .face_list = w->face_list,
                                             .node_x = w->node_x,
                                             .node_y = w->node_y,
                                             .node_start = w->node_start,
                                             .node_list = w->node_list,
                                             .road_side = w->road_side,
                                             .road_side_end = w->road_side_end,
                                             .road_base = w->road_base,
                                             .road_cost = w->road_cost,
                                             .shut = w->shut,
                                             .road_heeds = w->road_heeds,
                                             .tree_congestion = w->tree_congestion,
                                             .delay = w->delay,
                                             .congestion_square = w->congestion_square};
    return true;
}

bool cpu_set_goals(throng_backend *b, const throng_goals *g, throng_error *error)
{
    (void)error;
    const throng_fields *f = &g->fields;
    crowd_fields fields = {f->x, f->y, f->cell, f->columns, f->rows, f->base, f->direction_x, f->direction_y, f->aim};
    b->crowd.goals = (crowd_goals){g->count, (const crowd_goal *)g->goal, g->ax, g->ay, g->bx, g->by, g->last, fields};
    return true;
}

bool cpu_set_waypoints(throng_backend *b, const throng_waypoints *c, throng_error *error)
{
    (void)error;
    b->crowd.waypoints = (crowd_waypoints){c->count, c->x, c->y, c->turn};
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

bool cpu_set_programs(throng_backend *b, const throng_programs *given, throng_error *error)
{
    (void)error;
    programs *p = &b->programs;
    void *const *columns = (void *const *)&b->columns;
    p->code = given->code;
    p->list = given->list;
    p->targets = given->targets;
    p->parameters = given->parameters;
    b->crowd.steered = NULL;
    memset(b->crowd.computed, 0, sizeof b->crowd.computed);
    for (int32_t t = 0; t < given->targets; t++) {
        const throng_program_target *g = &given->target[t];
        void *to = g->values ? g->values : columns[g->column[0]];
        void *second = g->column[1] >= 0 ? columns[g->column[1]] : NULL;
        p->target[t] = (program_target){(uint32_t)g->column[0], g->values != NULL, g->bound, {to, second}};
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
    b->fsm.states = given->states;
    b->fsm.own = given->own;
    b->fsm.state = (const fsm_state *)given->state;
    b->fsm.option = (const fsm_option *)given->option;
    b->fsm.condition = (const fsm_condition *)given->condition;
    b->fsm.goal = given->goal;
    return true;
}
