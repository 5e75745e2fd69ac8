/* Objects of a Tiled map as parts of a draft: from pixels to metres, and by their layer's role. */
#ifndef THRONG_MAP_TMX_OBJECT_H
#define THRONG_MAP_TMX_OBJECT_H

#include "map_draft.h"
#include "map_markup.h"
#include "map_storeys.h"

typedef enum throng_tmx_role {
    THRONG_TMX_NONE,
    THRONG_TMX_FLOOR,
    THRONG_TMX_WALL,
    THRONG_TMX_REGION,
    THRONG_TMX_DOOR,
    THRONG_TMX_LINK /* between floors: a flight or a lift */
} throng_tmx_role;

typedef struct throng_tmx_layer {
    char *name;  /* NULL between layers */
    double x, y; /* pixels: its offset, those of the groups around included */
    throng_tmx_role role;
    const char *group;      /* a name that its regions share, or NULL */
    throng_sheet_kind kind; /* of links */
} throng_tmx_layer;

/* How the corners of an object are given. */
typedef enum throng_tmx_shape {
    THRONG_TMX_BOX,
    THRONG_TMX_ELLIPSE,
    THRONG_TMX_CAPSULE,
    THRONG_TMX_POLYGON,
    THRONG_TMX_LINE,
    THRONG_TMX_POINT,
    THRONG_TMX_TEXT
} throng_tmx_shape;

typedef struct throng_tmx_object {
    bool open; /* being read */
    throng_tmx_shape shape;
    char *name;
    int line;                                 /* of the file */
    double id, x, y, width, height, rotation; /* pixels, y down; degrees, clockwise about (x, y) */
    bool tile;                                /* (x, y) is its lower left corner */
    throng_points points;                     /* of polygon, line and point, relative to (x, y) */
    throng_properties properties;
} throng_tmx_object;

/* Adds the object to the draft, which is that of the building's last floor where it has any; `scale` is metres a pixel,
 * `height` the map's in pixels. */
bool throng_tmx_place(throng_draft *draft, throng_storeys *building, const throng_tmx_layer *layer,
                      const throng_tmx_object *object, double scale, double height, throng_error *error);

#endif
