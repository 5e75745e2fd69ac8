/* What can be done to a document, one command a function. */
#include "edit_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_markup.h"

static const throng_point nowhere = {NAN, NAN};

static bool is(const throng_edit *edit, int32_t slot, throng_edit_kind kind)
{
    const throng_edit_thing *thing = throng_edit_thing_at(edit, slot);
    return thing && thing->kind == kind;
}

static bool gone(throng_edit_refusal *why) { return throng_edit_refuse(why, nowhere, -1, "it is no longer there"); }

/* Adds a thing (taken over, NULL: memory is out) in a new slot. */
static bool add(throng_edit *edit, const char *what, throng_edit_thing *thing, int32_t *slot, throng_edit_refusal *why)
{
    throng_edit_change change = {.what = what};
    if (!thing || !throng_edit_put(edit, &change, -1, thing))
        return throng_edit_no_memory(edit, &change, why);
    int32_t at = change.swaps[0].slot;
    if (!throng_edit_commit(edit, &change, why))
        return false;
    if (slot)
        *slot = at;
    return true;
}

/* ---- new things */

bool throng_edit_add_face(throng_edit *edit, const throng_point *points, int32_t count, int32_t *slot,
                          throng_edit_refusal *why)
{
    return add(edit, "draw a face", throng_edit_thing_new(THRONG_EDIT_FACE, points, count), slot, why);
}

bool throng_edit_face_fits(throng_edit *edit, const throng_point *points, int32_t count, throng_edit_refusal *why)
{
    throng_edit_thing *face = throng_edit_thing_new(THRONG_EDIT_FACE, points, count);
    bool fits = face && throng_edit_convex(face->points, face->count, why);
    for (int32_t other = 1; fits && other < edit->slots; other++)
        if (is(edit, other, THRONG_EDIT_FACE) && throng_edit_overlap(face, edit->things[other]))
            fits = throng_edit_refuse(why, edit->things[other]->points[0], other,
                                      "it would overlap the face that is marked");
    throng_edit_thing_free(face);
    return fits;
}

static throng_edit_thing *named(throng_edit_thing *thing, const char *name)
{
    if (thing && throng_edit_thing_name(thing, name))
        return thing;
    throng_edit_thing_free(thing);
    return NULL;
}

bool throng_edit_add_region(throng_edit *edit, const char *name, const char *group, const throng_point *points,
                            int32_t count, int32_t *slot, throng_edit_refusal *why)
{
    throng_edit_thing *region = named(throng_edit_thing_new(THRONG_EDIT_REGION, points, count), name);
    if (region && !throng_edit_thing_group(region, group)) {
        throng_edit_thing_free(region);
        region = NULL;
    }
    return add(edit, "draw a region", region, slot, why);
}

bool throng_edit_add_door(throng_edit *edit, const char *name, throng_point a, throng_point b, int32_t *slot,
                          throng_edit_refusal *why)
{
    throng_point ends[] = {a, b};
    return add(edit, "draw a door", named(throng_edit_thing_new(THRONG_EDIT_DOOR, ends, 2), name), slot, why);
}

/* ---- moved */

/* Moves what lies at `from` in a thing. */
static bool move_ends(throng_edit *edit, throng_edit_change *change, int32_t slot, throng_point from, throng_point to)
{
    for (int32_t i = 0; i < edit->things[slot]->count; i++) {
        if (!throng_edit_same_point(edit->things[slot]->points[i], from))
            continue;
        throng_edit_thing *altered = throng_edit_alter(edit, change, slot);
        if (!altered)
            return false;
        altered->points[i] = to;
        throng_edit_thing_measure(altered);
    }
    return true;
}

bool throng_edit_move_corner(throng_edit *edit, int32_t slot, int32_t corner, throng_point to, throng_edit_refusal *why)
{
    throng_edit_change change = {.what = "move a corner"};
    const throng_edit_thing *thing = throng_edit_thing_at(edit, slot);
    if (!thing || corner < 0 || corner >= thing->count)
        return gone(why);
    throng_point from = thing->points[corner];
    bool shared = thing->kind == THRONG_EDIT_FACE;
    for (int32_t other = shared ? 1 : slot; other < (shared ? edit->slots : slot + 1); other++)
        if ((other == slot || is(edit, other, THRONG_EDIT_FACE) || is(edit, other, THRONG_EDIT_DOOR)) &&
            !move_ends(edit, &change, other, from, to))
            return throng_edit_no_memory(edit, &change, why);
    return throng_edit_commit(edit, &change, why);
}

