/* A walk through the map that is being drawn: agents dropped in, to see where they get stuck. */
#ifndef THRONG_EDIT_TRIAL_H
#define THRONG_EDIT_TRIAL_H

#include "edit.h"
#include "world/world.h"

typedef struct throng_trial {
    throng_world *world; /* NULL: none is under way */
    int32_t goal;        /* the exits, or points of everybody's own */
    bool leaving;        /* to the exits; who arrives is taken out */
    uint64_t draws;      /* random points taken so far */
    int32_t people;      /* at the beginning */
    double out;          /* s: when the last of them arrived */
    int32_t asked;       /* and how many would have been, had all of them found room */
} throng_trial;

/* Agents in the regions for spawning, as many as their property `count` says (50 where none says it), `most` at most,
 * each region its share; or as many as fit; without such regions anywhere. They walk to the exits, or without any from
 * place to place, over stairs and by lifts, too. Regions are for what their group or name says ("spawns", "exit
 * north"). False and a message when the document is no map, when nobody fits, or when some cannot reach where they are
 * to go. */
bool throng_trial_start(throng_trial *trial, const throng_edit *edit, int32_t most, throng_error *error);
bool throng_trial_step(throng_trial *trial, throng_error *error);
void throng_trial_end(throng_trial *trial);

/* What a region is for: "spawns", "exits" or NULL, by its group or else its name. */
const char *throng_trial_purpose(const char *group, const char *name);

#endif
