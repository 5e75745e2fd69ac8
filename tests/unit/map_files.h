/* Small maps written to a temporary folder, for the tests of maps and meshes. */
#ifndef THRONG_TEST_MAP_FILES_H
#define THRONG_TEST_MAP_FILES_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char map_folder[64];

static inline int make_folder(void **state)
{
    (void)state;
    strcpy(map_folder, "/tmp/throng-map-XXXXXX");
    return mkdtemp(map_folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", map_folder);
    return system(command);
}

/* The path of a file in the folder; valid until the fourth call after. */
static inline const char *in_folder(const char *name)
{
    static char paths[4][256];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", map_folder, name);
    return paths[turn];
}

static inline const char *write_bytes(const char *name, const void *data, size_t size)
{
    const char *path = in_folder(name);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(data, 1, size, out) != size || fclose(out))
        abort();
    return path;
}

static inline const char *write_text(const char *name, const char *text)
{
    return write_bytes(name, text, strlen(text));
}

/* Rows of a picture, the top one first, as a PGM: '#' is a wall, '.' free, anything else unknown. */
static inline const char *write_rows(const char *name, const char *const *rows, int count)
{
    size_t width = strlen(rows[0]), used;
    char *data = malloc(64 + width * (size_t)count);
    used = (size_t)sprintf(data, "P5\n# a test\n%zu %d\n255\n", width, count);
    for (int y = 0; y < count; y++)
        for (size_t x = 0; x < width; x++)
            data[used++] = (char)(rows[y][x] == '#' ? 0 : rows[y][x] == '.' ? 254 : 205);
    const char *path = write_bytes(name, data, used);
    free(data);
    return path;
}

/* An image being drawn: grey by pixel, row 0 at the top. */
typedef struct drawing {
    int width, height;
    unsigned char *grey;
} drawing;

static inline drawing draw_blank(int width, int height, int grey)
{
    drawing d = {width, height, malloc((size_t)width * (size_t)height)};
    memset(d.grey, grey, (size_t)width * (size_t)height);
    return d;
}

/* Pixels x0 .. x1 - 1, y0 .. y1 - 1. */
static inline void draw_box(drawing *d, int x0, int y0, int x1, int y1, int grey)
{
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            d->grey[y * d->width + x] = (unsigned char)grey;
}

static inline const char *write_drawing(const char *name, drawing *d)
{
    size_t size = (size_t)d->width * (size_t)d->height, used;
    char *data = malloc(64 + size);
    used = (size_t)sprintf(data, "P5 %d %d 255\n", d->width, d->height);
    memcpy(data + used, d->grey, size);
    const char *path = write_bytes(name, data, used + size);
    free(data);
    free(d->grey);
    return path;
}

#endif
