#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

static bool too_large(const char *path, int64_t most, throng_error *error)
{
    errno = EFBIG;
    if (most >= 1 << 20)
        return throng_fail(error, "%s: cannot be read: it is larger than the %d MiB that such a file may have", path,
                           (int)(most >> 20));
    return throng_fail(error, "%s: cannot be read: it is larger than the %d bytes that such a file may have", path,
                       (int)most);
}

static bool not_regular(const char *path, mode_t mode, throng_error *error)
{
    errno = S_ISDIR(mode) ? EISDIR : EINVAL;
    return throng_fail(error, "%s: cannot be read: it is a %s; give a regular file", path,
                       S_ISDIR(mode)    ? "folder"
                       : S_ISFIFO(mode) ? "pipe"
                       : S_ISSOCK(mode) ? "socket"
                                        : "device");
}

static bool unreadable(const char *path, int code, throng_error *error)
{
    return throng_fail(error, "%s: cannot be read: %s", path, throng_output_cause(code));
}

/* A pipe that nobody writes to must not be waited for, so it is not opened to wait; nor is what the kernel shows as a
 * regular file without an end (/proc/kmsg). */
static int open_regular(const char *path, int64_t most, throng_error *error)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), code = errno;
    if (fd < 0 && (stat(path, &about) != 0 || S_ISREG(about.st_mode))) {
        unreadable(path, code, error);
        errno = code;
        return -1;
    }
    if (fd < 0) {
        not_regular(path, about.st_mode, error);
        return -1;
    }
    bool fine = fstat(fd, &about) == 0 || unreadable(path, errno, error);
    fine = fine && (S_ISREG(about.st_mode) || not_regular(path, about.st_mode, error));
    fine = fine && (about.st_size <= most || too_large(path, most, error));
    if (fine)
        return fd;
    code = errno;
    close(fd);
    errno = code;
    return -1;
}

FILE *throng_file_open(const char *path, int64_t most, throng_error *error)
{
    int fd = open_regular(path, most, error);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
    if (fd >= 0 && !file) {
        unreadable(path, errno, error);
        close(fd);
    }
    return file;
}

/* Whatever its size was said to be: it may grow meanwhile. False: `errno` says why. */
static bool read_all(FILE *in, int64_t most, throng_bytes *file)
{
    size_t room = 1 << 12;
    file->data = malloc(room);
    while (file->data) {
        file->size += fread(file->data + file->size, 1, room - 1 - file->size, in);
        file->data[file->size] = 0;
        if (file->size + 1 < room)
            return !ferror(in);
        if ((int64_t)file->size > most) {
            errno = EFBIG;
            return false;
        }
        room *= 2;
        unsigned char *grown = realloc(file->data, room);
        if (!grown)
            free(file->data);
        file->data = grown;
    }
    errno = ENOMEM;
    return false;
}

/* The mark of UTF-8, which texts begin with on Windows: formats with no text in them begin otherwise. */
static void drop_mark(throng_bytes *file)
{
    static const char mark[3] = "\xEF\xBB\xBF";
    if (file->size < sizeof mark || memcmp(file->data, mark, sizeof mark) != 0)
        return;
    file->size -= sizeof mark;
    memmove(file->data, file->data + sizeof mark, file->size + 1);
}

bool throng_file_read(const char *path, int64_t most, throng_bytes *file, throng_error *error)
{
    throng_bytes read = {0};
    FILE *in = throng_file_open(path, most, error);
    if (!in)
        return false;
    bool fine = read_all(in, most, &read) && (int64_t)read.size <= most;
    int code = (int64_t)read.size > most ? EFBIG : errno;
    fclose(in);
    if (fine) {
        drop_mark(&read);
        *file = read;
        return true;
    }
    free(read.data);
    if (code == EFBIG)
        return too_large(path, most, error);
    unreadable(path, code, error);
    errno = code;
    return false;
}

bool throng_file_ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}
