/* What the files of a world that goes on (world_migrate*.c) share. */
#ifndef THRONG_WORLD_MIGRATE_PARTS_H
#define THRONG_WORLD_MIGRATE_PARTS_H

#include "world_migrate.h"
#include "world_parts.h"

static inline bool throng_migrate_column_is(int column, int attributes)
{
    return throng_columns[column].attributes & attributes;
}

/* An agent of the old world, by its slot there, and of the fresh one. */
typedef struct pair {
    int32_t from, to;
    bool later; /* it was spawned after the file was loaded */
} pair;

typedef struct migrating {
    throng_world *old, *fresh;
    const throng_world *had; /* what the old world had: its agents and paths; the old or, taken over, the fresh one */
    const throng_baseline *before, *after;
    throng_migration *out;
    pair *pairs; /* [count] */
    int32_t count;
    bool same_meshes; /* faces and half-edges have the same numbers */
} migrating;

/* The columns by which an agent finds its way; a face of -1 is looked for. */
typedef struct route_columns {
    int32_t *goal, *arrived, *face, *exit_edge, *state, *asked;
    float *goal_x, *goal_y;
} route_columns;

/* world_migrate_agents.c */
/* Finds the pairs. */
bool throng_migrate_agents(migrating *c, throng_error *error);
/* The same where everybody stays in the old world's slots, and the file's agents are the same ones. */
bool throng_migrate_stay(migrating *c, throng_error *error);
/* The fresh world's group for those who have `group` now; groups that came later are made. -1: gone from the file; -2:
 * failure */
int32_t throng_migrate_group_of(const migrating *c, int32_t group, throng_error *error);
/* The fresh world's column, or planners' parameter, for that of the old; -1: the file no longer declares it. */
int throng_migrate_column_of(const migrating *c, int column);
/* Gives numbers to those who start over. */
bool throng_migrate_companies(const migrating *c, throng_error *error);
bool throng_migrate_number(const migrating *c, throng_error *error);

/* world_migrate_whole.c */
/* Does the file say the same of who there is, and of where and how they go? */
bool throng_migrate_says_the_same(const migrating *c);
/* Then the fresh world takes the old one's parts, and `had` is the fresh one. */
bool throng_migrate_take_over(migrating *c, throng_error *error);

/* world_migrate_routes.c */
bool throng_migrate_routes(throng_world *world, bool write, route_columns *columns, throng_error *error);
bool throng_migrate_same_meshes(const throng_world *old, const throng_world *fresh);
const world_target *throng_migrate_target_of(const throng_world *world, int32_t goal);
bool throng_migrate_same_goal(const throng_world *a, int32_t goal_a, const throng_world *b, int32_t goal_b);
/* The agent goes on to `goal` of the fresh world, which is the one it has in the old; throng_migrate_locate must
 * follow, since it may be walked to on another mesh. */
void throng_migrate_keep_goal(const migrating *c, const pair *p, const route_columns *from, const route_columns *to,
                              int32_t goal);
/* The crowds before portals are as known as they were; for goals that are there. */
bool throng_migrate_congestion(const migrating *c, throng_error *error);
/* The same target in a world, -1 on failure. */
int32_t throng_migrate_target(throng_world *world, const world_target *target, throng_error *error);

/* world_migrate_goals.c */
bool throng_migrate_goals(const migrating *c, throng_error *error);

/* world_migrate_states.c */
/* The number of the machine that the agent runs because a callback said so, 0: what it runs is what the file says. */
int64_t throng_migrate_machine(const migrating *c, const pair *p, const route_columns *from);
/* Of those who run what the file says. */
bool throng_migrate_states(const migrating *c, throng_error *error);
/* A face for each agent that has none of the mesh it walks on, or will when its machine sends it; from there on the
 * stages find the next (kernels/routing/faces.h). */
bool throng_migrate_locate(throng_world *world, throng_error *error);

/* world_migrate_programs.c: behaviour functions that callbacks gave, or took away. */
bool throng_migrate_programs(const migrating *c, throng_error *error);

/* What else the file makes: see world_migrate_things.c. */
typedef struct world_things {
    throng_body *body;     /* [bodies] */
    throng_handle *handle; /* [bodies] */
    uint32_t *generation;  /* [body_slots] also where nobody is: handles of those who were removed have smaller ones */
    world_hazard *hazard;  /* [hazards] */
    int32_t bodies, body_slots, hazards, next_hazard;
} world_things;

/* Also what could not be taken whole is to be freed. */
bool throng_things_take(world_things *things, const throng_world *world, throng_error *error);
void throng_things_fini(world_things *things);
bool throng_things_same(const world_things *a, const world_things *b);
bool throng_migrate_things(const migrating *c, const world_things *before, const world_things *after,
                           throng_error *error);

/* world_baseline.c */
struct throng_baseline {
    int32_t slots, groups;
    throng_handle *agent;                 /* [slots] also of who was removed: see throng_baseline_has */
    int32_t *group;                       /* [slots] -1: nobody */
    int32_t *rank;                        /* [slots] which of its group it is, from 0 */
    int32_t *count;                       /* [groups] */
    uint32_t *value[THRONG_COLUMN_COUNT]; /* [slots] of remembered columns; NULL: everybody had the initial value */
    uint8_t *bound;                       /* [slots * targets] does a behaviour function write the column? */
    int column[THRONG_PROGRAM_TARGETS];
    int32_t targets;
    throng_planner *planners; /* [planner_count] */
    int32_t planner_count;
    bool may_choose;
    double parameters[THRONG_PHASE_PARAMETERS];
    float *weights; /* [weight_groups * weight_groups] */
    int32_t weight_groups;
    bool *door_shut, *door_held;
    double *door_cost;
    int *door_way;
    float *belt;       /* [sheets] */
    uint8_t *lift_use; /* [stops] */
    world_things things;
};

/* Did the file leave somebody in the slot? */
static inline bool throng_baseline_has(const throng_baseline *baseline, int32_t slot)
{
    return baseline->group[slot] >= 0;
}

/* What the file gave the agent in slot `slot` of the world; not for agents that came later. */
uint32_t throng_baseline_value(const throng_baseline *baseline, int column, int32_t slot);
/* Did a behaviour function write that column? */
bool throng_baseline_bound(const throng_baseline *baseline, int column, int32_t slot);

#endif
