/* Snapshots: what a scenario and its inputs have made, they make again.
 *
 * A world's state is in columns, in tables, in rigid bodies, in the Lua state with its closures, coroutines and timers.
 * To copy all that would miss what nobody thought of; to make it again misses nothing, since the same scenario and
 * inputs give the same bits, and the hash tells whether they did. It takes the time of the run until then. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "sim.h"

static const char magic[8] = "THRONG-S";

static bool refuse(throng_message *message, const char *text)
{
    throng_fail((throng_error *)message, "%s", text);
    return false;
}

static bool check_kept(const throng_sim *sim, throng_message *message)
{
    if (!sim->inputs.kept)
        return refuse(message, "this simulation does not keep its inputs: load it with keep_inputs in its settings");
    return (!sim->inputs.lost && !sim->origin.lost) ||
           refuse(message, "some inputs of this simulation were lost: memory was out");
}

/* ---- taken */

bool throng_sim_snapshot(throng_sim *sim, void **snapshot, size_t *size, throng_message *message)
{
    uint64_t hash;
    throng_inputs out = {.kept = true};
    if (!throng_idle_check(sim, __func__, message) || !check_kept(sim, message) ||
        !throng_sim_hash(sim, &hash, message))
        return false;
    throng_inputs_put(&out, magic, sizeof magic);
    throng_inputs_put_text(&out, THRONG_VERSION);
    throng_inputs_put_whole(&out, (int32_t)throng_sim_steps(sim));
    throng_inputs_put(&out, &hash, sizeof hash);
    throng_inputs_put(&out, sim->origin.bytes, sim->origin.size);
    throng_inputs_put(&out, sim->inputs.bytes, sim->inputs.size);
    if (out.lost) {
        throng_inputs_fini(&out);
        return refuse(message, "out of memory for the snapshot");
    }
    *snapshot = out.bytes;
    *size = out.size;
    return true;
}

bool throng_sim_inputs(throng_sim *sim, const void **inputs, size_t *size, throng_message *message)
{
    if (!throng_idle_check(sim, __func__, message) || !check_kept(sim, message))
        return false;
    *inputs = sim->inputs.bytes + sim->inputs.taken;
    *size = sim->inputs.size - sim->inputs.taken;
    sim->inputs.taken = sim->inputs.size;
    return true;
}

void throng_sim_snapshot_free(void *snapshot) { free(snapshot); }

/* ---- told again: each does what its input did, and says whether it succeeded */

/* A count that was damaged is found at once, not after all of these steps. */
static bool step_on(throng_sim *sim, throng_inputs_reader *from, bool succeeded, throng_message *message)
{
    int32_t steps = throng_inputs_get_whole(from);
    uint32_t made = (uint32_t)throng_inputs_get_whole(from), now = throng_sim_steps(sim);
    if (from->damaged)
        return false;
    if (steps < 1 || (succeeded ? made - now != (uint32_t)steps : steps > 1)) {
        from->damaged = true;
        throng_fail((throng_error *)message,
                    "these inputs are damaged, or begin at another step: after step %u they have %d steps to step %u",
                    now, (int)steps, made);
        return false;
    }
    for (int32_t i = 0; i < steps; i++)
        if (throng_sim_step(sim, message) != succeeded)
            return !succeeded;
    return succeeded;
}

static bool run_text(throng_sim *sim, throng_input input, throng_inputs_reader *from, throng_message *message)
{
    double value;
    const char *text = throng_inputs_get_text(from);
    if (!text)
        return false;
    if (input == THRONG_INPUT_TEXT)
        return throng_sim_text(sim, text, message) != NULL;
    return input == THRONG_INPUT_NUMBER ? throng_sim_number(sim, text, &value, message)
                                        : throng_sim_do(sim, text, message);
}