bool throng_edit_move(throng_edit *edit, int32_t slot, double dx, double dy, throng_edit_refusal *why)
{
    throng_edit_change change = {.what = "move"};
    if (!throng_edit_thing_at(edit, slot) || slot == 0)
        return gone(why);
    throng_edit_thing *thing = throng_edit_alter(edit, &change, slot);
    if (!thing)
        return throng_edit_no_memory(edit, &change, why);
    for (int32_t i = 0; i < thing->count; i++)
        thing->points[i] = (throng_point){thing->points[i].x + dx, thing->points[i].y + dy};
    throng_edit_thing_measure(thing);
    return throng_edit_commit(edit, &change, why);
}

/* ---- cut and joined */

/* The index of the point among the corners, which it joins where it lies on a side; -1: it does neither. */
static int32_t corner_at(throng_edit_thing *face, throng_point p, bool *memory)
{
    int32_t side = -1;
    *memory = true;
    for (int32_t i = 0; i < face->count; i++) {
        if (throng_distance(face->points[i], p) < THRONG_EDIT_LEAST)
            return i;
        if (throng_segment_distance(face->points[i], face->points[(i + 1) % face->count], p) <= THRONG_EDIT_SLACK)
            side = i;
    }
    if (side < 0)
        return -1;
    *memory = throng_edit_thing_insert(face, side + 1, p);
    return side + 1;
}

/* Corners `from` to `to`, going round. */
static throng_edit_thing *stretch(const throng_edit_thing *face, int32_t from, int32_t to)
{
    int32_t count = (to - from + face->count) % face->count + 1;
    throng_point *points = malloc((size_t)count * sizeof *points);
    for (int32_t i = 0; points && i < count; i++)
        points[i] = face->points[(from + i) % face->count];
    throng_edit_thing *part = points ? throng_edit_thing_new(THRONG_EDIT_FACE, points, count) : NULL;
    free(points);
    return part;
}

static bool cut(throng_edit *edit, int32_t slot, throng_edit_thing *face, throng_point a, throng_point b,
                throng_edit_refusal *why)
{
    throng_edit_change change = {.what = "split a face"};
    bool memory;
    if (corner_at(face, a, &memory) < 0 || !memory || corner_at(face, b, &memory) < 0 || !memory)
        return memory ? throng_edit_refuse(why, nowhere, slot, "a cut runs from side to side of one face")
                      : throng_edit_no_memory(edit, &change, why);
    int32_t from = corner_at(face, a, &memory),
            to = corner_at(face, b, &memory); /* the second may have moved the first */
    throng_edit_thing *first = stretch(face, from, to), *second = stretch(face, to, from);
    if (!first || !second || first->count < 3 || second->count < 3) {
        bool made = first && second;
        throng_edit_thing_free(first);
        throng_edit_thing_free(second);
        return made ? throng_edit_refuse(why, b, slot, "the cut runs along a side: end it on another one")
                    : throng_edit_no_memory(edit, &change, why);
    }
    if (!throng_edit_put(edit, &change, slot, first)) {
        throng_edit_thing_free(second);
        return throng_edit_no_memory(edit, &change, why);
    }
    if (!throng_edit_put(edit, &change, -1, second))
        return throng_edit_no_memory(edit, &change, why);
    return throng_edit_commit(edit, &change, why);
}

bool throng_edit_split(throng_edit *edit, int32_t slot, throng_point a, throng_point b, throng_edit_refusal *why)
{
    if (!is(edit, slot, THRONG_EDIT_FACE))
        return gone(why);
    throng_edit_thing *copy = throng_edit_thing_copy(edit->things[slot]);
    bool fine = copy ? cut(edit, slot, copy, a, b, why) : throng_edit_refuse(why, nowhere, -1, "out of memory");
    throng_edit_thing_free(copy);
    return fine;
}

