/* Goals and the ways to them: meshes and way trees are built when agents are
 * sent, kept, and handed to the backend in one flat table before the next step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world_parts.h"

enum { ENTRIES_MAX = 1 << 30 };

/* --- targets ---------------------------------------------------------------------------- */

static bool same_regions(const world_target *t, const throng_region *regions, int32_t count)
{
    if (t->region_count != count)
        return false;
    for (int32_t r = 0; r < count; r++) {
        const throng_region *a = &t->regions[r], *b = &regions[r];
        if (a->count != b->count || memcmp(a->points, b->points, (size_t)a->count * sizeof *a->points) != 0)
            return false;
    }
    return true;
}

static int32_t find_target(const throng_world *w, const world_target *like)
{
    for (int32_t i = 0; i < w->target_count; i++) {
        const world_target *t = &w->targets[i];
        if (t->kind == like->kind && t->direct == like->direct && t->point.x == like->point.x &&
            t->point.y == like->point.y && t->radius == like->radius &&
            same_regions(t, like->regions, like->region_count))
            return i;
    }
    return -1;
}

static void free_regions(throng_region *regions, int32_t count)
{
    for (int32_t r = 0; r < count; r++) {
        free(regions[r].name);
        free(regions[r].points);
    }
    free(regions);
}

static throng_region *copy_regions(const throng_region *regions, int32_t count)
{
    throng_region *copy = calloc((size_t)count + 1, sizeof *copy);
    for (int32_t r = 0; copy && r < count; r++) {
        copy[r].name = strdup(regions[r].name ? regions[r].name : "");
        copy[r].count = regions[r].count;
        copy[r].points = malloc((size_t)regions[r].count * sizeof *copy[r].points);
        if (!copy[r].name || !copy[r].points) {
            free_regions(copy, count);
            return NULL;
        }
        memcpy(copy[r].points, regions[r].points, (size_t)regions[r].count * sizeof *copy[r].points);
    }
    return copy;
}

static int32_t add_target(throng_world *w, const world_target *like, throng_error *error)
{
    int32_t found = find_target(w, like);
    if (found >= 0)
        return found;
    world_target *grown = realloc(w->targets, ((size_t)w->target_count + 1) * sizeof *grown);
    if (grown)
        w->targets = grown;
    throng_region *regions = copy_regions(like->regions, like->region_count);
    if (!grown || !regions) {
        free_regions(regions, regions ? like->region_count : 0);
        throng_fail(error, "out of memory for a goal");
        return -1;
    }
    grown[w->target_count] = *like;
    grown[w->target_count].regions = regions;
    return w->target_count++;
}

static bool check_radius(double radius, throng_error *error)
{
    if (!(radius > 0) || isinf(radius))
        return throng_fail(error, "a goal's radius must be more than 0 m, not %g", radius);
    return true;
}

int32_t throng_world_goal_point(throng_world *w, throng_point point, double radius, throng_error *error)
{
    if (!isfinite(point.x) || !isfinite(point.y)) {
        throng_fail(error, "a goal must be a finite point, not (%g, %g)", point.x, point.y);
        return -1;
    }
    world_target t = {.kind = THRONG_GOAL_POINT, .point = point, .radius = radius};
    return check_radius(radius, error) ? add_target(w, &t, error) : -1;
}

int32_t throng_world_goal_regions(throng_world *w, const throng_region *regions, int32_t count, throng_error *error)
{
    if (count < 1) {
        throng_fail(error, "a goal needs at least one region");
        return -1;
    }
    world_target t = {.kind = THRONG_GOAL_REGION, .regions = (throng_region *)regions, .region_count = count};
    return add_target(w, &t, error);
}

int32_t throng_world_goal_own(throng_world *w, double radius, throng_error *error)
{
    world_target t = {.kind = THRONG_GOAL_OWN, .direct = true, .radius = radius};
    return check_radius(radius, error) ? add_target(w, &t, error) : -1;
}

int32_t throng_world_goal_direct(throng_world *w, int32_t goal, throng_error *error)
{
    world_target t = w->targets[goal];
    t.direct = true;
    return add_target(w, &t, error);
}

/* --- meshes and trees ---------------------------------------------------------------------- */

