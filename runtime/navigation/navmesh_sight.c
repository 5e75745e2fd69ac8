/* Lines of sight in a navmesh, by walking through its faces. */
#include "map/geometry.h"
#include "navmesh.h"

/* m: a point this little outside a face's side is still in it. */
static const double HAIR = 1e-6;

/* The side of `face` by which the line leaves it, -1: it ends there. Of sides that lie in one line it is the one that
 * the line passes through; who starts a hair outside may pass through none. */
static int32_t side_out(const throng_navmesh *mesh, int32_t face, throng_point from, throng_point to)
{
    int32_t out = -1;
    double first = INFINITY;
    bool through = false;
    for (int32_t e = mesh->face_start[face]; e < mesh->face_start[face + 1]; e++) {
        throng_point a = {mesh->ax[e], mesh->ay[e]}, b = {mesh->bx[e], mesh->by[e]};
        double there = throng_turn(a, b, to), here = fmax(throng_turn(a, b, from), 0);
        if (there >= -HAIR * throng_distance(a, b))
            continue;
        double t = here / (here - there);
        bool between = throng_turn(from, to, a) <= 0 && throng_turn(from, to, b) >= 0;
        if (between == through ? t < first : between) {
            first = t;
            out = e;
            through = between;
        }
    }
    return out;
}

bool throng_navmesh_sees(const throng_navmesh *mesh, int32_t face, throng_point from, throng_point to, bool heed_doors)
{
    for (int32_t passed = 0; passed < mesh->face_count; passed++) {
        int32_t out = side_out(mesh, face, from, to);
        if (out < 0)
            return true;
        if (mesh->twin[out] < 0 || throng_navmesh_bars(mesh, out, heed_doors) || throng_navmesh_runs_against(mesh, out))
            return false;
        face = mesh->face[mesh->twin[out]];
    }
    return false;
}
