/* Behaviour functions in a world that goes on: those that the file gives are the file's; what callbacks gave stays, but
 * for slow ones, which are Lua's. */
#include <stdlib.h>
#include <string.h>

#include "world_migrate_parts.h"

static bool reads_column(const throng_instruction *in)
{
    return in->op == THRONG_PROGRAM_column || in->op == THRONG_PROGRAM_whole;
}

/* Does it read a column that the file no longer declares, or a layer of air that it no longer has? */
static bool reads_gone(const migrating *c, int32_t program)
{
    const throng_program *old = &c->old->programs.list[program];
    const throng_instruction *code = c->old->programs.code + old->first;
    for (int32_t i = 0; i < old->count; i++)
        if ((reads_column(&code[i]) && throng_migrate_column_of(c, code[i].index) < 0) ||
            (code[i].op == THRONG_PROGRAM_air && code[i].index >= throng_world_air_layers(c->fresh)))
            return true;
    return false;
}

/* What the instruction means in the fresh world: places, groups and the script's columns have other numbers there. */
static bool translate(const migrating *c, throng_instruction *in, throng_error *error)
{
    if (reads_column(in))
        in->index = throng_migrate_column_of(c, in->index);
    if (in->op == THRONG_PROGRAM_to_place) {
        int32_t target = throng_migrate_target(c->fresh, throng_migrate_target_of(c->had, in->index), error);
        return target >= 0 && (in->index = throng_world_place(c->fresh, target, error)) >= 0;
    }
    bool names_group =
        in->op == THRONG_PROGRAM_to_nearest || in->op == THRONG_PROGRAM_seen || in->op == THRONG_PROGRAM_walking;
    if (names_group && in->index >= 0) {
        int32_t group = throng_migrate_group_of(c, in->index, error);
        in->index = group < 0 ? -1 : group;
        return group != -2;
    }
    return true;
}

/* The fresh world's program that does what `program` does in the old, -1 on failure. */
static int32_t program_of(const migrating *c, int32_t program, throng_error *error)
{
    const throng_program *old = &c->old->programs.list[program];
    throng_instruction *code = malloc((size_t)old->count * sizeof *code);
    const char **lines = malloc((size_t)old->count * sizeof *lines);
    throng_program_def def = {.code = code,
                              .count = old->count,
                              .results = old->results,
                              .result = {old->result[0], old->result[1]},
                              .least = old->least,
                              .most = old->most,
                              .place = c->old->programs.places[program],
                              .lines = lines};
    bool ok = (code && lines) || throng_fail(error, "out of memory for a program");
    if (ok)
        memcpy(code, c->old->programs.code + old->first, (size_t)old->count * sizeof *code);
    for (int32_t i = 0; ok && i < old->count; i++) {
        lines[i] = c->old->programs.lines[c->old->programs.line[old->first + i]];
        ok = translate(c, &code[i], error);
    }
    int32_t found = ok ? throng_world_program(c->fresh, &def, error) : -1;
    free(code);
    free(lines);
    return found;
}

/* Has a callback bound the agent's column, or freed it? */
static bool by_callback(const migrating *c, const pair *p, int column, int32_t bound)
{
    bool at_first = !p->later && throng_baseline_bound(c->before, column, p->from);
    return at_first != (bound != THRONG_UNBOUND);
}

static bool migrate_target(const migrating *c, const world_target_column *target, throng_error *error)
{
    int32_t last = THRONG_UNBOUND, now = THRONG_UNBOUND;
    int column = throng_migrate_column_of(c, target->column);
    for (int32_t i = 0; i < c->count; i++) {
        const pair *p = &c->pairs[i];
        int32_t bound = target->bound[p->from];
        if (bound < THRONG_KEPT || !by_callback(c, p, target->column, bound) || column < 0 ||
            (bound >= 0 && reads_gone(c, bound)))
            continue;
        if (bound != last && bound >= 0 && (now = program_of(c, bound, error)) < 0)
            return false;
        last = bound;
        if (!throng_world_bind(c->fresh, &c->out->became[p->from], 1, column, bound < 0 ? bound : now, error))
            return false;
    }
    return true;
}

bool throng_migrate_programs(const migrating *c, throng_error *error)
{
    const world_programs *old = &c->old->programs;
    for (int32_t t = 0; t < old->targets; t++)
        if (!migrate_target(c, &old->target[t], error))
            return false;
    return true;
}
