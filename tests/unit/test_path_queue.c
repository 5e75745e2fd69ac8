/* The path queue: what a frame may spend, who is served when, and that nobody is forgotten. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/routing/portals.h"
#include "map/map_random.h"
#include "navigation/path_queue.h"
#include "skips.h"
#include "paths.h"

/* --- every allocation is counted, unless the sanitizers have malloc for themselves --- */

#if !defined(__SANITIZE_ADDRESS__)
#define COUNTS_ALLOCATIONS 1
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
static int64_t allocations;

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    allocations++;
    return __libc_realloc(block, size);
}
#endif

/* --- a hall of 40 x 40 m with pillars and a room that nothing leads into --- */

enum { PILLARS = 64 };

static throng_map *hall(void)
{
    static throng_point boxes[PILLARS + 4][4];
    throng_point outer[4] = {{0, 0}, {40, 0}, {40, 40}, {0, 40}};
    const throng_point *boundary[] = {outer}, *obstacles[PILLARS + 4];
    int32_t sizes[PILLARS + 4], four = 4, count = 0;
    throng_bounds b[PILLARS + 4];
    for (int i = 0; i < PILLARS; i++) {
        double x = 1.5 + 5 * (i % 8), y = 1.5 + 5 * (i / 8) + i % 3;
        b[count++] = (throng_bounds){x, y, x + 0.5 + i % 5 * 0.5, y + 0.5};
    }
    b[count++] = (throng_bounds){36, 36, 36.2, 40};
    b[count++] = (throng_bounds){36, 36, 40, 36.2};
    for (int32_t i = 0; i < count; i++) {
        throng_point corners[4] = {{b[i].x0, b[i].y0}, {b[i].x1, b[i].y0}, {b[i].x1, b[i].y1}, {b[i].x0, b[i].y1}};
        memcpy(boxes[i], corners, sizeof corners);
        obstacles[i] = boxes[i];
        sizes[i] = 4;
    }
    throng_error error;
    throng_map *map = throng_map_from_polygons("hall", boundary, &four, 1, obstacles, sizes, count, &error);
    if (!map)
        fail_msg("%s", error.text);
    return map;
}

typedef struct fixture {
    throng_map *map;
    throng_navmesh *mesh;
    throng_path_queue *queue;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    throng_error error;
    f.map = hall();
    f.mesh = throng_navmesh_build(f.map, 0.25, &error);
    f.queue = throng_path_queue_create(NULL);
    *state = &f;
    return f.mesh && f.queue ? 0 : -1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    throng_path_queue_destroy(f->queue);
    throng_navmesh_destroy(f->mesh);
    throng_map_destroy(f->map);
    return 0;
}

static throng_path_request any_request(const fixture *f, int64_t tag)
{
    throng_path_request r = {.mesh = f->mesh, .tag = tag};
    assert_true(throng_map_random_point(f->map, NULL, 0, 0.4, (uint64_t)(2 * tag), &r.from));
    assert_true(throng_map_random_point(f->map, NULL, 0, 0.4, (uint64_t)(2 * tag + 1), &r.to));
    return r;
}

static double direct_length(const fixture *f, int64_t tag)
{
    throng_path path;
    throng_path_request r = any_request(f, tag);
    double length = find_path(f->mesh, r.from, r.to, &path) ? path.length : INFINITY;
    throng_path_fini(&path);
    return length;
}

static int32_t run(fixture *f, int32_t budget)
{
    int32_t spent;
    assert_true(throng_path_queue_run(f->queue, budget, &spent));
    assert_in_range(spent, 0, budget);
    return spent;
}

/* --- tests --- */

