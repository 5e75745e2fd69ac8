/* What holds for every navigation mesh. Include it after <cmocka.h>. */
#ifndef THRONG_TEST_MESH_CHECKS_H
#define THRONG_TEST_MESH_CHECKS_H

#include "map/geometry.h"
#include "map/map_geos.h"
#include "map/ring_list.h"
#include "rooms.h"

/* Faces are convex and counter-clockwise, exactly; returns their area. */
static inline double assert_faces_convex(const throng_navmesh *mesh)
{
    double area = 0;
    assert_int_equal(mesh->face_start[mesh->face_count], mesh->edge_count);
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t first = mesh->face_start[f], end = mesh->face_start[f + 1];
        double twice = 0;
        assert_true(end - first >= 3);
        for (int32_t e = first; e < end; e++) {
            int32_t next = e + 1 < end ? e + 1 : first;
            assert_int_equal(mesh->face[e], f);
            assert_true(mesh->bx[e] == mesh->ax[next] && mesh->by[e] == mesh->ay[next]);
            for (int32_t k = first; k < end; k++)
                assert_true(throng_turn(from_of(mesh, e), to_of(mesh, e), from_of(mesh, k)) >= 0);
            twice += throng_turn(from_of(mesh, first), from_of(mesh, e), to_of(mesh, e));
        }
        assert_true(twice > 0);
        area += 0.5 * twice;
    }
    return area;
}

static inline void assert_twins_match(const throng_navmesh *mesh)
{
    for (int32_t e = 0; e < mesh->edge_count; e++) {
        int32_t t = mesh->twin[e];
        if (t < 0)
            continue;
        assert_int_equal(mesh->twin[t], e);
        assert_int_not_equal(mesh->face[t], mesh->face[e]);
        assert_int_equal(mesh->component[mesh->face[t]], mesh->component[mesh->face[e]]);
        assert_true(mesh->ax[t] == mesh->bx[e] && mesh->ay[t] == mesh->by[e]);
        assert_true(mesh->bx[t] == mesh->ax[e] && mesh->by[t] == mesh->ay[e]);
    }
}

static inline double shrunk_area(const throng_map *map, double radius, double margin)
{
    throng_geos geos;
    throng_error error;
    double area = 0;
    assert_true(throng_geos_init(&geos, &error));
    GEOSGeometry *space = throng_geos_free_space(&geos, map, margin);
    assert_true(throng_geos_replace(&geos, &space, GEOSBuffer_r(geos.handle, space, -radius, 32)));
    GEOSArea_r(geos.handle, space, &area);
    throng_geos_free(&geos, space);
    throng_geos_fini(&geos);
    return area;
}

static inline int32_t brute_face(const throng_navmesh *mesh, throng_point p)
{
    for (int32_t f = 0; f < mesh->face_count; f++) {
        bool inside = true;
        for (int32_t e = mesh->face_start[f]; inside && e < mesh->face_start[f + 1]; e++)
            inside = throng_turn(from_of(mesh, e), to_of(mesh, e), p) >= 0;
        if (inside)
            return f;
    }
    return -1;
}

/* Points in the mesh keep their distance; points that keep a little more are in the mesh. */
static inline void assert_clearance(const throng_map *map, const throng_navmesh *mesh, int tries)
{
    uint32_t seed = 11;
    const throng_bounds *b = &map->bounds;
    for (int32_t e = 0; e < mesh->edge_count; e++)
        assert_true(throng_map_fits(map, from_of(mesh, e), mesh->radius));
    for (int i = 0; i < tries; i++) {
        float x = (float)random_in(&seed, b->x0 - 1, b->x1 + 1), y = (float)random_in(&seed, b->y0 - 1, b->y1 + 1);
        throng_point p = {x, y};
        int32_t face = throng_navmesh_face_at(mesh, x, y);
        if (face >= 0)
            assert_true(throng_map_fits(map, p, mesh->radius));
        else
            assert_false(throng_map_fits(map, p, 1.16 * mesh->radius + 0.01 + THRONG_NAVMESH_NOOK));
        if (i % 16 == 0)
            assert_int_equal(face, brute_face(mesh, p));
    }
}

static inline void assert_mesh(const throng_map *map, const throng_navmesh *mesh)
{
    double area = assert_faces_convex(mesh);
    assert_near(area, mesh->area, 1e-9 * area);
    double margin = THRONG_NAVMESH_MARGIN + mesh->radius;
    assert_true(area <= shrunk_area(map, mesh->radius, margin));
    assert_true(area >= shrunk_area(map, 1.06 * mesh->radius + THRONG_NAVMESH_SLACK, margin));
    assert_twins_match(mesh);
    assert_clearance(map, mesh, 4000);
}

#endif
