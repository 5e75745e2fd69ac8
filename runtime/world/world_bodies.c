/* Rigid bodies in the world: their places, and what passes between them and the agents. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/random.h"
#include "base/watchdog.h"
#include "map/ring_list.h"
#include "world_parts.h"

enum { DARTS = 2000 };

throng_bodies_def throng_bodies_def_default(void)
{
    throng_body_def body = throng_body_def_default();
    return (throng_bodies_def){.count = 1, .mass.a = body.mass, .friction.a = body.friction};
}

/* --- places ------------------------------------------------------------------------------------ */

/* Who is placed, and who stands there already. */
typedef struct placing {
    throng_world *world;
    const throng_bodies_def *def;
    throng_bounds bounds;
    const float *x, *y; /* places of the agents */
    world_sizes sizes;
    const int32_t *state;
} placing;

static bool begin(placing *p, throng_error *error)
{
    throng_agents *a = p->world->agents;
    if (throng_agents_slots(a) &&
        !(throng_world_places(p->world, &p->x, &p->y, error) && throng_world_read_sizes(a, &p->sizes, error) &&
          (p->state = throng_agents_read(a, THRONG_COLUMN_state, error))))
        return false;
    if (!p->def->positions)
        p->bounds = throng_world_areas_bounds(p->world, p->def->areas, p->def->area_count);
    return true;
}

/* By the nearer way, where the world wraps. */
static double shorter(double d, double size) { return size > 0 ? d - size * rint(d / size) : d; }

static bool agent_near(const placing *p, throng_point at, double reach)
{
    throng_point size = throng_world_wrap(p->world);
    for (int32_t s = 0; s < throng_agents_slots(p->world->agents); s++) {
        double x = shorter((double)p->x[s] - at.x, size.x), y = shorter((double)p->y[s] - at.y, size.y);
        double far = reach + (double)throng_world_reach(&p->sizes, s);
        if (p->state[s] && x * x + y * y < far * far)
            return true;
    }
    return false;
}

/* Does the sheet lie still and level, so that a body may stand on it? */
static bool is_level(const throng_map_sheet *sheet)
{
    return sheet->kind == THRONG_SHEET_FLOOR || sheet->kind == THRONG_SHEET_LANDING;
}

/* The sheet that a body at a place is on, -1: none stands there. */
static int32_t sheet_for(const throng_world *w, throng_point at)
{
    const throng_map_sheets *s = w->map ? w->map->sheets : NULL;
    int32_t sheet = s ? throng_map_sheet_at(w->map, at) : 0;
    return !s || is_level(&s->list[sheet]) ? sheet : -1;
}

/* Is a disc of `reach` round the point free? */
static bool fits(const placing *p, throng_point at, double reach)
{
    const throng_world *w = p->world;
    return sheet_for(w, at) >= 0 && throng_world_in_areas(p->def->areas, p->def->area_count, at) &&
           (!w->map || throng_map_fits(w->map, at, reach)) && !throng_world_body_near(w, at, reach) &&
           !agent_near(p, at, reach);
}

/* A random number for the next body. */
static double draw(const throng_world *w, uint32_t attempt, uint32_t which)
{
    return throng_random(w->seed, w->bodies.made, attempt, which, THRONG_RANDOM_BODY);
}

/* In the box round all areas; where that finds none, since they fill little of it, in the boxes round each. */
static bool find_place(const placing *p, double reach, throng_point *at)
{
    const throng_bodies_def *d = p->def;
    uint32_t darts = d->area_count > 1 ? 2 * DARTS : DARTS;
    throng_bounds b = p->bounds;
    for (uint32_t attempt = 0; attempt < darts && !throng_given_up(); attempt++) {
        if (attempt >= DARTS)
            b = throng_world_draw_area(p->world, d->areas, d->area_count, draw(p->world, attempt, 2));
        at->x = b.x0 + draw(p->world, attempt, 0) * (b.x1 - b.x0);
        at->y = b.y0 + draw(p->world, attempt, 1) * (b.y1 - b.y0);
        if (fits(p, *at, reach))
            return true;
    }
    return false;
}

/* --- one body ------------------------------------------------------------------------------------ */

enum { WIDTH = 1000, HEIGHT, RADIUS, ANGLE, MASS, FRICTION }; /* what is sampled: beyond the agents' columns */

