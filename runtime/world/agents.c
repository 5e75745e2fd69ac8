#include "agents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stages/backend.h"

struct throng_agents {
    throng_stages *stages;
    throng_agent_columns columns;
    uint32_t *generation; /* [capacity] even: free, odd: alive */
    int32_t *free_slots;  /* [free_room] a heap: the lowest free slot below `slots` first */
    int32_t free_count, free_room;
    int32_t capacity, slots, living, next_id;
    throng_column_set used;             /* the rare columns that are not have no array */
    throng_column_set newer_on_backend; /* likewise */
    throng_column_set newer_on_host;
    throng_column_set behind; /* newer on the backend since the last step and not before */
    uint64_t fetched, sent;   /* bytes */
    uint32_t moves;
    uint32_t edits[THRONG_COLUMN_COUNT];
    int32_t own_count; /* columns of the script's own */
    struct {
        throng_column_info info;
        char name[THRONG_COLUMN_NAME], unit[THRONG_COLUMN_NAME];
    } own[THRONG_OWN_COLUMNS];
};

_Static_assert(THRONG_COLUMN_COUNT < 128, "sets of columns have a bit for each (kernels/contract/columns.h)");
static const throng_column_set ALL_COLUMNS = THRONG_COLUMN_SET(THRONG_COLUMN_COUNT) - 1;

static bool is_used(const throng_agents *a, int column) { return throng_column_in(a->used, column); }

throng_agents *throng_agents_create(throng_stages *stages, throng_error *error)
{
    throng_agents *a = calloc(1, sizeof *a);
    if (!a)
        throng_fail(error, "out of memory for the agent store");
    else {
        a->stages = stages;
        a->used = ALL_COLUMNS & ~throng_columns_with(THRONG_RARE);
    }
    return a;
}

void throng_agents_destroy(throng_agents *a)
{
    if (!a)
        return;
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++)
        free(*throng_column_of(&a->columns, c));
    free(a->generation);
    free(a->free_slots);
    free(a);
}

/* --- growing ------------------------------------------------------------------------ */

enum { LANE_PADDING = 16 }; /* the last vector of a column can be loaded whole */

static void *grown(const void *old, int32_t from, int32_t to)
{
    void *block = aligned_alloc(64, (((size_t)to + LANE_PADDING) * 4 + 63) / 64 * 64);
    if (block) {
        if (from)
            memcpy(block, old, (size_t)from * 4);
        memset((char *)block + (size_t)from * 4, 0, ((size_t)to + LANE_PADDING - (size_t)from) * 4);
    }
    return block;
}

/* Arrays of `capacity`, which the backend is given before the old ones go: all, or none. What could not be grown leaves
 * store and backend as they were. */
static bool grow_arrays(throng_agents *a, int32_t capacity, throng_error *error)
{
    throng_agent_columns columns = a->columns;
    void *old[THRONG_COLUMN_COUNT + 1] = {a->generation}, *fresh[THRONG_COLUMN_COUNT + 1] = {NULL};
    uint32_t *generation = fresh[0] = grown(a->generation, a->capacity, capacity);
    bool ok = generation;
    int count = 1;
    for (int c = 0; c < THRONG_COLUMN_COUNT && ok; c++)
        if (is_used(a, c)) {
            old[count] = *throng_column_of(&a->columns, c);
            fresh[count] = *throng_column_of(&columns, c) = grown(old[count], a->capacity, capacity);
            ok = fresh[count++];
        }
    if (!ok)
        throng_fail(error, "out of memory for %d agents; spawn fewer, or allow more (--memory MIB)", a->slots);
    ok = ok && a->stages->api->reserve(a->stages->backend, capacity, a->slots, &columns, error);
    for (int i = 0; i < count; i++)
        throng_array_abandon(ok ? old[i] : fresh[i]);
    if (!ok)
        return false;
    a->columns = columns;
    a->generation = generation;
    a->capacity = capacity;
    a->moves++;
    return true;
}

