/* What is around agents: who is near, and how far it is to what stands in the way of rays. */
#include <math.h>
#include <stdlib.h>

#include "nearest.h"
#include "world_parts.h"

enum { MOST_SEEN = 256 }; /* the nearest so many count */

typedef struct look {
    const throng_surroundings_def *def;
    const throng_walls *walls;
    const throng_sheets *sheets;
    const float *x, *y, *vx, *vy, *radius; /* by slot */
    const int32_t *floor;                  /* by slot; NULL: there is one */
    throng_point *places;                  /* [count] m: of those who live, in a building laid out side by side */
    int32_t *slot_of, *order;              /* [count] */
    double *ways;                          /* [2 * rays] unit vectors */
    int32_t *met;                          /* [walls] who met it last: slot + 1 */
    int32_t count;
} look;

static void free_look(look *l)
{
    free(l->places);
    free(l->slot_of);
    free(l->order);
    free(l->ways);
    free(l->met);
}

static bool read_columns(throng_world *w, look *l, throng_error *error)
{
    throng_agents *a = w->agents;
    return (l->x = throng_agents_read(a, THRONG_COLUMN_x, error)) &&
           (l->y = throng_agents_read(a, THRONG_COLUMN_y, error)) &&
           (l->vx = throng_agents_read(a, THRONG_COLUMN_vx, error)) &&
           (l->vy = throng_agents_read(a, THRONG_COLUMN_vy, error)) &&
           (l->radius = throng_agents_read(a, THRONG_COLUMN_radius, error)) &&
           (!l->sheets->count || (l->floor = throng_agents_read(a, THRONG_COLUMN_floor, error)));
}

static throng_point place_of(const look *l, int32_t slot)
{
    return l->floor ? throng_sheets_place(l->sheets, l->floor[slot], l->x[slot], l->y[slot])
                    : (throng_point){(double)l->x[slot], (double)l->y[slot]};
}

static bool sort_people(throng_world *w, look *l, throng_error *error)
{
    size_t living = (size_t)throng_agents_count(w->agents) + 1, rays = (size_t)l->def->rays;
    l->places = malloc(living * sizeof *l->places);
    l->slot_of = malloc(living * sizeof *l->slot_of);
    l->order = malloc(living * sizeof *l->order);
    l->ways = malloc((2 * rays + 1) * sizeof *l->ways);
    l->met = calloc((size_t)l->walls->count + 1, sizeof *l->met);
    if (!l->places || !l->slot_of || !l->order || !l->ways || !l->met)
        return throng_fail(error, "out of memory for what is around %d agents", (int)living - 1);
    for (int32_t slot = 0; slot < throng_agents_slots(w->agents); slot++)
        if (throng_agents_alive(w->agents, throng_agents_handle(w->agents, slot))) {
            l->places[l->count] = place_of(l, slot);
            l->slot_of[l->count] = slot;
            l->order[l->count] = l->count;
            l->count++;
        }
    throng_nearest_sort(l->order, l->count, l->places);
    for (size_t k = 0; k < rays; k++) {
        double angle = 2 * acos(-1.0) * (double)k / (double)rays;
        l->ways[2 * k] = cos(angle);
        l->ways[2 * k + 1] = sin(angle);
    }
    return true;
}

/* ---- rays: `to` has the least distance of each so far, m */

static void meet_disc(const look *l, double x, double y, double radius, float *to)
{
    double beside = x * x + y * y - radius * radius;
    for (int32_t k = 0; k < l->def->rays; k++) {
        double along = x * l->ways[2 * k] + y * l->ways[2 * k + 1], square = along * along - beside;
        if (along > 0 && square >= 0)
            to[k] = fminf(to[k], (float)fmax(along - sqrt(square), 0));
    }
}

