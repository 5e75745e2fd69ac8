/* What the world is made of: private to world*.c and spawn*.c. */
#ifndef THRONG_WORLD_PARTS_H
#define THRONG_WORLD_PARTS_H

#include "bodies.h"
#include "navigation/field.h"
#include "navigation/navmesh.h"
#include "navigation/roadmap.h"
#include "world.h"

/* A mesh for one clearance, and where its faces and half-edges lie in the flattened routes. */
typedef struct world_mesh {
    throng_navmesh *mesh; /* the bare one, or a copy in which bodies stand */
    uint64_t number;      /* of the mesh, for keys of what is made of it */
    throng_navmesh *bare;
    uint64_t bare_number;    /* in the cache */
    uint64_t standing;       /* world_standing.number of the bodies that are in it */
    throng_roadmap *roadmap; /* NULL until someone walks by it; the cache's */
    int32_t first_face, first_edge, first_node;
    struct world_congestion *congestion; /* [edge_count], NULL until somebody heeds it */
    float *delay;                        /* [edge_count] m: what they cost, as routes know it */
    bool stale;                          /* its doors have moved, and not all routes on it have followed */
} world_mesh;

/* Those who are held up before a portal. */
typedef struct world_congestion {
    double lost, square; /* of this count: agents, by the part of their speed that is lost; m^2, times that */
    double seconds;      /* to let them through, smoothed */
    double reach;        /* m^2: squared distance of the farthest, about, smoothed */
} world_congestion;

/* A goal as the script named it; throng_goal entries of it exist for every mesh it is walked to on. */
typedef struct world_target {
    int32_t kind; /* THRONG_GOAL_... */
    bool direct;  /* straight on, whatever is between */
    throng_point point;
    double radius;
    throng_region *regions;
    int32_t region_count;
} world_target;

/* How a way is found. */
typedef struct world_route_options {
    int32_t routing, door_policy; /* THRONG_ROUTING_..., THRONG_DOORS_... */
    int32_t congestion;           /* 1: congestion counts */
} world_route_options;

/* One entry of the backend's goals: a target on a mesh (-1: straight), and the routes there. */
typedef struct world_goal {
    int32_t target, mesh;
    world_route_options options;
    int32_t path_mesh; /* goals of their own: the mesh of the agents' paths, -1: they walk straight */
    throng_path_map
        *path_map;       /* THRONG_ROUTING_NAVMESH, THRONG_ROUTING_FIELD; the cache's but where congestion counts */
    throng_field *field; /* THRONG_ROUTING_FIELD; the cache's */
    throng_roadmap_tree *road; /* THRONG_ROUTING_ROADMAP; the cache's */
} world_goal;

/* How agents walk: on a mesh (-1: straight), with route options. */
typedef struct world_route_profile {
    int32_t mesh;
    world_route_options options;
} world_route_profile;

/* A column that programs write for some agents, or (from THRONG_COLUMN_COUNT on) a parameter of planners. */
typedef struct world_target_column {
    int column;
    int32_t *bound; /* [capacity] by slot: program, THRONG_UNBOUND or THRONG_KEPT */
    float *values;  /* [capacity] of a parameter: NaN where no program gives it; else NULL */
} world_target_column;

typedef struct world_programs {
    throng_instruction *code;
    int32_t code_count, code_room;
    throng_program *list;
    int32_t count, room, sweep_at;
    world_target_column target[THRONG_PROGRAM_TARGETS];
    int32_t targets, capacity;
    uint32_t moves; /* of the agent store when the backend was told */
    bool changed;   /* since then */
} world_programs;

/* What an agent with a goal of its own asked for. */
typedef struct world_path_request {
    throng_path_ticket ticket; /* 0: it waits for nothing */
    float x, y;                /* m: the goal */
    bool through;              /* asked again, as if no body stood in the way */
} world_path_request;

/* What path_own.c keeps. */
typedef struct world_own_paths {
    world_path_request *requests; /* [slot_room] */
    int32_t slot_room;
    float *x, *y, *turn; /* [room] see throng_waypoints */
    int32_t count, room;
    int32_t in_use;       /* corners of paths that are walked, when last counted */
    bool walking;         /* somebody has such a goal */
    bool by_machines;     /* machines give such goals, */
    uint64_t transitions; /* when states are entered: so many had been at the last look */
    bool stale;           /* doors were opened or closed */
    bool remeshed;        /* bodies came to stand, or stand no longer */
    bool changed;         /* the backend has older corners, or others' place */
} world_own_paths;