/* Clearances are rounded up to whole centimetres, so that a crowd of many radii shares few meshes. */
static int32_t mesh_for(throng_world *w, double radius, throng_error *error)
{
    double clearance = ceil(radius * 100 - 1e-6) / 100;
    for (int32_t m = 0; m < w->mesh_count; m++)
        if (w->meshes[m].mesh->radius == clearance)
            return m;
    world_mesh *grown = realloc(w->meshes, ((size_t)w->mesh_count + 1) * sizeof *grown);
    if (!grown) {
        throng_fail(error, "out of memory for a navigation mesh");
        return -1;
    }
    w->meshes = grown;
    throng_navmesh *mesh = throng_navmesh_build(w->map, clearance, error);
    if (!mesh)
        return -1;
    const world_mesh *last = w->mesh_count ? &w->meshes[w->mesh_count - 1] : NULL;
    grown[w->mesh_count] = (world_mesh){mesh, last ? last->first_face + last->mesh->face_count : 0,
                                        last ? last->first_edge + last->mesh->edge_count : 0};
    return w->mesh_count++;
}

const throng_navmesh *throng_world_mesh(throng_world *w, double radius, throng_error *error)
{
    int32_t mesh = mesh_for(w, radius, error);
    return mesh < 0 ? NULL : w->meshes[mesh].mesh;
}

static throng_way_tree *build_tree(const throng_world *w, const world_target *t, int32_t mesh, throng_error *error)
{
    const throng_navmesh *m = w->meshes[mesh].mesh;
    return t->kind == THRONG_GOAL_REGION ? throng_way_tree_build_regions(m, t->regions, t->region_count, error)
                                         : throng_way_tree_build(m, &t->point, 1, error);
}

/* The goal entry of a target on a mesh (-1: straight). */
static int32_t goal_for(throng_world *w, int32_t target, int32_t mesh, throng_error *error)
{
    for (int32_t g = 0; g < w->goal_count; g++)
        if (w->goals[g].target == target && w->goals[g].mesh == mesh)
            return g;
    world_goal *grown = realloc(w->goals, ((size_t)w->goal_count + 1) * sizeof *grown);
    if (!grown) {
        throng_fail(error, "out of memory for a goal");
        return -1;
    }
    w->goals = grown;
    throng_way_tree *tree = NULL;
    if (mesh >= 0 && !(tree = build_tree(w, &w->targets[target], mesh, error)))
        return -1;
    grown[w->goal_count] = (world_goal){target, mesh, tree};
    w->goals_changed = true;
    return w->goal_count++;
}

int32_t throng_world_place(throng_world *w, int32_t goal, throng_error *error) { return goal_for(w, goal, -1, error); }

/* --- sending ---------------------------------------------------------------------------------- */

static double largest_radius(throng_world *w, const throng_handle *handles, int32_t count, throng_error *error)
{
    const float *radius = throng_agents_read(w->agents, THRONG_COLUMN_radius, error);
    double largest = 0;
    for (int32_t i = 0; radius && i < count; i++)
        if (throng_agents_alive(w->agents, handles[i]))
            largest = fmax(largest, radius[handles[i].slot]);
    return radius ? largest : -1;
}

/* The face an agent of that mesh stands in or next to, -1: none near. */
static int32_t face_near(const throng_navmesh *mesh, float x, float y, float radius)
{
    float on_x, on_y;
    int32_t face = throng_navmesh_face_at(mesh, x, y);
    return face >= 0 ? face : throng_navmesh_nearest(mesh, x, y, radius + 1, &on_x, &on_y);
}

static bool leads_to_goal(const throng_navmesh *mesh, const throng_way_tree *tree, int32_t face)
{
    if (tree->holds[face])
        return true;
    for (int32_t e = mesh->face_start[face]; e < mesh->face_start[face + 1]; e++)
        if (isfinite(tree->cost[e]))
            return true;
    return false;
}

