/* The roadmap: paths by way of the corners one walks round, beside the navmesh's
 * paths through portals (A. Bleiweiss, 2009, section 3.1).
 *
 * Nodes are the reflex corners of the outline of a navmesh, which keeps the
 * agent's radius from every wall. Two nodes are joined when they see each other
 * and a shortest path can bend at both (the line through them enters the
 * obstacle of neither): the reduced visibility graph, found by looking from
 * each node through the portals (roadmap_sight.c). Shortest paths in the mesh
 * run along it, so a Dijkstra tree over it holds exact lengths from every node
 * to a goal that is a point; a goal that is a polygon is reached at the nearest
 * point of each of its sides, or at a side's ends, whichever is seen.
 *
 * In a building nodes and edges are those of its floors and flights, laid out side by side, so that nothing is seen
 * through a ceiling, and nodes at seams and in lifts join these (roadmap_floors.c).
 *
 * A map may bring a graph of its own (map_graph.h): then nodes and edges are those of it that bodies of the mesh's
 * radius can walk by, and all else is the same.
 *
 * Bounds, for e edges: the graph takes the time to look from each node at the
 * faces that it sees, once through each gap that they are seen through, and
 * O(e) memory, a tree O(e log n) and the walk to every side of the goal from
 * each node, an agent's choice a walk through the mesh to each node that can be
 * seen from somewhere in its face and promises a shorter path than the best so
 * far. Large halls with hundreds of pillars are what makes it slow; the
 * navmesh's trees are not slowed by them. */
#ifndef THRONG_ROADMAP_H
#define THRONG_ROADMAP_H

#include "goal_sides.h"
#include "map/map_graph.h"

typedef struct throng_roadmap {
    int32_t node_count;
    throng_point *at;     /* [node_count] m: the corner; in buildings these are places */
    throng_point *beside; /* [node_count] m: a few millimetres off the corner, inside the mesh: what agents steer for
                             and look at, so that rounding never puts it behind its own walls */
    int32_t *edge_start;  /* [node_count + 1]: node n has the edges edge_start[n] .. edge_start[n + 1) */
    int32_t *edge_to;     /* the node at the other end, from where one comes to n */
    double *edge_length;  /* m, as they count */
    double *node_cost;    /* [node_count] m: of passing it; NULL: nothing */
    int32_t *face_start;  /* [face_count + 1]: the nodes that are seen from somewhere in face f: */
    int32_t *face_node;   /* face_node[face_start[f] .. face_start[f + 1]), ascending */
    /* Of buildings, else NULL: */
    int32_t *sheet;     /* [node_count] the first sheet of the part that one is on at the node: `beside` less its offset
                           is the position */
    int32_t *portal;    /* [node_count] the half-edge on a seam that the node leads out through: it is seen (`at`) from
                           the part before, and goes on (`beside`) from the one behind; -1: none */
    int32_t *stop;      /* [node_count] the lift's stop in whose car it is, -1: none */
    int32_t *stop_node; /* [stops of the mesh] the first of its two nodes, -1: none */
    double seconds;     /* to build */
} throng_roadmap;

/* One shortest-path tree: from every node to the nearest of the goals. A node's cost is that of paths that bend there,
 * which from the node itself may not be the shortest. */
typedef struct throng_roadmap_tree {
    float *cost;             /* [node_count] m to the goal; INFINITY where no path leads there */
    int32_t *next;           /* [node_count] the node after this one, -1: the goal is seen */
    throng_goal_sides sides; /* of the goal, owned */
    int32_t side_count;
    bool heed_doors;
} throng_roadmap_tree;

/* Of the map's graph, if it has one. NULL and a message when memory is out, or when one of its nodes or edges runs into
 * a wall. */
throng_roadmap *throng_roadmap_build(const throng_navmesh *mesh, const throng_map_graph *graph, throng_error *error);
void throng_roadmap_destroy(throng_roadmap *roadmap);

/* The tree to the nearest of several goals: polygons, or points (see throng_path_map_build). NULL and a
 * message when no face holds any of them. With `heed_doors` closed doors are gone through only from where no
 * other way leads there. A door's own ends are no corners of the roadmap. */
throng_roadmap_tree *throng_roadmap_tree_build(const throng_navmesh *mesh, const throng_roadmap *roadmap,
                                               const throng_region *goals, int32_t count, bool heed_doors,
                                               throng_error *error);
void throng_roadmap_tree_destroy(throng_roadmap_tree *tree);

/* The first ride by a lift on the path of somebody at a position in a face, as throng_path_map_ride. */
throng_path_ride throng_roadmap_ride(const throng_navmesh *mesh, const throng_roadmap *roadmap,
                                     const throng_roadmap_tree *tree, int32_t face, throng_point at);

/* The shortest path from point to point over the roadmap of a map of one floor. False when there is none (`path->count`
 * is 0), when an end lies in no face, or memory is out. */
bool throng_roadmap_path(const throng_navmesh *mesh, const throng_roadmap *roadmap, throng_point from, throng_point to,
                         throng_path *path);

#endif
