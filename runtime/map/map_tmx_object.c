#include "map_tmx_object.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_findings.h"

static const double WALL = 0.1; /* m: how thick a wall drawn as a line is, without a property `thickness` */

enum { ROUND = 32 }; /* corners of an ellipse */

/* An object on its way into the draft. */
typedef struct placing {
    throng_draft *draft;
    throng_storeys *building;
    const throng_tmx_layer *layer;
    const throng_tmx_object *object;
    double scale, height; /* m a pixel; pixels */
} placing;

static bool out_of_memory(throng_error *error) { return throng_fail(error, "out of memory"); }

static bool note(const placing *in, throng_point at, const char *what, const char *text, throng_error *error)
{
    return throng_findings_add(&in->draft->held.findings, THRONG_FINDING_SOURCE, at, at, "%s %s", what, text) ||
           out_of_memory(error);
}

/* A point of the object, relative to its origin, as a point of the world. */
static throng_point placed(const placing *in, double x, double y)
{
    const throng_tmx_object *o = in->object;
    double angle = o->rotation * 3.14159265358979323846 / 180, c = cos(angle), s = sin(angle);
    if (fmod(o->rotation, 90) == 0) {
        c = round(c);
        s = round(s);
    }
    double px = o->x + in->layer->x + c * x - s * y, py = o->y + in->layer->y + s * x + c * y;
    return (throng_point){px * in->scale, (in->height - py) * in->scale};
}

static bool add_corner(throng_points *corners, const placing *in, double x, double y)
{
    return throng_points_add(corners, placed(in, x, y));
}

static bool box_corners(throng_points *to, const placing *in)
{
    const throng_tmx_object *o = in->object;
    double top = o->tile ? -o->height : 0, bottom = o->tile ? 0 : o->height;
    return add_corner(to, in, 0, bottom) && add_corner(to, in, o->width, bottom) && add_corner(to, in, o->width, top) &&
           add_corner(to, in, 0, top);
}

/* An ellipse fills the object's box; a capsule is a box whose shorter sides are half circles. */
static bool round_corners(throng_points *to, const placing *in)
{
    const throng_tmx_object *o = in->object;
    bool capsule = o->shape == THRONG_TMX_CAPSULE;
    double least = 0.5 * fmin(o->width, o->height), rx = capsule ? least : 0.5 * o->width;
    double ry = capsule ? least : 0.5 * o->height;
    for (int i = 0; i < ROUND; i++) {
        double angle = (i + 0.5) * 2 * 3.14159265358979323846 / ROUND, c = cos(angle), s = sin(angle);
        double x = 0.5 * o->width + copysign(0.5 * o->width - rx, c) + rx * c;
        double y = 0.5 * o->height + copysign(0.5 * o->height - ry, s) + ry * s;
        if (!add_corner(to, in, x, y))
            return false;
    }
    return true;
}

static bool corners_of(const placing *in, throng_points *to)
{
    const throng_tmx_object *o = in->object;
    if (o->shape == THRONG_TMX_BOX)
        return box_corners(to, in);
    if (o->shape == THRONG_TMX_ELLIPSE || o->shape == THRONG_TMX_CAPSULE)
        return round_corners(to, in);
    for (int32_t i = 0; i < o->points.count; i++)
        if (!add_corner(to, in, o->points.list[i].x, o->points.list[i].y))
            return false;
    return true;
}

static bool add_wall(const placing *in, const char *what, const throng_points *corners, throng_error *error)
{
    if (in->object->shape != THRONG_TMX_LINE)
        return throng_draft_wall(in->draft, what, corners->list, corners->count, error);
    const throng_property *property = throng_properties_find(&in->object->properties, "thickness");
    double thickness = WALL;
    if (property && (!throng_markup_parse(property->value, &thickness) || !(thickness > 0)))
        return throng_fail(error, "%s: the property thickness is \"%.40s\": give metres", what, property->value);
    return throng_draft_wall_line(in->draft, what, corners->list, corners->count, thickness, error);
}

static bool add_region(const placing *in, const char *what, const throng_points *corners, throng_error *error)
{
    throng_map *map = &in->draft->held;
    const char *name = in->object->name[0] ? in->object->name : in->layer->group ? in->layer->group : in->layer->name;
    int32_t added;
    if (in->object->shape == THRONG_TMX_LINE)
        return note(in, corners->count ? corners->list[0] : (throng_point){NAN, NAN}, what,
                    "is a line and was left out: a region needs an area", error);
    if (!throng_draft_region(in->draft, what, name, in->layer->group, corners->list, corners->count, &added, error))
        return false;
    for (int32_t i = map->region_count - added; i < map->region_count; i++)
        if (!throng_properties_copy(&map->regions[i].properties, &in->object->properties))
            return out_of_memory(error);
    return true;
}

static bool add_door(const placing *in, const char *what, const throng_points *corners, throng_error *error)
{
    throng_map *map = &in->draft->held;
    char name[32];
    snprintf(name, sizeof name, "door %.0f", in->object->id);
    if (!throng_draft_door(in->draft, what, in->object->name[0] ? in->object->name : name, corners->list,
                           corners->count, error))
        return false;
    return throng_properties_copy(&map->doors[map->door_count - 1].properties, &in->object->properties) ||
           out_of_memory(error);
}

static bool use_corners(const placing *in, const char *what, const throng_points *corners, throng_error *error)
{
    if (in->object->shape == THRONG_TMX_POINT)
        return note(in, corners->list[0], what, "is a point and was left out: draw its area", error);
    switch (in->layer->role) {
    case THRONG_TMX_FLOOR: return throng_draft_floor(in->draft, what, corners->list, corners->count, error);
    case THRONG_TMX_WALL: return add_wall(in, what, corners, error);
    case THRONG_TMX_REGION: return add_region(in, what, corners, error);
    case THRONG_TMX_DOOR: return add_door(in, what, corners, error);
    case THRONG_TMX_LINK:
        return throng_storeys_link(in->building, what, in->layer->kind, in->object->name, corners,
                                   &in->object->properties, error);
    case THRONG_TMX_NONE: break;
    }
    return true;
}

bool throng_tmx_place(throng_draft *draft, throng_storeys *building, const throng_tmx_layer *layer,
                      const throng_tmx_object *object, double scale, double height, throng_error *error)
{
    placing in = {draft, building, layer, object, scale, height};
    char what[256];
    throng_points corners = {0};
    snprintf(what, sizeof what, "object %.0f \"%.80s\" in layer \"%.80s\" (line %d)", object->id, object->name,
             layer->name, object->line);
    bool fine = corners_of(&in, &corners) ? use_corners(&in, what, &corners, error) : out_of_memory(error);
    free(corners.list);
    return fine;
}
