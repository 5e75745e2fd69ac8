/* The map maker's document (O'Sullivan, 2009, section 4.5): convex faces, regions and doors, and every change to them,
 * to be undone and done again without limit. It knows no window.
 *
 * Things lie in slots; a change swaps what some slots hold. Things are replaced, never altered, so undoing is swapping
 * back. Every command changes the document whole or not at all; what it refuses, it says why and where.
 *
 * The floors of a building lie apart in the document, each THRONG_EDIT_APART metres east of the one before, so that
 * what is said of faces, corners and places holds on every floor.
 *
 * After every command all faces are convex and none overlaps another (to THRONG_EDIT_SLACK); where faces touch, a
 * corner of the one on a side of the other is a corner of both, so that they share whole sides: those are open, all
 * others are walls. */
#ifndef THRONG_EDIT_H
#define THRONG_EDIT_H

#include "map/map_geos.h"

#define THRONG_EDIT_SLACK 1e-6 /* m: faces may be dented and overlap by this, which rounding brings about */
#define THRONG_EDIT_APART 1000 /* m: between floors */
#define THRONG_EDIT_LEAST 1e-4 /* m: corners are farther apart, and faces wider */
#define THRONG_EDIT_WALL  0.2  /* m: how thick walls are that are drawn */

typedef enum throng_edit_kind {
    THRONG_EDIT_PLAN, /* the map as a whole: its properties; slot 0 */
    THRONG_EDIT_FACE,
    THRONG_EDIT_REGION,
    THRONG_EDIT_DOOR,
    THRONG_EDIT_LINK, /* a flight, from its foot to its head, or a lift, from its door to its back */
    THRONG_EDIT_FLOOR /* of a building: its name and its height, the property z; it has no corners */
} throng_edit_kind;

typedef struct throng_edit_thing {
    throng_edit_kind kind;
    char *name;           /* of regions and doors */
    char *group;          /* of regions: "spawns", "exits" or another; NULL: none. Of links: "stairs", "lift" ... */
    throng_point *points; /* [count] m: corners, counter-clockwise; a door's two ends */
    int32_t count;
    double cost, max_radius; /* of doors (throng_door) */
    throng_properties properties;
    throng_map_graph graph; /* of the map as a whole: its roadmap (edit_graph.c) */
    throng_bounds bounds;
} throng_edit_thing;

typedef struct throng_edit_swap {
    int32_t slot;
    throng_edit_thing *before, *after; /* NULL: nothing */
} throng_edit_swap;

typedef struct throng_edit_change {
    const char *what; /* "draw a face", ... */
    throng_edit_swap *swaps;
    int32_t count, capacity;
} throng_edit_change;

typedef struct throng_edit {
    throng_edit_thing **things; /* [slots]; NULL where nothing is (any more) */
    int32_t slots, slot_room;
    throng_edit_change *changes; /* [made]; the first `done` of them are in force */
    int32_t done, made, change_room;
    int32_t saved;    /* `done` when the document was saved; -1: that state can no longer be reached */
    uint32_t version; /* another one after every change, undone or not */
    throng_geos geos;
} throng_edit;

/* Why a command was refused. */
typedef struct throng_edit_refusal {
    char text[240]; /* a sentence without its full stop */
    throng_point at;
    int32_t slot; /* the thing in the way; -1: none */
} throng_edit_refusal;

/* An empty document. False when memory is out. */
bool throng_edit_init(throng_edit *edit, throng_error *error);
void throng_edit_fini(throng_edit *edit);

/* Has it two ends, and no inside? */
static inline bool throng_edit_is_line(const throng_edit_thing *thing)
{
    return thing->kind == THRONG_EDIT_DOOR || thing->kind == THRONG_EDIT_LINK;
}

static inline bool throng_edit_unsaved(const throng_edit *edit) { return edit->done != edit->saved; }

/* The thing in a slot, NULL when there is none (also for slots that never were). */
static inline const throng_edit_thing *throng_edit_thing_at(const throng_edit *edit, int32_t slot)
{
    return slot >= 0 && slot < edit->slots ? edit->things[slot] : NULL;
}

/* What would be undone or done again next, NULL: nothing. */
const char *throng_edit_undo_name(const throng_edit *edit);
const char *throng_edit_redo_name(const throng_edit *edit);
bool throng_edit_undo(throng_edit *edit);
bool throng_edit_redo(throng_edit *edit);
/* Undoes the last change for good: for what is tried out while the mouse moves. */
void throng_edit_retract(throng_edit *edit);

