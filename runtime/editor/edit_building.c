/* Documents of several floors, from maps and to maps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit_parts.h"
#include "map/map_floor.h"
#include "map/map_storeys.h"

/* ---- to a map */

/* Back on its plan, as it was drawn but for a nanometre. */
static throng_edit_thing *on_plan(const throng_edit_thing *thing, int32_t floor)
{
    throng_edit_thing *copy = throng_edit_thing_copy(thing);
    double x = throng_edit_floor_offset(floor).x;
    for (int32_t i = 0; copy && i < copy->count; i++)
        copy->points[i].x = round((copy->points[i].x - x) * 1e9) / 1e9;
    return copy;
}

static bool is_of_floor(const throng_edit *edit, int32_t slot, int32_t floor)
{
    const throng_edit_thing *thing = edit->things[slot];
    return thing && thing->count && throng_edit_floor_at(edit, thing->points[0]) == floor;
}

static bool put_floor(const throng_edit *edit, int32_t floor, throng_storey *storey, throng_error *error)
{
    bool fine = true;
    for (int32_t slot = 1; fine && slot < edit->slots; slot++) {
        if (!is_of_floor(edit, slot, floor) || edit->things[slot]->kind == THRONG_EDIT_LINK)
            continue;
        throng_edit_thing *thing = on_plan(edit->things[slot], floor);
        fine = thing ? throng_edit_put_thing(&storey->draft, thing, slot, error) : throng_fail(error, "out of memory");
        throng_edit_thing_free(thing);
    }
    if (fine && storey->draft.floors.count == 0)
        return throng_fail(error, "\"%s\" has no floor yet: draw a room there first", storey->name);
    return fine && ((storey->map = throng_draft_finish(&storey->draft, error)) ||
                    throng_fail_in(error, "floor \"%s\"", storey->name));
}

static int32_t kind_of(const char *group)
{
    int32_t kind = THRONG_SHEET_STAIRS;
    while (kind < THRONG_SHEET_LIFT && strcmp(throng_sheet_kinds[kind], group) != 0)
        kind++;
    return kind;
}

static bool put_links(const throng_edit *edit, int32_t floor, throng_storeys *storeys, throng_error *error)
{
    for (int32_t slot = 1; slot < edit->slots; slot++) {
        char where[100];
        if (!is_of_floor(edit, slot, floor) || edit->things[slot]->kind != THRONG_EDIT_LINK)
            continue;
        throng_edit_thing *link = on_plan(edit->things[slot], floor);
        if (!link)
            return throng_fail(error, "out of memory");
        snprintf(where, sizeof where, "%s \"%.60s\"", link->group, link->name);
        const throng_points line = {.list = link->points, .count = 2};
        bool put = throng_storeys_link(storeys, where, (throng_sheet_kind)kind_of(link->group), link->name, &line,
                                       &link->properties, error);
        throng_edit_thing_free(link);
        if (!put)
            return false;
    }
    return true;
}

throng_map *throng_edit_building(const throng_edit *edit, const char *name, throng_error *error)
{
    throng_storeys storeys = {.element = "floor", .height = "its height"};
    throng_map *map = NULL;
    bool fine = true;
    for (int32_t f = 0; fine && f < throng_edit_floors(edit); f++) {
        const throng_edit_thing *floor = edit->things[throng_edit_floor_slot(edit, f)];
        throng_storey *storey = throng_storeys_add(&storeys, name, floor->name, throng_edit_floor_z(edit, f), error);
        fine = storey && put_floor(edit, f, storey, error) && put_links(edit, f, &storeys, error);
    }
    if (fine)
        map = throng_storeys_build(&storeys, name, NULL, error);
    throng_storeys_fini(&storeys);
    if (map && !throng_properties_copy(&map->properties, &edit->things[0]->properties)) {
        throng_map_destroy(map);
        map = NULL;
        throng_fail(error, "out of memory");
    }
    return throng_edit_put_graph(edit, map, error);
}

/* ---- from a map */

static bool add_number(throng_properties *properties, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.12g", value);
    return throng_properties_add(properties, name, text, THRONG_PROPERTY_NUMBER);
}

static bool put_link(throng_edit *edit, throng_edit_change *change, const throng_storey_link *link)
{
    throng_point by = throng_edit_floor_offset(link->from),
                 ends[] = {{link->a.x + by.x, link->a.y + by.y}, {link->b.x + by.x, link->b.y + by.y}};
    return throng_edit_put_named(edit, change, throng_edit_thing_new(THRONG_EDIT_LINK, ends, 2), link->name,
                                 throng_sheet_kinds[link->kind], &link->properties);
}

bool throng_edit_put_building(throng_edit *edit, throng_edit_change *change, const throng_map *map, bool own,
                              throng_error *error)
{
    const throng_map_sheets *s = map->sheets;
    throng_storeys storeys = {0};
    bool fine = throng_storeys_of(&storeys, map, error);
    for (int32_t f = 0, at = 0; fine && f < throng_map_floors(s); f++) {
        if (s->list[f].kind == THRONG_SHEET_LANDING)
            continue;
        throng_properties z = {0};
        throng_map *plan = throng_map_plan_of_floor(map, f, error);
        fine = plan && throng_edit_put_plan(edit, change, plan, own, throng_edit_floor_offset(at++), error);
        throng_map_destroy(plan);
        if (fine && !(add_number(&z, "z", s->list[f].z) &&
                      throng_edit_put_named(edit, change, throng_edit_thing_new(THRONG_EDIT_FLOOR, NULL, 0),
                                            s->list[f].name, NULL, &z)))
            fine = throng_fail(error, "%s: out of memory", map->name);
        throng_properties_fini(&z);
    }
    for (int32_t i = 0; fine && i < storeys.link_count; i++)
        fine = put_link(edit, change, &storeys.links[i]) || throng_fail(error, "%s: out of memory", map->name);
    throng_storeys_fini(&storeys);
    return fine;
}
