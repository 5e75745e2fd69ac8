#include "path_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

/* Steps of a path; its length is exact, and so is the order of paths: a + b sqrt 2 is compared as a double of the
 * two counts, which grows with either. */
typedef struct steps {
    int32_t straight, diagonal;
} steps;

struct throng_path_grid {
    int32_t width, height; /* with a blocked rim all round */
    uint8_t *free;         /* [height * width] */
    uint32_t *searched;    /* [height * width] the number of the search that reached the cell last */
    steps *walked;         /* [height * width] */
    uint8_t *closed;       /* [height * width] */
    throng_heap open;      /* cells, by their lengths, walked and estimated; room for each from all its neighbours */
    uint32_t search;
};

static double length_of(steps s) { return s.straight + s.diagonal * 1.4142135623730951; }

/* Steps that are left when nothing is in the way. */
static steps octile(const throng_path_grid *g, int32_t a, int32_t b)
{
    int32_t x = abs(a % g->width - b % g->width), y = abs(a / g->width - b / g->width);
    return (steps){x > y ? x - y : y - x, x < y ? x : y};
}

static void offer(throng_path_grid *g, int32_t cell, steps walked, int32_t goal)
{
    bool known = g->searched[cell] == g->search;
    if (known && (g->closed[cell] || length_of(walked) >= length_of(g->walked[cell])))
        return;
    g->searched[cell] = g->search;
    g->closed[cell] = 0;
    g->walked[cell] = walked;
    steps left = octile(g, cell, goal);
    throng_heap_push(&g->open, length_of((steps){walked.straight + left.straight, walked.diagonal + left.diagonal}),
                     cell);
}

static void expand(throng_path_grid *g, int32_t cell, int32_t goal)
{
    steps walked = g->walked[cell];
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            int32_t to = cell + dy * g->width + dx;
            bool diagonal = dx && dy;
            if (!g->free[to] || (diagonal && !(g->free[cell + dx] && g->free[cell + dy * g->width])))
                continue;
            offer(g, to, (steps){walked.straight + !diagonal, walked.diagonal + diagonal}, goal);
        }
}

double throng_path_grid_length(throng_path_grid *g, int32_t from_x, int32_t from_y, int32_t to_x, int32_t to_y)
{
    int32_t from = (from_y + 1) * g->width + from_x + 1, to = (to_y + 1) * g->width + to_x + 1;
    if (!g->free[from] || !g->free[to])
        return INFINITY;
    g->search++;
    g->open.count = 0;
    offer(g, from, (steps){0, 0}, to);
    while (g->open.count > 0) {
        int32_t cell = throng_heap_pop(&g->open);
        if (cell == to)
            return length_of(g->walked[to]);
        if (g->closed[cell])
            continue;
        g->closed[cell] = 1;
        expand(g, cell, to);
    }
    return INFINITY;
}

throng_path_grid *throng_path_grid_create(const throng_map_grid *grid, int32_t width, int32_t height)
{
    throng_path_grid *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->width = width + 2;
    g->height = height + 2;
    size_t cells = (size_t)g->width * (size_t)g->height;
    g->free = calloc(cells, 1);
    g->closed = calloc(cells, 1);
    g->searched = calloc(cells, sizeof *g->searched);
    g->walked = malloc(cells * sizeof *g->walked);
    bool room =
        throng_array_reserve((void **)&g->open.entries, &g->open.room, 8 * (int64_t)cells, sizeof *g->open.entries);
    if (!g->free || !g->closed || !g->searched || !g->walked || !room) {
        throng_path_grid_destroy(g);
        return NULL;
    }
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            size_t row = (size_t)((int64_t)y * grid->height / height),
                   column = (size_t)((int64_t)x * grid->width / width);
            g->free[(size_t)(y + 1) * (size_t)g->width + (size_t)(x + 1)] =
                grid->free[row * (size_t)grid->width + column];
        }
    return g;
}

void throng_path_grid_destroy(throng_path_grid *g)
{
    if (!g)
        return;
    free(g->free);
    free(g->closed);
    free(g->searched);
    free(g->walked);
    free(g->open.entries);
    free(g);
}