/* A machine as it runs for those who walk in one way: its states and goals in the table. */
typedef struct world_machine {
    int64_t number;
    world_route_profile profile;
    int32_t first_state, states, first_goal, goals, first_option;
} world_machine;

typedef struct world_fsm {
    throng_fsm table; /* its arrays are owned */
    char **names;     /* [table.states] */
    world_machine *machines;
    int32_t machine_count;
    int32_t state_room, option_room, condition_room, goal_room, name_room, machine_room;
    uint32_t moves; /* of the agent store when the backend was told */
    bool changed;   /* since then */
} world_fsm;

/* What is measured, and where everybody was before the step. */
typedef struct world_measures {
    struct throng_measure *first; /* a list */
    float *x, *y;                 /* [room] m, by slot */
    int32_t room, slots;
} world_measures;
/* Of agents that are stuck: see world_stuck.c. */
typedef struct world_stuck {
    throng_stuck *list, *newly; /* the last answers */
    int32_t list_room, newly_room, newly_count;
    uint64_t seen;                            /* of the backend's counter */
    int32_t counts[THRONG_STUCK_CAUSE_COUNT]; /* of this run */
} world_stuck;

/* The most that a living agent has of something, and how many have as much. */
typedef struct world_limit {
    float most;
    int32_t have;
} world_limit;

/* See world_limits.c. */
typedef struct world_limits {
    int32_t living; /* agents that were looked at and are there */
    world_limit radius, speed, sight, wall_reach, neighbours;
    int32_t planners[THRONG_PLANNER_COUNT]; /* so many have one of this kind */
    float bulk_radius;                      /* m: as throng_frame has it */
    int32_t large_count, large[THRONG_LARGE_MAX];
} world_limits;

/* What is kept of one agent's planner: see throng_world_watch. */
typedef struct world_watched {
    throng_handle agent; /* slot -1: nobody */
    bool known;
    uint32_t step;
    throng_choice choice;
} world_watched;

/* Of the frame's phases: see world_phases.c. */
typedef struct world_phases {
    throng_hook hook;
    void *context;
    uint32_t wanted;                    /* bit 2 * phase + after */
    uint32_t called;                    /* the step in which it was called last, + 1 */
    double seconds[THRONG_PHASE_COUNT]; /* of the last frame; NAN: not known */
    double hook_seconds;                /* of the frame so far */
    bool hooked;                        /* a hook of a stage runs: planners hold lists of the sides of bodies */
    bool timed;                         /* somebody has asked for times */
    int32_t ready;                      /* the next stage that has what it needs, of sense, plan and move */
    int32_t iterations;                 /* contacts: see throng_frame */
    double tolerance;
    double capacity; /* 1/(m s): of portals, see congestion.c */
} world_phases;

typedef struct world_hazard {
    int32_t id;
    throng_moving_hazard hazard;
} world_hazard;

typedef struct world_influences {
    float *weights; /* [groups * groups] */
    world_hazard *hazards;
    throng_hazard *shown; /* [hazard_count] as the backend has them */
    int32_t groups, hazard_count, hazard_room, shown_room, next_id;
    bool changed;
} world_influences;

/* How much a grid's lists have room for. */
typedef struct throng_grid_room {
    size_t start, list;
} throng_grid_room;

/* Of bodies that stand in the way: see world_standing.c. */
typedef struct world_standing {
    struct world_stand *list; /* [room] by slot of the body */
    int32_t room;
    uint64_t number; /* of changes so far */
} world_standing;

typedef struct world_player {
    throng_handle *handles; /* [count] */
    int32_t count;
    double x, y; /* steered last */
} world_player;

struct throng_world {
    throng_map *map;
    struct throng_cache *cache; /* what it took of it is released before the world is freed */
    bool own_cache;
    throng_map *floor; /* what walls and routes are built of: the map, or nine tiles of it where the world wraps */
    double dt;
    uint64_t seed;
    throng_stages stages;
    throng_agents *agents;
    uint32_t step;
    throng_frame frame;
    world_limits limits;

    char **group_names;
    int32_t group_count, group_room;

    throng_walls walls; /* its arrays are one block each, owned */
    float walls_reach;  /* m: what the grid over the walls was built for */
    bool walls_changed; /* the backend has others */

