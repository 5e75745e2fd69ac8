#include "edit_parts.h"

static const double WELD = 1e-7; /* m: nearer than this is the same place */

static bool is_face(const throng_edit *edit, int32_t slot)
{
    return edit->things[slot] && edit->things[slot]->kind == THRONG_EDIT_FACE;
}

static bool near(const throng_bounds *box, throng_point p)
{
    return p.x >= box->x0 - WELD && p.x <= box->x1 + WELD && p.y >= box->y0 - WELD && p.y <= box->y1 + WELD;
}

static bool touch(const throng_bounds *a, const throng_bounds *b)
{
    return a->x0 <= b->x1 + WELD && b->x0 <= a->x1 + WELD && a->y0 <= b->y1 + WELD && b->y0 <= a->y1 + WELD;
}

/* The side that the point lies on, between its ends; -1: none, or on a corner. */
static int32_t side_under(const throng_edit_thing *face, throng_point p)
{
    int32_t found = -1;
    for (int32_t i = 0; i < face->count; i++) {
        if (throng_distance(face->points[i], p) <= WELD)
            return -1;
        if (throng_segment_distance(face->points[i], face->points[(i + 1) % face->count], p) <= WELD)
            found = i;
    }
    return found;
}

/* Corners a hair's breadth from the point are put there. */
static void pull(throng_edit_thing *face, throng_point p)
{
    for (int32_t i = 0; i < face->count; i++)
        if (throng_distance(face->points[i], p) <= WELD)
            face->points[i] = p;
    throng_edit_thing_measure(face);
}

/* The corners of everything else into this face, which is the change's own. */
static bool take_corners(throng_edit *edit, int32_t slot)
{
    throng_edit_thing *face = edit->things[slot];
    for (int32_t other = 1; other < edit->slots; other++) {
        const throng_edit_thing *there = edit->things[other];
        if (other == slot || !is_face(edit, other) || !touch(&face->bounds, &there->bounds))
            continue;
        for (int32_t i = 0; i < there->count; i++) {
            if (!near(&face->bounds, there->points[i]))
                continue;
            pull(face, there->points[i]);
            int32_t side = side_under(face, there->points[i]);
            if (side >= 0 && !throng_edit_thing_insert(face, side + 1, there->points[i]))
                return false;
        }
    }
    return true;
}

/* This face's corners into everything else. */
static bool give_corners(throng_edit *edit, throng_edit_change *change, int32_t slot)
{
    const throng_edit_thing *face = edit->things[slot];
    for (int32_t other = 1; other < edit->slots; other++) {
        if (other == slot || !is_face(edit, other) || !touch(&face->bounds, &edit->things[other]->bounds))
            continue;
        for (int32_t i = 0; i < face->count; i++) {
            int32_t side = near(&edit->things[other]->bounds, face->points[i])
                               ? side_under(edit->things[other], face->points[i])
                               : -1;
            throng_edit_thing *altered = side >= 0 ? throng_edit_alter(edit, change, other) : NULL;
            if (side >= 0 && (!altered || !throng_edit_thing_insert(altered, side + 1, face->points[i])))
                return false;
        }
    }
    return true;
}

bool throng_edit_weld(throng_edit *edit, throng_edit_change *change)
{
    int32_t own = change->count; /* more come in by giving */
    for (int32_t i = 0; i < own; i++)
        if (is_face(edit, change->swaps[i].slot) && !take_corners(edit, change->swaps[i].slot))
            return false;
    for (int32_t i = 0; i < own; i++)
        if (is_face(edit, change->swaps[i].slot) && !give_corners(edit, change, change->swaps[i].slot))
            return false;
    return true;
}
