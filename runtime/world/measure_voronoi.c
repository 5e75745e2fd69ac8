/* Density by Voronoi cells, as PedPy has it: the cells of all agents, clipped to the floor, each the piece that its
 * agent stands on; the density of a region is the mean over its area of one by the area of the cell there.
 *
 * Floor that is in pieces (of a building, of rooms behind walls) is taken piece by piece, those that the regions reach
 * into: agents do not share out a floor that they are not on. GEOS makes the diagram. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "map/map_geos.h"
#include "measure_parts.h"

typedef struct piece {
    GEOSGeometry *floor, *within; /* the regions' share of it */
    const GEOSPreparedGeometry *prepared, *prepared_within;
} piece;

struct measure_cells {
    throng_geos geos;
    piece *pieces;
    int32_t count;
    int32_t *sites;        /* [site_count] slots of who is on a piece */
    GEOSGeometry **points; /* [site_count] where they are */
    int32_t site_count, site_room, point_room;
};

/* ---- life */

static void forget_sites(measure_cells *cells)
{
    while (cells->site_count > 0)
        throng_geos_free(&cells->geos, cells->points[--cells->site_count]);
}

void throng_cells_fini(measure_cells *cells)
{
    if (!cells)
        return;
    for (int32_t i = 0; i < cells->count; i++) {
        if (cells->pieces[i].prepared)
            GEOSPreparedGeom_destroy_r(cells->geos.handle, cells->pieces[i].prepared);
        if (cells->pieces[i].prepared_within)
            GEOSPreparedGeom_destroy_r(cells->geos.handle, cells->pieces[i].prepared_within);
        throng_geos_free(&cells->geos, cells->pieces[i].floor);
        throng_geos_free(&cells->geos, cells->pieces[i].within);
    }
    forget_sites(cells);
    throng_geos_fini(&cells->geos);
    free(cells->pieces);
    free(cells->sites);
    free(cells->points);
    free(cells);
}

/* False: GEOS failed. */
static bool add_piece(measure_cells *cells, const GEOSGeometry *floor, const GEOSGeometry *regions)
{
    throng_geos *geos = &cells->geos;
    piece *p = &cells->pieces[cells->count];
    double area = 0;
    *p = (piece){.within = GEOSIntersection_r(geos->handle, floor, regions)};
    if (!p->within || GEOSArea_r(geos->handle, p->within, &area) != 1)
        return false;
    cells->count++;
    if (!(area > 0)) {
        cells->count--;
        throng_geos_free(geos, p->within);
        return true;
    }
    p->floor = GEOSGeom_clone_r(geos->handle, floor);
    p->prepared = p->floor ? GEOSPrepare_r(geos->handle, p->floor) : NULL;
    p->prepared_within = GEOSPrepare_r(geos->handle, p->within);
    return p->prepared && p->prepared_within;
}

static bool cut_pieces(measure_cells *cells, const GEOSGeometry *floor, const GEOSGeometry *regions)
{
    int count = GEOSGetNumGeometries_r(cells->geos.handle, floor);
    cells->pieces = calloc((size_t)count + 1, sizeof *cells->pieces);
    bool ok = cells->pieces != NULL;
    for (int i = 0; ok && i < count; i++)
        ok = add_piece(cells, GEOSGetGeometryN_r(cells->geos.handle, floor, i), regions);
    return ok;
}

bool throng_cells_init(throng_measure *m, const throng_map *map, throng_error *error)
{
    if (!map || map->open)
        return throng_fail(error, "method \"voronoi\" needs a floor with an edge, to which cells are clipped, and this "
                                  "world is open: give it a map, or leave the method away");
    measure_cells *cells = calloc(1, sizeof *cells);
    if (!cells)
        return throng_fail(error, "out of memory for a measure");
    if (!throng_geos_init(&cells->geos, error)) {
        free(cells);
        return false;
    }
    m->cells = cells;
    GEOSGeometry *floor = throng_geos_free_space(&cells->geos, map, 0),
                 *regions = throng_measure_place(&cells->geos, m);
    bool ok = floor && regions && cut_pieces(cells, floor, regions);
    if (!ok)
        throng_geos_fail(&cells->geos, "the floor of a measure", error);
    throng_geos_free(&cells->geos, floor);
    throng_geos_free(&cells->geos, regions);
    return ok;
}

/* ---- a step */

/* Everybody on the piece: the measured and the others, whose cells bound theirs. */
static bool find_sites(measure_cells *cells, const piece *p, const measure_view *v)
{
    GEOSContextHandle_t handle = cells->geos.handle;
    for (int32_t slot = 0; slot < v->slots && !throng_given_up(); slot++) {
        if (!(v->state[slot] & THRONG_STATE_ALIVE))
            continue;
        int64_t wanted = (int64_t)cells->site_count + 1;
        GEOSGeometry *point = GEOSGeom_createPointFromXY_r(handle, (double)v->x[slot], (double)v->y[slot]);
        bool on = point && GEOSPreparedIntersects_r(handle, p->prepared, point) == 1;
        if (!on || !throng_array_reserve((void **)&cells->sites, &cells->site_room, wanted, sizeof *cells->sites) ||
            !throng_array_reserve((void **)&cells->points, &cells->point_room, wanted, sizeof *cells->points)) {
            throng_geos_free(&cells->geos, point);
            if (on || !point)
                return false;
            continue;
        }
        cells->sites[cells->site_count] = slot;
        cells->points[cells->site_count++] = point;
    }
    return true;
}