    throng_bodies *bodies; /* NULL until there is one */
    bool bodies_changed;   /* the backend has older sides */
    bool bodies_remade;    /* and of other bodies */
    uint32_t bodies_made;
    throng_grid_room side_room, box_room; /* of walls.moving and walls.boxes */
    throng_near *near_bodies;
    int32_t near_room;
    world_standing standing;

    throng_planner *planners; /* what the column `planner` indexes */
    int32_t planner_count, planner_room;
    bool planners_changed;

    world_influences influences;
    world_player player;

    bool *door_shut; /* [map->door_count] */
    bool doors_changed;

    world_mesh *meshes;
    int32_t mesh_count, mesh_room;
    world_target *targets;
    int32_t target_count, target_room;
    world_goal *goals;
    int32_t goal_count, goal_room;
    throng_navigation navigation; /* flattened, owned */
    throng_goals goal_table;      /* flattened, owned */
    bool goals_changed;

    world_programs programs;
    world_fsm fsm;
    int32_t sensed_capacity, sensed_neighbours; /* of the last sense stage */
    bool sensed_walls;                          /* it listed walls that are there still */
    throng_path_queue *paths;                   /* NULL until somebody asks */
    int32_t path_budget, path_spent;
    world_own_paths own; /* of agents with goals of their own */

    /* those who walk to a goal and have not arrived: at `pending_at` arrivals there were `pending` */
    int32_t expected; /* sources that will bring more agents */
    int64_t pending;
    uint64_t pending_at;
    bool some_had_arrived; /* and live, when these were counted */

    throng_handle *arrivals;
    int32_t *arrival_slots;
    int32_t arrival_room, arrival_count;
    bool arrivals_known;

    /* of agents that were removed */
    int32_t spawned, gone_arrived;
    double gone_travel, gone_worst; /* s */
    int32_t gone_first, gone_last;  /* steps, -1: none */
    uint64_t gone_hash;

    world_measures measures;

    world_phases phases;
    world_watched watched;
    world_stuck stuck;
    double seconds; /* spent in steps */
    bool time_stages;
    double stage_seconds[THRONG_STAGE_COUNT];
};

/* world_walls.c: walls of the map for the backend, with a grid for what is within `reach` metres. On failure the world
 * keeps those that it had. */
bool throng_world_build_walls(throng_world *world, float reach, throng_error *error);
bool throng_world_upload_walls(throng_world *world, throng_error *error);
void throng_world_free_walls(throng_world *world);

/* world_frame.c: brings the backend up to date: it is given every table that has changed, moved or grown since, and
 * what was written to columns. Stages and probes run after this and at no other time, so no pointer that the backend
 * has is older. A table whose upload fails is still marked as changed. */
bool throng_world_sync_backend(throng_world *world, throng_error *error);
/* The frame knows the step and the crowd's bounds. */
bool throng_world_begin_frame(throng_world *world, throng_error *error);
uint64_t throng_world_written_columns(const throng_world *world); /* bit a column that the stages write */

/* world_stuck.c: finds who began to be stuck, after a step. */
bool throng_world_note_stuck(throng_world *world, throng_error *error);
void throng_world_free_stuck(throng_world *world);

/* world_probe.c; between plan and move */
bool throng_world_keep_choice(throng_world *world, throng_error *error);

/* world_phases.c */
void throng_world_init_phases(throng_world *world);
bool throng_world_phase(throng_world *world, throng_phase phase, throng_error *error); /* with its hooks */

/* The sides of bodies, and the grid over them, follow the bodies. */
bool throng_world_fill_sides(throng_world *world, throng_error *error);

/* world_bodies.c */
float throng_world_body_reach(const throng_world *world); /* m: in which the walls' grids must list what agents touch */
/* The world's bodies, which are made when there are none. NULL when memory is out. */
throng_bodies *throng_world_need_bodies(throng_world *world, throng_error *error);
/* Before stages run: the backend learns what the script did to bodies; their sides stay while a frame goes on. */
bool throng_world_follow_bodies(throng_world *world, throng_error *error);
/* Between plan and move: a frame of the physics. What pushes agents changes their wishes, and the frame's top speed. */
bool throng_world_move_bodies(throng_world *world, throng_error *error);
void throng_world_free_bodies(throng_world *world);

