/* throng study: many runs of a scenario. What a study is, and how it is run, is written in Lua: lua/throng/study*.lua.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli_script.h"
#include "base/cache.h"
#include "base/fibers.h"
#include "base/meeting.h"
#include "base/orders.h"
#include "base/output.h"
#include "base/watchdog.h"

enum { CUDA_WORLDS = 1000 }; /* that share a device's launches, when nobody says otherwise */

typedef struct study_options {
    throng_run_options limits; /* of workers */
    const char *out, *show, *csv, *curves;
    int64_t jobs, worlds;
    int64_t device, devices; /* of CUDA: the jobs take them in turn, from `device` on; of a worker: its own, -1: any */
    bool report, worker, share, join;
    throng_rank rank; /* when mpirun or srun have started others, too */
} study_options;

static bool read_options(int argc, char **argv, study_options *options)
{
    throng_run_options *limits = &options->limits;
    const throng_option list[] = {
        {"--out", THRONG_OPTION_TEXT, &options->out, 0, 0},
        {"--jobs", THRONG_OPTION_WHOLE, &options->jobs, 1, 1024},
        {"--worlds", THRONG_OPTION_WHOLE, &options->worlds, 1, 10000},
        {"--show", THRONG_OPTION_TEXT, &options->show, 0, 0},
        {"--report", THRONG_OPTION_SWITCH, &options->report, 0, 0},
        {"--csv", THRONG_OPTION_TEXT, &options->csv, 0, 0},
        {"--curves", THRONG_OPTION_TEXT, &options->curves, 0, 0},
        {"--share", THRONG_OPTION_SWITCH, &options->share, 0, 0},
        {"--join", THRONG_OPTION_SWITCH, &options->join, 0, 0},
        {"--worker", THRONG_OPTION_SWITCH, &options->worker, 0, 0},
        {"--device", THRONG_OPTION_WHOLE, &options->device, 0, 1000},
        {"--backend", THRONG_OPTION_TEXT, &limits->backend, 0, 0},
        {"--threads", THRONG_OPTION_WHOLE, &limits->threads, 1, 256},
        {"--deadline", THRONG_OPTION_NUMBER, &limits->deadline, 0, 1e6},
        {"--instructions", THRONG_OPTION_WHOLE, &limits->instructions, 10000, 1e15},
        {"--memory", THRONG_OPTION_WHOLE, &limits->memory, 8, 1e6},
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    if (!throng_cli_options("study", argc, argv, list, &limits->scenario, 1))
        return false;
    const char *backend = limits->backend;
    if (backend && strcmp(backend, "auto") != 0 && strcmp(backend, "cpu") != 0 && strcmp(backend, "cuda") != 0)
        return throng_cli_misuse("study", "--backend must be auto, cpu or cuda, got '%s'", backend) == 0;
    if (options->device >= 0 && !options->worker)
        return throng_cli_misuse("study", "--device is for its own processes; CUDA_VISIBLE_DEVICES says which devices "
                                          "a study may take") == 0;
    if (options->show && limits->scenario.count > 0)
        return throng_cli_misuse("study", "give a study's script, or --show and its results") == 0;
    return options->show || limits->scenario.count > 0 ||
           throng_cli_misuse("study", "which study? Give the path of a .lua file") == 0;
}

/* One process has all worlds that are to share a device's launches. Processes that mpirun or srun have started on one
 * machine share its devices out. */
static void share_devices(study_options *options)
{
    const throng_rank *rank = &options->rank;
    options->devices = throng_cuda_devices();
    if (options->jobs <= 0)
        options->jobs = options->devices > rank->of_here ? options->devices / rank->of_here : 1;
    options->device = rank->here * options->jobs;
}

/* Where a process has many worlds: their memory is taken by many threads, which wait for each other at each of its
 * pages, unless these are large, and it is much that is taken at a time. What the user has set stays. */
static void take_large_pages(void)
{
    setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864", 0); /* of processes to come */
}

static void complete_options(study_options *options)
{
    throng_run_options *limits = &options->limits;
    bool cuda = limits->backend && strcmp(limits->backend, "cuda") == 0;
    int64_t cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cuda && !options->worker && !options->show)
        share_devices(options);
    if (options->jobs <= 0)
        options->jobs = options->rank.of > 1 || cores < 1 ? 1 : cores;
    if (options->worlds <= 0)
        options->worlds = cuda ? CUDA_WORLDS : 1;
    if (options->worlds > 1)
        take_large_pages();
    if (limits->threads <= 0)
        limits->threads = cores > options->jobs ? cores / options->jobs : 1;
    if (limits->memory <= 0)
        limits->memory = (int64_t)(throng_memory_default() / (size_t)options->jobs >> 20);
}