/* ---- commands; `*slot` (may be NULL): where the new thing is */

/* Whether the corners, in order round either way, could be a face now; changes nothing. */
bool throng_edit_face_fits(throng_edit *edit, const throng_point *points, int32_t count, throng_edit_refusal *why);
bool throng_edit_add_face(throng_edit *edit, const throng_point *points, int32_t count, int32_t *slot,
                          throng_edit_refusal *why);
/* Any simple polygon. Several regions may share a name. */
bool throng_edit_add_region(throng_edit *edit, const char *name, const char *group, const throng_point *points,
                            int32_t count, int32_t *slot, throng_edit_refusal *why);
bool throng_edit_add_door(throng_edit *edit, const char *name, throng_point a, throng_point b, int32_t *slot,
                          throng_edit_refusal *why);

/* ---- rooms and walls: edit_rooms.c; the faces that they are made of follow */

/* Floor inside any simple polygon, but for what has a room already, and a wall towards it. */
bool throng_edit_add_room(throng_edit *edit, const throng_point *points, int32_t count, throng_edit_refusal *why);
/* Takes floor away along a line. */
bool throng_edit_add_wall(throng_edit *edit, throng_point a, throng_point b, throng_edit_refusal *why);
/* A door from a to b. Where there is a wall between two floors it gets a doorway, with the door in its middle. */
bool throng_edit_open_door(throng_edit *edit, const char *name, throng_point a, throng_point b, int32_t *slot,
                           throng_edit_refusal *why);

/* Moves the thing's corner; a face's in every face that shares it, and the doors that end there. */
bool throng_edit_move_corner(throng_edit *edit, int32_t slot, int32_t corner, throng_point to,
                             throng_edit_refusal *why);
/* Moves the whole thing by so many metres; a face leaves its neighbours. */
bool throng_edit_move(throng_edit *edit, int32_t slot, double dx, double dy, throng_edit_refusal *why);
/* Cuts a face along the straight line between two points of its rim. */
bool throng_edit_split(throng_edit *edit, int32_t slot, throng_point a, throng_point b, throng_edit_refusal *why);
/* Makes one face of two that share a side; it takes the first one's slot. */
bool throng_edit_merge(throng_edit *edit, int32_t slot, int32_t other, throng_edit_refusal *why);
bool throng_edit_remove(throng_edit *edit, int32_t slot, throng_edit_refusal *why);
/* Of a face: from every face that shares it. */
bool throng_edit_remove_corner(throng_edit *edit, int32_t slot, int32_t corner, throng_edit_refusal *why);
bool throng_edit_rename(throng_edit *edit, int32_t slot, const char *name, throng_edit_refusal *why);
bool throng_edit_set_group(throng_edit *edit, int32_t slot, const char *group, throng_edit_refusal *why);
/* Of the map (slot 0), a region or a door; `value` NULL takes the property away. */
bool throng_edit_set_property(throng_edit *edit, int32_t slot, const char *name, const char *value,
                              throng_property_kind kind, throng_edit_refusal *why);

/* The image that the plan is drawn over, kept in the map's properties underlay, underlay_scale, underlay_x and
 * underlay_y. */
typedef struct throng_edit_underlay {
    const char *path;    /* seen from the map's folder */
    double scale;        /* m a pixel */
    throng_point corner; /* m: of the image's lower left corner */
} throng_edit_underlay;

/* False when there is none. The path belongs to the document. */
bool throng_edit_underlay_of(const throng_edit *edit, throng_edit_underlay *underlay);
/* `underlay` NULL takes it away. */
bool throng_edit_set_underlay(throng_edit *edit, const throng_edit_underlay *underlay, throng_edit_refusal *why);

/* Everything, and the underlay, `factor` times as large, seen from the origin. */
bool throng_edit_scale(throng_edit *edit, double factor, throng_edit_refusal *why);

/* ---- buildings: edit_floors.c, and commands in edit_links.c */

