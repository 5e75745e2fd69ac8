/* What is found in plans that have one thing wrong each, and nothing in those that have none. */
#include "navigation/map_lint.h"
#include "map/map_findings.h"
#include "navigation/navmesh.h"
#include "map_checks.h"

typedef struct box {
    double x0, y0, x1, y1;
} box;

/* A hall of 20 x 10 m with walls in it. */
static throng_map *hall(const box *walls, int32_t count)
{
    throng_point floor[4] = {{0, 0}, {20, 0}, {20, 10}, {0, 10}}, corners[16][4];
    const throng_point *floors[] = {floor}, *all[16];
    int32_t sizes[16], four = 4;
    throng_error error;
    for (int32_t i = 0; i < count; i++) {
        box b = walls[i];
        throng_point at[4] = {{b.x0, b.y0}, {b.x1, b.y0}, {b.x1, b.y1}, {b.x0, b.y1}};
        memcpy(corners[i], at, sizeof at);
        all[i] = corners[i];
        sizes[i] = 4;
    }
    throng_map *map = throng_map_from_polygons("hall", floors, &four, 1, all, sizes, count, &error);
    assert_non_null(map);
    return map;
}

static throng_findings lint(throng_map *map, double radius, bool with_mesh)
{
    throng_findings findings = {0};
    throng_error error;
    throng_navmesh *mesh = with_mesh ? throng_navmesh_build(map, radius, &error) : NULL;
    if (!throng_map_lint(map, radius, mesh, &findings, &error))
        fail_msg("%s", error.text);
    throng_navmesh_destroy(mesh);
    return findings;
}

static void assert_found(const throng_findings *findings, int32_t which, throng_finding_kind kind, throng_point at,
                         double within, const char *text)
{
    assert_true(which < findings->count);
    const throng_finding *f = &findings->list[which];
    assert_int_equal(f->kind, kind);
    assert_string_equal(f->text, text);
    if (hypot(f->at.x - at.x, f->at.y - at.y) > within)
        fail_msg("found at (%g, %g)", f->at.x, f->at.y);
}

/* Gaps in a hall with these walls; the first at this place. */
static void assert_gaps(const box *walls, int32_t count, int32_t gaps, throng_point at, const char *text)
{
    throng_map *map = hall(walls, count);
    throng_findings findings = lint(map, 0.25, false);
    int32_t found = 0;
    for (int32_t i = 0; i < findings.count; i++)
        found += findings.list[i].kind == THRONG_FINDING_GAP;
    assert_int_equal(found, gaps);
    if (gaps)
        assert_found(&findings, 0, THRONG_FINDING_GAP, at, 0.6, text);
    throng_findings_fini(&findings);
    throng_map_destroy(map);
}

static void narrow_doors_are_found(void **state)
{
    (void)state;
    box narrow[] = {{9, 0, 9.2, 4}, {9, 4.4, 9.2, 10}}, wide[] = {{9, 0, 9.2, 4}, {9, 4.5, 9.2, 10}};
    assert_gaps(narrow, 2, 1, (throng_point){9.1, 4.2},
                "an opening of 0.40 m is too narrow for a body of 0.25 m radius");
    assert_gaps(wide, 2, 0, (throng_point){0, 0}, "");
    throng_map *map = hall(wide, 2);
    throng_findings findings = lint(map, 0.3, false);
    assert_found(&findings, 0, THRONG_FINDING_GAP, (throng_point){9.1, 4.2}, 0.5,
                 "an opening of 0.50 m is too narrow for a body of 0.3 m radius");
    throng_findings_fini(&findings);
    throng_map_destroy(map);
}

static void pillars_near_walls_are_found_once(void **state)
{
    (void)state;
    box pillar[] = {{10, 0.2, 11, 3}}, two[] = {{5, 5, 6, 6}, {6.1, 6.1, 7, 7}};
    assert_gaps(pillar, 1, 1, (throng_point){10.5, 0.1},
                "an opening of 0.20 m is too narrow for a body of 0.25 m radius");
    assert_gaps(two, 2, 1, (throng_point){6, 6}, "an opening of 0.14 m is too narrow for a body of 0.25 m radius");
}

