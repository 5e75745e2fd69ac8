#include "map_storeys.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ring_list.h"

enum { MOST_FLOORS = 1000, MOST_LINKS = 4000 };

static const double HIGHEST = 1e4; /* m */

static bool out_of_memory(throng_error *error) { return throng_fail(error, "out of memory"); }

/* --- as they are drawn --- */

throng_storey *throng_storeys_add(throng_storeys *b, const char *path, const char *name, double z, throng_error *error)
{
    bool fine = true;
    if (!name[0] || strchr(name, '/'))
        fine = throng_fail(error, "a floor needs a name without '/': name the %s that has %s", b->element, b->height);
    else if (!(fabs(z) <= HIGHEST))
        fine = throng_fail(error, "floor \"%.80s\": %s is %g: give metres from %g to %g", name, b->height, z, -HIGHEST,
                           HIGHEST);
    else if (b->floor_count == MOST_FLOORS)
        fine = throng_fail(error, "more than %d floors", MOST_FLOORS);
    for (int32_t i = 0; fine && i < b->floor_count; i++)
        if (strcmp(b->floors[i]->name, name) == 0)
            fine = throng_fail(error, "there is a floor \"%.80s\" already: give each %s a name of its own", name,
                               b->element);
    if (!fine)
        return NULL;
    throng_storey *floor = calloc(1, sizeof *floor);
    if (!floor || !(floor->name = strdup(name)) ||
        !throng_array_reserve((void **)&b->floors, &b->floor_room, b->floor_count + 1, sizeof(throng_storey *))) {
        if (floor)
            free(floor->name);
        free(floor);
        out_of_memory(error);
        return NULL;
    }
    floor->z = z;
    b->floors[b->floor_count++] = floor;
    return throng_draft_init(&floor->draft, path, error) ? floor : NULL;
}

bool throng_storeys_link(throng_storeys *b, const char *where, throng_sheet_kind kind, const char *name,
                         const throng_points *line, const throng_properties *properties, throng_error *error)
{
    char numbered[64];
    int32_t number = 1;
    if (line->count != 2)
        return throng_fail(error, "%s: draw %s as a line of two points, from %s; it has %d", where,
                           kind == THRONG_SHEET_LIFT ? "a lift" : "a flight",
                           kind == THRONG_SHEET_LIFT ? "the middle of its door to its back" : "its foot to its head",
                           (int)line->count);
    if (b->link_count == MOST_LINKS)
        return throng_fail(error, "%s: more than %d flights and lifts", where, MOST_LINKS);
    for (int32_t i = 0; i < b->link_count; i++)
        number += b->links[i].kind == kind;
    snprintf(numbered, sizeof numbered, "%s %d", throng_sheet_kinds[kind], (int)number);
    if (!throng_array_reserve((void **)&b->links, &b->link_room, b->link_count + 1, sizeof *b->links))
        return out_of_memory(error);
    throng_storey_link *link = &b->links[b->link_count++];
    *link = (throng_storey_link){.kind = kind,
                                 .name = strdup(name[0] ? name : numbered),
                                 .where = strdup(where),
                                 .from = b->floor_count - 1,
                                 .a = line->list[0],
                                 .b = line->list[1]};
    return (link->name && link->where && throng_properties_copy(&link->properties, properties)) || out_of_memory(error);
}

void throng_storeys_fini(throng_storeys *b)
{
    for (int32_t i = 0; i < b->floor_count; i++) {
        throng_draft_fini(&b->floors[i]->draft);
        throng_map_destroy(b->floors[i]->map);
        free(b->floors[i]->name);
        free(b->floors[i]);
    }
    for (int32_t i = 0; i < b->link_count; i++) {
        free(b->links[i].name);
        free(b->links[i].where);
        throng_properties_fini(&b->links[i].properties);
    }
    free(b->floors);
    free(b->links);
    *b = (throng_storeys){0};
}

/* --- properties --- */

/* A property that is a number, in a plan. */
typedef struct number_property {
    const char *name;
    size_t offset;
    double least, most;
    bool above; /* more than `least` */
    const char *unit;
} number_property;