static bool reserve(throng_agents *a, int32_t needed, throng_error *error)
{
    if (needed <= a->capacity)
        return !THRONG_MOVES_ARRAYS || !a->capacity || grow_arrays(a, a->capacity, error);
    int64_t doubled = 2 * (int64_t)a->capacity;
    int64_t capacity = ((needed > doubled ? needed : doubled) + 63) & ~(int64_t)63;
    if (capacity > (1 << 27))
        return throng_fail(error, "%d agents are more than the %d that fit", needed, 1 << 27);
    return grow_arrays(a, (int32_t)capacity, error);
}

static void set_value(void *array, int column, int32_t slot, double value)
{
    if (throng_columns[column].is_float)
        ((float *)array)[slot] = (float)value;
    else
        ((int32_t *)array)[slot] = (int32_t)value;
}

static uint32_t initial_bits(int column)
{
    uint32_t bits;
    float real = (float)throng_columns[column].initial;
    int32_t whole = (int32_t)throng_columns[column].initial;
    memcpy(&bits, throng_columns[column].is_float ? (void *)&real : (void *)&whole, sizeof bits);
    return bits;
}

/* An array for a rare column, in which everybody has its initial value; the backend is given it before it counts. */
static bool use(throng_agents *a, int column, throng_error *error)
{
    void *array = a->capacity ? grown(NULL, 0, a->capacity) : NULL;
    if (a->capacity && !array)
        return throng_fail(error, "out of memory for %s of %d agents", throng_columns[column].name, a->slots);
    for (int32_t slot = 0; slot < a->slots; slot++)
        set_value(array, column, slot, throng_columns[column].initial);
    throng_agent_columns columns = a->columns;
    *throng_column_of(&columns, column) = array;
    if (array && !a->stages->api->reserve(a->stages->backend, a->capacity, a->slots, &columns, error)) {
        free(array);
        return false;
    }
    a->columns = columns;
    a->moves++;
    a->used |= THRONG_COLUMN_SET(column);
    a->newer_on_host |= THRONG_COLUMN_SET(column);
    return true;
}

bool throng_agents_use(throng_agents *a, throng_column_set columns, throng_error *error)
{
    for (int c = 0; c < THRONG_COLUMN_COUNT && columns & ~a->used; c++)
        if (throng_column_in(columns & ~a->used, c) && !use(a, c, error))
            return false;
    return true;
}

bool throng_agents_uses(const throng_agents *a, int column) { return is_used(a, column); }

void throng_agents_set_stages(throng_agents *a, throng_stages *stages) { a->stages = stages; }

bool throng_agents_change_backend(throng_agents *a, const throng_stages *stages, throng_error *error)
{
    if (a->capacity && !stages->api->reserve(stages->backend, a->capacity, a->slots, &a->columns, error))
        return false;
    a->newer_on_host = a->used;
    a->moves++;
    return true;
}

/* --- free slots: a binary heap, least first ------------------------------------------ */

static void heap_push(int32_t *heap, int32_t *count, int32_t value)
{
    int32_t i = (*count)++;
    for (; i > 0 && heap[(i - 1) / 2] > value; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = value;
}

static int32_t heap_pop(int32_t *heap, int32_t *count)
{
    int32_t top = heap[0], last = heap[--*count], i = 0;
    for (;;) {
        int32_t child = 2 * i + 1;
        if (child + 1 < *count && heap[child + 1] < heap[child])
            child++;
        if (child >= *count || heap[child] >= last)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return top;
}

/* --- agents --------------------------------------------------------------------------- */

static bool fetch_all(throng_agents *a, throng_error *error)
{
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++)
        if (is_used(a, c) && !throng_agents_write(a, c, error))
            return false;
    return true;
}

static void set_initial(throng_agents *a, int32_t slot)
{
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++)
        if (is_used(a, c))
            set_value(*throng_column_of(&a->columns, c), c, slot, throng_columns[c].initial);
    a->columns.state[slot] = THRONG_STATE_ALIVE;
}