/* Of processes that were started together, the first lets the others join, and each runs one job. */
static void read_rank(study_options *options)
{
    options->rank = throng_meeting_rank();
    if (options->worker || options->show || options->rank.of == 1)
        return;
    options->share = options->share || options->rank.rank == 0;
    options->join = options->join || options->rank.rank > 0;
}

/* Where results go when nobody says: out/<name>/study.sqlite. */
static void name_results(const char *file, char *path, size_t size)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file, *dot = strrchr(name, '.');
    snprintf(path, size, "out/%.*s/study.sqlite", (int)(dot && dot != name ? dot - name : (long)strlen(name)), name);
}

/* Makes the folder that the file is to be in. */
static bool make_folder_of(const char *path, throng_error *error)
{
    char folder[1024];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 0, path);
    return !*folder || throng_output_make_folder(folder, error);
}

/* Can what is written at the end be written? Better known before hours of runs. */
static bool try_output(const char *path, throng_error *error)
{
    throng_output *output = path ? throng_output_begin(path, error) : NULL;
    bool fine = !path || output;
    throng_output_discard(output);
    return fine;
}

typedef char number_text[32];

static char *text_of(double value, bool given, number_text text)
{
    snprintf(text, sizeof(number_text), "%.17g", value);
    return given ? text : "";
}

/* The options as lua/throng/study_command.lua takes them, "": not given. `order`: the first of a worker; NULL: it is
 * none. */
static int run(throng_script *script, const study_options *options, const char *order, throng_error *error)
{
    const throng_run_options *limits = &options->limits;
    char out[512] = "";
    number_text jobs_text, worlds_text, threads_text, deadline_text, instructions_text, memory_text, device_text,
        devices_text;
    const char *file = limits->scenario.count > 0 ? limits->scenario.list[0] : NULL;
    if (file)
        name_results(file, out, sizeof out);
    const char *result = options->out ? options->out : out;
    if (options->out && !*result) {
        throng_fail(error, "--out: give the name of a file for the results");
        return THRONG_EXIT_USAGE;
    }
    if (file && !order && !make_folder_of(result, error))
        return THRONG_EXIT_USAGE;
    struct stat there;
    if (!order && stat(result, &there) == 0 && !S_ISREG(there.st_mode) && !try_output(result, error))
        return THRONG_EXIT_USAGE;
    const throng_output_name outputs[] = {
        {"--out", file ? result : NULL}, {"--csv", options->csv}, {"--curves", options->curves}};
    if (!order && (!throng_output_apart(outputs, 3, error) || !try_output(options->csv, error) ||
                   !try_output(options->curves, error)))
        return THRONG_EXIT_USAGE;
    const char *list[] = {file ? file : "",
                          result,
                          options->show ? options->show : "",
                          options->report ? "yes" : "",
                          options->csv ? options->csv : "",
                          options->curves ? options->curves : "",
                          order ? order : "",
                          isatty(STDERR_FILENO) ? "yes" : "",
                          limits->backend ? limits->backend : "",
                          text_of((double)options->jobs, true, jobs_text),
                          text_of((double)options->worlds, true, worlds_text),
                          text_of((double)limits->threads, true, threads_text),
                          text_of(limits->deadline, limits->deadline >= 0, deadline_text),
                          text_of((double)limits->instructions, limits->instructions > 0, instructions_text),
                          text_of((double)limits->memory, true, memory_text),
                          options->share ? "yes" : "",
                          options->join ? options->rank.of > 1 ? "rank" : "yes" : "",
                          text_of((double)options->device, options->devices > 0, device_text),
                          text_of((double)options->devices, options->devices > 0, devices_text)};
    return throng_script_command(script, "study_command", sizeof list / sizeof *list, (char **)(uintptr_t)list, error);
}

