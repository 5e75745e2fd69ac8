/* By which lines of the script behaviour functions gave results that are no finite numbers.
 *
 * The stage counts such results and leaves the column as it was. It does not say which line gave them: that would
 * cost every frame. So after a frame that had some, their programs are run again here, an instruction at a time, by the
 * code that the backends run (kernels/behaviour/program.h, one lane wide): from a result that is no finite number back
 * to the first value that is none, of values that are. Columns that programs wrote in this frame and read before may
 * differ; results that cannot be had again are told of nobody. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world_parts.h"

#include "kernels/behaviour/program.h"

/* Instructions of agents that are looked at, at first and more each step: .02 s, and some microseconds. */
enum { EFFORT = 1 << 20, EFFORT_A_STEP = 1 << 11, EFFORT_OF_LISTS = 64 };
/* On a device counters are waited for. */
enum { STEPS_BETWEEN = 16 };

/* A program that runs again for a tile of agents. */
typedef struct rerun {
    throng_world *world;
    crowd crowd;
    throng_programs table;
    const throng_program *program;
    float *kept;       /* [count][2][PROGRAM_TILE] what each instruction has written: `to`, and `b` of vectors */
    int32_t *identity; /* [slots] */
    int32_t *place;    /* [slots] in the tile */
    int32_t seen[THRONG_NEIGHBOURS_MAX * PROGRAM_TILE], seen_count[PROGRAM_TILE];
} rerun;

static bool is_vector(int op) { return op >= THRONG_PROGRAM_to_place; }

static bool is_finite(float value) { return fabsf(value) < INFINITY; }

/* --- what the kernels see ------------------------------------------------------------------------- */

static bool show_column(rerun *r, int column)
{
    throng_agents *agents = r->world->agents;
    if (!throng_agents_uses(agents, column))
        return true;
    const void **at = (const void **)(void *)&r->crowd.columns + column;
    return *at || (*at = throng_agents_read(agents, column, NULL));
}

/* Columns and tables as they are now; no lists of who saw whom. */
static bool show_crowd(rerun *r)
{
    static const int always[] = {THRONG_COLUMN_x,      THRONG_COLUMN_y,      THRONG_COLUMN_vx,    THRONG_COLUMN_vy,
                                 THRONG_COLUMN_id,     THRONG_COLUMN_state,  THRONG_COLUMN_group, THRONG_COLUMN_goal,
                                 THRONG_COLUMN_goal_x, THRONG_COLUMN_goal_y, THRONG_COLUMN_born,  THRONG_COLUMN_floor};
    throng_world *w = r->world;
    r->crowd.frame = w->frame;
    r->crowd.goals = w->routing.goal_table;
    r->crowd.sheets = w->sheets.table;
    r->crowd.air = w->air.table;
    r->table = (throng_programs){.code = w->programs.code, .list = w->programs.list};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!show_column(r, always[i]))
            return false;
    int32_t slots = throng_agents_slots(w->agents);
    r->identity = calloc(2 * ((size_t)slots + 1), sizeof *r->identity);
    for (int32_t i = 0; r->identity && i < slots; i++)
        r->identity[i] = i;
    r->place = r->identity ? r->identity + slots : NULL;
    return r->identity;
}

/* Whom the agents from slot `first` on saw, when the program asks for that. */
static bool show_seen(rerun *r, int32_t first, int agents, const int32_t *bound, int32_t which)
{
    throng_world *w = r->world;
    int32_t walls[THRONG_WALLS_MAX], wall_count, list[THRONG_NEIGHBOURS_MAX];
    memset(r->seen_count, 0, sizeof r->seen_count);
    for (int j = 0; j < agents && w->frame.sensed; j++) {
        if (bound[first + j] != which || !r->crowd.state[first + j] || !crowd_was_there(&r->crowd, first + j))
            continue;
        if (!w->stages.api->seen(w->stages.backend, first + j, list, &r->seen_count[j], walls, &wall_count, NULL))
            return false;
        for (int32_t s = 0; s < r->seen_count[j]; s++)
            r->seen[s * PROGRAM_TILE + j] = list[s];
        w->undefined.effort -= EFFORT_OF_LISTS;
    }
    /* lists by rank, which is the slot's place in the tile; of others than these nobody asks for a list */
    for (int j = 0; j < agents; j++)
        r->place[first + j] = j;
    r->crowd.slot = r->identity;
    r->crowd.rank = r->place;
    r->crowd.seen = r->seen;
    r->crowd.seen_count = r->seen_count;
    r->crowd.stride = PROGRAM_TILE;
    r->crowd.k = w->frame.neighbours;
    return true;
}

