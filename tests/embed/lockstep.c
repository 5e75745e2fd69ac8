/* Lockstep: a server sends each step's inputs to two clients, a byte a step, and nothing else; each computes the crowd
 * on its own, on another number of lanes or another backend, and tells its hash. Their worlds stay equal to the bit;
 * where they do not, the step is named. cc lockstep.c $(pkg-config --cflags --libs throng) -lm -o lockstep
 *   ./lockstep scenarios/player.lua 1000 [backend of client 1, cpu or cuda [client 1 hears another input in this step]]
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <throng.h>
#include <unistd.h>

enum { CLIENTS = 2, CHECKED_EVERY = 10 }; /* steps */

static const int LANES[CLIENTS] = {4, 1};

/* Which way the player goes: 0 stands, 1 to 8 the points of the compass. */
static bool play(throng_sim *sim, int input, throng_message *message)
{
    double angle = (input - 1) * 3.14159265358979 / 4;
    return throng_sim_play(sim, input ? cos(angle) : 0, input ? sin(angle) : 0, message);
}

static int client(int line, const char *scenario, const char *backend, int lanes)
{
    unsigned char input;
    throng_message message;
    throng_sim_settings settings = throng_sim_settings_default();
    settings.backend = backend;
    settings.simd = lanes;
    throng_sim *sim = throng_sim_load(scenario, &settings, &message);
    bool fine = sim != NULL;
    for (uint64_t hash; fine && read(line, &input, 1) == 1;) {
        fine = play(sim, input, &message) && throng_sim_step(sim, &message);
        if (fine && throng_sim_steps(sim) % CHECKED_EVERY == 0)
            fine = throng_sim_hash(sim, &hash, &message) && write(line, &hash, sizeof hash) == sizeof hash;
    }
    if (!fine)
        fprintf(stderr, "%s\n", message.text);
    throng_sim_destroy(sim);
    return fine ? 0 : 1;
}

static int start_client(const char *scenario, const char *backend, int lanes)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit(client(ends[1], scenario, backend, lanes));
    }
    close(ends[1]);
    return child > 0 ? ends[0] : -1;
}

/* The clients' hashes after `step`. */
static bool are_equal(const int *lines, int step)
{
    uint64_t hash[CLIENTS];
    for (int i = 0; i < CLIENTS; i++)
        if (read(lines[i], &hash[i], sizeof hash[i]) != sizeof hash[i]) {
            fprintf(stderr, "client %d is gone before step %d\n", i, step);
            return false;
        }
    if (hash[0] == hash[1])
        return true;
    fprintf(stderr, "the worlds differ since one of the %d steps before step %d: %016" PRIx64 " and %016" PRIx64 "\n",
            CHECKED_EVERY, step, hash[0], hash[1]);
    return false;
}

int main(int argc, char **argv)
{
    int lines[CLIENTS], steps = argc > 2 ? atoi(argv[2]) : 1000, disturbed = argc > 4 ? atoi(argv[4]) : -1;
    const char *scenario = argc > 1 ? argv[1] : "", *backend = argc > 3 ? argv[3] : "cpu";
    for (int i = 0; i < CLIENTS; i++)
        if ((lines[i] = start_client(scenario, i == 1 ? backend : "cpu", LANES[i])) < 0)
            return 1;
    bool equal = true;
    for (int step = 1; equal && step <= steps; step++) {
        unsigned char input = (unsigned char)(step / 25 * 5 % 9); /* what somebody at a keyboard would do */
        for (int i = 0; equal && i < CLIENTS; i++) {
            unsigned char heard = step == disturbed && i == 1 ? (input + 1) % 9 : input;
            equal = send(lines[i], &heard, 1, MSG_NOSIGNAL) == 1;
        }
        equal = equal && (step % CHECKED_EVERY != 0 || are_equal(lines, step));
    }
    for (int i = 0; i < CLIENTS; i++)
        close(lines[i]);
    while (wait(NULL) > 0)
        ;
    if (equal)
        printf("the same for %d steps on %d lanes and on %s\n", steps, LANES[0], backend);
    return equal ? 0 : 1;
}
