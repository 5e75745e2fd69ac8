/* Bodies that stand in a mesh.
 *
 * Their outlines, grown by the clearance, are united and laid over the faces that they come near; what the lines cut
 * there becomes new faces, on the grid, and all the others stay. So a body costs as much as there is round it, and
 * nothing of the map has to shrink again. */
#include <stdlib.h>
#include <string.h>

#include "face_grid.h"
#include "map/geometry.h"
#include "map/map_geos.h"
#include "navmesh.h"
#include "navmesh_doors.h"
#include "navmesh_faces.h"
#include "navmesh_seams.h"

static const double PLACE = 1; /* m^2: a smaller piece of the floor is no place to be kept from */

typedef struct cover {
    throng_geos geos;
    const throng_navmesh *mesh;
    double grid;                     /* m */
    uint8_t *near;                   /* [face_count] bodies may reach into the face */
    throng_ring_list solid;          /* their outlines, grown by the clearance, clockwise, */
    double origin_x, origin_y, cell; /* m: of a grid over them, of about as many cells; */
    int32_t columns, rows;
    int32_t *start, *list;  /* which of them come into each, as throng_face_grid has it */
    throng_ring_list rings; /* of the new faces, and of those that stay */
} cover;

static bool fail(cover *c, const char *name, throng_error *error) { return throng_geos_fail(&c->geos, name, error); }

/* --- what is covered --- */

static bool grow(cover *c, const throng_region *bodies, int32_t count, double more)
{
    throng_point points[3 * THRONG_COVER_CORNERS];
    bool fine = true;
    for (int32_t i = 0; fine && i < count; i++) {
        int32_t corners =
            throng_navmesh_grow(bodies[i].points, bodies[i].count, c->mesh->radius + more, c->grid, points);
        fine = throng_ring_list_begin(&c->solid);
        for (int32_t k = 0; fine && k < corners; k++)
            fine = throng_ring_list_add(&c->solid, points[k]);
    }
    return fine;
}

/* About the points from `first` to `end`, and a little more. */
static throng_bounds bounds_of(const cover *c, int32_t first, int32_t end)
{
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = first; i < end; i++) {
        throng_point p = c->solid.points[i];
        b = (throng_bounds){fmin(b.x0, p.x), fmin(b.y0, p.y), fmax(b.x1, p.x), fmax(b.y1, p.y)};
    }
    double more = 2 * c->grid;
    return (throng_bounds){b.x0 - more, b.y0 - more, b.x1 + more, b.y1 + more};
}

static throng_bounds bounds_of_outline(const cover *c, int32_t outline)
{
    return bounds_of(c, c->solid.start[outline], throng_ring_list_end(&c->solid, outline));
}

/* The faces in cells of the mesh that an outline comes into. */
static void mark_near(cover *c, int32_t outline)
{
    const throng_face_grid *g = c->mesh->grid;
    throng_bounds b = bounds_of_outline(c, outline);
    int32_t c0 = throng_cell_of(b.x0, g->origin_x, g->cell, g->columns);
    int32_t c1 = throng_cell_of(b.x1, g->origin_x, g->cell, g->columns);
    int32_t r1 = throng_cell_of(b.y1, g->origin_y, g->cell, g->rows);
    for (int32_t r = throng_cell_of(b.y0, g->origin_y, g->cell, g->rows); r <= r1; r++)
        for (int32_t k = g->start[r * g->columns + c0]; k < g->start[r * g->columns + c1 + 1]; k++)
            c->near[g->list[k]] = 1;
}

/* The mesh's own cells would not do: in an empty hall there are few, and all bodies in each. */
static void size_cells(cover *c)
{
    throng_bounds all = bounds_of(c, 0, c->solid.point_count);
    double count = fmax(c->solid.count, 1), width = all.x1 - all.x0, height = all.y1 - all.y0;
    c->origin_x = all.x0;
    c->origin_y = all.y0;
    c->cell = fmax(sqrt(width * height / count), fmax(width, height) / count);
    c->columns = (int32_t)(width / c->cell) + 1;
    c->rows = (int32_t)(height / c->cell) + 1;
}

