/* A world that wraps and has a map: walls and routes go on across the seam.
 *
 * Meshes, and the walls that planners and contacts see, are built of the floor as nine tiles of it show it, the world
 * in their middle. So somebody at the seam has beyond it what is there, a path may lead across, and nothing of the
 * kernels knows of tiles: who comes in at the other side finds its face again. Goals are there in all tiles. A path
 * that would go more than once around the world is not found. */
#include <math.h>
#include <stdlib.h>

#include "map/map_geos.h"
#include "world_parts.h"

enum { TILES = 9 };

static throng_point tile_at(const throng_world *w, int tile)
{
    throng_point size = throng_world_wrap(w);
    return (throng_point){(tile % 3 - 1) * size.x, (tile / 3 - 1) * size.y};
}

static bool check(const throng_map *map, throng_point size, throng_error *error)
{
    const throng_bounds *b = &map->bounds;
    if (map->door_count)
        return throng_fail(error, "a map with doors cannot wrap; leave out 'wrap', or the doors");
    return (b->x0 >= 0 && b->y0 >= 0 && b->x1 <= size.x && b->y1 <= size.y) ||
           throng_fail(error,
                       "the map reaches from (%g, %g) to (%g, %g), but a world that wraps after %g x %g m lies between "
                       "(0, 0) and (%g, %g); make 'wrap' larger, or move the map",
                       b->x0, b->y0, b->x1, b->y1, size.x, size.y, size.x, size.y);
}

static int move(double *x, double *y, void *by)
{
    const throng_point *off = by;
    *x += off->x;
    *y += off->y;
    return 1;
}

/* The floor of one tile, cut off at the seam where the map is open. */
static GEOSGeometry *floor_of(const throng_world *w, throng_geos *geos)
{
    throng_point size = throng_world_wrap(w);
    GEOSGeometry *space = throng_geos_free_space(geos, w->map, fmax(size.x, size.y));
    GEOSGeometry *box = throng_geos_box(geos, (throng_bounds){0, 0, size.x, size.y});
    if (space && box)
        throng_geos_replace(geos, &space, GEOSIntersection_r(geos->handle, space, box));
    throng_geos_free(geos, box);
    return space;
}

static GEOSGeometry *tiles_of(const throng_world *w, throng_geos *geos)
{
    GEOSGeometry *tile[TILES] = {NULL}, *floor = floor_of(w, geos);
    bool fine = floor != NULL;
    for (int t = 0; t < TILES && fine; t++) {
        throng_point off = tile_at(w, t);
        fine = (tile[t] = GEOSGeom_transformXY_r(geos->handle, floor, move, &off)) != NULL;
    }
    throng_geos_free(geos, floor);
    for (int t = 0; t < TILES && !fine; t++)
        throng_geos_free(geos, tile[t]);
    GEOSGeometry *all = fine ? throng_geos_collect(geos, GEOS_GEOMETRYCOLLECTION, tile, TILES) : NULL;
    if (all)
        throng_geos_replace(geos, &all, GEOSUnaryUnion_r(geos->handle, all));
    return all;
}

bool throng_world_init_floor(throng_world *w, throng_error *error)
{
    throng_point size = throng_world_wrap(w);
    throng_geos geos;
    w->floor = w->map;
    if (size.x == 0 || !w->map || !w->map->point_count)
        return true;
    w->floor = NULL;
    if (!check(w->map, size, error) || !throng_geos_init(&geos, error))
        return false;
    GEOSGeometry *all = tiles_of(w, &geos), *nothing = GEOSGeom_createEmptyPolygon_r(geos.handle);
    if (all && nothing)
        w->floor = throng_geos_map(&geos, w->map->name, all, nothing, error);
    else
        throng_geos_fail(&geos, w->map->name, error);
    throng_geos_free(&geos, all);
    throng_geos_free(&geos, nothing);
    throng_geos_fini(&geos);
    if (w->floor)
        w->floor->pillars = w->map->pillars;
    return w->floor != NULL;
}

void throng_world_free_floor(throng_world *w)
{
    if (w->floor != w->map)
        throng_map_destroy(w->floor);
}

bool throng_world_tiles(const throng_world *w) { return w->floor != w->map; }

/* --- goals ------------------------------------------------------------------------------------- */

bool throng_world_regions_in_tiles(const throng_world *w, const throng_region *regions, int32_t *count,
                                   throng_region **tiled, throng_error *error)
{
    int32_t corners = 0, from = *count;
    for (int32_t r = 0; r < from; r++)
        corners += regions[r].count;
    throng_region *copies =
        malloc(TILES * (size_t)from * sizeof *copies + TILES * (size_t)corners * sizeof(throng_point));
    if (!(*tiled = copies))
        return throng_fail(error, "out of memory for a goal of %d polygons", from);
    throng_point *point = (throng_point *)(void *)(copies + TILES * from);
    for (int t = 0; t < TILES; t++)
        for (int32_t r = 0; r < from; r++) {
            throng_point off = tile_at(w, t);
            copies[t * from + r] = (throng_region){.points = point, .count = regions[r].count};
            for (int32_t i = 0; i < regions[r].count; i++)
                *point++ = (throng_point){regions[r].points[i].x + off.x, regions[r].points[i].y + off.y};
        }
    *count = TILES * from;
    return true;
}

bool throng_world_check_own_path(const throng_world *w, throng_error *error)
{
    return !throng_world_tiles(w) ||
           throng_fail(error, "on a map that wraps nobody has a path of its own (a point for each agent, own_path); "
                              "send them to a region or all to one point, or give them routing = \"direct\"");
}