static void every_request_is_answered_as_a_search_would(void **state)
{
    fixture *f = *state;
    enum { COUNT = 300 };
    static int answered[COUNT];
    memset(answered, 0, sizeof answered);
    for (int64_t i = 0; i < COUNT; i++) {
        throng_path_request r = any_request(f, i);
        r.urgent = i % 7 == 0;
        assert_true(throng_path_queue_add(f->queue, &r));
    }
    int32_t left = COUNT;
    while (left > 0) {
        int32_t spent = run(f, 1000), count;
        const throng_path_answer *answers = throng_path_queue_answers(f->queue, &count);
        assert_true(spent == 1000 || count == left); /* the budget is used while there is something to do */
        for (int32_t i = 0; i < count; i++) {
            double length = answers[i].path ? answers[i].path->length : INFINITY;
            assert_true(length == direct_length(f, answers[i].tag));
            answered[answers[i].tag]++;
        }
        left -= count;
        assert_int_equal(throng_path_queue_pending(f->queue), left);
    }
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(answered[i], 1);
}

static void ten_thousand_requests_keep_to_the_budget(void **state)
{
    fixture *f = *state;
    for (int64_t i = 0; i < 10000; i++) {
        throng_path_request r = any_request(f, i);
        assert_true(throng_path_queue_add(f->queue, &r));
    }
    int frames = 0;
    for (; throng_path_queue_pending(f->queue) > 0; frames++)
        run(f, THRONG_PATH_BUDGET);
    assert_in_range(frames, 1, 10); /* a second of frames of 0.1 s */
    run(f, 1);                      /* and searches that were cut off at every node give the same */
    for (int64_t i = 0; i < 50; i++) {
        throng_path_request r = any_request(f, i);
        assert_true(throng_path_queue_add(f->queue, &r));
    }
    for (int32_t left = 50, count; left > 0; left -= count) {
        run(f, 3);
        const throng_path_answer *answers = throng_path_queue_answers(f->queue, &count);
        for (int32_t i = 0; i < count; i++)
            assert_true((answers[i].path ? answers[i].path->length : INFINITY) == direct_length(f, answers[i].tag));
    }
}

/* Many long searches before it, and a short one still is done in its share of a frame. */
static void long_searches_starve_nobody(void **state)
{
    fixture *f = *state;
    for (int64_t i = 0; i < 100; i++) {
        throng_path_request r = {f->mesh, NULL, {0.5, 0.5}, {35, 39.5}, false, 0};
        assert_true(throng_path_queue_add(f->queue, &r));
    }
    throng_path_request near = {f->mesh, NULL, {0.5, 0.5}, {0.6, 4.5}, false, 1};
    assert_true(throng_path_queue_add(f->queue, &near));
    int32_t count;
    run(f, 101 * 6);
    const throng_path_answer *answers = throng_path_queue_answers(f->queue, &count);
    assert_int_equal(count, 1);
    assert_int_equal(answers[0].tag, 1);
}

static void urgent_requests_come_first(void **state)
{
    fixture *f = *state;
    throng_path_ticket prioritized = 0;
    for (int64_t i = 0; i < 100; i++) {
        throng_path_request r = {f->mesh, NULL, {0.5, 0.5}, {35, 39.5}, i == 99, i};
        throng_path_ticket ticket = throng_path_queue_add(f->queue, &r);
        prioritized = i == 50 ? ticket : prioritized;
    }
    assert_true(throng_path_queue_prioritize(f->queue, prioritized));
    int32_t count = 0;
    while (count == 0) {
        run(f, 60);
        throng_path_queue_answers(f->queue, &count);
    }
    const throng_path_answer *answers = throng_path_queue_answers(f->queue, &count);
    assert_int_equal(count, 2);
    assert_true(answers[0].tag + answers[1].tag == 149);
    assert_false(throng_path_queue_prioritize(f->queue, prioritized));
}

