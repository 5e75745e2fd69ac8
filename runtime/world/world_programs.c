/* Behaviour programs of a world: which there are, and which agent's columns they write.
 *
 * A program stays while an agent is bound to it; whoever assigns a new function in every step does not
 * fill the memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "world_parts.h"

enum { PADDING = 64, SWEEP_AT = 64, MOST_LINES = 4096 };

/* --- checking ---------------------------------------------------------------------------------- */

static const struct operation {
    const char *name;
    int reads;
    char index;
} OPERATIONS[THRONG_PROGRAM_OP_COUNT] = {
#define X(name, reads, index, text) {#name, reads, index},
    THRONG_PROGRAM_OPS(X)
#undef X
};

int throng_program_op_named(const char *name)
{
    for (int op = 0; op < THRONG_PROGRAM_OP_COUNT; op++)
        if (strcmp(OPERATIONS[op].name, name) == 0)
            return op;
    return -1;
}

int throng_program_reads(int op) { return OPERATIONS[op].reads; }

static bool is_written(uint32_t written, int64_t reg)
{
    return reg >= 0 && reg < THRONG_PROGRAM_REGISTERS && written >> reg & 1;
}

static bool check_index(const throng_world *w, const throng_instruction *in, char what, uint32_t written)
{
    switch (what) {
    case 'c':
        return in->index >= 0 && in->index < THRONG_COLUMN_COUNT &&
               throng_columns[in->index].is_float == (in->op == THRONG_PROGRAM_column);
    case 'r': return is_written(written, in->index);
    case 's': return in->index >= 0 && in->index < 1 << 16;
    case 'g': return in->index >= 0 && in->index < w->routing.goal_count;
    case 'l': return in->index >= 0 && in->index < w->air.table.layers;
    case 'k': return in->index >= -1 && in->index < w->groups.count;
    default: return true;
    }
}

/* Every register is written before it is read, every index exists. */
static bool check_program(const throng_world *w, const throng_program_def *d, throng_error *error)
{
    uint32_t written = 0;
    for (int32_t i = 0; i < d->count; i++) {
        const throng_instruction *in = &d->code[i];
        const struct operation *op = in->op < THRONG_PROGRAM_OP_COUNT ? &OPERATIONS[in->op] : NULL;
        bool is_vector = in->op >= THRONG_PROGRAM_to_place;
        if (!op || (op->reads > 0 && !is_written(written, in->a)) || (op->reads > 1 && !is_written(written, in->b)) ||
            !check_index(w, in, op->index, written) || in->to >= THRONG_PROGRAM_REGISTERS ||
            (is_vector && in->b >= THRONG_PROGRAM_REGISTERS))
            return throng_fail(error, "instruction %d of the program (%s) is not valid", i, op ? op->name : "unknown");
        written |= 1u << in->to | (is_vector ? 1u << in->b : 0);
    }
    for (int32_t k = 0; k < d->results; k++)
        if (!is_written(written, d->result[k]))
            return throng_fail(error, "result %d of the program is never computed", k);
    return true;
}

/* The rare columns that it reads. */
static bool use_columns(const throng_world *w, const throng_program_def *d, throng_error *error)
{
    throng_column_set columns = 0;
    for (int32_t i = 0; i < d->count; i++)
        if (OPERATIONS[d->code[i].op].index == 'c')
            columns |= THRONG_COLUMN_SET(d->code[i].index);
    return throng_agents_use(w->agents, columns, error);
}

/* --- programs ---------------------------------------------------------------------------------- */

int32_t throng_world_air_read(const throng_world *w)
{
    int32_t layers = 0;
    for (int32_t i = 0; i < w->programs.code_count; i++) {
        const throng_instruction *in = &w->programs.code[i];
        if (in->op == THRONG_PROGRAM_air && in->index >= layers)
            layers = in->index + 1;
    }
    return layers;
}