static bool spawn(throng_sim *sim, throng_inputs_reader *from, throng_message *message)
{
    const char *settings = throng_inputs_get_text(from);
    int32_t count = throng_inputs_get_whole(from);
    bool at = throng_inputs_get_whole(from) != 0;
    float *xy = at ? throng_inputs_get_list(from, count, 2 * sizeof *xy) : NULL;
    throng_agent *agents = !from->damaged && count > 0 ? malloc((size_t)count * sizeof *agents) : NULL;
    from->damaged = from->damaged || !agents;
    bool ok = !from->damaged && throng_sim_spawn(sim, settings, xy, count, agents, message);
    free(xy);
    free(agents);
    return ok;
}

static bool tell_agents(throng_sim *sim, throng_input input, throng_inputs_reader *from, throng_message *message)
{
    int32_t count = throng_inputs_get_whole(from), column = 0;
    throng_agent *agents = throng_inputs_get_list(from, count, sizeof *agents);
    const char *lua = "";
    void *values = NULL;
    bool ok = false;
    if (input == THRONG_INPUT_DO_WITH)
        lua = throng_inputs_get_text(from);
    if (input == THRONG_INPUT_WRITE)
        column = throng_inputs_get_whole(from);
    if (input == THRONG_INPUT_WRITE || input == THRONG_INPUT_STEER ||
        input == THRONG_INPUT_PLACE) /* doubles, and floats two each */
        values = throng_inputs_get_list(from, count, sizeof(double));
    if (!from->damaged && input == THRONG_INPUT_DO_WITH)
        ok = throng_sim_do_with(sim, agents, count, lua, message);
    else if (!from->damaged && input == THRONG_INPUT_WRITE)
        ok = throng_sim_write(sim, column, agents, values, count, message);
    else if (!from->damaged && input == THRONG_INPUT_STEER)
        ok = throng_sim_steer(sim, agents, values, count, message);
    else if (!from->damaged && input == THRONG_INPUT_PLACE)
        ok = throng_sim_place(sim, agents, values, count, message);
    else if (!from->damaged)
        ok = throng_sim_release(sim, agents, count, message);
    free(agents);
    free(values);
    return ok;
}

static bool play(throng_sim *sim, throng_inputs_reader *from, throng_message *message)
{
    double direction[2];
    throng_inputs_get(from, direction, sizeof direction);
    return !from->damaged && throng_sim_play(sim, direction[0], direction[1], message);
}

static bool ask_path(throng_sim *sim, throng_inputs_reader *from, throng_message *message)
{
    double radius, length;
    throng_place nowhere = {0, 0, 0};
    int32_t corners;
    throng_inputs_get(from, &radius, sizeof radius);
    return !from->damaged && throng_sim_path(sim, nowhere, nowhere, radius, NULL, 0, &corners, &length, message);
}

static bool tell(throng_sim *sim, throng_input input, bool succeeded, throng_inputs_reader *from,
                 throng_message *message)
{
    switch (input) {
    case THRONG_INPUT_STEPS: return step_on(sim, from, succeeded, message);
    case THRONG_INPUT_DO:
    case THRONG_INPUT_NUMBER:
    case THRONG_INPUT_TEXT: return run_text(sim, input, from, message);
    case THRONG_INPUT_SPAWN: return spawn(sim, from, message);
    case THRONG_INPUT_DO_WITH:
    case THRONG_INPUT_WRITE:
    case THRONG_INPUT_STEER:
    case THRONG_INPUT_PLACE:
    case THRONG_INPUT_RELEASE: return tell_agents(sim, input, from, message);
    case THRONG_INPUT_PLAY: return play(sim, from, message);
    case THRONG_INPUT_RADIUS: return ask_path(sim, from, message);
    }
    from->damaged = true;
    return false;
}

static bool other_outcome(const throng_sim *sim, bool succeeded, const throng_message *why, throng_message *message)
{
    throng_fail((throng_error *)message, "after step %u an input %s here that %s there%s%s", throng_sim_steps(sim),
                succeeded ? "fails" : "succeeds", succeeded ? "did not" : "failed", succeeded ? ": " : "",
                succeeded ? why->text : "");
    return false;
}

