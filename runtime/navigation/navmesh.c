#include "navmesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "face_grid.h"
#include "map/geometry.h"
#include "navmesh_doors.h"
#include "navmesh_faces.h"
#include "navmesh_lifts.h"
#include "navmesh_pillars.h"
#include "navmesh_seams.h"
#include "navmesh_space.h"
#include "path_landmarks.h"
#include "path_net.h"

static bool allocate(throng_navmesh *mesh, const throng_half_edges *h)
{
    size_t edges = (size_t)h->count + 1;
    mesh->face_start = malloc(edges * sizeof(int32_t));
    mesh->ax = malloc(edges * sizeof(float));
    mesh->ay = malloc(edges * sizeof(float));
    mesh->bx = malloc(edges * sizeof(float));
    mesh->by = malloc(edges * sizeof(float));
    mesh->twin = malloc(edges * sizeof(int32_t));
    mesh->face = malloc(edges * sizeof(int32_t));
    mesh->door = malloc(edges * sizeof(int32_t));
    mesh->cost = calloc(edges, sizeof(double));
    mesh->shut = calloc(edges, 1);
    mesh->against = calloc(edges, 1);
    mesh->component = malloc(edges * sizeof(int32_t));
    if (memchr(h->covered, 1, edges) && !(mesh->covered = malloc(edges)))
        return false;
    if (h->sheet && !(mesh->sheet = malloc(edges * sizeof(int32_t))))
        return false;
    return mesh->face_start && mesh->ax && mesh->ay && mesh->bx && mesh->by && mesh->twin && mesh->face && mesh->door &&
           mesh->cost && mesh->shut && mesh->against && mesh->component;
}

static void add_edge(throng_navmesh *mesh, const throng_half_edges *h, int32_t e)
{
    throng_point a = h->from[e], b = h->from[h->next[e]];
    int32_t at = mesh->edge_count++;
    mesh->ax[at] = (float)a.x;
    mesh->ay[at] = (float)a.y;
    mesh->bx[at] = (float)b.x;
    mesh->by[at] = (float)b.y;
    mesh->face[at] = mesh->face_count;
    mesh->twin[at] = h->twin[e];
    mesh->door[at] = h->door[e];
    mesh->shut[at] = h->door[e] == THRONG_NAVMESH_BODY;
}

/* Copies the cycles face by face. `place[e]`: where half-edge e went. */
static void copy_faces(throng_navmesh *mesh, const throng_half_edges *h, int32_t *place)
{
    for (int32_t e = 0; e < h->count; e++)
        place[e] = -1;
    for (int32_t first = 0; first < h->count; first++) {
        if (h->next[first] < 0 || place[first] >= 0)
            continue;
        mesh->face_start[mesh->face_count] = mesh->edge_count;
        if (mesh->covered)
            mesh->covered[mesh->face_count] = h->covered[first];
        if (mesh->sheet)
            mesh->sheet[mesh->face_count] = h->sheet[first];
        int32_t e = first;
        do {
            place[e] = mesh->edge_count;
            add_edge(mesh, h, e);
            e = h->next[e];
        } while (e != first);
        mesh->face_count++;
    }
    mesh->face_start[mesh->face_count] = mesh->edge_count;
    for (int32_t e = 0; e < mesh->edge_count; e++)
        mesh->twin[e] = mesh->twin[e] < 0 ? -1 : place[mesh->twin[e]];
}

static int by_door(const void *a, const void *b)
{
    const throng_door_side *p = a, *q = b;
    return p->door != q->door ? (p->door > q->door) - (p->door < q->door) : (p->edge > q->edge) - (p->edge < q->edge);
}

static bool list_door_sides(throng_navmesh *mesh)
{
    int32_t count = 0;
    for (int32_t e = 0; e < mesh->edge_count; e++)
        count += mesh->door[e] != -1;
    mesh->door_sides = malloc(((size_t)count + 1) * sizeof *mesh->door_sides);
    for (int32_t e = 0; mesh->door_sides && e < mesh->edge_count; e++)
        if (mesh->door[e] != -1)
            mesh->door_sides[mesh->door_side_count++] = (throng_door_side){mesh->door[e], e};
    if (mesh->door_sides)
        qsort(mesh->door_sides, (size_t)count, sizeof *mesh->door_sides, by_door);
    return mesh->door_sides != NULL;
}

