/* A column edited as an array: what the program has changed of a copy is written as throng_sim_write does it. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim.h"

static bool refuse(throng_message *message, const char *text)
{
    return throng_fail((throng_error *)message, "%s", text);
}

static bool is_open(const throng_sim *sim, int32_t column)
{
    return column >= 0 && column < throng_sim_column_count(sim) && sim->edits[column].agents &&
           sim->edits[column].count >= 0;
}

float *throng_sim_edit(throng_sim *sim, int32_t column, throng_message *message)
{
    throng_sim_column_info info;
    const void *values = NULL;
    if (!throng_column_writable(sim, column, &info, message) || !(values = throng_sim_read(sim, column, message)))
        return NULL;
    throng_edit *edit = &sim->edits[column];
    size_t slots = (size_t)throng_sim_slots(sim), room = slots + 1;
    edit->count = -1; /* until all is there */
    if (!throng_array_resize((void **)&edit->now, room * sizeof *edit->now) ||
        !throng_array_resize((void **)&edit->was, room * sizeof *edit->was) ||
        !throng_array_resize((void **)&edit->agents, room * sizeof *edit->agents)) {
        refuse(message, "out of memory");
        return NULL;
    }
    memcpy(edit->now, values, slots * sizeof *edit->now);
    memcpy(edit->was, values, slots * sizeof *edit->was);
    edit->count = throng_sim_agents(sim, edit->agents);
    return edit->now;
}

/* Those whose values have changed, to the front of `agents`, with their values. */
static int32_t changes(const throng_edit *edit, throng_agent *agents, double *values)
{
    int32_t count = 0;
    for (int32_t i = 0; i < edit->count; i++) {
        int32_t slot = edit->agents[i].slot;
        if (memcmp(&edit->now[slot], &edit->was[slot], sizeof *edit->now) == 0)
            continue;
        agents[count] = edit->agents[i];
        values[count++] = (double)edit->now[slot];
    }
    return count;
}

static bool check(const throng_sim *sim, int32_t column, const throng_agent *agents, const double *values,
                  int32_t count, throng_message *message)
{
    throng_sim_column_info info = {.size = sizeof info};
    throng_sim_column(sim, column, &info);
    for (int32_t i = 0; i < count; i++)
        if (!(values[i] >= info.least && values[i] <= info.most))
            return throng_fail((throng_error *)message, "column '%s': %g in slot %d is not from %g to %g %s", info.name,
                               values[i], (int)agents[i].slot, info.least, info.most, info.unit);
    return true;
}

bool throng_sim_commit(throng_sim *sim, int32_t column, throng_message *message)
{
    if (!is_open(sim, column))
        return refuse(message, "nobody edits this column: throng_sim_edit gives what is committed");
    throng_edit *edit = &sim->edits[column];
    size_t most = (size_t)edit->count + 1;
    throng_agent *agents = malloc(most * sizeof *agents);
    double *values = malloc(most * sizeof *values);
    bool fine = (agents && values) || refuse(message, "out of memory");
    if (fine) {
        int32_t count = changes(edit, agents, values);
        fine = check(sim, column, agents, values, count, message) &&
               (count == 0 || throng_sim_write(sim, column, agents, values, count, message));
    }
    free(agents);
    free(values);
    if (fine)
        edit->count = -1;
    return fine;
}