static double sample(const throng_world *w, const throng_sampler *sampler, uint32_t what)
{
    return throng_world_sample(sampler, w->seed, w->bodies.made, what);
}

static void box(throng_body_def *b, double width, double height)
{
    double x = 0.5 * width, y = 0.5 * height;
    b->count = 4;
    b->points[0] = (throng_point){-x, -y};
    b->points[1] = (throng_point){x, -y};
    b->points[2] = (throng_point){x, y};
    b->points[3] = (throng_point){-x, y};
}

static bool shape(const throng_world *w, const throng_bodies_def *d, throng_body_def *b, throng_error *error)
{
    if (d->shape == THRONG_BOX) {
        double width = sample(w, &d->width, WIDTH), height = sample(w, &d->height, HEIGHT);
        if (!(width >= 0.01 && width <= 1000 && height >= 0.01 && height <= 1000))
            return throng_fail(error, "box: the sides must be 0.01 .. 1000 m, not %g and %g", width, height);
        box(b, width, height);
    } else if (d->shape == THRONG_CIRCLE) {
        b->radius = sample(w, &d->radius, RADIUS);
    } else {
        b->count = d->point_count;
        for (int32_t i = 0; i < d->point_count && i < THRONG_BODY_CORNERS; i++)
            b->points[i] = d->points[i];
    }
    return true;
}

/* m^2; 0 or less of a polygon that is none. */
static double area_of(const throng_body_def *b)
{
    return b->count ? throng_ring_area(b->points, b->count < THRONG_BODY_CORNERS ? b->count : THRONG_BODY_CORNERS)
                    : M_PI * b->radius * b->radius;
}

/* How far the farthest point of the shape is from its place. */
static double reach_of(const throng_body_def *b)
{
    double reach = b->radius;
    for (int32_t i = 0; i < b->count && i < THRONG_BODY_CORNERS; i++)
        reach = fmax(reach, sqrt(b->points[i].x * b->points[i].x + b->points[i].y * b->points[i].y));
    return reach;
}

/* The middle of the shape where it is placed. */
static throng_point middle_of(const throng_body_def *b, throng_point at)
{
    double sine = sin(b->angle), cosine = cos(b->angle);
    for (int32_t i = 0; i < b->count && i < THRONG_BODY_CORNERS; i++) {
        at.x += (cosine * b->points[i].x - sine * b->points[i].y) / b->count;
        at.y += (sine * b->points[i].x + cosine * b->points[i].y) / b->count;
    }
    return at;
}

static bool fits_wrap(const throng_world *w, throng_point at, double reach, throng_error *error)
{
    throng_point size = throng_world_wrap(w);
    if (size.x > 0 && 4 * reach > fmin(size.x, size.y))
        return throng_fail(error,
                           "a body that reaches %g m from its place is too large for a world of %g x %g m that "
                           "wraps: it would meet itself; make it at most half as wide as the world",
                           reach, size.x, size.y);
    return throng_world_holds(w, at) ||
           throng_fail(error, "(%g, %g) lies outside of the world, which is %g x %g m from (0, 0)", at.x, at.y, size.x,
                       size.y);
}

static bool fail_to_stand(const throng_world *w, throng_point at, throng_error *error)
{
    int32_t sheet = throng_map_sheet_at(w->map, at);
    at = throng_map_position(w->map, sheet, at);
    return throng_fail(error, "(%g, %g) is on \"%s\", where no body can stand; put it on a floor or a landing", at.x,
                       at.y, w->map->sheets->list[sheet].name);
}

/* Of areas that are all on stairs or in lifts, that is why nothing fits. */
static bool fail_to_fit(const placing *p, int32_t n, throng_error *error)
{
    const throng_bodies_def *d = p->def;
    bool level = !d->area_count;
    for (int32_t i = 0; i < d->area_count; i++)
        level |= sheet_for(p->world, d->areas[i].points[0]) >= 0;
    return level ? throng_fail(error, "only %d of %d bodies fit; give fewer, smaller ones, or more room", n, d->count)
                 : fail_to_stand(p->world, d->areas[0].points[0], error);
}