static double face_area(const throng_navmesh *mesh, int32_t face)
{
    int32_t first = mesh->face_start[face];
    double twice = 0, x = mesh->ax[first], y = mesh->ay[first];
    for (int32_t e = first; e < mesh->face_start[face + 1]; e++)
        twice += (mesh->ax[e] - x) * (mesh->by[e] - y) - (mesh->bx[e] - x) * (mesh->ay[e] - y);
    return 0.5 * twice;
}

typedef struct island {
    double area;
    int32_t number;
} island;

static int by_area(const void *a, const void *b)
{
    const island *p = a, *q = b;
    if (p->area != q->area)
        return p->area < q->area ? 1 : -1;
    return (p->number > q->number) - (p->number < q->number);
}

/* Gives `number` to every face that `seed` reaches; their area. */
static double flood(throng_navmesh *mesh, int32_t seed, int32_t number, int32_t *queue)
{
    double area = 0;
    int32_t count = 0;
    mesh->component[seed] = number;
    queue[count++] = seed;
    for (int32_t k = 0; k < count; k++) {
        area += face_area(mesh, queue[k]);
        for (int32_t e = mesh->face_start[queue[k]]; e < mesh->face_start[queue[k] + 1]; e++) {
            int32_t other = mesh->twin[e] < 0 ? -1 : mesh->face[mesh->twin[e]];
            if (other >= 0 && mesh->component[other] < 0) {
                mesh->component[other] = number;
                queue[count++] = other;
            }
        }
    }
    return area;
}

static void number_components(throng_navmesh *mesh, int32_t *queue, int32_t *rank, island *islands)
{
    for (int32_t f = 0; f < mesh->face_count; f++)
        mesh->component[f] = -1;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t number = mesh->component_count;
        if (mesh->component[f] >= 0)
            continue;
        islands[number] = (island){flood(mesh, f, number, queue), number};
        mesh->area += islands[number].area;
        mesh->component_count++;
    }
    qsort(islands, (size_t)mesh->component_count, sizeof *islands, by_area);
    for (int32_t i = 0; i < mesh->component_count; i++)
        rank[islands[i].number] = i;
    for (int32_t f = 0; f < mesh->face_count; f++)
        mesh->component[f] = rank[mesh->component[f]];
}

static bool find_components(throng_navmesh *mesh)
{
    size_t faces = (size_t)mesh->face_count + 1;
    int32_t *queue = malloc(faces * sizeof *queue), *rank = malloc(faces * sizeof *rank);
    island *islands = malloc(faces * sizeof *islands);
    bool fine = queue && rank && islands;
    if (fine)
        number_components(mesh, queue, rank, islands);
    free(queue);
    free(rank);
    free(islands);
    return fine;
}

static bool take_offsets(throng_navmesh *mesh, const throng_map *map)
{
    if (!mesh->sheet)
        return true;
    mesh->offset = malloc((size_t)map->sheets->count * sizeof *mesh->offset);
    for (int32_t i = 0; mesh->offset && i < map->sheets->count; i++)
        mesh->offset[i] = map->sheets->list[i].offset;
    return mesh->offset != NULL;
}

throng_navmesh *throng_navmesh_assemble(const throng_half_edges *h, const throng_map *map, double radius)
{
    throng_navmesh *mesh = calloc(1, sizeof *mesh);
    int32_t *place = malloc(((size_t)h->count + 1) * sizeof *place);
    bool fine = mesh && place && allocate(mesh, h);
    if (fine) {
        mesh->radius = radius;
        copy_faces(mesh, h, place);
        fine = list_door_sides(mesh) && take_offsets(mesh, map) && throng_navmesh_find_lifts(mesh, map) &&
               find_components(mesh) && (mesh->grid = throng_face_grid_create(mesh)) &&
               (mesh->net = throng_path_net_create(mesh));
    }
    free(place);
    if (fine)
        return mesh;
    throng_navmesh_destroy(mesh);
    return NULL;
}

/* The triangles of `bare`, which is the map without its pillars, as half-edges that fit together. GEOS's triangulation
 * (3.11) fails now and then; a hair more of clearance is another problem. */
