#include "view_parts.h"
#include "world/world_sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { AHEAD = 16 }; /* agents that memory is asked for before they are drawn */

/* Arrays of `room` entries, four bytes each, in one block. */
static void *part_of(char *block, int32_t room, int part) { return block + (size_t)room * 4 * (size_t)part; }

static char *allocate(int32_t count, int parts, int32_t *room, throng_error *error)
{
    int32_t wanted = count + count / 4 + 64;
    char *block = malloc((size_t)wanted * 4 * (size_t)parts);
    if (block)
        *room = wanted;
    else
        throng_fail(error, "out of memory for %d agents", count);
    return block;
}

static bool reserve(throng_crowd *crowd, int32_t count, throng_error *error)
{
    char *block = count <= crowd->room ? NULL : allocate(count, 12, &crowd->room, error);
    if (!block)
        return count <= crowd->room;
    free(crowd->slot);
    crowd->slot = part_of(block, crowd->room, 0);
    crowd->x = part_of(block, crowd->room, 1);
    crowd->y = part_of(block, crowd->room, 2);
    crowd->hx = part_of(block, crowd->room, 3);
    crowd->hy = part_of(block, crowd->room, 4);
    crowd->radius = part_of(block, crowd->room, 5);
    crowd->colour = part_of(block, crowd->room, 6);
    crowd->apart_x = part_of(block, crowd->room, 7);
    crowd->apart_y = part_of(block, crowd->room, 8);
    crowd->sheets = part_of(block, crowd->room, 9);
    crowd->arm_x = part_of(block, crowd->room, 10);
    crowd->arm_y = part_of(block, crowd->room, 11);
    return true;
}

static bool reserve_before(throng_crowd *crowd, int32_t slots, throng_error *error)
{
    char *block = slots <= crowd->before_room ? NULL : allocate(slots, 3, &crowd->before_room, error);
    if (!block)
        return slots <= crowd->before_room;
    free(crowd->before_x);
    crowd->before_x = part_of(block, crowd->before_room, 0);
    crowd->before_y = part_of(block, crowd->before_room, 1);
    crowd->before_id = part_of(block, crowd->before_room, 2);
    return true;
}

void throng_crowd_fini(throng_crowd *crowd)
{
    free(crowd->slot);
    free(crowd->before_x);
    *crowd = (throng_crowd){0};
}

bool throng_crowd_keep(throng_viewer *viewer, throng_error *error)
{
    throng_crowd *crowd = &viewer->crowd;
    int32_t slots = throng_shown_slots(viewer);
    crowd->before_slots = 0;
    if (slots == 0 || crowd->massed || !throng_shown_knows(viewer, THRONG_COLUMN_id))
        return true;
    const float *x = throng_shown_column(viewer, THRONG_COLUMN_x, error);
    const float *y = x ? throng_shown_column(viewer, THRONG_COLUMN_y, error) : NULL;
    const int32_t *id = y ? throng_shown_column(viewer, THRONG_COLUMN_id, error) : NULL;
    if (!id || !reserve_before(crowd, slots, error))
        return false;
    memcpy(crowd->before_x, x, (size_t)slots * sizeof *x);
    memcpy(crowd->before_y, y, (size_t)slots * sizeof *y);
    memcpy(crowd->before_id, id, (size_t)slots * sizeof *id);
    crowd->before_slots = slots;
    crowd->before_step = throng_shown_step(viewer);
    return true;
}

void throng_crowd_forget(throng_crowd *crowd) { crowd->taken.known = false; }

typedef struct columns {
    const float *x, *y, *hx, *hy, *radius; /* headings, radius: NULL where they are not known */
    const int32_t *id, *state;
    const int32_t *floor;           /* NULL: they are at their places, or there is one */
    const float *width, *shoulders; /* NULL: all are discs */
} columns;

