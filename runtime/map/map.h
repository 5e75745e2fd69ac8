/* The map: where people can walk, in metres, y up.
 *
 * One in-memory form whatever the source. Free space is a set of rings with
 * the free side on the LEFT of every edge: outer rings run counter-clockwise,
 * holes (pillars, walls, furniture) clockwise. Every ring is closed (the last
 * point joins the first) and simple; rings may touch in single points but never
 * cross. An outer ring is followed by the holes in it.
 *
 * An open map has no outer boundary: free space is the plane less the
 * obstacles. Its ring list starts with the holes in that plane (an outer ring
 * there is a courtyard inside an obstacle). Regions are named polygons. */
#ifndef THRONG_MAP_H
#define THRONG_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/contract/point.h"
#include "base/error.h"
#include "map_graph.h"

typedef struct throng_bounds {
    double x0, y0, x1, y1; /* m */
} throng_bounds;

typedef enum throng_property_kind {
    THRONG_PROPERTY_TEXT,
    THRONG_PROPERTY_NUMBER,
    THRONG_PROPERTY_FLAG
} throng_property_kind;

/* What a designer noted beside a part of the plan; throng keeps it for scripts. */
typedef struct throng_property {
    char *name, *value; /* a flag's value is "true" or "false" */
    throng_property_kind kind;
} throng_property;

typedef struct throng_properties {
    throng_property *list;
    int32_t count;
} throng_properties;

typedef struct throng_region {
    char *name;           /* several polygons may have the same */
    throng_point *points; /* a simple polygon, counter-clockwise */
    int32_t count;
    char *group; /* "spawns", "exits", ...: a name that it shares with others of its layer; NULL: none */
    throng_properties properties;
} throng_region;

/* A door as the plan has it: a segment across an opening. */
typedef struct throng_door {
    char *name;
    throng_point a, b;
    double cost;       /* m: what passing it costs beside the length */
    double max_radius; /* m: larger bodies do not pass; 0: any does that fits */
    throng_properties properties;
} throng_door;

typedef enum throng_finding_kind {
    THRONG_FINDING_CROSSING, /* an outline crosses itself */
    THRONG_FINDING_HOLE,     /* a hole that is none */
    THRONG_FINDING_GAP,      /* an opening too narrow for an agent */
    THRONG_FINDING_REGION,   /* a region in a wall */
    THRONG_FINDING_REACH,    /* an area that cannot be reached */
    THRONG_FINDING_SPAWN,    /* a region too small to place agents in */
    THRONG_FINDING_SOURCE,   /* something in the file that is not used */
    THRONG_FINDING_COUNT
} throng_finding_kind;

/* Something about the plan that its author should look at. */
typedef struct throng_finding {
    throng_finding_kind kind;
    throng_point at, to; /* where; the two sides of a gap, else the same point twice; NAN: nowhere */
    char *text;          /* a sentence without the place */
} throng_finding;

typedef struct throng_findings {
    throng_finding *list;
    int32_t count, capacity;
} throng_findings;

/* The cells of a grid map, as its file has them. The rings follow the cells' sides exactly. */
typedef struct throng_map_grid {
    int32_t width, height;
    double cell;   /* m: side of a cell */
    uint8_t *free; /* [height * width] 1 where people can walk; cell (0, 0) is the upper left one */
} throng_map_grid;

/* What reading and cleaning the source did, for `throng map` and the log.
 * All zero for a map built from polygons. */
typedef struct throng_map_report {
    const char *format; /* "Moving AI grid", ...; NULL when it was built from polygons */
    int32_t specks;     /* obstacles smaller than the speck size, removed */
    double closed_area; /* m^2 of openings narrower than min_gap, closed */
    int32_t pockets;    /* areas of min_area or more that nothing reaches, left out */
    double pocket_area; /* m^2 of them */
    int32_t scraps;     /* free areas smaller than min_area, left out */
    double scrap_area;  /* m^2 of them */
    int32_t pixels_x, pixels_y;
    double resolution;     /* m per pixel */
    int32_t points_before; /* outline vertices before and after simplifying */
    int32_t points_after;
    double tolerance; /* m: the bound that simplifying was given */
    double deviation; /* m: the farthest that any outline moved, as measured */
    double seconds;
} throng_map_report;

struct throng_wall_index;
struct throng_ring_list;
struct throng_map_sheets;

typedef struct throng_map {
    char *name;           /* the file it came from, or a given name */
    bool open;            /* no outer boundary */
    double pillars;       /* m: obstacles that meshes leave out are up to so wide (navmesh_pillars.h); 0: none is */
    throng_bounds bounds; /* of the rings; all zero for an open map without obstacles */
    double area;          /* m^2 of free space; INFINITY for an open map */
    throng_point *points; /* all rings, one after the other */
    int32_t point_count;
    int32_t *ring_start; /* [ring_count + 1]: ring r is points[ring_start[r] .. ring_start[r + 1]) */
    int32_t ring_count;
    throng_region *regions;
    int32_t region_count;
    throng_door *doors;
    int32_t door_count;
    throng_map_graph graph;
    struct throng_map_sheets *sheets; /* of a building (map_sheets.h); NULL: one plane */
    throng_properties properties;     /* of the map itself */
    throng_findings findings;         /* what reading the source found; throng_map_lint adds the rest */
    throng_map_grid *grid;            /* NULL unless the source is a grid map */
    struct throng_ring_list *faces;   /* those that the map maker's file has, in its order; NULL for other sources */
    throng_map_report report;
    struct throng_wall_index *walls; /* answers throng_map_fits */
} throng_map;