static bool fitted(const throng_map *map, const throng_map *bare, double radius, throng_half_edges *h,
                   throng_error *error)
{
    double grid = throng_navmesh_grid(map, THRONG_NAVMESH_MARGIN + radius);
    bool sound = false;
    for (int attempt = 0; attempt < 3 && !sound; attempt++) {
        throng_triangles triangles;
        if (!throng_navmesh_triangulate(bare, radius + attempt * grid, &triangles, error)) {
            if (!triangles.unfit)
                return false; /* another clearance is another mesh, and other bits */
            continue;
        }
        if (triangles.count == 0) {
            free(triangles.corners);
            return throng_fail(error,
                               "no free space is wide enough for a radius of %g m in %s; give smaller agents, "
                               "or check the map's resolution",
                               radius, map->name);
        }
        int32_t open = -1;
        bool cut = !map->door_count || throng_navmesh_cut_doors(map, radius, grid, &triangles, &open);
        if (open >= 0) {
            free(triangles.corners);
            return throng_fail(error,
                               "door \"%s\" ends in the open for a radius of %g m, so that neither its cost nor its "
                               "max_radius can count; move its ends to the walls",
                               map->doors[open].name, radius);
        }
        bool made = cut && throng_half_edges_init(h, &triangles, &sound);
        free(triangles.corners);
        if (cut ? !made && sound : !triangles.unfit)
            return throng_fail(error, "%s: out of memory", map->name);
        bool joined = made && throng_navmesh_find_doors(map, radius, grid, h) &&
                      (!map->sheets || throng_navmesh_join_seams(map, throng_navmesh_clearance(radius, grid), grid, h));
        if (made && !joined) {
            throng_half_edges_fini(h);
            return throng_fail(error, "%s: out of memory", map->name);
        }
    }
    return sound || throng_fail(error,
                                "%s: the free space for a radius of %g m cannot be triangulated; a slightly "
                                "different radius may help",
                                map->name, radius);
}

/* Belts are as fast as in worlds, who have their speeds in floats. */
static bool take_costs(throng_navmesh *mesh, const throng_map *map)
{
    bool changed = false;
    for (int32_t d = 0; d < map->door_count; d++)
        changed |= throng_navmesh_set_cost(mesh, d, map->doors[d].cost);
    const throng_map_sheets *sheets = map->sheets;
    for (int32_t q = 0; sheets && q < sheets->seam_count; q++) {
        float belt = (float)sheets->list[throng_map_half_at(sheets, q)].belt;
        changed |= throng_navmesh_set_belt(mesh, sheets, q, (double)belt);
    }
    return !changed || throng_path_net_update(mesh->net, mesh);
}

static throng_navmesh *build(const throng_map *map, const throng_map *bare, double radius, throng_error *error)
{
    throng_half_edges h;
    if (!fitted(map, bare, radius, &h, error))
        return NULL;
    throng_navmesh *mesh = throng_half_edges_merge(&h) ? throng_navmesh_assemble(&h, map, radius) : NULL;
    throng_half_edges_fini(&h);
    if (mesh && !(throng_path_landmarks_find(mesh->net, mesh) && take_costs(mesh, map))) {
        throng_navmesh_destroy(mesh);
        mesh = NULL;
    }
    if (!mesh)
        throng_fail(error, "%s: out of memory", map->name);
    return mesh;
}

throng_navmesh *throng_navmesh_build(const throng_map *map, double radius, throng_error *error)
{
    double start = throng_clock();
    if (!(radius >= 0 && radius <= 1e4)) {
        throng_fail(error, "a mesh for a radius of %g m: give 0 or more metres", radius);
        return NULL;
    }
    throng_map *bare, *pillars;
    if (!throng_navmesh_part_pillars(map, radius, &bare, &pillars, error))
        return NULL;
    throng_navmesh *mesh = build(map, bare ? bare : map, radius, error);
    throng_map_destroy(bare);
    if (!mesh) {
        throng_map_destroy(pillars);
        return NULL;
    }
    mesh->pillars = pillars;
    mesh->seconds = throng_clock() - start;
    return mesh;
}