/* What a mass is drawn by, and what single agents are. */
static const throng_column_set MASS = THRONG_COLUMN_BIT(x) | THRONG_COLUMN_BIT(y) | THRONG_COLUMN_BIT(state),
                               SINGLE = THRONG_COLUMN_BIT(hx) | THRONG_COLUMN_BIT(hy) | THRONG_COLUMN_BIT(radius) |
                                        THRONG_COLUMN_BIT(id),
                               WIDE = THRONG_COLUMN_BIT(width) | THRONG_COLUMN_BIT(shoulders);

/* Is anybody wider than deep? Rare columns that nobody has used are not asked for. */
static bool are_wide(const throng_viewer *viewer)
{
    const throng_moment *recorded = viewer->past.replay ? viewer->past.shown : NULL;
    if (viewer->past.replay)
        return recorded && (recorded->known & WIDE) == WIDE;
    return throng_bodies_are_wide(throng_world_agents(throng_viewer_world(viewer)));
}

throng_column_set throng_crowd_columns(const throng_viewer *viewer)
{
    return MASS | (viewer->crowd.massed ? 0 : SINGLE | (are_wide(viewer) ? WIDE : 0)) |
           (throng_floors_sheets(viewer) ? THRONG_COLUMN_BIT(floor) : 0) | throng_colouring_columns(viewer);
}

/* Of what is not known of a frame that was, nothing is drawn. */
static bool read_columns(throng_viewer *viewer, columns *from, throng_error *error)
{
    static const int column[] = {THRONG_COLUMN_x,      THRONG_COLUMN_y,        THRONG_COLUMN_hx,    THRONG_COLUMN_hy,
                                 THRONG_COLUMN_radius, THRONG_COLUMN_id,       THRONG_COLUMN_state, THRONG_COLUMN_floor,
                                 THRONG_COLUMN_width,  THRONG_COLUMN_shoulders};
    const void *data[sizeof column / sizeof *column] = {NULL};
    throng_column_set drawn = throng_crowd_columns(viewer);
    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
        if (throng_column_in(drawn, column[i]) && throng_shown_knows(viewer, column[i]) &&
            !(data[i] = throng_shown_column(viewer, column[i], error)))
            return false;
    *from = (columns){data[0], data[1], data[2], data[3], data[4], data[5], data[6], data[7], data[8], data[9]};
    return true;
}

