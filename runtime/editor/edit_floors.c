/* Floors of a building, and the flights and lifts between them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit_parts.h"
#include "map/building.h"

int32_t throng_edit_floor_slot(const throng_edit *edit, int32_t floor)
{
    for (int32_t slot = 1; slot < edit->slots; slot++)
        if (edit->things[slot] && edit->things[slot]->kind == THRONG_EDIT_FLOOR && floor-- == 0)
            return slot;
    return -1;
}

int32_t throng_edit_floors(const throng_edit *edit)
{
    int32_t count = 0;
    while (throng_edit_floor_slot(edit, count) >= 0)
        count++;
    return count;
}

double throng_edit_floor_z(const throng_edit *edit, int32_t floor)
{
    int32_t slot = throng_edit_floor_slot(edit, floor);
    const throng_property *z = slot < 0 ? NULL : throng_properties_find(&edit->things[slot]->properties, "z");
    return z ? strtod(z->value, NULL) : 0;
}

int32_t throng_edit_floor_at(const throng_edit *edit, throng_point place)
{
    int32_t last = throng_edit_floors(edit) - 1, at = (int32_t)floor(place.x / THRONG_EDIT_APART + 0.5);
    return at < 0 || last < 0 ? 0 : at > last ? last : at;
}

throng_point throng_edit_floor_offset(int32_t floor) { return (throng_point){(double)floor * THRONG_EDIT_APART, 0}; }

const char *throng_edit_link_words(const throng_edit_thing *link)
{
    const throng_property *flights = throng_properties_find(&link->properties, "flights");
    return flights && strcmp(flights->value, "2") == 0 ? "switchback" : link->group;
}

double throng_edit_link_width(const throng_edit_thing *link)
{
    const throng_property *width = throng_properties_find(&link->properties, "width");
    int kind = THRONG_SHEET_STAIRS;
    while (kind < THRONG_SHEET_LIFT && strcmp(throng_sheet_kinds[kind], link->group) != 0)
        kind++;
    double usual = kind == THRONG_SHEET_LIFT ? throng_lift_default().width
                                             : throng_flight_plan_default((throng_sheet_kind)kind).width;
    return width ? strtod(width->value, NULL) : usual;
}

bool throng_edit_check_link(const throng_edit *edit, int32_t slot, throng_edit_refusal *why)
{
    const throng_edit_thing *link = edit->things[slot];
    bool lift = strcmp(link->group, "lift") == 0;
    int32_t floor = throng_edit_floor_at(edit, link->points[0]);
    if (floor != throng_edit_floor_at(edit, link->points[1]))
        return throng_edit_refuse(why, link->points[1], -1, "both its ends are drawn on the floor where it begins");
    if (throng_edit_floors(edit) < 2 ||
        (!lift && floor + 1 >= throng_edit_floors(edit) && !throng_properties_find(&link->properties, "to") &&
         strcmp(link->group, "walkway") != 0))
        return throng_edit_refuse(why, link->points[0], -1, "no floor lies above: T adds one");
    for (int32_t other = 1; other < edit->slots; other++) {
        const throng_edit_thing *there = edit->things[other];
        if (other != slot && there && there->kind == THRONG_EDIT_LINK && strcmp(there->name, link->name) == 0)
            return throng_edit_refuse(why, there->points[0], other, "\"%.60s\" is another's name already", link->name);
    }
    double least = lift ? THRONG_LIFT_PERSON + THRONG_LIFT_SILL : 1;
    return throng_distance(link->points[0], link->points[1]) >= least ||
           throng_edit_refuse(why, link->points[1], -1, "it is shorter than %.3g m", least);
}