void throng_navmesh_destroy(throng_navmesh *mesh)
{
    if (!mesh)
        return;
    throng_face_grid_destroy(mesh->grid);
    throng_path_net_destroy(mesh->net);
    throng_map_destroy(mesh->pillars);
    free(mesh->face_start);
    free(mesh->ax);
    free(mesh->ay);
    free(mesh->bx);
    free(mesh->by);
    free(mesh->twin);
    free(mesh->face);
    free(mesh->door);
    free(mesh->door_sides);
    free(mesh->cost);
    free(mesh->shut);
    free(mesh->against);
    free(mesh->covered);
    free(mesh->sheet);
    free(mesh->offset);
    free(mesh->component);
    throng_navmesh_free_lifts(mesh);
    free(mesh);
}

/* The sides that lie on a door; `end`: behind the last. */
static const throng_door_side *sides_of(const throng_navmesh *mesh, int32_t door, const throng_door_side **end)
{
    const throng_door_side *sides = mesh->door_sides;
    int32_t first = 0, behind = mesh->door_side_count;
    while (first < behind) {
        int32_t middle = (first + behind) / 2;
        if (sides[middle].door < door)
            first = middle + 1;
        else
            behind = middle;
    }
    while (behind < mesh->door_side_count && sides[behind].door == door)
        behind++;
    *end = sides + behind;
    return sides + first;
}

bool throng_navmesh_set_door(throng_navmesh *mesh, int32_t door, bool open)
{
    bool changed = false;
    const throng_door_side *end;
    for (const throng_door_side *s = sides_of(mesh, door, &end); s < end; s++) {
        changed |= mesh->shut[s->edge] == open;
        mesh->shut[s->edge] = !open;
    }
    return changed;
}

bool throng_navmesh_set_cost(throng_navmesh *mesh, int32_t door, double cost)
{
    bool changed = false;
    const throng_door_side *end;
    for (const throng_door_side *s = sides_of(mesh, door, &end); s < end; s++)
        if (mesh->twin[s->edge] >= 0) {
            changed |= mesh->cost[s->edge] != cost;
            mesh->cost[s->edge] = cost;
        }
    return changed;
}

/* A point in a face, where it is on the map. */
static throng_point middle_of(const throng_navmesh *mesh, int32_t face)
{
    throng_point middle = {0, 0};
    int32_t count = mesh->face_start[face + 1] - mesh->face_start[face];
    for (int32_t e = mesh->face_start[face]; e < mesh->face_start[face + 1]; e++) {
        middle.x += (double)mesh->ax[e] / count;
        middle.y += (double)mesh->ay[e] / count;
    }
    return throng_navmesh_place(mesh, face, middle);
}

bool throng_navmesh_set_way(throng_navmesh *mesh, const throng_map *map, int32_t door, int way)
{
    bool changed = false;
    const throng_door *d = &map->doors[door];
    const throng_door_side *end;
    for (const throng_door_side *s = sides_of(mesh, door, &end); s < end; s++) {
        int32_t e = s->edge;
        int side = throng_turn(d->a, d->b, middle_of(mesh, mesh->face[e])) > 0 ? 1 : -1; /* 1: on its left */
        bool against = way != 0 && side != way;
        changed |= mesh->against[e] != against;
        mesh->against[e] = against;
    }
    return changed;
}

bool throng_navmesh_set_belt(throng_navmesh *mesh, const throng_map_sheets *sheets, int32_t seam, double belt)
{
    const throng_map_sheet *half = &sheets->list[throng_map_half_at(sheets, seam)];
    int32_t door = THRONG_NAVMESH_SEAM - seam, below = throng_map_first_of_part(sheets, sheets->seams[seam].left);
    bool changed = false;
    const throng_door_side *end;
    for (const throng_door_side *s = sides_of(mesh, door, &end); s < end; s++) {
        int32_t e = s->edge;
        bool up = mesh->sheet[mesh->face[e]] == below, against = up ? belt < 0 : belt > 0;
        double cost = throng_map_half_cost(half, belt, up);
        changed |= mesh->against[e] != against || mesh->cost[e] != cost;
        mesh->against[e] = against;
        mesh->cost[e] = cost;
    }
    return changed;
}