/* Counts the outline in its cells, or with a list writes it there. */
static void visit_outline(const cover *c, int32_t outline, int32_t *places, int32_t *list)
{
    throng_bounds b = bounds_of_outline(c, outline);
    int32_t c0 = throng_cell_of(b.x0, c->origin_x, c->cell, c->columns);
    int32_t c1 = throng_cell_of(b.x1, c->origin_x, c->cell, c->columns);
    int32_t r1 = throng_cell_of(b.y1, c->origin_y, c->cell, c->rows);
    for (int32_t r = throng_cell_of(b.y0, c->origin_y, c->cell, c->rows); r <= r1; r++)
        for (int32_t at = r * c->columns + c0; at <= r * c->columns + c1; at++) {
            if (list)
                list[places[at]] = outline;
            places[at]++;
        }
}

static bool list_outlines(cover *c)
{
    size_cells(c);
    size_t cells = (size_t)c->columns * (size_t)c->rows;
    int32_t *places = calloc(cells + 1, sizeof *places);
    c->start = calloc(cells + 1, sizeof *c->start);
    for (int32_t i = 0; places && c->start && i < c->solid.count; i++)
        visit_outline(c, i, places, NULL);
    for (size_t k = 0; places && c->start && k < cells; k++) {
        c->start[k + 1] = c->start[k] + places[k];
        places[k] = c->start[k];
    }
    c->list = places && c->start ? malloc(((size_t)c->start[cells] + 1) * sizeof *c->list) : NULL;
    for (int32_t i = 0; c->list && i < c->solid.count; i++)
        visit_outline(c, i, places, c->list);
    for (int32_t i = 0; c->list && i < c->solid.count; i++)
        mark_near(c, i);
    free(places);
    return c->list != NULL;
}

static bool outline_holds(const cover *c, int32_t outline, throng_point p)
{
    int32_t first = c->solid.start[outline], end = throng_ring_list_end(&c->solid, outline);
    for (int32_t i = first; i < end; i++)
        if (throng_turn(c->solid.points[i], c->solid.points[i + 1 < end ? i + 1 : first], p) > 0)
            return false;
    return true;
}

static bool is_solid(const cover *c, throng_point p)
{
    int32_t at = throng_cell_of(p.y, c->origin_y, c->cell, c->rows) * c->columns +
                 throng_cell_of(p.x, c->origin_x, c->cell, c->columns);
    for (int32_t k = c->start[at]; k < c->start[at + 1]; k++)
        if (outline_holds(c, c->list[k], p))
            return true;
    return false;
}

/* --- the new faces --- */

/* Where the ends of a side are laid out. */
static throng_point start_of(const throng_navmesh *m, int32_t e)
{
    return throng_navmesh_place(m, m->face[e], (throng_point){m->ax[e], m->ay[e]});
}

static throng_point end_of(const throng_navmesh *m, int32_t e)
{
    return throng_navmesh_place(m, m->face[e], (throng_point){m->bx[e], m->by[e]});
}

static GEOSGeometry *line(cover *c, const throng_point *points, int32_t count, bool closed)
{
    GEOSCoordSequence *s = GEOSCoordSeq_create_r(c->geos.handle, (unsigned)(count + closed), 2);
    if (!s)
        return NULL;
    for (int32_t i = 0; i < count + closed; i++)
        GEOSCoordSeq_setXY_r(c->geos.handle, s, (unsigned)i, points[i % count].x, points[i % count].y);
    return GEOSGeom_createLineString_r(c->geos.handle, s);
}

/* Does the side bound the faces that are cut again, or lie on a door or a seam in them? */
static bool is_line(const cover *c, int32_t e)
{
    const throng_navmesh *m = c->mesh;
    int32_t twin = m->twin[e];
    return c->near[m->face[e]] &&
           (twin < 0 || throng_navmesh_on_seam(m, e) || !c->near[m->face[twin]] || (e < twin && m->door[e] >= 0));
}

