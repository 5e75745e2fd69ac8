/* The navigation mesh: the free space an agent's centre can be in (free space
 * less the agent's radius along every wall), cut into convex faces.
 *
 * Faces that share a side are neighbours; the shared side is a portal. A
 * half-edge is one side of one face, counter-clockwise, so the face is on its
 * left; `twin` is the same side seen from the neighbouring face. Walking out of
 * the face through half-edge e, its end b is on the left hand, its start a on
 * the right.
 *
 * Every vertex lies on a grid of a power of two (2^-12 m for maps within
 * 4096 m of the origin) and is exact in a float, so that neighbouring faces
 * share their vertices to the bit and convexity is exact. */
#ifndef THRONG_NAVMESH_H
#define THRONG_NAVMESH_H

#include "map/map_sheets.h"

/* Which faces come near a point: cell c of a regular grid lists the faces that
 * overlap it as list[start[c] .. start[c + 1]), ascending. */
typedef struct throng_face_grid {
    double origin_x, origin_y; /* m: lower left corner */
    double cell;               /* m: side of a cell */
    int32_t columns, rows;
    int32_t *start; /* [columns * rows + 1], row by row from the bottom */
    int32_t *list;
} throng_face_grid;

struct throng_path_net;
struct throng_mesh_lifts;

/* A side that lies on a door. */
typedef struct throng_door_side {
    int32_t door, edge;
} throng_door_side;

typedef struct throng_navmesh {
    double radius; /* m: clearance kept from every wall */
    int32_t face_count;
    int32_t edge_count;  /* half-edges */
    int32_t *face_start; /* [face_count + 1]: face f has half-edges face_start[f] .. face_start[f + 1), in order */
    float *ax, *ay;      /* [edge_count] m: start point of the half-edge; it ends where the next of its face starts */
    float *bx, *by;      /* [edge_count] m: end point */
    int32_t *twin;       /* [edge_count] the same side of the neighbouring face, or -1 at a wall */
    int32_t *face;       /* [edge_count] the face it belongs to */
    int32_t *door;       /* [edge_count] the map's door that it lies on, THRONG_NAVMESH_BODY: the edge of what bodies
                            cover, THRONG_NAVMESH_SEAM or less: a seam, -1: none; such sides are never merged away */
    throng_door_side *door_sides; /* [door_side_count] all whose door is not -1, by door, then by edge */
    int32_t door_side_count;
    double *cost;     /* [edge_count] m: what leaving its face there costs beside the length, 0 or more; a side and
                         its twin cost the same on doors (throng_navmesh_set_cost), and not on flights that are
                         climbed more slowly than descended (throng_navmesh_set_belt) */
    uint8_t *shut;    /* [edge_count] 1: on a door that is closed (throng_navmesh_set_door), or round a body */
    uint8_t *against; /* [edge_count] 1: nobody leaves its face there, since a belt runs the other way
                         (throng_navmesh_set_belt) or a door leads the other way (throng_navmesh_set_way) */
    uint8_t *covered; /* [face_count] 1: bodies stand there (throng_navmesh_cover); NULL: none do */
    int32_t *sheet; /* [face_count] the first sheet of the part of a building that it lies on; NULL: all on one plane */
    throng_point *offset;            /* [sheets] m: see throng_map_sheet */
    struct throng_mesh_lifts *lifts; /* navmesh_lifts.h; NULL: none */
    bool parted;        /* bodies part the floor: pieces of a square metre or more reach each other through them only */
    int32_t *component; /* [face_count] faces with equal numbers reach each other; 0 is the largest by area */
    int32_t component_count;
    throng_map *pillars;         /* those that no face knows of, in an open plane (navmesh_pillars.h); NULL: none */
    double area;                 /* m^2 of all faces */
    double seconds;              /* to build */
    throng_face_grid *grid;      /* point location */
    struct throng_path_net *net; /* for path searches */
} throng_navmesh;

enum {
    THRONG_NAVMESH_BODY = -2, /* see door */
    THRONG_NAVMESH_SEAM = -3, /* the seam q between parts of a building is THRONG_NAVMESH_SEAM - q */
    THRONG_COVER_CORNERS = 36 /* of a body at most, cut off where its floor ends */
};

