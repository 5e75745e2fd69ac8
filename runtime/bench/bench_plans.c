#include "bench_plans.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/library.h"
#include "base/random.h"
#include "bench.h"

const char *const throng_bench_plan_names[THRONG_BENCH_PLANS] = {"navmesh", "pillars in", "pillars out",
                                                                 "office",  "rooms",      "boxes"};

const double throng_bench_detour_us[THRONG_BENCH_PLANS] = {NAN, NAN, NAN, 125, 132, 25};

bool throng_bench_find_file(const char *name, char *path, size_t size, throng_error *error)
{
    static const char *const above[] = {"", "../", "../../"};
    for (int i = 0; i < 3; i++) {
        char relative[256];
        snprintf(relative, sizeof relative, "%s%s", above[i], name);
        if (throng_library_path(relative, path, size) && access(path, R_OK) == 0)
            return true;
    }
    return throng_fail(error, "%s is missing: it is neither beside throng's executable nor above it", name);
}

/* A floor with boxes on it. */
typedef struct plan {
    double width, height; /* m */
    throng_point (*boxes)[4];
    int32_t count, room;
    uint32_t drawn;
    bool failed; /* memory is out */
} plan;

static double draw(plan *p, double from, double to)
{
    return from + (to - from) * throng_random(1, p->drawn++, 0, 0, 79);
}

static void add_box(plan *p, double x0, double y0, double x1, double y1)
{
    if (!throng_array_reserve((void **)&p->boxes, &p->room, (int64_t)p->count + 1, sizeof *p->boxes)) {
        p->failed = true;
        return;
    }
    throng_point *box = p->boxes[p->count++];
    box[0] = (throng_point){x0, y0};
    box[1] = (throng_point){x1, y0};
    box[2] = (throng_point){x1, y1};
    box[3] = (throng_point){x0, y1};
}

static const double DOOR = 0.9, HALF = 0.1, ROOM = 5; /* m: half of a wall; a side */

/* A wall of a room along x or y from (x, y), with a door somewhere in it or without. */
static void add_wall(plan *p, double x, double y, bool upright, double part_with_door)
{
    double gap = draw(p, 0.5, ROOM - 0.5 - DOOR), reach[] = {-HALF, gap, gap + DOOR, ROOM + HALF};
    bool whole = draw(p, 0, 1) >= part_with_door;
    reach[1] = whole ? reach[3] : reach[1];
    for (int i = 0; i < (whole ? 1 : 2); i++) {
        double from = reach[2 * i], to = reach[2 * i + 1];
        if (upright)
            add_box(p, x - HALF, y + from, x + HALF, y + to);
        else
            add_box(p, x + from, y - HALF, x + to, y + HALF);
    }
}

/* Halls of 3 m join the corridors, of 2.5 m, at both ends. */
static void furnish_office(plan *p)
{
    enum { CORRIDORS = 10, COLUMNS = 50 };
    const double hall = 3, corridor = 2.5, band = 2 * ROOM + corridor;
    *p = (plan){.width = COLUMNS * ROOM + 2 * hall, .height = CORRIDORS * band};
    for (int row = 0; row < 2 * CORRIDORS; row++) {
        bool above = row % 2;
        double y = row / 2 * band + (above ? ROOM + corridor : 0);
        for (int column = 0; column <= COLUMNS; column++) {
            double x = hall + column * ROOM;
            add_wall(p, x, y, true, column > 0 && column < COLUMNS ? 0.3 : 0);
            if (column == COLUMNS)
                break;
            add_wall(p, x, above ? y : y + ROOM, false, 1);
            if (!above && row > 0)
                add_wall(p, x, y, false, 0.2);
        }
    }
}

static void furnish_rooms(plan *p)
{
    enum { SIDE = 32 };
    *p = (plan){.width = SIDE * ROOM, .height = SIDE * ROOM};
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            if (x > 0)
                add_wall(p, x * ROOM, y * ROOM, true, 0.8);
            if (y > 0)
                add_wall(p, x * ROOM, y * ROOM, false, 0.8);
        }
}

static void furnish_boxes(plan *p)
{
    enum { BOXES = 400, SIDE = 200 };
    *p = (plan){.width = SIDE, .height = SIDE};
    for (int i = 0; i < BOXES; i++) {
        double w = draw(p, 1, 8), h = draw(p, 1, 8), x = draw(p, 0, SIDE - w), y = draw(p, 0, SIDE - h);
        add_box(p, x, y, x + w, y + h);
    }
}

static throng_map *map_of(const plan *p, const char *name, throng_error *error)
{
    const throng_point rim[] = {{0, 0}, {p->width, 0}, {p->width, p->height}, {0, p->height}}, *boundary[] = {rim};
    const throng_point **boxes = malloc(((size_t)p->count + 1) * sizeof *boxes);
    int32_t *sizes = malloc(((size_t)p->count + 1) * sizeof *sizes), four = 4;
    throng_map *map = NULL;
    for (int32_t i = 0; boxes && sizes && i < p->count; i++) {
        boxes[i] = p->boxes[i];
        sizes[i] = 4;
    }
    if (p->failed || !boxes || !sizes)
        throng_fail(error, "out of memory for the walls of %s", name);
    else
        map = throng_map_from_polygons(name, boundary, &four, 1, boxes, sizes, p->count, error);
    free(boxes);
    free(sizes);
    return map;
}

/* As in scenarios/hall.lua. */
static void furnish_hall(plan *p)
{
    enum { SIDE = 6 };
    const double first = 3.8, apart = 4, width = 0.4;
    *p = (plan){.width = 28, .height = 28};
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = first + apart * (i % SIDE), y = first + apart * (i / SIDE);
        add_box(p, x, y, x + width, y + width);
    }
}

throng_map *throng_bench_plan(int32_t which, throng_error *error)
{
    static void (*const furnish[THRONG_BENCH_PLANS])(plan *) = {NULL,           furnish_hall,  furnish_hall,
                                                                furnish_office, furnish_rooms, furnish_boxes};
    char path[4096];
    plan p;
    if (which == THRONG_BENCH_WILLOW)
        return throng_bench_find_file("maps/willow.yaml", path, sizeof path, error) ? throng_map_read(path, NULL, error)
                                                                                    : NULL;
    furnish[which](&p);
    throng_map *map = map_of(&p, throng_bench_plan_names[which], error);
    free(p.boxes);
    if (map && which == THRONG_BENCH_PILLARS)
        map->pillars = 1;
    return map;
}
