#include "meeting.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "process.h"

enum { HOST = 256, GREETING = 160 };

/* The numbers of such variables, of which the second says how many there are: "4(x2)" is 4. */
static bool read_ranks(const char *const names[2], int32_t *rank, int32_t *of)
{
    const char *own = getenv(names[0]), *all = getenv(names[1]);
    if (!own || !all || atoi(all) < 2 || atoi(own) < 0 || atoi(own) >= atoi(all))
        return false;
    *rank = atoi(own), *of = atoi(all);
    return true;
}

throng_rank throng_meeting_rank(void)
{
    static const char *const names[][2][2] = {
        {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
         {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"}},
        {{"PMI_RANK", "PMI_SIZE"}, {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"}},
        {{"SLURM_PROCID", "SLURM_NTASKS"}, {"SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"}}};
    throng_rank found = {.of = 1, .of_here = 1};
    for (size_t i = 0; i < sizeof names / sizeof *names && found.of == 1; i++)
        if (read_ranks(names[i][0], &found.rank, &found.of))
            read_ranks(names[i][1], &found.here, &found.of_here);
    return found;
}

/* ---- who waits */

struct throng_meeting {
    char *path;
    int socket;
    char greeting[GREETING];
};

/* Nobody guesses it. */
static bool make_greeting(char *greeting, const char *version, throng_error *error)
{
    unsigned char bytes[16];
    char secret[2 * sizeof bytes + 1];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return throng_fail(error, "there are no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
    snprintf(greeting, GREETING, "throng-study %s %s", version, secret);
    return true;
}

static int listen_anywhere(int *port, throng_error *error)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    socklen_t size = sizeof at;
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0 || bind(s, (struct sockaddr *)&at, size) != 0 || listen(s, 1024) != 0 ||
        getsockname(s, (struct sockaddr *)&at, &size) != 0) {
        throng_fail(error, "others cannot join: %s", strerror(errno));
        if (s >= 0)
            close(s);
        return -1;
    }
    *port = ntohs(at.sin_port);
    return s;
}

/* Written beside and renamed, so that whoever reads it reads all of it. */
static bool write_file(const char *path, const char *host, int port, const char *greeting, throng_error *error)
{
    char part[4200];
    snprintf(part, sizeof part, "%s.part", path);
    unlink(part);
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool fine = file && fprintf(file, "%s %d\n%s\n", host, port, greeting) > 0;
    fine = (!file || fclose(file) == 0) && fine && rename(part, path) == 0;
    return fine || throng_fail(error, "cannot write '%s': %s", path, strerror(errno));
}

throng_meeting *throng_meeting_open(const char *path, const char *version, throng_error *error)
{
    char host[HOST] = "localhost";
    int port;
    throng_meeting *m = calloc(1, sizeof *m);
    if (!m || !(m->path = strdup(path))) {
        free(m);
        throng_fail(error, "out of memory");
        return NULL;
    }
    gethostname(host, sizeof host - 1);
    m->socket = make_greeting(m->greeting, version, error) ? listen_anywhere(&port, error) : -1;
    if (m->socket >= 0 && write_file(path, host, port, m->greeting, error))
        return m;
    throng_meeting_close(m);
    return NULL;
}

void throng_meeting_close(throng_meeting *meeting)
{
    if (!meeting)
        return;
    if (meeting->socket >= 0) {
        close(meeting->socket);
        unlink(meeting->path);
    }
    free(meeting->path);
    free(meeting);
}

int throng_meeting_socket(const throng_meeting *meeting) { return meeting->socket; }

const char *throng_meeting_greeting(const throng_meeting *meeting) { return meeting->greeting; }

/* ---- who joins */

typedef struct invitation {
    char host[HOST], greeting[GREETING];
    int port;
} invitation;

static bool read_invitation(const char *path, invitation *to)
{
    FILE *file = fopen(path, "re");
    bool fine = file && fscanf(file, "%255s %d\n", to->host, &to->port) == 2 &&
                fgets(to->greeting, sizeof to->greeting, file) != NULL;
    if (file)
        fclose(file);
    return fine;
}

static int connect_to(const invitation *to)
{
    char own[HOST] = "", port[16];
    gethostname(own, sizeof own - 1);
    snprintf(port, sizeof port, "%d", to->port);
    const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    /* this machine may not know its own name */
    if (getaddrinfo(strcmp(own, to->host) == 0 ? "127.0.0.1" : to->host, port, &hints, &list) != 0)
        return -1;
    int s = -1;
    for (const struct addrinfo *a = list; a && s < 0; a = a->ai_next) {
        s = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
        if (s >= 0 && connect(s, a->ai_addr, a->ai_addrlen) != 0) {
            close(s);
            s = -1;
        }
    }
    freeaddrinfo(list);
    return s;
}

/* A worker that is connected with who waits, 0: nobody does, or it cannot be started. */
static pid_t start(const char *path, const char *version, char *const *argv, int32_t orders, throng_error *error)
{
    invitation to;
    char expected[GREETING], greeting[GREETING + 16];
    error->text[0] = 0;
    int line = read_invitation(path, &to) ? connect_to(&to) : -1;
    if (line < 0)
        return 0;
    snprintf(expected, sizeof expected, "throng-study %s ", version);
    if (strncmp(to.greeting, expected, strlen(expected)) != 0) {
        close(line);
        throng_fail(error, "who waits in '%s' is of another version of throng", path);
        return 0;
    }
    int size = snprintf(greeting, sizeof greeting, "%.*s %d\n", (int)strcspn(to.greeting, "\n"), to.greeting, orders);
    pid_t pid = 0;
    if (send(line, greeting, (size_t)size, MSG_NOSIGNAL) == size)
        pid = throng_process_start(argv, (const int[]){line, line, STDERR_FILENO, -1}, error);
    close(line);
    return pid;
}

static void sleep_a_little(void)
{
    const struct timespec moment = {.tv_nsec = 100000000};
    nanosleep(&moment, NULL);
}

/* Waits for one of them to end. Returns which, -1: there are none. */
static int32_t wait_for_one(pid_t *pids, int32_t count, bool *finished)
{
    for (;;) {
        int status;
        pid_t pid = wait(&status);
        if (pid < 0 && errno != EINTR)
            return -1;
        for (int32_t i = 0; pid > 0 && i < count; i++)
            if (pids[i] == pid) {
                pids[i] = 0;
                *finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
                return i;
            }
    }
}

static bool join(const char *path, const char *version, char *const *const *argv, pid_t *pids, int32_t count,
                 int32_t orders, double patience, throng_error *error)
{
    double begin = throng_clock();
    for (int32_t running = 0; running < count;) {
        if ((pids[running] = start(path, version, argv[running], orders, error)))
            running++;
        else if (*error->text)
            return false;
        else if (running > 0)
            break; /* it is over already */
        else if (throng_clock() - begin > patience)
            return throng_fail(error, "nobody waits in '%s'", path);
        else
            sleep_a_little();
    }
    int32_t i;
    for (bool finished; (i = wait_for_one(pids, count, &finished)) >= 0;)
        if (!finished)
            pids[i] = start(path, version, argv[i], orders, error);
    return true;
}

bool throng_meeting_join(const char *path, const char *version, char *const *const *argv, int32_t count, int32_t orders,
                         double patience, throng_error *error)
{
    pid_t *pids = calloc((size_t)count, sizeof *pids);
    bool ok =
        pids ? join(path, version, argv, pids, count, orders, patience, error) : throng_fail(error, "out of memory");
    free(pids);
    return ok;
}
