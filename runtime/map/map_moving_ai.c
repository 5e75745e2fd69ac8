/* Moving AI grid maps (Sturtevant, "Benchmarks for Grid-Based Pathfinding", 2012).
 *
 *   type octile / height Y / width X / map, then Y rows of X characters; the first row is the upper one.
 *
 * People walk on ground ('.' and 'G') and through swamps ('S'); trees, water and what is out of bounds stop
 * them. ('W' can only be entered from 'W': water that nobody stands in is a wall.) Cells are joined through
 * their sides: the octile grid lets nobody cut a corner either. */
#include "map_readers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "map_clean.h"
#include "base/file.h"
#include "map_image.h"
#include "map_trace.h"

/* The file as lines. */
typedef struct lines {
    const char *path;
    char *rest; /* what is not read yet, empty or NULL at the end */
    int number; /* of the line last read */
} lines;

/* The next line, without its end and trailing blanks; NULL when there is none. */
static char *next_line(lines *in)
{
    if (!in->rest || !*in->rest)
        return NULL;
    char *line = strsep(&in->rest, "\n");
    in->number++;
    size_t length = strlen(line);
    while (length && isspace((unsigned char)line[length - 1]))
        line[--length] = 0;
    return line;
}

/* What stands behind the key, when the line begins with it. */
static const char *value_of(const char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || !isspace((unsigned char)line[length]))
        return NULL;
    line += length;
    while (isspace((unsigned char)*line))
        line++;
    return line;
}

static bool read_size(const lines *in, const char *key, const char *text, int32_t *size, throng_error *error)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < 1 || value > THRONG_MOST_PIXELS)
        return throng_fail(error, "%s:%d: %s: \"%.40s\" is not valid: give the number of cells, 1 or more", in->path,
                           in->number, key, text);
    *size = (int32_t)value;
    return true;
}

static bool read_field(const lines *in, const char *line, throng_map_grid *grid, throng_error *error)
{
    const char *value;
    if ((value = value_of(line, "type"))) {
        if (strcmp(value, "octile") == 0)
            return true;
        return throng_fail(error, "%s:%d: type: \"%.40s\" is not supported: give octile", in->path, in->number, value);
    }
    if ((value = value_of(line, "height")))
        return read_size(in, "height", value, &grid->height, error);
    if ((value = value_of(line, "width")))
        return read_size(in, "width", value, &grid->width, error);
    return throng_fail(
        error,
        "%s:%d: \"%.40s\" is not a header line of a Moving AI map: its header has `type octile`, `height N`, "
        "`width N` and `map`",
        in->path, in->number, line);
}

static bool read_head(lines *in, throng_map_grid *grid, throng_error *error)
{
    char *line;
    while ((line = next_line(in)) && strcmp(line, "map") != 0)
        if (*line && !read_field(in, line, grid, error))
            return false;
    if (!line)
        return throng_fail(error, "%s: the line `map` is missing: is this a Moving AI map?", in->path);
    if (!grid->width || !grid->height)
        return throng_fail(error, "%s:%d: `%s` is missing before `map`", in->path, in->number,
                           grid->width ? "height" : "width");
    if ((int64_t)grid->width * grid->height > THRONG_MOST_PIXELS)
        return throng_fail(error, "%s: %d x %d cells are more than the %d a map may have", in->path, (int)grid->width,
                           (int)grid->height, THRONG_MOST_PIXELS);
    return true;
}

static bool read_row(const lines *in, const char *line, uint8_t *cells, int32_t width, throng_error *error)
{
    size_t length = strlen(line);
    if (length != (size_t)width)
        return throng_fail(error, "%s:%d: the row has %zu cells, but `width` is %d", in->path, in->number, length,
                           (int)width);
    for (int32_t x = 0; x < width; x++) {
        if (!strchr(".GS@OTW", line[x]))
            return throng_fail(error,
                               "%s:%d: column %d: '%c' is not a terrain: cells are . or G (ground), S (swamp), "
                               "T (trees), W (water), @ or O (out of bounds)",
                               in->path, in->number, (int)x + 1, isprint((unsigned char)line[x]) ? line[x] : '?');
        cells[x] = strchr(".GS", line[x]) != NULL;
    }
    return true;
}

static bool read_rows(lines *in, throng_map_grid *grid, throng_error *error)
{
    for (int32_t y = 0; y < grid->height; y++) {
        const char *line = next_line(in);
        if (!line)
            return throng_fail(error, "%s: the file ends after row %d of %d", in->path, (int)y, (int)grid->height);
        if (!read_row(in, line, grid->free + (size_t)y * (size_t)grid->width, grid->width, error))
            return false;
    }
    for (const char *line; (line = next_line(in));)
        if (*line)
            return throng_fail(error, "%s:%d: one row more than `height`, %d", in->path, in->number, (int)grid->height);
    return true;
}

static bool read_grid(const char *path, throng_map_grid *grid, throng_error *error)
{
    throng_bytes file;
    if (!throng_file_read(path, THRONG_FILE_MOST_MAP, &file, error))
        return false;
    lines in = {path, (char *)file.data, 0};
    bool fine = read_head(&in, grid, error);
    if (fine) {
        grid->free = malloc((size_t)grid->width * (size_t)grid->height);
        fine = grid->free ? read_rows(&in, grid, error) : throng_fail(error, "%s: out of memory", path);
    }
    free(file.data);
    return fine;
}

/* The cells as an image: row 0 at the bottom, a rim all round. */
static bool image_of(const throng_map_grid *grid, throng_map_image *image)
{
    *image = (throng_map_image){grid->width + 2, grid->height + 2, NULL, NULL};
    image->pixel = calloc((size_t)image->width * (size_t)image->height, 1);
    for (int32_t y = 0; image->pixel && y < grid->height; y++)
        for (int32_t x = 0; x < grid->width; x++)
            if (grid->free[(size_t)y * (size_t)grid->width + (size_t)x])
                image->pixel[(size_t)(grid->height - y) * (size_t)image->width + (size_t)(x + 1)] = THRONG_PIXEL_FREE;
    return image->pixel != NULL;
}

static throng_map *outline_cells(const char *path, const throng_map_grid *grid, throng_error *error)
{
    throng_map_image image = {0};
    throng_map_areas areas = {0};
    throng_ring_list rings = {0};
    throng_map *map = NULL;
    if (!image_of(grid, &image) || !throng_map_areas_all(&image, 1, &areas) ||
        !throng_map_trace_cells(&areas, grid->cell, &rings))
        throng_fail(error, "%s: out of memory", path);
    else if (rings.count == 0)
        throng_fail(error, "%s: no cell is free: people walk on . and G (ground) and S (swamp)", path);
    else
        map = throng_map_from_ring_list(path, false, &rings, error);
    throng_ring_list_fini(&rings);
    throng_map_areas_fini(&areas);
    throng_map_image_fini(&image);
    return map;
}

throng_map *throng_map_read_moving_ai(const char *path, const throng_map_options *options, throng_map_report *report,
                                      throng_error *error)
{
    throng_map_grid read = {.cell = options->scale > 0 ? options->scale : 1}, *grid = malloc(sizeof *grid);
    throng_map *map = NULL;
    if (!grid)
        throng_fail(error, "%s: out of memory", path);
    else if (read_grid(path, &read, error))
        map = outline_cells(path, &read, error);
    if (!map) {
        free(read.free);
        free(grid);
        return NULL;
    }
    report->format = "Moving AI grid";
    report->resolution = read.cell;
    *grid = read;
    map->grid = grid;
    return map;
}
