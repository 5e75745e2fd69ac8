/* The world: agents, map, goals and the frame. Owns everything in it. */
#ifndef THRONG_WORLD_H
#define THRONG_WORLD_H

#include "agents.h"
#include "stages/backend.h"
#include "bodies.h"
#include "map/map.h"
#include "navigation/path_queue.h"

typedef struct throng_world throng_world;
struct throng_cache;

/* s: what a step may take. Kernels count steps in 32 bits (a second, the time in a state) and divide by it. */
#define THRONG_DT_LEAST 1e-4
#define THRONG_DT_MOST  1.0

/* So many are faster on a device than on the CPU. A frame under ORCA takes an H200 0.095 ms for 1,000 agents and 0.22
 * for 100,000; one thread of its host 0.173 for 1,000, 16 threads 2.9 for 100,000. */
#define THRONG_AUTO_AGENTS 4096

typedef struct throng_world_def {
    throng_map *map;   /* taken over by the world; NULL: an open plane */
    throng_point wrap; /* m: the world is a torus of that size, from (0, 0) on; {0, 0}: it is not */
    double dt;         /* s, THRONG_DT_LEAST to THRONG_DT_MOST, default 0.1 */
    uint64_t seed;     /* default 1 */
    double friction;   /* s/m: of bodies that press (throng_frame); 0 (default): none */
    int32_t latency;   /* frames by which what is planned is late: 0 (default), or 1: planning overlaps with moving */
    const char
        *backend; /* "cpu", "cuda", or "auto" (default): CUDA when a device is there and THRONG_AUTO_AGENTS begin */
    throng_backend_options options;
    struct throng_cache *cache; /* of meshes and routes, which outlives the world; NULL: nothing is shared */
} throng_world_def;

throng_world_def throng_world_def_default(void);

/* On failure the map stays the caller's. */
throng_world *throng_world_create(const throng_world_def *def, throng_error *error);
void throng_world_destroy(throng_world *world);

/* A number that differs from agent to agent. */
typedef struct throng_sampler {
    enum {
        THRONG_CONSTANT,
        THRONG_UNIFORM,
        THRONG_NORMAL,
        THRONG_POISSON_TRUNCATED,
        THRONG_LOG_NORMAL,
        THRONG_WEIBULL,
        THRONG_GAMMA,
        THRONG_TRIANGULAR,
        THRONG_EMPIRICAL,
        THRONG_MIXTURE
    } kind;
    /* The value, twice; from, to; mean, standard deviation; lambda; mean and deviation of the logarithm, and what is
     * added; scale, shape; shape, scale, logarithm of gamma(shape); least, likeliest, greatest. */
    double a, b, c;
    double low, high;     /* drawn by its quantiles (laws.h) at probabilities from `low` to `high`; 0, 0: it is not */
    const double *values; /* [count] empirical: sorted; mixture: the parts' shares, summed up to there, the last is 1 */
    const struct throng_sampler *parts; /* [count] mixture; values and parts are its maker's, who keeps them */
    int32_t count;
} throng_sampler;

enum { THRONG_POISSON_TERMS = THRONG_COMPANY_MAX }; /* its greatest number */

/* The n-th number in [0, 1) of a stream. */
typedef double (*throng_draw)(const void *of, uint32_t n);

double throng_sampler_draw(const throng_sampler *sampler, throng_draw draw, const void *of);
/* The draw that one number u makes, 0 <= u <= 1: the quantile, of normal ones within three deviations; of a mixture u
 * chooses the part, and what is left of it the number. */
double throng_sampler_at(const throng_sampler *sampler, double u);
double throng_sampler_least(const throng_sampler *sampler); /* the least that it gives */
double throng_sampler_most(const throng_sampler *sampler);

/* m: the radius of people who are told none. Half the breadth of shoulders, which is 0.395 m of British women and
 * 0.465 m of men on average (S. Pheasant and C. Haslegrave, "Bodyspace", 2006), and a centimetre of clothes. People of
 * one size lock into a crystal around a door. */
#define THRONG_BODY_RADIUS ((throng_sampler){.kind = THRONG_UNIFORM, .a = 0.20, .b = 0.25})

#define THRONG_NO_COLOUR    UINT32_MAX
#define THRONG_RECORDED_OFF 0.5 /* m: as far a recorded head is from where its body fits */

/* Agents are placed in any of `areas`, in free space, touching neither walls
 * nor anybody; or exactly at `positions`. */

