/* Buildings: flights and lifts that nobody of a body's size can step onto, or off. */
#include <stdlib.h>

#include "map/building.h"
#include "map/map_findings.h"
#include "map_lint.h"
#include "navmesh.h"

/* Marks what is reached from a face without leaving its floor, and gives its area, m^2. */
static double mark(const throng_navmesh *mesh, int32_t face, int32_t island, int32_t *island_of, int32_t *queue)
{
    double area = 0;
    int32_t count = 0;
    throng_point centre;
    island_of[queue[count++] = face] = island;
    while (count > 0) {
        int32_t f = queue[--count];
        area += throng_map_lint_face(mesh, f, &centre);
        for (int32_t e = mesh->face_start[f]; e < mesh->face_start[f + 1]; e++) {
            int32_t other = mesh->twin[e] < 0 ? -1 : mesh->face[mesh->twin[e]];
            if (other >= 0 && island_of[other] < 0 && throng_navmesh_same_part(mesh, f, other))
                island_of[queue[count++] = other] = island;
        }
    }
    return area;
}

bool throng_map_lint_islands(const throng_navmesh *mesh, double *area)
{
    size_t faces = (size_t)mesh->face_count + 1;
    int32_t *island_of = malloc(faces * sizeof *island_of), *queue = malloc(faces * sizeof *queue), count = 0;
    double *of_island = malloc(faces * sizeof *of_island);
    bool fine = island_of && queue && of_island;
    for (int32_t f = 0; fine && f < mesh->face_count; f++)
        island_of[f] = -1;
    for (int32_t f = 0; fine && f < mesh->face_count; f++)
        if (island_of[f] < 0) {
            of_island[count] = mark(mesh, f, count, island_of, queue);
            count++;
        }
    for (int32_t f = 0; fine && f < mesh->face_count; f++)
        area[f] = of_island[island_of[f]];
    free(island_of);
    free(queue);
    free(of_island);
    return fine;
}

/* Does the mesh lead over the seam, to more than a nook? */
static bool is_met(const throng_navmesh *mesh, int32_t seam, int32_t floor, const double *island)
{
    for (int32_t e = 0; e < mesh->edge_count; e++)
        if (mesh->door[e] == THRONG_NAVMESH_SEAM - seam && mesh->twin[e] >= 0 && mesh->sheet[mesh->face[e]] == floor &&
            island[mesh->face[e]] >= THRONG_MAP_NOOK)
            return true;
    return false;
}

bool throng_map_lint_seams(const throng_map *map, const throng_navmesh *mesh, const double *island,
                           throng_findings *findings)
{
    const throng_map_sheets *s = map->sheets;
    bool fine = true;
    for (int32_t q = 0; s && fine && q < s->seam_count; q++) {
        const throng_seam *seam = &s->seams[q];
        bool foot = !s->list[seam->left].flight;
        int32_t floor = foot ? seam->left : seam->right, part = foot ? seam->right : seam->left;
        if (seam->inside || is_met(mesh, q, floor, island))
            continue;
        throng_point a = throng_map_place(map, floor, seam->a), b = throng_map_place(map, floor, seam->b);
        bool lift = throng_map_stop_of(s, part) >= 0;
        fine = throng_findings_add(findings, THRONG_FINDING_REACH, a, b,
                                   "%s \"%s\" ends in a wall: a body of %.2g m radius has no room at its %s on floor "
                                   "\"%s\"",
                                   throng_sheet_kinds[s->list[part].kind], s->list[part].name, mesh->radius,
                                   lift   ? "door"
                                   : foot ? "foot"
                                          : "head",
                                   s->list[floor].name);
    }
    return fine;
}
