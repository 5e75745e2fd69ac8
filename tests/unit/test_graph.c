/* Batches of paths against Bellman and Ford's relaxation, on the grids of the GPU A* paper, on random graphs and on
 * Moving AI maps, by every method and backend: the same costs to the bit. */
#include <string.h>

#include "crowds.h"

#include "kernels/routing/paths.h"
#include "map/map.h"
#include "navigation/graph.h"
#include "navigation/graph_devices.h"

static throng_stages open_backend(const char *name, int32_t threads)
{
    throng_error error;
    throng_backend_options options = {.threads = threads};
    throng_stages stages = {0};
    if (!throng_stages_open(name, &options, &stages, &error)) {
        if (strcmp(name, "cuda") == 0)
            skip_because("no device");
        fail_msg("%s", error.text);
    }
    return stages;
}

/* The first device, named so many times. */
static throng_stages open_devices(const char *name, int32_t count)
{
    throng_error error;
    static const int32_t first[8];
    throng_stages stages = {0};
    if (!throng_graph_devices_open(name, first, count, &stages, &error)) {
        if (strcmp(name, "cuda") == 0)
            skip_because("no device");
        fail_msg("%s", error.text);
    }
    return stages;
}

static int32_t whole(uint32_t number, int32_t i, uint32_t what, int32_t below)
{
    return (int32_t)(throng_random(number, (uint32_t)i, what, 0, 97) * below);
}

static float part(uint32_t number, int32_t i, uint32_t what)
{
    return (float)throng_random(number, (uint32_t)i, what, 0, 97);
}

/* Edges' costs: whole ones, some of them 0; such that different ways cost the same, and sums of floats with the last
 * would be rounded; the edge's length and up to as much again, which A*'s bounds know of; such that no number holds
 * their sums. */
enum { WHOLE, UNEVEN, LENGTHS, ROUNDED, KINDS };

static float draw_cost(uint32_t number, int32_t edge, int kind, float length)
{
    static const float uneven[] = {0.25f, 0.5f, 1, 1e7f};
    switch (kind) {
    case WHOLE: return (float)whole(number, edge, 5, 20);
    case UNEVEN: return uneven[whole(number, edge, 5, 4)];
    case LENGTHS: return length * (1 + part(number, edge, 5));
    default: return length + powf(10, 40 * part(number, edge, 5) - 20);
    }
}

/* Nodes in a square of 10 m; some edges are twice there, some closed. */
static throng_graph *random_graph(uint32_t number, int32_t nodes, int32_t edges, int kind)
{
    float *x = malloc((size_t)nodes * sizeof *x), *y = malloc((size_t)nodes * sizeof *y);
    throng_graph_edge *edge = malloc((size_t)edges * sizeof *edge);
    for (int32_t i = 0; i < nodes; i++)
        x[i] = 10 * part(number, i, 1), y[i] = 10 * part(number, i, 2);
    for (int32_t e = 0; e < edges; e++) {
        int32_t from = whole(number, e, 3, nodes), to = whole(number, e, 4, nodes);
        float length = hypotf(x[from] - x[to], y[from] - y[to]);
        edge[e] = (throng_graph_edge){from, to, e % 31 ? draw_cost(number, e, kind, length) : INFINITY};
    }
    throng_error error;
    throng_graph *graph = throng_graph_create(nodes, x, y, edges, edge, &error);
    assert_non_null(graph);
    free(x);
    free(y);
    free(edge);
    return graph;
}

/* Costs to `goal`, by going over all edges until nothing changes. */
static void relax_all(const throng_graph *g, int32_t goal, double *cost)
{
    for (int32_t n = 0; n < g->nodes; n++)
        cost[n] = n == goal ? 0 : INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t n = 0; n < g->nodes; n++)
            for (int32_t e = g->first[n]; e < g->first[n + 1]; e++)
                if (cost[g->node[e]] + (double)g->cost[e] < cost[n])
                    cost[n] = cost[g->node[e]] + (double)g->cost[e], changed = true;
    }
}

static double edge_cost(const throng_graph *g, int32_t from, int32_t to)
{
    double least = INFINITY;
    for (int32_t e = g->first[from]; e < g->first[from + 1]; e++)
        if (g->node[e] == to && (double)g->cost[e] < least)
            least = (double)g->cost[e];
    return least;
}