/* How a map file is read; all but `scale`, `layers`, `thickness` and `level` are for occupancy images alone. */
typedef struct throng_map_options {
    double scale;       /* m: a cell of a grid, a pixel of an image or a Tiled map, the unit
                           of a .wkt or .xml; 0: the file's own (default) */
    double tolerance;   /* m: outlines may move this far when simplified (default 0.05) */
    double speck;       /* m^2: obstacles smaller than this are removed (default 0.02) */
    double min_gap;     /* m: openings narrower than this are closed (rays through windows, leaks; default 0.3) */
    double min_area;    /* m^2: free areas smaller than this are left out (default 2) */
    bool keep_pockets;  /* keep free areas that the largest one does not reach (default false) */
    const char *layers; /* of a drawing: what its layers are (feature_roles.h); NULL: by their names */
    double thickness;   /* m: of a drawing's walls that are lines (default 0.1) */
    double level;       /* of a drawing: features of other storeys are left out; NAN: of none (default) */
} throng_map_options;

throng_map_options throng_map_options_default(void);

/* Does all of a polygon lie beyond the bounds of the floor? Never of an open map, and of a building. */
bool throng_map_is_beyond(const throng_map *map, const throng_point *points, int32_t count);

/* The files that throng_map_read would read for a path, and those that it would heed if they were there. */
typedef struct throng_map_files {
    char path[3][4096];
    int count;
} throng_map_files;

/* False when a file that names others cannot be read. */
bool throng_map_files_of(const char *path, throng_map_files *files);

/* Reads a map by what its name ends in: a ROS map-server YAML beside its image
 * (.yaml, .yml), a Moving AI grid (.map; 1 m a cell), a Tiled map (.tmx; 1 m a
 * tile), well-known text (.wkt), the map maker's XML (.xml), a drawing that GDAL reads (.dxf,
 * .geojson, .gpkg, .shp, .osm), or else an image
 * (PNG, PGM, BMP, ...; 0.05 m a pixel unless a YAML of the same stem lies beside it).
 * `options` may be NULL. NULL and a message when the file cannot be read, is
 * not a map, or holds no free space. */
throng_map *throng_map_read(const char *path, const throng_map_options *options, throng_error *error);

/* Builds a map from polygons: free space is the union of the boundaries less
 * the union of the obstacles (any orientation and order; they may overlap).
 * With `boundary_count` 0 the world is open. NULL and a message that names the
 * polygon when one has fewer than three points, crosses itself or holds a
 * non-finite point, and when nothing is left free. */
throng_map *throng_map_from_polygons(const char *name, const throng_point *const *boundaries,
                                     const int32_t *boundary_sizes, int32_t boundary_count,
                                     const throng_point *const *obstacles, const int32_t *obstacle_sizes,
                                     int32_t obstacle_count, throng_error *error);

/* Builds a map from finished rings in the order and orientation described on
 * top of this file (copied, not checked but for being finite; `ring_start` has
 * ring_count + 1 entries). For the readers. */
throng_map *throng_map_from_rings(const char *name, bool open, const throng_point *points, const int32_t *ring_start,
                                  int32_t ring_count, throng_error *error);
throng_map *throng_map_from_ring_list(const char *name, bool open, const struct throng_ring_list *list,
                                      throng_error *error);

/* NULL and a message when memory is out. */
throng_map *throng_map_copy(const throng_map *map, throng_error *error);
void throng_map_destroy(throng_map *map);

/* Adds a named polygon (any orientation; copied). False and a message when it
 * has no name, fewer than three points, crosses itself or has a non-finite
 * point. It may reach beyond the free space (an exit often does); several
 * polygons may share a name. */
bool throng_map_add_region(throng_map *map, const char *name, const throng_point *points, int32_t count,
                           throng_error *error);

/* Adds a door from a to b (copied). False and a message when it has no name or
 * a taken one, no length, or a non-finite end. */
bool throng_map_add_door(throng_map *map, const char *name, throng_point a, throng_point b, throng_error *error);

/* False and a message when no passage can cost that: 0 .. THRONG_DOOR_COST_MAX metres. */
#define THRONG_DOOR_COST_MAX 1e6
bool throng_door_check_cost(const char *name, double cost, throng_error *error);

/* What a door of the map costs, and who is too wide for it. False and a message when a number is not valid. */
bool throng_map_set_passage(throng_map *map, int32_t door, double cost, double max_radius, throng_error *error);

/* False and a message when the door, which `why` says must close its opening, ends in the open, where people could walk
 * round it. */
bool throng_map_door_closes(const throng_map *map, int32_t door, const char *why, throng_error *error);

/* As throng_map_door_closes, of every door that costs something or lets not all through. */
bool throng_map_check_passages(const throng_map *map, throng_error *error);

/* Adds a property (copied). False when memory is out. */
bool throng_properties_add(throng_properties *properties, const char *name, const char *value,
                           throng_property_kind kind);

/* Adds copies of all of them. False when memory is out. */
bool throng_properties_copy(throng_properties *to, const throng_properties *from);

/* The property of that name, or NULL. */
const throng_property *throng_properties_find(const throng_properties *properties, const char *name);
void throng_properties_fini(throng_properties *properties);

/* True when the disc of `radius` metres lies in free space (exact, by distance
 * to every wall near; uses an index built with the map). A disc may touch a
 * wall. Radius 0 asks whether the point is free. */
bool throng_map_fits(const throng_map *map, throng_point centre, double radius);

#endif
