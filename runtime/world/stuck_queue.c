/* Who stands before an agent, and what is at the head of the queue that it stands in. */
#include <math.h>

#include "map/geometry.h"
#include "stuck_parts.h"

static const double OPPOSITE = -0.5; /* greatest cosine between where two want to go who are in each other's way */

enum { QUEUE_LENGTH = 100 };

bool throng_stuck_direction(const stuck_columns *c, int32_t slot, double *x, double *y)
{
    double wx = (double)c->wx[slot], wy = (double)c->wy[slot], speed = hypot(wx, wy);
    *x = speed > 0 ? wx / speed : 0;
    *y = speed > 0 ? wy / speed : 0;
    return speed > 0;
}

/* Those who stand before somebody. */
typedef struct blockers {
    const stuck_agent *agent;
    int32_t nearest; /* -1: nobody does */
    double square;   /* of the distance to it */
    bool opposed;    /* one of them wants to go the other way, and gets nowhere either */
} blockers;

/* It is x, y away. */
static bool stands_before(const stuck_agent *a, int32_t other, double x, double y, double square)
{
    double along = x * a->dx + y * a->dy; /* no roots: a jam asks for everybody's neighbours */
    double reach = STUCK_GAP + (double)a->c->radius[a->slot] + (double)a->c->radius[other];
    return other != a->slot && along >= 0 && square <= reach * reach &&
           along * along >= STUCK_AHEAD * STUCK_AHEAD * square;
}

static bool opposes(const stuck_agent *a, int32_t other, double x, double y)
{
    int64_t since = a->c->since[other];
    double dx, dy;
    return since >= 0 && (int64_t)a->w->step - 1 - since >= 2 * a->w->frame.look &&
           throng_stuck_direction(a->c, other, &dx, &dy) && dx * a->dx + dy * a->dy < OPPOSITE &&
           x * dx + y * dy < -STUCK_AHEAD * hypot(x, y);
}

static bool look_at(void *context, int32_t other)
{
    blockers *b = context;
    const stuck_agent *a = b->agent;
    double x = (double)a->c->x[other] - a->at.x, y = (double)a->c->y[other] - a->at.y, square = x * x + y * y;
    if (!stands_before(a, other, x, y, square))
        return false;
    if (b->nearest < 0 || square < b->square || (square == b->square && other < b->nearest)) {
        b->nearest = other;
        b->square = square;
    }
    b->opposed = b->opposed || opposes(a, other, x, y);
    return false;
}

stuck_before throng_stuck_look_before(const stuck_agent *a)
{
    blockers b = {.agent = a, .nearest = -1};
    throng_near_points_visit(a->near, a->at, look_at, &b);
    a->before[a->slot] = b.nearest;
    return b.opposed ? STUCK_BEFORE_OPPOSED : b.nearest >= 0 ? STUCK_BEFORE_SOMEBODY : STUCK_BEFORE_NOBODY;
}

/* Every queue goes through those of its head, so each is looked for once. */
static int32_t stands_nearest(const stuck_agent *a)
{
    if (a->before[a->slot] == STUCK_UNASKED)
        throng_stuck_look_before(a);
    return a->before[a->slot];
}

static int32_t place_of(const throng_world *w, int32_t goal)
{
    return goal < 0 ? goal : w->routing.targets[w->routing.goals[goal].target].place;
}

bool throng_stuck_stands_arrived(const throng_world *w, const stuck_columns *c, int32_t slot)
{
    return c->arrived[slot] >= 0 && (int64_t)c->arrived[slot] < (int64_t)w->step - 1;
}

bool throng_stuck_stands_at_goal(const stuck_agent *a, int32_t other)
{
    const stuck_columns *c = a->c;
    return throng_stuck_stands_arrived(a->w, c, other) &&
           place_of(a->w, c->goal[a->slot]) == place_of(a->w, c->goal[other]) &&
           (!c->goal_x || c->goal_x[a->slot] == c->goal_x[other]) &&
           (!c->goal_y || c->goal_y[a->slot] == c->goal_y[other]);
}

/* At the head is somebody whom nobody else stands before. Who walks on there takes
 * the queue along; who has arrived where it wants to be itself leaves no nearer place. */
stuck_head throng_stuck_head_of_queue(const stuck_agent *a)
{
    const stuck_columns *c = a->c;
    int64_t patience = (int64_t)THRONG_STUCK_LOOKS * a->w->frame.look;
    stuck_agent at = *a;
    for (int32_t i = 0; i < QUEUE_LENGTH; i++) {
        int32_t next = stands_nearest(&at);
        if (next < 0)
            return STUCK_HEAD_STANDS;
        if (throng_stuck_stands_at_goal(a, next))
            return stuck_value(c->machine, a->slot) < 0 ? STUCK_HEAD_AT_GOAL
                                                        : STUCK_HEAD_STANDS; /* machines note their own */
        if (c->since[next] < 0)
            return STUCK_HEAD_STANDS;
        if ((int64_t)a->w->step - 1 - c->since[next] < patience)
            return STUCK_HEAD_MOVES;
        at.slot = next;
        at.at = stuck_place(c, next);
        if (!throng_stuck_direction(c, next, &at.dx, &at.dy))
            return STUCK_HEAD_STANDS;
    }
    return STUCK_HEAD_STANDS;
}
