/* Where positions on floors and flights are drawn: on a plane, which the camera shows. */
#include "view_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

static const double APART = 0.62, SLENDER = 2.5; /* of a floor's depth, as seen; of a building's width */

const throng_map_sheets *throng_floors_sheets(const throng_viewer *viewer)
{
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    return map ? map->sheets : NULL;
}

void throng_slabs_fini(throng_floors *floors)
{
    for (int32_t f = 0; f < floors->slab_count; f++) {
        throng_map_destroy(floors->slabs[f].plan);
        free(floors->slabs[f].area.corners);
    }
    free(floors->slabs);
    floors->slabs = NULL;
    floors->slab_count = 0;
}

void throng_floors_forget(throng_viewer *viewer)
{
    throng_floors *floors = &viewer->floors;
    throng_map_destroy(floors->plan);
    throng_slabs_fini(floors);
    free(floors->people);
    free(floors->floor_of);
    *floors = (throng_floors){.mode = floors->mode, .shown = floors->shown, .turn = floors->turn, .tilt = floors->tilt};
}

/* ---- the plane */

static throng_bounds all_floors(const throng_map_sheets *sheets)
{
    throng_bounds b = sheets->list[0].bounds;
    for (int32_t i = 1; i < throng_map_floors(sheets); i++) {
        const throng_bounds *f = &sheets->list[i].bounds;
        b = (throng_bounds){fmin(b.x0, f->x0), fmin(b.y0, f->y0), fmax(b.x1, f->x1), fmax(b.y1, f->y1)};
    }
    return b;
}

/* Heights are drawn larger, so that one can look between floors, unless that made a needle of the building. */
static double spread(const throng_map_sheets *sheets, double tilt)
{
    throng_bounds b = all_floors(sheets);
    double size = hypot(b.x1 - b.x0, b.y1 - b.y0), rise = INFINITY;
    int32_t count = throng_map_floors(sheets);
    double height = sheets->list[count - 1].z - sheets->list[0].z;
    for (int32_t i = 1; i < count; i++)
        if (sheets->list[i].z - sheets->list[i - 1].z > 0.5)
            rise = fmin(rise, sheets->list[i].z - sheets->list[i - 1].z);
    if (!isfinite(rise))
        return 1;
    return fmax(fmin(APART * size * sin(tilt) / rise, SLENDER * size / height), 1) * cos(tilt);
}

bool throng_floors_reckon(throng_viewer *viewer, throng_error *error)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    throng_floors *floors = &viewer->floors;
    throng_bounds b = all_floors(sheets);
    int32_t count = throng_map_floors(sheets);
    floors->shown = floors->shown < 0 ? 0 : floors->shown < count ? floors->shown : count - 1;
    floors->middle = (throng_point){(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2};
    floors->across = sin(floors->tilt);
    floors->up = spread(sheets, floors->tilt);
    if (!throng_array_resize((void **)&floors->floor_of, (size_t)sheets->count * sizeof *floors->floor_of))
        return throng_fail(error, "out of memory for the floors");
    for (int32_t i = 0; i < sheets->count; i++)
        floors->floor_of[i] = throng_map_floor_of(sheets, i);
    return true;
}

bool throng_floors_settle(throng_viewer *viewer, throng_error *error)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    if (!sheets)
        viewer->floors.mode = THRONG_FLOORS_ASIDE;
    return !sheets || viewer->floors.floor_of || throng_floors_reckon(viewer, error);
}

/* ---- places on it */

double throng_floors_upright(const throng_viewer *viewer) { return cos(viewer->floors.tilt); }

static throng_point turned(const throng_viewer *viewer, throng_point position, double z)
{
    const throng_floors *floors = &viewer->floors;
    double x = position.x - floors->middle.x, y = position.y - floors->middle.y;
    double sine = sin(floors->turn), cosine = cos(floors->turn);
    return (throng_point){cosine * x - sine * y, (sine * x + cosine * y) * floors->across + z * floors->up};
}