typedef struct throng_spawn_def {
    int32_t count;
    const throng_region *areas;    /* polygons */
    int32_t area_count;            /* 0 with positions NULL: the whole map */
    const throng_point *positions; /* [count] or NULL */
    bool recorded; /* positions are of people's heads: who does not fit there stands as near as it does */
    /* A sampler for each column that agents are given so (columns.h). */
#define X(name, type, initial, unit, spawned, ...) THRONG_IF_DRAWN_##spawned(throng_sampler name;)
    THRONG_COLUMNS(X)
#undef X
    bool by_depth;                          /* `radius` is drawn as the depth of bodies, which is twice that */
    throng_sampler own[THRONG_OWN_COLUMNS]; /* of the columns that were declared */
    int32_t neighbours;
    throng_planner planner;
    int32_t routing;        /* THRONG_ROUTING_... */
    int32_t door_policy;    /* THRONG_DOORS_... */
    throng_sampler company; /* how many walk together, rounded: 1 .. THRONG_COMPANY_MAX; who stands within 10 m does */
    bool congestion;        /* congestion is walked round, where that is clearly shorter; on the navmesh only */
    const char *name;       /* of the group: legends, summaries */
    uint32_t colour;        /* of the group, 0xRRGGBB; THRONG_NO_COLOUR: it keeps what it has */
} throng_spawn_def;

throng_spawn_def throng_spawn_def_default(void);

/* The same without what makes them people: discs of one size that do what their planner says, at once. */
throng_spawn_def throng_spawn_def_discs(void);

/* Writes `count` handles. When fewer than `count` fit nothing is spawned and the
 * message says how many do. */
bool throng_world_spawn(throng_world *world, const throng_spawn_def *def, throng_handle *handles, throng_error *error);

/* Takes back the spawn that was the last thing done, before which there were so many groups: as if it had never been.
 */
void throng_world_unspawn(throng_world *world, const throng_handle *handles, int32_t count, int32_t groups);

enum throng_body_shape { THRONG_BOX, THRONG_CIRCLE, THRONG_POLYGON };

/* Bodies are placed in any of `areas`, in free space, where discs about them touch neither walls, nor agents, nor other
 * bodies; or exactly at `positions`. */
typedef struct throng_bodies_def {
    int32_t count;
    const throng_region *areas;    /* polygons */
    int32_t area_count;            /* 0 with positions NULL: the whole map */
    const throng_point *positions; /* [count] or NULL */
    int32_t shape;                 /* THRONG_BOX: width, height; THRONG_CIRCLE: radius */
    throng_sampler width, height, radius, angle, mass, friction;
    const throng_point *points; /* [point_count] THRONG_POLYGON: about the position */
    int32_t point_count;
    double vx, vy, spin; /* m/s, rad/s */
    bool fixed, dense;   /* dense: `mass` is that of each square metre */
} throng_bodies_def;

throng_bodies_def throng_bodies_def_default(void);

/* Writes `count` handles. When fewer than `count` fit, or a size or a mass is not possible, there are none and the
 * message says so. */
bool throng_world_place_bodies(throng_world *world, const throng_bodies_def *def, throng_handle *handles,
                               throng_error *error);
bool throng_world_remove_body(throng_world *world, throng_handle handle, throng_error *error); /* a living one */
/* A living one; the mass of one that is fixed stays. */
bool throng_world_weigh_body(throng_world *world, throng_handle handle, double mass, double friction,
                             throng_error *error);
/* A living one, to (x, y), a position on its sheet, and turned so. False and a message when no floor is there. */
bool throng_world_put_body(throng_world *world, throng_handle handle, const throng_body *body, throng_error *error);
/* A living one, with its position where throng_bodies_get has its place. */
throng_body throng_world_body(const throng_world *world, throng_handle handle);
const throng_bodies *throng_world_bodies(const throng_world *world); /* NULL: there never were any */
throng_bodies *throng_world_change_bodies(throng_world *world);      /* the same, to be changed between frames */

/* Have these agents, which live, room for what the planner needs (throng.bvp's local maps)? False and a message. */
bool throng_world_planner_fits(throng_world *world, const throng_planner *planner, const throng_handle *handles,
                               int32_t count, throng_error *error);
/* The index of a planner in the world's table, for the agents' column `planner`: of an equal one, or of a new entry.
 * Entries that no agent has are used again, so give it to agents before asking for the next. -1 on failure. */
int32_t throng_world_planner(throng_world *world, const throng_planner *planner, throng_error *error);
int32_t throng_world_planner_kind(const throng_world *world, int32_t entry); /* THRONG_PLANNER_... */

/* How many times the avoidance forces of agents of one group count others of group `of`, 1 at first; negative: they are
 * drawn to them. */
bool throng_world_set_avoidance(throng_world *world, int32_t group, int32_t of, float weight, throng_error *error);

/* Hazards: see throng_hazard. One moves on its own, and goes after `seconds`, which may be INFINITY. */
typedef struct throng_moving_hazard {
    double x, y, vx, vy, reach, weight, seconds; /* m, m/s, m, 1, s */
    int32_t sheet;                               /* on which it is, and stays */
} throng_moving_hazard;

