/* Agents as they come and what they are like: their groups, places, planners, bounds, and who is watched, steered or
 * stuck. */
#ifndef THRONG_WORLD_AGENTS_H
#define THRONG_WORLD_AGENTS_H

#include "place_grid.h"
#include "world.h"
#include "world_sizes.h"

typedef struct world_group {
    char *name;
    uint32_t colour; /* 0xRRGGBB; THRONG_NO_COLOUR: the script gave it none */
} world_group;

typedef struct world_groups {
    world_group *list;
    int32_t count, room;
    int32_t *index;     /* [index_room] 1 + the group of a name whose hash is there, or next to it; 0: none */
    int32_t index_room; /* a power of two; 0: no groups yet */
    int32_t spawned;    /* agents that ever were */
} world_groups;

/* See spawn_taken.c. */
typedef struct world_taken {
    throng_place_grid grid;
    bool known;     /* everybody is in it, as they were after `edits` of the columns that say where */
    uint64_t edits; /* of the store */
    int32_t slots;
    float largest; /* m: how far any of the slots reaches, also one where nobody is any more */
} world_taken;

typedef struct world_planners {
    throng_planner *list; /* what the column `planner` indexes */
    int32_t count, room;
    bool changed;
} world_planners;

typedef struct world_player {
    throng_handle *handles; /* [count] */
    int32_t count;
    double x, y; /* steered last */
} world_player;

/* The most that a living agent has of something, and how many have as much. */
typedef struct world_limit {
    float most;
    int32_t have;
} world_limit;

/* See world_limits.c. */
typedef struct world_limits {
    int32_t living; /* agents that were looked at and are there */
    world_limit radius, speed, sight, neighbours;
    int32_t planners[THRONG_PLANNER_COUNT]; /* so many have one of this kind */
    float bulk_radius, bulk_wall_reach;     /* m: of all but a few */
    int32_t large_count, large[THRONG_LARGE_MAX];
} world_limits;

/* What is kept of one agent's planner: see throng_world_watch. */
typedef struct world_watched {
    throng_handle agent; /* slot -1: nobody */
    bool known;
    uint32_t step;
    throng_choice choice;
} world_watched;

/* Of agents that are stuck: see world_stuck.c. */
typedef struct world_stuck {
    throng_stuck *list, *newly; /* the last answers */
    int32_t list_room, newly_room, newly_count;
    throng_handle *at_goal; /* who stood round its goal at the last look */
    int32_t at_goal_room, at_goal_count;
    bool queued;                              /* did anybody, or in a queue that moves? */
    uint64_t seen;                            /* of the backend's counter */
    int32_t counts[THRONG_STUCK_CAUSE_COUNT]; /* of this run */
} world_stuck;

/* Whom smoke has overcome: see world_overcome.c. */
typedef struct world_overcome {
    uint32_t *known;      /* [known_room] by slot: the generation of who was when last asked, 0: nobody */
    throng_handle *newly; /* the last answer */
    int32_t known_room, newly_room;
} world_overcome;

typedef struct world_hazard {
    int32_t id;
    throng_moving_hazard hazard;
} world_hazard;

typedef struct world_influences {
    float *weights; /* [groups * groups] */
    world_hazard *hazards;
    throng_hazard *shown; /* [hazard_count] as the backend has them */
    int32_t groups, hazard_count, hazard_room, shown_room, next_id;
    bool changed;
} world_influences;

void throng_world_paint_group(throng_world *world, int32_t group, uint32_t rgb); /* 0xRRGGBB */

/* sampler.c: for an agent, or whatever has that number */
double throng_world_sample(const throng_sampler *sampler, uint64_t seed, uint32_t id, uint32_t what);

/* companies.c: who walks together, of those who have just been spawned at these places [count]; and of all, from
 * column `company`. */
bool throng_world_form_companies(throng_world *world, const throng_spawn_def *def, const throng_handle *handles,
                                 const throng_point *at, throng_error *error);
bool throng_world_link_companies(throng_world *world, throng_error *error);

/* spawn_places.c */
/* Does a body come nearer than that? */
bool throng_world_body_near(const throng_world *world, throng_point point, double reach);
bool throng_world_in_areas(const throng_region *areas, int32_t count, throng_point point); /* of none: everywhere */
/* Is the place, as the floats that it becomes, in a world that wraps? In any other it is. */
bool throng_world_holds(const throng_world *world, throng_point p);
/* Position `number` of those given: finite, and in the world; else a message. */
bool throng_world_takes(const throng_world *world, throng_point p, int32_t number, throng_error *error);
/* Does the world have a map of one floor, and lies the point beyond it? */
bool throng_world_beyond(const throng_world *world, throng_point p);
/* The message where agent `i` of these sizes would stand in a wall, or beyond the map. False. */
bool throng_world_refuse_wall(const throng_world *world, const world_sizes *sizes, int32_t i, throng_point p,
                              int32_t number, const char *more, throng_error *error);
/* The box round the areas, of none round the map; without what lies beyond a map that is not open, or a world that
 * wraps. */
throng_bounds throng_world_areas_bounds(const throng_world *world, const throng_region *areas, int32_t count);
/* The box round one of them, of a likelihood as its size, by a random number in [0, 1). */
throng_bounds throng_world_draw_area(const throng_world *world, const throng_region *areas, int32_t count,
                                     double random);
/* Where the spawn's agents of these sizes [count] stand, shoulders along y: writes `out` [count]. False when there is
 * no room for all. */
bool throng_spawn_place(throng_world *world, const throng_spawn_def *def, const world_sizes *sizes, throng_point *out,
                        throng_error *error);

/* spawn_taken.c */
/* Everybody is in the grid of places that are taken, which has room for `more`; `largest`, how far these reach, becomes
 * how far anybody does. */
bool throng_world_take_in(throng_world *world, int32_t more, double *largest, throng_error *error);
/* Is everybody in it where they are now? */
bool throng_world_taken_known(const throng_world *world);
/* Where that was so, it is again, with those who came since. */
void throng_world_take(throng_world *world, const throng_handle *handles, int32_t count);
void throng_world_free_taken(throng_world *world); /* until the next spawn */

/* world_limits.c: tells the frame what bounds it, when that was written; were all agents looked at? The second is for
 * somebody who is about to be removed. */
bool throng_world_follow_limits(throng_world *world, bool *found, throng_error *error);
bool throng_world_limits_without(throng_world *world, int32_t slot, throng_error *error);

/* world_planners.c */
bool throng_world_upload_planners(throng_world *world, throng_error *error);
/* Is the local map of an agent of this radius smaller than the world, and are its cells smaller than those of a field,
 * if that is its way? False and a message. Other planners have none. */
bool throng_world_local_map_fits(const throng_world *world, const throng_planner *planner, float radius,
                                 int32_t routing, throng_error *error);
/* Are all of them so? Then the frame's reach for walls is as far as theirs. */
bool throng_world_check_local_maps(throng_world *world, throng_error *error);

/* world_influences.c */
uint64_t throng_world_mix_hazards(const throng_world *world, uint64_t hash);
bool throng_world_upload_influences(throng_world *world, throng_error *error);
void throng_world_move_hazards(throng_world *world); /* after a step */
void throng_world_free_influences(throng_world *world);

/* world_stuck.c: finds who began to be stuck, after a step. */
bool throng_world_note_stuck(throng_world *world, throng_error *error);
void throng_world_free_stuck(throng_world *world);

void throng_world_free_overcome(throng_world *world); /* world_overcome.c */

/* world_probe.c; between plan and move */
bool throng_world_keep_choice(throng_world *world, throng_error *error);

#endif
