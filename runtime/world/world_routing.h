/* Goals and the routes to them: meshes, roadmaps, fields, doors, congestion (world_goals.c, routing.c,
 * world_navigation.c, world_cached.c, world_fields.c, world_doors.c, congestion.c, world_wrap.c). */
#ifndef THRONG_WORLD_ROUTING_H
#define THRONG_WORLD_ROUTING_H

#include "navigation/field.h"
#include "navigation/navmesh.h"
#include "navigation/roadmap.h"
#include "world.h"

enum { THRONG_MESH_MOVED = 1, THRONG_MESH_PRICED = 2 }; /* doors opened or closed; their costs changed */

/* A mesh for one clearance, and where its faces and half-edges lie in the flattened routes. */
typedef struct world_mesh {
    const throng_navmesh *mesh; /* that people walk on: `bare`, or `covered` */
    uint64_t number;            /* of the mesh, for keys of what is made of it */
    const throng_navmesh *bare; /* without bodies: the cache's, held, which other worlds read; or `own` */
    uint64_t bare_number;       /* in the cache */
    throng_navmesh *own;        /* a copy that is this world's, since something was not as the map has it; NULL */
    throng_navmesh *covered;    /* a copy in which bodies stand; NULL: none do */
    uint64_t standing;          /* world_standing.number of the bodies that are in it */
    throng_roadmap *roadmap;    /* NULL until someone walks by it; the cache's */
    int32_t first_face, first_edge, first_node;
    struct world_congestion *congestion; /* [edge_count], NULL until somebody heeds it */
    float *delay;                        /* [edge_count] m: what they cost, as routes know it */
    uint8_t stale; /* THRONG_MESH_...: what has become of its doors that not all routes on it have followed */
} world_mesh;

/* Those who are held up before a portal. */
typedef struct world_congestion {
    double lost, square; /* of this count: agents, by the part of their speed that is lost; m^2, times that */
    double seconds;      /* to let them through, smoothed */
    double reach;        /* m^2: squared distance of the farthest, about, smoothed */
} world_congestion;

/* A goal as the script named it; throng_goal entries of it exist for every mesh it is walked to on. */
typedef struct world_target {
    int32_t kind;  /* THRONG_GOAL_... */
    bool direct;   /* straight on, whatever is between */
    int32_t place; /* the first target that is there, whatever its radius, straight or not */
    throng_point point;
    double radius;
    throng_region *regions;
    int32_t region_count;
} world_target;

/* How paths to a goal are found. */
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
    uint64_t number;           /* of path_map or road in the cache, where it is the cache's: see throng_cache_number */
} world_goal;

/* How agents walk: on a mesh (-1: straight), with route options. */
typedef struct world_route_profile {
    int32_t mesh;
    world_route_options options;
} world_route_profile;

typedef struct world_doors {
    bool *shut;   /* [map->door_count] */
    bool *held;   /* [map->door_count] walls like shut ones, but open in all routes */
    double *cost; /* [map->door_count] m */
    int *way;     /* [map->door_count] 1: forth alone, -1: back alone (throng_world_set_door_way) */
    bool changed; /* since routes followed them */
} world_doors;

typedef struct world_routing {
    world_mesh *meshes;
    int32_t mesh_count, mesh_room;
    world_target *targets;
    int32_t target_count, target_room;
    world_goal *goals;
    int32_t goal_count, goal_room;
    int32_t walked;                     /* routes, when those that nobody walked were given back */
    throng_navigation navigation;       /* flattened; its arrays are owned where `flattened` is NULL */
    const throng_navigation *flattened; /* the cache's, held, which other worlds read and none writes; NULL: some mesh
                                           or route is not the cache's */
    throng_goals goal_table;            /* flattened, owned */
    bool changed;                       /* the backend has older goals or routes */
} world_routing;

/* world_wrap.c */
bool throng_world_init_floor(throng_world *world, throng_error *error);
void throng_world_free_floor(throng_world *world);
bool throng_world_tiles(const throng_world *world); /* Is the floor in tiles? */
/* Copies of the regions in all tiles, `*count` of them, in one block, which the caller frees. */
bool throng_world_regions_in_tiles(const throng_world *world, const throng_region *regions, int32_t *count,
                                   throng_region **tiled, throng_error *error);
/* Fails where agents cannot have paths of their own. */
bool throng_world_check_own_path(const throng_world *world, throng_error *error);

/* world_doors.c */
bool throng_world_init_doors(throng_world *world, throng_error *error);
/* False and a message where routes of that kind would have to count what a door costs, or its way, and do not. */
bool throng_world_check_doors(const throng_world *world, int32_t routing, throng_error *error);
/* What paths can pass has changed: they are found again before the next step. */
void throng_world_renew_paths(throng_world *world);
/* Walls, meshes and routes follow the doors that were opened or closed since the last step. */
bool throng_world_follow_doors(throng_world *world, throng_error *error);

/* congestion.c */
/* Routes follow the congestion before the portals, once a second. */
bool throng_world_follow_congestion(throng_world *world, throng_error *error);

/* routing.c */
/* Gives the world a bare mesh of its own before it changes: when doors, belts or lifts are not as the map has them. As
 * long as there is none they are, and the cache's mesh says the same. */
