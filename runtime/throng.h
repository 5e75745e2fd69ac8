/* throng as a library: crowds in a program of your own.
 *
 * A simulation is a world with its agents: built in C (throng_sim_create, throng_sim_spawn_group, throng_sim_go_to), or
 * by a scenario in Lua, from a file or from text (throng_sim_load). In either, Lua says what the structs here do not
 * (throng_sim_do, throng_sim_spawn). What is done every frame, is done in C: steps, columns of all agents without a
 * copy, velocities of your own.
 *
 * Functions that can fail return false or NULL, leave the simulation as it was, and write what is wrong, with the way
 * out, to `message`, which may be NULL. Nothing prints (give `print` for what scripts print), nothing exits, no signal
 * is touched. Simulations are independent of each other: one may be used by one thread at a time, several by as many
 * threads as there are. The same scenario, seed and calls give the same bits on every backend, as `throng run` does:
 * throng_sim_hash.
 *
 * Units are m, s and rad; positions are those of the plan.
 *
 * A program goes on with later libraries of the same number (libthrong.so.0). Structs that begin with `size` tell or
 * are told how much of them the program knows, and may get further members at their ends; those that do not stay as
 * they are.
 *
 * C17 and C++17. Link with -lthrong, or what `pkg-config --cflags --libs throng` says; to link it in, with libthrong.a
 * and what `--static` adds: it then looks for its Lua files in lua/ beside the program, or in ../share/throng. */
#ifndef THRONG_H
#define THRONG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_API __attribute__((visibility("default")))

typedef struct throng_message {
    char text[1024]; /* plain: no control characters, ends with 0 */
} throng_message;

/* "0.1.0" */
THRONG_API const char *throng_version(void);

/* Where the library's memory comes from: arrays of agents and maps, Lua's, Expat's; on any thread. Without one, from
 * malloc. GEOS, Chipmunk, SQLite, stb_image and CUDA take theirs as they always do. */
typedef struct throng_allocator {
    size_t size; /* of this struct, as the program knows it */
    /* [size] bytes, not 0, at a multiple of a power of two, 2 MiB at most; NULL: memory is out, which fails what was
     * called, as elsewhere. */
    void *(*allocate)(void *context, size_t alignment, size_t size);
    /* The block moved to one of [size] bytes, with what it holds, or NULL with the block as it was; one of no more than
     * malloc's alignment. Of NULL: a new one. */
    void *(*reallocate)(void *context, void *block, size_t size);
    void (*release)(void *context, void *block); /* not NULL */
    void *context;
} throng_allocator;

/* Before anything else of the library is called, once for all of the process, since the libraries that throng uses know
 * no simulation: refused when memory has been allocated. */
THRONG_API bool throng_set_allocator(const throng_allocator *allocator, throng_message *message);

/* ---- simulations */

typedef struct throng_sim throng_sim;

typedef struct throng_sim_settings {
    size_t size;               /* of this struct, as the program knows it: throng_sim_settings_default sets it */
    const char *backend;       /* "cpu", "cuda" or "auto"; NULL: as the scenario says */
    int32_t simd, threads;     /* on the CPU: agents computed at once, threads; 0: as the scenario says */
    int64_t seed;              /* -1: as the scenario says */
    const char *const *params; /* [param_count] "name=value", for throng.params */
    int32_t param_count;
    int64_t instructions; /* of Lua that one call of a script may take; 0: 200 million */
    size_t memory;        /* bytes that Lua may take; 0: a share of the machine's */
    /* What scripts print, and warnings; NULL: nowhere. In it the simulation may be looked at, and is told nothing. */
    void (*print)(void *context, const char *text, size_t size);
    void *context;
    bool keep_inputs; /* for throng_sim_snapshot and throng_sim_inputs: what the program tells it is kept */
} throng_sim_settings;

/* In the program, which knows how large its settings are. */
static inline throng_sim_settings throng_sim_settings_default(void)
{
    throng_sim_settings settings = {sizeof settings, NULL, 0, 0, -1, NULL, 0, 0, 0, NULL, NULL, false};
    return settings;
}

/* Runs a scenario file, which returns its world. `settings` may be NULL. The caller ends it with throng_sim_destroy. */
THRONG_API throng_sim *throng_sim_load(const char *path, const throng_sim_settings *settings, throng_message *message);
/* The same for a scenario's text, [size] bytes. `name` stands for its file in messages; files that it names are looked
 * for where `name` would be. */
