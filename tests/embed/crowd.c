/* A program of its own with a crowd in it, in C: steps a scenario to its end, looks at everybody, and prints the hash,
 * which is that of `throng run`.
 *   cc crowd.c $(pkg-config --cflags --libs throng) -o crowd && ./crowd scenarios/evacuation.lua */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <throng.h>

static int fail(const throng_message *message)
{
    fprintf(stderr, "%s\n", message->text);
    return 1;
}

int main(int argc, char **argv)
{
    throng_message message;
    throng_sim *sim = throng_sim_load(argc > 1 ? argv[1] : "", NULL, &message);
    if (!sim)
        return fail(&message);
    int32_t vx = throng_sim_column_named(sim, "vx"), vy = throng_sim_column_named(sim, "vy");
    float fastest = 0;
    for (bool ended = false; !ended;) {
        if (!throng_sim_step(sim, &message) || !throng_sim_ended(sim, &ended, &message))
            return fail(&message);
        const float *x = throng_sim_read(sim, vx, &message), *y = throng_sim_read(sim, vy, &message);
        if (!x || !y)
            return fail(&message);
        throng_agent agent;
        for (int32_t slot = 0; slot < throng_sim_slots(sim); slot++)
            if (throng_sim_agent_at(sim, slot, &agent))
                fastest = fmaxf(fastest, hypotf(x[slot], y[slot]));
    }
    uint64_t hash;
    if (!throng_sim_hash(sim, &hash, &message))
        return fail(&message);
    printf("%016" PRIx64 " %u steps, fastest %.2f m/s\n", hash, throng_sim_steps(sim), fastest);
    throng_sim_destroy(sim);
    return 0;
}
