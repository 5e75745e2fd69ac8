/* Lines of sight in a navmesh, by walking through its faces. */
#include "map/geometry.h"
#include "navmesh.h"

/* m: a point this little outside a face's side is still in it. */
static const double HAIR = 1e-6;

int32_t throng_navmesh_side_out(const throng_navmesh *mesh, int32_t face, throng_point from, throng_point to)
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

int32_t throng_navmesh_look(const throng_navmesh *mesh, int32_t face, throng_point from, throng_point to,
                            bool heed_doors, int32_t seams)
{
    for (int32_t passed = 0; passed < mesh->face_count; passed++) {
        int32_t out = throng_navmesh_side_out(mesh, face, from, to);
        if (out < 0)
            return face;
        if (mesh->twin[out] < 0 || throng_navmesh_bars(mesh, out, heed_doors) || throng_navmesh_runs_against(mesh, out))
            return -1;
        if (throng_navmesh_on_seam(mesh, out) && seams-- == 0)
            return -1;
        face = mesh->face[mesh->twin[out]];
    }
    return -1;
}

bool throng_navmesh_sees(const throng_navmesh *mesh, int32_t face, throng_point from, throng_point to, bool heed_doors)
{
    return throng_navmesh_look(mesh, face, from, to, heed_doors, INT32_MAX) >= 0;
}