THRONG_API throng_sim *throng_sim_load_text(const char *name, const char *text, size_t size,
                                            const throng_sim_settings *settings, throng_message *message);
/* A shape by its corners, xy[2 * count], m: with two of them the rectangle that they are opposite in. */
typedef struct throng_shape {
    const char *name; /* a region's, a door's */
    const double *xy;
    int32_t count;
} throng_shape;

/* A world built in C: what throng.world and throng.map take (lua/reference.md). What is 0 is as it is by default there;
 * `seed`, `backend` and the like are in throng_sim_settings. */
typedef struct throng_sim_world {
    size_t size;                  /* of this struct: throng_sim_world_default sets it */
    const char *map;              /* a file, also of a building; NULL: what follows, or an open plane */
    const throng_shape *boundary; /* [boundary_count] outlines of the floor; none: it goes on around the walls */
    const throng_shape *walls;    /* [wall_count] */
    const throng_shape *regions;  /* [region_count]; those of one name are one region */
    const throng_shape *doors;    /* [door_count] two points across an opening, or a shape there */
    int32_t boundary_count, wall_count, region_count, door_count;
    double wrap_width, wrap_height; /* m: who leaves at one side enters at the other; 0: nobody does */
    double dt;                      /* s a step; 0: 0.1 */
    double seconds;                 /* s after which it has ended; 0: 600 */
    bool discs;                     /* they do what their planner says at once; else they walk as people do */
} throng_sim_world;

static inline throng_sim_world throng_sim_world_default(void)
{
    throng_sim_world world = {sizeof world, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, false};
    return world;
}

/* The same for a world built in C, `settings` too may be NULL; what `world` points to is needed for this call alone. */
THRONG_API throng_sim *throng_sim_create(const throng_sim_world *world, const throng_sim_settings *settings,
                                         throng_message *message);
/* NULL is fine. */
THRONG_API void throng_sim_destroy(throng_sim *sim);

/* One frame with its callbacks. */
THRONG_API bool throng_sim_step(throng_sim *sim, throng_message *message);
/* Would `throng run` end here: the scenario's time is up, everybody has arrived, or it said world:stop()? */
THRONG_API bool throng_sim_ended(throng_sim *sim, bool *ended, throng_message *message);

THRONG_API double throng_sim_time(const throng_sim *sim); /* s */
THRONG_API double throng_sim_dt(const throng_sim *sim);   /* s a step */
THRONG_API uint32_t throng_sim_steps(const throng_sim *sim);
THRONG_API int64_t throng_sim_seed(const throng_sim *sim);
THRONG_API const char *throng_sim_backend(const throng_sim *sim); /* "cpu" or "cuda" */

/* Of all that agents are, and of who was removed when: equal on every backend. */
THRONG_API bool throng_sim_hash(throng_sim *sim, uint64_t *hash, throng_message *message);

/* ---- agents: a slot stays an agent's as long as it lives; then it is free for another */

typedef struct throng_agent {
    int32_t slot;
    uint32_t generation; /* who had the slot before is another agent */
} throng_agent;

THRONG_API int32_t throng_sim_count(const throng_sim *sim); /* of living agents */
THRONG_API int32_t throng_sim_slots(const throng_sim *sim); /* every living agent's slot is below */
/* Who lives in a slot; false: nobody does. */
THRONG_API bool throng_sim_agent_at(const throng_sim *sim, int32_t slot, throng_agent *agent);
THRONG_API bool throng_sim_is_alive(const throng_sim *sim, throng_agent agent);
/* Writes all who live, by slot, [throng_sim_count] of them; how many. */
THRONG_API int32_t throng_sim_agents(const throng_sim *sim, throng_agent *agents);

/* A point of the plan, on a floor of a building: a value of the column "floor", 0 on a plan of one plane. */
typedef struct throng_place {
    double x, y; /* m */
    int32_t floor;
} throng_place;

/* Who arrived in the last step, by slot; valid until the next call of a function that takes the simulation. */
THRONG_API bool throng_sim_arrivals(throng_sim *sim, const throng_agent **agents, int32_t *count,
                                    throng_message *message);

/* ---- events: what world:on tells Lua, as arrays */

typedef struct throng_event {
    throng_agent agent;         /* lived when it happened; the scenario may have removed it since */
    int32_t listener;           /* which throng_sim_listen */
    const char *first, *second; /* "stuck": the cause; "floor": where from, where to; "entered", "left": the place; else
                                 * NULL. Valid as long as the simulation */
} throng_event;

