/* What is kept for the next world: found by what it was made of, and never when that has changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "navigation/cache_map.h"
#include "world/world.h"

/* ---- the cache */

static int destroyed;

static void destroy(void *value)
{
    destroyed++;
    free(value);
}

static throng_key key_of(const char *text)
{
    throng_key key = throng_key_of(THRONG_CACHE_TREE);
    throng_key_add(&key, text, strlen(text));
    return key;
}

static void *put(throng_cache *cache, const char *text, size_t bytes)
{
    throng_key key = key_of(text);
    void *value = malloc(1);
    assert_null(throng_cache_take(cache, &key));
    assert_true(throng_cache_put(cache, &key, value, bytes, destroy));
    throng_key_fini(&key);
    return value;
}

static void *take(throng_cache *cache, const char *text)
{
    throng_key key = key_of(text);
    void *value = throng_cache_take(cache, &key);
    throng_key_fini(&key);
    return value;
}

static void test_keys(void **state)
{
    (void)state;
    destroyed = 0;
    throng_cache *cache = throng_cache_create(100);
    void *one = put(cache, "one", 10), *two = put(cache, "two", 10);
    assert_ptr_equal(take(cache, "one"), one);
    assert_ptr_equal(take(cache, "two"), two);
    assert_null(take(cache, "on"));
    assert_true(throng_cache_number(cache, one) != throng_cache_number(cache, two));
    throng_cache_destroy(cache);
    assert_int_equal(destroyed, 2);
}

/* What somebody holds stays, whatever its size; of the rest, what was let go last. */
static void test_room(void **state)
{
    (void)state;
    destroyed = 0;
    throng_cache *cache = throng_cache_create(25);
    void *held = put(cache, "held", 1000), *a = put(cache, "a", 10), *b = put(cache, "b", 10), *c = put(cache, "c", 10);
    throng_cache_release(cache, b);
    throng_cache_release(cache, a);
    assert_int_equal(destroyed, 0);
    throng_cache_release(cache, c);
    assert_int_equal(destroyed, 1);
    assert_null(take(cache, "b"));
    assert_ptr_equal(take(cache, "a"), a);
    assert_ptr_equal(take(cache, "a"), a); /* held twice */
    throng_cache_release(cache, a);
    throng_cache_release(cache, held); /* larger than the room: it goes, and nothing for it */
    assert_int_equal(destroyed, 2);
    assert_null(take(cache, "held"));
    assert_ptr_equal(take(cache, "a"), a);
    assert_ptr_equal(take(cache, "c"), c);
    throng_cache_destroy(cache);
}

/* ---- maps and meshes */

static char folder[64], image[96], yaml[96];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/throng-cache-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(image, sizeof image, "%s/room.pgm", folder);
    snprintf(yaml, sizeof yaml, "%s/room.yaml", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(image);
    unlink(yaml);
    return rmdir(folder);
}

/* 80 x 80 pixels, the free ones as wide as said. */
static void write_image(int width)
{
    FILE *out = fopen(image, "w");
    assert_non_null(out);
    fputs("P5 80 80 255\n", out);
    for (int i = 0; i < 6400; i++)
        fputc(i % 80 > 2 && i % 80 < 2 + width && i / 80 > 2 && i / 80 < 78 ? 254 : 0, out);
    fclose(out);
}

static void write_yaml(const char *resolution)
{
    FILE *out = fopen(yaml, "w");
    assert_non_null(out);
    fprintf(out, "image: room.pgm\nresolution: %s\norigin: [0, 0, 0]\n", resolution);
    fclose(out);
}

static double area_of(throng_cache *cache, const char *path)
{
    throng_error error;
    throng_map *map = throng_cache_read_map(cache, path, NULL, &error);
    if (!map)
        fail_msg("%s", error.text);
    double area = map->area;
    assert_true(throng_map_add_region(map, "mine", map->points, 4, &error)); /* a copy: nobody else sees it */
    assert_int_equal(map->region_count, 1);
    throng_map_destroy(map);
    return area;
}

/* Every file that a map is read from counts, also one that was not there before. */
static void test_files(void **state)
{
    (void)state;
    throng_cache *cache = throng_cache_create(1 << 20);
    write_image(70);
    write_yaml("0.2");
    double area = area_of(cache, yaml), same = area_of(cache, yaml);
    assert_true(area > 180 && area == same);
    write_image(35); /* of the same size */
    double narrow = area_of(cache, yaml);
    assert_true(narrow < 0.55 * area);
    write_yaml("0.4");
    assert_true(area_of(cache, yaml) > 3 * narrow);
    double wide = area_of(cache, image);
    assert_true(wide > 3 * narrow);
    unlink(yaml);
    assert_true(area_of(cache, image) < 0.1 * wide); /* 0.05 m a pixel */
    throng_cache_destroy(cache);
}

