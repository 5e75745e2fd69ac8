#include "navmesh.h"

#include <stdlib.h>

#include "geometry.h"
#include "way_funnel.h"
#include "way_search.h"

void throng_path_fini(throng_path *path)
{
    free(path->corners);
    *path = (throng_path){ 0 };
}

static bool straight(throng_point from, throng_point to, throng_path *path)
{
    int32_t capacity = 0;
    if (!throng_path_add(path, &capacity, from) || !throng_path_add(path, &capacity, to))
        return false;
    path->length = throng_distance(from, to);
    return true;
}

/* The search runs from `to`, so that its sleeve leads there. */
static bool search(const throng_navmesh *mesh, int32_t face, throng_point from, int32_t goal_face, throng_point to,
                   throng_path *path)
{
    throng_goal_sides goal = { NULL, goal_face, &to, &to };
    throng_way_search s;
    if (!throng_way_search_init(&s, mesh, &goal))
        return false;
    s.start = from;
    s.start_face = face;
    int32_t capacity = 0;
    bool found = throng_way_search_run(&s) && s.best_edge >= 0 && throng_path_add(path, &capacity, from) &&
                 isfinite(throng_sleeve_walk(&s.sleeve, from, -1, s.best_edge, path, &capacity));
    path->length = s.best;
    throng_way_search_fini(&s);
    return found;
}

bool throng_navmesh_path(const throng_navmesh *mesh, throng_point from, throng_point to, throng_path *path)
{
    *path = (throng_path){ 0 };
    int32_t face = throng_navmesh_face_at(mesh, (float)from.x, (float)from.y);
    int32_t goal_face = throng_navmesh_face_at(mesh, (float)to.x, (float)to.y);
    if (face < 0 || goal_face < 0 || mesh->component[face] != mesh->component[goal_face])
        return false;
    bool found = face == goal_face ? straight(from, to, path) : search(mesh, face, from, goal_face, to, path);
    if (!found)
        throng_path_fini(path);
    return found;
}
