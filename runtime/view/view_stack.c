/* Floors over each other, seen from aside: the lowest is drawn first, and on each floor who is farther away. */
#include "view_controls.h"

#include <math.h>
#include <stdlib.h>

#include "navigation/navmesh_space.h"

enum { CORNERS = 64, WHOLE = 4000 }; /* people, up to which each is drawn with a body */
static const double BODY = 1.7;      /* m: how tall they are */
static const double THICK = 0.3;     /* m: a floor */

static bool cut(throng_viewer *viewer, const throng_map *map, throng_error *error)
{
    throng_floors *floors = &viewer->floors;
    int32_t count = throng_map_floors(map->sheets);
    floors->slabs = calloc((size_t)count, sizeof *floors->slabs);
    if (!floors->slabs)
        return throng_fail(error, "out of memory for the floors");
    while (floors->slab_count < count) {
        struct throng_slab *slab = &floors->slabs[floors->slab_count];
        slab->plan = throng_map_of_floor(map, floors->slab_count, error);
        floors->slab_count++;
        if (!slab->plan || !throng_navmesh_triangulate(slab->plan, 0, &slab->area, error))
            return false;
    }
    return true;
}

/* ---- a floor */

/* A place of a floor, `deep` below it, as pixels. */
static SDL_FPoint shown(const throng_viewer *viewer, int32_t floor, throng_point place, double deep)
{
    const throng_map_sheet *sheet = &throng_floors_sheets(viewer)->list[floor];
    throng_point at = {place.x - sheet->offset.x, place.y - sheet->offset.y};
    at = throng_floors_point_at(viewer, floor, at, sheet->z);
    at = throng_view_point(&viewer->camera, at.x, at.y - deep * throng_floors_upright(viewer));
    return (SDL_FPoint){(float)at.x, (float)at.y};
}

static void draw_sides(throng_viewer *viewer, int32_t floor, const throng_map *plan)
{
    SDL_Color side = throng_view_colour(THRONG_STYLE_SOLID, 1), rule = throng_view_colour(THRONG_STYLE_RULE, 1);
    for (int32_t r = 0; r < plan->ring_count; r++) {
        int32_t first = plan->ring_start[r], count = plan->ring_start[r + 1] - first;
        for (int32_t i = 0; i < count; i++) {
            throng_point a = plan->points[first + i], b = plan->points[first + (i + 1) % count];
            SDL_FPoint face[] = {shown(viewer, floor, a, 0), shown(viewer, floor, b, 0), shown(viewer, floor, b, THICK),
                                 shown(viewer, floor, a, THICK)};
            throng_batch_convex(&viewer->batch, face, 4, side);
            throng_batch_line(&viewer->batch, (double)face[2].x, (double)face[2].y, (double)face[3].x,
                              (double)face[3].y, viewer->unit, rule, rule);
        }
    }
}

static void draw_area(throng_viewer *viewer, int32_t floor, const throng_triangles *area)
{
    SDL_Color paper = throng_view_colour(THRONG_STYLE_FREE, 0.84f);
    for (int32_t i = 0; i < area->count; i++) {
        SDL_FPoint corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = shown(viewer, floor, area->corners[3 * i + k], 0);
        throng_batch_convex(&viewer->batch, corner, 3, paper);
    }
}

static bool is_convex(const throng_region *region)
{
    for (int32_t i = 0; i < region->count; i++) {
        throng_point a = region->points[i], b = region->points[(i + 1) % region->count],
                     c = region->points[(i + 2) % region->count];
        if ((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) < 0)
            return false;
    }
    return region->count <= CORNERS;
}

static void outline(throng_viewer *viewer, const SDL_FPoint *p, int32_t count, double width, SDL_Color ink)
{
    for (int32_t i = 0; i < count; i++) {
        const SDL_FPoint *q = &p[(i + 1) % count];
        throng_batch_line(&viewer->batch, (double)p[i].x, (double)p[i].y, (double)q->x, (double)q->y,
                          width * viewer->unit, ink, ink);
    }
}