/* From now on throng_sim_events has what happens to agents, to those who come later, too: "arrived", "stuck", "floor",
 * "incapacitated"; "entered" or "left" with a place, a region's name like "hall" or "first/office", else NULL.
 * `listener` is the call's number, from 0 on. A simulation that is restored begins without listeners. */
THRONG_API bool throng_sim_listen(throng_sim *sim, const char *event, const char *place, int32_t *listener,
                                  throng_message *message);
/* [count] of the last step, those of a listener together, by slot; valid until the next call of a function that takes
 * the simulation. */
THRONG_API void throng_sim_events(const throng_sim *sim, const throng_event **events, int32_t *count);

/* ---- columns: what is known of every agent, an array by slot */

typedef struct throng_sim_column_info {
    size_t size;                    /* of this struct, which the program sets: what it does not know is not written */
    const char *name, *unit, *text; /* "speed", "m/s", "preferred speed"; valid as long as the simulation */
    bool whole;                     /* int32_t, else float */
    bool writable;
    double least, most; /* of what may be written */
} throng_sim_column_info;

THRONG_API int32_t throng_sim_column_count(const throng_sim *sim);
/* False: there is no such column; they are from 0 to count - 1. */
THRONG_API bool throng_sim_column(const throng_sim *sim, int32_t column, throng_sim_column_info *info);
THRONG_API int32_t throng_sim_column_named(const throng_sim *sim, const char *name); /* -1: there is none */

/* [slots] values, float or int32_t; what is in slots where nobody lives means nothing. The simulation's own array:
 * valid until the next call that steps, spawns, writes or runs Lua. NULL on failure. */
THRONG_API const void *throng_sim_read(throng_sim *sim, int32_t column, throng_message *message);
/* The same where frames compute it, for libraries that share arrays (DLPack): on CUDA device `*device` when the
 * simulation runs there, which nobody waits for or copies from then, or on the host, -1. */
THRONG_API const void *throng_sim_share(throng_sim *sim, int32_t column, int32_t *device, throng_message *message);
/* Writes values of agents that live, all of them checked before the first is written. */
THRONG_API bool throng_sim_write(throng_sim *sim, int32_t column, const throng_agent *agents, const double *values,
                                 int32_t count, throng_message *message);

/* A copy of a column that may be written, by slot, for the program to change; its own until it is committed or edited
 * again. NULL on failure. */
THRONG_API float *throng_sim_edit(throng_sim *sim, int32_t column, throng_message *message);
/* Writes what the program has changed in it for agents who lived then, as throng_sim_write: all of it is checked before
 * the first is written. What is in slots where nobody lived is left out. False: nothing is written, and the copy can be
 * mended. */
THRONG_API bool throng_sim_commit(throng_sim *sim, int32_t column, throng_message *message);

/* Writes how high agents who live stand in a building, z[count] m; who rides in a lift is where its car is. On a plan
 * of one plane all are at 0. */
THRONG_API bool throng_sim_heights(throng_sim *sim, const throng_agent *agents, int32_t count, float *z,
                                   throng_message *message);

/* The group of that number, a value of the column "group": the name that it was spawned with. NULL: there is none. */
THRONG_API const char *throng_sim_group_name(const throng_sim *sim, int32_t group);

/* Who is spawned: what world:spawn takes. What is NULL or 0 is as it is by default there. */
typedef struct throng_sim_group {
    size_t size;                       /* of this struct: throng_sim_group_default sets it */
    const char *name;                  /* NULL: "agents", "agents 2", ... */
    const char *planner;               /* "orca", "rvo", "social_force", ...; NULL: "orca" */
    const char *where;                 /* a region, without points; NULL: all of the map */
    int32_t floor;                     /* of points in a building, a value of the column "floor" */
    double radius;                     /* m; 0: from 0.20 to 0.25 */
    double speed, speed_deviation;     /* m/s: preferred, and what people's differ by (standard deviation) */
    double max_speed;                  /* m/s */
    const char *routing, *door_policy; /* "navmesh", "direct", ...; "reroute", "wait", ... */
    const char *colour;                /* "#c33" */
} throng_sim_group;

static inline throng_sim_group throng_sim_group_default(void)
{
    throng_sim_group group = {sizeof group, NULL, NULL, NULL, 0, 0, 0, 0, 0, NULL, NULL, NULL};
    return group;
}

/* Makes agents at xy[2 * count], m, or, with `xy` NULL, in the group's `where`; writes [count] agents. */
THRONG_API bool throng_sim_spawn_group(throng_sim *sim, const throng_sim_group *group, const float *xy, int32_t count,
                                       throng_agent *agents, throng_message *message);