static void nooks_are_no_gaps(void **state)
{
    (void)state;
    /* a slot of 0.3 m between shelves, closed at its end; one that opens into a closet is a gap */
    box slot[] = {{5, 0, 6, 2}, {6.3, 0, 8, 2}};
    box closet[] = {{5, 2, 6, 3}, {6.3, 2, 8, 3}, {4.8, 0, 5, 3}, {8, 0, 8.2, 3}};
    assert_gaps(slot, 2, 0, (throng_point){0, 0}, "");
    assert_gaps(closet, 4, 1, (throng_point){6.15, 2.5},
                "an opening of 0.30 m is too narrow for a body of 0.25 m radius");
}

static void walls_that_touch_leave_no_gap(void **state)
{
    (void)state;
    box corner[] = {{5, 5, 6, 6}, {6, 6, 7, 7}}, thin[] = {{5, 1, 5.1, 9}, {5.1, 5, 9, 5.1}};
    assert_gaps(corner, 2, 0, (throng_point){0, 0}, "");
    assert_gaps(thin, 2, 0, (throng_point){0, 0}, "");
}

static void rooms_that_nothing_reaches_are_found(void **state)
{
    (void)state;
    box closed[] = {{9, 0, 9.2, 10}}, narrow[] = {{9, 0, 9.2, 4}, {9, 4.4, 9.2, 10}};
    throng_map *map = hall(closed, 1);
    throng_findings findings = lint(map, 0.25, false);
    assert_int_equal(findings.count, 1);
    assert_found(&findings, 0, THRONG_FINDING_REACH, (throng_point){4.5, 5}, 4.5,
                 "an area of 90.0 m2 cannot be reached from the rest");
    throng_findings_fini(&findings);
    findings = lint(map, 0.25, true);
    assert_int_equal(findings.count, 1);
    assert_int_equal(findings.list[0].kind, THRONG_FINDING_REACH);
    throng_findings_fini(&findings);
    throng_map_destroy(map);
    map = hall(narrow, 2); /* walls leave a way, but not for a body of 0.25 m radius */
    findings = lint(map, 0.25, true);
    assert_int_equal(findings.count, 2);
    assert_found(&findings, 1, THRONG_FINDING_REACH, (throng_point){4.5, 5}, 4.5,
                 "an area of 80.7 m2 cannot be reached from the rest");
    throng_findings_fini(&findings);
    findings = lint(map, 0.15, true);
    assert_int_equal(findings.count, 0);
    throng_findings_fini(&findings);
    throng_map_destroy(map);
}

static void add_region(throng_map *map, const char *name, const char *count, box b)
{
    throng_error error;
    throng_point corners[4] = {{b.x0, b.y0}, {b.x1, b.y0}, {b.x1, b.y1}, {b.x0, b.y1}};
    assert_true(throng_map_add_region(map, name, corners, 4, &error));
    if (count)
        assert_true(throng_properties_add(&map->regions[map->region_count - 1].properties, "count", count,
                                          THRONG_PROPERTY_NUMBER));
}

static void regions_are_looked_at(void **state)
{
    (void)state;
    box wall[] = {{9, 0, 11, 10}};
    throng_map *map = hall(wall, 1);
    add_region(map, "in wall", NULL, (box){9.5, 1, 10.5, 2});
    add_region(map, "half", NULL, (box){7, 1, 17, 2});
    add_region(map, "beyond", NULL, (box){8, 3, 11, 4});
    add_region(map, "slot", NULL, (box){0, 0, 0.2, 3});
    add_region(map, "exit", NULL, (box){0, 4, 0.2, 8});
    add_region(map, "enough", "20", (box){1, 1, 4, 4});
    add_region(map, "crowded", "60", (box){12, 5, 14, 8});
    throng_findings findings = lint(map, 0.25, false);
    assert_int_equal(findings.count, 5);
    assert_int_equal(findings.list[2].kind, THRONG_FINDING_REACH);
    assert_found(&findings, 0, THRONG_FINDING_REGION, (throng_point){10, 1.5}, 1e-9,
                 "region \"in wall\" lies in a wall");
    assert_found(&findings, 1, THRONG_FINDING_REGION, (throng_point){9.5, 3.5}, 1e-9,
                 "region \"beyond\": 67 % of it lie in walls or outside");
    assert_found(&findings, 3, THRONG_FINDING_SPAWN, (throng_point){0.1, 1.5}, 1e-9,
                 "region \"slot\" has no room for a body of 0.25 m radius");
    assert_found(&findings, 4, THRONG_FINDING_SPAWN, (throng_point){13, 6.5}, 1e-9,
                 "region \"crowded\" is to hold 60 agents, but 38 of 0.25 m radius fit at most");
    throng_findings_fini(&findings);
    throng_map_destroy(map);
}

