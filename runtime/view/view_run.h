/* The run that is shown: its steps, the frames that are kept or recorded, and what happened when. */
#ifndef THRONG_VIEW_RUN_H
#define THRONG_VIEW_RUN_H

#include "record/body_outlines.h"
#include "script/live.h"
#include "view.h"

typedef struct throng_viewer throng_viewer;

/* ---- view_session.c: the scenario, its steps and its reloading */

typedef struct throng_session {
    throng_live live;
    char *trouble;      /* what went wrong, in full; NULL: nothing */
    bool stuck;         /* a step failed: nothing goes on until a reload */
    bool ended;         /* the run's end was reached */
    const char *ending; /* "everyone has arrived", ... */
    double debt;        /* s of the world that are due */
    double step_ms;     /* a step, on average of late */
    double pace;        /* s of the world a second, of late */
} throng_session;

/* Of a scenario; the world of a replay is put into `live` by whoever opens it, and has no script. */
bool throng_session_open(throng_session *session, const throng_view_def *def, throng_error *error);
void throng_session_close(throng_session *session);
/* The files as they are now; the world goes on where it was, or from its beginning when `restart` or when it had come
 * to its end. `said` gets a line about that. On failure the old world stays, with the trouble told. */
bool throng_session_reload(throng_session *session, bool restart, char *said, size_t size);
/* One step; false when there was trouble or the run came to its end. */
bool throng_session_step(throng_session *session);

/* ---- view_past.c: frames that are kept; view_shown.c: the one that is shown; view_replay.c: of a recording */

/* Columns by slot, as in the agent store; NULL: everybody has the initial value, or it is not known. */
typedef struct throng_moment {
    uint32_t step;
    int32_t slots;
    throng_column_set known; /* columns, a bit each, that were kept or recorded */
    char *block;             /* the arrays of a kept frame */
    void *column[THRONG_COLUMN_COUNT];
    bool *open;                 /* [doors of the map]; NULL: not known */
    throng_lift_state *lifts;   /* [lifts of the map]; NULL: not known */
    struct throng_asked *asked; /* of the agent that was chosen then; NULL: nobody was */
    throng_body_outlines bodies;
} throng_moment;

typedef struct throng_replay throng_replay;

typedef struct throng_past {
    throng_moment *kept; /* a ring: the last frames, as many as 256 MiB hold; none of over 32 MiB */
    int32_t first, count;
    size_t bytes;
    throng_body_outlines bodies; /* of now */
    throng_replay *replay;       /* frames are read from there instead; NULL: of the world */
    const throng_moment *shown;  /* NULL: the world as it is now */
} throng_past;

/* Keeps the world as it is now; after each of its steps. Of a crowd on a GPU, only the columns that are drawn. */
bool throng_past_keep(throng_viewer *viewer, throng_error *error);
void throng_past_fini(throng_past *past); /* but for the replay */
/* Shows the frame of that step, or the nearest that there is; the world's last step is now. */
bool throng_past_show(throng_viewer *viewer, int64_t step, throng_error *error);

/* ---- view_shown.c */

/* The frames that can be shown, by step. */
uint32_t throng_past_first(const throng_viewer *viewer);
uint32_t throng_past_last(const throng_viewer *viewer);
/* NULL and no message: as in throng_moment. */
const void *throng_shown_column(throng_viewer *viewer, int column, throng_error *error);
bool throng_shown_knows(const throng_viewer *viewer, int column);
bool throng_shown_holds(const throng_viewer *viewer, int column); /* false: there is no array to be read */
int32_t throng_shown_slots(throng_viewer *viewer);
/* False: how it stood is not known. */
bool throng_shown_door(const throng_viewer *viewer, int32_t door, bool *open);
bool throng_shown_lift(const throng_viewer *viewer, int32_t lift, throng_lift_state *state); /* the same */
const throng_body_outlines *throng_shown_bodies(throng_viewer *viewer);
uint32_t throng_shown_step(const throng_viewer *viewer);
double throng_shown_dt(const throng_viewer *viewer);   /* s from a step, or a frame of a recording, to the next */
double throng_shown_time(const throng_viewer *viewer); /* s */

/* A goal as the script named it: "exits", a point, ... */
void throng_goal_words(const throng_viewer *viewer, int32_t goal, char *text, size_t size);
/* Is nothing fetched from a GPU for frames that are kept? */
bool throng_past_is_cheap(const throng_viewer *viewer);

/* ---- view_replay.c */

/* A .throng or SQLite recording, or a folder that holds one; `scenario` gets its name and a world of its map where
 * nobody lives, which is the caller's. NULL and a message that names the file. */
throng_replay *throng_replay_open(const char *path, throng_scenario *scenario, throng_error *error);
void throng_replay_close(throng_replay *replay);
/* What the doors did, on the timeline. */
bool throng_replay_mark_doors(throng_viewer *viewer, throng_error *error);
double throng_replay_dt(const throng_replay *replay);      /* s between its frames */
int32_t throng_replay_frames(const throng_replay *replay); /* > 0 */
/* Frame n, counted from 0, with velocities since the frame before; valid until the next call. */
const throng_moment *throng_replay_read(throng_replay *replay, int32_t n, throng_error *error);
/* The smoke in frame n, in place of what was taken before. */
bool throng_replay_smoke(const throng_replay *replay, uint32_t n, throng_smoke_picture *smoke, throng_error *error);

/* ---- view_events.c: what happened; view_timeline.c: the run as a line at the bottom; dragged along it, what was is
 * shown */

typedef struct throng_mark {
    uint32_t step;
    enum { THRONG_MARK_LOADED, THRONG_MARK_OPENED, THRONG_MARK_CLOSED, THRONG_MARK_STUCK } kind;
    char text[120];
} throng_mark;

typedef struct throng_timeline {
    throng_mark *marks;
    int32_t mark_count, mark_room;
    int32_t *arrived; /* [seconds] who arrived in each second */
    int32_t seconds, second_room;
    int32_t *people; /* [people_seconds * floors] who was on each floor of a building */
    int32_t people_seconds, people_room;
    bool *open; /* [doors] as they were after the last step; NULL: not looked at yet */
    bool dragged;
    double pointer_x, pointer_y; /* pixels */
} throng_timeline;

bool throng_timeline_step(throng_viewer *viewer, throng_error *error); /* after each step of the world */
/* view_floor_counts.c: the same; who is on each floor of a building, or on what is joined to it */
bool throng_timeline_count_floors(throng_viewer *viewer, throng_error *error);
bool throng_timeline_mark(throng_viewer *viewer, uint32_t step, int kind, const char *text, throng_error *error);
void throng_timeline_draw(throng_viewer *viewer);
/* True when the pointer is on it, or drags along it. */
bool throng_timeline_press(throng_viewer *viewer, double x, double y);
bool throng_timeline_move(throng_viewer *viewer, double x, double y);
void throng_timeline_release(throng_viewer *viewer);
void throng_timeline_fini(throng_timeline *timeline);
enum { THRONG_TIMELINE_HEIGHT = 30 }; /* units */

#endif