int32_t throng_world_add_hazard(throng_world *world, const throng_moving_hazard *hazard,
                                throng_error *error);                                    /* or -1 */
bool throng_world_hazard(throng_world *world, int32_t id, throng_moving_hazard *hazard); /* false: it is gone */
/* Nothing when it is gone. */
void throng_world_set_hazard(throng_world *world, int32_t id, const throng_moving_hazard *hazard);
void throng_world_remove_hazard(throng_world *world, int32_t id);

/* The player's agents, in place of those before: they stand, and walk where they are steered. */
bool throng_world_control(throng_world *world, const throng_handle *handles, int32_t count, throng_error *error);
bool throng_world_has_player(const throng_world *world);
/* In the direction (x, y), a unit vector, or 0 to stand, at the agents' speeds, until steered again. */
bool throng_world_steer(throng_world *world, double x, double y, throng_error *error);

/* Goals. Each returns the goal's index (for throng_world_send), or -1. A goal
 * given before is found again and not built twice.
 * `radius`: agents within it of the point have arrived, m. */
int32_t throng_world_goal_point(throng_world *world, throng_point point, double radius, throng_error *error);
int32_t throng_world_goal_regions(throng_world *world, const throng_region *regions, int32_t count,
                                  throng_error *error);
/* Each agent to a point of its own, by a path of its own that it gets from the path queue: it waits where it is until
 * the path is there. Who is pushed off its path so far that a wall hides the next corner asks again (looked after once
 * a second), and so does everybody when a door opens or closes, but for those who wait at closed doors. */
int32_t throng_world_goal_own(throng_world *world, double radius, throng_error *error);

/* What a goal of an agent (column `goal`) is: the name of its region, NULL where it has none; a point that all who have
 * it go to, false where there is none. */
const char *throng_world_goal_name(const throng_world *world, int32_t goal);
bool throng_world_goal_place(const throng_world *world, int32_t goal, throng_point *point);

/* The same goal, walked to straight on whatever lies between: for scripts that guide the agents themselves. */
int32_t throng_world_goal_direct(throng_world *world, int32_t goal, throng_error *error);

/* Sends agents to a goal. With a map, agents that cannot reach it are an error
 * that says how many, where the first one is, and why; nobody is sent then.
 * For THRONG_GOAL_OWN, `points` has one goal for each handle; else NULL. */
bool throng_world_send(throng_world *world, const throng_handle *handles, int32_t count, int32_t goal,
                       const throng_point *points, throng_error *error);

/* The air over the map (kernels/contract/air.h): `layers` values on points `cell` m apart, so that one would be at the
 * anchor, all 0; in place of what there was. Programs that read layers are taken in after this. */
bool throng_world_make_air(throng_world *world, double cell, throng_point anchor, int32_t layers, throng_error *error);
int32_t throng_world_air_layers(const throng_world *world); /* 0: there is no air */
int32_t throng_world_air_points(const throng_world *world);
/* The position of a point, the sheet that it is on, and whether it is in the bounds of that, or of the map. */
throng_point throng_world_air_point(const throng_world *world, int32_t point, int32_t *sheet, bool *inside);
/* A layer of the first or second moment, by point, to be written. */
float *throng_world_write_air(throng_world *world, int32_t moment, int32_t layer);
void throng_world_advance_air(throng_world *world); /* the second moment becomes the first */
/* When the first moment is, and the time to the second, s; 0: there is none. */
void throng_world_time_air(throng_world *world, double time, double period);
/* A layer at a place on the map, now. */
double throng_world_air_at(const throng_world *world, int32_t layer, throng_point place);

/* Smoke to be seen: the layer that is its extinction in 1/m, or, with -1, one everywhere. */
void throng_world_show_smoke(throng_world *world, int32_t layer, double extinction);
/* The grid of points of the smoke that there is now: their numbers, the first, and m between them. False: there is
 * none. */
bool throng_world_smoke_grid(const throng_world *world, int32_t *columns, int32_t *rows, throng_point *first,
                             double *cell);
void throng_world_smoke(const throng_world *world, float *extinction); /* by point, 1/m */

/* Behaviour programs: see THRONG_PROGRAM_OPS. */
typedef struct throng_program_def {
    const throng_instruction *code; /* [count], registers written before they are read */
    int32_t count;
    int32_t results, result[2]; /* 1 or 2 registers */
    float least, most;          /* results are cut off to these */
    const char *place;          /* "walk.lua:12", where the script has it; NULL: nobody knows */
    const char *const *lines;   /* [count] the same of each instruction; NULL: nobody knows */
} throng_program_def;

int throng_program_op_named(const char *name); /* throng_program_op, or -1 */

