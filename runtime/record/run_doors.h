/* What the doors of a map did in a run, as a table beside its recording: doors.csv, which throng replay shows.
 *
 *     time,open,x0,y0,x1,y1,door
 *
 * A row says that a door is open (1) or closed (0) from that time on, s; where it is, m; and its name, which goes on to
 * the end of the row. All are told at the beginning, then each when it turns. */
#ifndef THRONG_RUN_DOORS_H
#define THRONG_RUN_DOORS_H

#include "run_table.h"
#include "world/world.h"

typedef struct throng_run_doors {
    throng_run_table table; /* not begun: the map has no doors */
    bool *open;             /* [doors] as it was told last */
} throng_run_doors;

/* In the folder. A map without doors has no table. */
bool throng_run_doors_begin(throng_run_doors *doors, const char *folder, const throng_world *world,
                            throng_error *error);
/* After each step. */
void throng_run_doors_follow(throng_run_doors *doors, const throng_world *world);
/* Completes the table, or drops it: also one that was not begun. False and a message when it cannot be written. */
bool throng_run_doors_end(throng_run_doors *doors, bool keep, throng_error *error);

typedef struct throng_door_turn {
    double time; /* s */
    bool open;
    throng_point a, b;
    char name[80];
} throng_door_turn;

/* The rows of the table beside a recording, in order; `count` 0 and NULL where there is none. False and a message that
 * names the file and the row that is none. */
bool throng_run_doors_read(const char *recording, throng_door_turn **turns, int32_t *count, throng_error *error);

/* Adds the doors that they tell of, each once, to a map that has none of them. */
bool throng_run_doors_add(throng_map *map, const throng_door_turn *turns, int32_t count, throng_error *error);

#endif
