/* The agent that was clicked: what is shown of it, and the camera that rides with it. */
#ifndef THRONG_VIEW_AGENT_H
#define THRONG_VIEW_AGENT_H

#include "view.h"
#include "world/world.h"

typedef struct throng_viewer throng_viewer;

/* ---- view_agent.c: the agent that was clicked */

typedef struct throng_chosen {
    bool any, followed;
    int32_t id;
} throng_chosen;

/* The agent under a pixel, -1: none. */
int32_t throng_agent_at(const throng_viewer *viewer, double x, double y);
/* The entry of the chosen one in the crowd; -1: nobody is chosen, or not there now. */
int32_t throng_agent_entry(throng_viewer *viewer);
void throng_agent_choose(throng_viewer *viewer, int32_t entry, bool follow);
void throng_agent_mark(throng_viewer *viewer);  /* on the plan: ring, goal, neighbours */
void throng_agent_panel(throng_viewer *viewer); /* beside it: its columns */

/* ---- view_ride.c: a camera that rides with the chosen agent */

enum { THRONG_RIDE_OFF, THRONG_RIDE_BEHIND, THRONG_RIDE_EYES, THRONG_RIDE_MODES };

typedef struct throng_ride_scene throng_ride_scene;

typedef struct throng_ride {
    int mode;      /* THRONG_RIDE_... */
    bool begun;    /* (hx, hy) is known: */
    double hx, hy; /* where it looks, which follows the agent's heading */
    throng_ride_scene *scene;
} throng_ride;

/* Draws what it sees in place of the plan; false: the plan is shown, or nobody is chosen any more. */
bool throng_ride_draw(throng_viewer *viewer);
void throng_ride_next(throng_viewer *viewer); /* plan, behind, eyes */
void throng_ride_fini(throng_ride *ride);

/* ---- view_asked.c: what the world says of the chosen agent, of its last step; view_choice.c: its planner's part */

typedef struct throng_asked {
    bool known; /* of `id`, after `step` */
    uint32_t step;
    int32_t id;
    int32_t neighbour[THRONG_NEIGHBOURS_MAX], neighbours; /* slots */
    float value[THRONG_COLUMN_COUNT];
    bool path_known, chose;
    throng_path path;
    throng_choice choice; /* of the last step, if it was watched then */
} throng_asked;

/* Of the chosen one, whose entry this is; NULL of a moment in the past at which it was not chosen. */
const throng_asked *throng_asked_of(throng_viewer *viewer, int32_t entry);
/* A copy for the frames that are kept, of the world as it is now; NULL where nobody is chosen, or on a GPU, which is
 * not asked for it. */
bool throng_asked_keep(throng_viewer *viewer, throng_asked **kept, throng_error *error);
void throng_asked_destroy(throng_asked *asked); /* NULL is fine */
void throng_asked_forget(throng_viewer *viewer);
/* The panel, left of `right`, pixels; NULL: not known. */
void throng_choice_draw(throng_viewer *viewer, const throng_asked *asked, double right);

#endif
