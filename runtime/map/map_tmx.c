/* Tiled maps (TMX): the objects of named layers become floor, walls, regions, spawn areas, exits and doors.
 *
 * A layer is what its name says (or its class), see `roles`. Without a floor layer the whole map is floor. A pixel
 * is 1 / tilewidth metres (a tile is 1 m), or what the map's property `scale` says, or the option `scale`. Tiled's
 * y is down, throng's is up: the map's lower left corner is (0, 0). Tile layers are pictures and are passed over.
 *
 * A group layer with a property `z` is a floor, z metres high, and the map a building (map_storeys.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "map_draft.h"
#include "map_findings.h"
#include "map_markup.h"
#include "map_readers.h"
#include "map_tmx_object.h"

enum { DEEPEST = 64 };

static const struct {
    const char *names[5]; /* of the layer */
    throng_tmx_role role;
    const char *group; /* a name that the layer's regions share */
} roles[] = {
    {{"floor", "boundary", "walkable"}, THRONG_TMX_FLOOR, NULL},
    {{"walls", "wall", "obstacles", "obstacle"}, THRONG_TMX_WALL, NULL},
    {{"regions", "region"}, THRONG_TMX_REGION, NULL},
    {{"spawns", "spawn", "spawn areas"}, THRONG_TMX_REGION, "spawns"},
    {{"exits", "exit"}, THRONG_TMX_REGION, "exits"},
    {{"doors", "door"}, THRONG_TMX_DOOR, NULL},
};

/* And those of floors alone. */
static const struct {
    const char *names[3];
    throng_sheet_kind kind;
} links[] = {
    {{"stairs", "stair"}, THRONG_SHEET_STAIRS},
    {{"ramps", "ramp"}, THRONG_SHEET_RAMP},
    {{"escalators", "escalator"}, THRONG_SHEET_ESCALATOR},
    {{"walkways", "walkway"}, THRONG_SHEET_WALKWAY},
    {{"lifts", "lift"}, THRONG_SHEET_LIFT},
};

/* What a <property> belongs to. */
typedef enum owner { OWNER_NONE, OWNER_MAP, OWNER_GROUP, OWNER_OBJECT } owner;

typedef struct reading {
    throng_draft draft; /* of what is in no floor */
    throng_storeys building;
    throng_storey *floor; /* whose group is being read; NULL: none */
    char *group;          /* name of the outermost group that is being read */
    char *outside;        /* the first layer that is in no floor, with its line */
    double asked;         /* the option `scale`, or 0 */
    double width, height, tile_width, tile_height;
    double group_x[DEEPEST], group_y[DEEPEST]; /* pixels: offsets of the groups around, summed up */
    int groups, depth;
    throng_tmx_layer layer; /* the object layer being read */
    int layers;             /* object layers that were used */
    throng_tmx_object object;
    char *property; /* name of the property whose value is its text */
    throng_property_kind property_kind;
    char *text;
    size_t text_length;
} reading;

static bool out_of_memory(throng_error *error) { return throng_fail(error, "out of memory"); }

static bool keep_text(char **to, const char *text)
{
    free(*to);
    *to = strdup(text ? text : "");
    return *to != NULL;
}

static bool metres_per_pixel(const reading *in, double *scale, throng_error *error)
{
    const throng_property *property = throng_properties_find(&in->draft.held.properties, "scale");
    *scale = in->asked;
    if (in->asked > 0)
        return true;
    *scale = 1 / in->tile_width;
    if (property && (!throng_markup_parse(property->value, scale) || !(*scale > 0)))
        return throng_fail(error, "the map's property scale is \"%.40s\": give the metres a pixel is wide",
                           property->value);
    return true;
}

/* What is read goes to the floor, if it is in one. */
static throng_draft *draft_of(reading *in) { return in->floor ? &in->floor->draft : &in->draft; }

/* --- objects */

static bool end_object(reading *in, throng_error *error)
{
    double scale;
    in->object.open = false;
    if (in->layer.role == THRONG_TMX_NONE || in->object.shape == THRONG_TMX_TEXT)
        return true;
    return metres_per_pixel(in, &scale, error) && throng_tmx_place(draft_of(in), &in->building, &in->layer, &in->object,
                                                                   scale, in->height * in->tile_height, error);
}

