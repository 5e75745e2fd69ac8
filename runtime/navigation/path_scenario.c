#include "path_scenario.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"

enum { FIELDS = 9, WIDTH = 2, OPTIMUM = 8, MOST_CELLS = 1 << 16 };

static const char *const FIELD_NAMES[FIELDS] = {"bucket",  "map",    "map width", "map height",    "start x",
                                                "start y", "goal x", "goal y",    "optimal length"};

typedef struct reader {
    const char *path;
    int line;
    throng_path_scenario *out;
    int32_t room;
} reader;

static bool wrong_field(const reader *in, int field, const char *text, const char *wanted, throng_error *error)
{
    return throng_fail(error, "%s:%d: field %d (%s) is '%.40s': give %s", in->path, in->line, field + 1,
                       FIELD_NAMES[field], text, wanted);
}

static bool read_whole(const reader *in, int field, const char *text, int32_t least, int32_t most, int32_t *value,
                       throng_error *error)
{
    char *end, wanted[80];
    long number = strtol(text, &end, 10);
    if (end == text || *end || number < least || number > most) {
        snprintf(wanted, sizeof wanted, "a whole number from %d to %d", (int)least, (int)most);
        return wrong_field(in, field, text, wanted, error);
    }
    *value = (int32_t)number;
    return true;
}

static bool read_optimum(const reader *in, const char *text, double *value, throng_error *error)
{
    char *end;
    *value = strtod(text, &end);
    return (end != text && !*end && *value >= 0 && *value < 1e12) ||
           wrong_field(in, OPTIMUM, text, "a length of 0 or more cells", error);
}

static bool split(const reader *in, char *line, char *fields[FIELDS], throng_error *error)
{
    int count = 0;
    for (char *field; (field = strsep(&line, "\t")); count++)
        if (count < FIELDS)
            fields[count] = field;
    return count == FIELDS || throng_fail(error,
                                          "%s:%d: %d fields instead of %d, with tabs between: bucket, map, width, "
                                          "height, start x, start y, goal x, goal y, optimal length",
                                          in->path, in->line, count, (int)FIELDS);
}

static bool read_query(reader *in, char *line, throng_error *error)
{
    throng_path_scenario *s = in->out;
    throng_path_query q;
    int32_t width, height;
    char *f[FIELDS];
    if (!split(in, line, f, error) || !read_whole(in, WIDTH, f[WIDTH], 1, MOST_CELLS, &width, error) ||
        !read_whole(in, WIDTH + 1, f[WIDTH + 1], 1, MOST_CELLS, &height, error) ||
        !read_whole(in, 4, f[4], 0, width - 1, &q.from_x, error) ||
        !read_whole(in, 5, f[5], 0, height - 1, &q.from_y, error) ||
        !read_whole(in, 6, f[6], 0, width - 1, &q.to_x, error) ||
        !read_whole(in, 7, f[7], 0, height - 1, &q.to_y, error) || !read_optimum(in, f[OPTIMUM], &q.optimum, error))
        return false;
    if (s->count > 0 && (width != s->width || height != s->height))
        return throng_fail(error, "%s:%d: the map is %d x %d here but %d x %d before: give one map's queries a file",
                           in->path, in->line, (int)width, (int)height, (int)s->width, (int)s->height);
    if (!throng_array_reserve((void **)&s->queries, &in->room, (int64_t)s->count + 1, sizeof q))
        return throng_fail(error, "%s: out of memory", in->path);
    s->width = width;
    s->height = height;
    s->queries[s->count++] = q;
    return true;
}

static bool read_version(const reader *in, const char *line, throng_error *error)
{
    char *end;
    double version = strncmp(line, "version", 7) == 0 ? strtod(line + 7, &end) : 0;
    return (version == 1 && !*end) ||
           throng_fail(error, "%s:1: the first line must be `version 1`, not '%.40s': is this a Moving AI scenario?",
                       in->path, line);
}

static bool read_lines(reader *in, char *text, throng_error *error)
{
    for (char *line; (line = strsep(&text, "\n"));) {
        size_t length = strlen(line);
        while (length && isspace((unsigned char)line[length - 1]))
            line[--length] = 0;
        in->line++;
        if (in->line == 1 ? !read_version(in, line, error) : *line && !read_query(in, line, error))
            return false;
    }
    return in->out->count > 0 || throng_fail(error, "%s: holds no query", in->path);
}

bool throng_path_scenario_read(const char *path, throng_path_scenario *scenario, throng_error *error)
{
    throng_bytes file;
    throng_path_scenario read = {0};
    reader in = {path, 0, &read, 0};
    if (!throng_file_read(path, THRONG_FILE_MOST_MAP, &file, error))
        return false;
    bool fine = read_lines(&in, (char *)file.data, error);
    free(file.data);
    if (fine)
        *scenario = read;
    else
        throng_path_scenario_fini(&read);
    return fine;
}

void throng_path_scenario_fini(throng_path_scenario *scenario)
{
    free(scenario->queries);
    *scenario = (throng_path_scenario){0};
}