/* Faces of the agents for the goal; an error when some have no way. */
static bool find_faces(throng_world *w, const throng_handle *handles, int32_t count, const world_goal *g,
                       int32_t *faces, throng_error *error)
{
    const throng_navmesh *mesh = w->meshes[g->mesh].mesh;
    const float *x = throng_agents_read(w->agents, THRONG_COLUMN_x, error);
    const float *y = throng_agents_read(w->agents, THRONG_COLUMN_y, error);
    const float *radius = throng_agents_read(w->agents, THRONG_COLUMN_radius, error);
    if (!x || !y || !radius)
        return false;
    int32_t lost = 0, first = -1;
    for (int32_t i = 0; i < count; i++) {
        int32_t s = handles[i].slot;
        if (!throng_agents_alive(w->agents, handles[i]))
            continue;
        faces[i] = face_near(mesh, x[s], y[s], radius[s]);
        bool ok = faces[i] >= 0 && leads_to_goal(mesh, g->tree, faces[i]);
        first = !ok && first < 0 ? i : first;
        lost += !ok;
    }
    if (!lost)
        return true;
    int32_t s = handles[first].slot;
    return throng_fail(error,
                       "%d of %d agents cannot reach the goal: the first, at (%.2f, %.2f), %s for a radius of %.2f m; "
                       "move the goal or the agents, widen the way, or make the agents smaller",
                       lost, count, x[s], y[s],
                       faces[first] < 0 ? "stands where no free space is wide enough" : "has no way there wide enough",
                       mesh->radius);
}

/* Is there anything to walk around? */
static bool has_ways(const throng_world *w, const world_target *t)
{
    return w->map && w->map->point_count && !t->direct;
}

static bool assign(throng_world *w, const throng_handle *handles, int32_t count, int32_t goal, const int32_t *faces,
                   const throng_point *points, throng_error *error)
{
    int32_t *goals = throng_agents_write(w->agents, THRONG_COLUMN_goal, error);
    int32_t *arrived = throng_agents_write(w->agents, THRONG_COLUMN_arrived, error);
    int32_t *face = throng_agents_write(w->agents, THRONG_COLUMN_face, error);
    float *x = throng_agents_write(w->agents, THRONG_COLUMN_goal_x, error);
    float *y = throng_agents_write(w->agents, THRONG_COLUMN_goal_y, error);
    if (!goals || !arrived || !face || !x || !y)
        return false;
    int32_t first_face = faces ? w->meshes[w->goals[goal].mesh].first_face : 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t s = handles[i].slot;
        if (!throng_agents_alive(w->agents, handles[i]))
            continue;
        goals[s] = goal;
        arrived[s] = -1;
        face[s] = faces ? first_face + faces[i] : -1;
        x[s] = points ? (float)points[i].x : x[s];
        y[s] = points ? (float)points[i].y : y[s];
    }
    return throng_world_count_pending(w, error);
}

bool throng_world_send(throng_world *w, const throng_handle *handles, int32_t count, int32_t target,
                       const throng_point *points, throng_error *error)
{
    double radius = largest_radius(w, handles, count, error);
    if (radius < 0)
        return false;
    bool ways = radius > 0 && has_ways(w, &w->targets[target]);
    int32_t mesh = ways ? mesh_for(w, radius, error) : -1;
    if (ways && mesh < 0)
        return false;
    int32_t goal = goal_for(w, target, mesh, error);
    if (goal < 0)
        return false;
    int32_t *faces = ways ? malloc(((size_t)count + 1) * sizeof *faces) : NULL;
    if (ways && !faces)
        return throng_fail(error, "out of memory for sending %d agents", count);
    bool ok = (!ways || find_faces(w, handles, count, &w->goals[goal], faces, error)) &&
              assign(w, handles, count, goal, faces, points, error);
    free(faces);
    return ok;
}

bool throng_world_count_pending(throng_world *w, throng_error *error)
{
    const int32_t *goal = throng_agents_read(w->agents, THRONG_COLUMN_goal, error);
    const int32_t *arrived = throng_agents_read(w->agents, THRONG_COLUMN_arrived, error);
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    throng_counters counters;
    if (!goal || !arrived || !state || !w->stages.api->counters(w->stages.backend, &counters, error))
        return false;
    w->pending = 0;
    w->pending_at = counters.arrivals;
    for (int32_t s = 0; s < throng_agents_slots(w->agents); s++)
        w->pending += state[s] && goal[s] >= 0 && arrived[s] < 0;
    return true;
}

static bool inside_face(const throng_navmesh *m, int32_t face, float x, float y)
{
    for (int32_t e = m->face_start[face]; e < m->face_start[face + 1]; e++)
        if ((double)(m->bx[e] - m->ax[e]) * (y - m->ay[e]) - (double)(m->by[e] - m->ay[e]) * (x - m->ax[e]) < 0)
            return false;
    return true;
}