bool throng_agents_add(throng_agents *a, int32_t count, throng_handle *handles, throng_error *error)
{
    if (count < 0)
        return throng_fail(error, "cannot add %d agents", count);
    int32_t fresh = count > a->free_count ? count - a->free_count : 0;
    if (fresh > (1 << 27) - a->slots)
        return throng_fail(error, "%d more agents are more than fit", count);
    if (!fetch_all(a, error) || !reserve(a, a->slots + fresh, error))
        return false;
    for (int32_t i = 0; i < count; i++) {
        int32_t slot = a->free_count ? heap_pop(a->free_slots, &a->free_count) : a->slots++;
        a->generation[slot]++;
        set_initial(a, slot);
        a->columns.id[slot] = a->next_id++;
        handles[i] = (throng_handle){slot, a->generation[slot]};
    }
    a->living += count;
    return true;
}

bool throng_agents_alive(const throng_agents *a, throng_handle h)
{
    return h.slot >= 0 && h.slot < a->slots && a->generation[h.slot] == h.generation && (h.generation & 1);
}

bool throng_agents_reserve_removals(throng_agents *a, int32_t count, throng_error *error)
{
    return (throng_agents_write(a, THRONG_COLUMN_state, error) &&
            throng_array_reserve((void **)&a->free_slots, &a->free_room, (int64_t)a->free_count + count,
                                 sizeof *a->free_slots)) ||
           throng_fail(error, "out of memory for removing %d agents", count);
}

bool throng_agents_remove(throng_agents *a, throng_handle h)
{
    if (!throng_agents_alive(a, h) || !throng_agents_write(a, THRONG_COLUMN_state, NULL))
        return false;
    if (a->free_count == a->free_room && !throng_agents_reserve_removals(a, 1, NULL))
        return false;
    a->columns.state[h.slot] = 0;
    a->generation[h.slot]++;
    heap_push(a->free_slots, &a->free_count, h.slot);
    a->living--;
    return true;
}

/* Slots that nobody had before were the last. The heap has room for the others: they came from it. */
void throng_agents_take_back(throng_agents *a, const throng_handle *handles, int32_t count)
{
    for (int32_t i = count - 1; i >= 0; i--) {
        int32_t slot = handles[i].slot;
        a->columns.state[slot] = 0;
        if (--a->generation[slot] == 0)
            a->slots--;
        else
            heap_push(a->free_slots, &a->free_count, slot);
    }
    a->newer_on_host |= THRONG_COLUMN_SET(THRONG_COLUMN_state);
    a->edits[THRONG_COLUMN_state]++;
    a->next_id -= count;
    a->living -= count;
}

int32_t throng_agents_count(const throng_agents *a) { return a->living; }

int32_t throng_agents_slots(const throng_agents *a) { return a->slots; }

int32_t throng_agents_capacity(const throng_agents *a) { return a->capacity; }

uint32_t throng_agents_edits(const throng_agents *a, int column) { return a->edits[column]; }

uint32_t throng_agents_moves(const throng_agents *a) { return a->moves; }

int32_t throng_agents_id(const throng_agents *a, int32_t slot) { return a->columns.id[slot]; }

int32_t throng_agents_next_id(const throng_agents *a) { return a->next_id; }

void throng_agents_set_next_id(throng_agents *a, int32_t id) { a->next_id = id; }

throng_handle throng_agents_handle(const throng_agents *a, int32_t slot)
{
    return (throng_handle){slot, a->generation[slot]};
}

/* --- columns of the script's own ---------------------------------------------------------- */

static bool is_plain(const char *name)
{
    return *name >= 'a' && *name <= 'z' && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0' &&
           strlen(name) < THRONG_COLUMN_NAME;
}