static throng_map *room(double width, double door)
{
    throng_error error;
    const throng_point box[] = {{0, 0}, {width, 0}, {width, 8}, {0, 8}}, wall[] = {{5, 0}, {6, 0}, {6, 3}, {5, 3}};
    throng_polygons outline = {(const throng_point *const[]){box}, (const int32_t[]){4}, 1};
    throng_polygons walls = {(const throng_point *const[]){wall}, (const int32_t[]){4}, 1};
    throng_cache *cache = throng_cache_create(1 << 20);
    throng_map *map = throng_cache_build_map(cache, "room", &outline, &walls, &error);
    assert_non_null(map);
    throng_cache_destroy(cache); /* the map is the caller's */
    assert_true(throng_map_add_door(map, "door", (throng_point){5.5, 3}, (throng_point){5.5, door}, &error));
    return map;
}

static uint64_t mesh_number(throng_cache *cache, double width, double door, double radius)
{
    throng_error error;
    uint64_t number;
    throng_map *map = room(width, door);
    const throng_navmesh *mesh = throng_cache_take_mesh(cache, map, radius, &number, &error);
    throng_navmesh *fresh = throng_navmesh_build(map, radius, &error);
    assert_true(mesh && fresh && mesh->face_count == fresh->face_count && mesh->edge_count == fresh->edge_count);
    assert_memory_equal(mesh->ax, fresh->ax, (size_t)mesh->edge_count * sizeof *mesh->ax);
    assert_memory_equal(mesh->twin, fresh->twin, (size_t)mesh->edge_count * sizeof *mesh->twin);
    assert_memory_equal(mesh->shut, fresh->shut, (size_t)mesh->edge_count);
    assert_ptr_equal(throng_cache_take_mesh(cache, map, radius, NULL, &error), mesh); /* nobody has a copy */
    throng_cache_release(cache, mesh);
    throng_cache_release(cache, mesh);
    throng_navmesh_destroy(fresh);
    throng_map_destroy(map);
    return number;
}

static void test_meshes(void **state)
{
    (void)state;
    throng_cache *cache = throng_cache_create(1 << 20);
    uint64_t first = mesh_number(cache, 12, 8, 0.25);
    assert_true(mesh_number(cache, 12, 8, 0.25) == first);
    assert_true(mesh_number(cache, 12, 8, 0.3) != first);
    assert_true(mesh_number(cache, 13, 8, 0.25) != first);
    assert_true(mesh_number(cache, 12, 7.9, 0.25) != first);
    assert_true(mesh_number(cache, 12, 8, 0.25) == first);
    throng_cache_destroy(cache);
}

/* ---- worlds */

/* Where 20 agents are after some steps, who walk in the given way to the other side of a door that is shut or open. */
static uint64_t hash_of(throng_cache *cache, int32_t routing, bool open)
{
    throng_error error;
    throng_world_def def = throng_world_def_default();
    def.map = room(12, 8);
    def.backend = "cpu";
    def.options = (throng_backend_options){.threads = 1};
    def.cache = cache;
    throng_world *world = throng_world_create(&def, &error);
    throng_point left[] = {{0.5, 0.5}, {4, 0.5}, {4, 7}, {0.5, 7}};
    throng_region area = {.points = left, .count = 4};
    throng_spawn_def spawn = throng_spawn_def_default();
    spawn.count = 20;
    spawn.areas = &area;
    spawn.area_count = 1;
    throng_handle handles[20];
    assert_true(world && throng_world_spawn(world, &spawn, handles, &error));
    for (int i = 0; i < 20; i++)
        assert_true(
            throng_agents_set(throng_world_agents(world), THRONG_COLUMN_routing, &handles[i], 1, routing, &error));
    assert_true(throng_world_set_door(world, 0, open, &error));
    int32_t goal = throng_world_goal_point(world, (throng_point){10, 2}, 0.5, &error);
    if (goal < 0 || !throng_world_send(world, handles, 20, goal, NULL, &error))
        fail_msg("%s", error.text);
    uint64_t hash;
    for (int i = 0; i < 60; i++)
        assert_true(throng_world_step(world, &error));
    assert_true(throng_world_hash(world, &hash, &error));
    throng_world_destroy(world);
    return hash;
}

static void test_worlds(void **state)
{
    (void)state;
    static const int32_t routing[] = {THRONG_ROUTING_NAVMESH, THRONG_ROUTING_ROADMAP, THRONG_ROUTING_FIELD};
    throng_cache *cache = throng_cache_create(1 << 24);
    for (size_t i = 0; i < sizeof routing / sizeof *routing; i++) {
        uint64_t alone = hash_of(NULL, routing[i], true), shut = hash_of(NULL, routing[i], false);
        assert_true(alone != shut);
        for (int k = 0; k < 2; k++) {
            assert_true(hash_of(cache, routing[i], true) == alone);
            assert_true(hash_of(cache, routing[i], false) == shut);
        }
    }
    throng_cache_destroy(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_room),
        cmocka_unit_test_setup_teardown(test_files, set_up, tear_down),
        cmocka_unit_test(test_meshes),
        cmocka_unit_test(test_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