static void meet_wall(const look *l, int32_t s, double x, double y, float *to)
{
    const throng_walls *w = l->walls;
    double ax = w->ax[s] - x, ay = w->ay[s] - y, ex = w->bx[s] - (double)w->ax[s], ey = w->by[s] - (double)w->ay[s];
    for (int32_t k = 0; k < l->def->rays; k++) {
        double cross = l->ways[2 * k] * ey - l->ways[2 * k + 1] * ex;
        if (cross == 0)
            continue; /* a wall beside the ray ends at others */
        double along = (ax * ey - ay * ex) / cross;
        double on = (ax * l->ways[2 * k + 1] - ay * l->ways[2 * k]) / cross;
        if (along >= 0 && on >= 0 && on <= 1)
            to[k] = fminf(to[k], (float)along);
    }
}

static int32_t cell_at(double position, float origin, float cell, int32_t count)
{
    double c = floor((position - (double)origin) / (double)cell);
    return c < 0 ? 0 : c >= count ? count - 1 : (int32_t)c;
}

/* What the grid lists within the range. */
static void meet_walls(const look *l, const throng_wall_grid *g, int32_t slot, float *to)
{
    throng_point at = place_of(l, slot);
    double range = l->def->range;
    if (!g->start)
        return;
    int32_t c1 = cell_at(at.x + range, g->origin_x, g->cell, g->columns);
    int32_t r1 = cell_at(at.y + range, g->origin_y, g->cell, g->rows);
    for (int32_t r = cell_at(at.y - range, g->origin_y, g->cell, g->rows); r <= r1; r++)
        for (int32_t c = cell_at(at.x - range, g->origin_x, g->cell, g->columns); c <= c1; c++) {
            int32_t cell = r * g->columns + c;
            for (int32_t i = g->start[cell]; i < g->start[cell + 1]; i++) {
                int32_t s = g->list[i];
                bool met = l->met[s] == slot + 1;
                l->met[s] = slot + 1;
                if (!met && (!l->floor || l->walls->sheet[s] == l->floor[slot]))
                    meet_wall(l, s, (double)l->x[slot], (double)l->y[slot], to);
            }
        }
}

/* ---- of one agent */

static void look_around(const look *l, int32_t slot, float *to)
{
    throng_found found[MOST_SEEN];
    int32_t wanted = l->def->neighbours, seen = 0;
    float *rays = to + 4 * wanted;
    for (int32_t k = 0; k < l->def->rays; k++)
        rays[k] = (float)l->def->range;
    int32_t count =
        throng_nearest_find(l->order, l->count, l->places, place_of(l, slot), l->def->range, found, MOST_SEEN);
    for (int32_t i = 0; i < count; i++) {
        int32_t other = l->slot_of[found[i].number];
        if (other == slot || (l->floor && l->floor[other] != l->floor[slot]))
            continue;
        float x = l->x[other] - l->x[slot], y = l->y[other] - l->y[slot];
        meet_disc(l, (double)x, (double)y, (double)l->radius[other], rays);
        if (seen < wanted) {
            float *neighbour = to + 4 * seen++;
            neighbour[0] = x;
            neighbour[1] = y;
            neighbour[2] = l->vx[other] - l->vx[slot];
            neighbour[3] = l->vy[other] - l->vy[slot];
        }
    }
    for (int32_t i = 4 * seen; i < 4 * wanted; i++)
        to[i] = 0;
    meet_walls(l, &l->walls->still, slot, rays);
    meet_walls(l, &l->walls->moving, slot, rays);
}

bool throng_world_surroundings(throng_world *w, const throng_surroundings_def *def, const int32_t *slots, int32_t count,
                               float *to, int32_t stride, throng_error *error)
{
    look l = {.def = def, .walls = &w->walls.table, .sheets = &w->sheets.table};
    if (throng_world_wrap(w).x > 0)
        return throng_fail(error, "rays and neighbours do not reach over the edges of a world that wraps: observe "
                                  "columns alone there");
    bool ok = throng_world_begin_frame(w, error) && throng_world_sync_backend(w, error) && read_columns(w, &l, error) &&
              sort_people(w, &l, error);
    for (int32_t i = 0; ok && i < count; i++)
        look_around(&l, slots[i], to + (size_t)i * (size_t)stride);
    free_look(&l);
    return ok;
}