/* --- back from a result --------------------------------------------------------------------------- */

/* The instruction before `before` that wrote a register last, and which of its two values that is. */
static int32_t writer(const throng_instruction *code, int32_t before, int reg, int *which)
{
    for (int32_t k = before - 1; k >= 0; k--) {
        *which = is_vector(code[k].op) && code[k].b == reg;
        if (code[k].to == reg || *which)
            return k;
    }
    return -1;
}

/* The value of a register as the instruction `at` reads it, for the agent in place j; whose instruction wrote it. */
static float value_of(const rerun *r, const throng_instruction *code, int32_t at, int reg, int j, int32_t *by)
{
    int which = 0;
    *by = writer(code, at, reg, &which);
    return *by < 0 ? 0 : r->kept[(2 * *by + which) * PROGRAM_TILE + j];
}

/* The instruction whose result is no finite number though what it reads is, and that result `by` comes from. */
static int32_t origin(const rerun *r, const throng_instruction *code, int32_t by, int j)
{
    for (;;) {
        const throng_instruction *in = &code[by];
        int reads = throng_program_reads(in->op), regs[] = {in->a, in->b, in->index};
        int32_t next = -1, source = -1;
        int first = 0;
        if (in->op == THRONG_PROGRAM_select) /* what it did not choose does not count */
            first = value_of(r, code, by, in->a, j, &source) != 0 ? 1 : 2;
        int last = in->op == THRONG_PROGRAM_select ? first : reads - 1;
        for (int i = first; i <= last && next < 0; i++)
            if (!is_finite(value_of(r, code, by, regs[i], j, &source)))
                next = source;
        if (next < 0)
            return by;
        by = next;
    }
}

static const char *message_of(const rerun *r, const throng_instruction *code, int32_t by, int j)
{
    const throng_instruction *in = &code[by];
    int32_t source;
    switch (in->op) {
    case THRONG_PROGRAM_divide:
        return value_of(r, code, by, in->b, j, &source) == 0 ? "divides by 0" : "gives a number that is too large";
    case THRONG_PROGRAM_sqrt: return "takes the square root of a number below 0";
    case THRONG_PROGRAM_log:
        return value_of(r, code, by, in->a, j, &source) == 0 ? "takes the logarithm of 0"
                                                             : "takes the logarithm of a number below 0";
    case THRONG_PROGRAM_to_place:
    case THRONG_PROGRAM_to_goal: return "asks for the distance or direction to a goal, and the agent has none";
    case THRONG_PROGRAM_to_nearest: return "asks for the nearest where nobody is seen";
    case THRONG_PROGRAM_column: return "reads a column that holds no finite number";
    default: return "gives a number that is too large";
    }
}

static void note(world_undefined *u, const char *line, const char *what)
{
    int32_t at = 0;
    while (at < u->count && (u->list[at].what != what || strcmp(u->list[at].line, line) != 0))
        at++;
    if (at == THRONG_UNDEFINED_LINES)
        return;
    if (at == u->count) {
        u->list[u->count++] = (throng_undefined_line){.what = what};
        memcpy(u->list[at].line, line, sizeof u->list[at].line);
    }
    u->list[at].results++;
}

/* --- the programs again --------------------------------------------------------------------------- */

static bool run_again(rerun *r, uint32_t stream, int32_t first, int agents, float *registers)
{
    const throng_program *p = r->program;
    for (int32_t k = 0; k < p->count; k++) {
        const throng_instruction *in = &r->table.code[p->first + k];
        throng_program one = {.first = p->first + k, .count = 1};
        float *kept = r->kept + 2 * k * PROGRAM_TILE;
        if ((in->op == THRONG_PROGRAM_column || in->op == THRONG_PROGRAM_whole) && !show_column(r, in->index))
            return false;
        program_run(&r->crowd, &r->table, &one, stream, first, first + agents, agents, registers);
        memcpy(kept, registers + in->to * PROGRAM_TILE, (size_t)agents * sizeof *kept);
        if (is_vector(in->op))
            memcpy(kept + PROGRAM_TILE, registers + in->b * PROGRAM_TILE, (size_t)agents * sizeof *kept);
    }
    return true;
}