int32_t throng_edit_shared_side(const throng_edit_thing *f, int32_t i, const throng_edit_thing *g)
{
    for (int32_t j = 0; j < g->count; j++)
        if (throng_edit_same_point(f->points[(i + 1) % f->count], g->points[j]) &&
            throng_edit_same_point(f->points[i], g->points[(j + 1) % g->count]))
            return j;
    return -1;
}

/* A straight corner that no face but these two has is left over. */
static bool left_over(const throng_edit *edit, const throng_edit_thing *face, int32_t corner, int32_t slot,
                      int32_t other)
{
    throng_point a = face->points[(corner + face->count - 1) % face->count], p = face->points[corner],
                 b = face->points[(corner + 1) % face->count];
    if (fabs(throng_turn(a, p, b)) > THRONG_EDIT_SLACK * throng_distance(a, b))
        return false;
    for (int32_t s = 1; s < edit->slots; s++)
        if (s != slot && s != other && is(edit, s, THRONG_EDIT_FACE) &&
            throng_edit_corner_near(edit->things[s], p, 0) >= 0)
            return false;
    return true;
}

/* Round f from the end of the shared sides to their beginning, then on round g. NULL: memory is out. */
static throng_edit_thing *join(const throng_edit *edit, int32_t slot, int32_t other, int32_t first)
{
    const throng_edit_thing *f = edit->things[slot], *g = edit->things[other];
    int32_t n = f->count, m = g->count, count = 0;
    throng_point *points = malloc((size_t)(n + m) * sizeof *points);
    if (!points)
        return NULL;
    while (throng_edit_shared_side(f, (first + n - 1) % n, g) >= 0) /* back to the first of them */
        first = (first + n - 1) % n;
    int32_t end = first;
    while (throng_edit_shared_side(f, end, g) >= 0)
        end = (end + 1) % n;
    int32_t begins = (throng_edit_shared_side(f, first, g) + 1) % m,
            ends = throng_edit_shared_side(f, (end + n - 1) % n, g);
    for (int32_t i = end; i != first; i = (i + 1) % n)
        points[count++] = f->points[i];
    for (int32_t j = begins; j != ends; j = (j + 1) % m)
        points[count++] = g->points[j];
    throng_edit_thing *joined = throng_edit_thing_new(THRONG_EDIT_FACE, points, count);
    free(points);
    for (int32_t i = joined ? joined->count : 0; i-- > 0;)
        if (joined->count > 3 && left_over(edit, joined, i, slot, other))
            throng_edit_thing_drop(joined, i);
    return joined;
}

bool throng_edit_merge(throng_edit *edit, int32_t slot, int32_t other, throng_edit_refusal *why)
{
    throng_edit_change change = {.what = "merge faces"};
    if (!is(edit, slot, THRONG_EDIT_FACE) || !is(edit, other, THRONG_EDIT_FACE) || slot == other)
        return gone(why);
    int32_t first = 0;
    while (first < edit->things[slot]->count &&
           throng_edit_shared_side(edit->things[slot], first, edit->things[other]) < 0)
        first++;
    if (first == edit->things[slot]->count)
        return throng_edit_refuse(why, nowhere, other, "these two share no side");
    throng_edit_thing *joined = join(edit, slot, other, first);
    if (!joined || !throng_edit_put(edit, &change, slot, joined) || !throng_edit_put(edit, &change, other, NULL))
        return throng_edit_no_memory(edit, &change, why);
    return throng_edit_commit(edit, &change, why);
}

/* ---- taken away */

bool throng_edit_remove(throng_edit *edit, int32_t slot, throng_edit_refusal *why)
{
    throng_edit_change change = {.what = "delete"};
    if (!throng_edit_thing_at(edit, slot) || slot == 0)
        return gone(why);
    if (!throng_edit_put(edit, &change, slot, NULL))
        return throng_edit_no_memory(edit, &change, why);
    return throng_edit_commit(edit, &change, why);
}