bool throng_world_locate(throng_world *w, throng_error *error)
{
    if (!w->mesh_count)
        return true;
    const int32_t *goal = throng_agents_read(w->agents, THRONG_COLUMN_goal, error);
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    const float *x = throng_agents_read(w->agents, THRONG_COLUMN_x, error);
    const float *y = throng_agents_read(w->agents, THRONG_COLUMN_y, error);
    const float *radius = throng_agents_read(w->agents, THRONG_COLUMN_radius, error);
    int32_t *face = throng_agents_write(w->agents, THRONG_COLUMN_face, error);
    if (!goal || !state || !x || !y || !radius || !face)
        return false;
    for (int32_t s = 0; s < throng_agents_slots(w->agents); s++) {
        if (!state[s] || goal[s] < 0 || w->goals[goal[s]].mesh < 0)
            continue;
        const world_mesh *m = &w->meshes[w->goals[goal[s]].mesh];
        int32_t at = face[s] - m->first_face;
        if (at >= 0 && at < m->mesh->face_count && inside_face(m->mesh, at, x[s], y[s]))
            continue;
        at = face_near(m->mesh, x[s], y[s], radius[s]);
        face[s] = at < 0 ? -1 : m->first_face + at;
    }
    return true;
}

/* --- flattening ----------------------------------------------------------------------------------- */

static void free_ways(throng_world *w)
{
    throng_ways *y = &w->ways;
    const void *blocks[] = {y->face_start, y->ax,         y->ay,       y->bx,        y->by,           y->twin,
                            y->face,       y->tree_base,  y->cost,     y->target_x,  y->target_y,     y->end_ax,
                            y->end_ay,     y->end_bx,     y->end_by,   y->next,      y->cost_left,    y->cost_right,
                            y->side_base,  y->side_start, y->side_ax,  y->side_ay,   y->side_bx,      y->side_by,
                            y->tree_mesh,  y->mesh_x,     y->mesh_y,   y->mesh_cell, y->mesh_columns, y->mesh_rows,
                            y->mesh_cells, y->face_cell,  y->face_list};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free((void *)blocks[i]);
    *y = (throng_ways){0};
}

static void free_goal_table(throng_world *w)
{
    throng_goals *g = &w->goal_table;
    const void *blocks[] = {g->goal, g->ax, g->ay, g->bx, g->by, g->last};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free((void *)blocks[i]);
    *g = (throng_goals){0};
}

void throng_world_free_goals(throng_world *w)
{
    free_ways(w);
    free_goal_table(w);
    for (int32_t g = 0; g < w->goal_count; g++)
        throng_way_tree_destroy(w->goals[g].tree);
    for (int32_t m = 0; m < w->mesh_count; m++)
        throng_navmesh_destroy(w->meshes[m].mesh);
    for (int32_t t = 0; t < w->target_count; t++)
        free_regions(w->targets[t].regions, w->targets[t].region_count);
    free(w->goals);
    free(w->meshes);
    free(w->targets);
}

/* Copies `count` elements of four bytes to `at` of a block. */
static void put(const void *block, int64_t at, const void *values, int32_t count)
{
    memcpy((char *)block + at * 4, values, (size_t)count * 4);
}

static void flatten_mesh(throng_ways *y, const world_mesh *m)
{
    const throng_navmesh *n = m->mesh;
    int32_t f0 = m->first_face, e0 = m->first_edge;
    put(y->ax, e0, n->ax, n->edge_count);
    put(y->ay, e0, n->ay, n->edge_count);
    put(y->bx, e0, n->bx, n->edge_count);
    put(y->by, e0, n->by, n->edge_count);
    for (int32_t f = 0; f <= n->face_count; f++)
        ((int32_t *)y->face_start)[f0 + f] = e0 + n->face_start[f];
    for (int32_t e = 0; e < n->edge_count; e++) {
        ((int32_t *)y->twin)[e0 + e] = n->twin[e] < 0 ? -1 : e0 + n->twin[e];
        ((int32_t *)y->face)[e0 + e] = f0 + n->face[e];
    }
}

static void flatten_face_grid(throng_ways *y, int32_t mesh, const world_mesh *m, int32_t *cell, int32_t *listed)
{
    const throng_face_grid *grid = m->mesh->grid;
    int32_t cells = grid->columns * grid->rows;
    ((float *)y->mesh_x)[mesh] = (float)grid->origin_x;
    ((float *)y->mesh_y)[mesh] = (float)grid->origin_y;
    ((float *)y->mesh_cell)[mesh] = (float)grid->cell;
    ((int32_t *)y->mesh_columns)[mesh] = grid->columns;
    ((int32_t *)y->mesh_rows)[mesh] = grid->rows;
    ((int32_t *)y->mesh_cells)[mesh] = *cell;
    for (int32_t c = 0; c <= cells; c++)
        ((int32_t *)y->face_cell)[*cell + c] = *listed + grid->start[c];
    for (int32_t i = 0; i < grid->start[cells]; i++)
        ((int32_t *)y->face_list)[*listed + i] = m->first_face + grid->list[i];
    *cell += cells;
    *listed += grid->start[cells];
}

