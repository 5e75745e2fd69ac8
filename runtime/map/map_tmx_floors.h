/* Floors of a Tiled map: group layers with a height, the property `z`, and the flights and lifts drawn on them.
 *
 * A flight is a line of two points, from its foot to its head, in a layer "stairs", "ramps", "escalators" or "walkways"
 * of the floor where it begins; the floor it leads to is its property `to`, or the next above. A lift is a line from
 * the middle of its door to its back, in a layer "lifts" of any floor. Properties are named as throng.building's
 * settings. */
#ifndef THRONG_MAP_TMX_FLOORS_H
#define THRONG_MAP_TMX_FLOORS_H

#include "building.h"
#include "map_draft.h"
#include "map_markup.h"

typedef struct throng_tmx_floor {
    char *name;
    double z; /* m */
    throng_draft draft;
} throng_tmx_floor;

/* A flight or a lift as it was drawn. */
typedef struct throng_tmx_link {
    throng_sheet_kind kind;
    char *name, *where; /* where: "object 3 "up" in layer "stairs" (line 12)" */
    int32_t from;       /* number of the floor it was drawn on */
    throng_point a, b;  /* m */
    throng_properties properties;
} throng_tmx_link;

typedef struct throng_tmx_building {
    throng_tmx_floor **floors; /* as they came */
    int32_t floor_count, floor_room;
    throng_tmx_link *links;
    int32_t link_count, link_room;
} throng_tmx_building;

/* The floor of that name, which must be a new one; NULL and a message. `path` stays where it is. */
throng_tmx_floor *throng_tmx_add_floor(throng_tmx_building *building, const char *path, const char *name, double z,
                                       throng_error *error);

/* Takes a flight or a lift that is drawn on the last floor; `where` is for messages. */
bool throng_tmx_add_link(throng_tmx_building *building, const char *where, throng_sheet_kind kind, const char *name,
                         const throng_points *line, const throng_properties *properties, throng_error *error);

/* The map; floors without a floor of their own are the rectangle `whole` [4]. NULL and a message. */
throng_map *throng_tmx_build(throng_tmx_building *building, const char *path, const throng_point *whole,
                             throng_error *error);

void throng_tmx_building_fini(throng_tmx_building *building);

#endif
