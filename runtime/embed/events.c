/* throng.h: events. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim.h"

/* The word as long as the simulation lives; NULL when memory is out. */
static const char *keep_word(throng_sim *sim, const char *word)
{
    for (int32_t i = 0; i < sim->word_count; i++)
        if (strcmp(sim->words[i], word) == 0)
            return sim->words[i];
    if (!throng_array_reserve((void **)&sim->words, &sim->word_room, (int64_t)sim->word_count + 1, sizeof *sim->words))
        return NULL;
    char *kept = strdup(word);
    if (kept)
        sim->words[sim->word_count++] = kept;
    return kept;
}

static bool hear(void *context, int32_t listener, const throng_handle *agents, int32_t count, const char *first,
                 const char *second)
{
    throng_sim *sim = context;
    throng_event event = {.listener = listener,
                          .first = first ? keep_word(sim, first) : NULL,
                          .second = second ? keep_word(sim, second) : NULL};
    if ((first && !event.first) || (second && !event.second) ||
        !throng_array_reserve((void **)&sim->events, &sim->event_room, (int64_t)sim->event_count + count,
                              sizeof *sim->events))
        return false;
    for (int32_t i = 0; i < count; i++) {
        event.agent = (throng_agent){agents[i].slot, agents[i].generation};
        sim->events[sim->event_count++] = event;
    }
    return true;
}

bool throng_sim_listen(throng_sim *sim, const char *event, const char *place, int32_t *listener,
                       throng_message *message)
{
    throng_error error;
    if (!event)
        return throng_fail((throng_error *)message, "the event's name is NULL, and must be a text");
    if (!throng_script_listen(sim->script, event, place, hear, sim, sim->listeners, &error)) {
        throng_fail((throng_error *)message, "%s", error.text);
        return false;
    }
    *listener = sim->listeners++;
    return true;
}

void throng_sim_events(const throng_sim *sim, const throng_event **events, int32_t *count)
{
    *events = sim->events;
    *count = sim->event_count;
}

void throng_events_fini(throng_sim *sim)
{
    for (int32_t i = 0; i < sim->word_count; i++)
        free(sim->words[i]);
    free(sim->words);
    free(sim->events);
}