/* All lines, with a node wherever they meet. */
static GEOSGeometry *lines(cover *c)
{
    GEOSGeometry **parts = malloc(((size_t)c->mesh->edge_count + (size_t)c->solid.count) * sizeof *parts);
    int32_t count = 0;
    if (!parts)
        return NULL;
    for (int32_t i = 0; i < c->solid.count; i++)
        parts[count++] =
            line(c, c->solid.points + c->solid.start[i], throng_ring_list_end(&c->solid, i) - c->solid.start[i], true);
    for (int32_t e = 0; e < c->mesh->edge_count; e++)
        if (is_line(c, e))
            parts[count++] = line(c, (throng_point[]){start_of(c->mesh, e), end_of(c->mesh, e)}, 2, false);
    GEOSGeometry *all = throng_geos_collect(&c->geos, GEOS_MULTILINESTRING, parts, count);
    free(parts);
    if (all)
        throng_geos_replace(&c->geos, &all, GEOSUnaryUnionPrec_r(c->geos.handle, all, c->grid));
    return all;
}

/* Adds the rings of what lies in the faces that are cut again; the lines enclose holes of these, too. */
static bool add_piece(cover *c, const GEOSGeometry *piece)
{
    throng_point p;
    GEOSGeometry *inside = GEOSPointOnSurface_r(c->geos.handle, piece);
    bool fine = inside && GEOSGeomGetX_r(c->geos.handle, inside, &p.x) && GEOSGeomGetY_r(c->geos.handle, inside, &p.y);
    throng_geos_free(&c->geos, inside);
    int32_t face = -1;
    return fine && (!throng_navmesh_faces_at(c->mesh, p, &face, 1) || !c->near[face] ||
                    throng_geos_rings(&c->geos, piece, &c->rings));
}

static bool cut_faces(cover *c)
{
    GEOSGeometry *all = lines(c);
    GEOSGeometry *pieces = all ? GEOSPolygonize_r(c->geos.handle, (const GEOSGeometry *const *)&all, 1) : NULL;
    int count = pieces ? GEOSGetNumGeometries_r(c->geos.handle, pieces) : 0;
    bool fine = pieces != NULL;
    for (int i = 0; fine && i < count; i++)
        fine = add_piece(c, GEOSGetGeometryN_r(c->geos.handle, pieces, i));
    throng_geos_free(&c->geos, pieces);
    throng_geos_free(&c->geos, all);
    return fine;
}

static bool keep_faces(cover *c)
{
    const throng_navmesh *m = c->mesh;
    bool fine = true;
    for (int32_t f = 0; fine && f < m->face_count; f++) {
        if (c->near[f])
            continue;
        fine = throng_ring_list_begin(&c->rings);
        for (int32_t e = m->face_start[f]; fine && e < m->face_start[f + 1]; e++)
            fine = throng_ring_list_add(&c->rings, start_of(m, e));
    }
    return fine;
}

/* --- the mesh --- */

static void find_covered(const cover *c, throng_half_edges *h)
{
    for (int32_t e = 0; e < h->count; e += 3) {
        const throng_point *p = h->from + e;
        throng_point middle = {(p[0].x + p[1].x + p[2].x) / 3, (p[0].y + p[1].y + p[2].y) / 3};
        h->covered[e] = h->covered[e + 1] = h->covered[e + 2] = is_solid(c, middle);
    }
    for (int32_t e = 0; e < h->count; e++)
        if (h->twin[e] >= 0 && h->covered[e] != h->covered[h->twin[e]])
            h->door[e] = THRONG_NAVMESH_BODY;
}

static double area_of(const throng_navmesh *m, int32_t face)
{
    int32_t first = m->face_start[face];
    double twice = 0;
    for (int32_t e = first; e < m->face_start[face + 1]; e++)
        twice += throng_turn(start_of(m, first), start_of(m, e), end_of(m, e));
    return 0.5 * twice;
}

/* m^2 of the open faces that are joined to one; marks them. */
static double flood(const throng_navmesh *m, int32_t seed, uint8_t *seen, int32_t *queue)
{
    double area = 0;
    int32_t count = 0;
    seen[seed] = 1;
    queue[count++] = seed;
    for (int32_t k = 0; k < count; k++) {
        area += area_of(m, queue[k]);
        for (int32_t e = m->face_start[queue[k]]; e < m->face_start[queue[k] + 1]; e++) {
            int32_t other = throng_navmesh_ends_at(m, e) ? -1 : m->face[m->twin[e]];
            if (other >= 0 && !seen[other]) {
                seen[other] = 1;
                queue[count++] = other;
            }
        }
    }
    return area;
}