/* SQLite's columns of a recording. */
static bool is_recorded(const char *name)
{
    static const char *const names[] = {"frame", "id", "pos_x", "pos_y", "ori_x", "ori_y"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool throng_column_may_be_named(const char *name) { return is_plain(name) && !is_recorded(name); }

int throng_agents_declare(throng_agents *a, const char *name, const char *unit, throng_error *error)
{
    int column = THRONG_COLUMN_GIVEN + a->own_count;
    if (!is_plain(name))
        throng_fail(error, "a column's name is 1 to %d lower-case letters, digits and _, a letter first, not '%.40s'",
                    THRONG_COLUMN_NAME - 1, name);
    else if (is_recorded(name))
        throng_fail(error, "recordings have a column '%s' of their own: choose another name", name);
    else if (throng_agents_column_named(a, name) >= 0)
        throng_fail(error, "there is a column '%s' already: choose another name", name);
    else if (strlen(unit) >= THRONG_COLUMN_NAME || !throng_name_check("the unit", unit, error))
        throng_fail(error, "the unit of '%s' must be plain text of at most %d bytes", name, THRONG_COLUMN_NAME - 1);
    else if (a->own_count == THRONG_OWN_COLUMNS)
        throng_fail(error, "no room for '%s': there are %d columns of the script's own, the most that a world has",
                    name, THRONG_OWN_COLUMNS);
    else if (throng_agents_use(a, THRONG_COLUMN_SET(column), error)) {
        int32_t k = a->own_count++;
        snprintf(a->own[k].name, sizeof a->own[k].name, "%s", name);
        snprintf(a->own[k].unit, sizeof a->own[k].unit, "%s", unit);
        a->own[k].info = throng_columns[column];
        a->own[k].info.name = a->own[k].name;
        a->own[k].info.unit = a->own[k].info.range.unit = a->own[k].unit;
        return column;
    }
    return -1;
}

int throng_agents_columns(const throng_agents *a) { return THRONG_COLUMN_GIVEN + a->own_count; }

const throng_column_info *throng_agents_column(const throng_agents *a, int column)
{
    return column < THRONG_COLUMN_GIVEN ? &throng_columns[column] : &a->own[column - THRONG_COLUMN_GIVEN].info;
}

int throng_agents_column_named(const throng_agents *a, const char *name)
{
    for (int32_t k = 0; k < a->own_count; k++)
        if (strcmp(a->own[k].name, name) == 0)
            return THRONG_COLUMN_GIVEN + k;
    return throng_column_named(name);
}

/* --- columns ---------------------------------------------------------------------------- */

const void *throng_agents_read(throng_agents *a, int column, throng_error *error)
{
    throng_column_set bit = THRONG_COLUMN_SET(column);
    if (!throng_agents_use(a, bit, error))
        return NULL;
    if (a->newer_on_backend & bit) {
        if (!throng_stages_wait(a->stages, error) ||
            !a->stages->api->get(a->stages->backend, column, 0, a->slots, error))
            return NULL;
        a->newer_on_backend &= ~bit;
        a->fetched += (uint64_t)a->slots * 4;
    }
    return *throng_column_of(&a->columns, column) ? *throng_column_of(&a->columns, column) : &a->columns;
}

/* What the host has written goes over as for a copy (throng_agents_copy). */
const void *throng_agents_share(throng_agents *a, int column, int32_t *device, throng_error *error)
{
    const throng_backend_api *api = a->stages->api;
    throng_column_set bit = THRONG_COLUMN_SET(column);
    *device = -1;
    if (!api->column || !a->slots)
        return throng_agents_read(a, column, error);
    if (!throng_agents_use(a, bit, error) ||
        (a->newer_on_host & bit && !api->put(a->stages->backend, column, a->slots, error)) ||
        !throng_stages_wait(a->stages, error))
        return NULL;
    return api->column(a->stages->backend, column, device);
}

bool throng_agents_value(throng_agents *a, int column, int32_t slot, float *value, throng_error *error)
{
    const throng_column_info *info = &throng_columns[column];
    *value = (float)info->initial;
    if (!is_used(a, column))
        return true;
    if (a->newer_on_backend & THRONG_COLUMN_SET(column) &&
        (!throng_stages_wait(a->stages, error) || !a->stages->api->get(a->stages->backend, column, slot, 1, error)))
        return false;
    const void *values = *throng_column_of(&a->columns, column);
    *value = info->is_float ? ((const float *)values)[slot] : (float)((const int32_t *)values)[slot];
    return true;
}

void *throng_agents_write(throng_agents *a, int column, throng_error *error)
{
    void *values = (void *)throng_agents_read(a, column, error);
    if (values) {
        a->newer_on_host |= THRONG_COLUMN_SET(column);
        a->edits[column]++;
    }
    return values;
}

bool throng_agents_set(throng_agents *a, int column, const throng_handle *handles, int32_t count, int32_t value,
                       throng_error *error)
{
    if (!is_used(a, column) && value == (int32_t)throng_columns[column].initial)
        return true;
    int32_t *values = throng_agents_write(a, column, error);
    for (int32_t i = 0; values && i < count; i++)
        if (throng_agents_alive(a, handles[i]))
            values[handles[i].slot] = value;
    return values != NULL;
}

throng_column_set throng_agents_written(const throng_agents *a) { return a->newer_on_host; }

bool throng_agents_flush(throng_agents *a, throng_error *error)
{
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++) {
        throng_column_set bit = THRONG_COLUMN_SET(c);
        if (!(a->newer_on_host & bit))
            continue;
        if (!a->stages->api->put(a->stages->backend, c, a->slots, error))
            return false;
        a->newer_on_host &= ~bit;
        a->sent += (uint64_t)a->slots * 4;
    }
    return true;
}

void throng_agents_stepped(throng_agents *a, throng_column_set written)
{
    a->behind = written & a->used & ~a->newer_on_backend;
    a->newer_on_backend |= written & a->used;
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++)
        a->edits[c] += throng_column_in(written, c);
}