static int32_t find_program(const world_programs *p, const throng_program_def *d)
{
    for (int32_t i = 0; i < p->count; i++) {
        const throng_program *other = &p->list[i];
        if (other->count == d->count && other->results == d->results && other->result[0] == d->result[0] &&
            other->result[1] == d->result[d->results - 1] && other->least == d->least && other->most == d->most &&
            memcmp(p->code + other->first, d->code, (size_t)d->count * sizeof *d->code) == 0)
            return i;
    }
    return -1;
}

/* Leaves out the programs that nobody is bound to, when there are many. */
static bool sweep(throng_world *w)
{
    world_programs *p = &w->programs;
    if (p->count < p->sweep_at || p->count < SWEEP_AT)
        return true;
    int32_t *renamed = malloc(((size_t)p->count + 1) * sizeof *renamed), kept = 0, code = 0;
    if (!renamed)
        return false;
    memset(renamed, -1, (size_t)p->count * sizeof *renamed);
    for (int32_t t = 0; t < p->targets; t++)
        for (int32_t s = 0; s < throng_agents_slots(w->agents); s++)
            if (p->target[t].bound[s] >= 0)
                renamed[p->target[t].bound[s]] = 0;
    for (int32_t i = 0; i < p->count; i++) {
        if (renamed[i] < 0)
            continue;
        throng_program program = p->list[i];
        memmove(p->code + code, p->code + program.first, (size_t)program.count * sizeof *p->code);
        memmove(p->line + code, p->line + program.first, (size_t)program.count * sizeof *p->line);
        program.first = code;
        code += program.count;
        renamed[i] = kept;
        memmove(p->places[kept], p->places[i], sizeof *p->places);
        p->list[kept++] = program;
    }
    for (int32_t t = 0; t < p->targets; t++)
        for (int32_t s = 0; s < throng_agents_slots(w->agents); s++)
            if (p->target[t].bound[s] >= 0)
                p->target[t].bound[s] = renamed[p->target[t].bound[s]];
    free(renamed);
    p->count = kept;
    p->code_count = code;
    p->sweep_at = 2 * kept > SWEEP_AT ? 2 * kept : SWEEP_AT;
    p->changed = true;
    return true;
}

/* Room for so many programs and instructions more. */
static bool reserve_programs(world_programs *p, int64_t count, int64_t code)
{
    p->changed = true; /* they may move */
    return throng_array_reserve((void **)&p->code, &p->code_room, p->code_count + code, sizeof *p->code) &&
           throng_array_reserve((void **)&p->line, &p->line_room, p->code_count + code, sizeof *p->line) &&
           throng_array_reserve((void **)&p->lines, &p->lines_room, p->line_count + code + 1, sizeof *p->lines) &&
           throng_array_reserve((void **)&p->list, &p->room, p->count + count, sizeof *p->list) &&
           throng_array_reserve((void **)&p->places, &p->place_room, p->count + count, sizeof *p->places);
}

/* The number of a line's text, for which there is room. A script that makes ever new files of itself is told of no more
 * than so many lines. */
static int32_t line_of(world_programs *p, const char *text)
{
    if (p->line_count == 0)
        *p->lines[p->line_count++] = 0;
    for (int32_t i = 0; i < p->line_count; i++)
        if (strncmp(p->lines[i], text, sizeof *p->lines - 1) == 0)
            return i;
    if (p->line_count == MOST_LINES)
        return 0;
    snprintf(p->lines[p->line_count], sizeof *p->lines, "%s", text);
    return p->line_count++;
}

int32_t throng_world_program(throng_world *w, const throng_program_def *d, throng_error *error)
{
    world_programs *p = &w->programs;
    if (!check_program(w, d, error) || !use_columns(w, d, error))
        return -1;
    int32_t known = find_program(p, d);
    if (known >= 0)
        return known;
    if (!reserve_programs(p, 1, d->count)) {
        throng_fail(error, "out of memory for a program");
        return -1;
    }
    memcpy(p->code + p->code_count, d->code, (size_t)d->count * sizeof *d->code);
    for (int32_t i = 0; i < d->count; i++)
        p->line[p->code_count + i] = line_of(p, d->lines ? d->lines[i] : "");
    p->list[p->count] = (throng_program){p->code_count, d->count, d->results, {d->result[0], d->result[d->results - 1]},
                                         d->least,      d->most};
    snprintf(p->places[p->count], sizeof *p->places, "%s", d->place ? d->place : "");
    p->code_count += d->count;
    return p->count++;
}