/* The path is one, from the start to the goal, and costs what it is said to. */
static void check_path(const throng_graph *g, const throng_path_results *r, int32_t q, int32_t from, int32_t to)
{
    if (r->cost[q] == INFINITY) {
        assert_int_equal(0, r->count[q]);
        return;
    }
    const int32_t *node = r->node + r->first[q];
    int32_t count = r->count[q];
    assert_true(count >= 1);
    assert_int_equal(from, node[0]);
    assert_int_equal(to, node[count - 1]);
    double cost = 0;
    for (int32_t i = count - 2; i >= 0; i--)
        cost += edge_cost(g, node[i], node[i + 1]);
    assert_true((float)cost == r->cost[q]);
}

static void check_batch(throng_stages *stages, const throng_graph *g, int32_t queries, uint32_t number, int32_t method)
{
    int32_t *from = malloc((size_t)queries * sizeof *from), *to = malloc((size_t)queries * sizeof *to);
    double *cost = malloc((size_t)g->nodes * sizeof *cost);
    for (int32_t q = 0; q < queries; q++) {
        from[q] = whole(number, q, 6, g->nodes);
        to[q] = q % 17 ? whole(number, q / 8, 7, g->nodes) : from[q]; /* goals in runs, some where one stands */
    }
    throng_path_batch batch = {queries, from, to, method};
    throng_path_results r;
    throng_error error;
    if (!throng_graph_paths(stages, g, &batch, &r, &error))
        fail_msg("%s", error.text);
    for (int32_t q = 0, goal = -1; q < queries; q++) {
        if (to[q] != goal)
            relax_all(g, goal = to[q], cost);
        assert_true(r.cost[q] == (float)cost[from[q]]);
        check_path(g, &r, q, from[q], to[q]);
    }
    free(from);
    free(to);
    free(cost);
}

/* G0 to G8 of the paper; and with corners, where costs are no whole numbers. */
static void check_grids(throng_stages *stages)
{
    static const int32_t side[] = {4, 8, 12, 16, 18, 20, 30, 45};
    throng_error error;
    for (int32_t i = 0; i < 8; i++)
        for (int diagonal = 0; diagonal < 2; diagonal++)
            for (int32_t method = 0; method < THRONG_PATH_METHODS; method++) {
                throng_graph *g = throng_graph_grid(side[i], side[i], NULL, diagonal, NULL, &error);
                assert_int_equal(4 * side[i] * (side[i] - 1) + diagonal * 4 * (side[i] - 1) * (side[i] - 1), g->edges);
                check_batch(stages, g, 200, (uint32_t)i, method);
                throng_graph_destroy(g);
            }
}

static void check_random_graphs(throng_stages *stages)
{
    for (uint32_t number = 0; number < 80; number++)
        for (int32_t method = 0; method < THRONG_PATH_METHODS; method++) {
            int32_t nodes = 1 + whole(number, 0, 8, 120);
            throng_graph *g = random_graph(number, nodes, nodes * whole(number, 0, 9, 5), (int)number % KINDS);
            check_batch(stages, g, 100, number, method);
            throng_graph_destroy(g);
        }
}