static bool begin_object(reading *in, const throng_markup *markup, const char **attributes, throng_error *error)
{
    throng_tmx_object *o = &in->object;
    const char *class = throng_markup_attribute(attributes, "type");
    if (!class)
        class = throng_markup_attribute(attributes, "class"); /* Tiled 1.9 */
    if (!in->layer.name)
        return true; /* the shapes of a tile, in a tileset */
    o->open = true;
    o->shape = THRONG_TMX_BOX;
    o->line = markup->line;
    o->id = o->width = o->height = o->rotation = 0;
    o->tile = throng_markup_attribute(attributes, "gid") != NULL;
    o->points.count = 0;
    throng_properties_fini(&o->properties);
    if (throng_markup_attribute(attributes, "template"))
        return throng_fail(error, "<object>: templates are not supported: detach it in Tiled (Edit, Detach Template "
                                  "Instance)");
    if (!keep_text(&o->name, throng_markup_attribute(attributes, "name")) ||
        (class && class[0] && !throng_properties_add(&o->properties, "class", class, THRONG_PROPERTY_TEXT)))
        return out_of_memory(error);
    return throng_markup_number("object", attributes, "id", &o->id, error) &&
           throng_markup_need("object", attributes, "x", &o->x, error) &&
           throng_markup_need("object", attributes, "y", &o->y, error) &&
           throng_markup_number("object", attributes, "width", &o->width, error) &&
           throng_markup_number("object", attributes, "height", &o->height, error) &&
           throng_markup_number("object", attributes, "rotation", &o->rotation, error);
}