static int run_script(const throng_script_def *limits, const study_options *options, const char *order)
{
    throng_error error = {.text = ""};
    throng_script *script = throng_script_create(limits, &error);
    int code = script ? run(script, options, order, &error) : THRONG_EXIT_USAGE;
    if (*error.text)
        fprintf(stderr, "throng study: %s\n", throng_script_error_text(script, &error));
    throng_script_destroy(script);
    return code;
}

/* ---- a worker: each of its worlds has a Lua state of its own, from its first order on */

enum { ROUNDS = 20 }; /* at least: twice as many as there are steps in a second, mostly */

typedef struct worker {
    const throng_script_def *limits;
    const study_options *options;
    int32_t rounds; /* in which the first worlds begin */
    int code;       /* atomic */
} worker;

static void go_on(int32_t half) { (void)half; }

/* In a round each thread begins a world or none, while those that have begun go on. What a world does once a second
 * would otherwise come in the same round for all, too. */
static void begin_in_turn(const worker *w, int32_t i)
{
    for (int32_t n = i / FIBERS_HALVES % w->rounds; n > 0; n--)
        fibers_wait(go_on);
}

/* fibers_work. When it fails, its order is not answered: the process is to end, so that who gave it knows. */
static void do_orders(void *context, int32_t i)
{
    worker *w = context;
    if (fibers_inside())
        begin_in_turn(w, i);
    char *order = throng_orders_take();
    int code = order ? run_script(w->limits, w->options, order) : THRONG_EXIT_DONE;
    free(order);
    if (code == THRONG_EXIT_DONE)
        return;
    __atomic_store_n(&w->code, code, __ATOMIC_RELAXED);
    throng_orders_end();
}

/* One world has all threads for itself; several are shared out among them. */
static int run_worker(throng_script_def *limits, study_options *options)
{
    throng_error error;
    worker w = {.limits = limits, .options = options};
    int32_t threads = (int32_t)options->limits.threads, each = threads * FIBERS_HALVES;
    w.rounds = ((int32_t)options->worlds + each - 1) / each;
    w.rounds = w.rounds > ROUNDS ? w.rounds : ROUNDS;
    if (options->worlds == 1) {
        do_orders(&w, 0);
        return w.code;
    }
    options->limits.threads = 1;
    limits->cache = throng_cache_create(THRONG_SCRIPT_CACHE);
    if (!limits->cache || !fibers_run((int32_t)options->worlds, threads, do_orders, &w, &error)) {
        fprintf(stderr, "throng study: %s\n", limits->cache ? error.text : "out of memory");
        w.code = THRONG_EXIT_USAGE;
    }
    throng_cache_destroy(limits->cache);
    return w.code;
}

int throng_cli_study(int argc, char **argv)
{
    throng_error error;
    study_options options = {.limits = {.threads = -1, .deadline = -1}, .device = -1};
    if (!read_options(argc, argv, &options))
        return THRONG_EXIT_USAGE;
    read_rank(&options);
    if (options.worker && options.device >= 0 && !throng_cuda_take_device((int32_t)options.device, &error)) {
        fprintf(stderr, "throng study: %s\n", error.text);
        return THRONG_EXIT_USAGE;
    }
    throng_script_def limits = throng_run_limits(&options.limits);
    limits.commanding = true;
    throng_watchdog_def dog = {.name = "study",
                               .deadline = options.limits.deadline >= 0 ? options.limits.deadline : THRONG_DEADLINE,
                               .memory = limits.memory,
                               .ends_idle = true};
    complete_options(&options);
    if (!throng_watchdog_start(&dog, &error)) {
        fprintf(stderr, "throng study: %s\n", error.text);
        return THRONG_EXIT_USAGE;
    }
    return options.worker ? run_worker(&limits, &options) : run_script(&limits, &options, NULL);
}