static bool place(const placing *p, int32_t n, throng_handle *handle, throng_error *error)
{
    throng_world *w = p->world;
    const throng_bodies_def *d = p->def;
    throng_body_def b = {.angle = sample(w, &d->angle, ANGLE),
                         .mass = sample(w, &d->mass, MASS),
                         .friction = sample(w, &d->friction, FRICTION),
                         .vx = d->vx,
                         .vy = d->vy,
                         .spin = d->spin,
                         .fixed = d->fixed};
    if (!shape(w, d, &b, error))
        return false;
    if (d->dense && area_of(&b) > 0)
        b.mass *= area_of(&b);
    throng_point at = {0, 0};
    if (d->positions)
        at = d->positions[n];
    else if (!find_place(p, reach_of(&b), &at))
        return fail_to_fit(p, n, error);
    throng_point middle = middle_of(&b, at);
    if (d->positions && !d->fixed && w->map && !throng_map_fits(w->map, middle, 0)) {
        throng_point shown = throng_map_position_at(w->map, middle);
        return throng_fail(error, "(%g, %g) %s; move it, or make it static", shown.x, shown.y,
                           throng_world_beyond(w, middle) ? "lies beyond the map" : "is inside a wall");
    }
    if (!fits_wrap(w, at, reach_of(&b), error))
        return false;
    b.x = at.x;
    b.y = at.y;
    if ((b.sheet = sheet_for(w, middle)) < 0)
        return fail_to_stand(w, middle, error);
    w->bodies.made++;
    return throng_bodies_add(w->bodies.all, &b, handle, error);
}

/* In the middle of a frame bodies may be moved, but neither come nor go. */
static bool check_free(throng_world *w, throng_error *error)
{
    world_phases_restart(&w->phases);
    return !w->phases.hooked ||
           throng_fail(
               error,
               "bodies cannot be made, removed or weighed in a hook of a stage; do it in world:on_step or world:at");
}

bool throng_world_remove_body(throng_world *w, throng_handle handle, throng_error *error)
{
    if (!check_free(w, error))
        return false;
    throng_bodies_remove(w->bodies.all, handle);
    w->bodies.changed = w->bodies.remade = true;
    return true;
}

bool throng_world_weigh_body(throng_world *w, throng_handle handle, double mass, double friction, throng_error *error)
{
    if (!check_free(w, error))
        return false;
    throng_bodies_weigh(w->bodies.all, handle, mass, friction);
    w->bodies.changed = w->bodies.remade = true; /* agents that heed it, or not, are told */
    return true;
}

throng_body throng_world_body(const throng_world *w, throng_handle handle)
{
    throng_body body;
    throng_bodies_get(w->bodies.all, handle, &body);
    throng_point at = throng_map_position(w->map, body.sheet, (throng_point){body.x, body.y});
    body.x = at.x;
    body.y = at.y;
    return body;
}

bool throng_world_put_body(throng_world *w, throng_handle handle, const throng_body *body, throng_error *error)
{
    throng_point at = {body->x, body->y};
    if (w->map && w->map->sheets) {
        const throng_map_sheet *s = &w->map->sheets->list[body->sheet];
        if (!is_level(s))
            return throng_fail(error, "no body can stand on \"%s\"; put it on a floor or a landing", s->name);
        if (at.x < s->bounds.x0 || at.x > s->bounds.x1 || at.y < s->bounds.y0 || at.y > s->bounds.y1)
            return throng_fail(error, "(%g, %g) is not on \"%s\", which goes from (%g, %g) to (%g, %g)", at.x, at.y,
                               s->name, s->bounds.x0, s->bounds.y0, s->bounds.x1, s->bounds.y1);
        at = throng_map_place(w->map, body->sheet, at);
    }
    w->bodies.changed = true;
    w->bodies.remade |= body->sheet != throng_world_body(w, handle).sheet; /* a backend keeps what no move changes */
    throng_bodies_put(w->bodies.all, handle, body->sheet, at.x, at.y, body->angle);
    return true;
}

throng_bodies *throng_world_need_bodies(throng_world *w, throng_error *error)
{
    if (!w->bodies.all && !(w->bodies.all = throng_bodies_create(w->dt, throng_world_wrap(w))))
        throng_fail(error, "out of memory for bodies");
    w->bodies.changed = w->bodies.remade = true;
    return w->bodies.all;
}

