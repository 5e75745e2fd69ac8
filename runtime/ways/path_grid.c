#include "path_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a path; its length is exact, and so is the order of paths: a + b sqrt 2 is compared as a double of the
 * two counts, which grows with either. */
typedef struct steps {
    int32_t straight, diagonal;
} steps;

typedef struct open_cell {
    double length; /* cells: walked and estimated */
    int32_t cell;
} open_cell;

struct throng_path_grid {
    int32_t width, height; /* with a blocked rim all round */
    uint8_t *free;         /* [height * width] */
    uint32_t *searched;    /* [height * width] the number of the search that reached the cell last */
    steps *walked;         /* [height * width] */
    uint8_t *closed;       /* [height * width] */
    open_cell *heap;       /* [8 * height * width]: a cell is opened by each neighbour at most */
    int32_t heap_count;
    uint32_t search;
};

static double length_of(steps s) { return s.straight + s.diagonal * 1.4142135623730951; }

static bool before(open_cell a, open_cell b) { return a.length != b.length ? a.length < b.length : a.cell < b.cell; }

static void push(throng_path_grid *g, open_cell entry)
{
    int32_t at = g->heap_count++;
    while (at > 0 && before(entry, g->heap[(at - 1) / 2])) {
        g->heap[at] = g->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    g->heap[at] = entry;
}

static open_cell pop(throng_path_grid *g)
{
    open_cell top = g->heap[0], last = g->heap[--g->heap_count];
    int32_t at = 0, child;
    while ((child = 2 * at + 1) < g->heap_count) {
        child += child + 1 < g->heap_count && before(g->heap[child + 1], g->heap[child]);
        if (!before(g->heap[child], last))
            break;
        g->heap[at] = g->heap[child];
        at = child;
    }
    g->heap[at] = last;
    return top;
}

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
    push(g, (open_cell){length_of((steps){walked.straight + left.straight, walked.diagonal + left.diagonal}), cell});
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
    g->heap_count = 0;
    offer(g, from, (steps){0, 0}, to);
    while (g->heap_count > 0) {
        int32_t cell = pop(g).cell;
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
    g->heap = malloc(8 * cells * sizeof *g->heap);
    if (!g->free || !g->closed || !g->searched || !g->walked || !g->heap) {
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
    free(g->heap);
    free(g);
}
