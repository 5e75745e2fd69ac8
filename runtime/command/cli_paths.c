/* throng paths: answers many queries on a map, and says how fast and how well. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "base/clock.h"
#include "navigation/graph.h"
#include "base/json.h"
#include "map/map_random.h"
#include "base/output.h"
#include "navigation/path_grid.h"
#include "navigation/roadmap.h"
#include "navigation/path_scenario.h"
#include "navigation/path_search.h"
#include "base/suggest.h"

typedef struct query {
    throng_path_query cells; /* on grid maps */
    throng_point from, to;   /* m */
    double optimum;          /* m: the shortest octile path; NAN: not known */
    double length;           /* m: the answer, INFINITY: there is no path */
} query;

/* A map's queries, and what answers them. */
typedef struct session {
    const throng_map *map;
    double radius; /* m */
    query *queries;
    int32_t count;
    int32_t width, height; /* grid maps: cells of the queries, as many as the map's or a multiple, */
    double cell;           /* and the side of one, m */
    throng_navmesh *mesh;
    throng_path_search *search;
    throng_roadmap *roadmap;
    throng_path_grid *grid;
    throng_graph *graph;
    throng_stages stages; /* the batch's */
    const char *backend;
    double build, seconds; /* to get ready, to answer all queries */
} session;

/* --- methods --- */

typedef struct method {
    const char *name;
    bool (*open)(session *s, throng_error *error);
    double (*length)(session *s, const query *q);    /* m, INFINITY when there is no path; NULL: */
    bool (*answer)(session *s, throng_error *error); /* all lengths at once */
} method;

static bool open_navmesh(session *s, throng_error *error)
{
    s->mesh = throng_navmesh_build(s->map, s->radius, error);
    s->search = s->mesh ? throng_path_search_create() : NULL;
    return s->search || (s->mesh ? throng_fail(error, "out of memory for a path search") : false);
}

static double navmesh_length(session *s, const query *q)
{
    int32_t expansions = INT32_MAX;
    throng_path_search_begin(s->search, s->mesh, q->from, q->to);
    bool found = throng_path_search_step(s->search, &expansions) == THRONG_PATH_FOUND;
    return found ? throng_path_search_path(s->search)->length : INFINITY;
}

static bool open_roadmap(session *s, throng_error *error)
{
    s->mesh = throng_navmesh_build(s->map, s->radius, error);
    s->roadmap = s->mesh ? throng_roadmap_build(s->mesh, &s->map->graph, error) : NULL;
    return s->roadmap != NULL;
}

static double roadmap_length(session *s, const query *q)
{
    throng_path path;
    if (!throng_roadmap_path(s->mesh, s->roadmap, q->from, q->to, &path))
        return INFINITY;
    double length = path.length;
    throng_path_fini(&path);
    return length;
}

static bool open_grid(session *s, throng_error *error)
{
    if (!s->map->grid)
        return throng_fail(error, "%s is not made of cells: --method grid needs a Moving AI grid (.map)", s->map->name);
    if (s->radius > 0)
        return throng_fail(error, "--method grid knows no radius, cells are free or not: leave --radius out");
    s->grid = throng_path_grid_create(s->map->grid, s->width, s->height);
    return s->grid || throng_fail(error, "out of memory for the grid's search");
}

static double grid_length(session *s, const query *q)
{
    return s->cell * throng_path_grid_length(s->grid, q->cells.from_x, q->cells.from_y, q->cells.to_x, q->cells.to_y);
}

static bool open_batch(session *s, throng_error *error)
{
    const throng_map_grid *cells = s->map->grid;
    if (!cells || s->radius > 0)
        return throng_fail(error, "--method batch needs a Moving AI grid (.map), and knows no radius");
    bool *blocked = malloc((size_t)s->width * (size_t)s->height * sizeof *blocked);
    if (!blocked)
        return throng_fail(error, "out of memory for %d x %d cells", (int)s->width, (int)s->height);
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t x = 0; x < s->width; x++) {
            int64_t row = (int64_t)y * cells->height / s->height, column = (int64_t)x * cells->width / s->width;
            blocked[(int64_t)y * s->width + x] = !cells->free[row * cells->width + column];
        }
    s->graph = throng_graph_grid(s->width, s->height, blocked, true, NULL, error);
    free(blocked);
    const throng_backend_options all = {0};
    return s->graph && throng_stages_open(s->backend, &all, &s->stages, error);
}

