/* How high everybody stands: heights SCENARIO STEPS prints "id z" of all after so many steps. */
#include <stdio.h>
#include <stdlib.h>
#include <throng.h>

int main(int argc, char **argv)
{
    throng_message message;
    throng_sim *sim = argc > 2 ? throng_sim_load(argv[1], NULL, &message) : NULL;
    for (int step = 0; sim && step < atoi(argv[2]); step++)
        if (!throng_sim_step(sim, &message))
            return 1;
    int32_t count = sim ? throng_sim_count(sim) : 0;
    throng_agent *agents = calloc((size_t)count + 1, sizeof *agents);
    float *z = calloc((size_t)count + 1, sizeof *z);
    if (!sim || !agents || !z)
        return 1;
    throng_sim_agents(sim, agents);
    const int32_t *id = throng_sim_read(sim, throng_sim_column_named(sim, "id"), &message);
    if (!id || !throng_sim_heights(sim, agents, count, z, &message))
        return 1;
    for (int32_t i = 0; i < count; i++)
        printf("%d %.3f\n", (int)id[agents[i].slot], (double)z[i]);
    agents[0].generation++;
    if (throng_sim_heights(sim, agents, count, z, &message)) /* nobody is that */
        return 1;
    fprintf(stderr, "%s\n", message.text);
    throng_sim_destroy(sim);
    free(agents);
    free(z);
    return 0;
}
