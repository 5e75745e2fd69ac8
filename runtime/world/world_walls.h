/* Walls of the map and sides of bodies, for the backend: world_walls.c. */
#ifndef THRONG_WORLD_WALLS_H
#define THRONG_WORLD_WALLS_H

#include "world.h"

/* How much a grid's lists have room for. */
typedef struct throng_grid_room {
    size_t start, list;
} throng_grid_room;

/* Of the grids over bodies: table.moving, table.boxes. */
typedef struct world_sides {
    throng_point *listed; /* by a body's first side: where its middle was, m */
    throng_grid_room side_room, box_room;
    bool stale; /* a body has gone too far for the grids */
} world_sides;

typedef struct world_walls {
    throng_walls table; /* its arrays are one block each, owned where `shared` is NULL */
    const throng_walls
        *shared; /* the cache's, held, which other worlds read and none writes: without bodies; or NULL */
    world_sides sides;
    float reach;  /* m: what the grid over the walls was built for */
    bool changed; /* the backend has others */
} world_walls;

/* world_walls.c: walls of the map for the backend, with a grid for what is within `reach` metres. On failure the world
 * keeps those that it had. */
bool throng_world_build_walls(throng_world *world, float reach, throng_error *error);
/* The same of bodies alone: that others came or went. */
bool throng_world_build_sides(throng_world *world, throng_error *error);
bool throng_world_upload_walls(throng_world *world, throng_error *error);
void throng_world_free_walls(throng_world *world);

/* The sides of bodies, and the grid over them, follow the bodies. */
bool throng_world_fill_sides(throng_world *world, throng_error *error);

#endif