/* The diagram around all sites, as far as the floor reaches at least; of one site the floor itself. */
static GEOSGeometry *diagram_of(measure_cells *cells, const piece *p)
{
    throng_geos *geos = &cells->geos;
    if (cells->site_count == 1)
        return GEOSGeom_clone_r(geos->handle, p->floor);
    GEOSGeometry **points = malloc((size_t)cells->site_count * sizeof(GEOSGeometry *));
    for (int32_t i = 0; points && i < cells->site_count; i++)
        points[i] = GEOSGeom_clone_r(geos->handle, cells->points[i]);
    GEOSGeometry *sites = points ? throng_geos_collect(geos, GEOS_MULTIPOINT, points, cells->site_count) : NULL;
    GEOSGeometry *diagram = sites ? GEOSVoronoiDiagram_r(geos->handle, sites, p->floor, 0, 0) : NULL;
    throng_geos_free(geos, sites);
    free(points);
    return diagram;
}

/* The piece of a cell, clipped to the floor, that holds its site. */
static GEOSGeometry *clip(throng_geos *geos, const piece *p, const GEOSGeometry *cell, const GEOSGeometry *site)
{
    GEOSGeometry *clipped = GEOSIntersection_r(geos->handle, p->floor, cell), *nearest = NULL;
    double least = INFINITY, away;
    for (int i = 0, n = clipped ? GEOSGetNumGeometries_r(geos->handle, clipped) : 0; i < n; i++) {
        const GEOSGeometry *part = GEOSGetGeometryN_r(geos->handle, clipped, i);
        if (GEOSGeomTypeId_r(geos->handle, part) == GEOS_POLYGON &&
            GEOSDistance_r(geos->handle, part, site, &away) == 1 && away < least) {
            least = away;
            throng_geos_free(geos, nearest);
            nearest = GEOSGeom_clone_r(geos->handle, part);
        }
    }
    throng_geos_free(geos, clipped);
    return nearest;
}

/* What somebody in a cell adds to the persons in the regions: the part of the cell that is in them. Who shares a cell
 * stands at the very same place. */
static double share(throng_geos *geos, const piece *p, const GEOSGeometry *cell, const GEOSGeometry *site)
{
    double area = 0, inside = 0;
    GEOSGeometry *clipped = clip(geos, p, cell, site);
    GEOSGeometry *within = clipped ? GEOSIntersection_r(geos->handle, clipped, p->within) : NULL;
    bool ok = within && GEOSArea_r(geos->handle, clipped, &area) == 1 && GEOSArea_r(geos->handle, within, &inside) == 1;
    throng_geos_free(geos, clipped);
    throng_geos_free(geos, within);
    return ok && area > 0 ? inside / area : 0;
}

/* Which sites a cell holds: found by a tree of them. */
typedef struct query {
    const throng_measure *m;
    const measure_view *v;
    const piece *p;
    const GEOSGeometry *cell;
    const GEOSPreparedGeometry *prepared;
    double persons;
} query;

static void take_site(void *item, void *context)
{
    query *q = context;
    measure_cells *cells = q->m->cells;
    const GEOSGeometry *site = cells->points[(const int32_t *)item - cells->sites];
    if (throng_measure_counts(q->m, q->v, *(const int32_t *)item) &&
        GEOSPreparedContains_r(cells->geos.handle, q->prepared, site) == 1)
        q->persons += share(&cells->geos, q->p, q->cell, site);
}

static GEOSSTRtree *tree_of(measure_cells *cells)
{
    GEOSSTRtree *tree = GEOSSTRtree_create_r(cells->geos.handle, 10);
    for (int32_t i = 0; tree && i < cells->site_count; i++)
        GEOSSTRtree_insert_r(cells->geos.handle, tree, cells->points[i], &cells->sites[i]);
    return tree;
}

/* Persons in the regions' share of a piece, of the cells around the sites; NAN: GEOS failed. */
static double persons_in_cells(const throng_measure *m, const piece *p, const measure_view *v)
{
    measure_cells *cells = m->cells;
    throng_geos *geos = &cells->geos;
    GEOSGeometry *diagram = diagram_of(cells, p);
    GEOSSTRtree *tree = diagram ? tree_of(cells) : NULL;
    query q = {.m = m, .v = v, .p = p, .persons = tree ? 0 : NAN};
    for (int i = 0, n = tree ? GEOSGetNumGeometries_r(geos->handle, diagram) : 0; i < n && !throng_given_up(); i++) {
        q.cell = GEOSGetGeometryN_r(geos->handle, diagram, i);
        if (GEOSPreparedIntersects_r(geos->handle, p->prepared_within, q.cell) != 1)
            continue;
        q.prepared = GEOSPrepare_r(geos->handle, q.cell);
        GEOSSTRtree_query_r(geos->handle, tree, q.cell, take_site, &q);
        GEOSPreparedGeom_destroy_r(geos->handle, q.prepared);
    }
    if (tree)
        GEOSSTRtree_destroy_r(geos->handle, tree);
    throng_geos_free(geos, diagram);
    return q.persons;
}

double throng_cells_density(throng_measure *m, const measure_view *v)
{
    double persons = 0;
    for (int32_t i = 0; i < m->cells->count; i++) {
        if (!find_sites(m->cells, &m->cells->pieces[i], v))
            persons = NAN;
        else if (m->cells->site_count > 0)
            persons += persons_in_cells(m, &m->cells->pieces[i], v);
        forget_sites(m->cells);
    }
    return persons / m->got.area;
}