/* "0,0 10,0 10,5" */
static bool read_points(throng_tmx_object *o, const char *element, const char *text, throng_error *error)
{
    const char *at = text ? text : "";
    o->points.count = 0;
    for (at += strspn(at, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
        char *comma, *end;
        double x = strtod(at, &comma), y = *comma == ',' ? strtod(comma + 1, &end) : 0;
        if (comma == at || *comma != ',' || end == comma + 1 || !isfinite(x) || !isfinite(y))
            return throng_fail(error, "<%s>: points: \"%.20s\" is not a point: give x,y pairs separated by blanks",
                               element, at);
        if (!throng_points_add(&o->points, (throng_point){x, y}))
            return out_of_memory(error);
        at = end;
    }
    return o->points.count || throng_fail(error, "<%s>: the attribute points is missing", element);
}

static bool read_shape(reading *in, const char *element, const char **attributes, throng_error *error)
{
    throng_tmx_object *o = &in->object;
    static const struct {
        const char *name;
        throng_tmx_shape shape;
    } shapes[] = {{"polygon", THRONG_TMX_POLYGON}, {"polyline", THRONG_TMX_LINE}, {"ellipse", THRONG_TMX_ELLIPSE},
                  {"capsule", THRONG_TMX_CAPSULE}, {"point", THRONG_TMX_POINT},   {"text", THRONG_TMX_TEXT}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (strcmp(element, shapes[i].name) != 0)
            continue;
        o->shape = shapes[i].shape;
        if (o->shape == THRONG_TMX_POLYGON || o->shape == THRONG_TMX_LINE)
            return read_points(o, element, throng_markup_attribute(attributes, "points"), error);
        o->points.count = 0;
        return o->shape != THRONG_TMX_POINT || throng_points_add(&o->points, (throng_point){0, 0}) ||
               out_of_memory(error);
    }
    return true;
}

/* --- layers */

static bool name_is(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count && names[i]; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool find_link(reading *in, const char *name)
{
    for (size_t i = 0; name && i < sizeof links / sizeof *links; i++)
        if (name_is(name, links[i].names, 3)) {
            in->layer.role = THRONG_TMX_LINK;
            in->layer.kind = links[i].kind;
            return true;
        }
    return false;
}

static bool find_role(reading *in, const char *name)
{
    in->layer.role = THRONG_TMX_NONE;
    in->layer.group = NULL;
    for (size_t i = 0; name && i < sizeof roles / sizeof *roles; i++)
        if (name_is(name, roles[i].names, 5)) {
            in->layer.role = roles[i].role;
            in->layer.group = roles[i].group;
        }
    return in->layer.role != THRONG_TMX_NONE || (in->floor && find_link(in, name));
}

/* In a building each layer belongs to a floor. */
static bool note_outside(reading *in, int line, throng_error *error)
{
    char text[160];
    if (in->floor || in->outside)
        return true;
    snprintf(text, sizeof text, "layer \"%.80s\" (line %d)", in->layer.name, line);
    return keep_text(&in->outside, text) || out_of_memory(error);
}

static bool begin_layer(reading *in, const throng_markup *markup, const char **attributes, throng_error *error)
{
    const char *name = throng_markup_attribute(attributes, "name");
    const char *class = throng_markup_attribute(attributes, "class");
    throng_point nowhere = {NAN, NAN};
    if (in->depth != in->groups + 1)
        return true; /* of a tileset */
    in->layer.x = in->groups ? in->group_x[in->groups - 1] : 0;
    in->layer.y = in->groups ? in->group_y[in->groups - 1] : 0;
    double x = 0, y = 0;
    if (!throng_markup_number("objectgroup", attributes, "offsetx", &x, error) ||
        !throng_markup_number("objectgroup", attributes, "offsety", &y, error))
        return false;
    in->layer.x += x;
    in->layer.y += y;
    if (!keep_text(&in->layer.name, name))
        return out_of_memory(error);
    if (find_role(in, name) || find_role(in, class)) {
        in->layers++;
        return note_outside(in, markup->line, error);
    }
    return throng_findings_add(&draft_of(in)->held.findings, THRONG_FINDING_SOURCE, nowhere, nowhere,
                               "layer \"%.80s\" was left out: layers are floor, walls, regions, spawns, exits, doors%s",
                               in->layer.name,
                               in->floor ? ", stairs, ramps, escalators, walkways, lifts"
                                         : "; of floors (group layers with a property z) stairs, lifts ..., too") ||
           out_of_memory(error);
}

static bool begin_group(reading *in, const char **attributes, throng_error *error)
{
    double x = 0, y = 0;
    if (in->groups == DEEPEST)
        return throng_fail(error, "<group>: more than %d within each other", DEEPEST);
    if (!throng_markup_number("group", attributes, "offsetx", &x, error) ||
        !throng_markup_number("group", attributes, "offsety", &y, error))
        return false;
    in->group_x[in->groups] = x + (in->groups ? in->group_x[in->groups - 1] : 0);
    in->group_y[in->groups] = y + (in->groups ? in->group_y[in->groups - 1] : 0);
    if (in->groups == 0 && !keep_text(&in->group, throng_markup_attribute(attributes, "name")))
        return out_of_memory(error);
    in->groups++;
    return true;
}

/* The outermost group is a floor. */
static bool begin_floor(reading *in, const char *z, throng_error *error)
{
    double height;
    if (in->floor)
        return throng_fail(error, "floor \"%.80s\": the property z is there twice", in->floor->name);
    if (!throng_markup_parse(z, &height))
        return throng_fail(error, "floor \"%.80s\": the property z is \"%.40s\": give its height in metres", in->group,
                           z);
    in->floor = throng_storeys_add(&in->building, in->draft.path, in->group, height, error);
    return in->floor != NULL;
}

static bool begin_map(reading *in, const char **attributes, throng_error *error)
{
    const char *orientation = throng_markup_attribute(attributes, "orientation");
    if (orientation && strcmp(orientation, "orthogonal") != 0)
        return throng_fail(error, "<map>: orientation=\"%.40s\" is not supported: give orthogonal", orientation);
    if (!throng_markup_need("map", attributes, "width", &in->width, error) ||
        !throng_markup_need("map", attributes, "height", &in->height, error) ||
        !throng_markup_need("map", attributes, "tilewidth", &in->tile_width, error) ||
        !throng_markup_need("map", attributes, "tileheight", &in->tile_height, error))
        return false;
    if (!(in->width > 0 && in->height > 0 && in->tile_width > 0 && in->tile_height > 0))
        return throng_fail(error, "<map>: width, height, tilewidth and tileheight must be more than 0");
    return true;
}

/* --- properties */

static owner owner_of(const reading *in)
{
    if (in->object.open)
        return OWNER_OBJECT;
    if (in->layer.name || in->depth != in->groups + 2)
        return OWNER_NONE;
    return in->groups == 0 ? OWNER_MAP : in->groups == 1 ? OWNER_GROUP : OWNER_NONE;
}

static bool add_property(reading *in, const char *name, const char *value, throng_error *error)
{
    owner owner = owner_of(in);
    if (owner == OWNER_GROUP && strcmp(name, "z") == 0)
        return begin_floor(in, value, error);
    if (owner == OWNER_NONE || owner == OWNER_GROUP)
        return true;
    throng_properties *to = owner == OWNER_OBJECT ? &in->object.properties : &in->draft.held.properties;
    return throng_properties_add(to, name, value, in->property_kind) || out_of_memory(error);
}

static bool begin_property(reading *in, const char **attributes, throng_error *error)
{
    const char *name = throng_markup_attribute(attributes, "name"),
               *value = throng_markup_attribute(attributes, "value");
    const char *type = throng_markup_attribute(attributes, "type");
    double number;
    if (!name)
        return throng_fail(error, "<property>: the attribute name is missing");
    bool numeric = type && (strcmp(type, "int") == 0 || strcmp(type, "float") == 0);
    bool flag = type && strcmp(type, "bool") == 0;
    in->property_kind = numeric ? THRONG_PROPERTY_NUMBER : flag ? THRONG_PROPERTY_FLAG : THRONG_PROPERTY_TEXT;
    if (numeric && (!value || !throng_markup_parse(value, &number)))
        return throng_fail(error, "<property>: value=\"%.40s\" is not valid: \"%.40s\" is a number", value ? value : "",
                           name);
    if (value)
        return add_property(in, name, value, error);
    in->text_length = 0;
    return keep_text(&in->property, name) || out_of_memory(error);
}

static bool end_property(reading *in, throng_error *error)
{
    if (!in->property)
        return true;
    bool fine = add_property(in, in->property, in->text_length ? in->text : "", error);
    free(in->property);
    in->property = NULL;
    return fine;
}

static bool on_text(throng_markup *markup, const char *text, int32_t length, throng_error *error)
{
    reading *in = markup->user;
    if (!in->property)
        return true;
    char *grown = realloc(in->text, in->text_length + (size_t)length + 1);
    if (!grown)
        return out_of_memory(error);
    in->text = grown;
    memcpy(in->text + in->text_length, text, (size_t)length);
    in->text_length += (size_t)length;
    in->text[in->text_length] = 0;
    return true;
}

/* --- the file */

static bool start(reading *in, const throng_markup *markup, const char *element, const char **attributes,
                  throng_error *error)
{
    if (in->depth == 0) {
        if (strcmp(element, "map") != 0)
            return throng_fail(error, "<%.40s> is not a Tiled map: a TMX file holds a <map>", element);
        return begin_map(in, attributes, error);
    }
    if (strcmp(element, "objectgroup") == 0)
        return begin_layer(in, markup, attributes, error);
    if (strcmp(element, "group") == 0)
        return begin_group(in, attributes, error);
    if (strcmp(element, "object") == 0)
        return begin_object(in, markup, attributes, error);
    if (strcmp(element, "property") == 0)
        return begin_property(in, attributes, error);
    return !in->object.open || read_shape(in, element, attributes, error);
}

static bool on_start(throng_markup *markup, const char *element, const char **attributes, throng_error *error)
{
    reading *in = markup->user;
    bool fine = start(in, markup, element, attributes, error);
    in->depth++;
    return fine;
}

static bool on_end(throng_markup *markup, const char *element, throng_error *error)
{
    reading *in = markup->user;
    in->depth--;
    if (strcmp(element, "property") == 0)
        return end_property(in, error);
    if (strcmp(element, "object") == 0 && in->object.open)
        return end_object(in, error);
    if (strcmp(element, "objectgroup") == 0 && in->depth == in->groups + 1) {
        free(in->layer.name);
        in->layer.name = NULL;
    }
    if (strcmp(element, "group") == 0 && --in->groups == 0)
        in->floor = NULL;
    return true;
}

static throng_map *finish_building(reading *in, const throng_point *whole, throng_error *error)
{
    throng_map *map = NULL;
    if (in->outside)
        throng_fail(error, "%s lies in no floor: put it into a group layer with a property z, as the others are",
                    in->outside);
    else
        map = throng_storeys_build(&in->building, in->draft.path, whole, error);
    if (!map)
        throng_fail_in(error, "%s", in->draft.path);
    else if (!throng_properties_copy(&map->properties, &in->draft.held.properties)) {
        throng_map_destroy(map);
        out_of_memory(error);
        return NULL;
    }
    return map;
}

static throng_map *finish(reading *in, throng_map_report *report, throng_error *error)
{
    double scale;
    throng_point whole[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    bool fine = in->layers > 0 || throng_fail(error, "no object layer is named floor, walls, regions, spawns, exits or "
                                                     "doors: throng reads objects, not tiles");
    fine = fine && metres_per_pixel(in, &scale, error);
    if (fine) {
        report->resolution = scale;
        whole[1].x = whole[2].x = in->width * in->tile_width * scale;
        whole[2].y = whole[3].y = in->height * in->tile_height * scale;
        if (in->building.floor_count > 0)
            return finish_building(in, whole, error);
    }
    fine =
        fine && (in->draft.floors.count > 0 || throng_draft_floor(&in->draft, "the map's rectangle", whole, 4, error));
    if (!fine) {
        throng_fail_in(error, "%s", in->draft.path);
        return NULL;
    }
    return throng_draft_finish(&in->draft, error);
}

static void fini(reading *in)
{
    throng_storeys_fini(&in->building);
    free(in->layer.name);
    free(in->group);
    free(in->outside);
    free(in->property);
    free(in->text);
    free(in->object.name);
    free(in->object.points.list);
    throng_properties_fini(&in->object.properties);
    throng_draft_fini(&in->draft);
}

throng_map *throng_map_read_tmx(const char *path, const throng_map_options *options, throng_map_report *report,
                                throng_error *error)
{
    static const throng_markup_handlers handlers = {on_start, on_end, on_text};
    reading in = {.asked = options->scale, .building = {.element = "group layer", .height = "the property z"}};
    throng_map *map = NULL;
    report->format = "Tiled TMX";
    if (throng_draft_init(&in.draft, path, error) && throng_markup_read(path, &handlers, &in, error))
        map = finish(&in, report, error);
    fini(&in);
    return map;
}
