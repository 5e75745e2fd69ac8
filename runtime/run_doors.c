#include "run_doors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "output.h"

static const char head[] = "time,open,x0,y0,x1,y1,door\n";

static void tell(throng_run_doors *doors, const throng_world *world, int32_t d)
{
    const throng_door *door = &throng_world_map(world)->doors[d];
    doors->open[d] = throng_world_door_open(world, d);
    fprintf(doors->file, "%.9g,%d,%.17g,%.17g,%.17g,%.17g,%s\n", throng_world_time(world), doors->open[d], door->a.x,
            door->a.y, door->b.x, door->b.y, door->name);
}

bool throng_run_doors_begin(throng_run_doors *doors, const char *folder, const throng_world *world, throng_error *error)
{
    const throng_map *map = throng_world_map(world);
    *doors = (throng_run_doors){0};
    if (!map || map->door_count == 0)
        return true;
    snprintf(doors->path, sizeof doors->path, "%s/doors.csv", folder);
    doors->part = throng_output_begin(doors->path, error);
    if (!doors->part)
        return false;
    doors->open = malloc((size_t)map->door_count * sizeof *doors->open);
    doors->file = doors->open ? fopen(doors->part, "w") : NULL;
    if (!doors->file) {
        throng_fail(error, "out of memory for the doors of '%s'", doors->path);
        throng_run_doors_end(doors, false, NULL);
        return false;
    }
    fputs(head, doors->file);
    for (int32_t d = 0; d < map->door_count; d++)
        tell(doors, world, d);
    return true;
}

void throng_run_doors_follow(throng_run_doors *doors, const throng_world *world)
{
    for (int32_t d = 0; doors->file && d < throng_world_map(world)->door_count; d++)
        if (throng_world_door_open(world, d) != doors->open[d])
            tell(doors, world, d);
}

bool throng_run_doors_end(throng_run_doors *doors, bool keep, throng_error *error)
{
    errno = 0;
    bool written = !doors->file || !ferror(doors->file);
    written = (!doors->file || fclose(doors->file) == 0) && written;
    int code = errno ? errno : EIO;
    char *part = doors->part;
    free(doors->open);
    doors->file = NULL;
    doors->open = NULL;
    doors->part = NULL;
    if (part && keep && written)
        return throng_output_commit(doors->path, part, error);
    throng_output_discard(part);
    return written || !keep || throng_output_fail(doors->path, code, error);
}

/* ---- read back */

static bool read_row(const char *line, throng_door_turn *turn)
{
    int open, at = 0;
    int fields = sscanf(line, "%lf,%d,%lf,%lf,%lf,%lf,%n", &turn->time, &open, &turn->a.x, &turn->a.y, &turn->b.x,
                        &turn->b.y, &at);
    if (fields != 6 || at == 0)
        return false;
    turn->open = open != 0;
    snprintf(turn->name, sizeof turn->name, "%.*s", (int)strcspn(line + at, "\r\n"), line + at);
    return true;
}

static bool read_rows(FILE *file, const char *path, throng_door_turn **turns, int32_t *count, throng_error *error)
{
    char *line = NULL;
    size_t size = 0;
    int32_t room = 0;
    bool ok = true;
    for (int row = 1; ok && getline(&line, &size, file) >= 0; row++) {
        if (row == 1 && strcmp(line, head) == 0)
            continue;
        ok = throng_array_reserve((void **)turns, &room, (int64_t)*count + 1, sizeof **turns) ||
             throng_fail(error, "out of memory for the doors of '%s'", path);
        ok = ok && (read_row(line, &(*turns)[*count]) ||
                    throng_fail(error, "%s:%d: expected %.*s", path, row, (int)sizeof head - 2, head));
        *count += ok;
    }
    free(line);
    return ok;
}

bool throng_run_doors_read(const char *recording, throng_door_turn **turns, int32_t *count, throng_error *error)
{
    char path[4200];
    const char *slash = strrchr(recording, '/');
    *turns = NULL;
    *count = 0;
    snprintf(path, sizeof path, "%.*sdoors.csv", slash ? (int)(slash + 1 - recording) : 0, recording);
    FILE *file = fopen(path, "r");
    if (!file)
        return true;
    bool ok = read_rows(file, path, turns, count, error);
    fclose(file);
    if (!ok) {
        free(*turns);
        *turns = NULL;
        *count = 0;
    }
    return ok;
}