bool throng_edit_remove_corner(throng_edit *edit, int32_t slot, int32_t corner, throng_edit_refusal *why)
{
    throng_edit_change change = {.what = "delete a corner"};
    const throng_edit_thing *thing = throng_edit_thing_at(edit, slot);
    if (!thing || corner < 0 || corner >= thing->count)
        return gone(why);
    throng_point at = thing->points[corner];
    bool shared = thing->kind == THRONG_EDIT_FACE;
    if (throng_edit_is_line(thing))
        return throng_edit_refuse(why, at, slot, "it has two ends: delete it whole");
    for (int32_t other = shared ? 1 : slot; other < (shared ? edit->slots : slot + 1); other++) {
        if (other != slot && !is(edit, other, THRONG_EDIT_FACE))
            continue;
        int32_t same = other == slot ? corner : throng_edit_corner_near(edit->things[other], at, 0);
        throng_edit_thing *altered = same >= 0 ? throng_edit_alter(edit, &change, other) : NULL;
        if (same >= 0 && !altered)
            return throng_edit_no_memory(edit, &change, why);
        if (altered)
            throng_edit_thing_drop(altered, same);
        if (altered && altered->count < 3) {
            throng_edit_abandon(edit, &change);
            return throng_edit_refuse(why, at, other, "it would leave a face of two corners: delete the face instead");
        }
    }
    return throng_edit_commit(edit, &change, why);
}

/* ---- names and properties */

static bool rename_in(throng_edit *edit, const char *what, int32_t slot, const char *text,
                      bool (*set)(throng_edit_thing *, const char *), throng_edit_refusal *why)
{
    throng_edit_change change = {.what = what};
    if (!throng_edit_thing_at(edit, slot) || is(edit, slot, THRONG_EDIT_FACE) || slot == 0)
        return gone(why);
    throng_edit_thing *thing = throng_edit_alter(edit, &change, slot);
    if (!thing || !set(thing, text))
        return throng_edit_no_memory(edit, &change, why);
    return throng_edit_commit(edit, &change, why);
}

bool throng_edit_rename(throng_edit *edit, int32_t slot, const char *name, throng_edit_refusal *why)
{
    return rename_in(edit, "rename", slot, name, throng_edit_thing_name, why);
}

bool throng_edit_set_group(throng_edit *edit, int32_t slot, const char *group, throng_edit_refusal *why)
{
    return rename_in(edit, "change what a region is for", slot, group, throng_edit_thing_group, why);
}

bool throng_edit_put_property(throng_properties *properties, const char *name, const char *value,
                              throng_property_kind kind)
{
    throng_properties others = {0};
    bool fine = true;
    for (int32_t i = 0; fine && i < properties->count; i++) {
        const throng_property *p = &properties->list[i];
        if (strcmp(p->name, name) != 0)
            fine = throng_properties_add(&others, p->name, p->value, p->kind);
    }
    fine = fine && (!value || throng_properties_add(&others, name, value, kind));
    throng_properties_fini(fine ? properties : &others);
    if (fine)
        *properties = others;
    return fine;
}

bool throng_edit_set_property(throng_edit *edit, int32_t slot, const char *name, const char *value,
                              throng_property_kind kind, throng_edit_refusal *why)
{
    throng_edit_change change = {.what = value ? "set a number" : "take a number away"};
    double number;
    if (!throng_edit_thing_at(edit, slot) || is(edit, slot, THRONG_EDIT_FACE))
        return gone(why);
    if (value && kind == THRONG_PROPERTY_NUMBER && !throng_markup_parse(value, &number))
        return throng_edit_refuse(why, nowhere, -1, "\"%.40s\" is not a number", value);
    throng_edit_thing *thing = throng_edit_alter(edit, &change, slot);
    if (!thing || !throng_edit_put_property(&thing->properties, name, value, kind))
        return throng_edit_no_memory(edit, &change, why);
    return throng_edit_commit(edit, &change, why);
}

/* ---- the underlay */

static double number_of(const throng_properties *properties, const char *name, double otherwise)
{
    const throng_property *p = throng_properties_find(properties, name);
    double value = p ? strtod(p->value, NULL) : otherwise;
    return isfinite(value) ? value : otherwise;
}