static bool answer_batch(session *s, throng_error *error)
{
    throng_path_results found;
    int32_t *from, *to;
    bool ok = throng_graph_queries(&s->stages, s->count, &from, &to, error);
    for (int32_t i = 0; ok && i < s->count; i++) {
        const throng_path_query *cells = &s->queries[i].cells;
        from[i] = cells->from_y * s->width + cells->from_x;
        to[i] = cells->to_y * s->width + cells->to_x;
    }
    const throng_path_batch batch = {s->count, from, to, THRONG_PATHS_AUTO};
    ok = ok && throng_graph_paths(&s->stages, s->graph, &batch, &found, error);
    for (int32_t i = 0; ok && i < s->count; i++)
        s->queries[i].length = s->cell * (double)found.cost[i];
    return ok;
}

static const method METHODS[] = {{"navmesh", open_navmesh, navmesh_length, NULL},
                                 {"roadmap", open_roadmap, roadmap_length, NULL},
                                 {"grid", open_grid, grid_length, NULL},
                                 {"batch", open_batch, NULL, answer_batch}};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

static const method *method_named(const char *name)
{
    const char *names[METHOD_COUNT + 1] = {NULL};
    char list[256];
    for (int i = 0; i < METHOD_COUNT; i++) {
        if (strcmp(METHODS[i].name, name) == 0)
            return &METHODS[i];
        names[i] = METHODS[i].name;
    }
    throng_list_names(list, sizeof list, names);
    throng_cli_misuse("paths", "there is no method '%s'; expected one of: %s", name, list);
    return NULL;
}

/* --- queries --- */

static throng_point centre_of(const session *s, int32_t column, int32_t row)
{
    return (throng_point){(column + 0.5) * s->cell, (s->height - row - 0.5) * s->cell};
}

static query query_of(const session *s, throng_path_query cells)
{
    return (query){cells, centre_of(s, cells.from_x, cells.from_y), centre_of(s, cells.to_x, cells.to_y),
                   cells.optimum * s->cell, NAN};
}

/* A scenario may take each of the map's cells as a block of them. */
static bool size_cells(session *s, const char *file, const throng_path_scenario *scenario, throng_error *error)
{
    const throng_map_grid *grid = s->map->grid;
    if (!grid)
        return throng_fail(error, "%s: scenarios are for Moving AI grids (.map), which %s is not", file, s->map->name);
    int32_t times = scenario->width / grid->width;
    if (scenario->width != times * grid->width || scenario->height != times * grid->height)
        return throng_fail(error, "%s: its map is %d x %d cells, no multiple of the %d x %d of %s: another map's?",
                           file, (int)scenario->width, (int)scenario->height, (int)grid->width, (int)grid->height,
                           s->map->name);
    s->width = scenario->width;
    s->height = scenario->height;
    s->cell = grid->cell / times;
    return true;
}

static bool take_queries(session *s, const char *file, const throng_path_scenario *scenario, throng_error *error)
{
    if (!size_cells(s, file, scenario, error))
        return false;
    s->queries = malloc((size_t)scenario->count * sizeof *s->queries);
    if (!s->queries)
        return throng_fail(error, "%s: out of memory", file);
    s->count = scenario->count;
    for (int32_t i = 0; i < s->count; i++)
        s->queries[i] = query_of(s, scenario->queries[i]);
    return true;
}

static bool read_queries(session *s, const char *file, throng_error *error)
{
    throng_path_scenario scenario;
    if (!throng_path_scenario_read(file, &scenario, error))
        return false;
    bool fine = take_queries(s, file, &scenario, error);
    throng_path_scenario_fini(&scenario);
    return fine;
}

/* On grid maps the middle of the cell that a point falls into. */
static throng_point settle(const session *s, throng_point p, int32_t *column, int32_t *row)
{
    if (!s->map->grid)
        return p;
    *column = (int32_t)(p.x / s->cell);
    *row = s->height - 1 - (int32_t)(p.y / s->cell);
    return centre_of(s, *column, *row);
}

