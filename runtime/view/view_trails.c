#include "view_parts.h"

#include <math.h>
#include <stdlib.h>

static const double EVERY = 0.2; /* s between points */

/* The last points of one agent, a ring. */
struct throng_trail {
    int32_t id; /* -1: nobody's */
    int32_t count, next;
    float x[THRONG_TRAIL_POINTS], y[THRONG_TRAIL_POINTS]; /* m: places on the map, */
    int32_t sheet[THRONG_TRAIL_POINTS];                   /* and whose, of a building */
};

void throng_trails_fini(throng_trails *trails)
{
    free(trails->list);
    *trails = (throng_trails){.on = trails->on};
}

void throng_trails_toggle(throng_viewer *viewer)
{
    viewer->trails.on = !viewer->trails.on;
    throng_trails_fini(&viewer->trails);
    throng_viewer_note(viewer, viewer->trails.on ? "trails" : "no trails");
}

/* Of large crowds every n-th agent by slot, so that trails stay few enough to tell apart. */
static bool begin(throng_trails *trails, int32_t slots, throng_error *error)
{
    trails->list = calloc(THRONG_TRAILS, sizeof *trails->list);
    if (!trails->list)
        return throng_fail(error, "out of memory for trails");
    for (int32_t i = 0; i < THRONG_TRAILS; i++)
        trails->list[i].id = -1;
    trails->every = slots / THRONG_TRAILS + 1;
    trails->last = -EVERY;
    return true;
}

/* Has it gone on at the other side of a world that wraps? */
static bool crosses_seam(const throng_world *world, const struct throng_trail *trail, float x, float y)
{
    throng_point size = throng_world_wrap(world);
    int32_t last = (trail->next + THRONG_TRAIL_POINTS - 1) % THRONG_TRAIL_POINTS;
    return size.x > 0 && trail->count > 0 &&
           (fabs((double)(trail->x[last] - x)) > size.x / 2 || fabs((double)(trail->y[last] - y)) > size.y / 2);
}

bool throng_trails_step(throng_viewer *viewer, throng_error *error)
{
    throng_trails *trails = &viewer->trails;
    if (!trails->on || throng_shown_time(viewer) < trails->last + EVERY - 1e-9)
        return true;
    if (!throng_crowd_take(viewer, error) || (!trails->list && !begin(trails, throng_shown_slots(viewer), error)))
        return false;
    const throng_world *world = throng_viewer_world(viewer); /* a recording has none */
    const int32_t *ids = throng_shown_column(viewer, THRONG_COLUMN_id, error);
    trails->last = throng_shown_time(viewer);
    for (int32_t i = 0; ids && i < viewer->crowd.count; i++) {
        int32_t slot = viewer->crowd.slot[i], at = slot / trails->every, id = ids[slot];
        if (slot % trails->every != 0 || at >= THRONG_TRAILS)
            continue;
        struct throng_trail *trail = &trails->list[at];
        if (trail->id != id ||
            (world && crosses_seam(world, trail, viewer->crowd.place_x[i], viewer->crowd.place_y[i])))
            *trail = (struct throng_trail){.id = id};
        trail->x[trail->next] = viewer->crowd.place_x[i];
        trail->y[trail->next] = viewer->crowd.place_y[i];
        trail->sheet[trail->next] = viewer->crowd.sheet ? viewer->crowd.sheet[i] : -1;
        trail->next = (trail->next + 1) % THRONG_TRAIL_POINTS;
        trail->count += trail->count < THRONG_TRAIL_POINTS;
    }
    return ids || viewer->crowd.count == 0;
}

/* A point of it as a pixel; NAN where its floor is not shown. */
static throng_point pixel(const throng_viewer *viewer, const struct throng_trail *trail, int32_t p)
{
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    throng_point at = {(double)trail->x[p], (double)trail->y[p]};
    if (trail->sheet[p] >= 0 && viewer->floors.mode != THRONG_FLOORS_ASIDE)
        at = throng_floors_point(viewer, trail->sheet[p], throng_map_position(map, trail->sheet[p], at));
    return throng_view_point(&viewer->camera, at.x, at.y);
}

/* From where the agent is drawn back to where it was, fading. */
static void draw(throng_viewer *viewer, throng_ink *ink, const struct throng_trail *trail, int32_t entry)
{
    throng_point at = throng_view_point(&viewer->camera, viewer->crowd.x[entry], viewer->crowd.y[entry]);
    bool aside = viewer->floors.mode == THRONG_FLOORS_ASIDE;
    int32_t sheet = viewer->crowd.sheet ? viewer->crowd.sheet[entry] : -1;
    SDL_Color from = viewer->crowd.colour[entry];
    from.a = 150;
    for (int32_t k = 1; k <= trail->count; k++) {
        int32_t p = (trail->next - k + THRONG_TRAIL_POINTS) % THRONG_TRAIL_POINTS;
        throng_point to = pixel(viewer, trail, p);
        SDL_Color end = from;
        end.a = (uint8_t)(150 * (THRONG_TRAIL_POINTS - k) / THRONG_TRAIL_POINTS);
        bool leaps = aside && trail->sheet[p] != sheet; /* from floor to flight, which lie apart */
        if (isfinite(at.x) && isfinite(to.x) && !leaps)
            throng_ink_line(ink, at, to, 1.4 * viewer->unit, from, end);
        at = to;
        sheet = trail->sheet[p];
        from = end;
    }
}

void throng_trails_draw(throng_viewer *viewer)
{
    const throng_trails *trails = &viewer->trails;
    const int32_t *ids = trails->list ? throng_shown_column(viewer, THRONG_COLUMN_id, NULL) : NULL;
    throng_ink *ink = ids ? throng_ink_take(viewer) : NULL;
    for (int32_t i = 0; ink && i < viewer->crowd.count; i++) {
        int32_t slot = viewer->crowd.slot[i], at = slot / trails->every;
        if (slot % trails->every == 0 && at < THRONG_TRAILS && trails->list[at].id == ids[slot])
            draw(viewer, ink, &trails->list[at], i);
    }
}