THRONG_API bool throng_sim_remove(throng_sim *sim, const throng_agent *agents, int32_t count, throng_message *message);

/* They walk to a region, like "exit" or "first/office", or to a point, until they are sent elsewhere. */
THRONG_API bool throng_sim_go_to(throng_sim *sim, const throng_agent *agents, int32_t count, const char *region,
                                 throng_message *message);
THRONG_API bool throng_sim_go_to_point(throng_sim *sim, const throng_agent *agents, int32_t count, throng_place point,
                                       throng_message *message);

/* From now on these agents wish to walk with the velocities, xy[2 * count] m/s, that the program gives and gives
 * again; their planner makes of them what collides with nobody. The wish stays until the next call. */
THRONG_API bool throng_sim_steer(throng_sim *sim, const throng_agent *agents, const float *xy, int32_t count,
                                 throng_message *message);
/* For movement of your own: puts agents at xy[2 * count], m, for the next step, where your characters are by now, on
 * the floors that they are on. After the step columns vx and vy say how their planner would have them walk on. Refused,
 * for all of them, is a position in a wall, off the floor or not finite, and who rides in a lift. */
THRONG_API bool throng_sim_place(throng_sim *sim, const throng_agent *agents, const float *xy, int32_t count,
                                 throng_message *message);
/* They walk to their goals again. */
THRONG_API bool throng_sim_release(throng_sim *sim, const throng_agent *agents, int32_t count, throng_message *message);

/* The scenario's player (group:control) walks in the direction (x, y), a unit vector, or 0 to stand, until steered
 * again. */
THRONG_API bool throng_sim_play(throng_sim *sim, double x, double y, throng_message *message);

/* ---- regions, doors and floors */

/* How many agents have their middle in a region. */
THRONG_API bool throng_sim_count_in(throng_sim *sim, const char *region, int32_t *count, throng_message *message);
/* Opens a door of the map, or closes it. */
THRONG_API bool throng_sim_set_door(throng_sim *sim, const char *door, bool open, throng_message *message);

/* Floors of a building, from 0 on, as the column "floor" has them: its storeys, the halves of its flights and the stops
 * of its lifts. On a plan of one plane the count is 0, and all are on floor 0. */
THRONG_API int32_t throng_sim_floor_count(const throng_sim *sim);
THRONG_API const char *throng_sim_floor_name(const throng_sim *sim, int32_t floor); /* NULL: there is none */
THRONG_API int32_t throng_sim_floor_named(const throng_sim *sim, const char *name); /* -1: there is none */
/* m: how high the floor is at a place; 0 where there is none. */
THRONG_API double throng_sim_height(const throng_sim *sim, throng_place place);

/* The shortest path for a disc of that radius, by stairs and by lifts in service, too. Writes at most `most` corners,
 * ends included, one on each floor where it comes to another; `count`: how many it has, 0: there is no path; `length`:
 * m, along slopes. */
THRONG_API bool throng_sim_path(throng_sim *sim, throng_place from, throng_place to, double radius,
                                throng_place *corners, int32_t most, int32_t *count, double *length,
                                throng_message *message);

/* ---- Lua */

/* Runs Lua with the scenario's rights, `world` and `throng`, as in "world.map:door 'north':close()". Globals stay from
 * call to call. */
THRONG_API bool throng_sim_do(throng_sim *sim, const char *lua, throng_message *message);
/* The same with a group of these agents, who live, as `group`: "group:go_to 'exit'". */
THRONG_API bool throng_sim_do_with(throng_sim *sim, const throng_agent *agents, int32_t count, const char *lua,
                                   throng_message *message);
/* The value of an expression, like "world:stats().arrived": a number (true is 1, false is 0). */
THRONG_API bool throng_sim_number(throng_sim *sim, const char *lua, double *value, throng_message *message);
/* The same for a text, like "world.floors[1]" or "table.concat(names, ',')"; valid until the next call of this. NULL
 * and a message on failure. */
THRONG_API const char *throng_sim_text(throng_sim *sim, const char *lua, throng_message *message);

/* throng_sim_spawn_group of all that world:spawn takes, a Lua table like "{ name = 'visitors', company = 2 }". In a
 * building `floor = 'first'` among the settings says on which floor points are, else it is the lowest one. */
THRONG_API bool throng_sim_spawn(throng_sim *sim, const char *settings, const float *xy, int32_t count,
                                 throng_agent *agents, throng_message *message);

