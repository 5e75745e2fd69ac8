#include "navmesh.h"

#include <stdlib.h>

#include "geometry.h"
#include "ring_list.h"
#include "way_funnel.h"
#include "way_search.h"

void throng_path_fini(throng_path *path)
{
    free(path->corners);
    *path = (throng_path){0};
}

static bool straight(throng_point from, throng_point to, throng_path *path)
{
    int32_t capacity = 0;
    if (!throng_path_add(path, &capacity, from) || !throng_path_add(path, &capacity, to))
        return false;
    path->length = throng_distance(from, to);
    return true;
}

/* An end of the way, and the face it lies in. */
typedef struct place {
    throng_point at;
    int32_t face;
} place;

/* The search runs from `to`, so that its sleeve leads there. */
static bool search(const throng_navmesh *mesh, place from, place to, throng_path *path)
{
    throng_goal_sides goal = {NULL, to.face, &to.at, &to.at};
    throng_way_search s;
    *path = (throng_path){0};
    if (!throng_way_search_init(&s, mesh, &goal))
        return false;
    s.start = from.at;
    s.start_face = from.face;
    int32_t capacity = 0;
    bool found = throng_way_search_run(&s) && s.best_edge >= 0 && throng_path_add(path, &capacity, from.at) &&
                 isfinite(throng_sleeve_walk(&s.sleeve, from.at, s.best_edge, s.best_edge, path, &capacity));
    path->length = s.best;
    throng_way_search_fini(&s);
    if (!found)
        throng_path_fini(path);
    return found;
}

/* Both ways round, and the shorter one: a portal keeps one way only, the best from its best point, and what that
 * misses in one direction it often finds in the other. So there and back are equally long, too. */
static bool search_both(const throng_navmesh *mesh, place from, place to, throng_path *path)
{
    throng_path back;
    if (!search(mesh, from, to, path))
        return false;
    if (!search(mesh, to, from, &back) || back.length >= path->length) {
        throng_path_fini(&back);
        return true;
    }
    throng_ring_reverse(back.corners, back.count);
    throng_path_fini(path);
    *path = back;
    return true;
}

bool throng_navmesh_path(const throng_navmesh *mesh, throng_point from, throng_point to, throng_path *path)
{
    place start = {from, throng_navmesh_face_at(mesh, (float)from.x, (float)from.y)};
    place end = {to, throng_navmesh_face_at(mesh, (float)to.x, (float)to.y)};
    *path = (throng_path){0};
    if (start.face < 0 || end.face < 0 || mesh->component[start.face] != mesh->component[end.face])
        return false;
    if (start.face != end.face)
        return search_both(mesh, start, end, path);
    if (straight(from, to, path))
        return true;
    throng_path_fini(path);
    return false;
}