static bool draw_queries(session *s, int32_t count, uint64_t seed, throng_error *error)
{
    s->queries = calloc((size_t)count, sizeof *s->queries);
    if (!s->queries)
        return throng_fail(error, "out of memory for %d queries", (int)count);
    for (s->count = 0; s->count < count; s->count++) {
        query *q = &s->queries[s->count];
        uint64_t key = (seed << 32) + 2 * (uint64_t)s->count;
        if (!throng_map_random_point(s->map, NULL, 0, s->radius, key, &q->from) ||
            !throng_map_random_point(s->map, NULL, 0, s->radius, key + 1, &q->to))
            return throng_fail(error, "%s: no free place for a radius of %g m was found: make it smaller", s->map->name,
                               s->radius);
        q->from = settle(s, q->from, &q->cells.from_x, &q->cells.from_y);
        q->to = settle(s, q->to, &q->cells.to_x, &q->cells.to_y);
        q->optimum = NAN;
    }
    return true;
}

/* --- answers --- */

static bool answer(session *s, const method *m, throng_error *error)
{
    double start = throng_clock();
    if (!m->open(s, error))
        return false;
    double ready = throng_clock();
    if (m->answer && !m->answer(s, error))
        return false;
    for (int32_t i = 0; m->length && i < s->count; i++)
        s->queries[i].length = m->length(s, &s->queries[i]);
    s->build = ready - start;
    s->seconds = throng_clock() - ready;
    return true;
}

typedef struct figures {
    int32_t found, failed, compared, longer;
    double length, optimum;    /* m: sums; of the queries whose optimum is known */
    double mean, worst, least; /* length / optimum */
} figures;

/* Rounding: scenarios give six digits of long paths. */
static bool is_longer(const query *q) { return q->length > q->optimum * (1 + 1e-5) + 1e-4; }

static figures figures_of(const session *s)
{
    figures f = {.least = INFINITY};
    for (int32_t i = 0; i < s->count; i++) {
        const query *q = &s->queries[i];
        f.found += isfinite(q->length);
        f.failed += !isfinite(q->length);
        if (!isfinite(q->length))
            continue;
        f.length += q->length;
        if (!(q->optimum > 0))
            continue;
        double ratio = q->length / q->optimum;
        f.compared++;
        f.longer += is_longer(q);
        f.optimum += q->optimum;
        f.mean += ratio;
        f.worst = fmax(f.worst, ratio);
        f.least = fmin(f.least, ratio);
    }
    f.mean /= f.compared;
    return f;
}

static void print_text(const session *s, const method *m, const figures *f)
{
    printf("%s, %s, radius %g m\n", s->map->name, m->name, s->radius);
    printf("  ready      %.1f ms", 1e3 * s->build);
    if (s->mesh)
        printf(" (%d faces)", s->mesh->face_count);
    printf("\n  queries    %d: %d found, %d without a path\n", s->count, f->found, f->failed);
    printf("  paths/s    %.0f, %.2f us each, %s\n", s->count / s->seconds, 1e6 * s->seconds / s->count,
           m->length ? "one thread" : s->stages.api->name);
    if (f->found)
        printf("  length     %.2f m in the mean\n", f->length / f->found);
    if (f->compared)
        printf("  optimum    %d compared: length / octile optimum %.5f in the mean, %.5f at worst, %.5f at best; "
               "%d longer\n",
               f->compared, f->mean, f->worst, f->least, f->longer);
}

static void print_json(const session *s, const method *m, const figures *f)
{
    throng_json json = throng_json_open(stdout);
    throng_json_text(&json, "map", s->map->name);
    throng_json_text(&json, "method", m->name);
    throng_json_number(&json, "radius", s->radius);
    throng_json_number(&json, "build_ms", 1e3 * s->build);
    if (s->mesh)
        throng_json_whole(&json, "faces", s->mesh->face_count);
    throng_json_whole(&json, "queries", s->count);
    throng_json_whole(&json, "found", f->found);
    throng_json_whole(&json, "failures", f->failed);
    throng_json_number(&json, "paths_per_second", s->count / s->seconds);
    throng_json_number(&json, "mean_length", f->found ? f->length / f->found : NAN);
    throng_json_whole(&json, "compared", f->compared);
    throng_json_number(&json, "mean_ratio", f->mean);
    throng_json_number(&json, "worst_ratio", f->compared ? f->worst : NAN);
    throng_json_number(&json, "best_ratio", f->least);
    throng_json_whole(&json, "longer", f->longer);
    throng_json_close(&json);
    putchar('\n');
}