/* Metres by which the mesh may stay farther from walls than its radius: outlines
 * are straightened by this much, always away from the wall. */
#define THRONG_NAVMESH_SLACK 0.002

/* Metres: corners and nooks of the shrunk space that are no deeper (nor than 0.4 of the radius) are left out:
 * ragged walls would make many faces of them. Doors keep their width. */
#define THRONG_NAVMESH_NOOK 0.1

/* Metres added around the obstacles of an open map; the box's rim bounds the mesh. */
#define THRONG_NAVMESH_MARGIN 50.0

/* Builds the mesh of `map` for discs of `radius` metres: GEOS shrinks the free
 * space, it is cut into triangles (triangulate.h), and those are merged into
 * convex faces as far as convexity allows. Round a convex wall corner the mesh
 * follows a tangent polygon, up to 15 % of the radius outside the arc, so no
 * point of the mesh is nearer to a wall than the radius, but for pillars that the
 * map leaves out of it (map->pillars). For radius 0 it is the
 * free space itself, its corners rounded to the grid. NULL and a message
 * when nothing is left for a disc of that size. The map's doors are cut into
 * the faces, but for those that end in the open; those with a max_radius below
 * this one are walls. */
throng_navmesh *throng_navmesh_build(const throng_map *map, double radius, throng_error *error);
/* The mesh with every door open. NULL when memory is out. */
throng_navmesh *throng_navmesh_copy(const throng_navmesh *mesh);
void throng_navmesh_destroy(throng_navmesh *mesh);

/* A copy of `mesh`, which was built of `map` and has no body yet, in which bodies stand: their outlines are convex,
 * counter-clockwise. Where an agent's centre cannot be for them the faces are covered: the searches go through there
 * only from where no other way leads to the goal, as through closed doors, and point location finds none of them. Every
 * door is open. NULL and a message when that fails. */
throng_navmesh *throng_navmesh_cover(const throng_navmesh *mesh, const throng_map *map, const throng_region *bodies,
                                     int32_t count, throng_error *error);

/* The mesh of a building is in positions (map_sheets.h), and faces of different floors may lie over each other: who
 * walks through it by sides and twins need not know. Points are looked for by their places. */
static inline throng_point throng_navmesh_position(const throng_navmesh *mesh, int32_t face, throng_point place)
{
    if (!mesh->sheet)
        return place;
    throng_point by = mesh->offset[mesh->sheet[face]];
    return (throng_point){place.x - by.x, place.y - by.y};
}
static inline throng_point throng_navmesh_place(const throng_navmesh *mesh, int32_t face, throng_point position)
{
    if (!mesh->sheet)
        return position;
    throng_point by = mesh->offset[mesh->sheet[face]];
    return (throng_point){position.x + by.x, position.y + by.y};
}

/* Do two faces lie on one part of a building? */
static inline bool throng_navmesh_same_part(const throng_navmesh *mesh, int32_t a, int32_t b)
{
    return !mesh->sheet || mesh->sheet[a] == mesh->sheet[b];
}

/* Does a side end the free space: at a wall, or at what bodies cover? */
static inline bool throng_navmesh_ends_at(const throng_navmesh *mesh, int32_t edge)
{
    return mesh->twin[edge] < 0 || mesh->door[edge] == THRONG_NAVMESH_BODY;
}

static inline bool throng_navmesh_is_covered(const throng_navmesh *mesh, int32_t face)
{
    return mesh->covered && mesh->covered[face];
}

/* Is a portal not to be passed while there is another way? Closed doors are heeded or not, bodies always are. */
static inline bool throng_navmesh_bars(const throng_navmesh *mesh, int32_t edge, bool heed_doors)
{
    return mesh->shut[edge] && (heed_doors || mesh->door[edge] == THRONG_NAVMESH_BODY);
}

/* Opens or closes the map's door of that index: its portals are marked, which the searches heed. All are open at
 * first. Components stay those of the mesh with every door open. True when that changed something. */