static bool tell_all(throng_sim *sim, throng_inputs_reader *from, throng_message *message)
{
    while (from->left > 0) {
        throng_message why = {""};
        unsigned char head[2];
        throng_inputs_get(from, head, sizeof head);
        bool done = !from->damaged && tell(sim, (throng_input)head[0], head[1] != 0, from, &why);
        if (from->damaged)
            return refuse(message, *why.text ? why.text : "these inputs are damaged: they end too soon, or are none");
        if (done != (head[1] != 0))
            return other_outcome(sim, head[1] != 0, &why, message);
    }
    return true;
}

bool throng_sim_apply(throng_sim *sim, const void *inputs, size_t size, throng_message *message)
{
    throng_inputs_reader from = {.bytes = inputs, .left = size};
    return throng_idle_check(sim, __func__, message) && tell_all(sim, &from, message);
}

/* ---- restored */

typedef struct origin {
    const char *version, *name, *text; /* NULL text: a file's name */
    int32_t steps;
    uint64_t hash;
    int64_t seed;
    int32_t param_count;
    const char **params;
} origin;

static bool read_origin(throng_inputs_reader *from, origin *o, throng_message *message)
{
    char begin[sizeof magic];
    throng_inputs_get(from, begin, sizeof begin);
    if (memcmp(begin, magic, sizeof magic) != 0)
        return refuse(message, "this is no snapshot: throng_sim_snapshot makes one");
    o->version = throng_inputs_get_text(from);
    o->steps = throng_inputs_get_whole(from);
    throng_inputs_get(from, &o->hash, sizeof o->hash);
    o->name = throng_inputs_get_text(from);
    o->text = throng_inputs_get_whole(from) ? throng_inputs_get_text(from) : NULL;
    throng_inputs_get(from, &o->seed, sizeof o->seed);
    o->param_count = throng_inputs_get_whole(from);
    if (o->param_count < 0 || (size_t)o->param_count > from->left)
        from->damaged = true;
    o->params = from->damaged ? NULL : malloc(((size_t)o->param_count + 1) * sizeof *o->params);
    for (int32_t p = 0; o->params && p < o->param_count; p++)
        o->params[p] = throng_inputs_get_text(from);
    return (!from->damaged && o->params) || refuse(message, "this snapshot is damaged: it ends too soon");
}

static bool check_hash(throng_sim *sim, const origin *o, throng_message *message)
{
    uint64_t hash;
    if (!throng_sim_hash(sim, &hash, message))
        return false;
    if (hash == o->hash && throng_sim_steps(sim) == (uint32_t)o->steps)
        return true;
    throng_fail((throng_error *)message,
                "'%s' and its inputs give another state than in the snapshot: at step %u the hash is %016" PRIx64
                ", expected %016" PRIx64 " at step %d. The scenario or a file that it reads has changed, or the "
                "snapshot is of another version (%s; this is %s)",
                o->name, throng_sim_steps(sim), hash, o->hash, (int)o->steps, o->version, THRONG_VERSION);
    return false;
}

static throng_sim *load(const origin *o, throng_sim_settings settings, throng_message *message)
{
    settings.seed = o->seed;
    settings.params = o->params;
    settings.param_count = o->param_count;
    settings.keep_inputs = true;
    return o->text ? throng_sim_load_text(o->name, o->text, strlen(o->text), &settings, message)
                   : throng_sim_load(o->name, &settings, message);
}

static void say_nothing(void *context, const char *text, size_t size) { (void)context, (void)text, (void)size; }

throng_sim *throng_sim_restore(const void *snapshot, size_t size, const throng_sim_settings *given,
                               throng_message *message)
{
    throng_inputs_reader from = {.bytes = snapshot, .left = size};
    throng_sim_settings settings;
    origin o = {0};
    throng_sim *sim = NULL;
    if (throng_settings_read(given, &settings, message) && read_origin(&from, &o, message)) {
        throng_lines print = {settings.print ? settings.print : say_nothing, settings.context};
        settings.print = NULL; /* what was said until then was said then */
        sim = load(&o, settings, message);
        if (sim && (!tell_all(sim, &from, message) || !check_hash(sim, &o, message))) {
            throng_sim_destroy(sim);
            sim = NULL;
        }
        if (sim) {
            sim->print = print;
            sim->inputs.taken = sim->inputs.size;
        }
    }
    free(o.params);
    return sim;
}