/* Are there two places in a component that only bodies are between? */
static bool find_parted(throng_navmesh *m)
{
    uint8_t *seen = calloc((size_t)m->face_count + 1, 1), *place = calloc((size_t)m->component_count + 1, 1);
    int32_t *queue = malloc(((size_t)m->face_count + 1) * sizeof *queue);
    bool fine = seen && place && queue;
    for (int32_t f = 0; fine && f < m->face_count; f++) {
        if (seen[f] || throng_navmesh_is_covered(m, f) || flood(m, f, seen, queue) < PLACE)
            continue;
        m->parted |= place[m->component[f]];
        place[m->component[f]] = 1;
    }
    free(seen);
    free(place);
    free(queue);
    return fine;
}

static throng_navmesh *assemble(cover *c, const throng_map *map, throng_half_edges *h)
{
    if (!throng_half_edges_merge(h))
        return NULL;
    throng_navmesh *made = throng_navmesh_assemble(h, map, c->mesh->radius);
    const throng_map *pillars = c->mesh->pillars;
    if (made && (!pillars || (made->pillars = throng_map_copy(pillars, NULL))) && find_parted(made))
        return made;
    throng_navmesh_destroy(made);
    return NULL;
}

static throng_navmesh *build(cover *c, const throng_map *map, throng_error *error)
{
    throng_triangles triangles;
    throng_half_edges h;
    bool sound = false;
    if (!cut_faces(c) || !keep_faces(c))
        return fail(c, map->name, error), NULL;
    if (!throng_triangulate(&c->rings, c->grid, 0, &triangles))
        return throng_fail(error, "%s: out of memory for the bodies that stand there", map->name), NULL;
    triangles.rim -= triangles.shared;
    bool made = throng_half_edges_init(&h, &triangles, &sound);
    free(triangles.corners);
    if (!made)
        return throng_fail(error, sound ? "%s: out of memory" : "%s: bodies leave no mesh that fits together",
                           map->name),
               NULL;
    double clearance = throng_navmesh_clearance(c->mesh->radius, c->grid);
    bool joined = throng_navmesh_find_doors(map, c->mesh->radius, c->grid, &h);
    find_covered(c, &h);
    joined = joined && (!map->sheets || throng_navmesh_join_seams(map, clearance, c->grid, &h));
    throng_navmesh *mesh = joined ? assemble(c, map, &h) : NULL;
    throng_half_edges_fini(&h);
    if (!mesh)
        throng_fail(error, "%s: out of memory for the bodies that stand there", map->name);
    return mesh;
}

static throng_navmesh *attempt(const throng_navmesh *mesh, const throng_map *map, const throng_region *bodies,
                               int32_t count, int by, throng_error *error)
{
    double grid = throng_navmesh_grid(map, THRONG_NAVMESH_MARGIN + mesh->radius);
    cover c = {.mesh = mesh, .grid = grid, .near = calloc((size_t)mesh->face_count + 1, 1)};
    throng_navmesh *made = NULL;
    if (!c.near || !grow(&c, bodies, count, by * grid) || !list_outlines(&c))
        throng_fail(error, "%s: out of memory for the bodies that stand there", map->name);
    else if (throng_geos_init(&c.geos, error))
        made = build(&c, map, error);
    throng_geos_fini(&c.geos);
    throng_ring_list_fini(&c.solid);
    throng_ring_list_fini(&c.rings);
    free(c.near);
    free(c.start);
    free(c.list);
    return made;
}

/* Lines that all but touch may be rounded into each other; a hair more of clearance is another problem. */
throng_navmesh *throng_navmesh_cover(const throng_navmesh *mesh, const throng_map *map, const throng_region *bodies,
                                     int32_t count, throng_error *error)
{
    throng_navmesh *made = NULL;
    for (int by = 0; by < 3 && !made; by++)
        made = attempt(mesh, map, bodies, count, by, error);
    return made;
}