/* Takes a program in and returns its index (the same for the same program), or -1. It stays until nobody is bound to
 * it and room is made for others. */
int32_t throng_world_program(throng_world *world, const throng_program_def *def, throng_error *error);

/* Where the script has the programs whose results may be no finite numbers, since they divide, take roots, logarithms
 * or powers, or ask for the way to a place; each once, so many at most; how many. Of two that do the same one is known.
 */
int32_t throng_world_program_places(const throng_world *world, const char **places, int32_t most);

/* A line whose results were no finite numbers, what it does then ("divides by 0"), and how often that was seen. */
enum { THRONG_UNDEFINED_LINES = 16 };
typedef struct throng_undefined_line {
    char line[64]; /* "walk.lua:13" */
    const char *what;
    uint64_t results;
} throng_undefined_line;

/* Those that were found, the most frequent first; how many. Not every result is looked into (world_undefined.c). Valid
 * until the next step. */
int32_t throng_world_undefined_lines(throng_world *world, const throng_undefined_line **lines);

/* Makes ready for these programs (NULL: none of them) to be taken in and bound to these columns: then neither fails,
 * and nothing that can be seen has changed. Programs that nobody is bound to may go, and those left be renamed. */
bool throng_world_reserve_programs(throng_world *world, const throng_program_def *const *defs, const int *columns,
                                   int32_t count, throng_error *error);

/* Puts agents who live where somebody else's movement has brought them, positions[count] on their floors, for the next
 * frame; all of them, or none: one that is not finite, in a wall, outside of a world that wraps, off the floor, or an
 * agent in a lift. (place_agents.c) */
bool throng_world_put(throng_world *world, const throng_handle *agents, const throng_point *positions, int32_t count,
                      throng_error *error);

/* From now on the program writes the column of these agents in every frame; THRONG_UNBOUND: none does. A float
 * column; THRONG_COLUMN_COUNT + THRONG_clearpath_..., a parameter of planners, which then overrides the planner's own;
 * or THRONG_COLUMN_desired_vx for the preferred velocity, whose programs have two results; for that, THRONG_KEPT, or
 * less, keeps what the script wrote into desired_vx and desired_vy. */
bool throng_world_bind(throng_world *world, const throng_handle *handles, int32_t count, int column, int32_t program,
                       throng_error *error);
/* By slot, what the column is bound to; NULL: nothing for anybody. Valid until the next spawn. */
const int32_t *throng_world_bound(const throng_world *world, int column);
/* A goal as programs name it (THRONG_PROGRAM_to_place), without routes; -1 on failure. */
int32_t throng_world_place(throng_world *world, int32_t goal, throng_error *error);

/* Opens or closes a door of the map (by index; all are open at first), from the next step on. A closed door is a wall:
 * whose middle is on one side of it stays there, and who stands in the doorway is pushed out to that side, gently, as
 * from any wall. Nobody goes through another for that. Agents that were sent with THRONG_DOORS_REROUTE go another
 * way, while there is one; the others, and those who have none, go up to the door. False, with a message, when a door
 * that is to close ends in the open: routes are not led round it. */
bool throng_world_set_door(throng_world *world, int32_t door, bool open, throng_error *error);
bool throng_world_door_open(const throng_world *world, int32_t door);

/* Holds people back at a door, or no longer, from the next step on: it is a wall, but stays open to routes, so that
 * they come up to it. False, with a message, as above. */
bool throng_world_hold_door(throng_world *world, int32_t door, bool hold, throng_error *error);

/* What passing a door costs beside the length, m (at first as the map has it), from the next step on: everybody's
 * routes are found again. False, with a message, when it is not 0 .. THRONG_DOOR_COST_MAX, when the door ends in the
 * open, and when agents were sent by routes that count no costs (THRONG_ROUTING_ROADMAP, THRONG_ROUTING_FIELD). */
bool throng_world_set_door_cost(throng_world *world, int32_t door, double cost, throng_error *error);
double throng_world_door_cost(const throng_world *world, int32_t door);

/* Lets people through a door one way alone, from the next step on: 1, from the left of its line to the right, as one
 * looks from its first point to its second; -1, the other way; 0, at first: both. To those who come the other way it is
 * a wall, and no route leads them through it. False, with a message, as above. */
bool throng_world_set_door_way(throng_world *world, int32_t door, int way, throng_error *error);
int throng_world_door_way(const throng_world *world, int32_t door);

/* How fast the belt under the sheet's flight moves, on the plan, from the next step on; below 0: down. m/s */
void throng_world_set_belt(throng_world *world, int32_t sheet, double speed);
double throng_world_belt(const throng_world *world, int32_t sheet);

