/* Which of a building's floors are shown, and how. */
#include "view_controls.h"

#include <math.h>

static const double TURN = 0.55, TILT = 0.62; /* rad: as the stacked view begins; TILT: up from the horizon */
static const double LEAST_TILT = 0.2, MOST_TILT = 1.5;
static const double PULL = 0.008; /* rad a pixel */

void throng_floors_show(throng_viewer *viewer, throng_floors_mode mode, int32_t floor)
{
    static const char *const modes[] = {"all floors side by side", NULL, "floors over each other: drag to turn them"};
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    throng_floors *floors = &viewer->floors;
    throng_error error;
    if (!sheets) {
        throng_viewer_note(viewer, "there are no floors");
        return;
    }
    if (floors->tilt == 0)
        floors->turn = TURN, floors->tilt = TILT;
    floors->mode = mode;
    floors->shown = floor;
    if (!throng_floors_reckon(viewer, &error)) {
        floors->mode = THRONG_FLOORS_ASIDE;
        throng_viewer_fail(viewer, &error);
    }
    throng_ground_forget(&viewer->ground);
    throng_crowd_forget(&viewer->crowd);
    throng_camera_fit(viewer);
    throng_viewer_note(viewer, "%s", modes[mode] ? modes[mode] : sheets->list[floors->shown].name);
}

void throng_floors_next(throng_viewer *viewer)
{
    throng_floors_show(viewer, (throng_floors_mode)((viewer->floors.mode + 1) % THRONG_FLOORS_MODES),
                       viewer->floors.shown);
}

/* From other views, to the floor that was shown last. */
void throng_floors_climb(throng_viewer *viewer, int by)
{
    bool one = viewer->floors.mode == THRONG_FLOORS_ONE;
    throng_floors_show(viewer, THRONG_FLOORS_ONE, viewer->floors.shown + (one ? by : 0));
}

void throng_floors_turn(throng_viewer *viewer, double dx, double dy)
{
    throng_floors *floors = &viewer->floors;
    throng_error error;
    throng_bounds before = throng_floors_bounds(viewer);
    throng_plan_view *c = &viewer->camera;
    floors->turn = fmod(floors->turn + PULL * dx / viewer->unit, 2 * M_PI);
    floors->tilt = fmin(fmax(floors->tilt + PULL * dy / viewer->unit, LEAST_TILT), MOST_TILT);
    if (!throng_floors_reckon(viewer, &error))
        throng_viewer_fail(viewer, &error);
    throng_bounds after = throng_floors_bounds(viewer);
    c->x += c->scale * (before.x0 + before.x1 - after.x0 - after.x1) / 2; /* about its middle */
    c->y -= c->scale * (before.y0 + before.y1 - after.y0 - after.y1) / 2;
    if (viewer->fitted)
        throng_camera_fit(viewer);
    throng_crowd_forget(&viewer->crowd);
}