int32_t throng_edit_floors(const throng_edit *edit); /* 0: the map is one plane */
/* The slot of a floor, counted from 0, the lowest first; -1: there is none. */
int32_t throng_edit_floor_slot(const throng_edit *edit, int32_t floor);
double throng_edit_floor_z(const throng_edit *edit, int32_t floor); /* m */
/* The floor that a place of the document is on, and what is to be added to places on its plan. */
int32_t throng_edit_floor_at(const throng_edit *edit, throng_point place);
throng_point throng_edit_floor_offset(int32_t floor);
/* One more on top; a plane becomes the ground floor of a building then. */
bool throng_edit_add_floor(throng_edit *edit, throng_edit_refusal *why);
/* A flight that leads up to the next floor, or a lift; `group` says which. */
bool throng_edit_add_link(throng_edit *edit, const char *group, throng_point a, throng_point b, int32_t *slot,
                          throng_edit_refusal *why);
/* Stairs become a switchback, that a ramp, that an escalator, and that stairs again. */
bool throng_edit_next_link(throng_edit *edit, int32_t slot, throng_edit_refusal *why);
/* "stairs", "switchback", "ramp", "escalator", "walkway", "lift". */
const char *throng_edit_link_words(const throng_edit_thing *link);
double throng_edit_link_width(const throng_edit_thing *link); /* m */

/* ---- what lies where */

/* Whether corners in counter-clockwise order are a convex polygon. */
bool throng_edit_convex(const throng_point *points, int32_t count, throng_edit_refusal *why);

/* Sides of all faces, each with the neighbour that shares it. */
typedef struct throng_edit_side {
    throng_point a, b;   /* the face is on the left of a -> b */
    int32_t slot, index; /* of the face, and of corner a in it */
    int32_t other;       /* the slot of the face on the right; -1: a wall */
} throng_edit_side;

typedef struct throng_edit_sides {
    throng_edit_side *list; /* by slot and index */
    int32_t count;
    int32_t parts; /* of the floor that share no side with each other */
} throng_edit_sides;

bool throng_edit_sides_build(const throng_edit *edit, throng_edit_sides *sides); /* false when memory is out */
void throng_edit_sides_fini(throng_edit_sides *sides);

/* m^2 of all faces. */
double throng_edit_floor_area(const throng_edit *edit);

bool throng_edit_holds(const throng_edit_thing *thing, throng_point p); /* a polygon's inside, rim included */

/* Where a click near `p` means: the nearest corner within `reach` metres, else the nearest side, else the grid's
 * nearest point (step 0: the point itself). */
typedef enum throng_edit_catch {
    THRONG_EDIT_FREE,
    THRONG_EDIT_GRID,
    THRONG_EDIT_ON_SIDE,
    THRONG_EDIT_ON_CORNER
} throng_edit_catch;

typedef struct throng_edit_snap {
    throng_edit_catch what;
    throng_point at;
    int32_t slot; /* of the thing caught, else -1 */
} throng_edit_snap;

/* What is at `except` (-1: nothing) does not catch. On a side the point is the grid's that is nearest along it, where
 * the side is upright or level. */
throng_edit_snap throng_edit_snap_to(const throng_edit *edit, throng_point p, double reach, double step,
                                     int32_t except);

/* The corner of the thing within `reach`, -1: none. */
int32_t throng_edit_corner_near(const throng_edit_thing *thing, throng_point p, double reach);

/* The topmost thing at a point: doors within `reach`, then the smallest region, then a face; `under` (-1: none) and all
 * above it are passed over. -1 when there is none. */
int32_t throng_edit_pick(const throng_edit *edit, throng_point p, double reach, int32_t under);

/* A name that no region or door has: "stem", "stem 2", ... */
void throng_edit_free_name(const throng_edit *edit, const char *stem, char *name, size_t size);

/* ---- files */

/* The document as a map, to be saved or walked in. NULL and a message when there is no face. */
throng_map *throng_edit_map(const throng_edit *edit, const char *name, throng_error *error);

/* The document of any map that throng reads, as its beginning: nothing to undo. Faces of the map maker's XML are taken
 * as they are when they are convex and do not overlap, else the free space is cut into convex faces. False and a
 * message for open maps, whose floor has no end. `*cut`: they were cut. */
bool throng_edit_take_map(throng_edit *edit, const throng_map *map, bool *cut, throng_error *error);

/* Makes the document what the file holds, as a change that can be undone: for recovered work. */
bool throng_edit_replace(throng_edit *edit, const char *path, throng_error *error);

/* Writes the map maker's XML; the document is saved then. */
bool throng_edit_save(throng_edit *edit, const char *path, throng_error *error);
/* The same without that: for work that is kept in case of a crash. */
bool throng_edit_keep(const throng_edit *edit, const char *path, throng_error *error);

#endif
