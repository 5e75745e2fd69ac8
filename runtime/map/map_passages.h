/* Passages between the faces of a map: nodes and edges say where faces join. Where both of two faces that share a side
 * have nodes and no edge leads from one of these to one of those, nobody gets through the side, which is a wall.
 * (Without any edge all is open.) Where an edge has a cost, or a node a cost and a largest radius, the side becomes a
 * door that costs as much, "faces 1 and 2": an edge's cost, and half of a node's, so that who passes its face pays all
 * of it. Of several edges the cheapest counts, and the widest. */
#ifndef THRONG_MAP_PASSAGES_H
#define THRONG_MAP_PASSAGES_H

#include "map_draft.h"
#include "map_sides.h"

typedef struct throng_face_node {
    throng_map_node is; /* its name: the id, owned */
    int line;           /* of the file */
} throng_face_node;

typedef struct throng_face_edge {
    throng_map_edge is;
    char *start, *end; /* ids of its nodes, owned */
    int line;
    bool counts; /* faces that it joins share a side */
} throng_face_edge;

/* A side that two faces share, and what passing it costs; max_radius INFINITY: whoever fits passes. */
typedef struct throng_passage {
    throng_shared_side side;
    double cost, max_radius; /* m */
} throng_passage;

typedef struct throng_passages {
    throng_face_node *nodes; /* sorted by id, once all are read */
    throng_face_edge *edges;
    throng_passage *list; /* that become doors */
    int32_t node_count, node_room, edge_count, edge_room, count, room;
} throng_passages;

/* Adds a wall to the draft along each side that no edge crosses, and lists the passages that cost something. */
bool throng_passages_find(throng_passages *passages, throng_draft *draft, throng_error *error);

/* The map's doors: one for each passage of the list. */
bool throng_passages_add_doors(const throng_passages *passages, throng_map *map, throng_error *error);

void throng_passages_fini(throng_passages *passages);

#endif
