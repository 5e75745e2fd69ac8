/* Commands for buildings: floors, flights and lifts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "edit_parts.h"
#include "map/building.h"

static const double RISE = 3.5; /* m: from a floor to one that is added */

static throng_edit_thing *new_floor(const char *name, double z)
{
    char text[32];
    throng_edit_thing *floor = throng_edit_thing_new(THRONG_EDIT_FLOOR, NULL, 0);
    snprintf(text, sizeof text, "%.12g", z);
    if (floor && throng_edit_thing_name(floor, name) &&
        throng_edit_put_property(&floor->properties, "z", text, THRONG_PROPERTY_NUMBER))
        return floor;
    throng_edit_thing_free(floor);
    return NULL;
}

bool throng_edit_add_floor(throng_edit *edit, throng_edit_refusal *why)
{
    throng_edit_change change = {.what = "add a floor"};
    char name[40];
    int32_t count = throng_edit_floors(edit);
    if (count == 0) {
        if (!throng_edit_put(edit, &change, -1, new_floor("floor 0", 0)))
            return throng_edit_no_memory(edit, &change, why);
        count = 1;
    }
    snprintf(name, sizeof name, "floor %d", (int)count);
    if (!throng_edit_put(edit, &change, -1, new_floor(name, throng_edit_floor_z(edit, count - 1) + RISE)))
        return throng_edit_no_memory(edit, &change, why);
    return throng_edit_commit(edit, &change, why);
}

/* As many persons as the car has room for, where that is fewer than usual. */
static bool put_capacity(throng_edit_thing *lift)
{
    throng_map_lift usual = throng_lift_default();
    double depth = throng_distance(lift->points[0], lift->points[1]) - THRONG_LIFT_SILL;
    int32_t room = (int32_t)(floor(usual.width / THRONG_LIFT_PERSON) * floor(depth / THRONG_LIFT_PERSON));
    char text[32];
    snprintf(text, sizeof text, "%d", (int)(room < 1 ? 1 : room));
    return room >= usual.capacity ||
           throng_edit_put_property(&lift->properties, "capacity", text, THRONG_PROPERTY_NUMBER);
}

bool throng_edit_add_link(throng_edit *edit, const char *group, throng_point a, throng_point b, int32_t *slot,
                          throng_edit_refusal *why)
{
    throng_edit_change change = {.what = strcmp(group, "lift") == 0 ? "draw a lift" : "draw a flight"};
    char name[64];
    const throng_point ends[] = {a, b};
    throng_edit_thing *link = throng_edit_thing_new(THRONG_EDIT_LINK, ends, 2);
    throng_edit_free_name(edit, group, name, sizeof name);
    if (!link || !throng_edit_thing_name(link, name) || !throng_edit_thing_group(link, group) ||
        (strcmp(group, "lift") == 0 && !put_capacity(link))) {
        throng_edit_thing_free(link);
        return throng_edit_no_memory(edit, &change, why);
    }
    if (!throng_edit_put(edit, &change, -1, link))
        return throng_edit_no_memory(edit, &change, why);
    int32_t made = change.swaps[0].slot;
    if (!throng_edit_commit(edit, &change, why))
        return false;
    if (slot)
        *slot = made;
    return true;
}

bool throng_edit_next_link(throng_edit *edit, int32_t slot, throng_edit_refusal *why)
{
    throng_edit_change change = {.what = "change what leads up"};
    const throng_edit_thing *now = edit->things[slot];
    const char *words = throng_edit_link_words(now);
    bool stairs = strcmp(words, "stairs") == 0;
    const char *next = stairs                             ? "stairs"
                       : strcmp(words, "switchback") == 0 ? "ramp"
                       : strcmp(words, "ramp") == 0       ? "escalator"
                                                          : "stairs";
    if (strcmp(words, "lift") == 0)
        return throng_edit_refuse(why, now->points[0], slot, "a lift stays one");
    throng_edit_thing *link = throng_edit_alter(edit, &change, slot);
    if (!link || !throng_edit_thing_group(link, next) ||
        !throng_edit_put_property(&link->properties, "climb", NULL, THRONG_PROPERTY_NUMBER) ||
        !throng_edit_put_property(&link->properties, "descend", NULL, THRONG_PROPERTY_NUMBER) ||
        !throng_edit_put_property(&link->properties, "flights", stairs ? "2" : NULL, THRONG_PROPERTY_NUMBER))
        return throng_edit_no_memory(edit, &change, why);
    return throng_edit_commit(edit, &change, why);
}