throng_point throng_floors_point_at(const throng_viewer *viewer, int32_t sheet, throng_point position, double z)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    const throng_floors *floors = &viewer->floors;
    if (!sheets)
        return position;
    if (floors->mode == THRONG_FLOORS_STACKED)
        return turned(viewer, position, z);
    if (floors->mode == THRONG_FLOORS_ONE && floors->floor_of[sheet] != floors->shown)
        return (throng_point){NAN, NAN};
    throng_point by = sheets->list[floors->mode == THRONG_FLOORS_ONE ? floors->shown : sheet].offset;
    return (throng_point){position.x + by.x, position.y + by.y};
}

throng_point throng_floors_point(const throng_viewer *viewer, int32_t sheet, throng_point position)
{
    bool stacked = viewer->floors.mode == THRONG_FLOORS_STACKED && throng_floors_sheets(viewer);
    double z = stacked ? throng_map_height(throng_world_map(throng_viewer_world(viewer)), sheet, position) : 0;
    return throng_floors_point_at(viewer, sheet, position, z);
}

throng_point throng_floors_place(const throng_viewer *viewer, throng_point place)
{
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    if (!throng_floors_sheets(viewer) || viewer->floors.mode == THRONG_FLOORS_ASIDE)
        return place;
    int32_t sheet = throng_map_sheet_at(map, place);
    return throng_floors_point(viewer, sheet, throng_map_position(map, sheet, place));
}

throng_bounds throng_floors_bounds(const throng_viewer *viewer)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    const throng_floors *floors = &viewer->floors;
    throng_bounds b = sheets->list[floors->shown].bounds;
    throng_point by = sheets->list[floors->shown].offset;
    if (floors->mode == THRONG_FLOORS_ONE)
        return (throng_bounds){b.x0 + by.x, b.y0 + by.y, b.x1 + by.x, b.y1 + by.y};
    throng_bounds all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t f = 0; f < throng_map_floors(sheets); f++) {
        b = sheets->list[f].bounds;
        const throng_point corner[] = {{b.x0, b.y0}, {b.x1, b.y0}, {b.x1, b.y1}, {b.x0, b.y1}};
        for (int i = 0; i < 4; i++) {
            throng_point p = turned(viewer, corner[i], sheets->list[f].z);
            all = (throng_bounds){fmin(all.x0, p.x), fmin(all.y0, p.y), fmax(all.x1, p.x), fmax(all.y1, p.y)};
        }
    }
    all.y1 += 2 * throng_floors_upright(viewer); /* who stands on the roof */
    return all;
}

const throng_map *throng_floors_map(throng_viewer *viewer)
{
    throng_error error;
    throng_floors *floors = &viewer->floors;
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    if (!throng_floors_sheets(viewer) || floors->mode != THRONG_FLOORS_ONE)
        return map;
    if (!floors->plan || floors->planned != floors->shown) {
        throng_map_destroy(floors->plan);
        floors->plan = throng_map_of_floor(map, floors->shown, &error);
        floors->planned = floors->shown;
        if (!floors->plan)
            throng_viewer_note(viewer, "%.200s", error.text);
    }
    return floors->plan ? floors->plan : map;
}

/* ---- lifts */

double throng_lift_height(const throng_viewer *viewer, int32_t sheet, double z)
{
    int32_t lift = throng_map_lift_of(throng_floors_sheets(viewer), sheet);
    throng_lift_state state;
    return lift >= 0 && throng_shown_lift(viewer, lift, &state) ? state.z : z;
}

int32_t throng_lift_level(const throng_viewer *viewer, int32_t lift)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    throng_lift_state state;
    bool known = throng_shown_lift(viewer, lift, &state);
    return 2 * sheets->stops[known ? throng_lift_stop_below(sheets, lift, state.z) : sheets->lifts[lift].first].floor;
}