static void write_rows(const session *s, FILE *file)
{
    fputs("query,length,optimum,from_x,from_y,to_x,to_y\n", file);
    for (int32_t i = 0; i < s->count; i++) {
        const query *q = &s->queries[i];
        fprintf(file, "%d,%.10g,", (int)i + 1, q->length); /* inf: no path */
        if (!isnan(q->optimum))
            fprintf(file, "%.10g", q->optimum);
        fprintf(file, ",%.10g,%.10g,%.10g,%.10g\n", q->from.x, q->from.y, q->to.x, q->to.y);
    }
}

static bool write_csv(const session *s, const char *path, throng_error *error)
{
    throng_output *output = throng_output_begin(path, error);
    if (!output)
        return false;
    write_rows(s, throng_output_stream(output));
    return throng_output_commit(output, error);
}

/* --- the command --- */

typedef struct request {
    const char *scenario, *method, *csv;
    int64_t random, seed;
    bool json;
} request;

static bool run(session *s, const request *r, const method *m, throng_error *error)
{
    if (s->map->grid) {
        s->width = s->map->grid->width;
        s->height = s->map->grid->height;
        s->cell = s->map->grid->cell;
    }
    bool ready = r->scenario ? read_queries(s, r->scenario, error)
                             : draw_queries(s, (int32_t)r->random, (uint64_t)r->seed, error);
    if (!ready || !answer(s, m, error) || (r->csv && !write_csv(s, r->csv, error)))
        return false;
    figures f = figures_of(s);
    r->json ? print_json(s, m, &f) : print_text(s, m, &f);
    return true;
}

static void fini(session *s)
{
    throng_path_search_destroy(s->search);
    throng_roadmap_destroy(s->roadmap);
    throng_navmesh_destroy(s->mesh);
    throng_path_grid_destroy(s->grid);
    throng_graph_destroy(s->graph);
    throng_stages_close(&s->stages);
    free(s->queries);
}

int throng_cli_paths(int argc, char **argv)
{
    request r = {.method = "navmesh", .seed = 1};
    session s = {.backend = NULL};
    throng_texts files = {.count = 0};
    throng_error error;
    const throng_option options[] = {
        {"--random", THRONG_OPTION_WHOLE, &r.random, 1, 1e8},  {"--seed", THRONG_OPTION_WHOLE, &r.seed, 0, UINT32_MAX},
        {"--method", THRONG_OPTION_TEXT, &r.method, 0, 0},     {"--backend", THRONG_OPTION_TEXT, &s.backend, 0, 0},
        {"--radius", THRONG_OPTION_NUMBER, &s.radius, 0, 1e4}, {"--json", THRONG_OPTION_SWITCH, &r.json, 0, 0},
        {"--csv", THRONG_OPTION_TEXT, &r.csv, 0, 0},           {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0}};
    throng_output_clean_at_signals();
    if (!throng_cli_options("paths", argc, argv, options, &files, 2))
        return THRONG_EXIT_USAGE;
    if (files.count == 0)
        return throng_cli_misuse("paths", "which map? Give the path of one");
    if ((files.count == 2) == (r.random > 0))
        return throng_cli_misuse("paths", "which queries? Give a scenario (.scen) or --random N%s",
                                 r.random ? ", not both" : "");
    const method *m = method_named(r.method);
    if (!m)
        return THRONG_EXIT_USAGE;
    if (s.backend && m->length)
        return throng_cli_misuse("paths", "--backend is of --method batch; the others run on the processor");
    s.backend = s.backend ? s.backend : "cpu";
    r.scenario = files.count == 2 ? files.list[1] : NULL;
    throng_map *map = throng_map_read(files.list[0], NULL, &error);
    for (int i = 0; i < files.count; i++)
        throng_output_spare(files.list[i]);
    s.map = map;
    bool fine = map && run(&s, &r, m, &error);
    fini(&s);
    throng_map_destroy(map);
    if (fine)
        return THRONG_EXIT_DONE;
    fprintf(stderr, "throng paths: %s\n", error.text);
    return THRONG_EXIT_USAGE;
}
