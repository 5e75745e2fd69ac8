/* Bodies that stand in the way: routes are found round them.
 *
 * Once a second the host looks where every body is. One stands when it has rested for a second (at first sight it
 * needs only to be at rest) and people do not shove it aside: it is static, or so heavy that they avoid it, or they
 * have pressed it for two seconds and it stayed. It no longer stands where it did when it is gone or has slipped by two
 * centimetres. When those that stand have changed, they are laid over the meshes (navmesh_cover.c), and routes are
 * found again: round them; where there is no other way, through them, up to where they stop people, who then say what
 * they are stuck at. Everything is decided on the host from exact places at fixed steps, so it is the same on every
 * backend; a world without bodies does none of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cache.h"
#include "navigation/path_net.h"
#include "world_parts.h"

static const double EVERY = 1;   /* s: between two looks */
static const double REST = 1;    /* s */
static const double STIR = 0.05; /* m: what has moved less between two looks rests: a crowd may lean on it */
static const double SLIP = 0.02; /* m */
static const double PRESSED = 2; /* s */
static const double AVOIDED =
    20; /* kg: people, of 80 kg, walk round what is a quarter as heavy (kernels/sense/walls.h) */

/* What is known of the body in a slot. */
typedef struct world_stand {
    uint32_t generation;
    bool known, stands;
    double x, y, angle;                       /* at the last look */
    double rested;                            /* s */
    double pressed;                           /* s of these, without a break */
    throng_point corner[THRONG_BODY_CORNERS]; /* where it stands, */
    int32_t corners;
    int32_t sheet; /* and on which sheet */
} world_stand;

/* --- who stands --- */

static double moved(const world_stand *s, const throng_body *b, double reach)
{
    return fabs(b->x - s->x) + fabs(b->y - s->y) + fabs(b->angle - s->angle) * reach;
}

/* m: how far the farthest corner is from where it stood. */
static double slipped(const world_stand *s, const throng_point *corner)
{
    double most = 0;
    for (int32_t i = 0; i < s->corners; i++)
        most = fmax(most, hypot(corner[i].x - s->corner[i].x, corner[i].y - s->corner[i].y));
    return most;
}

static void rest(world_stand *s, const throng_body *b, double reach, bool pressed)
{
    bool rests = s->known ? moved(s, b, reach) <= STIR : b->vx == 0 && b->vy == 0 && b->spin == 0;
    s->rested = !rests ? 0 : s->known ? s->rested + EVERY : REST;
    s->pressed = rests && pressed ? s->pressed + EVERY : 0;
    s->known = true;
    s->x = b->x;
    s->y = b->y;
    s->angle = b->angle;
}

/* Looks at the body in a slot; true when it has begun or ceased to stand. */
static bool look_at(throng_bodies *bodies, int32_t slot, world_stand *s)
{
    throng_handle handle = throng_bodies_handle(bodies, slot);
    throng_point corner[THRONG_BODY_CORNERS];
    throng_body b;
    if (!throng_bodies_alive(bodies, handle) || s->generation != handle.generation) {
        bool stood = s->stands;
        *s = (world_stand){.generation = handle.generation};
        if (!throng_bodies_alive(bodies, handle))
            return stood;
        return look_at(bodies, slot, s) || stood;
    }
    throng_bodies_get(bodies, handle, &b);
    rest(s, &b, throng_bodies_reach(bodies, slot), throng_bodies_take_pressed(bodies, slot));
    int32_t corners = throng_bodies_outline(bodies, slot, corner);
    bool stays = s->stands && slipped(s, corner) <= SLIP;
    bool stands = stays || (s->rested >= REST && (b.fixed || b.mass >= AVOIDED || s->pressed >= PRESSED));
    if (stays || (!stands && !s->stands))
        return false;
    s->stands = stands;
    s->corners = corners;
    s->sheet = b.sheet;
    memcpy(s->corner, corner, (size_t)corners * sizeof *corner);
    return true;
}

static bool look(throng_world *w, bool *changed, throng_error *error)
{
    world_standing *all = &w->bodies.standing;
    int32_t slots = throng_bodies_slots(w->bodies.all), from = all->room;
    if (!throng_array_reserve((void **)&all->list, &all->room, slots, sizeof *all->list))
        return throng_fail(error, "out of memory for the places of %d standing bodies", slots);
    memset(all->list + from, 0, (size_t)(all->room - from) * sizeof *all->list);
    for (int32_t i = 0; i < slots; i++)
        *changed |= look_at(w->bodies.all, i, &all->list[i]);
    return true;
}

