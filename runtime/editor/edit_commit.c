/* Changes are checked before they are kept: what overlaps, has no name or no area is refused, with its place. */
#include "edit_parts.h"

#include <string.h>

static bool check_face(const throng_edit *edit, int32_t slot, throng_edit_refusal *why)
{
    const throng_edit_thing *face = edit->things[slot];
    if (!throng_edit_convex(face->points, face->count, why))
        return false;
    for (int32_t other = 1; other < edit->slots; other++) {
        const throng_edit_thing *there = edit->things[other];
        if (other != slot && there && there->kind == THRONG_EDIT_FACE && throng_edit_overlap(face, there))
            return throng_edit_refuse(why, there->points[0], other, "it would overlap the face that is marked");
    }
    return true;
}

static bool check_name(const throng_edit *edit, int32_t slot, throng_edit_refusal *why)
{
    const throng_edit_thing *thing = edit->things[slot];
    if (!thing->name || !thing->name[0])
        return throng_edit_refuse(why, thing->points[0], -1, "it needs a name");
    for (int32_t other = 1; thing->kind == THRONG_EDIT_DOOR && other < edit->slots; other++) {
        const throng_edit_thing *there = edit->things[other];
        if (other != slot && there && there->kind == THRONG_EDIT_DOOR && strcmp(there->name, thing->name) == 0)
            return throng_edit_refuse(why, there->points[0], other, "another door is named \"%.60s\" already",
                                      thing->name);
    }
    return true;
}

static const double LEAST_AREA = 1e-4; /* m^2 of a region */

static bool check_region(throng_edit *edit, int32_t slot, throng_edit_refusal *why)
{
    const throng_edit_thing *region = edit->things[slot];
    throng_error error;
    if (!check_name(edit, slot, why))
        return false;
    if (!throng_geos_check_polygon(&edit->geos, "the region", region->points, region->count, &error))
        return throng_edit_refuse(why, region->points[0], -1, "%.230s", error.text);
    return throng_ring_area(region->points, region->count) >= LEAST_AREA ||
           throng_edit_refuse(why, region->points[0], -1, "the region has no area");
}

static bool check_door(const throng_edit *edit, int32_t slot, throng_edit_refusal *why)
{
    const throng_point *ends = edit->things[slot]->points;
    throng_error error;
    if (!throng_geos_check_points("the door", ends, 2, &error))
        return throng_edit_refuse(why, (throng_point){NAN, NAN}, -1, "%.230s", error.text);
    if (throng_distance(ends[0], ends[1]) < THRONG_EDIT_LEAST)
        return throng_edit_refuse(why, ends[0], -1, "a door reaches from one side of an opening to the other");
    return check_name(edit, slot, why);
}

static bool check(throng_edit *edit, const throng_edit_change *change, throng_edit_refusal *why)
{
    for (int32_t i = 0; i < change->count; i++) {
        int32_t slot = change->swaps[i].slot;
        if (!edit->things[slot])
            continue;
        throng_edit_kind kind = edit->things[slot]->kind;
        if ((kind == THRONG_EDIT_FACE && !check_face(edit, slot, why)) ||
            (kind == THRONG_EDIT_REGION && !check_region(edit, slot, why)) ||
            (kind == THRONG_EDIT_LINK && !throng_edit_check_link(edit, slot, why)) ||
            (kind == THRONG_EDIT_DOOR && !check_door(edit, slot, why)))
            return false;
    }
    return true;
}

/* A corner moved across the others turns the order round. */
static void order_corners(const throng_edit_change *change)
{
    for (int32_t i = 0; i < change->count; i++) {
        throng_edit_thing *thing = change->swaps[i].after;
        if (thing && !throng_edit_is_line(thing) && throng_ring_area(thing->points, thing->count) < 0)
            throng_ring_reverse(thing->points, thing->count);
    }
}

bool throng_edit_commit(throng_edit *edit, throng_edit_change *change, throng_edit_refusal *why)
{
    order_corners(change);
    if (!throng_edit_weld(edit, change))
        return throng_edit_no_memory(edit, change, why);
    return check(edit, change, why) ? throng_edit_accept(edit, change, why) : throng_edit_abandon(edit, change);
}
