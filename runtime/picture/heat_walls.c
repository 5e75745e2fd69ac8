#include "heat_walls.h"

#include <math.h>
#include <stdlib.h>

#include "map/geometry.h"

/* Of a cell. */
enum { CUT = 1, RIGHT = 2, UP = 4 }; /* a wall reaches into it; none is between it and the next cell */

typedef struct side {
    throng_point a, b;
} side;

struct throng_heat_walls {
    throng_heat_grid grid;
    uint8_t *flags; /* [cells] */
    int32_t *first; /* [cells + 1] where each cell's begin among */
    side *sides;    /* of walls that reach into cells */
};

void throng_heat_walls_destroy(throng_heat_walls *walls)
{
    if (!walls)
        return;
    free(walls->flags);
    free(walls->first);
    free(walls->sides);
    free(walls);
}

static int32_t within(double at, int32_t count) { return (int32_t)fmax(0, fmin(count - 1, floor(at))); }

static throng_point middle_of(const throng_heat_walls *w, int32_t column, int32_t row)
{
    return (throng_point){w->grid.x0 + (column + 0.5) * w->grid.cell, w->grid.y0 + (row + 0.5) * w->grid.cell};
}

static throng_bounds box_of(const throng_heat_walls *w, int32_t column, int32_t row)
{
    throng_point m = middle_of(w, column, row);
    double half = w->grid.cell / 2;
    return (throng_bounds){m.x - half, m.y - half, m.x + half, m.y + half};
}

/* ---- which walls reach into which cells */

/* Counts a side in `first` of the cells that it reaches into, or, `put`, puts it there. */
static void take_side(throng_heat_walls *w, side s, bool put)
{
    const throng_heat_grid *g = &w->grid;
    int32_t c0 = within((fmin(s.a.x, s.b.x) - g->x0) / g->cell, g->columns);
    int32_t c1 = within((fmax(s.a.x, s.b.x) - g->x0) / g->cell, g->columns);
    int32_t r0 = within((fmin(s.a.y, s.b.y) - g->y0) / g->cell, g->rows);
    int32_t r1 = within((fmax(s.a.y, s.b.y) - g->y0) / g->cell, g->rows);
    for (int32_t r = r0; r <= r1; r++)
        for (int32_t c = c0; c <= c1; c++) {
            size_t cell = (size_t)r * (size_t)g->columns + (size_t)c;
            if (!throng_segment_in_box(s.a, s.b, box_of(w, c, r)))
                continue;
            if (put)
                w->sides[w->first[cell + 1]++] = s;
            else
                w->first[cell + 1]++;
        }
}

static void take_sides(throng_heat_walls *w, const throng_map *map, bool put)
{
    for (int32_t ring = 0; ring < map->ring_count; ring++) {
        int32_t begin = map->ring_start[ring], end = map->ring_start[ring + 1];
        for (int32_t i = begin, k = end - 1; i < end; k = i++)
            take_side(w, (side){map->points[k], map->points[i]}, put);
    }
}

/* First how many there are in each cell; then `first[c + 1]` is where those of c begin, and, once they are put there,
 * where they end. */
static bool find_sides(throng_heat_walls *w, const throng_map *map)
{
    size_t cells = (size_t)w->grid.columns * (size_t)w->grid.rows;
    take_sides(w, map, false);
    int32_t all = 0;
    for (size_t c = 0; c < cells; c++) {
        int32_t count = w->first[c + 1];
        w->flags[c] = count ? CUT : 0;
        w->first[c + 1] = all;
        all += count;
    }
    w->sides = malloc(((size_t)all + 1) * sizeof *w->sides);
    if (w->sides)
        take_sides(w, map, true);
    return w->sides != NULL;
}

static bool crosses(side s, throng_point p, throng_point q)
{
    return (throng_turn(s.a, s.b, p) > 0) != (throng_turn(s.a, s.b, q) > 0) &&
           (throng_turn(p, q, s.a) > 0) != (throng_turn(p, q, s.b) > 0);
}

/* No wall is between them. Of cells that are near each other. */
static bool sees(const throng_heat_walls *w, throng_point p, throng_point q)
{
    const throng_heat_grid *g = &w->grid;
    int32_t c0 = within((fmin(p.x, q.x) - g->x0) / g->cell, g->columns);
    int32_t c1 = within((fmax(p.x, q.x) - g->x0) / g->cell, g->columns);
    int32_t r0 = within((fmin(p.y, q.y) - g->y0) / g->cell, g->rows);
    int32_t r1 = within((fmax(p.y, q.y) - g->y0) / g->cell, g->rows);
    for (int32_t r = r0; r <= r1; r++)
        for (int32_t c = c0; c <= c1; c++) {
            size_t cell = (size_t)r * (size_t)g->columns + (size_t)c;
            for (int32_t i = w->first[cell]; i < w->first[cell + 1]; i++)
                if (crosses(w->sides[i], p, q))
                    return false;
        }
    return true;
}