bool throng_navmesh_set_door(throng_navmesh *mesh, int32_t door, bool open);

/* What passing the map's door of that index costs, m; at first as the map has it. Searches heed it once the path net
 * has been updated. True when that changed something. */
bool throng_navmesh_set_cost(throng_navmesh *mesh, int32_t door, double cost);

/* Lets people through the map's door of that index one way alone: 1, from the left of its line to the right, as one
 * looks from a to b; -1, the other way; 0, at first: both. Searches heed it once the path net has been updated. True
 * when that changed something. */
bool throng_navmesh_set_way(throng_navmesh *mesh, const throng_map *map, int32_t door, int way);

/* The speed of the belt at a seam of the map, m/s, up; at first as the map has it: what passing it costs, and which
 * way. Searches heed it once the path net has been updated. True when that changed something. */
bool throng_navmesh_set_belt(throng_navmesh *mesh, const throng_map_sheets *sheets, int32_t seam, double belt);

/* Does a side lie on a seam between parts of a building? */
static inline bool throng_navmesh_on_seam(const throng_navmesh *mesh, int32_t edge)
{
    return mesh->door[edge] <= THRONG_NAVMESH_SEAM;
}

/* May nobody leave the half-edge's face by it? */
static inline bool throng_navmesh_runs_against(const throng_navmesh *mesh, int32_t edge) { return mesh->against[edge]; }

/* The face that holds the place (the lowest where several touch), or -1. */
int32_t throng_navmesh_face_at(const throng_navmesh *mesh, float x, float y);

/* The faces that hold the place, ascending, `room` at most; several where it lies on a portal. Returns how many. */
int32_t throng_navmesh_faces_at(const throng_navmesh *mesh, throng_point p, int32_t *faces, int32_t room);

/* The face nearest to the place (within `reach` metres), and the nearest place
 * in it (moved inwards by a hair, so that throng_navmesh_face_at finds it); the
 * point itself when a face holds it. -1 when there is none. */
int32_t throng_navmesh_nearest(const throng_navmesh *mesh, float x, float y, float reach, float *on_x, float *on_y);

/* The position of a place that may be beside the mesh: on the part of the building whose face is nearest. */
throng_point throng_navmesh_position_near(const throng_navmesh *mesh, throng_point place);

/* True when the straight line between two positions of the mesh stays in it: from `from` in `face`, walking through the
 * faces. Lines that only touch a wall's corner may be either. Closed doors hide what is behind when they are heeded. */
bool throng_navmesh_sees(const throng_navmesh *mesh, int32_t face, throng_point from, throng_point to, bool heed_doors);

/* The face in which the line ends, which passes so many seams between the parts of a building at most; -1: it does not
 * come there. */
int32_t throng_navmesh_look(const throng_navmesh *mesh, int32_t face, throng_point from, throng_point to,
                            bool heed_doors, int32_t seams);

/* The side of `face` by which the line between two positions leaves it, -1: it ends there. Of sides that lie in one
 * line it is the one that the line passes through; who starts a hair outside may pass through none. */
int32_t throng_navmesh_side_out(const throng_navmesh *mesh, int32_t face, throng_point from, throng_point to);

/* Where paths end or bend: a side of the goal, on which they end where they are nearest to it, or a corner of the walls
 * (twice), from where the path goes on to `on`. */
typedef struct throng_path_map_root {
    throng_point a, b, on; /* m */
    double rest;           /* m from here to the goal, 0 on it, and what the portals on the way cost; one root is there
                              several times where windows lead to it at different costs */
    int32_t next;          /* the root it goes on to, -1: here is the goal */
    int32_t stop, to;      /* a lift is ridden from its stop here to another, from where the path goes on; -1: none */
} throng_path_map_root;

/* A way out of a face: what of a portal leads straight to a root. Faces of lifts have one besides that leads through no
 * portal: to the back of the car, from where it is ridden, or out of it where there is no path at all; its ends are no
 * numbers, so that no path bends there. */
