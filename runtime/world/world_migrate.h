/* A scenario that was changed and reloaded goes on where the old one was: its agents are migrated into the fresh
 * world.
 *
 * What the file says of an agent is what its world had when it was loaded: the baseline. Where the baselines of the
 * old world and the fresh one agree, the agent keeps what it has now; where they differ, the file was changed there,
 * and what it says now holds.
 *
 * A file that says the same of who there is, and of where and how they go, leaves every bit as it was
 * (world_migrate_whole.c), but for what its Lua variables, stories and measures, which start over, lead to, and for the
 * paths and slow functions that callbacks asked for and gave. In any other the agents are moved one by one: those with
 * goals of their own ask for their paths again, machines and functions that look at neighbours see nobody in the first
 * frame, and what presses people and bodies is found again. */
#ifndef THRONG_WORLD_MIGRATE_H
#define THRONG_WORLD_MIGRATE_H

#include "world.h"

typedef struct throng_baseline throng_baseline;

/* Of a world as its script has left it, before its first step. NULL when memory is out. */
throng_baseline *throng_baseline_take(throng_world *world, throng_error *error);
void throng_baseline_destroy(throng_baseline *baseline);

typedef struct throng_migration {
    const char *restart_reason; /* everything starts over, because this has changed: "the map", "wrap", "dt", "the
                         seed"; "": because  that was asked for; NULL: it does not */
    int32_t kept;               /* agents that go on */
    int32_t restarted;   /* of these, the ones whose state is not in their machine any more: they begin at its start */
    int32_t fresh;       /* agents of groups that are new, or of which as many are not spawned any more */
    int32_t lost;        /* agents of groups that are not there any more, or start over */
    char groups[256];    /* names of groups that start over though they were there, "a, b" */
    int32_t *successors; /* [group_count] of the old world: which goes on as the fresh one's, -1: none */
    int32_t group_count;
    throng_handle *was;    /* [slots] of the old world: who lives there */
    throng_handle *became; /* [slots] likewise: who it is in the fresh one; generation 0: nobody */
    int64_t *machine;      /* [slots] number in the old world of the machine that a callback gave the agent; 0: none */
    int32_t slots;
    bool taken; /* the fresh world has the old one's agents and paths, until throng_world_migrate_undo */
} throng_migration;

/* Agents belong together when their groups have the same name and as many were spawned at first; those that came later
 * belong to their group's, and who became another is one. They keep columns, position, number, goal and whether they
 * have arrived there, and the state of their machine where one of its name is there (it is entered again when it does
 * something else now). Behaviour functions are those of the file; the ones that callbacks gave stay. Doors, bodies,
 * hazards, what is known of congestion, the time and totals are migrated too. On failure the fresh world is not to be
 * used; the old one is never changed. */
bool throng_world_migrate(throng_world *fresh, const throng_baseline *fresh_baseline, throng_world *old,
                          const throng_baseline *old_baseline, throng_migration *migration, throng_error *error);
/* Those whose machine was that of the old world (throng_migration.machine), and who have been given one in the fresh
 * (throng_world_run_machine) since throng_world_migrate, go on in their states. */
bool throng_world_migrate_machine(throng_world *fresh, throng_world *old, throng_migration *migration, int64_t machine,
                                  throng_error *error);
/* Who the agent `of` of the old world is in the fresh one; generation 0: nobody. */
throng_handle throng_migration_successor(const throng_migration *migration, throng_handle of);
/* When all else has gone well: what the fresh file says otherwise of columns. */
bool throng_world_migrate_end(throng_world *world, const throng_baseline *after, const throng_baseline *before,
                              const throng_migration *migration, throng_error *error);
/* When something after throng_world_migrate has failed: the old world has again what was taken of it. */
void throng_world_migrate_undo(throng_world *fresh, throng_world *old, throng_migration *migration);
void throng_migration_fini(throng_migration *migration);

#endif
