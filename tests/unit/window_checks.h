/* For the tests of windows: a folder of their own, the executable, no display. */
#ifndef THRONG_TEST_WINDOW_CHECKS_H
#define THRONG_TEST_WINDOW_CHECKS_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <stb/stb_image.h>

#include "folders.h"
#include "skips.h"

static char throng[4096]; /* the executable beside the tests' folder */

static inline int enter_window_folder(void **state)
{
    ssize_t length = readlink("/proc/self/exe", throng, sizeof throng - 32);
    if (length <= 0)
        return -1;
    throng[length] = 0;
    *strrchr(throng, '/') = 0;
    strcpy(strrchr(throng, '/'), "/throng");
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    return enter_folder(state);
}

static inline void skip_without_viewer(void)
{
    char viewer[4200];
    snprintf(viewer, sizeof viewer, "%s-view.so", throng);
    if (access(viewer, R_OK) != 0)
        skip_because("no SDL2: the windows were not built");
}

#endif
