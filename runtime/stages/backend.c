#include "backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fibers.h"
#include "base/library.h"
#include "base/watchdog.h"

const char *const throng_stage_names[THRONG_STAGE_COUNT] = {
#define X(name, text) #name,
    THRONG_STAGES(X)
#undef X
};

#define CUDA_LIBRARY "throng-cuda.so"

/* The library, which is the caller's to close, and what it has; NULL and an error. */
static void *load_cuda(const throng_backend_api **api, throng_error *error)
{
    char path[4096];
    if (!throng_library_path(CUDA_LIBRARY, path, sizeof path)) {
        throng_fail(error, "cannot tell where the executable lies, so not where %s does", CUDA_LIBRARY);
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); /* copies outlive their backend */
    if (!library) {
        throng_fail(error, "the cuda backend cannot be loaded (%s); run with --backend cpu", dlerror());
        return NULL;
    }
    *api = dlsym(library, "throng_cuda_backend");
    if (*api && (*api)->version == THRONG_BACKEND_VERSION)
        return library;
    throng_fail(error, "%s is of another version; build it again with make", path);
    dlclose(library);
    return NULL;
}

static bool open_cuda(const throng_backend_options *options, throng_stages *stages, throng_error *error)
{
    const throng_backend_api *api;
    void *library = load_cuda(&api, error);
    if (!library)
        return false;
    throng_backend *backend = NULL;
    size_t before = throng_memory_taken();
    throng_backend_options own = *options;
    own.claim = throng_memory_claim;
    own.half = fibers_half_of;
    own.wait = fibers_wait;
    bool ok = api->create(&own, &backend, error);
    static bool first = true;
    if (first) /* the driver's own: no script's */
        throng_memory_allow(throng_memory_taken() - before);
    first = false;
    if (!ok) {
        dlclose(library);
        return false;
    }
    *stages = (throng_stages){.api = api, .backend = backend, .library = library};
    return true;
}

static bool open_cpu(const throng_backend_options *options, throng_stages *stages, throng_error *error)
{
    throng_backend *backend;
    if (!throng_cpu_backend.create(options, &backend, error))
        return false;
    *stages = (throng_stages){.api = &throng_cpu_backend, .backend = backend};
    return true;
}

bool throng_stages_open(const char *name, const throng_backend_options *options, throng_stages *stages,
                        throng_error *error)
{
    if (strcmp(name, "cpu") == 0)
        return open_cpu(options, stages, error);
    if (strcmp(name, "cuda") == 0)
        return open_cuda(options, stages, error);
    if (strcmp(name, "auto") != 0)
        return throng_fail(error, "backend must be auto, cpu or cuda, not \"%s\"", name);
    bool simd_asked = options->simd || options->threads; /* they speak of the CPU */
    return (!simd_asked && open_cuda(options, stages, NULL)) || open_cpu(options, stages, error);
}

int32_t throng_cuda_devices(void)
{
    const throng_backend_api *api;
    void *library = load_cuda(&api, NULL);
    int32_t count = library ? api->devices() : 0;
    if (library)
        dlclose(library);
    return count > 0 ? count : 1;
}

bool throng_cuda_take_device(int32_t device, throng_error *error)
{
    char number[16];
    snprintf(number, sizeof number, "%d", device);
    const char *listed = getenv("CUDA_VISIBLE_DEVICES"), *name = listed ? listed : number;
    for (int32_t i = 0; listed && i < device; i++) {
        name = strchr(name, ',');
        if (!name++)
            return throng_fail(error, "there is no device %d, counted from 0: CUDA_VISIBLE_DEVICES is '%s'", device,
                               listed);
    }
    char *one = strndup(name, strcspn(name, ","));
    bool taken = one && setenv("CUDA_VISIBLE_DEVICES", one, 1) == 0;
    free(one);
    return taken || throng_fail(error, "out of memory");
}

bool throng_stages_wait(throng_stages *stages, throng_error *error)
{
    double start = throng_clock();
    bool done = stages->api->finish(stages->backend, error);
    stages->waited += throng_clock() - start;
    return done;
}

bool throng_copy_wait(throng_copy *copy, throng_error *error) { return !copy->api || copy->api->copied(copy, error); }

void throng_copy_free(throng_copy *copy)
{
    if (copy->api)
        copy->api->free_copy(copy);
    *copy = (throng_copy){0};
}

bool throng_stages_counters(throng_stages *stages, throng_counters *counters, throng_error *error)
{
    return throng_stages_wait(stages, error) && stages->api->counters(stages->backend, counters, error);
}

bool throng_stages_goal_counters(throng_stages *stages, throng_counters *counters, throng_error *error)
{
    double start = throng_clock();
    bool done = stages->api->goal_counters(stages->backend, counters, error);
    stages->waited += throng_clock() - start;
    return done;
}

bool throng_stages_arrivals(throng_stages *stages, int32_t *slots, int32_t *count, throng_error *error)
{
    double start = throng_clock();
    bool done = stages->api->arrivals(stages->backend, slots, count, error);
    stages->waited += throng_clock() - start;
    return done;
}

bool throng_stages_crossings(throng_stages *stages, const throng_crossing **list, int32_t *count, throng_error *error)
{
    double start = throng_clock();
    bool done = stages->api->crossings(stages->backend, list, count, error);
    stages->waited += throng_clock() - start;
    return done;
}

void throng_stages_close(throng_stages *stages)
{
    if (stages->suffixes)
        stages->free_suffixes(stages->suffixes);
    if (stages->api)
        stages->api->destroy(stages->backend);
    if (stages->library)
        dlclose(stages->library);
    *stages = (throng_stages){0};
}