void throng_agents_follow(throng_agents *a, int column, const int32_t *slots, int32_t count, int32_t value)
{
    if (!(a->behind & a->newer_on_backend & THRONG_COLUMN_SET(column)))
        return;
    int32_t *values = *throng_column_of(&a->columns, column);
    for (int32_t i = 0; i < count; i++)
        values[slots[i]] = value;
    a->newer_on_backend &= ~THRONG_COLUMN_SET(column);
}

/* What the host has written goes over first, and once more before the next step: it counts as written until then. */
bool throng_agents_copy(throng_agents *a, throng_column_set columns, throng_copy *copy, throng_error *error)
{
    const throng_backend_api *api = a->stages->api;
    if (!throng_agents_use(a, columns, error))
        return false;
    for (int c = 0; a->slots && c < THRONG_COLUMN_COUNT; c++)
        if ((columns & a->newer_on_host & THRONG_COLUMN_SET(c)) && !api->put(a->stages->backend, c, a->slots, error))
            return false;
    if (copy->api != api)
        throng_copy_free(copy);
    copy->api = api;
    return api->copy(a->stages->backend, columns, a->slots, copy, error);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

const void *throng_agents_peek(throng_agents *a, int column, uint32_t *initial, int32_t *stride, throng_error *error)
{
    *initial = initial_bits(column);
    *stride = is_used(a, column);
    return *stride ? throng_agents_read(a, column, error) : initial;
}

bool throng_agents_hash(throng_agents *a, uint64_t *hash, throng_error *error)
{
    uint64_t h = 0x7468726f6e67u; /* "throng" */
    for (int c = 0; c < throng_agents_columns(a); c++) {
        int32_t stride;
        uint32_t initial;
        const uint32_t *values = throng_agents_peek(a, c, &initial, &stride, error);
        if (!values)
            return false;
        uint64_t before = h, differs = 0;
        for (const char *name = throng_agents_column(a, c)->name; *name; name++)
            h = mix(h, (unsigned char)*name);
        for (int32_t slot = 0; slot < a->slots; slot++)
            if (a->generation[slot] & 1) {
                uint32_t value = values[stride * slot];
                h = mix(h, (uint64_t)(uint32_t)a->columns.id[slot] << 32 | value);
                differs |= value ^ initial;
            }
        h = differs ? h : before;
    }
    *hash = h;
    return true;
}

uint64_t throng_agents_fetched(const throng_agents *a) { return a->fetched; }

uint64_t throng_agents_sent(const throng_agents *a) { return a->sent; }

size_t throng_agents_bytes(const throng_agents *a)
{
    return (size_t)a->capacity * 4 * ((size_t)throng_column_set_size(a->used) + 1) + (size_t)a->free_room * 4;
}