bool throng_world_place_bodies(throng_world *w, const throng_bodies_def *d, throng_handle *handles, throng_error *error)
{
    placing p = {.world = w, .def = d};
    uint32_t made = w->bodies.made;
    bool had_bodies = w->bodies.all;
    int32_t n = 0;
    if (!check_free(w, error))
        return false;
    if (throng_world_need_bodies(w, error) && begin(&p, error))
        while (n < d->count && place(&p, n, &handles[n], error))
            n++;
    if (n == d->count)
        return true;
    w->bodies.made = made;
    if (!had_bodies) { /* at once: Chipmunk looks for each that is removed among all */
        throng_bodies_destroy(w->bodies.all);
        w->bodies.all = NULL;
        return false;
    }
    while (n--)
        throng_bodies_remove(w->bodies.all, handles[n]);
    return false;
}

const throng_bodies *throng_world_bodies(const throng_world *w) { return w->bodies.all; }

throng_bodies *throng_world_change_bodies(throng_world *w)
{
    w->bodies.changed = true;
    return w->bodies.all;
}

/* --- the frame ----------------------------------------------------------------------------------- */

float throng_world_body_reach(const throng_world *w)
{
    double fastest = THRONG_BODY_FASTEST + (double)w->frame.max_speed;
    return w->bodies.all ? w->frame.bulk_radius + (float)(1.01 * fastest * w->dt) : 0;
}

bool throng_world_follow_bodies(throng_world *w, throng_error *error)
{
    if (!w->bodies.changed || w->phases.hooked)
        return true;
    bool ok = w->bodies.remade ? throng_world_build_sides(w, error)
                               : throng_world_fill_sides(w, error) &&
                                     (w->walls.changed || /* all of them are to go */
                                      w->stages.api->set_sides(w->stages.backend, &w->walls.table, error));
    w->bodies.changed = !ok;
    w->bodies.remade = w->bodies.remade && !ok;
    return ok;
}

static bool fetch_near(throng_world *w, int32_t *count, throng_error *error)
{
    const throng_backend_api *api = w->stages.api;
    *count = w->bodies.near_room;
    if (!api->near_bodies(w->stages.backend, w->bodies.near, count, error))
        return false;
    if (*count <= w->bodies.near_room)
        return true;
    if (!throng_array_reserve((void **)&w->bodies.near, &w->bodies.near_room, *count, sizeof *w->bodies.near))
        return throng_fail(error, "out of memory for %d agents near bodies", *count);
    *count = w->bodies.near_room;
    return api->near_bodies(w->stages.backend, w->bodies.near, count, error);
}

/* Their places for their positions. */
static void lay_out(const throng_world *w, throng_near *near, int32_t count)
{
    for (int32_t i = 0; w->sheets.table.count && i < count; i++) {
        throng_point place = throng_sheets_place(&w->sheets.table, near[i].sheet, near[i].x, near[i].y);
        near[i].x = (float)place.x;
        near[i].y = (float)place.y;
    }
}

bool throng_world_move_bodies(throng_world *w, throng_error *error)
{
    const throng_backend_api *api = w->stages.api;
    int32_t count = 0;
    if (!w->walls.table.sides)
        return true; /* follow_bodies has seen to it that there are as many as bodies have */
    if (w->frame.agents && !fetch_near(w, &count, error))
        return false;
    lay_out(w, w->bodies.near, count);
    if (!throng_bodies_step(w->bodies.all, w->bodies.near, count, THRONG_BODY_FASTEST, error))
        return false;
    for (int32_t i = 0; i < count; i++) {
        const throng_near *a = &w->bodies.near[i];
        w->frame.max_speed = fmaxf(w->frame.max_speed, sqrtf(a->wish_x * a->wish_x + a->wish_y * a->wish_y));
    }
    bool ok = api->push(w->stages.backend, w->bodies.near, count, error) && throng_world_fill_sides(w, error) &&
              api->set_sides(w->stages.backend, &w->walls.table, error);
    w->bodies.changed = !ok || w->bodies.remade;
    return ok;
}

void throng_world_free_bodies(throng_world *w)
{
    throng_bodies_destroy(w->bodies.all);
    free(w->bodies.near);
}