/* How far from the last step's places to those of now: 1 while the world stands still. */
static float part_of_step(const throng_viewer *viewer)
{
    if (!viewer->playing || viewer->crowd.before_step + 1 != throng_shown_step(viewer))
        return 1;
    float part = (float)(viewer->session.debt / throng_shown_dt(viewer));
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

/* In a building, positions become places on the map, and on the plane that is drawn. */
static void lay_out(throng_viewer *viewer, int32_t at, const throng_map_sheet *on, int32_t sheet)
{
    throng_crowd *crowd = &viewer->crowd;
    throng_point position = {(double)crowd->x[at], (double)crowd->y[at]}, shown;
    bool stacked = viewer->floors.mode == THRONG_FLOORS_STACKED;
    double z = on->z + on->slope.x * position.x + on->slope.y * position.y;
    z = stacked ? throng_lift_height(viewer, sheet, z) : z;
    shown = throng_floors_point_at(viewer, sheet, position, z);
    crowd->sheet[at] = sheet;
    crowd->place_x[at] = crowd->x[at] + (float)on->offset.x;
    crowd->place_y[at] = crowd->y[at] + (float)on->offset.y;
    bool aside = viewer->floors.mode == THRONG_FLOORS_ASIDE;
    crowd->x[at] = aside ? crowd->place_x[at] : (float)shown.x;
    crowd->y[at] = aside ? crowd->place_y[at] : (float)shown.y;
}

/* How many are on each floor, and on what is joined to it. */
static bool count_floors(throng_viewer *viewer, const throng_map_sheets *sheets, throng_error *error)
{
    throng_floors *floors = &viewer->floors;
    const throng_crowd *crowd = &viewer->crowd;
    int32_t count = throng_map_floors(sheets);
    if (!throng_array_reserve((void **)&floors->people, &floors->people_room, count, sizeof *floors->people))
        return throng_fail(error, "out of memory for the floors");
    memset(floors->people, 0, (size_t)count * sizeof *floors->people);
    for (int32_t i = 0; crowd->sheet && i < crowd->count; i++)
        floors->people[floors->floor_of[crowd->sheet[i]]]++;
    return true;
}

static void take_agent(throng_crowd *crowd, const columns *from, int32_t slot, float part)
{
    int32_t at = crowd->count++;
    float x = from->x[slot], y = from->y[slot];
    crowd->slot[at] = slot;
    crowd->x[at] = x;
    crowd->y[at] = y;
    crowd->radius[at] = crowd->disc;
    crowd->arm_x[at] = crowd->arm_y[at] = 0;
    if (crowd->massed)
        return;
    if (part < 1 && from->id && slot < crowd->before_slots && crowd->before_id[slot] == from->id[slot]) {
        float dx = x - crowd->before_x[slot], dy = y - crowd->before_y[slot];
        bool walked = dx * dx + dy * dy < 4; /* not put elsewhere by the script */
        crowd->x[at] -= walked ? (1 - part) * dx : 0;
        crowd->y[at] -= walked ? (1 - part) * dy : 0;
    }
    crowd->hx[at] = from->hx ? from->hx[slot] : 0;
    crowd->hy[at] = from->hy ? from->hy[slot] : 0;
    crowd->radius[at] = from->radius ? from->radius[slot] : (float)throng_columns[THRONG_COLUMN_radius].initial;
    float arm = from->width && from->shoulders ? throng_world_arm(crowd->radius[at], from->width[slot]) : 0;
    crowd->arm_x[at] = arm > 0 ? arm * cosf(from->shoulders[slot]) : 0;
    crowd->arm_y[at] = arm > 0 ? arm * sinf(from->shoulders[slot]) : 0;
}

static void average_disc(throng_crowd *crowd)
{
    double sum = 0;
    for (int32_t i = 0; i < crowd->count; i++)
        sum += (double)crowd->radius[i];
    if (crowd->count > 0 && !crowd->massed)
        crowd->disc = (float)(sum / crowd->count);
}

/* Is all as it was when the crowd was taken last? */
static bool is_taken(throng_viewer *viewer, float part)
{
    throng_crowd *c = &viewer->crowd;
    bool same = c->taken.known && c->taken.shown == viewer->past.shown && c->taken.step == throng_shown_step(viewer) &&
                c->taken.part == part && c->taken.mode == viewer->colouring.mode && c->taken.massed == c->massed;
    c->taken.known = true;
    c->taken.shown = viewer->past.shown;
    c->taken.step = throng_shown_step(viewer);
    c->taken.part = part;
    c->taken.mode = viewer->colouring.mode;
    c->taken.massed = c->massed;
    return same;
}

bool throng_crowd_take(throng_viewer *viewer, throng_error *error)
{
    throng_crowd *crowd = &viewer->crowd;
    int32_t slots = throng_shown_slots(viewer);
    columns from;
    crowd->massed = throng_mass_wanted(viewer, slots, crowd->disc);
    float part = crowd->massed ? 1 : part_of_step(viewer);
    if (is_taken(viewer, part))
        return true;
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    crowd->count = 0;
    crowd->sheet = NULL;
    crowd->taking++;
    viewer->colouring.classes = 0;
    if (sheets && !throng_floors_settle(viewer, error)) /* they are drawn without people, too */
        return false;
    if (slots == 0)
        return true;
    if (!reserve(crowd, slots, error) || !read_columns(viewer, &from, error)) {
        throng_crowd_forget(crowd);
        return false;
    }
    bool built = sheets && from.floor;
    crowd->place_x = built ? crowd->apart_x : crowd->x;
    crowd->place_y = built ? crowd->apart_y : crowd->y;
    crowd->sheet = built ? crowd->sheets : NULL;
    for (int32_t slot = 0; slot < slots; slot++) {
        if (!(from.state[slot] & THRONG_STATE_ALIVE))
            continue;
        take_agent(crowd, &from, slot, part);
        if (built)
            lay_out(viewer, crowd->count - 1, &sheets->list[from.floor[slot]], from.floor[slot]);
    }
    average_disc(crowd);
    if (sheets && !count_floors(viewer, sheets, error))
        return false;
    return throng_colouring_paint(viewer, error);
}

int32_t throng_crowd_find(const throng_crowd *crowd, int32_t slot)
{
    int32_t low = 0, high = crowd->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (crowd->slot[middle] < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low < crowd->count && crowd->slot[low] == slot ? low : -1;
}

/* ---- drawn */

/* All within `radius` of the line across the shoulders. */
static void draw_body(const throng_crowd *crowd, throng_ink *ink, int32_t i, float x, float y, float scale,
                      float radius, SDL_Color colour)
{
    float ax = scale * crowd->arm_x[i], ay = -scale * crowd->arm_y[i];
    throng_ink_disc(ink, x + ax, y + ay, radius, colour);
    if (ax == 0 && ay == 0)
        return;
    throng_point from = {(double)(x + ax), (double)(y + ay)}, to = {(double)(x - ax), (double)(y - ay)};
    throng_ink_disc(ink, x - ax, y - ay, radius, colour);
    throng_ink_line(ink, from, to, 2 * (double)radius, colour, colour);
}

/* An oriented body: a white rim where there is room for it, and a white line in the heading. */
static void draw_agent(throng_viewer *viewer, throng_ink *ink, int32_t i, float x, float y, float radius,
                       SDL_Color white)
{
    const throng_crowd *crowd = &viewer->crowd;
    if (radius <= 3.2f * (float)viewer->unit) {
        throng_ink_disc(ink, x, y, radius, crowd->colour[i]);
        return;
    }
    double tx = (double)(radius * crowd->hx[i]), ty = (double)(-radius * crowd->hy[i]);
    throng_point from = {(double)x + 0.15 * tx, (double)y + 0.15 * ty},
                 to = {(double)x + 0.8 * tx, (double)y + 0.8 * ty};
    float scale = (float)viewer->camera.scale;
    draw_body(crowd, ink, i, x, y, scale, radius + 0.8f * (float)viewer->unit, white);
    draw_body(crowd, ink, i, x, y, scale, radius, crowd->colour[i]);
    throng_ink_line(ink, from, to, fmax(0.26 * (double)radius, viewer->unit), white, white);
}

void throng_crowd_draw(throng_viewer *viewer)
{
    const throng_crowd *crowd = &viewer->crowd;
    const throng_plan_view *c = &viewer->camera;
    float scale = (float)c->scale, least = (float)(0.9 * viewer->unit);
    float width = (float)viewer->width, height = (float)viewer->height;
    SDL_Color white = throng_view_colour(0xffffff, 0.85f);
    throng_ink *ink = crowd->massed || crowd->count == 0 ? NULL : throng_ink_take(viewer);
    for (int32_t i = 0; ink && i < crowd->count; i++) {
        int32_t later = i + AHEAD < crowd->count ? i + AHEAD : i;
        throng_ink_expect(ink, (float)c->x + crowd->x[later] * scale, (float)c->y - crowd->y[later] * scale);
        float x = (float)c->x + crowd->x[i] * scale, y = (float)c->y - crowd->y[i] * scale;
        float radius = fmaxf(crowd->radius[i] * scale, least);
        float reach = radius + scale * hypotf(crowd->arm_x[i], crowd->arm_y[i]);
        if (x + reach > 0 && y + reach > 0 && x - reach < width && y - reach < height)
            draw_agent(viewer, ink, i, x, y, radius, white);
    }
    throng_ink_show(viewer);
    if (crowd->massed)
        throng_mass_draw(viewer);
}