static void find_links(throng_heat_walls *w)
{
    const throng_heat_grid *g = &w->grid;
    for (int32_t r = 0; r < g->rows; r++)
        for (int32_t c = 0; c < g->columns; c++) {
            uint8_t *flags = &w->flags[(size_t)r * (size_t)g->columns + (size_t)c];
            throng_point here = middle_of(w, c, r);
            *flags |= c + 1 < g->columns && sees(w, here, middle_of(w, c + 1, r)) ? RIGHT : 0;
            *flags |= r + 1 < g->rows && sees(w, here, middle_of(w, c, r + 1)) ? UP : 0;
        }
}

throng_heat_walls *throng_heat_walls_create(const throng_map *map, const throng_heat_grid *grid)
{
    size_t cells = (size_t)grid->columns * (size_t)grid->rows;
    throng_heat_walls *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->grid = *grid;
    w->flags = calloc(cells + 1, sizeof *w->flags);
    w->first = calloc(cells + 2, sizeof *w->first);
    if (w->flags && w->first && find_sides(w, map)) {
        find_links(w);
        return w;
    }
    throng_heat_walls_destroy(w);
    return NULL;
}

/* ---- which cell a place counts for */

bool throng_heat_walls_cut(const throng_heat_walls *w, size_t cell) { return w->flags[cell] & CUT; }

bool throng_heat_walls_sees(const throng_heat_walls *w, throng_point place, int32_t column, int32_t row)
{
    return sees(w, place, middle_of(w, column, row));
}

size_t throng_heat_walls_cell(const throng_heat_walls *w, throng_point place, size_t cell)
{
    const throng_heat_grid *g = &w->grid;
    int32_t column = (int32_t)(cell % (size_t)g->columns), row = (int32_t)(cell / (size_t)g->columns);
    size_t found = cell;
    double least = INFINITY;
    if (!(w->flags[cell] & CUT))
        return cell;
    for (int32_t r = row - 1; r <= row + 1; r++)
        for (int32_t c = column - 1; c <= column + 1; c++) {
            throng_point middle = middle_of(w, c, r);
            double away = hypot(middle.x - place.x, middle.y - place.y);
            if (r >= 0 && c >= 0 && r < g->rows && c < g->columns && away < least && sees(w, place, middle)) {
                least = away;
                found = (size_t)r * (size_t)g->columns + (size_t)c;
            }
        }
    return found;
}

/* ---- floor */

enum { SAMPLES = 4 }; /* of a cut cell, in a row */

/* Where a piece of floor, of which a place stands for the rest, counts; the cell itself where its place is solid. */
static size_t target_of(const throng_heat_walls *w, const throng_map *map, size_t cell, int sample)
{
    const throng_heat_grid *g = &w->grid;
    throng_bounds box = box_of(w, (int32_t)(cell % (size_t)g->columns), (int32_t)(cell / (size_t)g->columns));
    throng_point p = {box.x0 + (sample % SAMPLES + 0.5) * g->cell / SAMPLES,
                      box.y0 + (sample / SAMPLES + 0.5) * g->cell / SAMPLES};
    return throng_map_fits(map, p, 0) ? throng_heat_walls_cell(w, p, cell) : SIZE_MAX;
}

void throng_heat_walls_floor(const throng_heat_walls *w, const throng_map *map, float *floor)
{
    size_t cells = (size_t)w->grid.columns * (size_t)w->grid.rows;
    float *moved = calloc(cells + 1, sizeof *moved); /* without it, shares stay where they are */
    for (size_t cell = 0; moved && cell < cells; cell++) {
        size_t target[SAMPLES * SAMPLES];
        int free_samples = 0;
        if (!(w->flags[cell] & CUT) || floor[cell] <= 0)
            continue;
        for (int s = 0; s < SAMPLES * SAMPLES; s++)
            free_samples += (target[s] = target_of(w, map, cell, s)) != SIZE_MAX;
        for (int s = 0; s < SAMPLES * SAMPLES; s++)
            if (target[s] != SIZE_MAX)
                moved[target[s]] += floor[cell] / (float)free_samples;
        if (free_samples)
            floor[cell] = 0;
    }
    for (size_t cell = 0; moved && cell < cells; cell++)
        floor[cell] += moved[cell];
    free(moved);
}

/* ---- spreading */

/* Beyond the grid is nothing. */
static void smooth_line(float *values, const uint8_t *flags, int32_t count, int32_t stride, uint8_t link)
{
    float before = 0;
    bool open = true;
    for (int32_t i = 0; i < count; i++) {
        size_t at = (size_t)i * (size_t)stride;
        float here = values[at];
        bool on = i + 1 == count || (flags[at] & link);
        float after = i + 1 < count ? values[at + (size_t)stride] : 0;
        values[at] = here + (open ? 0.25f * (before - here) : 0) + (on ? 0.25f * (after - here) : 0);
        before = here;
        open = on;
    }
}

void throng_heat_walls_smooth(const throng_heat_walls *w, float *grid, bool along_rows)
{
    int32_t columns = w->grid.columns, rows = w->grid.rows;
    for (int32_t r = 0; along_rows && r < rows; r++)
        smooth_line(grid + (size_t)r * (size_t)columns, w->flags + (size_t)r * (size_t)columns, columns, 1, RIGHT);
    for (int32_t c = 0; !along_rows && c < columns; c++)
        smooth_line(grid + c, w->flags + c, rows, columns, UP);
}