/* Lifts (world_lifts.c), numbered as in the map. */
typedef enum throng_lift_phase {
    THRONG_LIFT_CLOSED,
    THRONG_LIFT_OPENING,
    THRONG_LIFT_OPEN,
    THRONG_LIFT_CLOSING,
    THRONG_LIFT_MOVING
} throng_lift_phase;

typedef struct throng_lift_state {
    throng_lift_phase phase;
    double z, speed;   /* m; m/s, upwards */
    int32_t stop;      /* of the map: where its doors are, or where it left */
    int32_t direction; /* 1: up, -1: down, 0: neither */
    int32_t riders;    /* as its last step began */
    bool in_service;
} throng_lift_state;

throng_lift_state throng_world_lift(const throng_world *world, int32_t lift);

/* Takes a lift out of service, or into it, from the next step on. One that moves stops at the next floor; who is in it
 * gets out. Routes lead through it no more, or again. */
void throng_world_serve_lift(throng_world *world, int32_t lift, bool in_service);

/* Takes the lift into service for an evacuation, from the next step on: it is boarded at the stops of its that are set
 * in `from` [count of its stops], the lowest first, and left at stop `to` of the map alone. */
void throng_world_shuttle_lift(throng_world *world, int32_t lift, const bool *from, int32_t to);

/* Paths for scripts, from the same path queue that agents with goals of their own are served by. Answers with the tag
 * THRONG_SCRIPT_PATH are theirs. */
typedef struct throng_world_path {
    throng_point from, to; /* m */
    double radius;         /* m kept from walls; rounded up to whole centimetres */
    bool urgent;
} throng_world_path;

enum { THRONG_SCRIPT_PATH = -1 };

/* The mesh for a radius (rounded up likewise), its doors as they are now; kept by the world. NULL and a message without
 * a map, or where there is none. */
const struct throng_navmesh *throng_world_navmesh(throng_world *world, double radius, throng_error *error);

/* The ticket; 0 and a message without a map, or where no mesh can be made for the radius. */
throng_path_ticket throng_world_request_path(throng_world *world, const throng_world_path *path, throng_error *error);
bool throng_world_cancel_path(throng_world *world, throng_path_ticket ticket);
bool throng_world_prioritize_path(throng_world *world, throng_path_ticket ticket);
int32_t throng_world_pending_paths(const throng_world *world);
bool throng_world_was_asked_paths(const throng_world *world); /* ever */
/* Expansions that all searches together may spend a frame (default THRONG_PATH_BUDGET), and what the last one did. */
int32_t throng_world_path_budget(const throng_world *world);
void throng_world_set_path_budget(throng_world *world, int32_t expansions);
int32_t throng_world_path_spent(const throng_world *world);
/* Requests that the last step finished; valid until the next. */
const throng_path_answer *throng_world_paths(const throng_world *world, int32_t *count);

/* What is left of the path that the agent in a slot is sent, from where it is to its goal, with its floors
 * (path_floors.h). False when it has no goal, or stands where no path leads from. To be freed with throng_path_fini. */
struct throng_path;
bool throng_world_remaining_path(throng_world *world, int32_t slot, struct throng_path *path, throng_error *error);

/* The potential over the whole map (field.h) that leads to a goal, on a mesh of the map; the caller's. NULL and a
 * message for goals of agents' own, or where none can be made. */
struct throng_field *throng_world_field(const throng_world *world, int32_t goal, const struct throng_navmesh *mesh,
                                        throng_error *error);

/* Writes the slots of the neighbours, at most THRONG_NEIGHBOURS_MAX, that the agent's planner saw in the last step, and
 * how many there are. Whoever was spawned after it saw nobody yet. This and the next fail, with a message, when so much
 * has come or gone since that what was seen is not known any more. */
bool throng_world_neighbours(throng_world *world, int32_t slot, int32_t *neighbours, int32_t *count,
                             throng_error *error);

/* The local map that the agent went by in the last step (see throng_backend_api.local_map). False when its planner is
 * another than bvp, or when it has taken no step. */
bool throng_world_local_map(throng_world *world, int32_t slot, throng_local_map *map, throng_error *error);

/* What the agent's planner saw and chose in the last step, all but bvp's map, with the heading and the frustration that
 * it has now; not known: it took no part in it. */
bool throng_world_choice_of_last_step(throng_world *world, int32_t slot, throng_choice *choice, bool *known,
                                      throng_error *error);

/* From the next step on, what the planner of this agent sees and chooses is kept; slot -1: of nobody. */
void throng_world_watch(throng_world *world, throng_handle agent);
/* That of the last step; NULL when it did not take part in that, or was not watched. */
const throng_choice *throng_world_choice(const throng_world *world, throng_handle agent);

/* The potential's gradient at the agent by central differences, 1/m. */
throng_point throng_local_map_slope(const throng_local_map *map);

