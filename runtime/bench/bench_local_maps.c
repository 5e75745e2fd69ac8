/* Figure 9 of the BVP paper (Fischer and others, 2009): how many times as fast local maps are solved by the device, or
 * by all of the processor, as by one lane of one thread, over agents, for three sizes of map. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_table.h"
#include "picture/canvas.h"
#include "picture/picture_style.h"

const int32_t throng_bench_map_sizes[] = {11, 16, 21, 0};
const int32_t throng_bench_map_agents[] = {50, 100, 200, 300, 400, 500, 700, 1000, 0};

static bool is_sequential(const throng_bench_row *r) { return r->simd == 1 && r->threads == 1; }

static bool is_plan(const throng_bench_row *r, int32_t size, int32_t agents)
{
    char name[32];
    snprintf(name, sizeof name, "bvp-%d", size);
    return strcmp(r->name, name) == 0 && r->agents == agents && strcmp(r->stage, "plan") == 0 && r->ms.median > 0;
}

/* NAN: one of the two was not measured. */
static double speed_up(const throng_bench_table *table, int32_t size, int32_t agents, const throng_bench_row **by)
{
    double one = NAN, best = NAN;
    for (int32_t i = 0; i < table->count; i++) {
        const throng_bench_row *r = &table->rows[i];
        if (!is_plan(r, size, agents))
            continue;
        if (is_sequential(r))
            one = r->ms.median;
        else if (!(r->ms.median >= best)) {
            best = r->ms.median;
            *by = r;
        }
    }
    return one / best;
}

/* What the parallel rows were measured on. */
static void describe(const throng_bench_row *by, char *text, size_t size)
{
    if (strcmp(by->backend, "cuda") == 0)
        snprintf(text, size, "CUDA");
    else
        snprintf(text, size, "the CPU, SIMD width %d, %d threads", by->simd, by->threads);
}

void throng_bench_print_map_speed_ups(const throng_bench_table *table)
{
    const throng_bench_row *by = NULL;
    printf("\nlocal maps: the plan stage, times as fast as on one lane of one thread\n%8s", "agents");
    for (const int32_t *size = throng_bench_map_sizes; *size; size++)
        printf("   %2d x %2d", *size, *size);
    printf("\n");
    for (const int32_t *agents = throng_bench_map_agents; *agents; agents++) {
        bool any = false;
        for (const int32_t *size = throng_bench_map_sizes; *size; size++)
            any = any || isfinite(speed_up(table, *size, *agents, &by));
        if (!any)
            continue;
        printf("%8d", *agents);
        for (const int32_t *size = throng_bench_map_sizes; *size; size++)
            printf("%10.2f", speed_up(table, *size, *agents, &by));
        printf("\n");
    }
    if (!by)
        return;
    char what[64];
    describe(by, what, sizeof what);
    printf("  on %s; the paper: 2.85 to 56.6\n", what);
}

/* --- the picture ------------------------------------------------------------------------------ */

enum { WIDTH = 1600, HEIGHT = 960, MARGIN = 56, LEFT = 150, RIGHT = 300, TOP = 204, BELOW = 110 };

typedef struct plot {
    throng_canvas *canvas;
    double agents, times; /* where the axes end */
} plot;

static throng_point at(const plot *p, double agents, double times)
{
    return (throng_point){LEFT + agents / p->agents * (WIDTH - RIGHT - LEFT),
                          HEIGHT - BELOW - times / p->times * (HEIGHT - BELOW - TOP)};
}

