#include "library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* libthrong.so, when this is a part of it. */
static bool shared_object(char *path)
{
    Dl_info own;
    return dladdr((void *)(uintptr_t)throng_library_folder, &own) && own.dli_fname && strstr(own.dli_fname, ".so") &&
           realpath(own.dli_fname, path);
}

bool throng_library_folder(char *folder, size_t size)
{
    char path[PATH_MAX];
    if (!shared_object(path)) {
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        if (length <= 0)
            return false;
        path[length] = 0;
    }
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = 0;
    return slash && (size_t)snprintf(folder, size, "%s", path) < size;
}

bool throng_library_path(const char *name, char *path, size_t size)
{
    static const char *const below[] = {"/../lib/throng/", "/../../throng/", "/"};
    char folder[PATH_MAX];
    if (!throng_library_folder(folder, sizeof folder))
        return false;
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        if ((size_t)snprintf(path, size, "%s%s%s", folder, below[i], name) >= size)
            return false;
        if (access(path, R_OK) == 0)
            break; /* else the last of them, which the loader then names */
    }
    return true;
}
