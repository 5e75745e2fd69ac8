/* How large a face of the mesh is. */
#include "map/geometry.h"
#include "map_lint.h"
#include "navmesh.h"

double throng_map_lint_face(const throng_navmesh *mesh, int32_t face, throng_point *centre)
{
    int32_t first = mesh->face_start[face], end = mesh->face_start[face + 1];
    throng_point a = {mesh->ax[first], mesh->ay[first]};
    double twice = 0;
    *centre = (throng_point){0, 0};
    for (int32_t e = first; e < end; e++) {
        throng_point b = {mesh->ax[e], mesh->ay[e]}, c = {mesh->bx[e], mesh->by[e]};
        twice += throng_turn(a, b, c);
        centre->x += b.x / (end - first);
        centre->y += b.y / (end - first);
    }
    return 0.5 * twice;
}
