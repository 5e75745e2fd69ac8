#include "navmesh_within.h"

#include <math.h>

#include "map/geometry.h"

static const double IN_A_ROW = 1e-4; /* m: sides whose ends are this near to one line are one */
static const double INSIDE = 1e-3;   /* m from that line: more than the ends are off it */
static const double ROUNDED = 1e-6;  /* of coordinates: more than products of them in single precision are off */

static throng_point start_of(const throng_navmesh *mesh, int32_t e) { return (throng_point){mesh->ax[e], mesh->ay[e]}; }

/* A side that begins where the face ends in some direction: there no two are in a row, but by less than any tolerance.
 */
static int32_t corner_of(const throng_navmesh *mesh, int32_t face)
{
    int32_t corner = mesh->face_start[face];
    for (int32_t e = corner + 1; e < mesh->face_start[face + 1]; e++)
        if (mesh->ax[e] < mesh->ax[corner] || (mesh->ax[e] == mesh->ax[corner] && mesh->ay[e] < mesh->ay[corner]))
            corner = e;
    return corner;
}

static void put_line(throng_point a, throng_point b, float *x, float *y, float *least)
{
    double length = throng_distance(a, b), nx = (a.y - b.y) / length, ny = (b.x - a.x) / length;
    double inside = INSIDE + ROUNDED * (fabs(a.x) + fabs(a.y) + fabs(b.x) + fabs(b.y));
    *x = (float)nx;
    *y = (float)ny;
    *least = (float)(nx * a.x + ny * a.y + inside);
}

int32_t throng_navmesh_within(const throng_navmesh *mesh, int32_t face, float *x, float *y, float *least)
{
    int32_t first = mesh->face_start[face], sides = mesh->face_start[face + 1] - first, count = 0;
    int32_t corner = corner_of(mesh, face) - first;
    for (int32_t side = 0; side < sides;) {
        throng_point a = start_of(mesh, first + (corner + side) % sides), b = a;
        double off = 0; /* no end of the row is farther from the line */
        for (; side < sides; side++) {
            throng_point end = start_of(mesh, first + (corner + side + 1) % sides);
            double length = throng_distance(a, end);
            double more = length > 0 ? fabs(throng_turn(a, end, b)) / length : 0;
            if (length < throng_distance(a, b) || off + more > IN_A_ROW)
                break;
            off += more;
            b = end;
        }
        if (throng_distance(a, b) == 0)
            continue;
        if (x)
            put_line(a, b, &x[count], &y[count], &least[count]);
        count++;
    }
    return count;
}
