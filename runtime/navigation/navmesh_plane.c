#include "navmesh_plane.h"

#include <stdlib.h>

bool throng_navmesh_lay_out(const throng_navmesh *mesh, throng_navmesh *plane)
{
    size_t edges = (size_t)mesh->edge_count + 1;
    *plane = *mesh;
    plane->sheet = NULL;
    plane->offset = NULL;
    plane->lifts = NULL;
    plane->ax = malloc(edges * sizeof *plane->ax);
    plane->ay = malloc(edges * sizeof *plane->ay);
    plane->bx = malloc(edges * sizeof *plane->bx);
    plane->by = malloc(edges * sizeof *plane->by);
    plane->twin = malloc(edges * sizeof *plane->twin);
    if (!plane->ax || !plane->ay || !plane->bx || !plane->by || !plane->twin) {
        throng_navmesh_plane_fini(plane);
        return false;
    }
    for (int32_t e = 0; e < mesh->edge_count; e++) {
        throng_point a = throng_navmesh_place(mesh, mesh->face[e], (throng_point){mesh->ax[e], mesh->ay[e]});
        throng_point b = throng_navmesh_place(mesh, mesh->face[e], (throng_point){mesh->bx[e], mesh->by[e]});
        plane->ax[e] = (float)a.x;
        plane->ay[e] = (float)a.y;
        plane->bx[e] = (float)b.x;
        plane->by[e] = (float)b.y;
        plane->twin[e] = throng_navmesh_on_seam(mesh, e) ? -1 : mesh->twin[e];
    }
    return true;
}

void throng_navmesh_plane_fini(throng_navmesh *plane)
{
    free(plane->ax);
    free(plane->ay);
    free(plane->bx);
    free(plane->by);
    free(plane->twin);
    *plane = (throng_navmesh){0};
}