static const number_property of_flight[] = {
    {"width", offsetof(throng_flight_plan, width), 0.3, 1000, false, " m"},
    {"climb", offsetof(throng_flight_plan, climb), 0, 2, true, ""},
    {"descend", offsetof(throng_flight_plan, descend), 0, 2, true, ""},
    {"cost", offsetof(throng_flight_plan, cost), 0, 1e6, false, " m"},
};
static const number_property of_steps[] = {{"rise", offsetof(throng_flight_plan, rise), 0, 1e4, false, " m"}};
typedef struct turning {
    double depth; /* m: of a landing */
} turning;
static const number_property of_turn[] = {{"landing", offsetof(turning, depth), 0.3, 1000, false, " m"}};
static const number_property of_belt[] = {
    {"speed", offsetof(throng_flight_plan, belt), 0, THRONG_BELT_MOST, true, " m/s"},
    {"walkers", offsetof(throng_flight_plan, walkers), 0, 1, false, ""},
};
static const number_property of_lift[] = {
    {"width", offsetof(throng_lift_plan, lift.width), 0.6, 100, false, " m"},
    {"speed", offsetof(throng_lift_plan, lift.speed), 0, 20, true, " m/s"},
    {"acceleration", offsetof(throng_lift_plan, lift.acceleration), 0, 10, true, " m/s^2"},
    {"door_time", offsetof(throng_lift_plan, lift.door_time), 0, 60, false, " s"},
    {"dwell", offsetof(throng_lift_plan, lift.dwell), 0, 600, false, " s"},
    {"wait", offsetof(throng_lift_plan, lift.wait), 0, 1e5, false, " s"},
};

static bool take_numbers(const throng_storey_link *link, const number_property *all, size_t count, void *plan,
                         throng_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const number_property *n = &all[i];
        const throng_property *given = throng_properties_find(&link->properties, n->name);
        double value;
        if (!given)
            continue;
        if (!throng_markup_parse(given->value, &value) || !(n->above ? value > n->least : value >= n->least) ||
            !(value <= n->most))
            return throng_fail(error, "%s: the property %s is \"%.40s\": give a number %s %g%s, at most %g%s",
                               link->where, n->name, given->value, n->above ? "more than" : "of at least", n->least,
                               n->unit, n->most, n->unit);
        memcpy((char *)plan + n->offset, &value, sizeof value);
    }
    return true;
}

static const char *text_of(const throng_storey_link *link, const char *property)
{
    const throng_property *p = throng_properties_find(&link->properties, property);
    return p ? p->value : NULL;
}

/* --- the plan --- */

#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct planning {
    const throng_storeys *drawn;
    int32_t *order, *place; /* [floors] the lowest first: numbers as drawn; and each one's place there */
    throng_floor_plan *floors;
    throng_flight_plan *flights;
    throng_lift_plan *lifts;
    int32_t *served; /* [lifts][floors] */
    int32_t switchbacks;
    int32_t floor_count, flight_count, lift_count; /* floors: landings, too, which come behind the others */
    char **names;                                  /* [name_count] of the parts of switchbacks */
    int32_t name_count;
} planning;

static int32_t find_floor(const planning *p, const char *name, size_t length)
{
    for (int32_t i = 0; i < p->drawn->floor_count; i++)
        if (strlen(p->floors[i].name) == length && strncmp(p->floors[i].name, name, length) == 0)
            return i;
    return -1;
}

static bool fail_unknown(const planning *p, const throng_storey_link *link, const char *property, const char *name,
                         int length, throng_error *error)
{
    char floors[200] = "";
    for (int32_t i = 0; i < p->drawn->floor_count; i++) {
        size_t used = strlen(floors);
        snprintf(floors + used, sizeof floors - used, "%s\"%s\"", i ? ", " : "", p->floors[i].name);
    }
    return throng_fail(error, "%s: the property %s names \"%.*s\", which is no floor; expected one of: %s", link->where,
                       property, length > 80 ? 80 : length, name, floors);
}

/* Where a flight leads to: its property, or the next floor above; walkways stay on theirs. */
static bool find_end(const planning *p, const throng_storey_link *link, int32_t from, int32_t *to, throng_error *error)
{
    const char *name = text_of(link, "to");
    *to = link->kind == THRONG_SHEET_WALKWAY ? from : from + 1;
    while (!name && *to<p->drawn->floor_count && * to> from && !(p->floors[*to].z > p->floors[from].z))
        ++*to;
    if (!name)
        return *to < p->drawn->floor_count ||
               throng_fail(error, "%s: no floor lies above \"%s\": draw it on the floor where its foot is", link->where,
                           p->floors[from].name);
    *to = find_floor(p, name, strlen(name));
    return *to >= 0 || fail_unknown(p, link, "to", name, (int)strlen(name), error);
}

static bool read_belt(const throng_storey_link *link, throng_flight_plan *f, throng_error *error)
{
    const char *way = text_of(link, "direction");
    f->belt = 0.5;
    if (!take_numbers(link, of_belt, COUNT(of_belt), f, error))
        return false;
    if (way && strcmp(way, "up") != 0 && strcmp(way, "down") != 0)
        return throng_fail(error, "%s: the property direction is \"%.40s\": give up or down", link->where, way);
    if (way && strcmp(way, "down") == 0)
        f->belt = -f->belt;
    return true;
}

/* "north lower", kept until the map is built. */
static const char *part_name(planning *p, const char *whole, const char *part)
{
    char name[200];
    snprintf(name, sizeof name, "%.150s %s", whole, part);
    return p->names[p->name_count++] = strdup(name);
}