/* State machines. A state whose `path` is not -1 has its agents walk by paths of their own, to points. A state's
 * options are those of `option`, its conditions those of `condition`, its goals those of `target`: goals of the world,
 * or -1 for a place picked at random on the map. The first state is the one to start in.
 */
typedef struct throng_machine {
    int64_t number; /* machines with the same number are the same */
    int32_t states, options, conditions, targets;
    const throng_fsm_state *state;
    const char *const *name; /* [states] */
    const throng_fsm_option *option;
    const throng_fsm_condition *condition;
    const int32_t *target; /* [targets] of throng_world_goal_...; -1: drawn, -2 - kind: where a group's leader is */
} throng_machine;

/* From the next step on the agents do what the machine says, from its first state on; -1 on failure, also when some
 * cannot reach a goal of it; else where its states begin in the world's table. */
int32_t throng_world_run_machine(throng_world *world, const throng_handle *handles, int32_t count,
                                 const throng_machine *machine, throng_error *error);
/* The agents, which are in state `state`, take the transition that begins at the machine's option `option` in the next
 * step. */
bool throng_world_ask(throng_world *world, const throng_handle *handles, int32_t count, int32_t state, int32_t option,
                      throng_error *error);
int32_t throng_world_states(const throng_world *world); /* of all machines */
const char *throng_world_state_name(const throng_world *world, int32_t state);

/* Makes one company of at most THRONG_COMPANY_MAX agents, who leave those they were of; of one: nobody's. */
bool throng_world_walk_together(throng_world *world, const throng_handle *handles, int32_t count, throng_error *error);
/* Of how many the company of the agent that is spawned next is. */
int32_t throng_world_company_size(const throng_world *world, const throng_sampler *sizes);
/* They walk alone. */
bool throng_world_leave_companies(throng_world *world, const throng_handle *handles, int32_t count,
                                  throng_error *error);

/* Removes agents; handles that are gone already are passed over. Returns how many went, -1 on failure. */
int32_t throng_world_remove(throng_world *world, const throng_handle *handles, int32_t count, throng_error *error);

/* Who arrived and was removed. */
typedef struct throng_gone {
    int32_t id, arrived; /* step */
} throng_gone;
/* From now on a list of them is kept; what it has so far. */
void throng_world_keep_gone(throng_world *world);
const throng_gone *throng_world_gone(const throng_world *world, int32_t *count);

/* One frame. */
bool throng_world_step(throng_world *world, throng_error *error);

/* The phases of a frame, in order: the host's own, then the backend's stages. */
#define THRONG_HOST_PHASES(X)                                                                                          \
    X(routing, "doors and congestion -> routes")                                                                       \
    X(paths, "the path queue spends its budget -> finished paths")

typedef enum throng_phase {
#define X(name, text) THRONG_PHASE_##name,
    THRONG_HOST_PHASES(X)
#undef X
        THRONG_HOST_PHASE_COUNT,
    THRONG_PHASE_COUNT = THRONG_HOST_PHASE_COUNT + THRONG_STAGE_COUNT
} throng_phase;

extern const char *const throng_phase_names[THRONG_PHASE_COUNT], *const throng_phase_texts[THRONG_PHASE_COUNT];

/* One phase alone, for benchmarks and experiments, with its hooks: columns change, time does not. plan needs what
 * sense has found, and move what plan has wished, since agents last moved, came or went; else an error says so. */
bool throng_world_run_phase(throng_world *world, throng_phase phase, throng_error *error);

/* Milliseconds of a phase in the last frame, without hooks; NAN before the first. Where stages run beside the host
 * (CUDA), asking makes the host wait for every stage from then on, and the answer is NAN until the next frame. */
double throng_world_phase_ms(throng_world *world, throng_phase phase);

/* What is called before (after = false) and after phases: reads and writes whole columns, which the phases that follow
 * see; it adds and removes nobody, and between sense and move it leaves the columns alone that sense has gathered or is
 * bounded by (throng_world_is_sensed). `wanted` has the bit 2 * phase + after set for each call; 0: none, and a frame
 * pays nothing. */
typedef bool (*throng_hook)(void *context, throng_phase phase, bool after, throng_error *error);
void throng_world_set_hook(throng_world *world, throng_hook hook, void *context, uint32_t wanted);
bool throng_world_is_sensed(int column);

/* What can be changed of the phases. */
typedef struct throng_phase_parameter {
    throng_phase phase;
    const char *name, *unit, *text;
    double least, most; /* inclusive */
    bool whole;
} throng_phase_parameter;

enum { THRONG_PHASE_PARAMETERS = 4 };
extern const throng_phase_parameter throng_phase_parameters[THRONG_PHASE_PARAMETERS];
double throng_world_phase_parameter(const throng_world *world, int parameter);
void throng_world_set_phase_parameter(throng_world *world, int parameter, double value); /* within its range */

