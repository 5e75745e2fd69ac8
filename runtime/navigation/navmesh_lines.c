#include "navmesh_lines.h"

#include <math.h>

#include "map/geometry.h"

static const double IN_A_ROW = 1e-4; /* m: sides whose ends are this near to one line are one */
static const double INSIDE = 1e-3;   /* m from that line: more than the ends are off it */
static const double ROUNDED = 1e-6;  /* of coordinates: more than products of them in single precision are off */

static throng_point start_of(const throng_navmesh *mesh, int32_t e) { return (throng_point){mesh->ax[e], mesh->ay[e]}; }

static void put_line(throng_point a, throng_point b, float *x, float *y, float *least)
{
    double length = throng_distance(a, b), nx = (a.y - b.y) / length, ny = (b.x - a.x) / length;
    double inside = INSIDE + ROUNDED * (fabs(a.x) + fabs(a.y) + fabs(b.x) + fabs(b.y));
    *x = (float)nx;
    *y = (float)ny;
    *least = (float)(nx * a.x + ny * a.y + inside);
}

int32_t throng_navmesh_lines(const throng_navmesh *mesh, int32_t face, int32_t *side, float *x, float *y, float *least)
{
    int32_t first = mesh->face_start[face], end = mesh->face_start[face + 1], count = 0;
    for (int32_t e = first; e < end; count++) {
        throng_point a = start_of(mesh, e), b = a;
        double off = 0; /* no end of the row is farther from the line */
        if (side)
            side[count] = e;
        for (; e < end; e++) {
            throng_point c = start_of(mesh, e + 1 < end ? e + 1 : first);
            double length = throng_distance(a, c);
            double more = length > 0 ? fabs(throng_turn(a, c, b)) / length : 0;
            if (length < throng_distance(a, b) || off + more > IN_A_ROW)
                break;
            off += more;
            b = c;
        }
        if (side)
            put_line(a, b, &x[count], &y[count], &least[count]);
    }
    return count;
}