static throng_map *make_landing(const char *name, const throng_point outline[5], throng_error *error)
{
    throng_ring_list rings = {0};
    throng_map *map = NULL;
    bool fine = throng_ring_list_begin(&rings);
    for (int i = 0; fine && i < 5; i++)
        fine = throng_ring_list_add(&rings, outline[i]);
    if (fine)
        map = throng_map_from_ring_list(name, false, &rings, error);
    else
        out_of_memory(error);
    throng_ring_list_fini(&rings);
    return map;
}

/* The last flight becomes the lower one of a switchback, and gets an upper one and a landing. */
static bool turn_back(planning *p, bool left, double depth, throng_error *error)
{
    throng_flight_plan *lower = &p->flights[p->flight_count - 1], *upper = &p->flights[p->flight_count++];
    double z = 0.5 * (p->floors[lower->from].z + p->floors[lower->to].z);
    throng_point outline[5];
    lower->whole = lower->name;
    throng_flight_turn_back(lower, upper, ++p->switchbacks, left, depth, outline);
    lower->name = part_name(p, lower->whole, "lower");
    upper->name = part_name(p, lower->whole, "upper");
    const char *name = part_name(p, lower->whole, "landing");
    lower->to = upper->from = p->floor_count;
    if (!lower->name || !upper->name || !name)
        return out_of_memory(error);
    throng_map *map = make_landing(name, outline, error);
    if (map)
        p->floors[p->floor_count++] = (throng_floor_plan){name, map, z, lower->switchback};
    return map != NULL;
}

/* One flight, or a switchback. */
static bool read_turn(planning *p, const throng_storey_link *link, throng_error *error)
{
    const throng_flight_plan *f = &p->flights[p->flight_count - 1];
    const char *flights = text_of(link, "flights"), *side = text_of(link, "turn");
    turning t = {f->width};
    if (flights && strcmp(flights, "1") != 0 && strcmp(flights, "2") != 0)
        return throng_fail(error, "%s: the property flights is \"%.40s\": give 1, or 2 for a switchback", link->where,
                           flights);
    if (side && strcmp(side, "left") != 0 && strcmp(side, "right") != 0)
        return throng_fail(error, "%s: the property turn is \"%.40s\": give left or right", link->where, side);
    if (!take_numbers(link, of_turn, COUNT(of_turn), &t, error))
        return false;
    return !flights || flights[0] == '1' || turn_back(p, !side || side[0] == 'l', t.depth, error);
}

static bool plan_flight(planning *p, const throng_storey_link *link, throng_error *error)
{
    throng_flight_plan *f = &p->flights[p->flight_count++];
    bool belt = link->kind == THRONG_SHEET_ESCALATOR || link->kind == THRONG_SHEET_WALKWAY;
    *f = throng_flight_plan_default(link->kind);
    f->name = link->name;
    f->where = link->where;
    f->from = p->place[link->from];
    f->at = link->a;
    f->direction = atan2(link->b.y - link->a.y, link->b.x - link->a.x);
    f->length = hypot(link->b.x - link->a.x, link->b.y - link->a.y);
    return find_end(p, link, f->from, &f->to, error) && take_numbers(link, of_flight, COUNT(of_flight), f, error) &&
           (belt ? read_belt(link, f, error)
                 : take_numbers(link, of_steps, COUNT(of_steps), f, error) && read_turn(p, link, error));
}