throng_agents *throng_world_agents(throng_world *world);
/* Where everybody is on the map, by slot, m: their positions, but in a building, whose sheets are laid out side by side
 * (map_sheets.h). Valid until the next call. */
bool throng_world_places(throng_world *world, const float **x, const float **y, throng_error *error);
throng_stages *throng_world_stages(throng_world *world); /* for benchmarks and inspection */

/* What is seen around agents, as numbers for a program that learns: surroundings.c. */
typedef struct throng_surroundings_def {
    double range;       /* m: nothing farther is seen, nor are more than 256 people */
    int32_t neighbours; /* the nearest so many, 4 numbers each: where, m, and how fast, m/s, less the agent's own; all
                           0: there is none */
    int32_t rays;       /* m to the first wall, closed door, body or person, or the range, in so many directions, the
                           first along the x axis, each a part of the turn to the left of the one before */
} throng_surroundings_def;
/* Of the agents in these slots, who live: 4 * neighbours + rays numbers each, written to rows of `to` that are `stride`
 * numbers apart. In a building they see their own floor alone. */
bool throng_world_surroundings(throng_world *world, const throng_surroundings_def *def, const int32_t *slots,
                               int32_t count, float *to, int32_t stride, throng_error *error);
const throng_map *throng_world_map(const throng_world *world);
throng_point throng_world_wrap(const throng_world *world); /* m; {0, 0}: it does not wrap */
double throng_world_dt(const throng_world *world);
double throng_world_time(const throng_world *world); /* s: steps * dt */
uint32_t throng_world_steps(const throng_world *world);
uint64_t throng_world_seed(const throng_world *world);

/* Name and number of a spawn's group. */
int32_t throng_world_group_count(const throng_world *world);
const char *throng_world_group_name(const throng_world *world, int32_t group);
/* 0xRRGGBB; false: the script gave it none. */
bool throng_world_group_colour(const throng_world *world, int32_t group, uint32_t *rgb);
int32_t throng_world_group_named(const throng_world *world, const char *name); /* -1: none */
/* The same, made with nobody in it when there is none; -1 and a message for a name that none can have. */
int32_t throng_world_add_group(throng_world *world, const char *name, throng_error *error);

/* Handles of the agents that arrived in the last step, by slot; valid until the next. */
bool throng_world_arrivals(throng_world *world, const throng_handle **handles, int32_t *count, throng_error *error);

/* An agent, and where it was when the last step began and when it ended. */
typedef struct throng_crossed {
    throng_handle agent;
    bool is_new;           /* it came into the world before that step */
    throng_point from, to; /* m, on the map */
} throng_crossed;

/* From the next step on throng_world_crossings tells who comes into the place or goes out of it, too. Its areas are
 * polygons on the map; they are copied. */
bool throng_world_watch_place(throng_world *world, const throng_region *areas, int32_t count, throng_error *error);
/* Who came into a part of a place that is watched in the last step, or went out of one, or is new and in one, by slot;
 * valid until the next. */
bool throng_world_crossings(throng_world *world, const throng_crossed **list, int32_t *count, throng_error *error);

/* Agents that are stuck: they want to walk, and for ten seconds have not got as far as they walk in 0.7
 * (kernels/routing/progress.h). What is found to be the cause, of these the first that is true:
 *  PATH      it waits for its path, which the path queue has not found yet
 *  GOAL      its goal lies in a wall, or so near to one that its body cannot get there
 *  ROUTE     no path leads from where it stands to its goal
 *  DOOR      its way leads through a door that is closed
 *  STANDOFF  it stands before somebody who wants to go the opposite way and makes no progress either
 *  CROWD     it stands before others
 *  WALL      it stands before a wall
 *  PLANNER   nothing is in its way: its planner does not let it go */
#define THRONG_STUCK_CAUSES(X)                                                                                         \
    X(PATH, "path")                                                                                                    \
    X(GOAL, "goal in a wall")                                                                                          \
    X(ROUTE, "no route")                                                                                               \
    X(DOOR, "closed door")                                                                                             \
    X(STANDOFF, "standoff")                                                                                            \
    X(CROWD, "crowd")                                                                                                  \
    X(BODY, "body")                                                                                                    \
    X(WALL, "wall")                                                                                                    \
    X(PLANNER, "planner")

typedef enum throng_stuck_cause {
#define X(name, text) THRONG_STUCK_##name,
    THRONG_STUCK_CAUSES(X)
#undef X
        THRONG_STUCK_CAUSE_COUNT
} throng_stuck_cause;

extern const char *const throng_stuck_causes[THRONG_STUCK_CAUSE_COUNT];

