/* The floors of a building as a file has them, with the flights and lifts drawn on them: group layers with a height of
 * a Tiled map, <floor>s of the map maker's XML.
 *
 * A flight is a line of two points, from its foot to its head, drawn on the floor where it begins; the floor it leads
 * to is its property `to`, or the next above. A lift is a line from the middle of its door to its back, on any floor.
 * Properties are named as throng.building's settings. */
#ifndef THRONG_MAP_STOREYS_H
#define THRONG_MAP_STOREYS_H

#include "building.h"
#include "map_draft.h"
#include "map_markup.h"

typedef struct throng_storey {
    char *name;
    double z; /* m */
    throng_draft draft;
    throng_map *map; /* made of it already; NULL: not yet */
} throng_storey;

/* A flight or a lift as it was drawn. */
typedef struct throng_storey_link {
    throng_sheet_kind kind;
    char *name, *where; /* where: "object 3 "up" in layer "stairs" (line 12)" */
    int32_t from;       /* number of the floor it was drawn on */
    throng_point a, b;  /* m */
    throng_properties properties;
} throng_storey_link;

typedef struct throng_storeys {
    const char *element, *height; /* what a floor is in the file, and what its height is there, for messages */
    throng_storey **floors;       /* as they came */
    int32_t floor_count, floor_room;
    throng_storey_link *links;
    int32_t link_count, link_room;
} throng_storeys;

/* The floor of that name, which must be a new one; NULL and a message. `path` stays where it is. */
throng_storey *throng_storeys_add(throng_storeys *building, const char *path, const char *name, double z,
                                  throng_error *error);

/* Takes a flight or a lift that is drawn on the last floor; `where` is for messages. */
bool throng_storeys_link(throng_storeys *building, const char *where, throng_sheet_kind kind, const char *name,
                         const throng_points *line, const throng_properties *properties, throng_error *error);

/* The map; floors without a floor of their own are the rectangle `whole` [4]. NULL and a message. */
throng_map *throng_storeys_build(throng_storeys *building, const char *path, const throng_point *whole,
                                 throng_error *error);

/* The flights and lifts of a building, as a file would have them: `from` is the floor's number in the building, and all
 * that is not usual is a property. False when memory is out. */
bool throng_storeys_of(throng_storeys *storeys, const throng_map *building, throng_error *error);

void throng_storeys_fini(throng_storeys *building);

#endif
