/* What joins the floors of a building that is there, to be written and edited. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "geometry.h"
#include "map_storeys.h"

typedef struct listing {
    const throng_map *map;
    throng_storeys *to;
    throng_storey_link *link; /* the last one */
    bool failed;              /* memory is out */
} listing;

static void add_text(listing *l, const char *name, const char *value)
{
    l->failed = l->failed || !throng_properties_add(&l->link->properties, name, value, THRONG_PROPERTY_TEXT);
}

/* The shortest text that reads as the same number. */
static void add_number(listing *l, const char *name, double value)
{
    char text[32];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    l->failed = l->failed || !throng_properties_add(&l->link->properties, name, text, THRONG_PROPERTY_NUMBER);
}

/* Ends were reckoned from a direction: they are as they were given, but for a nanometre. */
static double near(double value) { return round(value * 1e9) / 1e9; }

static void begin(listing *l, throng_sheet_kind kind, const char *name, int32_t from, throng_point a, throng_point b)
{
    static throng_storey_link none;
    if (!throng_array_reserve((void **)&l->to->links, &l->to->link_room, l->to->link_count + 1, sizeof none)) {
        l->failed = true;
        return;
    }
    l->link = &l->to->links[l->to->link_count++];
    *l->link = (throng_storey_link){
        .kind = kind, .name = strdup(name), .where = strdup(name), .from = from, .a = a, .b = {near(b.x), near(b.y)}};
    l->failed = l->failed || !l->link->name || !l->link->where;
}

/* The landing's depth, along the flight that leads up to it. */
static double depth_of(const throng_map *map, int32_t landing, throng_point up)
{
    double least = INFINITY, most = -INFINITY;
    for (int32_t r = 0; r < map->ring_count; r++)
        for (int32_t i = map->ring_start[r]; i < map->ring_start[r + 1]; i++) {
            if (throng_map_sheet_at(map, map->points[map->ring_start[r]]) != landing)
                break;
            double along = map->points[i].x * up.x + map->points[i].y * up.y;
            least = fmin(least, along);
            most = fmax(most, along);
        }
    return most - least;
}

/* The middle seam of the flight that leads on from a floor or a landing, -1: none does. */
static int32_t flight_from(const throng_map_sheets *s, int32_t floor)
{
    for (int32_t q = 1; q + 1 < s->seam_count; q++)
        if (s->seams[q].inside && s->seams[q - 1].left == floor)
            return q;
    return -1;
}

/* The flight whose middle seam that is; of a switchback the lower one, with what the whole has. */
static void list_flight(listing *l, int32_t middle)
{
    const throng_map_sheets *s = l->map->sheets;
    const throng_map_sheet *f = &s->list[s->seams[middle].left];
    int32_t from = s->seams[middle - 1].left, to = s->seams[middle + 1].right;
    if (s->list[from].kind == THRONG_SHEET_LANDING)
        return; /* it belongs to the one below */
    int32_t upper = s->list[to].kind == THRONG_SHEET_LANDING ? flight_from(s, to) : -1;
    char name[200];
    snprintf(name, sizeof name, "%.*s", upper < 0 ? 199 : (int)(strlen(f->name) - strlen(" lower")), f->name);
    begin(l, f->kind, name, from, f->foot, f->head);
    if (l->failed)
        return;
    add_text(l, "to", s->list[upper < 0 ? to : s->seams[upper + 1].right].name);
    add_number(l, "width", f->width);
    add_number(l, "climb", f->climb);
    add_number(l, "descend", f->descend);
    if (f->cost >= 0)
        add_number(l, "cost", 2 * f->cost);
    if (f->belt != 0) {
        double steep = sqrt(1 + f->slope.x * f->slope.x + f->slope.y * f->slope.y);
        add_number(l, "speed", near(fabs(f->belt) * steep));
        add_text(l, "direction", f->belt > 0 ? "up" : "down");
        add_number(l, "walkers", f->walkers);
    }
    if (upper >= 0) {
        throng_point foot = s->list[s->seams[upper].left].foot;
        add_text(l, "flights", "2");
        add_number(l, "landing", depth_of(l->map, to, f->up));
        add_text(l, "turn", throng_turn(f->foot, f->head, foot) > 0 ? "left" : "right");
    }
}

static void list_lift(listing *l, const throng_map_lift *lift)
{
    const throng_map_sheets *s = l->map->sheets;
    size_t room = 1;
    for (int32_t i = lift->first; i < lift->first + lift->count; i++)
        room += strlen(s->list[s->stops[i].floor].name) + 1;
    char *floors = malloc(room), *end = floors;
    for (int32_t i = lift->first; floors && i < lift->first + lift->count; i++)
        end += sprintf(end, "%s%s", i > lift->first ? "," : "", s->list[s->stops[i].floor].name);
    l->failed = l->failed || !floors;
    begin(l, THRONG_SHEET_LIFT, s->list[s->stops[lift->first].sheet].name, s->stops[lift->first].floor, lift->at,
          (throng_point){lift->at.x + lift->depth * lift->in.x, lift->at.y + lift->depth * lift->in.y});
    if (!l->failed)
        add_text(l, "floors", floors);
    free(floors);
    if (l->failed)
        return;
    add_number(l, "width", lift->width);
    add_number(l, "capacity", lift->capacity);
    add_number(l, "speed", lift->speed);
    add_number(l, "acceleration", lift->acceleration);
    add_number(l, "door_time", lift->door_time);
    add_number(l, "dwell", lift->dwell);
    if (lift->wait >= 0)
        add_number(l, "wait", lift->wait);
}

bool throng_storeys_of(throng_storeys *storeys, const throng_map *building, throng_error *error)
{
    const throng_map_sheets *s = building->sheets;
    listing l = {.map = building, .to = storeys};
    for (int32_t q = 1; !l.failed && q + 1 < s->seam_count; q++)
        if (s->seams[q].inside)
            list_flight(&l, q);
    for (int32_t i = 0; !l.failed && i < s->lift_count; i++)
        list_lift(&l, &s->lifts[i]);
    return !l.failed || throng_fail(error, "%s: out of memory", building->name);
}
