#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const char *throng_output_cure(int code)
{
    switch (code) {
    case ENOSPC: return "the disk is full; free some space or name another folder";
    case EDQUOT: return "the disk quota is used up; free some space or name another folder";
    case EMFILE:
    case ENFILE: return "Too many open files; raise ulimit -n";
    case EFBIG: return "the file reached the largest size allowed here; record less often or raise the limit";
    default: return NULL;
    }
}

const char *throng_output_cause(int code)
{
    const char *known = throng_output_cure(code);
    return known ? known : strerror(code);
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
    const char *known = throng_output_cure(code);
    if (known)
        return throng_fail(error, "cannot write '%s': %s", path, known);
    if (code == EBUSY)
        return throng_fail(
            error, "cannot write '%s': another run is writing it; wait for its end or name another folder", path);
    if (code == ENOENT)
        return throng_fail(error, "cannot write '%s': its folder does not exist; create it or name another", path);
    return throng_fail(error, "cannot write '%s': %s; name another folder", path, strerror(code));
}

#define PART ".part"

struct throng_output {
    char *path; /* as the user calls it */
    char *part; /* from the root */
    int folder; /* both names below are in: it may be moved meanwhile */
    const char *part_name;
    char *name; /* in the end */
    int file;   /* the part, locked */
    FILE *stream;
    int code; /* errno of the first write of the stream that failed */
    throng_output *next, *previous;
};

/* All that are not complete. */
static struct {
    pthread_mutex_t lock;
    throng_output *first;
} unfinished = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void enter(throng_output *o)
{
    o->next = unfinished.first;
    if (o->next)
        o->next->previous = o;
    unfinished.first = o;
}

static void leave(throng_output *o)
{
    if (unfinished.first == o)
        unfinished.first = o->next;
    if (o->previous)
        o->previous->next = o->next;
    if (o->next)
        o->next->previous = o->previous;
}

static void close_it(throng_output *o)
{
    if (o->stream)
        fclose(o->stream);
    if (o->file >= 0)
        close(o->file);
    if (o->folder >= 0)
        close(o->folder);
    o->stream = NULL;
    o->file = o->folder = -1;
}

static void release(throng_output *o)
{
    close_it(o);
    free(o->path);
    free(o->part);
    free(o->name);
    free(o);
}

/* ---- names */

/* The file that `path` leads to, so that a link stays; the path itself when it is none, or nothing is there. */
static char *target_of(const char *path)
{
    struct stat info;
    bool is_link = lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
    char real[PATH_MAX];
    const char *target = is_link ? realpath(path, real) : path;
    return target ? strdup(target) : NULL;
}

/* Finds the folder and the names in it; 0 or an errno. */
static int find_names(throng_output *o)
{
    char *target = target_of(o->path), *slash = target ? strrchr(target, '/') : NULL;
    char real[PATH_MAX];
    if (!target)
        return errno;
    o->name = strdup(slash ? slash + 1 : target);
    if (slash)
        slash[slash == target] = 0;
    const char *folder = realpath(slash ? target : ".", real);
    int code = folder ? 0 : errno;
    size_t size = folder && o->name ? strlen(folder) + strlen(o->name) + sizeof "/" PART : 0;
    o->part = size ? malloc(size) : NULL;
    if (o->part) {
        snprintf(o->part, size, "%s/%s" PART, strcmp(folder, "/") == 0 ? "" : folder, o->name);
        o->part_name = strrchr(o->part, '/') + 1;
        o->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
        code = o->folder < 0 ? errno : 0;
    }
    free(target);
    return code || o->part ? code : ENOMEM;
}

/* ---- locks */