static int by_number(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* "ground, first": the floors that a lift serves, ascending; all where nothing is said. */
static bool read_served(const planning *p, const throng_storey_link *link, int32_t *served, int32_t *count,
                        throng_error *error)
{
    const char *at = text_of(link, "floors");
    *count = 0;
    for (int32_t i = 0; !at && i < p->drawn->floor_count; i++)
        served[(*count)++] = i;
    for (; at && *at; at += *at == ',') {
        at += strspn(at, " \t\r\n");
        size_t length = strcspn(at, ",");
        const char *next = at + length;
        while (length && strchr(" \t\r\n", at[length - 1]))
            length--;
        int32_t floor = find_floor(p, at, length);
        if (floor < 0)
            return fail_unknown(p, link, "floors", at, (int)length, error);
        for (int32_t i = 0; i < *count; i++)
            if (served[i] == floor)
                return throng_fail(error, "%s: the property floors names \"%s\" twice", link->where,
                                   p->floors[floor].name);
        served[(*count)++] = floor;
        at = next;
    }
    qsort(served, (size_t)*count, sizeof *served, by_number);
    return *count >= 2 || throng_fail(error,
                                      "%s serves %d floor: it needs two or more, as the property floors has them "
                                      "(\"ground, first\")",
                                      link->where, (int)*count);
}

static bool plan_lift(planning *p, const throng_storey_link *link, throng_error *error)
{
    int32_t *served = p->served + (size_t)p->lift_count * (size_t)p->drawn->floor_count;
    throng_lift_plan *l = &p->lifts[p->lift_count++];
    const char *capacity = text_of(link, "capacity");
    double persons = 8;
    *l = (throng_lift_plan){.name = link->name, .where = link->where, .floors = served};
    l->lift = throng_lift_default();
    l->lift.at = link->a;
    l->lift.depth = hypot(link->b.x - link->a.x, link->b.y - link->a.y);
    l->lift.in = (throng_point){(link->b.x - link->a.x) / l->lift.depth, (link->b.y - link->a.y) / l->lift.depth};
    for (int32_t i = 0; i < p->lift_count - 1; i++)
        if (strcmp(p->lifts[i].name, l->name) == 0)
            return throng_fail(error, "%s: there is a lift \"%s\" already; give each a name of its own", link->where,
                               l->name);
    if (capacity &&
        (!throng_markup_parse(capacity, &persons) || persons != floor(persons) || persons < 1 || persons > 1000))
        return throng_fail(error, "%s: the property capacity is \"%.40s\": give a whole number from 1 to 1000",
                           link->where, capacity);
    l->lift.capacity = (int32_t)persons;
    return read_served(p, link, served, &l->count, error) && take_numbers(link, of_lift, COUNT(of_lift), l, error);
}

/* The floors, the lowest first, of one height by their names. */
static bool plan_floors(planning *p, const throng_point *whole, throng_error *error)
{
    const throng_storeys *b = p->drawn;
    for (int32_t i = 0; i < b->floor_count; i++) {
        int32_t at = i;
        for (; at > 0; at--) {
            const throng_storey *below = b->floors[p->order[at - 1]], *floor = b->floors[i];
            if (below->z < floor->z || (below->z == floor->z && strcmp(below->name, floor->name) < 0))
                break;
            p->order[at] = p->order[at - 1];
        }
        p->order[at] = i;
    }
    for (int32_t i = 0; i < b->floor_count; i++) {
        throng_storey *floor = b->floors[p->order[i]];
        p->place[p->order[i]] = i;
        p->floors[i] = (throng_floor_plan){.name = floor->name, .z = floor->z, .map = floor->map};
        floor->map = NULL;
        if (p->floors[i].map)
            continue;
        if (!floor->draft.floors.count && !throng_draft_floor(&floor->draft, "the map's rectangle", whole, 4, error))
            return false;
        if (!(p->floors[i].map = throng_draft_finish(&floor->draft, error)))
            return throng_fail_in(error, "floor \"%s\"", floor->name);
    }
    return true;
}

static bool plan_links(planning *p, throng_error *error)
{
    for (int32_t i = 0; i < p->drawn->link_count; i++) {
        const throng_storey_link *link = &p->drawn->links[i];
        if (!(link->kind == THRONG_SHEET_LIFT ? plan_lift : plan_flight)(p, link, error))
            return false;
    }
    return true;
}

static void fini(planning *p)
{
    for (int32_t i = 0; p->floors && i < p->floor_count; i++)
        throng_map_destroy((throng_map *)p->floors[i].map);
    for (int32_t i = 0; i < p->name_count; i++)
        free(p->names[i]);
    free(p->names);
    free(p->order);
    free(p->place);
    free(p->floors);
    free(p->flights);
    free(p->lifts);
    free(p->served);
}

static bool allocate(planning *p)
{
    size_t floors = (size_t)p->drawn->floor_count, links = (size_t)p->drawn->link_count + 1, lifts = 1;
    for (int32_t i = 0; i < p->drawn->link_count; i++)
        lifts += p->drawn->links[i].kind == THRONG_SHEET_LIFT;
    p->order = malloc(floors * sizeof *p->order);
    p->place = malloc(floors * sizeof *p->place);
    p->floor_count = p->drawn->floor_count;
    p->floors = calloc(floors + links, sizeof *p->floors);
    p->flights = calloc(2 * links, sizeof *p->flights);
    p->names = calloc(3 * links, sizeof(char *));
    p->lifts = calloc(lifts, sizeof *p->lifts);
    p->served = calloc(lifts * floors, sizeof *p->served);
    return p->order && p->place && p->floors && p->flights && p->names && p->lifts && p->served;
}

throng_map *throng_storeys_build(throng_storeys *b, const char *path, const throng_point *whole, throng_error *error)
{
    planning p = {.drawn = b};
    throng_map *map = NULL;
    if (!allocate(&p))
        out_of_memory(error);
    else if (plan_floors(&p, whole, error) && plan_links(&p, error)) {
        throng_building_plan plan = {p.floors, p.flights, p.lifts, p.floor_count, p.flight_count, p.lift_count};
        map = throng_map_build_building(path, &plan, error);
    }
    fini(&p);
    return map;
}