/* world_standing.c: meshes and routes follow the bodies that stand. */
bool throng_world_follow_standing(throng_world *world, throng_error *error);
void throng_world_free_standing(throng_world *world);

/* spawn_places.c */
/* Does a body come nearer than that? */
bool throng_world_body_near(const throng_world *world, throng_point point, double reach);
bool throng_world_in_areas(const throng_region *areas, int32_t count, throng_point point); /* of none: everywhere */
/* Is the place, as the floats that it becomes, in a world that wraps? In any other it is. */
bool throng_world_holds(const throng_world *world, throng_point p);
throng_bounds throng_world_areas_bounds(const throng_world *world, const throng_region *areas, int32_t count);
/* Where the spawn's agents of these radii [count] stand: writes `out` [count]. False when there is no room for all. */
bool throng_spawn_place(throng_world *world, const throng_spawn_def *def, const float *radius, throng_point *out,
                        throng_error *error);

/* spawn.c */
double throng_world_sample(const throng_sampler *sampler, uint64_t seed, uint32_t id, uint32_t what);

/* world.c */
uint64_t throng_world_mix(uint64_t hash, uint64_t value); /* one step of the hash of the world */

/* world_limits.c: tells the frame what bounds it, when that was written; were all agents looked at? The second is for
 * somebody who is about to be removed. */
bool throng_world_follow_limits(throng_world *world, bool *found, throng_error *error);
bool throng_world_limits_without(throng_world *world, int32_t slot, throng_error *error);

/* world_planners.c */
bool throng_world_upload_planners(throng_world *world, throng_error *error);
/* Is the local map of an agent of this radius smaller than the world, and are its cells smaller than those of a field,
 * if that is its way? False and a message. Other planners have none. */
bool throng_world_local_map_fits(const throng_world *world, const throng_planner *planner, float radius,
                                 int32_t routing, throng_error *error);
/* Are all of them so? Then the frame's reach for walls is as far as theirs. */
bool throng_world_check_local_maps(throng_world *world, throng_error *error);

/* world_wrap.c */
bool throng_world_init_floor(throng_world *world, throng_error *error);
void throng_world_free_floor(throng_world *world);
bool throng_world_tiles(const throng_world *world); /* Is the floor in tiles? */
/* Copies of the regions in all tiles, `*count` of them, in one block, which the caller frees. */
bool throng_world_regions_in_tiles(const throng_world *world, const throng_region *regions, int32_t *count,
                                   throng_region **tiled, throng_error *error);
/* Fails where agents cannot have paths of their own. */
bool throng_world_check_own_path(const throng_world *world, throng_error *error);

/* world_influences.c */
uint64_t throng_world_mix_hazards(const throng_world *world, uint64_t hash);
bool throng_world_upload_influences(throng_world *world, throng_error *error);
void throng_world_move_hazards(throng_world *world); /* after a step */
void throng_world_free_influences(throng_world *world);

/* world_doors.c */
bool throng_world_init_doors(throng_world *world, throng_error *error);
/* Walls, meshes and routes follow the doors that were opened or closed since the last step. */
bool throng_world_follow_doors(throng_world *world, throng_error *error);

/* path_requests.c */
bool throng_world_open_path_queue(throng_world *world, throng_error *error);

/* path_own.c: agents that walk by corners, each to its own goal */
/* Requests a path for each agent whose goal entry, in `goals` [count], is walked to by one; none when that fails. */
bool throng_world_ask_for_paths(throng_world *world, const throng_handle *handles, const int32_t *goals,
                                const throng_point *points, int32_t count, throng_error *error);
bool throng_world_upload_waypoints(throng_world *world, throng_error *error);
/* A frame of the queue: before it those are asked for again who have lost their path, or whose doors have moved; after
 * it agents get theirs. */
bool throng_world_run_paths(throng_world *world, throng_error *error);
void throng_world_free_own_paths(throng_world *world);

/* congestion.c */
/* Routes follow the congestion before the portals, once a second. */
bool throng_world_follow_congestion(throng_world *world, throng_error *error);

