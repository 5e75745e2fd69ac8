#include "watch.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/array.h"

typedef struct watched {
    int folder; /* watch descriptor */
    char *name; /* in that folder */
    bool open;  /* somebody writes to it: it may be torn */
} watched;

struct throng_watch {
    int queue;
    watched *files;
    int32_t count;
    bool saved; /* one was, since that was last told */
};

throng_watch *throng_watch_create(throng_error *error)
{
    throng_watch *watch = calloc(1, sizeof *watch);
    if (watch && (watch->queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) >= 0)
        return watch;
    throng_fail(error, "cannot watch files: %s", strerror(errno));
    free(watch);
    return NULL;
}

void throng_watch_destroy(throng_watch *watch)
{
    if (!watch)
        return;
    close(watch->queue);
    for (int32_t i = 0; i < watch->count; i++)
        free(watch->files[i].name);
    free(watch->files);
    free(watch);
}

/* NULL: the file is not watched. */
static watched *find(const throng_watch *watch, int folder, const char *name)
{
    for (int32_t i = 0; i < watch->count; i++)
        if (watch->files[i].folder == folder && strcmp(watch->files[i].name, name) == 0)
            return &watch->files[i];
    return NULL;
}

bool throng_watch_add(throng_watch *watch, const char *path, throng_error *error)
{
    char folder[1024];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    int descriptor = inotify_add_watch(watch->queue, folder, IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE);
    if (descriptor < 0)
        return throng_fail(error, "cannot watch '%s': %s", folder, strerror(errno));
    if (find(watch, descriptor, name))
        return true;
    if (!throng_array_resize((void **)&watch->files, ((size_t)watch->count + 1) * sizeof *watch->files))
        return throng_fail(error, "out of memory");
    watched *added = &watch->files[watch->count];
    *added = (watched){.folder = descriptor, .name = strdup(name)};
    if (!added->name)
        return throng_fail(error, "out of memory");
    watch->count++;
    return true;
}

static void note(throng_watch *watch, const struct inotify_event *event)
{
    watched *file = event->len ? find(watch, event->wd, event->name) : NULL;
    if (!file)
        return;
    file->open = event->mask & IN_MODIFY;
    watch->saved = watch->saved || (event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO));
}

bool throng_watch_settled(throng_watch *watch)
{
    char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    for (ssize_t size; (size = read(watch->queue, events, sizeof events)) > 0;)
        for (const char *at = events; at < events + size;) {
            const struct inotify_event *event = (const struct inotify_event *)at;
            note(watch, event);
            at += sizeof *event + event->len;
        }
    for (int32_t i = 0; i < watch->count; i++)
        if (watch->files[i].open)
            return false;
    return true;
}

bool throng_watch_saved(throng_watch *watch, int milliseconds)
{
    struct pollfd queue = {.fd = watch->queue, .events = POLLIN};
    if (!watch->saved)
        poll(&queue, 1, milliseconds);
    bool saved = throng_watch_settled(watch) && watch->saved;
    watch->saved = watch->saved && !saved;
    return saved;
}