static void draw_regions(throng_viewer *viewer, int32_t floor, const throng_map *plan)
{
    SDL_FPoint corner[CORNERS];
    for (int32_t r = 0; r < plan->region_count; r++) {
        const throng_region *region = &plan->regions[r];
        bool is_exit = throng_region_is_exit(plan, r, NULL);
        uint32_t rgb = is_exit ? THRONG_STYLE_EXIT : THRONG_STYLE_REGION;
        for (int32_t i = 0; i < region->count && i < CORNERS; i++)
            corner[i] = shown(viewer, floor, region->points[i], 0);
        int32_t count = region->count < CORNERS ? region->count : CORNERS;
        if (is_convex(region))
            throng_batch_convex(&viewer->batch, corner, count, throng_view_colour(rgb, is_exit ? 0.4f : 0.12f));
        outline(viewer, corner, count, 1, throng_view_colour(rgb, is_exit ? 0.95f : 0.35f));
    }
}

static void draw_walls(throng_viewer *viewer, int32_t floor, const throng_map *plan)
{
    SDL_Color ink = throng_view_colour(THRONG_STYLE_WALL, 1);
    double width = fmin(fmax(0.12 * viewer->camera.scale, 1), 4 * viewer->unit);
    for (int32_t r = 0; r < plan->ring_count; r++) {
        int32_t first = plan->ring_start[r], count = plan->ring_start[r + 1] - first;
        for (int32_t i = 0; i < count; i++) {
            SDL_FPoint a = shown(viewer, floor, plan->points[first + i], 0),
                       b = shown(viewer, floor, plan->points[first + (i + 1) % count], 0);
            throng_batch_line(&viewer->batch, (double)a.x, (double)a.y, (double)b.x, (double)b.y, width, ink, ink);
        }
    }
}

/* Left of the floor. */
static void draw_name(throng_viewer *viewer, int32_t floor, const throng_map *plan)
{
    SDL_FPoint left = {INFINITY, 0};
    for (int32_t i = 0; i < plan->point_count; i++) {
        SDL_FPoint p = shown(viewer, floor, plan->points[i], 0);
        left = p.x < left.x ? p : left;
    }
    throng_view_text(viewer, (double)left.x - 8 * viewer->unit, (double)left.y + 4 * viewer->unit, 12, THRONG_STYLE_INK,
                     true, THRONG_ALIGN_RIGHT, "%s", plan->name);
}

static void draw_floor(throng_viewer *viewer, int32_t floor)
{
    const struct throng_slab *slab = &viewer->floors.slabs[floor];
    draw_sides(viewer, floor, slab->plan);
    draw_area(viewer, floor, &slab->area);
    throng_smoke_layer_slab(viewer, floor, &slab->area);
    throng_heat_layer_slab(viewer, floor, &slab->area);
    draw_regions(viewer, floor, slab->plan);
    draw_walls(viewer, floor, slab->plan);
    throng_viewer_draw_doors(viewer, floor);
    throng_viewer_draw_bodies(viewer, floor);
    draw_name(viewer, floor, slab->plan);
}

/* ---- who is there */

typedef struct standing {
    int32_t level, entry; /* level: twice the floor's number, one less under it */
    float away;           /* m on the plane */
} standing;

static int by_depth(const void *a, const void *b)
{
    const standing *p = a, *q = b;
    if (p->level != q->level)
        return p->level < q->level ? -1 : 1;
    return p->away > q->away ? -1 : p->away < q->away ? 1 : p->entry - q->entry;
}

/* The halves of flights that end at a floor from below are drawn before it, and who is on them. */
static int32_t level_of(const throng_viewer *viewer, int32_t sheet)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    const throng_map_sheet *s = &sheets->list[sheet];
    bool below = s->flight && sheets->seams[throng_map_end_of(sheets, sheet)].left == sheet;
    return 2 * viewer->floors.floor_of[sheet] - below;
}