typedef struct throng_stuck {
    throng_handle agent;
    throng_stuck_cause cause;
    int32_t jam; /* agents with the same cause, each within 2 m of another, have the same; counted from 0; -1: in a
                  * list of those who begin to be */
    throng_point place; /* m */
    uint32_t since;     /* step of its last progress, to the second */
} throng_stuck;

/* Everybody who is stuck now, by slot; those who have begun to be in the last step. Valid until the next step or the
 * next question. */
bool throng_world_stuck(throng_world *world, const throng_stuck **list, int32_t *count, throng_error *error);
const throng_stuck *throng_world_newly_stuck(const throng_world *world, int32_t *count);

/* Somebody came from one floor, flight or lift of a building to another, told by their first sheets. */
typedef struct throng_floor_change {
    throng_handle agent;
    int32_t from, to;
} throng_floor_change;

/* Notes from now on who does. False when the world has one floor. */
bool throng_world_watch_floors(throng_world *world, throng_error *error);
/* Those of the last step, by where from and where to. Valid until the next. */
const throng_floor_change *throng_world_floor_changes(const throng_world *world, int32_t *count);

/* Who has been overcome (column `pace` is 0) since this was last asked. Valid until then. */
bool throng_world_newly_overcome(throng_world *world, const throng_handle **list, int32_t *count, throng_error *error);

/* Everyone with a goal has arrived or was removed, and nobody is to come. A world in which nobody ever had a goal is
 * done when nobody is left. Costs a look at the backend's counters where somebody has a goal. */
bool throng_world_done(throng_world *world, bool *done, throng_error *error);

/* Adds `sources` (1, -1) to the number of those that will bring more agents: until it is 0 the world is not done. */
void throng_world_expect(throng_world *world, int32_t sources);
/* Adds to the number of those who are due, and wait for room at their source. */
void throng_world_keep_outside(throng_world *world, int64_t agents);

/* How many agents stand in another, by half of their radii or more, and the slot of the first of them. 0: none do, or
 * memory is out. */
int32_t throng_world_count_inside(throng_world *world, int32_t *first);

/* Totals of the run so far. Removed agents count. */
typedef struct throng_world_stats {
    int32_t spawned, living, arrived, bodies;
    int64_t outside;                         /* who are due, and wait for room at their sources */
    double first_arrival, last_arrival;      /* s; NAN when nobody arrived */
    double mean_travel, worst_travel;        /* s from spawn to arrival; NAN likewise */
    double ms_per_step;                      /* mean over the steps taken: the frame without Lua and recording */
    double stage_ms[THRONG_STAGE_COUNT];     /* mean a step; only when throng_world_time_stages is on */
    int32_t stuck[THRONG_STUCK_CAUSE_COUNT]; /* how often agents began to be stuck, by the cause that was found then */
    throng_counters counters;
} throng_world_stats;
bool throng_world_get_stats(throng_world *world, throng_world_stats *stats, throng_error *error);
/* How many have arrived so far, alone: a device that works on the frame is not waited for. */
bool throng_world_count_arrived(throng_world *world, int32_t *count, throng_error *error);
/* Stages run one after the other from now on, each waited for; times are a device's own (throng_backend_api). */
void throng_world_time_stages(throng_world *world, bool on);

/* The state's hash: of every column of every living agent, the step, and who was removed when. Equal on every
 * backend. */
bool throng_world_hash(throng_world *world, uint64_t *hash, throng_error *error);

/* What runs it: "cpu" or "cuda", and its device, SIMD width and threads. */
const char *throng_world_backend(const throng_world *world);
/* Why "auto" took it, for people; NULL: it was not "auto" that did, or no frame has begun. */
const char *throng_world_backend_reason(const throng_world *world);
void throng_world_backend_info(const throng_world *world, throng_backend_info *info);

/* The numbered random value in [0, 1) of (seed, id, step, purpose): Philox 4x32-10. */
double throng_world_random(const throng_world *world, uint32_t id, uint32_t step, uint32_t purpose);

/* The world at one moment, to be looked at while it goes on. All zero before its first use. */
typedef struct throng_snapshot {
    double time;          /* s */
    int32_t gone_arrived; /* agents that arrived and are removed */
    float *lift_z;        /* [lifts of the map] m: where their cars are */
    int32_t lift_room;
    throng_copy agents;
} throng_snapshot;

/* Begins to copy columns (bit each) into the snapshot and returns at once: see throng_copy. */
bool throng_world_snapshot(throng_world *world, throng_column_set columns, throng_snapshot *snapshot,
                           throng_error *error);

void throng_snapshot_fini(throng_snapshot *snapshot);

/* Bytes held for each slot of capacity on the host and on the device. */
void throng_world_bytes(const throng_world *world, size_t *host, size_t *device);

#endif