/* --- their outlines --- */

static const double ROUND = 1; /* m: what of an outline lies farther outside of a sheet is not on it */

/* The part of a convex outline where nx x + ny y <= most. */
static int32_t clip(const throng_point *from, int32_t count, double nx, double ny, double most, throng_point *to)
{
    int32_t made = 0;
    for (int32_t i = 0; i < count; i++) {
        throng_point p = from[i], q = from[(i + 1) % count];
        double a = nx * p.x + ny * p.y - most, b = nx * q.x + ny * q.y - most;
        if (a <= 0)
            to[made++] = p;
        if (a * b < 0)
            to[made++] = throng_between(p, q, a / (a - b));
    }
    return made;
}

/* What of an outline on the plan is on a sheet, or just outside of it, where that is laid out; how many corners. */
static int32_t lay_out(const throng_map_sheet *sheet, const throng_point *outline, int32_t count, throng_point *to)
{
    throng_point a[THRONG_COVER_CORNERS];
    const throng_bounds *b = &sheet->bounds;
    count = clip(outline, count, 1, 0, b->x1 + ROUND, a);
    count = clip(a, count, -1, 0, ROUND - b->x0, to);
    count = clip(to, count, 0, 1, b->y1 + ROUND, a);
    count = clip(a, count, 0, -1, ROUND - b->y0, to);
    for (int32_t i = 0; i < count; i++)
        to[i] = (throng_point){to[i].x + sheet->offset.x, to[i].y + sheet->offset.y};
    return count < 3 ? 0 : count;
}

/* The sheet at the n-th look of what stands on one: that, then those joined to it. -1: there are no more. */
static int32_t seen_from(const throng_sheets *t, int32_t sheet, int32_t n)
{
    if (n == 0)
        return sheet;
    int32_t q = t->seam_start[sheet] + n - 1;
    return q < t->seam_start[sheet + 1] ? t->beyond[q] : -1;
}

/* Of one that stands in a building, on its sheet and on those joined to it; `list` NULL: counts them. How many. */
static int32_t outlines_of(const throng_world *w, const world_stand *s, throng_region *list, throng_point *points)
{
    throng_point on_plan[THRONG_BODY_CORNERS], corner[THRONG_COVER_CORNERS];
    int32_t made = 0, sheet;
    for (int32_t i = 0; i < s->corners; i++)
        on_plan[i] = throng_map_position(w->map, s->sheet, s->corner[i]);
    for (int32_t n = 0; (sheet = seen_from(&w->sheets.table, s->sheet, n)) >= 0; n++) {
        int32_t count = lay_out(&w->map->sheets->list[sheet], on_plan, s->corners, corner);
        if (count && list) {
            throng_point *at = points + (size_t)made * THRONG_COVER_CORNERS;
            memcpy(at, corner, (size_t)count * sizeof *at);
            list[made] = (throng_region){.points = at, .count = count};
        }
        made += count > 0;
    }
    return made;
}

/* In a building; one block, corners behind the outlines. NULL when memory is out. */
static throng_region *outlines_on_floors(const throng_world *w, int32_t *count)
{
    const world_standing *all = &w->bodies.standing;
    size_t most = 0, made = 0;
    for (int32_t i = 0; i < all->room; i++)
        most += all->list[i].stands ? (size_t)outlines_of(w, &all->list[i], NULL, NULL) : 0;
    throng_region *list = malloc(most * (sizeof *list + THRONG_COVER_CORNERS * sizeof(throng_point)) + 1);
    throng_point *points = (throng_point *)(list + most);
    for (int32_t i = 0; list && i < all->room; i++)
        if (all->list[i].stands)
            made += (size_t)outlines_of(w, &all->list[i], list + made, points + made * THRONG_COVER_CORNERS);
    *count = (int32_t)made;
    return list;
}

/* The outlines of those that stand, in every tile of the floor. NULL when memory is out. */
static throng_region *outlines(throng_world *w, int32_t *count)
{
    const world_standing *all = &w->bodies.standing;
    if (w->sheets.table.count)
        return outlines_on_floors(w, count);
    throng_region *list = malloc(((size_t)all->room + 1) * sizeof *list);
    *count = 0;
    for (int32_t i = 0; list && i < all->room; i++)
        if (all->list[i].stands)
            list[(*count)++] = (throng_region){.points = all->list[i].corner, .count = all->list[i].corners};
    if (!list || !throng_world_tiles(w))
        return list;
    throng_region *tiled = NULL;
    if (*count)
        throng_world_regions_in_tiles(w, list, count, &tiled, NULL);
    free(*count ? list : NULL);
    return *count ? tiled : list;
}