/* ---- snapshots and lockstep: the scenario and all that the program has told a simulation make the same one again, to
 * the bit and with everything in it: Lua's variables and callbacks, machines, timers, doors, lifts, bodies, smoke */

/* Writes bytes to make it again as it is now, on any backend: the scenario's name or text, its settings, what the
 * program has told it, and its hash. throng_sim_snapshot_free ends them. Its settings must have said keep_inputs. */
THRONG_API bool throng_sim_snapshot(throng_sim *sim, void **snapshot, size_t *size, throng_message *message);
THRONG_API void throng_sim_snapshot_free(void *snapshot); /* NULL is fine */

/* The simulation of a snapshot, which keeps its inputs. It runs from the beginning again, which takes as long as it
 * took: about 1 ms a step for 500 people. Seed and parameters are the snapshot's, the rest is that of `settings`. NULL
 * and a message when the state that comes out is another one, since the scenario's files have changed. */
THRONG_API throng_sim *throng_sim_restore(const void *snapshot, size_t size, const throng_sim_settings *settings,
                                          throng_message *message);

/* What the program has told it since the last call of this, steps included: [size] bytes, valid until the next call of
 * a function that takes the simulation. Its settings must have said keep_inputs. */
THRONG_API bool throng_sim_inputs(throng_sim *sim, const void **inputs, size_t *size, throng_message *message);
/* Tells them to another one of the same scenario and seed, at the same step. False and a message when they are damaged,
 * or one of them succeeds here and did not there: then the two differ. */
THRONG_API bool throng_sim_apply(throng_sim *sim, const void *inputs, size_t size, throng_message *message);

/* ---- environments: worlds of one scenario for a program that learns, stepped on as many threads as there are. The
 * scenario says who learns, what they see and do, what that is worth and when it ends: world:environment. Arrays are
 * [worlds][agents][...], an environment's own, and valid as long as it is; another call fills them again. */

typedef struct throng_env throng_env;

typedef struct throng_env_shape {
    size_t size;                   /* of this struct, which the program sets */
    int32_t worlds, agents;        /* agents: learners of a world */
    int32_t observations, actions; /* floats of each: what it sees, what it says */
} throng_env_shape;

/* So many worlds of a scenario file, not reset yet. `settings` are those of each world but for its seed; threads are
 * how many worlds are stepped at once, 0: one a processor, and each world computes on one. `print` is called on any of
 * them. The caller ends it with throng_env_destroy. */
THRONG_API throng_env *throng_env_load(const char *path, int32_t worlds, const throng_sim_settings *settings,
                                       throng_message *message);
THRONG_API void throng_env_destroy(throng_env *env); /* NULL is fine */
THRONG_API void throng_env_shape_of(const throng_env *env, throng_env_shape *shape);

/* Number `i` of what a learner sees or says, like "vx", "ray 3" or "velocity x"; least and most, which may be infinite,
 * go to bounds[2]. NULL: there is none. Valid until the next call. */
THRONG_API const char *throng_env_observation(throng_env *env, int32_t i, float *bounds);
THRONG_API const char *throng_env_action(throng_env *env, int32_t i, float *bounds);

/* These worlds begin again, each with its seed: what is seen of them, and of them alone, is written. Neither this nor
 * throng_env_step is called while the worlds run, as what they print would. */
THRONG_API bool throng_env_reset(throng_env *env, const int32_t *worlds, const int64_t *seeds, int32_t count,
                                 throng_message *message);
/* One action [worlds][agents][actions] in every world that is not over, cut off to its bounds. A world in which
 * something fails is over: all of its learners have ended, until it is reset. `message` names the first of these and
 * says how many there are; the others have stepped. */
THRONG_API bool throng_env_step(throng_env *env, const float *actions, throng_message *message);

THRONG_API const float *throng_env_observations(const throng_env *env); /* zeros: of learners who were removed */
THRONG_API const float *throng_env_rewards(const throng_env *env);      /* [worlds][agents] for the last step */
THRONG_API const uint8_t *throng_env_ended(const throng_env *env);      /* [worlds][agents] 1: it acts no more */
THRONG_API const uint8_t *throng_env_cut(const throng_env *env);        /* [worlds] 1: its time was up before that */

/* A world, to look at; the environment owns it, until it is reset. */
THRONG_API throng_sim *throng_env_world(throng_env *env, int32_t world);

#ifdef __cplusplus
}
#endif

#endif