bool throng_world_program_may_fail(const world_programs *p, const throng_program *program)
{
    static const uint8_t ops[] = {THRONG_PROGRAM_divide,    THRONG_PROGRAM_sqrt,     THRONG_PROGRAM_exp,
                                  THRONG_PROGRAM_log,       THRONG_PROGRAM_to_place, THRONG_PROGRAM_to_goal,
                                  THRONG_PROGRAM_to_nearest};
    for (int32_t i = 0; i < program->count; i++)
        if (memchr(ops, p->code[program->first + i].op, sizeof ops))
            return true;
    return false;
}

int32_t throng_world_program_places(const throng_world *w, const char **places, int32_t most)
{
    const world_programs *p = &w->programs;
    int32_t count = 0;
    for (int32_t i = 0; i < p->count && count < most; i++) {
        int32_t known = 0;
        while (known < count && strcmp(places[known], p->places[i]) != 0)
            known++;
        if (known == count && *p->places[i] && throng_world_program_may_fail(p, &p->list[i]))
            places[count++] = p->places[i];
    }
    return count;
}

/* --- bindings ---------------------------------------------------------------------------------- */

static bool is_parameter(int column) { return column >= THRONG_COLUMN_COUNT; }

static bool grow_bound(world_target_column *t, int32_t from, int32_t to)
{
    size_t bytes = 4 * ((size_t)to + PADDING);
    if (!throng_array_resize((void **)&t->bound, bytes) ||
        (is_parameter(t->column) && !throng_array_resize((void **)&t->values, bytes)))
        return false;
    for (int32_t s = from; s < to + PADDING; s++) {
        t->bound[s] = THRONG_UNBOUND;
        if (t->values)
            t->values[s] = NAN;
    }
    return true;
}

/* Arrays as long as the agent store's. */
static bool grow_targets(throng_world *w, throng_error *error)
{
    world_programs *p = &w->programs;
    int32_t capacity = throng_agents_capacity(w->agents);
    for (int32_t t = 0; t < p->targets && capacity > p->capacity; t++) {
        p->changed = true; /* it moves */
        if (!grow_bound(&p->target[t], p->capacity, capacity))
            return throng_fail(error, "out of memory for the behaviour functions of %d agents", capacity);
    }
    p->capacity = capacity;
    return true;
}

/* Parameters in the order of their columns, the preferred velocity last: see program.h. */
static int place_of(int column) { return column == THRONG_COLUMN_desired_vx ? INT32_MAX : column; }

static world_target_column *find_target(world_programs *p, int column)
{
    for (int32_t t = 0; t < p->targets; t++)
        if (p->target[t].column == column)
            return &p->target[t];
    return NULL;
}

static world_target_column *add_target(world_programs *p, int column, throng_error *error)
{
    world_target_column fresh = {column, NULL, NULL};
    if (p->targets == THRONG_PROGRAM_TARGETS) {
        throng_fail(error, "behaviour functions cannot write more than %d columns at once", THRONG_PROGRAM_TARGETS);
        return NULL;
    }
    if (!grow_bound(&fresh, 0, p->capacity)) {
        free(fresh.bound);
        throng_fail(error, "out of memory for the behaviour functions of %d agents", p->capacity);
        return NULL;
    }
    p->changed = true;
    int32_t at = p->targets++;
    for (; at > 0 && place_of(p->target[at - 1].column) > place_of(column); at--)
        p->target[at] = p->target[at - 1];
    p->target[at] = fresh;
    return &p->target[at];
}