/* --- another mesh in the place of one --- */

typedef struct named_edge {
    float at[4];
    int32_t edge;
} named_edge;

static int compare_edges(const void *a, const void *b)
{
    const named_edge *p = a, *q = b;
    for (int i = 0; i < 4; i++)
        if (p->at[i] != q->at[i])
            return p->at[i] < q->at[i] ? -1 : 1;
    return 0;
}

static named_edge *name_edges(const throng_navmesh *m)
{
    named_edge *list = malloc(((size_t)m->edge_count + 1) * sizeof *list);
    for (int32_t e = 0; list && e < m->edge_count; e++) {
        throng_point a = throng_navmesh_place(m, m->face[e], (throng_point){m->ax[e], m->ay[e]});
        throng_point b = throng_navmesh_place(m, m->face[e], (throng_point){m->bx[e], m->by[e]});
        list[e] = (named_edge){{(float)a.x, (float)a.y, (float)b.x, (float)b.y}, e};
    }
    if (list)
        qsort(list, (size_t)m->edge_count, sizeof *list, compare_edges);
    return list;
}

/* For every half-edge of one mesh the same side in another, -1: it is not there. NULL when memory is out. */
static int32_t *match_edges(const throng_navmesh *from, const throng_navmesh *to)
{
    named_edge *a = name_edges(from), *b = name_edges(to);
    int32_t *match = malloc(((size_t)from->edge_count + 1) * sizeof *match);
    for (int32_t i = 0, k = 0; a && b && match && i < from->edge_count; i++) {
        while (k < to->edge_count && compare_edges(&b[k], &a[i]) < 0)
            k++;
        match[a[i].edge] = k < to->edge_count && compare_edges(&b[k], &a[i]) == 0 ? b[k].edge : -1;
    }
    if (!a || !b) {
        free(match);
        match = NULL;
    }
    free(a);
    free(b);
    return match;
}

/* What waits at portals that stay goes on waiting there. */
static bool keep_congestion(world_mesh *m, int32_t edges, const int32_t *match, throng_error *error)
{
    world_mesh old = *m;
    if (!old.congestion)
        return true;
    m->congestion = NULL;
    m->delay = NULL;
    if (!throng_world_init_congestion(m, error)) {
        m->congestion = old.congestion;
        m->delay = old.delay;
        return false;
    }
    for (int32_t e = 0; e < edges; e++)
        if (match[e] >= 0) {
            m->congestion[match[e]] = old.congestion[e];
            m->delay[match[e]] = old.delay[e];
        }
    free(old.congestion);
    free(old.delay);
    return true;
}

/* Agents stand in other faces now, and those who go on through a portal that stays do so. */
static bool move_agents(throng_world *w, const world_mesh *old, int32_t *const *match, throng_error *error)
{
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    const float *x, *y, *radius = throng_agents_read(w->agents, THRONG_COLUMN_radius, error);
    int32_t *face = throng_agents_write(w->agents, THRONG_COLUMN_face, error);
    int32_t *exit_edge = throng_agents_write(w->agents, THRONG_COLUMN_exit_edge, error);
    if (!state || !radius || !face || !exit_edge || !throng_world_places(w, &x, &y, error))
        return false;
    for (int32_t s = 0; s < throng_agents_slots(w->agents); s++) {
        int32_t m = w->routing.mesh_count - 1;
        while (m > 0 && face[s] < old[m].first_face)
            m--;
        if (face[s] < 0 || !state[s]) {
            face[s] = exit_edge[s] = -1;
            continue;
        }
        const world_mesh *now = &w->routing.meshes[m];
        int32_t at = throng_world_face_near(now->mesh, x[s], y[s], radius[s]), e = exit_edge[s] - old[m].first_edge;
        e = e < 0 || e >= old[m].mesh->edge_count ? -1 : match[m] ? match[m][e] : e;
        face[s] = at < 0 ? -1 : now->first_face + at;
        exit_edge[s] = e < 0 ? -1 : now->first_edge + e;
    }
    return true;
}

/* All of the routes on a mesh that is another now. */
static bool renew_routes(throng_world *w, int32_t mesh, throng_error *error)
{
    for (int32_t g = 0; g < w->routing.goal_count; g++)
        if (w->routing.goals[g].mesh == mesh && !throng_world_renew_route(w, &w->routing.goals[g], error))
            return false;
    return true;
}

/* A mesh with those bodies, or, without any, the bare one, with doors as they are. False and a message when that fails.
 */