/* True when the name still leads to what was opened. */
static bool is_named(const throng_output *o, int fd)
{
    struct stat opened, named;
    return fstat(fd, &opened) == 0 && fstatat(o->folder, o->part_name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* Where a file system has no locks, all are free. */
static bool is_free(int fd) { return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

/* Removes what an ended run left, or a link that somebody laid there; 0 or an errno, EBUSY: somebody writes it. */
static int remove_old(const throng_output *o)
{
    int old = openat(o->folder, o->part_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), code = 0;
    if (old >= 0 && !is_free(old))
        code = EBUSY;
    else if ((old < 0 || is_named(o, old)) && unlinkat(o->folder, o->part_name, 0) != 0 && errno != ENOENT)
        code = errno;
    if (old >= 0)
        close(old);
    return code;
}

/* A new file with a lock on it; -1 and an errno. Another program may take it for an old one until it is locked: then
 * it is made again. */
static int create(const throng_output *o, int *code)
{
    for (int tries = 0; tries < 100; tries++) {
        int fd = openat(o->folder, o->part_name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0 && is_free(fd) && is_named(o, fd))
            return fd;
        *code = fd >= 0 ? EBUSY : errno;
        if (fd >= 0)
            close(fd);
        else if (*code == EEXIST)
            *code = remove_old(o);
        if (*code && (*code != EBUSY || fd < 0))
            return -1;
    }
    return -1;
}

/* ---- the file */

/* All of it or nothing more: stdio forgets why a write failed. */
static ssize_t write_all(void *context, const char *data, size_t size)
{
    throng_output *o = context;
    for (size_t done = 0; done < size && !o->code;) {
        ssize_t written = write(o->file, data + done, size - done);
        if (written >= 0)
            done += (size_t)written;
        else if (errno != EINTR)
            o->code = errno;
    }
    return o->code ? 0 : (ssize_t)size;
}

static int open_part(throng_output *o)
{
    int code = find_names(o);
    if (code || (o->file = create(o, &code)) < 0)
        return code;
    o->stream = fopencookie(o, "w", (cookie_io_functions_t){.write = write_all});
    return o->stream && setvbuf(o->stream, NULL, _IOFBF, 1 << 16) == 0 ? 0 : ENOMEM;
}

/* ---- files that are read */

static struct {
    pthread_mutex_t lock;
    struct {
        dev_t device;
        ino_t file;
        struct timespec written; /* a number of a file is given anew when it is gone */
    } list[256];                 /* a command reads few */
    int32_t count;
} spared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_listed(const struct stat *about)
{
    for (int32_t i = 0; i < spared.count; i++)
        if (spared.list[i].device == about->st_dev && spared.list[i].file == about->st_ino &&
            spared.list[i].written.tv_sec == about->st_mtim.tv_sec &&
            spared.list[i].written.tv_nsec == about->st_mtim.tv_nsec)
            return true;
    return false;
}

static bool is_spared(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return false;
    pthread_mutex_lock(&spared.lock);
    bool is = is_listed(&about);
    pthread_mutex_unlock(&spared.lock);
    return is;
}

void throng_output_spare(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return;
    pthread_mutex_lock(&spared.lock);
    if (!is_listed(&about) && spared.count < (int32_t)(sizeof spared.list / sizeof *spared.list)) {
        spared.list[spared.count].device = about.st_dev;
        spared.list[spared.count].file = about.st_ino;
        spared.list[spared.count++].written = about.st_mtim;
    }
    pthread_mutex_unlock(&spared.lock);
}

/* ---- */

throng_output *throng_output_begin(const char *path, throng_error *error)
{
    const char *other = is_spared(path) ? "it is what is read; name another file" : other_than_file(path);
    if (other) {
        throng_fail(error, "cannot write '%s': %s", path, other);
        return NULL;
    }
    throng_output *o = calloc(1, sizeof *o);
    if (o) {
        o->folder = o->file = -1;
        o->path = strdup(path);
    }
    pthread_mutex_lock(&unfinished.lock);
    int code = o && o->path ? open_part(o) : ENOMEM;
    if (o && o->file >= 0)
        enter(o);
    pthread_mutex_unlock(&unfinished.lock);
    if (code == 0)
        return o;
    throng_output_fail(path, code, error);
    if (o && o->file >= 0)
        throng_output_discard(o);
    else if (o)
        release(o);
    return NULL;
}

FILE *throng_output_stream(throng_output *o) { return o->stream; }
int throng_output_descriptor(const throng_output *o) { return o->file; }
const char *throng_output_part(const throng_output *o) { return o->part; }

static int flush(throng_output *o)
{
    return !o->stream || (fflush(o->stream) == 0 && !o->code) ? 0 : o->code ? o->code : EIO;
}

bool throng_output_close(throng_output *o, throng_error *error)
{
    int code = flush(o);
    if (code == 0) {
        close_it(o);
        return true;
    }
    throng_output_fail(o->path, code, error);
    throng_output_discard(o);
    return false;
}

/* Over what it is to be in the end; 0 or an errno. */
static int put(const throng_output *o)
{
    char path[PATH_MAX];
    if (o->folder >= 0)
        return renameat(o->folder, o->part_name, o->folder, o->name) == 0 ? 0 : errno;
    if (snprintf(path, sizeof path, "%.*s", (int)(strlen(o->part) - strlen(PART)), o->part) >= (int)sizeof path)
        return ENAMETOOLONG;
    return rename(o->part, path) == 0 ? 0 : errno;
}

bool throng_output_commit(throng_output *o, throng_error *error)
{
    int code = flush(o);
    pthread_mutex_lock(&unfinished.lock);
    code = code ? code : put(o);
    if (code == 0)
        leave(o);
    pthread_mutex_unlock(&unfinished.lock);
    if (code == 0) {
        release(o);
        return true;
    }
    throng_output_fail(o->path, code, error);
    throng_output_discard(o);
    return false;
}

static void remove_part(const throng_output *o)
{
    if (o->folder < 0)
        unlink(o->part);
    else if (is_named(o, o->file))
        unlinkat(o->folder, o->part_name, 0);
}

void throng_output_discard(throng_output *o)
{
    if (!o)
        return;
    pthread_mutex_lock(&unfinished.lock);
    remove_part(o);
    leave(o);
    pthread_mutex_unlock(&unfinished.lock);
    release(o);
}

/* Nothing begins or ends any more: the lock is kept. */
void throng_output_clean(void)
{
    pthread_mutex_lock(&unfinished.lock);
    for (const throng_output *o = unfinished.first; o; o = o->next)
        remove_part(o);
}

static void *clean_at_signal(void *signals)
{
    int number;
    sigwait(signals, &number);
    throng_output_clean();
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, signals, NULL);
    raise(number);
    return NULL;
}

void throng_output_clean_at_signals(void)
{
    static sigset_t signals;
    pthread_t thread;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    if (pthread_create(&thread, NULL, clean_at_signal, &signals) == 0)
        pthread_detach(thread);
    else /* they end it, and leave what there is */
        pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

bool throng_output_check(const char *path, throng_error *error)
{
    throng_output *o = throng_output_begin(path, error);
    throng_output_discard(o);
    return o != NULL;
}

/* Do both lead to the same file, there or not? */
static bool is_same(const char *a, const char *b)
{
    throng_output outputs[2] = {{.path = (char *)a, .folder = -1}, {.path = (char *)b, .folder = -1}};
    int codes[2];
    for (int i = 0; i < 2; i++) {
        codes[i] = find_names(&outputs[i]);
        if (outputs[i].folder >= 0)
            close(outputs[i].folder);
    }
    bool is = !codes[0] && !codes[1] && strcmp(outputs[0].part, outputs[1].part) == 0;
    for (int i = 0; i < 2; i++) {
        free(outputs[i].part);
        free(outputs[i].name);
    }
    return is;
}

bool throng_output_apart(const throng_output_name *names, int32_t count, throng_error *error)
{
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < i; j++)
            if (names[i].path && names[j].path && is_same(names[i].path, names[j].path))
                return throng_fail(error, "%s and %s would both write '%s'; name another file for one of them",
                                   names[j].option, names[i].option, names[i].path);
    return true;
}

bool throng_output_make_folder(const char *path, throng_error *error)
{
    char part[1024];
    if ((size_t)snprintf(part, sizeof part, "%s", path) >= sizeof part)
        return throng_fail(error, "the path of --out is too long");
    int first = 0; /* what the folders above failed by: after that, this one is "no such file" */
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST && !first)
            first = errno;
        *slash = '/';
    }
    struct stat about;
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
        return throng_fail(error, "cannot make the folder '%s': %s (choose another with --out)", path,
                           strerror(first ? first : errno));
    if (stat(part, &about) != 0 || !S_ISDIR(about.st_mode))
        return throng_fail(error, "--out '%s' is not a folder", path);
    return true;
}
