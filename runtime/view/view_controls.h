/* What a user does to the viewer: keys and the mouse, sliders, pictures, and what these call. */
#ifndef THRONG_VIEW_CONTROLS_H
#define THRONG_VIEW_CONTROLS_H

#include "view_parts.h"

/* ---- view_main.c */

bool throng_view_run(const throng_view_def *def, throng_error *error);

/* ---- view_hud.c: scale, help, trouble */

void throng_hud_draw(throng_viewer *viewer);

/* ---- view_bar.c: the bar at the bottom, its buttons and their hints */

void throng_bar_draw(throng_viewer *viewer);
bool throng_bar_press(throng_viewer *viewer, double x, double y); /* true when the pointer is on the bar */
void throng_bar_hint(throng_viewer *viewer);
void throng_hud_note(throng_viewer *viewer); /* in the bar: what was done, or what is shown */
/* A card with a line of text above `bottom`, about x, pixels. */
void throng_hud_hint(throng_viewer *viewer, double x, double bottom, const char *text);

/* ---- view_column.c */

void throng_column_lay(throng_viewer *viewer); /* once a frame */

/* ---- view_sliders.c: the parameters that the scenario gave a range */

void throng_sliders_draw(throng_viewer *viewer);
double throng_sliders_height(const throng_viewer *viewer); /* pixels; 0: there are none */
/* True when the pointer is on one; when one is dragged. */
bool throng_sliders_press(throng_viewer *viewer, double x, double y);
bool throng_sliders_move(throng_viewer *viewer, double x);

/* ---- view_input.c: what keys and the mouse do */

extern const throng_key throng_view_keys[]; /* ends with keys of NULL */

void throng_input_event(throng_viewer *viewer, const SDL_Event *event);
/* Saves the picture that was asked for, of what is drawn. */
void throng_input_picture(throng_viewer *viewer);

/* ---- view_actions.c: a user's actions, from the command line */

/* Pushes the next action's events; false when none is left. */
bool throng_actions_next(throng_viewer *viewer);
/* A word that is not an action is an error. */
bool throng_actions_check(const char *actions, throng_error *error);

/* ---- view_shot.c */

/* Saves what is drawn. */
bool throng_shot_save(throng_viewer *viewer, const char *path, throng_error *error);
void throng_shot_picture(throng_viewer *viewer); /* into the scenario's folder */
/* Begins a film there, or ends it. */
void throng_shot_film(throng_viewer *viewer);
void throng_shot_end_film(throng_viewer *viewer);
void throng_shot_add(throng_viewer *viewer); /* what is drawn, to the film */
void throng_shot_dot(throng_viewer *viewer); /* says that it runs; not in the film */

/* ---- view_commands.c */

void throng_viewer_play_or_pause(throng_viewer *viewer);
void throng_viewer_single_step(throng_viewer *viewer);
void throng_viewer_change_speed(throng_viewer *viewer, bool faster); /* 0.1 0.2 0.5 1 2 5 ... 100 */
/* A run begins again; a recording shows its first frame. */
void throng_viewer_go_home(throng_viewer *viewer);
/* Something of the viewer's own failed (memory, a transfer): said, and the world stands still. */
void throng_viewer_fail(throng_viewer *viewer, const throng_error *error);
/* Steps until that time, in s; false when there was trouble or the run came to its end. */
bool throng_viewer_step_to(throng_viewer *viewer, double time);
/* What is drawn of a world that goes; and what has been kept and marked of a run that begins again. */
void throng_viewer_forget_world(throng_viewer *viewer);
void throng_viewer_forget_run(throng_viewer *viewer);
/* One step and what follows from it, or the next frame of what was; false when it stands still now. */
bool throng_viewer_step(throng_viewer *viewer);
void throng_viewer_turn_theme(throng_viewer *viewer);
/* After a line or a slider has changed the world, perhaps by steps: what is kept follows. */
void throng_viewer_touched(throng_viewer *viewer);
/* Shows the frame so many steps from the one that is shown, and stands still. */
void throng_viewer_go(throng_viewer *viewer, int64_t steps);
/* The scenario's files as they are now, going on where the world is, or from t = 0. */
void throng_viewer_reload(throng_viewer *viewer, bool restart);

#endif
