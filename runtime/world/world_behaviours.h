/* Behaviour functions and state machines: world_programs.c, world_machines.c, world_leaders.c. */
#ifndef THRONG_WORLD_BEHAVIOURS_H
#define THRONG_WORLD_BEHAVIOURS_H

#include "world_routing.h"

/* A column that programs write for some agents, or (from THRONG_COLUMN_COUNT on) a parameter of planners. */
typedef struct world_target_column {
    int column;
    int32_t *bound; /* [capacity] by slot: program, THRONG_UNBOUND or THRONG_KEPT */
    float *values;  /* [capacity] of a parameter: NaN where no program gives it; else NULL */
} world_target_column;

enum { THRONG_PROGRAM_PLACE = 64 };

typedef struct world_programs {
    throng_instruction *code;
    int32_t code_count, code_room;
    throng_program *list;
    int32_t count, room, sweep_at;
    char (*places)[THRONG_PROGRAM_PLACE]; /* [count] where the script has each; "": nobody knows */
    int32_t place_room;
    int32_t *line; /* [code_count] where it has each instruction, in lines; */
    int32_t line_room;
    char (*lines)[THRONG_PROGRAM_PLACE]; /* [line_count] each text once, the first is "": nobody knows */
    int32_t line_count, lines_room;
    world_target_column target[THRONG_PROGRAM_TARGETS];
    int32_t targets, capacity;
    uint32_t moves; /* of the agent store when the backend was told */
    bool changed;   /* since then */
} world_programs;

/* Which lines gave results that were no finite numbers: world_undefined.c. */
typedef struct world_undefined {
    throng_undefined_line list[THRONG_UNDEFINED_LINES];
    int32_t count;
    uint64_t known; /* how many results there were when that was asked last */
    int64_t effort; /* instructions of agents that may still be looked at */
} world_undefined;

/* A machine as it runs for those who walk in one way: its states and goals in the table. */
typedef struct world_machine {
    int64_t number;
    world_route_profile profile;
    int32_t first_state, states, first_goal, goals, first_option;
} world_machine;

/* A goal of the table that lies where the first of a group is. */
typedef struct world_leader {
    int32_t goal, kind;
    double radius; /* m */
    world_route_profile profile;
    throng_handle agent;
    throng_point at; /* where it was when the goal was set */
} world_leader;

typedef struct world_fsm {
    throng_fsm table; /* its arrays are owned */
    char **names;     /* [table.states] */
    world_machine *machines;
    world_leader *leaders;
    int32_t machine_count, leader_count;
    int32_t state_room, option_room, condition_room, goal_room, name_room, machine_room, leader_room;
    uint32_t moves; /* of the agent store when the backend was told */
    bool changed;   /* since then */
} world_fsm;

/* What is in the air (contract/air.h): world_air.c. */
typedef struct world_air {
    throng_air table;
    float *value;       /* the table's, owned */
    throng_point first; /* place of the first point, m */
    double cell;        /* m */
    bool changed;       /* since the backend was told */
    bool smoky;         /* there is smoke to be seen: */
    int32_t smoke;      /* the layer of its extinction, -1: the same everywhere, */
    double extinction;  /* 1/m */
} world_air;

/* Can it give what is no finite number, of finite ones that are not huge? world_programs.c */
bool throng_world_program_may_fail(const world_programs *programs, const throng_program *program);

int throng_program_reads(int op); /* how many registers it reads */

/* After the stage desire: where it gave what is no finite number, by which lines. Changes nothing else. */
void throng_world_find_undefined(throng_world *world);

/* How many layers of the air behaviour functions read: world_programs.c. */
int32_t throng_world_air_read(const throng_world *world);

/* world_air.c */
bool throng_world_upload_air(throng_world *world, throng_error *error);
void throng_world_free_air(throng_world *world);

/* world_machines.c */
throng_column_set throng_world_fsm_columns(const throng_world *world); /* columns that machines write */
bool throng_world_upload_fsm(throng_world *world, throng_error *error);
void throng_world_free_fsm(throng_world *world);
/* Goals follow their leaders, twice a second. */
bool throng_world_follow_leaders(throng_world *world, throng_error *error);

/* world_leaders.c */
/* The leader's slot, whoever that is now; -1: nobody. */
int32_t throng_world_leader(throng_world *world, world_leader *leader, throng_error *error);
/* A target where the leader is now; -1 on failure. */
int32_t throng_world_lead(throng_world *world, world_leader *leader, throng_error *error);

/* world_programs.c */
bool throng_world_unbind_all(throng_world *world, const throng_handle *handles, int32_t count, throng_error *error);
throng_column_set throng_world_program_columns(const throng_world *world); /* columns that programs write */
bool throng_world_upload_programs(throng_world *world, throng_error *error);
void throng_world_free_programs(throng_world *world);

#endif