static void cancelled_requests_are_not_announced(void **state)
{
    fixture *f = *state;
    throng_path_ticket tickets[10];
    for (int64_t i = 0; i < 10; i++) {
        throng_path_request r = any_request(f, i);
        tickets[i] = throng_path_queue_add(f->queue, &r);
    }
    run(f, 5);
    for (int i = 0; i < 10; i += 2)
        assert_true(throng_path_queue_cancel(f->queue, tickets[i]));
    assert_false(throng_path_queue_cancel(f->queue, tickets[0]));
    assert_false(throng_path_queue_cancel(f->queue, 0));
    assert_false(throng_path_queue_cancel(f->queue, tickets[1] + ((int64_t)1 << 32)));
    assert_int_equal(throng_path_queue_pending(f->queue), 5);
    int32_t count, all = 0;
    while (throng_path_queue_pending(f->queue) > 0) {
        run(f, 1000);
        const throng_path_answer *answers = throng_path_queue_answers(f->queue, &count);
        for (int32_t i = 0; i < count; i++, all++)
            assert_true(answers[i].tag % 2 == 1);
    }
    assert_int_equal(all, 5);
    assert_false(throng_path_queue_cancel(f->queue, tickets[1]));
}

static void a_mesh_can_be_replaced(void **state)
{
    fixture *f = *state;
    throng_error error;
    throng_navmesh *wide = throng_navmesh_build(f->map, 0.3, &error);
    throng_path_request r = {f->mesh, NULL, {0.5, 0.5}, {35, 39.5}, false, 0};
    assert_true(throng_path_queue_add(f->queue, &r));
    run(f, 4);
    throng_path_queue_replace(f->queue, f->mesh, wide);
    run(f, 100000);
    int32_t count;
    const throng_path_answer *answers = throng_path_queue_answers(f->queue, &count);
    throng_path path;
    assert_int_equal(count, 1);
    assert_true(find_path(wide, r.from, r.to, &path));
    assert_true(answers[0].path->length == path.length);
    throng_path_fini(&path);
    throng_navmesh_destroy(wide);
}

static void warm_searches_allocate_nothing(void **state)
{
#ifdef COUNTS_ALLOCATIONS
    fixture *f = *state;
    static throng_path_request requests[500];
    throng_path_search *search = throng_path_search_create();
    for (int64_t i = 0; i < 500; i++)
        requests[i] = any_request(f, i);
    for (int warm = 0; warm < 2; warm++) {
        int64_t before = allocations;
        for (int i = 0; i < 500; i++) {
            int32_t expansions = INT32_MAX;
            throng_path_search_begin(search, f->mesh, requests[i].from, requests[i].to);
            throng_path_search_step(search, &expansions);
        }
        assert_true(warm ? allocations == before : allocations > before);
    }
    throng_path_search_destroy(search);
#else
    (void)state;
    skip_because("AddressSanitizer has an allocator of its own: allocations are not counted");
#endif
}

/* --- threads and devices: the same answers in the same frames --- */

enum { BURST = 3000, DEVICE_NODES = 100 };

static void compare_answers(const throng_path_queue *a, const throng_path_queue *b)
{
    int32_t count, other;
    const throng_path_answer *of_a = throng_path_queue_answers(a, &count), *of_b = throng_path_queue_answers(b, &other);
    assert_int_equal(count, other);
    for (int32_t i = 0; i < count; i++) {
        const throng_path *pa = of_a[i].path, *pb = of_b[i].path;
        assert_true(of_a[i].ticket == of_b[i].ticket);
        assert_true((pa == NULL) == (pb == NULL));
        assert_true(!pa || (pa->length == pb->length && pa->count == pb->count));
        assert_true(!pa || memcmp(pa->corners, pb->corners, (size_t)pa->count * sizeof *pa->corners) == 0);
    }
}