static bool cover_mesh(throng_world *w, world_mesh *m, const throng_region *bodies, int32_t count,
                       throng_navmesh **covered, throng_error *error)
{
    *covered = NULL;
    if (!count)
        return throng_world_own_mesh(w, m, error) && (!m->own || throng_world_turn_mesh_doors(w, m->own, error));
    throng_navmesh *mesh = throng_navmesh_cover(m->bare, w->floor, bodies, count, error);
    if (mesh && throng_world_turn_mesh_doors(w, mesh, error)) {
        *covered = mesh;
        return true;
    }
    throng_navmesh_destroy(mesh);
    return false;
}

/* Puts that mesh, or, where it is NULL, the bare one, in the place of the present one. */
static bool replace_mesh(throng_world *w, int32_t number, throng_navmesh *covered, int32_t **match, throng_error *error)
{
    world_mesh *m = &w->routing.meshes[number];
    const throng_navmesh *old = m->mesh, *mesh = covered ? covered : m->bare;
    if (!(*match = match_edges(old, mesh))) {
        throng_navmesh_destroy(covered);
        return throng_fail(error, "out of memory for the routes round bodies");
    }
    m->mesh = mesh;
    m->covered = covered;
    m->number = mesh == m->bare ? m->bare_number : throng_cache_another_number(w->cache);
    throng_cache_release(w->cache, m->roadmap);
    m->roadmap = NULL;
    if (w->paths.queue)
        throng_path_queue_replace(w->paths.queue, old, mesh);
    return keep_congestion(m, old->edge_count, *match, error);
}

static void number_faces(throng_world *w)
{
    for (int32_t m = 1; m < w->routing.mesh_count; m++) {
        const world_mesh *before = &w->routing.meshes[m - 1];
        w->routing.meshes[m].first_face = before->first_face + before->mesh->face_count;
        w->routing.meshes[m].first_edge = before->first_edge + before->mesh->edge_count;
    }
}

/* Lays the bodies over all meshes; a mesh that cannot be had stays as it is until the next look. `old`: as they
 * were. */
static bool cover_meshes(throng_world *w, const throng_region *bodies, int32_t count, world_mesh *old, int32_t **match,
                         throng_error *error)
{
    bool fine = true;
    memcpy(old, w->routing.meshes, (size_t)w->routing.mesh_count * sizeof *old);
    for (int32_t m = 0; fine && m < w->routing.mesh_count; m++) {
        throng_navmesh *covered;
        bool made = cover_mesh(w, &w->routing.meshes[m], bodies, count, &covered, error);
        old[m] = w->routing.meshes[m];
        if (made && covered != old[m].covered)
            fine = replace_mesh(w, m, covered, &match[m], error);
        w->routing.meshes[m].standing = made ? w->bodies.standing.number : 0;
    }
    number_faces(w);
    for (int32_t m = 0; fine && m < w->routing.mesh_count; m++)
        fine = !match[m] || renew_routes(w, m, error);
    return fine && move_agents(w, old, match, error);
}

static bool update_meshes(throng_world *w, throng_error *error)
{
    int32_t count;
    throng_region *bodies = outlines(w, &count);
    world_mesh *old = malloc((size_t)w->routing.mesh_count * sizeof *old);
    int32_t **match = calloc((size_t)w->routing.mesh_count, sizeof *match);
    bool fine = bodies && old && match ? cover_meshes(w, bodies, count, old, match, error)
                                       : throng_fail(error, "out of memory for the routes round bodies");
    for (int32_t m = 0; bodies && old && match && m < w->routing.mesh_count; m++) {
        if (old[m].covered != w->routing.meshes[m].covered)
            throng_navmesh_destroy(old[m].covered);
        free(match[m]);
    }
    free(bodies);
    free(old);
    free(match);
    world_paths_remeshed(&w->paths);
    w->routing.changed = true;
    return fine;
}

bool throng_world_follow_standing(throng_world *w, throng_error *error)
{
    uint32_t steps = (uint32_t)fmax(round(EVERY / w->dt), 1);
    bool changed = false;
    if (!w->bodies.all || !w->routing.mesh_count || w->step % steps != 0)
        return true;
    if (!look(w, &changed, error))
        return false;
    w->bodies.standing.number += changed;
    for (int32_t m = 0; m < w->routing.mesh_count && !changed; m++)
        changed = w->routing.meshes[m].standing != w->bodies.standing.number;
    return !changed || update_meshes(w, error);
}

void throng_world_free_standing(throng_world *w) { free(w->bodies.standing.list); }
