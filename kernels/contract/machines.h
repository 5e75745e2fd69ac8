/* State machines. */
#ifndef THRONG_MACHINES_H
#define THRONG_MACHINES_H

#include "array_table.h"

/* What a state of a machine has its agent do. */
typedef enum throng_fsm_action {
    THRONG_FSM_STAND,  /* nothing */
    THRONG_FSM_GO,     /* to one of some goals, picked at random; arrives there */
    THRONG_FSM_FOLLOW, /* to all of them, in order; arrives at the last */
    THRONG_FSM_ON,     /* go on with the goal that it has */
    THRONG_FSM_WAIT,   /* stay, and come back when pushed away */
    THRONG_FSM_WANDER, /* from point to point within `reach` of where it began */
    THRONG_FSM_SEEK,   /* straight to a point, or the nearest agent of a group, without slowing down */
    THRONG_FSM_FLEE    /* straight away from it; arrives at `reach` */
} throng_fsm_action;

enum {
    THRONG_FSM_POINT = -2, /* in place of a kind: the state's own point */
    THRONG_FSM_NEAR = -1   /* in place of a condition's column */
};

/* Options are taken in ascending order of `below` by a random number in [0, 1); the last of a transition is above 1. A
 * transition is named by its first option; -1: none. */
typedef struct throng_fsm_option {
    float below;
    int32_t state;
} throng_fsm_option;

typedef struct throng_fsm_condition {
    int32_t column; /* THRONG_COLUMN_..., THRONG_FSM_NEAR: an agent of `kind` is nearer than `value` metres */
    int32_t kind;   /* -1: any; of a column: 0 floats, 1 whole numbers */
    int32_t above;  /* of a column: 1 greater than `value`, 0 less */
    float value;
    int32_t option;
} throng_fsm_condition;

typedef struct throng_fsm_state {
    int32_t action;
    int32_t first_goal, goals; /* THRONG_FSM_GO, _FOLLOW: goals[first_goal .. first_goal + goals) of the table */
    int32_t path;              /* THRONG_FSM_GO: the entry (kind THRONG_GOAL_OWN) by which it walks there by a path of
                                  its own, -1: as its goals say */
    float x, y;                /* m: THRONG_FSM_SEEK, _FLEE when kind is THRONG_FSM_POINT */
    int32_t kind;              /* THRONG_FSM_SEEK, _FLEE: the nearest of it, -1: of any */
    float reach;               /* m */
    float least, most;         /* s: its time is between these; least < 0: it does not end */
    int32_t arrived, ready, blocked, timeout; /* ready: its own path is there */
    int32_t first_condition, conditions;      /* tested in order in every step */
    int32_t last;                             /* 1: nothing follows */
} throng_fsm_state;

#define THRONG_FSM_ARRAYS(X)                                                                                           \
    X(throng_fsm_state, state, t->states)                                                                              \
    X(throng_fsm_option, option, t->options)                                                                           \
    X(throng_fsm_condition, condition, t->conditions)                                                                  \
    X(int32_t, goal, t->goals) /* entries of throng_goals */

/* The states of all machines of a world: what the column `fsm_state` indexes. */
typedef struct throng_fsm {
    int32_t states, options, conditions, goals;
    int32_t own; /* the goal entry of kind THRONG_GOAL_OWN that agents have who walk to points of their own */
    THRONG_FSM_ARRAYS(THRONG_ARRAY_MEMBER)
} throng_fsm;

#endif