static standing *sort_people(throng_viewer *viewer)
{
    const throng_crowd *crowd = &viewer->crowd;
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    standing *list = malloc(((size_t)crowd->count + 1) * sizeof *list);
    int32_t *level = malloc((size_t)sheets->count * sizeof *level);
    for (int32_t i = 0; level && i < sheets->count; i++)
        level[i] = level_of(viewer, i);
    for (int32_t i = 0; list && level && i < crowd->count; i++)
        list[i] = (standing){level[crowd->sheet[i]], i, crowd->y[i]};
    if (list && level)
        qsort(list, (size_t)crowd->count, sizeof *list, by_depth);
    else {
        free(list);
        list = NULL;
    }
    free(level);
    return list;
}

static void draw_person(throng_viewer *viewer, int32_t entry)
{
    const throng_crowd *crowd = &viewer->crowd;
    throng_batch *batch = &viewer->batch;
    double scale = viewer->camera.scale, tall = BODY * throng_floors_upright(viewer) * scale;
    throng_point foot = throng_view_point(&viewer->camera, (double)crowd->x[entry], (double)crowd->y[entry]);
    double radius = fmax((double)crowd->radius[entry] * scale, 0.9 * viewer->unit);
    SDL_Color colour = crowd->colour[entry], shade = throng_view_colour(THRONG_STYLE_INK, 0.18f);
    if (crowd->count > WHOLE || radius < 2) {
        throng_batch_disc(batch, (float)foot.x, (float)foot.y, (float)fmax(radius, 1.2), colour);
        return;
    }
    throng_batch_disc(batch, (float)foot.x, (float)foot.y, (float)(1.2 * radius), shade);
    throng_batch_line(batch, foot.x, foot.y, foot.x, foot.y - tall + radius, 1.5 * radius, colour, colour);
    throng_batch_disc(batch, (float)foot.x, (float)(foot.y - tall), (float)radius, throng_view_colour(0xffffff, 0.9f));
    throng_batch_disc(batch, (float)foot.x, (float)(foot.y - tall), (float)(0.85 * radius), colour);
}

static int32_t draw_people(throng_viewer *viewer, const standing *list, int32_t from, int32_t level)
{
    for (; from < viewer->crowd.count && list[from].level <= level; from++)
        draw_person(viewer, list[from].entry);
    return from;
}

/* ---- all */

static void draw_halves(throng_viewer *viewer, int32_t level)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    for (int32_t i = 0; i < sheets->count; i++)
        if (sheets->list[i].flight && level_of(viewer, i) == level)
            throng_flight_draw(viewer, i, 1);
    for (int32_t l = 0; l < sheets->lift_count; l++)
        if (throng_lift_level(viewer, l) == level)
            throng_lift_draw(viewer, l);
}

void throng_stack_draw(throng_viewer *viewer)
{
    throng_error error;
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    if (!viewer->floors.slabs && !cut(viewer, map, &error)) {
        throng_slabs_fini(&viewer->floors);
        throng_floors_show(viewer, THRONG_FLOORS_ASIDE, viewer->floors.shown);
        throng_viewer_fail(viewer, &error);
        return;
    }
    standing *people = sort_people(viewer);
    for (int32_t f = 0, next = 0; f < viewer->floors.slab_count; f++) {
        draw_halves(viewer, 2 * f - 1);
        next = people ? draw_people(viewer, people, next, 2 * f - 1) : 0;
        draw_floor(viewer, f);
        draw_halves(viewer, 2 * f);
        next = people ? draw_people(viewer, people, next, 2 * f) : 0;
    }
    free(people);
    for (int32_t l = 0; l < map->sheets->lift_count; l++)
        throng_lift_label(viewer, l);
}
