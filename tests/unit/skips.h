/* A test that cannot run here says why; tests/run.sh counts it and prints the reason. Include it after <cmocka.h>. */
#ifndef THRONG_TEST_SKIPS_H
#define THRONG_TEST_SKIPS_H

#include "stages/backend.h"

static inline void skip_because(const char *reason)
{
    print_message("skipped: %s\n", reason);
    skip();
}

static inline void skip_without_device(void)
{
    throng_stages stages;
    throng_backend_options options = {0};
    if (!throng_stages_open("cuda", &options, &stages, NULL))
        skip_because("no device");
    throng_stages_close(&stages);
}

static inline bool has_simd(int32_t simd)
{
    throng_stages stages;
    throng_backend_options options = {.simd = simd, .threads = 1};
    if (!throng_stages_open("cpu", &options, &stages, NULL))
        return false;
    throng_stages_close(&stages);
    return true;
}

#endif
