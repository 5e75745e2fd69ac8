#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *throng_output_disk_full(int code)
{
    switch (code) {
    case ENOSPC: return "the disk is full; free some space or choose another folder with --out";
    case EDQUOT: return "the disk quota is used up; free some space or choose another folder with --out";
    case EFBIG: return "the file reached the largest size allowed here; record less often or raise the limit";
    default: return NULL;
    }
}

/* What stands there already and must not be replaced, or NULL. */
static const char *other_than_file(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode))
        return NULL;
    return S_ISDIR(info.st_mode) ? "it is a folder; give the name of a file in it"
                                 : "it is a device or a pipe, which a file would replace; give another name";
}

bool throng_output_fail(const char *path, int code, throng_error *error)
{
    const char *full = throng_output_disk_full(code);
    if (full)
        return throng_fail(error, "cannot write '%s': %s", path, full);
    if (code == ENOENT)
        return throng_fail(
            error, "cannot write '%s': its folder does not exist; create it or choose another with --out", path);
    return throng_fail(error, "cannot write '%s': %s; choose another folder with --out", path, strerror(code));
}

#define PART ".part"

static char *part_name(const char *path)
{
    size_t size = strlen(path) + sizeof PART;
    char *part = malloc(size);
    if (part)
        snprintf(part, size, "%s" PART, path);
    return part;
}

/* The name to write under for now: beside the file that a link leads to, so that the link stays. */
static char *part_of(const char *path)
{
    struct stat info;
    bool is_link = lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
    char *leads_to = is_link ? realpath(path, NULL) : NULL;
    char *part = is_link && !leads_to ? NULL : part_name(is_link ? leads_to : path);
    free(leads_to);
    return part;
}

char *throng_output_begin(const char *path, throng_error *error)
{
    const char *other = other_than_file(path);
    if (other) {
        throng_fail(error, "cannot write '%s': %s", path, other);
        return NULL;
    }
    errno = ENOMEM;
    char *part = part_of(path);
    if (!part) {
        throng_output_fail(path, errno, error);
        return NULL;
    }
    unlink(part);
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        throng_output_fail(path, errno, error);
        free(part);
        return NULL;
    }
    close(fd);
    return part;
}

bool throng_output_commit(const char *path, char *part, throng_error *error)
{
    char *end = part + strlen(part) - strlen(PART), *final = strndup(part, (size_t)(end - part));
    bool done = final && rename(part, final) == 0;
    if (!done) {
        throng_output_fail(path, errno, error);
        unlink(part);
    }
    free(final);
    free(part);
    return done;
}

void throng_output_discard(char *part)
{
    if (part)
        unlink(part);
    free(part);
}