bool throng_edit_underlay_of(const throng_edit *edit, throng_edit_underlay *underlay)
{
    const throng_properties *properties = &edit->things[0]->properties;
    const throng_property *path = throng_properties_find(properties, "underlay");
    if (!path || !path->value[0])
        return false;
    double scale = number_of(properties, "underlay_scale", 0.05);
    *underlay =
        (throng_edit_underlay){path->value,
                               scale > 0 ? scale : 0.05,
                               {number_of(properties, "underlay_x", 0), number_of(properties, "underlay_y", 0)}};
    return true;
}

static bool put_underlay(throng_edit_thing *plan, const throng_edit_underlay *underlay)
{
    static const char *const names[] = {"underlay_scale", "underlay_x", "underlay_y"};
    double values[] = {underlay ? underlay->scale : 0, underlay ? underlay->corner.x : 0,
                       underlay ? underlay->corner.y : 0};
    char *path = underlay ? strdup(underlay->path) : NULL; /* which may be the one that goes */
    bool fine =
        (path || !underlay) && throng_edit_put_property(&plan->properties, "underlay", path, THRONG_PROPERTY_TEXT);
    free(path);
    for (int i = 0; fine && i < 3; i++) {
        char text[32];
        snprintf(text, sizeof text, "%.12g", values[i]);
        fine = throng_edit_put_property(&plan->properties, names[i], underlay ? text : NULL, THRONG_PROPERTY_NUMBER);
    }
    return fine;
}

bool throng_edit_set_underlay(throng_edit *edit, const throng_edit_underlay *underlay, throng_edit_refusal *why)
{
    throng_edit_change change = {.what = underlay ? "lay an image" : "take the image away"};
    throng_edit_thing *plan = throng_edit_alter(edit, &change, 0);
    if (!plan || !put_underlay(plan, underlay))
        return throng_edit_no_memory(edit, &change, why);
    return throng_edit_commit(edit, &change, why);
}

/* Seen from the origin of its floor. */
static throng_point scaled(const throng_edit *edit, throng_point p, double factor)
{
    throng_point by = throng_edit_floor_offset(throng_edit_floor_at(edit, p));
    return (throng_point){by.x + factor * (p.x - by.x), by.y + factor * (p.y - by.y)};
}

bool throng_edit_scale(throng_edit *edit, double factor, throng_edit_refusal *why)
{
    throng_edit_change change = {.what = "scale the map"};
    throng_edit_underlay underlay;
    if (!(factor >= 1e-3 && factor <= 1e3))
        return throng_edit_refuse(why, nowhere, -1, "a map is scaled by 0.001 to 1000, not by %.3g", factor);
    for (int32_t slot = 1; slot < edit->slots; slot++) {
        throng_edit_thing *thing = edit->things[slot] ? throng_edit_alter(edit, &change, slot) : NULL;
        if (edit->things[slot] && !thing)
            return throng_edit_no_memory(edit, &change, why);
        for (int32_t i = 0; thing && i < thing->count; i++)
            thing->points[i] = scaled(edit, thing->points[i], factor);
        if (thing)
            throng_edit_thing_measure(thing);
    }
    if (edit->things[0]->graph.node_count) {
        throng_edit_thing *plan = throng_edit_alter(edit, &change, 0);
        if (!plan)
            return throng_edit_no_memory(edit, &change, why);
        for (int32_t n = 0; n < plan->graph.node_count; n++)
            plan->graph.nodes[n].at = scaled(edit, plan->graph.nodes[n].at, factor);
    }
    if (throng_edit_underlay_of(edit, &underlay)) {
        underlay = (throng_edit_underlay){
            underlay.path, underlay.scale * factor, {underlay.corner.x * factor, underlay.corner.y * factor}};
        throng_edit_thing *plan = throng_edit_alter(edit, &change, 0);
        if (!plan || !put_underlay(plan, &underlay))
            return throng_edit_no_memory(edit, &change, why);
    }
    return throng_edit_commit(edit, &change, why);
}
