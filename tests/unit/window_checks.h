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

#include "skips.h"

static char throng[4096]; /* the executable beside the tests' folder */

static inline int enter_folder(void **state)
{
    ssize_t length = readlink("/proc/self/exe", throng, sizeof throng - 32);
    if (length <= 0)
        return -1;
    throng[length] = 0;
    *strrchr(throng, '/') = 0;
    strcpy(strrchr(throng, '/'), "/throng");
    char *folder = strdup("/tmp/throng-window-XXXXXX");
    *state = folder;
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int leave_folder(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    free(*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static inline void skip_without_viewer(void)
{
    char viewer[4200];
    snprintf(viewer, sizeof viewer, "%s-view.so", throng);
    if (access(viewer, R_OK) != 0)
        skip_because("no SDL2: the windows were not built");
}

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

#endif