static void check_large_graph(throng_stages *stages)
{
    enum { SIDE = 80 }; /* more nodes than a block's shared memory has room for */
    static bool blocked[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        blocked[i] = whole(1, i, 10, 100) < 35;
    throng_error error;
    throng_graph *g = throng_graph_grid(SIDE, SIDE, blocked, true, NULL, &error);
    for (int32_t method = 0; method < THRONG_PATH_METHODS; method++)
        check_batch(stages, g, 100, 5, method);
    throng_graph_destroy(g);
}

/* Plain, and where cells cost a little more each. */
static void check_maps(throng_stages *stages)
{
    static const char *const names[] = {"maze-32-32-2", "room-64-64-8", "random-64-64-20"};
    for (int i = 0; i < 3; i++) {
        char path[64];
        throng_error error;
        snprintf(path, sizeof path, "tests/data/movingai/%s.map", names[i]);
        throng_map *map = throng_map_read(path, NULL, &error);
        assert_non_null(map);
        int32_t width = map->grid->width, height = map->grid->height, cells = width * height;
        bool *blocked = malloc((size_t)cells * sizeof *blocked);
        float *extra = malloc((size_t)cells * sizeof *extra);
        for (int32_t c = 0; c < cells; c++)
            blocked[c] = !map->grid->free[c], extra[c] = part(1, c, 11);
        for (int32_t method = 0; method < 2 * THRONG_PATH_METHODS; method++) {
            throng_graph *g =
                throng_graph_grid(width, height, blocked, true, method < THRONG_PATH_METHODS ? NULL : extra, &error);
            check_batch(stages, g, 24, 6, method % THRONG_PATH_METHODS);
            throng_graph_destroy(g);
        }
        free(blocked);
        free(extra);
        throng_map_destroy(map);
    }
}

/* Open lists and paths of nearly all nodes: a star into node 0, and a chain. */
static void check_wide_and_long(throng_stages *stages)
{
    enum { NODES = 60000 };
    throng_error error;
    throng_path_results r;
    float *zero = calloc(NODES, sizeof *zero);
    throng_graph_edge *edge = malloc(NODES * sizeof *edge);
    for (int chain = 0; chain < 2; chain++) {
        for (int32_t e = 0; e < NODES - 1; e++)
            edge[e] = (throng_graph_edge){e + 1, chain ? e : 0, 1};
        throng_graph *g = throng_graph_create(NODES, zero, zero, NODES - 1, edge, &error);
        const int32_t from[] = {NODES - 1, 1, 0}, to[] = {0, 0, 1};
        assert_true(throng_graph_paths(stages, g, &(throng_path_batch){3, from, to, THRONG_PATHS_SEARCH}, &r, &error));
        assert_true(r.cost[0] == (chain ? NODES - 1 : 1) && r.cost[1] == 1 && r.cost[2] == INFINITY);
        for (int32_t q = 0; q < 3; q++)
            check_path(g, &r, q, from[q], to[q]);
        throng_graph_destroy(g);
    }
    free(zero);
    free(edge);
}

/* Each node that is looked at makes all behind it cheaper: many entries of open lists no longer stand. */
static void check_steady_gain(throng_stages *stages)
{
    enum { NODES = 60 };
    throng_error error;
    float zero[NODES] = {0};
    throng_graph_edge edge[NODES * NODES];
    int32_t edges = 0;
    for (int32_t from = 1; from < NODES; from++)
        for (int32_t to = 0; to < from; to++)
            edge[edges++] = (throng_graph_edge){from, to, (float)((from - to) * (from - to))};
    throng_graph *g = throng_graph_create(NODES, zero, zero, edges, edge, &error);
    for (int32_t method = 0; method < THRONG_PATH_METHODS; method++)
        check_batch(stages, g, 50, 7, method);
    throng_graph_destroy(g);
}

/* Many go to few goals of a large graph. */
static void check_few_goals(throng_stages *stages)
{
    enum { SIDE = 70, QUERIES = 20 * SIDE * SIDE };
    throng_error error;
    throng_path_results r;
    throng_graph *g = throng_graph_grid(SIDE, SIDE, NULL, false, NULL, &error);
    int32_t *from = malloc(QUERIES * sizeof *from), *to = malloc(QUERIES * sizeof *to);
    for (int32_t q = 0; q < QUERIES; q++)
        from[q] = whole(6, q, 1, g->nodes), to[q] = q % 3 * SIDE;
    assert_true(throng_graph_paths(stages, g, &(throng_path_batch){QUERIES, from, to, THRONG_PATHS_TREES}, &r, &error));
    for (int32_t q = 0; q < QUERIES; q++) {
        int32_t steps = abs(from[q] % SIDE) + abs(from[q] / SIDE - q % 3);
        assert_true(r.cost[q] == (float)steps && r.count[q] == steps + 1);
    }
    throng_graph_destroy(g);
    free(from);
    free(to);
}

static void check_backend(const char *name, int32_t threads)
{
    throng_stages stages = open_backend(name, threads);
    check_grids(&stages);
    check_random_graphs(&stages);
    check_large_graph(&stages);
    check_maps(&stages);
    check_few_goals(&stages);
    check_wide_and_long(&stages);
    check_steady_gain(&stages);
    throng_stages_close(&stages);
}

static void cheapest_paths_cpu(void **state)
{
    (void)state;
    check_backend("cpu", 1);
    check_backend("cpu", 3);
}

static void cheapest_paths_cuda(void **state)
{
    (void)state;
    check_backend("cuda", 0);
}

/* 64-bit FNV-1a of costs and paths, in order of the queries. */
static uint64_t hash_results(const throng_path_results *r, int32_t queries)
{
    uint64_t hash = 14695981039346656037u;
    for (int32_t q = 0; q < queries; q++) {
        uint32_t bits;
        memcpy(&bits, &r->cost[q], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
        for (int32_t i = 0; i < r->count[q]; i++)
            hash = (hash ^ (uint32_t)r->node[r->first[q] + i]) * 1099511628211u;
    }
    return hash;
}

/* The same paths to the node, by each method, as `a` of all `others`; `a` has its queries in memory of its own, the
 * others where the backend wants them. */
static void same_paths_of(throng_stages *a, throng_stages *others, int32_t count, const throng_graph *g,
                          int32_t queries)
{
    throng_error error;
    int32_t *from = malloc((size_t)queries * sizeof *from), *to = malloc((size_t)queries * sizeof *to);
    for (int32_t q = 0; q < queries; q++)
        from[q] = whole(3, q, 1, g->nodes), to[q] = whole(3, q, 2, g->nodes);
    for (int32_t method = 0; method < THRONG_PATH_METHODS; method++) {
        throng_path_batch batch = {queries, from, to, method};
        throng_path_results ra, rb;
        assert_true(throng_graph_paths(a, g, &batch, &ra, &error));
        assert_true((ra.suffixes > 0) == (method == THRONG_PATHS_AUTO && ra.method == THRONG_PATHS_SEARCH));
        uint64_t hash = hash_results(&ra, queries);
        for (throng_stages *b = others; b < others + count; b++) {
            int32_t *b_from, *b_to;
            assert_true(throng_graph_queries(b, queries, &b_from, &b_to, &error));
            memcpy(b_from, from, (size_t)queries * sizeof *from);
            memcpy(b_to, to, (size_t)queries * sizeof *to);
            assert_true(throng_graph_paths(b, g, &(throng_path_batch){queries, b_from, b_to, method}, &rb, &error));
            assert_int_equal(ra.method, rb.method);
            assert_int_equal(ra.suffixes, rb.suffixes);
            assert_true(hash == hash_results(&rb, queries));
        }
    }
    free(from);
    free(to);
}

/* From searches on any number of threads and on CUDA, and from trees likewise; and from several devices. */
static void same_paths(throng_stages *others, int32_t count)
{
    throng_stages a = open_backend("cpu", 1);
    throng_error error;
    throng_graph *graphs[] = {throng_graph_grid(40, 40, NULL, true, NULL, &error),
                              random_graph(1, 200, 700, UNEVEN),
                              random_graph(2, 200, 3000, UNEVEN),
                              random_graph(3, 1500, 5000, UNEVEN),
                              random_graph(4, 200, 700, LENGTHS),
                              random_graph(5, 300, 1000, ROUNDED)};
    static const int32_t queries[] = {3500, 20000, 1000, 3500, 1000, 1000}; /* the second by trees */
    for (int i = 0; i < 6; i++) {
        same_paths_of(&a, others, count, graphs[i], queries[i]);
        throng_graph_destroy(graphs[i]);
    }
    throng_stages_close(&a);
    for (int32_t i = 0; i < count; i++)
        throng_stages_close(&others[i]);
}

static void same_paths_on_threads(void **state)
{
    (void)state;
    same_paths((throng_stages[]){open_backend("cpu", 4)}, 1);
}

static void same_paths_on_cuda(void **state)
{
    (void)state;
    same_paths((throng_stages[]){open_backend("cuda", 0)}, 1);
}

static void same_paths_on_shares(void **state)
{
    (void)state;
    same_paths((throng_stages[]){open_devices("cpu", 2), open_devices("cpu", 5), open_devices("cpu", 8)}, 3);
}

static void same_paths_on_cuda_shares(void **state)
{
    (void)state;
    same_paths((throng_stages[]){open_devices("cuda", 2), open_devices("cuda", 3)}, 2);
}

static void same_paths_on_two_devices(void **state)
{
    (void)state;
    throng_error error;
    throng_stages two;
    if (!throng_graph_devices_open("cuda", (int32_t[]){0, 1}, 2, &two, &error))
        skip_because("no second device");
    same_paths(&two, 1);
}

/* Fewer queries than devices; many; none. */
static void shares_are_whole(void **state)
{
    (void)state;
    throng_stages one = open_backend("cpu", 1), many = open_devices("cpu", 7);
    throng_error error;
    throng_graph *g = random_graph(9, 90, 400, LENGTHS);
    int32_t from[500], to[500];
    for (int32_t q = 0; q < 500; q++)
        from[q] = whole(8, q, 1, 90), to[q] = whole(8, q, 2, q % 3 ? 5 : 90);
    static const int32_t counts[] = {500, 3, 0, 1, 8, 499};
    for (int i = 0; i < 6; i++)
        for (int32_t method = 0; method < THRONG_PATH_METHODS; method++) {
            throng_path_batch batch = {counts[i], from, to, method};
            throng_path_results ra, rb;
            assert_true(throng_graph_paths(&one, g, &batch, &ra, &error));
            assert_true(throng_graph_paths(&many, g, &batch, &rb, &error));
            assert_true(hash_results(&ra, counts[i]) == hash_results(&rb, counts[i]));
            assert_int_equal(ra.suffixes, rb.suffixes);
            for (int32_t q = 0; q < counts[i]; q++)
                check_path(g, &rb, q, from[q], to[q]);
        }
    throng_graph_destroy(g);
    throng_stages_close(&one);
    throng_stages_close(&many);
}

/* A backend with room for 700 queries at a time. */
static int32_t parts;

static bool few_paths(throng_backend *backend, const throng_graph *graph, const throng_path_batch *batch,
                      throng_path_results *results, throng_error *error)
{
    parts++;
    if (batch->queries > 700)
        return throng_fail(error, "no memory left");
    return throng_cpu_backend.paths(backend, graph, batch, results, error);
}

static void batches_are_cut_to_fit(void **state)
{
    (void)state;
    enum { QUERIES = 3000 };
    throng_stages all = open_backend("cpu", 2), cut = open_backend("cpu", 2);
    throng_backend_api api = *cut.api;
    api.paths = few_paths;
    cut.api = &api;
    throng_error error;
    throng_graph *g = throng_graph_grid(30, 30, NULL, true, NULL, &error);
    int32_t from[QUERIES], to[QUERIES];
    for (int32_t q = 0; q < QUERIES; q++)
        from[q] = whole(4, q, 1, 900), to[q] = whole(4, q, 2, 900);
    for (int32_t method = THRONG_PATHS_SEARCH; method < THRONG_PATH_METHODS; method++) {
        throng_path_batch batch = {QUERIES, from, to, method};
        throng_path_results ra, rb;
        parts = 0;
        assert_true(throng_graph_paths(&all, g, &batch, &ra, &error));
        assert_true(throng_graph_paths(&cut, g, &batch, &rb, &error));
        assert_int_equal(parts, 3 + 8); /* of 3,000, 1,500, 750; of 375 each */
        assert_true(hash_results(&ra, QUERIES) == hash_results(&rb, QUERIES));
        /* The answers lie in the host's memory, and the parts' searches took less than all at once. */
        uint64_t answers = QUERIES * 12 + 4 * (uint64_t)rb.nodes, part_bytes = rb.host_bytes - answers;
        assert_true(ra.host_bytes > QUERIES * 12 + 4 * (uint64_t)ra.nodes && ra.device_bytes == 0);
        assert_true(rb.host_bytes > answers && part_bytes < ra.host_bytes);
    }
    throng_graph_destroy(g);
    throng_stages_close(&all);
    throng_stages_close(&cut);
}

static void bad_graphs_say_what_is_wrong(void **state)
{
    (void)state;
    throng_error error;
    float x[2] = {0, 1}, y[2] = {0, 0}, nowhere[2] = {0, NAN};
    throng_graph_edge negative = {0, 1, -1}, absent = {0, 2, 1}, good = {0, 1, 1};
    assert_null(throng_graph_create(2, x, y, 1, &negative, &error));
    assert_non_null(strstr(error.text, "edge 0 (0 to 1): its cost must be 0 or more, not -1"));
    assert_null(throng_graph_create(2, x, y, 1, &absent, &error));
    assert_non_null(strstr(error.text, "edge 0: from 0 to 2, but nodes are 0 .. 1"));
    assert_null(throng_graph_create(2, x, nowhere, 1, &good, &error));
    assert_non_null(strstr(error.text, "node 1"));
    assert_null(throng_graph_grid(0, 5, NULL, false, NULL, &error));
    throng_graph *g = throng_graph_create(2, x, y, 1, &good, &error);
    throng_graph_destroy(g);
}

static void bad_queries(throng_stages stages)
{
    throng_error error;
    throng_path_results r;
    throng_graph *g = throng_graph_grid(2, 1, NULL, false, NULL, &error);
    int32_t from[200] = {0}, to[200] = {0};
    to[199] = 7;
    for (int32_t method = 0; method < THRONG_PATH_METHODS; method++) {
        throng_path_batch batch = {200, from, to, method};
        assert_false(throng_graph_paths(&stages, g, &batch, &r, &error));
        assert_non_null(strstr(error.text, "query 199: from node 0 to node 7, but nodes are 0 .. 1"));
        batch.queries = 0;
        assert_true(throng_graph_paths(&stages, g, &batch, &r, &error));
    }
    throng_graph_destroy(g);
    throng_stages_close(&stages);
}

static void bad_queries_say_so_cpu(void **state)
{
    (void)state;
    bad_queries(open_backend("cpu", 0));
    bad_queries(open_devices("cpu", 3));
}

static void bad_queries_say_so_cuda(void **state)
{
    (void)state;
    bad_queries(open_backend("cuda", 0));
    bad_queries(open_devices("cuda", 2));
}

/* Costs that add up to no number: there is no way, whoever looks. */
static void infinite(const char *name)
{
    throng_stages stages = open_backend(name, 1);
    throng_error error;
    float zero[3] = {0};
    throng_graph_edge edge[] = {{0, 1, 3e38f}, {1, 2, 3e38f}};
    throng_graph *g = throng_graph_create(3, zero, zero, 2, edge, &error);
    int32_t from[] = {0, 0}, to[] = {2, 1};
    for (int32_t method = 0; method < THRONG_PATH_METHODS; method++) {
        throng_path_batch batch = {2, from, to, method};
        throng_path_results r;
        assert_true(throng_graph_paths(&stages, g, &batch, &r, &error));
        assert_true(r.cost[0] == INFINITY && r.count[0] == 0);
        assert_true(r.cost[1] == 3e38f && r.count[1] == 2);
    }
    throng_graph_destroy(g);
    throng_stages_close(&stages);
}

static void infinite_costs_are_no_path_cpu(void **state)
{
    (void)state;
    infinite("cpu");
}

static void infinite_costs_are_no_path_cuda(void **state)
{
    (void)state;
    infinite("cuda");
}

/* --- expansions ---------------------------------------------------------------------------------- */

/* What a search costs, and how many nodes it expanded for it. */
static double search(const throng_graph *g, int32_t from, int32_t to, int32_t *expanded)
{
    paths_search s = {g, calloc((size_t)g->nodes, sizeof(paths_node)), malloc((size_t)g->nodes * sizeof(paths_open)),
                      .open = 0};
    double cost = paths_find(&s, from, to);
    for (int32_t n = 0; n < g->nodes; n++)
        *expanded += s.node[n].stamp == s.stamp && s.node[n].place < 0;
    free(s.node);
    free(s.heap);
    return cost;
}

/* Nodes near a lattice, joined to their neighbours on it; edges cost `least` times their length, or up to a third more,
 * and one in ten leads farther. `places`: the graph is told where nodes are. */
static throng_graph *lattice(int32_t side, float least, bool places)
{
    static const int32_t column[] = {1, -1, 0, 0, 1, 1, -1, -1, 5}, row[] = {0, 0, 1, -1, 1, -1, 1, -1, 2};
    int32_t nodes = side * side, edges = 0;
    float *x = calloc((size_t)nodes, sizeof *x), *y = calloc((size_t)nodes, sizeof *y);
    float *zero = calloc((size_t)nodes, sizeof *zero);
    throng_graph_edge *edge = malloc(9 * (size_t)nodes * sizeof *edge);
    for (int32_t n = 0; n < nodes; n++)
        x[n] = 100 + (float)(n % side) + 0.4f * part(1, n, 12), y[n] = (float)(n / side) + 0.4f * part(1, n, 13);
    for (int32_t n = 0; n < nodes; n++)
        for (int way = 0; way < (n % 10 ? 8 : 9); way++) {
            int32_t c = n % side + column[way], r = n / side + row[way], to = r * side + c;
            if (c < 0 || r < 0 || c >= side || r >= side)
                continue;
            float length = hypotf(x[to] - x[n], y[to] - y[n]);
            edge[edges++] = (throng_graph_edge){n, to, least * length * (1 + 0.3f * part(2, edges, 14))};
        }
    throng_error error;
    throng_graph *g = throng_graph_create(nodes, places ? x : zero, places ? y : zero, edges, edge, &error);
    assert_non_null(g);
    free(x);
    free(y);
    free(zero);
    free(edge);
    return g;
}

/* Whatever an edge costs for a metre: its cost is that of the search that knows of no places, to the bit. */
static void places_spare_expansions(void **state)
{
    (void)state;
    static const float least[] = {1, 1.0f / 16, 300};
    for (int i = 0; i < 3; i++) {
        throng_graph *g = lattice(100, least[i], true), *blind = lattice(100, least[i], false);
        int32_t expanded = 0, expanded_blind = 0;
        for (int32_t q = 0; q < 40; q++) {
            int32_t from = whole(4, q, 15, g->nodes), to = whole(4, q, 16, g->nodes);
            assert_true(search(g, from, to, &expanded) == search(blind, from, to, &expanded_blind));
        }
        assert_true(4 * expanded < expanded_blind);
        throng_graph_destroy(g);
        throng_graph_destroy(blind);
    }
}

/* A graph of edges that is a grid is searched as the grid is. */
static void edges_are_searched_like_grids(void **state)
{
    (void)state;
    enum { SIDE = 200 };
    throng_error error;
    throng_graph_edge *edge = malloc(4 * SIDE * SIDE * sizeof *edge);
    float *x = malloc(SIDE * SIDE * sizeof *x), *y = malloc(SIDE * SIDE * sizeof *y);
    int32_t edges = 0, expanded[2] = {0};
    for (int32_t n = 0; n < SIDE * SIDE; n++) {
        x[n] = (float)(n % SIDE), y[n] = (float)(n / SIDE);
        for (int way = 0; way < 4; way++) {
            int32_t c = n % SIDE + (way == 0) - (way == 1), r = n / SIDE + (way == 2) - (way == 3);
            if (c >= 0 && r >= 0 && c < SIDE && r < SIDE)
                edge[edges++] = (throng_graph_edge){n, r * SIDE + c, 1};
        }
    }
    throng_graph *grid = throng_graph_grid(SIDE, SIDE, NULL, false, NULL, &error);
    throng_graph *same = throng_graph_create(SIDE * SIDE, x, y, edges, edge, &error);
    for (int32_t q = 0; q < 40; q++) {
        int32_t from = whole(4, q, 17, grid->nodes), to = whole(4, q, 18, grid->nodes);
        assert_true(search(grid, from, to, &expanded[0]) == search(same, from, to, &expanded[1]));
    }
    assert_int_equal(expanded[0], expanded[1]);
    throng_graph_destroy(grid);
    throng_graph_destroy(same);
    free(edge);
    free(x);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cheapest_paths_cpu),
        cmocka_unit_test(cheapest_paths_cuda),
        cmocka_unit_test(same_paths_on_threads),
        cmocka_unit_test(same_paths_on_cuda),
        cmocka_unit_test(same_paths_on_shares),
        cmocka_unit_test(same_paths_on_cuda_shares),
        cmocka_unit_test(same_paths_on_two_devices),
        cmocka_unit_test(shares_are_whole),
        cmocka_unit_test(batches_are_cut_to_fit),
        cmocka_unit_test(places_spare_expansions),
        cmocka_unit_test(edges_are_searched_like_grids),
        cmocka_unit_test(bad_graphs_say_what_is_wrong),
        cmocka_unit_test(bad_queries_say_so_cpu),
        cmocka_unit_test(bad_queries_say_so_cuda),
        cmocka_unit_test(infinite_costs_are_no_path_cpu),
        cmocka_unit_test(infinite_costs_are_no_path_cuda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
