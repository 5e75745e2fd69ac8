#include "film.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output.h"

struct throng_film {
    char path[1000];       /* the file or the folder */
    throng_output *output; /* what ffmpeg writes; NULL: PNGs */
    double fps;
    int32_t width, height, frames;
    unsigned char *rgb; /* [3 * width * height] */
    int pipe;           /* to ffmpeg, -1: it does not run */
    pid_t ffmpeg;
};

extern char **environ;

static bool ffmpeg_installed(void)
{
    char file[4096];
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/ffmpeg", (int)length, path);
        if (access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static bool make_folder(const char *path, throng_error *error)
{
    struct stat about;
    if ((mkdir(path, 0777) == 0 || errno == EEXIST) && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return true;
    return throng_fail(error, "cannot make the folder '%s' for the pictures of a film: %s", path,
                       strerror(errno == EEXIST ? ENOTDIR : errno));
}

static bool open_path(throng_film *film, const char *path, throng_error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    bool mp4 = dot && dot > name && strcmp(dot, ".mp4") == 0;
    if ((dot && !mp4) || strlen(path) >= sizeof film->path)
        return throng_fail(error, "cannot film to '%s': give a name that ends in .mp4, or a folder for PNGs", path);
    bool encodes = mp4 && ffmpeg_installed();
    snprintf(film->path, sizeof film->path, "%.*s", mp4 && !encodes ? (int)(dot - path) : (int)strlen(path), path);
    if (!encodes)
        return make_folder(film->path, error);
    film->output = throng_output_begin(film->path, error);
    return film->output != NULL;
}

throng_film *throng_film_open(const char *path, double fps, throng_error *error)
{
    throng_film *film = calloc(1, sizeof *film);
    if (!film) {
        throng_fail(error, "out of memory");
        return NULL;
    }
    film->fps = fps;
    film->pipe = -1;
    if (open_path(film, path, error))
        return film;
    free(film);
    return NULL;
}

/* A socket, not a pipe: one that ffmpeg has closed is an error then and no signal. The file goes there as a descriptor:
 * a name may look like an option or a protocol. */
static bool start_ffmpeg(throng_film *film, throng_error *error)
{
    char size[32], rate[32];
    int ends[2];
    snprintf(size, sizeof size, "%dx%d", film->width, film->height);
    snprintf(rate, sizeof rate, "%.6g", film->fps);
    const char *arguments[] = {"ffmpeg",     "-hide_banner", "-loglevel", "error",     "-y",      "-f",
                               "rawvideo",   "-pix_fmt",     "rgb24",     "-s",        size,      "-framerate",
                               rate,         "-i",           "pipe:0",    "-pix_fmt",  "yuv420p", "-movflags",
                               "+faststart", "-f",           "mp4",       "/dev/fd/3", NULL};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return throng_fail(error, "cannot start ffmpeg: %s", strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, throng_output_descriptor(film->output), 3);
    int code = posix_spawnp(&film->ffmpeg, "ffmpeg", &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    film->pipe = ends[0];
    if (code == 0)
        return true;
    close(film->pipe);
    film->pipe = -1;
    return throng_fail(error, "cannot start ffmpeg: %s", strerror(code));
}

static bool begin(throng_film *film, const throng_canvas *canvas, throng_error *error)
{
    film->width = (canvas->width + 1) & ~1;
    film->height = (canvas->height + 1) & ~1;
    film->rgb = malloc(3 * (size_t)film->width * (size_t)film->height);
    if (!film->rgb)
        return throng_fail(error, "out of memory for the pictures of a film");
    return !film->output || start_ffmpeg(film, error);
}

/* Beyond its edges the picture's last column and row go on. */
static void take(throng_film *film, const throng_canvas *canvas)
{
    for (int32_t y = 0; y < film->height; y++)
        for (int32_t x = 0; x < film->width; x++) {
            int32_t from_x = x < canvas->width ? x : canvas->width - 1,
                    from_y = y < canvas->height ? y : canvas->height - 1;
            const float *from = canvas->rgb + 3 * ((size_t)from_y * (size_t)canvas->width + (size_t)from_x);
            unsigned char *to = film->rgb + 3 * ((size_t)y * (size_t)film->width + (size_t)x);
            for (int k = 0; k < 3; k++)
                to[k] = from[k] <= 0 ? 0 : from[k] >= 1 ? 255 : (unsigned char)(from[k] * 255 + 0.5f);
        }
}

static bool send_all(throng_film *film, throng_error *error)
{
    size_t size = 3 * (size_t)film->width * (size_t)film->height, sent = 0;
    while (sent < size) {
        ssize_t n = send(film->pipe, film->rgb + sent, size - sent, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return throng_fail(error, "cannot film to '%s': ffmpeg has ended", film->path);
        sent += n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool throng_film_add(throng_film *film, const throng_canvas *canvas, throng_error *error)
{
    char png[1040];
    if (!film->rgb && !begin(film, canvas, error))
        return false;
    snprintf(png, sizeof png, "%s/%05d.png", film->path, film->frames++);
    if (!film->output)
        return throng_canvas_save(canvas, png, error);
    take(film, canvas);
    return send_all(film, error);
}

const char *throng_film_path(const throng_film *film) { return film->path; }
bool throng_film_is_mp4(const throng_film *film) { return film->output != NULL; }
int32_t throng_film_frames(const throng_film *film) { return film->frames; }

/* Waits for ffmpeg to finish the file. */
static bool finish(throng_film *film, throng_error *error)
{
    int status = 0;
    if (film->pipe < 0) {
        throng_output_discard(film->output);
        return true;
    }
    close(film->pipe);
    while (waitpid(film->ffmpeg, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return throng_output_commit(film->output, error);
    throng_output_discard(film->output);
    return throng_fail(error, "cannot film to '%s': ffmpeg failed (its message is above)", film->path);
}

bool throng_film_close(throng_film *film, throng_error *error)
{
    if (!film)
        return true;
    bool ok = !film->output || finish(film, error);
    free(film->rgb);
    free(film);
    return ok;
}
