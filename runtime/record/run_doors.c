#include "run_doors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/csv.h"

static const char name[] = "doors.csv", head[] = "time,open,x0,y0,x1,y1,door\n";

static void tell(throng_run_doors *doors, const throng_world *world, int32_t d)
{
    const throng_door *door = &throng_world_map(world)->doors[d];
    doors->open[d] = throng_world_door_open(world, d);
    fprintf(doors->table.file, "%.9g,%d,%.17g,%.17g,%.17g,%.17g,", throng_world_time(world), doors->open[d], door->a.x,
            door->a.y, door->b.x, door->b.y);
    throng_csv_text(doors->table.file, door->name);
    fputc('\n', doors->table.file);
}

bool throng_run_doors_begin(throng_run_doors *doors, const char *folder, const throng_world *world, throng_error *error)
{
    const throng_map *map = throng_world_map(world);
    *doors = (throng_run_doors){0};
    throng_run_table_name(&doors->table, folder, name);
    if (!map || map->door_count == 0)
        return true;
    doors->open = malloc((size_t)map->door_count * sizeof *doors->open);
    if (!doors->open)
        return throng_fail(error, "out of memory for %d doors", map->door_count);
    if (!throng_run_table_begin(&doors->table, head, error))
        return false;
    for (int32_t d = 0; d < map->door_count; d++)
        tell(doors, world, d);
    return true;
}

void throng_run_doors_follow(throng_run_doors *doors, const throng_world *world)
{
    for (int32_t d = 0; doors->table.file && d < throng_world_map(world)->door_count; d++)
        if (throng_world_door_open(world, d) != doors->open[d])
            tell(doors, world, d);
}

bool throng_run_doors_end(throng_run_doors *doors, bool keep, throng_error *error)
{
    free(doors->open);
    doors->open = NULL;
    return throng_run_table_end(&doors->table, keep, error);
}

/* ---- read back */

typedef struct turns {
    throng_door_turn *list;
    int32_t count, room;
} turns;

static bool read_turn(const char *row, throng_door_turn *turn)
{
    int at = 0;
    char open[2];
    int fields = sscanf(row, "%lf,%1[01],%lf,%lf,%lf,%lf,%n", &turn->time, open, &turn->a.x, &turn->a.y, &turn->b.x,
                        &turn->b.y, &at);
    if (fields != 6 || at == 0 || !isfinite(turn->time + turn->a.x + turn->a.y + turn->b.x + turn->b.y))
        return false;
    turn->open = open[0] == '1';
    const char *c = row + at + (row[at] == '"');
    size_t used = 0;
    for (; *c && !strchr("\r\n", *c) && used + 1 < sizeof turn->name; turn->name[used++] = *c++)
        if (row[at] == '"' && *c == '"' && *++c != '"')
            break;
    turn->name[used] = 0;
    return used > 0;
}

static bool take_row(void *context, const char *row, throng_error *error)
{
    turns *t = context;
    if (!throng_array_reserve((void **)&t->list, &t->room, (int64_t)t->count + 1, sizeof *t->list))
        return throng_fail(error, "out of memory for %d doors", t->count + 1);
    return read_turn(row, &t->list[t->count++]) || throng_fail(error, "expected %.*s", (int)sizeof head - 2, head);
}

bool throng_run_doors_read(const char *recording, throng_door_turn **list, int32_t *count, throng_error *error)
{
    turns t = {0};
    bool ok = throng_run_table_read(recording, name, head, take_row, &t, error);
    if (!ok)
        free(t.list);
    *list = ok ? t.list : NULL;
    *count = ok ? t.count : 0;
    return ok;
}

static bool has_door(const throng_map *map, const char *name)
{
    for (int32_t d = 0; d < map->door_count; d++)
        if (strcmp(map->doors[d].name, name) == 0)
            return true;
    return false;
}

bool throng_run_doors_add(throng_map *map, const throng_door_turn *turns, int32_t count, throng_error *error)
{
    for (int32_t i = 0; i < count; i++)
        if (!has_door(map, turns[i].name) && !throng_map_add_door(map, turns[i].name, turns[i].a, turns[i].b, error))
            return false;
    return true;
}