bool throng_world_own_mesh(throng_world *world, world_mesh *mesh, throng_error *error);
/* Doors of a mesh, of the world's own, as they are now; what has changed, THRONG_MESH_... */
uint8_t throng_world_set_mesh_doors(const throng_world *world, throng_navmesh *mesh);
/* And searches heed it. */
bool throng_world_turn_mesh_doors(const throng_world *world, throng_navmesh *mesh, throng_error *error);
/* Room for the congestion before the portals, once. */
bool throng_world_init_congestion(world_mesh *mesh, throng_error *error);
/* Finds the goal's routes again; on failure they stay. */
bool throng_world_renew_route(throng_world *world, world_goal *goal, throng_error *error);
const throng_navmesh *throng_world_mesh(throng_world *world, double radius, throng_error *error); /* kept; NULL: none */
double throng_world_clearance(double radius); /* m: radius of the mesh that agents of this one have */
int32_t throng_world_mesh_for(throng_world *world, double radius, throng_error *error); /* index, or -1 */
/* Builds what the goal's method needs. */
bool throng_world_find_route(throng_world *world, world_goal *goal, throng_error *error);
void throng_world_free_route(throng_world *world, world_goal *goal);
/* The goal's sides by face, of whichever tree it has. */
const int32_t *throng_world_goal_sides(const world_goal *goal);
void throng_world_free_meshes(throng_world *world);

/* world_cached.c: as roadmap.h, navmesh.h and field.h say, by way of the world's cache, which they are released to. */
throng_roadmap *throng_world_take_roadmap(throng_world *world, const world_mesh *mesh, throng_error *error);
throng_roadmap_tree *throng_world_take_road_tree(throng_world *world, const world_mesh *mesh,
                                                 const throng_region *goals, int32_t count, bool heed_doors,
                                                 throng_error *error);
throng_path_map *throng_world_take_tree(throng_world *world, const world_mesh *mesh, const throng_region *goals,
                                        int32_t count, bool heed_doors, throng_error *error);
throng_field *throng_world_take_field(throng_world *world, const world_mesh *mesh, const throng_region *goals,
                                      int32_t count, bool heed_doors, throng_error *error);

/* world_navigation.c: all meshes and routes, flattened anew. On failure there are none. */
bool throng_world_take_navigation(throng_world *world, throng_error *error);
void throng_world_free_navigation(throng_world *world);

/* world_fields.c: the fields of all goals that have one, in order. */
bool throng_world_flatten_fields(const throng_world *world, throng_fields *fields, throng_error *error);
void throng_world_free_fields(throng_fields *fields);

/* world_goals.c, world_send.c, world_goal_table.c */
#define THRONG_ROUTING_OWN (-1)
/* throng_world_send with route options of each agent, [count]; THRONG_ROUTING_OWN: those of its columns. */
bool throng_world_send_as(throng_world *world, const throng_handle *handles, int32_t count, int32_t target,
                          const throng_point *points, const world_route_options *options, throng_error *error);
/* Those of the agent's columns, which apply when it is sent the next time. */
world_route_options throng_world_route_options_of(throng_world *world, int32_t slot);
/* Those with which agents were sent to the goal; THRONG_ROUTING_OWN: straight, with nothing in the way. */
world_route_options throng_world_route_options_to(const throng_world *world, int32_t goal);
bool throng_world_same_target(const world_target *a, const world_target *b);
bool throng_world_same_options(const world_route_options *a, const world_route_options *b);
/* The entry of such a goal, made when there is none; -1 on failure. */
int32_t throng_world_goal_for(throng_world *world, world_goal goal, throng_error *error);
world_goal throng_world_straight_to(int32_t target);
bool throng_world_upload_goals(throng_world *world, throng_error *error);
void throng_world_free_goals(throng_world *world);
void throng_world_free_goal_table(throng_world *world);
/* The face an agent of that mesh stands in or next to, -1: none near. */
int32_t throng_world_face_near(const throng_navmesh *mesh, float x, float y, float radius);
extern const world_route_profile throng_world_straight;
/* How the agents walk: on the mesh for the largest of them, with the route options of the first. */
bool throng_world_find_profile(throng_world *world, const throng_handle *handles, int32_t count,
                               world_route_profile *profile, throng_error *error);
/* The entry for a target and a route profile, which does not matter where the target is direct. -1 on failure. */
int32_t throng_world_goal_entry(throng_world *world, int32_t target, world_route_profile profile, throng_error *error);
/* The same for points of agents' own, by paths of their own. */
int32_t throng_world_path_entry(throng_world *world, int32_t target, world_route_profile profile, throng_error *error);
/* The faces of the mesh that the agents stand in or next to, -1: none near. */
bool throng_world_faces(throng_world *world, const throng_handle *handles, int32_t count, int32_t mesh, int32_t *faces,
                        throng_error *error);
/* An error that says who cannot get from those faces to the goal, when somebody cannot. */
bool throng_world_check_routes(throng_world *world, const throng_handle *handles, int32_t count, int32_t goal,
                               int32_t *faces, throng_error *error);
/* Is some of the target on the floor of that place? Straight on there is no other. `own`: of THRONG_GOAL_OWN. */
bool throng_world_shares_floor(const throng_world *world, const world_target *target, throng_point own,
                               throng_point from);
/* An error that says who is on another floor than the target, of all of them or those whose routing is "direct". */
bool throng_world_check_straight(throng_world *world, const throng_handle *handles, int32_t count,
                                 const world_target *target, const throng_point *points, bool all, throng_error *error);
/* Asks the agents' machine for that state, -1: they have no machine any more, and keep the goal they have. */
bool throng_world_ask_machine(throng_world *world, const throng_handle *handles, int32_t count, int32_t state,
                              throng_error *error);

#endif