static bool asks_for_lists(const rerun *r)
{
    for (int32_t k = 0; k < r->program->count; k++) {
        int op = r->table.code[r->program->first + k].op;
        if (op == THRONG_PROGRAM_to_nearest || op == THRONG_PROGRAM_seen || op == THRONG_PROGRAM_walking)
            return true;
    }
    return false;
}

/* Program `which` for the agents from slot `first` on that are bound to it. */
static bool look(rerun *r, uint32_t stream, const int32_t *bound, int32_t which, int32_t first, int agents)
{
    world_programs *all = &r->world->programs;
    const throng_program *p = r->program = &all->list[which];
    const throng_instruction *code = all->code + p->first;
    float registers[THRONG_PROGRAM_REGISTERS * PROGRAM_TILE] = {0};
    r->kept = calloc((size_t)p->count * 2 * PROGRAM_TILE, sizeof *r->kept);
    bool fine = r->kept && (!asks_for_lists(r) || show_seen(r, first, agents, bound, which)) &&
                run_again(r, stream, first, agents, registers);
    r->world->undefined.effort -= (int64_t)p->count * agents;
    for (int j = 0; fine && j < agents; j++)
        for (int i = 0; i < p->results && bound[first + j] == which && r->crowd.state[first + j]; i++) {
            int32_t by;
            if (is_finite(value_of(r, code, p->count, p->result[i], j, &by)))
                continue;
            by = origin(r, code, by, j);
            note(&r->world->undefined, all->lines[all->line[p->first + by]], message_of(r, code, by, j));
            break;
        }
    free(r->kept);
    return fine;
}

static bool look_at_target(rerun *r, const world_target_column *t)
{
    throng_world *w = r->world;
    for (int32_t first = 0; first < w->frame.slots && w->undefined.effort > 0; first += PROGRAM_TILE) {
        int agents = w->frame.slots - first < PROGRAM_TILE ? w->frame.slots - first : PROGRAM_TILE;
        for (int32_t p = program_next(t->bound + first, agents, -1); p < INT32_MAX;
             p = program_next(t->bound + first, agents, p))
            if (throng_world_program_may_fail(&w->programs, &w->programs.list[p]) &&
                !look(r, throng_column_stream(t->column), t->bound, p, first, agents))
                return false;
    }
    return true;
}

/* Were there more such results since that was asked last? */
static bool came(throng_world *w)
{
    throng_counters counters;
    if (!w->programs.targets || (w->stages.api != &throng_cpu_backend && w->step % STEPS_BETWEEN) ||
        !w->stages.api->counters(w->stages.backend, &counters, NULL))
        return false;
    bool more = counters.undefined > w->undefined.known;
    w->undefined.known = counters.undefined;
    return more;
}

void throng_world_find_undefined(throng_world *w)
{
    world_undefined *u = &w->undefined;
    u->effort += w->step == 0 ? EFFORT : u->effort < EFFORT ? EFFORT_A_STEP : 0;
    if (!came(w) || u->effort <= 0)
        return;
    throng_agents_stepped(w->agents, throng_world_written_columns(w));
    rerun *r = calloc(1, sizeof *r);
    if (r) {
        r->world = w;
        bool fine = show_crowd(r);
        for (int32_t t = 0; fine && t < w->programs.targets; t++)
            fine = look_at_target(r, &w->programs.target[t]);
        free(r->identity);
    }
    free(r);
}

static int by_results(const void *a, const void *b)
{
    const throng_undefined_line *one = a, *other = b;
    int more = (one->results < other->results) - (one->results > other->results);
    return more ? more : strcmp(one->line, other->line);
}

int32_t throng_world_undefined_lines(throng_world *w, const throng_undefined_line **lines)
{
    qsort(w->undefined.list, (size_t)w->undefined.count, sizeof *w->undefined.list, by_results);
    *lines = w->undefined.list;
    return w->undefined.count;
}