/* routing.c */
/* Room for the congestion before the portals, once. */
bool throng_world_init_congestion(world_mesh *mesh, throng_error *error);
/* Builds the goal's way again; on failure it stays. */
bool throng_world_renew_route(throng_world *world, world_goal *goal, throng_error *error);
const throng_navmesh *throng_world_mesh(throng_world *world, double radius, throng_error *error); /* kept; NULL: none */
double throng_world_clearance(double radius); /* m: radius of the mesh that agents of this one have */
int32_t throng_world_mesh_for(throng_world *world, double radius, throng_error *error); /* index, or -1 */
/* Builds what the goal's method needs. */
bool throng_world_find_route(throng_world *world, world_goal *goal, throng_error *error);
void throng_world_free_route(throng_world *world, world_goal *goal);
/* The goal's sides by face, of whichever tree it has. */
const int32_t *throng_world_goal_sides(const world_goal *goal);
bool throng_world_flatten_navigation(throng_world *world, throng_error *error);
void throng_world_free_navigation(throng_world *world);

/* world_cached.c: as roadmap.h, navmesh.h and field.h say, by way of the world's cache, which they are released to. */
throng_roadmap *throng_world_take_roadmap(throng_world *world, const world_mesh *mesh, throng_error *error);
throng_roadmap_tree *throng_world_take_road_tree(throng_world *world, const world_mesh *mesh,
                                                 const throng_region *goals, int32_t count, bool heed_doors,
                                                 throng_error *error);
throng_path_map *throng_world_take_tree(throng_world *world, const world_mesh *mesh, const throng_region *goals,
                                        int32_t count, bool heed_doors, throng_error *error);
throng_field *throng_world_take_field(throng_world *world, const world_mesh *mesh, const throng_region *goals,
                                      int32_t count, bool heed_doors, throng_error *error);

/* world_fields.c: the fields of all goals that have one, in order. */
bool throng_world_flatten_fields(const throng_world *world, throng_fields *fields, throng_error *error);
void throng_world_free_fields(throng_fields *fields);

/* spawn.c: the index of the group of that name, made when there is none; -1 when memory is out */
int32_t throng_world_add_group(throng_world *world, const char *name, throng_error *error);

/* world_goals.c */
bool throng_world_same_target(const world_target *a, const world_target *b);
bool throng_world_upload_goals(throng_world *world, throng_error *error);
/* A face for each agent that has none of its mesh; from there on the stages find the next (kernels/routing/faces.h). */
bool throng_world_locate(throng_world *world, throng_error *error);
bool throng_world_count_pending(throng_world *world, throng_error *error);
void throng_world_free_goals(throng_world *world);
/* The face an agent of that mesh stands in or next to, -1: none near. */
int32_t throng_world_face_near(const throng_navmesh *mesh, float x, float y, float radius);
extern const world_route_profile throng_world_straight;
/* How the agents walk: on the mesh for the largest of them, with the route options of the first. */
bool throng_world_find_profile(throng_world *world, const throng_handle *handles, int32_t count,
                               world_route_profile *profile, throng_error *error);
/* The entry of the backend's goals for a target, walked to in that way unless it is direct. -1 on failure. */
int32_t throng_world_goal_entry(throng_world *world, int32_t target, world_route_profile profile, throng_error *error);
/* The same for points of agents' own, by paths of their own. */
int32_t throng_world_path_entry(throng_world *world, int32_t target, world_route_profile profile, throng_error *error);
/* The faces of the mesh that the agents stand in or next to, -1: none near. */
bool throng_world_faces(throng_world *world, const throng_handle *handles, int32_t count, int32_t mesh, int32_t *faces,
                        throng_error *error);
/* An error that says who cannot get from those faces to the goal, when somebody cannot. */
bool throng_world_check_routes(throng_world *world, const throng_handle *handles, int32_t count, int32_t goal,
                               int32_t *faces, throng_error *error);
/* Asks the agents' machine for that state, -1: they have no machine any more, and keep the goal they have. */
bool throng_world_ask_machine(throng_world *world, const throng_handle *handles, int32_t count, int32_t state,
                              throng_error *error);

/* world_machines.c */
uint64_t throng_world_fsm_columns(const throng_world *world); /* bit a column that machines write */
bool throng_world_upload_fsm(throng_world *world, throng_error *error);
void throng_world_free_fsm(throng_world *world);

/* world_programs.c */
bool throng_world_unbind_all(throng_world *world, const throng_handle *handles, int32_t count, throng_error *error);
uint64_t throng_world_program_columns(const throng_world *world); /* bit a column that programs write */
bool throng_world_upload_programs(throng_world *world, throng_error *error);
void throng_world_free_programs(throng_world *world);

#endif
