#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "recording.h"

/* FOLDER/trajectory.throng or .sqlite with `ending`, whichever is newer; false: there is none. */
static bool find_in(const char *folder, const char *ending, char *file, size_t size)
{
    static const char *const formats[] = {"throng", "sqlite"};
    struct stat about;
    struct timespec newest = {.tv_sec = 0};
    bool found = false;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char path[4096];
        if (snprintf(path, sizeof path, "%s/trajectory.%s%s", folder, formats[i], ending) >= (int)sizeof path ||
            stat(path, &about) != 0)
            continue;
        bool newer = about.st_mtim.tv_sec > newest.tv_sec ||
                     (about.st_mtim.tv_sec == newest.tv_sec && about.st_mtim.tv_nsec > newest.tv_nsec);
        if (!found || newer) {
            newest = about.st_mtim;
            snprintf(file, size, "%s", path);
        }
        found = true;
    }
    return found;
}

bool throng_recording_find(const char *path, char *file, size_t size, throng_error *error)
{
    struct stat about;
    snprintf(file, size, "%s", path);
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return true; /* what is wrong with it is said when it is opened */
    if (find_in(path, "", file, size))
        return true;
    if (find_in(path, ".part", file, size))
        return throng_fail(error, "the folder '%s' holds the recording of a run that has not ended: give %s", path,
                           file);
    return throng_fail(error, "the folder '%s' holds no trajectory.throng and no trajectory.sqlite", path);
}

void throng_recording_name(const char *path, char *name, size_t size)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && path[start - 1] != '/')
        start--;
    snprintf(name, size, "%.*s", (int)(length - start), path + start);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = 0;
}
