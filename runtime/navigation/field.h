/* Global maps: the potential of one goal over a regular grid of the whole environment, solved before the run, and the
 * direction it gives everywhere (Fischer, Silveira and Nedel, 2009, section 4.1; equation 2 with epsilon = 0).
 *
 * Kept is u = ln(1 - p). 1 - p falls by a factor e^(pi / width) a cell along a corridor, 3.7 where that is one cell
 * wide, so p itself is 1 to the last bit a dozen cells from the goal.
 *
 * It is solved directly (kernels/routing/fronts.h), on a device to the same bits as on the host, unless that takes too
 * much memory, or 1 - p falls below e^-640 somewhere, as in mazes: then it is relaxed, on the host (field_relax.h).
 *
 * Following the field arrives from every cell connected to the goal, since it is checked: every cell has a neighbour
 * that is greater, by u, then by distance. Where the check fails, which no map did that converged, the field is the
 * graph distance.
 *
 * A building's field is that of its floors and flights laid out side by side (navmesh_plane.h). On each of them the
 * potential falls towards the goal, and towards the seams by which people leave who stand before them, on their
 * shortest paths; around these the field has no answer, and the shortest paths lead over (path_map_search.h), as they
 * do in lifts. */
#ifndef THRONG_FIELD_H
#define THRONG_FIELD_H

#include "navmesh.h"

enum throng_field_cell { THRONG_FIELD_WALL, THRONG_FIELD_FREE, THRONG_FIELD_GOAL };

typedef struct throng_field_options {
    const struct throng_stages *stages; /* that solve it, to the same bits; NULL: the host */
    bool relaxed;                       /* whatever the map */
    int32_t cycles;                     /* of relaxation, at most; 0: the graph distance alone */
    double tolerance;                   /* of the largest change of u in a cycle */
} throng_field_options;

throng_field_options throng_field_options_default(void);

typedef struct throng_field {
    double origin_x, origin_y; /* m: lower left corner of cell (0, 0) */
    double cell;               /* m */
    int32_t columns, rows;     /* cell (column, row) is entry row * columns + column of the arrays below */
    /* Where to walk: towards (x, y) times a cell's side from the agent, or, where `aim` is 1, from the cell's centre.
     * Zero: in the goal, and where the field has no answer. Walking so leaves a cell only into greater ones; walls
     * next to a cell that has an answer have one, too, for agents that are pushed over its rim. */
    float *x, *y, *aim;
    int32_t reached; /* cells connected to the goal, its own among them */
    int32_t cycles;  /* done; 0: it was solved directly */
    double change;   /* largest change of u in the last of them */
    float *level;    /* ln(1 - p), -INFINITY where p is 1 */
} throng_field;

/* `cells`: [rows * columns] throng_field_cell. NULL when memory is out or no cell is a goal. The cells are 1 m, from
 * (0, 0) on. `options` may be NULL. */
throng_field *throng_field_solve(const uint8_t *cells, int32_t columns, int32_t rows,
                                 const throng_field_options *options, throng_error *error);

/* Side of a field's cells, in radii of the mesh: their diagonal is less than what the mesh keeps from walls, so no cell
 * next to one in which someone can stand lies behind a wall. */
#define THRONG_FIELD_CELL 0.7

/* The field of goals (one polygon, or point, or several) over the free space of a mesh. `heed_doors`: closed doors are
 * walls where there is another way. `stages` as in the options. The cells of a building's field are at places. NULL and
 * a message when the goal lies nowhere, or the map has too many cells. */
throng_field *throng_field_build(const throng_navmesh *mesh, const throng_region *goals, int32_t count, bool heed_doors,
                                 const struct throng_stages *stages, throng_error *error);

void throng_field_destroy(throng_field *field);

#endif