static void flatten_sides(throng_ways *y, const world_mesh *m, const throng_way_tree *t, int32_t tree, int32_t *entry,
                          int32_t *side)
{
    int32_t faces = m->mesh->face_count, sides = t->side_start[faces];
    ((int32_t *)y->side_base)[tree] = *entry - m->first_face;
    for (int32_t f = 0; f <= faces; f++)
        ((int32_t *)y->side_start)[*entry + f] = *side + t->side_start[f];
    for (int32_t s = 0; s < sides; s++) {
        ((float *)y->side_ax)[*side + s] = (float)t->side_a[s].x;
        ((float *)y->side_ay)[*side + s] = (float)t->side_a[s].y;
        ((float *)y->side_bx)[*side + s] = (float)t->side_b[s].x;
        ((float *)y->side_by)[*side + s] = (float)t->side_b[s].y;
    }
    *entry += faces + 1;
    *side += sides;
}

static void flatten_tree(throng_ways *y, const world_mesh *m, const throng_way_tree *t, int32_t tree, int32_t entry)
{
    int32_t edges = m->mesh->edge_count;
    ((int32_t *)y->tree_base)[tree] = entry - m->first_edge;
    put(y->cost, entry, t->cost, edges);
    put(y->cost_left, entry, t->cost_left, edges);
    put(y->cost_right, entry, t->cost_right, edges);
    put(y->target_x, entry, t->target_x, edges);
    put(y->target_y, entry, t->target_y, edges);
    put(y->end_ax, entry, t->end_ax, edges);
    put(y->end_ay, entry, t->end_ay, edges);
    put(y->end_bx, entry, t->end_bx, edges);
    put(y->end_by, entry, t->end_by, edges);
    for (int32_t e = 0; e < edges; e++)
        ((int32_t *)y->next)[entry + e] = t->next[e] < 0 ? -1 : m->first_edge + t->next[e];
}

static bool allocate_ways(throng_ways *y)
{
    size_t e = (size_t)y->edges + 1, f = (size_t)y->faces + 1, t = (size_t)y->trees + 1;
    size_t n = (size_t)y->tree_entries + 1, h = (size_t)y->side_entries + 1, m = (size_t)y->meshes + 1;
    size_t d = (size_t)y->sides + 1;
#define ALLOCATE(name, count) (y->name = calloc((count), 4))
    return ALLOCATE(face_start, f) && ALLOCATE(ax, e) && ALLOCATE(ay, e) && ALLOCATE(bx, e) && ALLOCATE(by, e) &&
           ALLOCATE(twin, e) && ALLOCATE(face, e) && ALLOCATE(tree_base, t) && ALLOCATE(cost, n) &&
           ALLOCATE(target_x, n) && ALLOCATE(target_y, n) && ALLOCATE(end_ax, n) && ALLOCATE(end_ay, n) &&
           ALLOCATE(end_bx, n) && ALLOCATE(end_by, n) && ALLOCATE(next, n) && ALLOCATE(cost_left, n) &&
           ALLOCATE(cost_right, n) && ALLOCATE(side_base, t) && ALLOCATE(side_start, h) && ALLOCATE(side_ax, d) &&
           ALLOCATE(side_ay, d) && ALLOCATE(side_bx, d) && ALLOCATE(side_by, d) && ALLOCATE(tree_mesh, t) &&
           ALLOCATE(mesh_x, m) && ALLOCATE(mesh_y, m) && ALLOCATE(mesh_cell, m) && ALLOCATE(mesh_columns, m) &&
           ALLOCATE(mesh_rows, m) && ALLOCATE(mesh_cells, m) && ALLOCATE(face_cell, (size_t)y->cells + 1) &&
           ALLOCATE(face_list, (size_t)y->listed + 1);
#undef ALLOCATE
}

