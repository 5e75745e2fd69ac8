#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/version.h"
#include "report_parts.h"

__attribute__((format(printf, 3, 4))) static void add_fact(throng_report_facts *facts, const char *name,
                                                           const char *format, ...)
{
    if (facts->count == THRONG_REPORT_FACTS)
        return;
    throng_report_fact *fact = &facts->list[facts->count++];
    va_list args;
    snprintf(fact->name, sizeof fact->name, "%s", name);
    va_start(args, format);
    vsnprintf(fact->value, sizeof fact->value, format, args);
    va_end(args);
}

static const char *end_in_words(const char *end)
{
    static const char *const words[][2] = {{"arrived", "everyone arrived"},
                                           {"time", "the time was up"},
                                           {"stopped", "the script stopped the run"},
                                           {"interrupted", "the run was interrupted"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(end, words[i][0]) == 0)
            return words[i][1];
    return "";
}

/* ---- a command */

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

/* As a shell takes it for one word. */
static void append_word(char *text, size_t size, const char *word)
{
    bool plain = *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%") ==
                              strlen(word);
    append(text, size, plain ? " " : " '");
    for (; *word; word++)
        append(text, size, *word == '\'' && !plain ? "'\\''" : (char[]){*word, 0});
    append(text, size, plain ? "" : "'");
}

static void append_option(char *text, size_t size, const char *name, const char *value)
{
    append(text, size, name);
    append_word(text, size, value);
}

/* ---- of a run */

/* One row, "guests=300, hurry=1". */
static void add_parameter(throng_report_facts *facts, const char *parameter)
{
    int32_t i = 0;
    while (i < facts->count && strcmp(facts->list[i].name, "Parameters") != 0)
        i++;
    if (i == facts->count) {
        add_fact(facts, "Parameters", "%s", parameter);
        return;
    }
    append(facts->list[i].value, sizeof facts->list[i].value, ", ");
    append(facts->list[i].value, sizeof facts->list[i].value, parameter);
}

static void add_outside(throng_report_facts *facts, int64_t agents)
{
    if (agents > 0)
        add_fact(facts, "Outside at the end", "%" PRId64 " people, who waited for room at their sources", agents);
}

void throng_report_facts_of_run(throng_report_facts *facts, const throng_summary *summary,
                                const throng_report_asked *asked)
{
    char *command = facts->command, number[40];
    size_t size = sizeof facts->command;
    *facts = (throng_report_facts){.time = summary->time, .everyone = summary->end == THRONG_RUN_ARRIVED};
    snprintf(facts->name, sizeof facts->name, "%s", summary->scenario);
    snprintf(facts->end, sizeof facts->end, "%s", end_in_words(throng_run_end_names[summary->end]));
    facts->agents = summary->stats.spawned;
    facts->arrived = summary->stats.arrived;
    append_option(command, size, "throng run", summary->path);
    snprintf(number, sizeof number, "%" PRIu64, summary->seed);
    append_option(command, size, " --seed", number);
    for (int32_t i = 0; i < summary->param_count; i++)
        append_option(command, size, " --set", summary->params[i]);
    snprintf(number, sizeof number, "%" PRId64, asked->steps);
    if (asked->steps >= 0)
        append_option(command, size, " --steps", number);
    snprintf(number, sizeof number, "%.10g", asked->seconds);
    if (asked->seconds >= 0)
        append_option(command, size, " --seconds", number);
    append(command, size, " --report");
    add_fact(facts, "Scenario", "%s", summary->path);
    for (int32_t i = 0; i < summary->param_count; i++)
        add_fact(facts, i ? "" : "Set", "%s", summary->params[i]);
    for (int32_t i = 0; i < summary->parameter_count; i++)
        add_parameter(facts, summary->parameters[i]);
    add_fact(facts, "Seed", "%" PRIu64, summary->seed);
    add_fact(facts, "Simulated", "%.4g s in %u steps of %.4g s", summary->time, summary->steps,
             throng_world_dt(summary->world));
    add_outside(facts, summary->stats.outside);
    add_fact(facts, "State at the end", "%016" PRIx64 " (the same on every machine and backend)", summary->hash);
    add_fact(facts, "Computed by", "throng %s, %s", THRONG_VERSION, summary->backend);
}

/* ---- of summary.json, which throng run wrote, or anybody */

/* After the text that begins at its quote; copies it without its escapes. NULL: it has no end. */
static const char *read_text(const char *at, char *text, size_t size)
{
    size_t used = 0;
    for (at++; *at && *at != '"'; at++) {
        if (*at == '\\' && !*++at)
            return NULL;
        if (used + 1 < size)
            text[used++] = *at;
    }
    text[used] = 0;
    return *at ? at + 1 : NULL;
}

/* After a value; text and numbers are copied, of lists and objects nothing is. */
static const char *read_value(const char *at, char *text, size_t size)
{
    *text = 0;
    if (*at == '"')
        return read_text(at, text, size);
    if (*at != '{' && *at != '[') {
        size_t length = strcspn(at, ",}] \r\n\t");
        snprintf(text, size, "%.*s", (int)(length < size ? length : size - 1), at);
        return at + length;
    }
    char inner[4];
    int depth = 0;
    do {
        if (*at == '"' && !(at = read_text(at, inner, sizeof inner)))
            return NULL;
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at += *at != '"' && *at;
    } while (depth > 0 && *at);
    return depth == 0 ? at : NULL;
}

static void take(throng_report_facts *facts, const char *name, const char *value)
{
    static const char *const shown[][2] = {
        {"path", "Scenario"},         {"seed", "Seed"},          {"set", "Set"}, {"steps", "Steps"},
        {"hash", "State at the end"}, {"backend", "Computed by"}};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (strcmp(name, shown[i][0]) == 0 && *value)
            add_fact(facts, shown[i][1], "%s", value);
    if (strcmp(name, "parameter") == 0)
        add_parameter(facts, value);
    else if (strcmp(name, "scenario") == 0 && *value)
        snprintf(facts->name, sizeof facts->name, "%.255s", value);
    else if (strcmp(name, "end") == 0) {
        snprintf(facts->end, sizeof facts->end, "%s", end_in_words(value));
        facts->everyone = strcmp(value, throng_run_end_names[THRONG_RUN_ARRIVED]) == 0;
    } else if (strcmp(name, "plan") == 0)
        facts->open = strcmp(value, "none") == 0;
    else if (strcmp(name, "time") == 0)
        facts->time = atof(value);
    else if (strcmp(name, "agents") == 0)
        facts->agents = atoi(value);
    else if (strcmp(name, "arrived") == 0)
        facts->arrived = atoi(value);
    else if (strcmp(name, "outside") == 0)
        add_outside(facts, atoll(value));
    else if (strcmp(name, "path") == 0)
        append_option(facts->command, sizeof facts->command, "throng run", value);
    else if (strcmp(name, "seed") == 0 && *facts->command)
        append_option(facts->command, sizeof facts->command, " --seed", value);
    else if (strcmp(name, "set") == 0 && *facts->command)
        append_option(facts->command, sizeof facts->command, " --set", value);
}

static const char *skip(const char *at) { return at + strspn(at, " \r\n\t,:"); }

static void take_file(throng_report_facts *facts, const char *recording)
{
    char path[4200], name[64], value[1024];
    const char *slash = strrchr(recording, '/');
    throng_bytes file;
    snprintf(path, sizeof path, "%.*ssummary.json", slash ? (int)(slash + 1 - recording) : 0, recording);
    if (!throng_file_read(path, THRONG_FILE_MOST_TEXT, &file, NULL))
        return;
    const char *at = skip((const char *)file.data);
    at = *at == '{' ? skip(at + 1) : NULL;
    while (at && *at == '"') {
        at = read_text(at, name, sizeof name);
        at = at ? read_value(skip(at), value, sizeof value) : NULL;
        if (at) {
            take(facts, name, value);
            at = skip(at);
        }
    }
    free(file.data);
}

const char *throng_report_ending(const throng_report_facts *facts)
{
    return facts->everyone && facts->arrived >= 0 && facts->arrived < facts->agents ? THRONG_RUN_EMPTIED : facts->end;
}

void throng_report_facts_of_recording(throng_report_facts *facts, const throng_notes *notes, const char *recording)
{
    facts->agents = facts->arrived = -1;
    facts->time = NAN;
    for (int32_t i = 0; i < notes->tables[THRONG_NOTE_FACT].rows; i++)
        take(facts, throng_note_text(notes, THRONG_NOTE_FACT, i, 0), throng_note_text(notes, THRONG_NOTE_FACT, i, 1));
    /* a run that has not ended has written no summary: what lies beside a .part is another's */
    if (!notes->tables[THRONG_NOTE_FACT].rows && !throng_file_ends_in(recording, ".part"))
        take_file(facts, recording);
}
