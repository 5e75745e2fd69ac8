/* How causes are found: private to world_stuck.c and stuck_*.c. */
#ifndef THRONG_STUCK_PARTS_H
#define THRONG_STUCK_PARTS_H

#include "near_points.h"
#include "world_parts.h"

#define STUCK_GAP   0.5 /* m between a body and what stands before it, at most */
#define STUCK_AHEAD 0.5 /* least cosine of the angle between where one wants to go and what is ahead */

enum { STUCK_UNASKED = -2 };

/* By slot; those of the second and third line are NULL while nobody uses them. */
typedef struct stuck_columns {
    const int32_t *state, *goal, *since, *arrived;
    const int32_t *waypoint, *exit_edge, *machine;
    const float *goal_x, *goal_y, *pace;
    const float *x, *y, *radius, *wx, *wy;
} stuck_columns;

/* Of a column that may not be used. */
static inline int32_t stuck_value(const int32_t *column, int32_t slot) { return column ? column[slot] : -1; }

static inline throng_point stuck_place(const stuck_columns *c, int32_t slot)
{
    return (throng_point){(double)c->x[slot], (double)c->y[slot]};
}

/* One that is asked about. */
typedef struct stuck_agent {
    throng_world *w;
    const stuck_columns *c;
    const near_points *near; /* everybody */
    int32_t *before; /* [slots] who stands before each, nearest, -1: nobody, STUCK_UNASKED: filled in as it is asked */
    int32_t slot;
    const world_goal *goal;
    const world_target *target;
    throng_point at;
    double dx, dy; /* unit vector to where it wants to go; 0, 0: nowhere */
} stuck_agent;

/* Who is at the head of a queue: stuck, walks on, or has arrived where those behind want to be. */
typedef enum stuck_head { STUCK_HEAD_STANDS, STUCK_HEAD_MOVES, STUCK_HEAD_AT_GOAL } stuck_head;

/* Who stands before one: one of them may want to go the other way, and get nowhere either. */
typedef enum stuck_before { STUCK_BEFORE_NOBODY, STUCK_BEFORE_SOMEBODY, STUCK_BEFORE_OPPOSED } stuck_before;

/* stuck_queue.c */

/* The unit vector to where it wants to go; false: nowhere. */
bool throng_stuck_direction(const stuck_columns *c, int32_t slot, double *x, double *y);
/* Fills in who stands before it. */
stuck_before throng_stuck_look_before(const stuck_agent *a);
/* Has it arrived? Who does so in this very step may be about to leave. */
bool throng_stuck_stands_arrived(const throng_world *w, const stuck_columns *c, int32_t slot);
/* Has another arrived so where it goes itself? */
bool throng_stuck_stands_at_goal(const stuck_agent *a, int32_t other);
/* What is at the head of the queue that it stands in. */
stuck_head throng_stuck_head_of_queue(const stuck_agent *a);

/* stuck_goal.c: do others who have arrived stand where it would be next in its goal, and is that near? */
bool throng_stuck_goal_is_taken(const stuck_agent *a);

/* stuck_cause.c */
throng_stuck_cause throng_stuck_cause_of(stuck_agent *a);

/* stuck_jams.c: numbers the jams in the order of their first agents, who have a jam of -1 before. `slots`: all slots
 * are below this. */
bool throng_stuck_number_jams(throng_stuck *list, int32_t count, int32_t slots, throng_error *error);

#endif