bool throng_world_reserve_programs(throng_world *w, const throng_program_def *const *defs, const int *columns,
                                   int32_t count, throng_error *error)
{
    int64_t code = 0;
    if (!grow_targets(w, error))
        return false;
    for (int32_t i = 0; i < count; i++) {
        if (defs[i] && (!check_program(w, defs[i], error) || !use_columns(w, defs[i], error)))
            return false;
        if (!find_target(&w->programs, columns[i]) && !add_target(&w->programs, columns[i], error))
            return false;
        code += defs[i] ? defs[i]->count : 0;
    }
    return (sweep(w) && reserve_programs(&w->programs, count, code)) ||
           throng_fail(error, "out of memory for %d programs", count);
}

bool throng_world_bind(throng_world *w, const throng_handle *handles, int32_t count, int column, int32_t program,
                       throng_error *error)
{
    world_programs *p = &w->programs;
    if (program != THRONG_UNBOUND && !is_parameter(column) && !throng_columns[column].is_float)
        return throng_fail(error, "%s holds whole numbers, and no program writes it", throng_columns[column].name);
    if (!grow_targets(w, error))
        return false;
    world_target_column *t = find_target(p, column);
    if (!t && program == THRONG_UNBOUND)
        return true;
    if (!t && !(t = add_target(p, column, error)))
        return false;
    for (int32_t i = 0; i < count; i++) {
        int32_t slot = handles[i].slot;
        if (!throng_agents_alive(w->agents, handles[i]) || t->bound[slot] == program)
            continue;
        t->bound[slot] = program;
        if (t->values)
            t->values[slot] = NAN;
        p->changed = true;
    }
    return true;
}

const int32_t *throng_world_bound(const throng_world *w, int column)
{
    for (int32_t t = 0; t < w->programs.targets; t++)
        if (w->programs.target[t].column == column)
            return w->programs.target[t].bound;
    return NULL;
}

bool throng_world_unbind_all(throng_world *w, const throng_handle *handles, int32_t count, throng_error *error)
{
    for (int32_t t = 0; t < w->programs.targets; t++)
        if (!throng_world_bind(w, handles, count, w->programs.target[t].column, THRONG_UNBOUND, error))
            return false;
    return true;
}

throng_column_set throng_world_program_columns(const throng_world *w)
{
    throng_column_set columns = 0;
    for (int32_t t = 0; t < w->programs.targets; t++)
        if (!is_parameter(w->programs.target[t].column))
            columns |= THRONG_COLUMN_SET(w->programs.target[t].column);
    return columns;
}

/* --- the backend ------------------------------------------------------------------------------- */

bool throng_world_upload_programs(throng_world *w, throng_error *error)
{
    world_programs *p = &w->programs;
    if (!p->targets)
        return true;
    if (!grow_targets(w, error))
        return false;
    uint32_t moves = throng_agents_moves(w->agents);
    if (!p->changed && p->moves == moves)
        return true;
    throng_programs table = {p->code_count, p->count, p->targets, p->targets, p->code, p->list, {{{0}, 0, NULL, NULL}}};
    for (int32_t t = 0; t < p->targets; t++) {
        int column = p->target[t].column;
        bool is_velocity = column == THRONG_COLUMN_desired_vx;
        table.target[t] = (throng_program_target){
            {column, is_velocity ? THRONG_COLUMN_desired_vy : -1},
            throng_column_stream(column),
            p->target[t].bound,
            p->target[t].values,
        };
        table.parameters = is_velocity ? t : table.parameters;
    }
    if (!w->stages.api->set_programs(w->stages.backend, &table, error))
        return false;
    p->changed = false;
    p->moves = moves;
    return true;
}

void throng_world_free_programs(throng_world *w)
{
    world_programs *p = &w->programs;
    for (int32_t t = 0; t < p->targets; t++) {
        free(p->target[t].bound);
        free(p->target[t].values);
    }
    free(p->code);
    free(p->list);
    free(p->places);
    free(p->line);
    free(p->lines);
}
