/* The places that are taken, from one spawn to the next: to put everybody into a grid anew for each of many small
 * spawns took a time that grew with the square of their number. */
#include <math.h>

#include "world_parts.h"

/* What the places are made of. */
static const int PLACES[] = {THRONG_COLUMN_x,     THRONG_COLUMN_y,         THRONG_COLUMN_floor, THRONG_COLUMN_radius,
                             THRONG_COLUMN_width, THRONG_COLUMN_shoulders, THRONG_COLUMN_state};

typedef struct bodies {
    const float *x, *y, *shoulders; /* NULL: everybody's are as they are at first */
    const int32_t *floor, *state;   /* NULL: there is one floor */
    world_sizes sizes;
} bodies;

static uint64_t edits_of(const throng_world *w)
{
    uint64_t edits = 0;
    for (size_t k = 0; k < sizeof PLACES / sizeof *PLACES; k++)
        edits += throng_agents_edits(w->agents, PLACES[k]);
    return edits;
}

static bool read_bodies(throng_world *w, bodies *b, throng_error *error)
{
    throng_agents *a = w->agents;
    bool turned = throng_agents_uses(a, THRONG_COLUMN_shoulders), floors = w->sheets.table.count > 0;
    b->x = throng_agents_read(a, THRONG_COLUMN_x, error);
    b->y = throng_agents_read(a, THRONG_COLUMN_y, error);
    b->shoulders = turned ? throng_agents_read(a, THRONG_COLUMN_shoulders, error) : NULL;
    b->floor = floors ? throng_agents_read(a, THRONG_COLUMN_floor, error) : NULL;
    b->state = throng_agents_read(a, THRONG_COLUMN_state, error);
    return b->x && b->y && b->state && (b->shoulders || !turned) && (b->floor || !floors) &&
           throng_world_read_sizes(a, &b->sizes, error);
}

static throng_occupant occupant_of(const throng_world *w, const bodies *b, int32_t slot)
{
    double radius = (double)b->sizes.radius[slot], arm = (double)throng_world_reach(&b->sizes, slot) - radius;
    double angle = b->shoulders ? (double)b->shoulders[slot] : throng_columns[THRONG_COLUMN_shoulders].initial;
    throng_occupant f = {{(double)b->x[slot], (double)b->y[slot]},
                         {arm > 0 ? arm * cos(angle) : 0, arm > 0 ? arm * sin(angle) : 0},
                         radius};
    if (b->floor)
        f.at = throng_sheets_place(&w->sheets.table, b->floor[slot], b->x[slot], b->y[slot]);
    return f;
}

static void add_body(throng_world *w, const bodies *b, int32_t slot)
{
    throng_occupant f = occupant_of(w, b, slot);
    throng_place_grid_add(&w->taken.grid, &f);
}

static float largest_of(const world_sizes *sizes, int32_t from, int32_t to)
{
    float largest = 0;
    for (int32_t slot = from; slot < to; slot++)
        largest = fmaxf(largest, throng_world_reach(sizes, slot));
    return largest;
}

bool throng_world_taken_known(const throng_world *w) { return w->taken.known && w->taken.edits == edits_of(w); }

bool throng_world_take_in(throng_world *w, int32_t more, double *largest, throng_error *error)
{
    world_taken *t = &w->taken;
    bodies b;
    bool known = throng_world_taken_known(w);
    int32_t slots = throng_agents_slots(w->agents), living = throng_agents_count(w->agents);
    if (!known) {
        t->known = false;
        throng_place_grid_shrink(&t->grid, 0);
        if (!read_bodies(w, &b, error))
            return false;
        t->largest = largest_of(&b.sizes, 0, slots);
    }
    *largest = fmax(*largest, fmax((double)t->largest, living ? (double)w->frame.radius : 0));
    if (more > INT32_MAX - living || !throng_place_grid_reserve(&t->grid, *largest, living + more))
        return throng_fail(error, "out of memory for placing %d agents", more);
    for (int32_t slot = 0; !known && slot < slots; slot++)
        if (b.state[slot])
            add_body(w, &b, slot);
    t->slots = slots;
    t->edits = edits_of(w);
    return t->known = true;
}

void throng_world_take(throng_world *w, const throng_handle *handles, int32_t count)
{
    world_taken *t = &w->taken;
    bodies b;
    int32_t slots = throng_agents_slots(w->agents);
    bool fresh = true; /* a slot that was used before may have been the largest one's */
    for (int32_t i = 0; i < count; i++)
        fresh = fresh && handles[i].slot >= t->slots;
    t->known = fresh && read_bodies(w, &b, NULL);
    if (!t->known)
        return;
    float largest = fmaxf(t->largest, largest_of(&b.sizes, t->slots, slots));
    t->known = throng_place_grid_reserve(&t->grid, fmax(t->grid.largest, (double)largest), t->grid.count + count);
    for (int32_t i = 0; t->known && i < count; i++)
        add_body(w, &b, handles[i].slot);
    t->largest = largest;
    t->slots = slots;
    t->edits = edits_of(w);
}

int32_t throng_world_count_inside(throng_world *w, int32_t *first)
{
    bodies b;
    throng_place_grid grid = {0};
    int32_t count = 0, slots = throng_agents_slots(w->agents);
    if (slots == 0 || !read_bodies(w, &b, NULL) ||
        !throng_place_grid_reserve(&grid, (double)largest_of(&b.sizes, 0, slots), slots))
        return 0;
    for (int32_t slot = 0; slot < slots; slot++) {
        if (!(b.state[slot] & THRONG_STATE_ALIVE))
            continue;
        throng_occupant f = occupant_of(w, &b, slot);
        f.radius *= 0.5; /* so that who merely touches, or leans on others, is not meant */
        if (!throng_place_grid_free(&grid, &f) && count++ == 0)
            *first = slot;
        throng_place_grid_add(&grid, &f);
    }
    throng_place_grid_free_all(&grid);
    return count;
}

void throng_world_free_taken(throng_world *w)
{
    throng_place_grid_free_all(&w->taken.grid);
    w->taken.known = false;
}