static void open_maps_are_looked_at(void **state)
{
    (void)state;
    /* a walled yard that only a slot of 0.4 m leads into */
    throng_point ring[12] = {{0, 0}, {5, 0}, {5, 5}, {0, 5}, {0, 2.4}, {1, 2.4},
                             {1, 4}, {4, 4}, {4, 1}, {1, 1}, {1, 2},   {0, 2}};
    const throng_point *walls[] = {ring};
    int32_t twelve = 12;
    throng_error error;
    throng_map *map = throng_map_from_polygons("open", NULL, NULL, 0, walls, &twelve, 1, &error);
    assert_non_null(map);
    add_region(map, "far", NULL, (box){400, 400, 410, 410});
    throng_findings findings = lint(map, 0.25, true);
    assert_int_equal(findings.count, 2);
    assert_found(&findings, 0, THRONG_FINDING_GAP, (throng_point){0.5, 2.2}, 0.7,
                 "an opening of 0.40 m is too narrow for a body of 0.25 m radius");
    assert_int_equal(findings.list[1].kind, THRONG_FINDING_REACH);
    throng_findings_fini(&findings);
    throng_map_destroy(map);
}

/* Random walls: where a body of 0.25 m finds more areas than a thin one, gaps are what parts them. */
static void whatever_parts_areas_is_found(void **state)
{
    (void)state;
    uint32_t seed = 11;
    int parted = 0;
    for (int k = 0; k < 60; k++) {
        box walls[14];
        for (int i = 0; i < 14; i++) {
            double at[4];
            for (int j = 0; j < 4; j++) {
                seed = seed * 1664525 + 1013904223;
                at[j] = (seed >> 16) / 65536.0;
            }
            bool upright = i % 2;
            walls[i] = (box){20 * at[0], 10 * at[1], 20 * at[0] + (upright ? 0.2 : 1 + 8 * at[2]),
                             10 * at[1] + (upright ? 1 + 6 * at[3] : 0.2)};
        }
        throng_map *map = hall(walls, 14);
        throng_findings thin = lint(map, 0.02, true), body = lint(map, 0.25, true);
        int areas = 0, gaps = 0;
        for (int32_t i = 0; i < thin.count; i++)
            areas -= thin.list[i].kind == THRONG_FINDING_REACH;
        for (int32_t i = 0; i < body.count; i++) {
            areas += body.list[i].kind == THRONG_FINDING_REACH;
            gaps += body.list[i].kind == THRONG_FINDING_GAP;
        }
        parted += areas > 0;
        if (areas > 0 && gaps == 0)
            fail_msg("map %d is parted, but no gap was found", k);
        throng_findings_fini(&thin);
        throng_findings_fini(&body);
        throng_map_destroy(map);
    }
    assert_true(parted >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_doors_are_found),
        cmocka_unit_test(pillars_near_walls_are_found_once),
        cmocka_unit_test(nooks_are_no_gaps),
        cmocka_unit_test(walls_that_touch_leave_no_gap),
        cmocka_unit_test(rooms_that_nothing_reaches_are_found),
        cmocka_unit_test(regions_are_looked_at),
        cmocka_unit_test(open_maps_are_looked_at),
        cmocka_unit_test(whatever_parts_areas_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