static void draw_axes(const plot *p)
{
    throng_lettering letters = throng_style_letters(22, THRONG_STYLE_FAINT_INK, THRONG_ALIGN_CENTRE);
    char text[32];
    for (double n = 0, step = throng_style_round_up(p->agents / 6); n <= p->agents; n += step) {
        throng_point low = at(p, n, 0), high = at(p, n, p->times);
        throng_canvas_line(p->canvas, low.x, low.y, high.x, high.y, 1.2, throng_colour_hex(THRONG_STYLE_RULE));
        snprintf(text, sizeof text, "%g", n);
        throng_canvas_text(p->canvas, &letters, low.x, low.y + 34, text);
    }
    throng_canvas_text(p->canvas, &letters, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - BELOW + 74, "agents");
    letters.align = THRONG_ALIGN_RIGHT;
    for (double t = 0, step = throng_style_round_up(p->times / 8); t <= p->times; t += step) {
        throng_point left = at(p, 0, t), right = at(p, p->agents, t);
        throng_canvas_line(p->canvas, left.x, left.y, right.x, right.y, 1.2, throng_colour_hex(THRONG_STYLE_RULE));
        snprintf(text, sizeof text, "%g", t);
        throng_canvas_text(p->canvas, &letters, left.x - 14, left.y + 8, text);
    }
    letters.align = THRONG_ALIGN_LEFT;
    throng_canvas_text(p->canvas, &letters, MARGIN, TOP - 24, "times as fast as one lane of one thread");
}

static void draw_curve(const plot *p, const throng_bench_table *table, int32_t which)
{
    const throng_bench_row *by;
    int32_t size = throng_bench_map_sizes[which];
    throng_colour colour = throng_style_group(which);
    throng_point last = {NAN, NAN};
    char text[32];
    for (const int32_t *agents = throng_bench_map_agents; *agents; agents++) {
        double times = speed_up(table, size, *agents, &by);
        if (!isfinite(times))
            continue;
        throng_point now = at(p, *agents, times);
        if (isfinite(last.x))
            throng_canvas_line(p->canvas, last.x, last.y, now.x, now.y, 3, colour);
        throng_canvas_disc(p->canvas, now.x, now.y, 6, colour);
        last = now;
    }
    throng_lettering letters = throng_style_letters(22, THRONG_STYLE_INK, THRONG_ALIGN_LEFT);
    double x = WIDTH - RIGHT + 60, y = TOP + 36.0 * which;
    throng_canvas_disc(p->canvas, x, y, 7, colour);
    snprintf(text, sizeof text, "%d x %d cells", size, size);
    throng_canvas_text(p->canvas, &letters, x + 22, y + 7, text);
}

bool throng_bench_draw_map_speed_ups(const throng_bench_table *table, const char *path, throng_error *error)
{
    const throng_bench_row *by = NULL;
    double most = 1, agents = 1;
    for (const int32_t *size = throng_bench_map_sizes; *size; size++)
        for (const int32_t *n = throng_bench_map_agents; *n; n++) {
            double times = speed_up(table, *size, *n, &by);
            most = times > most ? times : most;
            agents = isfinite(times) ? *n : agents;
        }
    plot p = {throng_canvas_create(WIDTH, HEIGHT, throng_colour_hex(THRONG_STYLE_PAPER)), agents * 1.02, most * 1.1};
    if (!p.canvas)
        return throng_fail(error, "cannot draw '%s': out of memory", path);
    char what[64] = "", line[128];
    if (by)
        describe(by, what, sizeof what);
    snprintf(line, sizeof line, "on %s; figure 9 of the BVP paper", what);
    const throng_page_head head = {"Local maps, solved in parallel", line, NULL};
    throng_page_head_draw(p.canvas, &head, MARGIN, WIDTH - MARGIN, MARGIN, 1);
    throng_canvas_rect(p.canvas, LEFT, TOP, WIDTH - RIGHT, HEIGHT - BELOW, throng_colour_hex(THRONG_STYLE_FREE));
    draw_axes(&p);
    for (int32_t which = 0; throng_bench_map_sizes[which]; which++)
        draw_curve(&p, table, which);
    bool ok = throng_canvas_save(p.canvas, path, error);
    throng_canvas_destroy(p.canvas);
    return ok;
}
