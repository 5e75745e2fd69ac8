#include "goal_sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "face_grid.h"
#include "map/geometry.h"
#include "map/map_geos.h"
#include "map/ring_list.h"
#include "navmesh_pillars.h"

/* Cutting goes face by face, so sides come out in order of face. */
typedef struct cutter {
    const throng_navmesh *mesh, *building;
    throng_geos geos;
    const throng_region *goals;
    GEOSGeometry **polygons; /* [goal_count] NULL for points */
    throng_bounds *bounds;   /* [goal_count] */
    int32_t goal_count;
    throng_goal_sides *sides;
    int32_t count, a_capacity, b_capacity;
} cutter;

static bool add_side(cutter *c, throng_point a, throng_point b)
{
    if (!throng_array_reserve((void **)&c->sides->a, &c->a_capacity, (int64_t)c->count + 1, sizeof a) ||
        !throng_array_reserve((void **)&c->sides->b, &c->b_capacity, (int64_t)c->count + 1, sizeof b))
        return false;
    c->sides->a[c->count] = a;
    c->sides->b[c->count++] = b;
    return true;
}

/* Rings of places, cut to a face. */
static bool add_rings(cutter *c, int32_t face, const throng_ring_list *rings)
{
    for (int32_t r = 0; r < rings->count; r++) {
        int32_t first = rings->start[r], end = throng_ring_list_end(rings, r);
        for (int32_t i = first; i < end; i++)
            if (!add_side(c, throng_navmesh_position(c->mesh, face, rings->points[i]),
                          throng_navmesh_position(c->mesh, face, rings->points[i + 1 < end ? i + 1 : first])))
                return false;
    }
    return true;
}

static GEOSGeometry *face_polygon(cutter *c, int32_t face)
{
    const throng_navmesh *mesh = c->mesh;
    int32_t first = mesh->face_start[face], count = mesh->face_start[face + 1] - first;
    throng_point *corners = malloc((size_t)count * sizeof *corners);
    for (int32_t i = 0; corners && i < count; i++)
        corners[i] = throng_navmesh_place(mesh, face, (throng_point){mesh->ax[first + i], mesh->ay[first + i]});
    GEOSGeometry *polygon = corners ? throng_geos_polygon(&c->geos, corners, count) : NULL;
    free(corners);
    return polygon;
}

static bool cut_polygon(cutter *c, int32_t face, const GEOSGeometry *goal)
{
    throng_ring_list rings = {0};
    GEOSGeometry *cut = face_polygon(c, face);
    bool fine = cut && throng_geos_replace(&c->geos, &cut, GEOSIntersection_r(c->geos.handle, cut, goal)) &&
                throng_geos_rings(&c->geos, cut, &rings) && add_rings(c, face, &rings);
    throng_ring_list_fini(&rings);
    throng_geos_free(&c->geos, cut);
    return fine;
}

static bool box_meets_face(const throng_navmesh *mesh, int32_t face, throng_bounds box)
{
    throng_point low = throng_navmesh_position(mesh, face, (throng_point){box.x0, box.y0});
    throng_point high = throng_navmesh_position(mesh, face, (throng_point){box.x1, box.y1});
    box = (throng_bounds){low.x, low.y, high.x, high.y};
    bool left = true, right = true, below = true, above = true;
    for (int32_t e = mesh->face_start[face]; e < mesh->face_start[face + 1]; e++) {
        left = left && mesh->ax[e] < box.x0;
        right = right && mesh->ax[e] > box.x1;
        below = below && mesh->ay[e] < box.y0;
        above = above && mesh->ay[e] > box.y1;
    }
    return !(left || right || below || above);
}

static bool cut_face(cutter *c, int32_t face)
{
    for (int32_t g = 0; g < c->goal_count; g++) {
        if (!box_meets_face(c->mesh, face, c->bounds[g]))
            continue;
        throng_point p = throng_navmesh_position(c->mesh, face, c->goals[g].points[0]);
        bool fine = c->polygons[g] ? cut_polygon(c, face, c->polygons[g])
                    : throng_face_holds(c->mesh, face, p) && !throng_navmesh_in_pillar(c->mesh, p) ? add_side(c, p, p)
                                                                                                   : true;
        if (!fine)
            return false;
    }
    return true;
}