static bool flatten_ways(throng_world *w, throng_error *error)
{
    free_ways(w);
    throng_ways *y = &w->ways;
    for (int32_t m = 0; m < w->mesh_count; m++) {
        y->faces += w->meshes[m].mesh->face_count;
        y->edges += w->meshes[m].mesh->edge_count;
        const throng_face_grid *grid = w->meshes[m].mesh->grid;
        y->cells += grid->columns * grid->rows;
        y->listed += grid->start[grid->columns * grid->rows];
    }
    y->meshes = w->mesh_count;
    int64_t entries = 0;
    for (int32_t g = 0; g < w->goal_count; g++)
        if (w->goals[g].tree) {
            y->trees++;
            entries += w->meshes[w->goals[g].mesh].mesh->edge_count;
            y->side_entries += w->meshes[w->goals[g].mesh].mesh->face_count + 1;
            y->sides += w->goals[g].tree->side_start[w->meshes[w->goals[g].mesh].mesh->face_count];
        }
    if (entries > ENTRIES_MAX)
        return throng_fail(error,
                           "%d goals on this map are more than their ways fit in; send agents to fewer different goals",
                           y->trees);
    y->tree_entries = (int32_t)entries;
    if (!allocate_ways(y))
        return throng_fail(error, "out of memory for the ways to %d goals", y->trees);
    for (int32_t m = 0, cell = 0, listed = 0; m < w->mesh_count; m++) {
        flatten_mesh(y, &w->meshes[m]);
        flatten_face_grid(y, m, &w->meshes[m], &cell, &listed);
    }
    for (int32_t g = 0, tree = 0, entry = 0, sides = 0, side = 0; g < w->goal_count; g++)
        if (w->goals[g].tree) {
            const world_mesh *m = &w->meshes[w->goals[g].mesh];
            ((int32_t *)y->tree_mesh)[tree] = w->goals[g].mesh;
            flatten_sides(y, m, w->goals[g].tree, tree, &sides, &side);
            flatten_tree(y, m, w->goals[g].tree, tree++, entry);
            entry += m->mesh->edge_count;
        }
    return true;
}

static int32_t count_edges(const throng_world *w)
{
    int32_t edges = 0;
    for (int32_t g = 0; g < w->goal_count; g++) {
        const world_target *t = &w->targets[w->goals[g].target];
        for (int32_t r = 0; r < t->region_count; r++)
            edges += t->regions[r].count;
    }
    return edges;
}

static int32_t flatten_region(const throng_goals *g, int32_t at, const throng_region *region)
{
    for (int32_t p = 0; p < region->count; p++, at++) {
        const throng_point *a = &region->points[p], *b = &region->points[(p + 1) % region->count];
        ((float *)g->ax)[at] = (float)a->x;
        ((float *)g->ay)[at] = (float)a->y;
        ((float *)g->bx)[at] = (float)b->x;
        ((float *)g->by)[at] = (float)b->y;
        ((int32_t *)g->last)[at] = p == region->count - 1;
    }
    return at;
}

static bool flatten_goals(throng_world *w, throng_error *error)
{
    free_goal_table(w);
    throng_goals *g = &w->goal_table;
    g->count = w->goal_count;
    g->edge_count = count_edges(w);
    size_t n = (size_t)g->edge_count + 1;
    throng_goal *table = calloc((size_t)g->count + 1, sizeof *table);
    g->goal = table;
    if (!table || !(g->ax = calloc(n, 4)) || !(g->ay = calloc(n, 4)) || !(g->bx = calloc(n, 4)) ||
        !(g->by = calloc(n, 4)) || !(g->last = calloc(n, 4)))
        return throng_fail(error, "out of memory for %d goals", g->count);
    for (int32_t i = 0, tree = 0, edge = 0; i < g->count; i++) {
        const world_target *t = &w->targets[w->goals[i].target];
        int32_t first = edge;
        for (int32_t r = 0; r < t->region_count; r++)
            edge = flatten_region(g, edge, &t->regions[r]);
        table[i] = (throng_goal){
            t->kind, (float)t->point.x, (float)t->point.y, (float)t->radius, w->goals[i].tree ? tree++ : -1,
            first,   edge - first};
    }
    return true;
}

bool throng_world_upload_goals(throng_world *w, throng_error *error)
{
    if (!w->goals_changed)
        return true;
    if (!flatten_ways(w, error) || !flatten_goals(w, error) ||
        !w->stages.api->set_ways(w->stages.backend, &w->ways, error) ||
        !w->stages.api->set_goals(w->stages.backend, &w->goal_table, error))
        return false;
    w->goals_changed = false;
    return true;
}
