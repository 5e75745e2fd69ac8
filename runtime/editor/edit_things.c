#include "edit_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void throng_edit_thing_measure(throng_edit_thing *thing)
{
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < thing->count; i++) {
        throng_point p = thing->points[i];
        b = (throng_bounds){fmin(b.x0, p.x), fmin(b.y0, p.y), fmax(b.x1, p.x), fmax(b.y1, p.y)};
    }
    thing->bounds = b;
}

throng_edit_thing *throng_edit_thing_new(throng_edit_kind kind, const throng_point *points, int32_t count)
{
    throng_edit_thing *thing = calloc(1, sizeof *thing);
    if (!thing)
        return NULL;
    thing->kind = kind;
    thing->points = malloc(((size_t)count + 1) * sizeof *points);
    if (!thing->points) {
        free(thing);
        return NULL;
    }
    if (count)
        memcpy(thing->points, points, (size_t)count * sizeof *points);
    thing->count = count;
    if (kind != THRONG_EDIT_DOOR && throng_ring_area(thing->points, count) < 0)
        throng_ring_reverse(thing->points, count);
    throng_edit_thing_measure(thing);
    return thing;
}

void throng_edit_thing_shift(throng_edit_thing *thing, throng_point by)
{
    for (int32_t i = 0; i < thing->count; i++)
        thing->points[i] = (throng_point){thing->points[i].x + by.x, thing->points[i].y + by.y};
    throng_edit_thing_measure(thing);
}

void throng_edit_thing_free(throng_edit_thing *thing)
{
    if (!thing)
        return;
    throng_properties_fini(&thing->properties);
    throng_map_graph_fini(&thing->graph);
    free(thing->name);
    free(thing->group);
    free(thing->points);
    free(thing);
}

static bool set_text(char **to, const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy)
        return false;
    free(*to);
    *to = copy;
    return true;
}

bool throng_edit_thing_name(throng_edit_thing *thing, const char *name) { return set_text(&thing->name, name); }

bool throng_edit_thing_group(throng_edit_thing *thing, const char *group) { return set_text(&thing->group, group); }

throng_edit_thing *throng_edit_thing_copy(const throng_edit_thing *thing)
{
    throng_edit_thing *copy = throng_edit_thing_new(thing->kind, thing->points, thing->count);
    if (copy) {
        copy->cost = thing->cost;
        copy->max_radius = thing->max_radius;
    }
    if (copy && throng_edit_thing_name(copy, thing->name) && throng_edit_thing_group(copy, thing->group) &&
        throng_properties_copy(&copy->properties, &thing->properties) &&
        (!thing->graph.node_count || throng_map_graph_copy(&copy->graph, &thing->graph)))
        return copy;
    throng_edit_thing_free(copy);
    return NULL;
}

bool throng_edit_thing_insert(throng_edit_thing *thing, int32_t at, throng_point point)
{
    if (!throng_array_resize((void **)&thing->points, ((size_t)thing->count + 1) * sizeof point))
        return false;
    memmove(thing->points + at + 1, thing->points + at, (size_t)(thing->count - at) * sizeof point);
    thing->points[at] = point;
    thing->count++;
    throng_edit_thing_measure(thing);
    return true;
}

void throng_edit_thing_drop(throng_edit_thing *thing, int32_t corner)
{
    thing->count--;
    memmove(thing->points + corner, thing->points + corner + 1,
            (size_t)(thing->count - corner) * sizeof *thing->points);
    throng_edit_thing_measure(thing);
}