static bool prepare_goal(cutter *c, int32_t g, throng_error *error)
{
    const throng_region *goal = &c->goals[g];
    char what[256];
    if (goal->name)
        snprintf(what, sizeof what, "goal \"%s\"", goal->name);
    else
        snprintf(what, sizeof what, "the goal");
    if (goal->count == 1 && !(isfinite(goal->points[0].x) && isfinite(goal->points[0].y)))
        return throng_fail(error, "%s is (%g, %g): coordinates must be finite numbers", what, goal->points[0].x,
                           goal->points[0].y);
    if (goal->count != 1 && !throng_geos_check_polygon(&c->geos, what, goal->points, goal->count, error))
        return false;
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < goal->count; i++) {
        b = (throng_bounds){fmin(b.x0, goal->points[i].x), fmin(b.y0, goal->points[i].y), fmax(b.x1, goal->points[i].x),
                            fmax(b.y1, goal->points[i].y)};
    }
    c->bounds[g] = b;
    if (goal->count > 1) {
        c->polygons[g] = throng_geos_polygon(&c->geos, goal->points, goal->count);
        if (!c->polygons[g])
            return throng_geos_fail(&c->geos, what, error);
    }
    return true;
}

static bool nowhere(const cutter *c, throng_error *error)
{
    throng_bounds b = c->bounds[0];
    throng_point least = throng_navmesh_position_near(c->building, (throng_point){b.x0, b.y0});
    throng_point most = {least.x + b.x1 - b.x0, least.y + b.y1 - b.y0};
    const char *name = c->goals[0].name;
    char end[64] = "";
    if (c->goals[0].count > 1)
        snprintf(end, sizeof end, " .. (%.6g, %.6g)", most.x, most.y);
    return throng_fail(
        error,
        "%s%s%s%s at (%.6g, %.6g)%s lies where no agent of radius %g m can "
        "stand: move it off the walls, or make it reach farther into the room; rooms that nothing leads to are "
        "left out of a map, and throng map FILE lists them",
        c->goal_count > 1 ? "none of the goals, the first of which"
        : name            ? "goal"
                          : "the goal",
        name ? " \"" : "", name ? name : "", name ? "\"" : "", least.x, least.y, end, c->mesh->radius);
}

static bool cut_all(cutter *c, throng_error *error)
{
    for (int32_t g = 0; g < c->goal_count; g++)
        if (!prepare_goal(c, g, error))
            return false;
    c->sides->start[0] = 0;
    for (int32_t f = 0; f < c->mesh->face_count; f++) {
        if (!cut_face(c, f))
            return throng_geos_fail(&c->geos, "the goal", error);
        c->sides->start[f + 1] = c->count;
    }
    return c->count > 0 || nowhere(c, error);
}

static void fini_cutter(cutter *c)
{
    for (int32_t g = 0; c->polygons && g < c->goal_count; g++)
        throng_geos_free(&c->geos, c->polygons[g]);
    free(c->polygons);
    free(c->bounds);
    throng_geos_fini(&c->geos);
}

bool throng_goal_sides_cut(const throng_navmesh *mesh, const throng_navmesh *building, const throng_region *goals,
                           int32_t count, throng_goal_sides *sides, throng_error *error)
{
    throng_goal_sides cut = {0};
    cutter c = {.mesh = mesh, .building = building, .goals = goals, .goal_count = count, .sides = &cut};
    if (count < 1)
        return throng_fail(error, "no goal is given");
    if (!throng_geos_init(&c.geos, error))
        return false;
    c.polygons = calloc((size_t)count, sizeof *c.polygons);
    c.bounds = calloc((size_t)count, sizeof *c.bounds);
    cut.start = malloc(((size_t)mesh->face_count + 1) * sizeof *cut.start);
    bool fine = c.polygons && c.bounds && cut.start ? cut_all(&c, error) : throng_fail(error, "out of memory");
    fini_cutter(&c);
    if (fine)
        *sides = cut;
    else
        throng_goal_sides_fini(&cut);
    return fine;
}

void throng_goal_sides_fini(throng_goal_sides *sides)
{
    free(sides->start);
    free(sides->a);
    free(sides->b);
    memset(sides, 0, sizeof *sides);
}

static bool holds(const throng_region *goal, throng_point p)
{
    bool at_it = goal->count == 1 && goal->points[0].x == p.x && goal->points[0].y == p.y;
    return at_it || throng_polygon_holds(goal->points, goal->count, p);
}

bool throng_goals_hold(const throng_region *goals, int32_t count, throng_point p)
{
    for (int32_t g = 0; g < count; g++)
        if (holds(&goals[g], p))
            return true;
    return false;
}
