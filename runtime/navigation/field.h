/* Global maps: the potential of one goal over a regular grid of the whole environment, solved before the run, and the
 * direction it gives everywhere (Fischer, Silveira and Nedel, 2009, section 4.1; equation 2 with epsilon = 0).
 *
 * Kept is u = ln(1 - p). 1 - p falls by a factor e^(pi / width) a cell along a corridor, 3.7 where that is one cell
 * wide, so p itself is 1 to the last bit a dozen cells from the goal.
 *
 * It is solved directly (kernels/routing/fronts.h), on a device to the same bits as on the host. Where that takes too
 * much memory, or 1 - p falls below e^-640, as in mazes and long corridors, the host solves piece after piece, each
 * from the values that are known around it (field_continue.h); floor that is too open for that, at once all the same.
 *
 * Following the field arrives from every cell connected to the goal: every cell has a neighbour that is greater, as no
 * mean of others is above them all. Rounding hides that only where 1 - p is almost 1 all around, on floor that goals
 * enclose; there cells go by their distance.
 *
 * A building's field is that of its floors and flights laid out side by side (navmesh_plane.h). On each of them the
 * potential falls towards the goal, and towards the seams by which people leave who stand before them, on their
 * shortest paths; around these the field has no answer, and the shortest paths lead over (path_map_search.h), as they
 * do in lifts. */
#ifndef THRONG_FIELD_H
#define THRONG_FIELD_H

#include "navmesh.h"

struct throng_stages;

enum throng_field_cell { THRONG_FIELD_WALL, THRONG_FIELD_FREE, THRONG_FIELD_GOAL };

typedef struct throng_field {
    double origin_x, origin_y; /* m: lower left corner of cell (0, 0) */
    double cell;               /* m */
    int32_t columns, rows;     /* cell (column, row) is entry row * columns + column of the arrays below */
    /* Where to walk: towards (x, y) times a cell's side from the agent, or, where `aim` is 1, from the cell's centre.
     * Zero: in the goal, and where the field has no answer. Walking so leaves a cell only into greater ones; walls
     * next to a cell that has an answer have one, too, for agents that are pushed over its rim. */
    float *x, *y, *aim;
    int32_t reached; /* cells connected to the goal, its own among them */
    float *level;    /* ln(1 - p), -INFINITY where p is 1 */
} throng_field;

/* `cells`: [rows * columns] throng_field_cell. `stages`: that solve it, to the same bits; NULL: the host. NULL when
 * memory is out, open floor is wider than FRONTS_SIDE_MAX cells, or no cell is a goal. The cells are 1 m, from (0, 0)
 * on. */
throng_field *throng_field_solve(const uint8_t *cells, int32_t columns, int32_t rows,
                                 const struct throng_stages *stages, throng_error *error);

/* Side of a field's cells, in radii of the mesh: their diagonal is less than what the mesh keeps from walls, so no cell
 * next to one in which someone can stand lies behind a wall. */
#define THRONG_FIELD_CELL 0.7

/* The field of goals (one polygon, or point, or several) over the free space of a mesh. `heed_doors`: closed doors are
 * walls where there is another way. `stages` as above. The cells of a building's field are at places. NULL and
 * a message when the goal lies nowhere, or the map has too many cells, or too much open floor. */
throng_field *throng_field_build(const throng_navmesh *mesh, const throng_region *goals, int32_t count, bool heed_doors,
                                 const struct throng_stages *stages, throng_error *error);

void throng_field_destroy(throng_field *field);

/* False, and a message that says the way out. */
bool throng_field_out_of_memory(int32_t columns, int32_t rows, throng_error *error);

#endif
