#include "cpu_work.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

cpu_work cpu_work_now;

/* The lines seen since cpu_work_begin: open addressing, 0 is no line. */
static uint64_t *table;
static size_t room;
static uintptr_t stack; /* of whoever began */

enum { STACK = 1 << 20 }; /* bytes about it that are local variables */

static bool add(uint64_t line)
{
    size_t at = (line * 0x9e3779b97f4a7c15u) & (room - 1);
    for (; table[at]; at = (at + 1) & (room - 1))
        if (table[at] == line)
            return false;
    table[at] = line;
    return true;
}

/* Doubles the table; without memory it stays, and lines beyond are not counted. */
static bool grow(void)
{
    uint64_t *old = table;
    size_t count = room;
    uint64_t *larger = calloc(2 * room, sizeof *larger);
    if (!larger)
        return false;
    table = larger;
    room *= 2;
    for (size_t i = 0; i < count; i++)
        if (old[i])
            add(old[i]);
    free(old);
    return true;
}

void cpu_work_touch(const void *p)
{
    if ((uintptr_t)p - (stack - STACK) < 2 * STACK)
        return;
    if (!table || (2 * (cpu_work_now.lines + 1) > room && !grow()))
        return;
    cpu_work_now.lines += add((uint64_t)((uintptr_t)p >> 6));
}

void cpu_work_begin(void)
{
    cpu_work_now = (cpu_work){0};
    if (!table) {
        room = 1 << 16;
        table = calloc(room, sizeof *table);
    } else {
        memset(table, 0, room * sizeof *table);
    }
    stack = (uintptr_t)__builtin_frame_address(0);
}