/* A burst, part of it cancelled, the doors changed on the way, and more requests while it is served. */
static void compare_queues(const fixture *f, const throng_stages *stages)
{
    throng_path_queue *queues[] = {throng_path_queue_create(NULL), throng_path_queue_create(stages)};
    int frames = 0;
    for (; frames == 0 || throng_path_queue_pending(queues[0]) > 0; frames++) {
        int32_t spent[2];
        for (int q = 0; q < 2; q++) {
            for (int64_t i = 0; i < (frames == 0 ? BURST : frames == 3 ? 1 : 0); i++) {
                throng_path_request r = any_request(f, i + 7 * frames);
                r.urgent = i % 50 == 3;
                throng_path_ticket ticket = throng_path_queue_add(queues[q], &r);
                assert_true(i % 40 != 5 || throng_path_queue_cancel(queues[q], ticket));
            }
            if (frames == 5)
                throng_path_queue_replace(queues[q], f->mesh, f->mesh);
            assert_true(throng_path_queue_run(queues[q], 3000, &spent[q]));
        }
        assert_int_equal(spent[0], spent[1]);
        compare_answers(queues[0], queues[1]);
    }
    assert_true(frames > 8);
    throng_path_queue_destroy(queues[0]);
    throng_path_queue_destroy(queues[1]);
}

static void threads_change_nothing(void **state)
{
    const throng_backend_options options = {.simd = 1, .threads = 3};
    throng_stages stages = {0};
    throng_error error;
    if (!throng_stages_open("cpu", &options, &stages, &error))
        fail_msg("%s", error.text);
    compare_queues(*state, &stages);
    throng_stages_close(&stages);
}

/* A device with room for short searches alone. */
static int32_t device_batches, device_full;

static bool device_searches(throng_backend *backend, const throng_path_net *net, const throng_search_query *query,
                            int32_t count, throng_search_result *result, const throng_point **corners,
                            throng_error *error)
{
    (void)backend, (void)error;
    static portal_node nodes[DEVICE_NODES];
    static portal_open heap[DEVICE_NODES];
    static portal_root roots[DEVICE_NODES];
    static int32_t table[2048];
    static throng_point found[BURST * 16];
    portal_search s = {.nodes = nodes, .heap = heap, .roots = roots, .table = table, .table_size = 2048};
    s.node_room = s.heap_room = s.root_room = DEVICE_NODES;
    memset(table, 0xff, sizeof table);
    int64_t written = 0;
    for (int32_t q = 0; q < count; q++) {
        int32_t left = INT32_MAX;
        portals_begin(&s, net, query[q].from, query[q].to, query[q].to_face);
        bool started = portals_start(&s, query[q].starts, 1 + (query[q].starts[1] >= 0));
        result[q] = (throng_search_result){started ? portals_step(&s, &left) : THRONG_SEARCH_FULL, 0, 0, written};
        result[q].expansions = INT32_MAX - left;
        if (result[q].state == THRONG_SEARCH_FOUND)
            written += result[q].count = portals_write(&s, found + written);
        device_full += result[q].state == THRONG_SEARCH_FULL;
    }
    device_batches++;
    *corners = found;
    return true;
}

static void device_info(const throng_backend *backend, throng_backend_info *info)
{
    (void)backend;
    *info = (throng_backend_info){.threads = 2};
}

static void a_device_changes_nothing(void **state)
{
    const throng_backend_api api = {.info = device_info, .searches = device_searches};
    const throng_stages stages = {.api = &api};
    compare_queues(*state, &stages);
    assert_true(device_batches == 2); /* when they came, and when the mesh was replaced */
    assert_in_range(device_full, 1, BURST);
}

static void cuda_changes_nothing(void **state)
{
    const throng_backend_options options = {0};
    throng_stages stages = {0};
    throng_error error;
    if (!throng_stages_open("cuda", &options, &stages, &error))
        skip_because("no device");
    compare_queues(*state, &stages);
    throng_stages_close(&stages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_request_is_answered_as_a_search_would, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ten_thousand_requests_keep_to_the_budget, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_searches_starve_nobody, set_up, tear_down),
        cmocka_unit_test_setup_teardown(urgent_requests_come_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cancelled_requests_are_not_announced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_mesh_can_be_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(warm_searches_allocate_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(threads_change_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_device_changes_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cuda_changes_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("path queue", tests, NULL, NULL);
}