typedef struct throng_path_map_window {
    throng_point right, left; /* m: its ends, walking out */
    int32_t edge;             /* the half-edge of the face to leave by */
    int32_t root;
    int32_t next; /* where portals are delayed: the window of the face beyond that the path goes on through, -1: the
                     root is there */
    double least; /* m: no path through this window of its face, or one after it, is shorter */
} throng_path_map_window;

/* All paths to one goal: for every face the windows through which the shortest paths lead out of it
 * (path_map_search.h). One search from the goal answers every agent that shares it, as exactly as a search of its own.
 *
 * From p through a window the path leads straight to the point of its root nearest to p, or bends at an end of the
 * window when that line passes it by: p, that end, the root. What remains from the root is `rest`. The least of all
 * windows of p's face, and of the straight lines to the goal's sides in it, is the length of the shortest path, exactly
 * but for rounding; so lengths fall by what is walked. Who stands on a corner (within 1e-4 m) goes on to the corner's
 * `on`. Agents follow it by kernels/routing/desire.h; throng_path_map_path is the reference. */
typedef struct throng_path_map {
    throng_path_map_root *roots;
    int32_t root_count;
    throng_path_map_window *windows;
    int32_t window_count;  /* those of no face, which only others lead through, come last */
    int32_t *window_start; /* [face_count + 1] face f has the windows window_start[f] .. window_start[f + 1) */
    int32_t *next;  /* [edge_count] of those who leave by a half-edge, the nearest to the goal leave the face beyond by
                       this one; -1: the goal is there, or nobody does. Following it never cycles */
    uint8_t *holds; /* [face_count] 1 where the goal lies in, or overlaps, the face */
    /* The goal cut to each face that holds some: face f has the sides side_start[f] .. side_start[f + 1). */
    int32_t *side_start; /* [face_count + 1] */
    throng_point *side_a, *side_b;
} throng_path_map;

/* What else counts in a tree's paths. */
typedef struct throng_path_map_rules {
    bool heed_doors;    /* closed doors are gone through only from where no other way leads to the goal; else all are
                           open. Bodies are heeded always */
    const float *delay; /* [edge_count] m: what passing a portal costs beside its length and the mesh's cost (0 or
                           more); NULL: nothing. Roots' `rest` holds it for the portals behind them */
} throng_path_map_rules;

/* The tree to the nearest of several goals: any simple polygons; a single point is a polygon of one (names are used in
 * messages only). Goals that no face holds are passed over while one is left. `rules` may be NULL: every door is open.
 */
throng_path_map *throng_path_map_build(const throng_navmesh *mesh, const throng_region *goals, int32_t count,
                                       const throng_path_map_rules *rules, throng_error *error);
void throng_path_map_destroy(throng_path_map *tree);

/* A path's corners, start and end included, and its length. */
typedef struct throng_path {
    throng_point *corners; /* m: positions */
    int32_t count;         /* 0: no path */
    double length;         /* m; where it has sheets: along their slopes */
    int32_t *sheets;       /* [count] the first sheet of the part that each corner is on, and twice at seams
                              (throng_path_on_floors); NULL: nobody asked, or all is on one plane */
} throng_path;

/* The path itself, from a point in `face` to the nearest point of the goal. False when there is none. */
bool throng_path_map_path(const throng_path_map *tree, int32_t face, float x, float y, throng_path *path);

/* Does the path from a point in `face` lead over the half-edge `edge`? */
bool throng_path_map_leads_over(const throng_path_map *tree, int32_t face, throng_point at, int32_t edge);

/* The first ride by a lift on the path from a point in `face`: where it is taken and where it is left. */
typedef struct throng_path_ride {
    int32_t stop, to; /* stops of the map; -1: there is none */
    double ahead;     /* m: that are walked up to the car, or to the goal; INFINITY: there is no path */
} throng_path_ride;
throng_path_ride throng_path_map_ride(const throng_path_map *tree, int32_t face, float x, float y);

/* Adds a corner unless it equals the last one. False when memory is out. */
bool throng_path_add(throng_path *path, int32_t *capacity, throng_point corner);
void throng_path_fini(throng_path *path);

#endif
