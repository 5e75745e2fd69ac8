/* The picture of a benchmark: a curve a planner, and the papers' figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_table.h"
#include "picture/canvas.h"
#include "picture/picture_style.h"

enum { WIDTH = 1600, HEIGHT = 1080, MARGIN = 56, LEFT = 150, RIGHT = 576, TOP = 190, BELOW = 110, CURVES = 32 };

typedef struct plot {
    const throng_bench_table *table;
    throng_canvas *canvas;
    double least_x, most_x, least_y, most_y; /* decades */
    const throng_bench_row *curve[CURVES];   /* a row of each */
    int32_t curves;
} plot;

static throng_point at(const plot *p, double agents, double ms)
{
    double x = (log10(agents) - p->least_x) / (p->most_x - p->least_x);
    double y = (log10(ms) - p->least_y) / (p->most_y - p->least_y);
    return (throng_point){LEFT + x * (WIDTH - RIGHT - LEFT), HEIGHT - BELOW - y * (HEIGHT - BELOW - TOP)};
}

/* --- what is drawn ---------------------------------------------------------------------------- */

static bool same_curve(const throng_bench_row *a, const throng_bench_row *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->backend, b->backend) == 0;
}

static bool wider(const throng_bench_row *a, const throng_bench_row *b)
{
    return a->threads != b->threads ? a->threads > b->threads : a->simd > b->simd;
}

static bool drawn(const throng_bench_row *r)
{
    return strcmp(r->stage, "frame") == 0 && !strstr(r->name, "-random") && r->ms.median > 0;
}

/* Each planner on each backend, on the most threads and the widest SIMD that it was measured with. */
static void choose_curves(plot *p)
{
    for (int32_t i = 0; i < p->table->count; i++) {
        const throng_bench_row *r = &p->table->rows[i];
        int32_t c = 0;
        while (c < p->curves && !same_curve(p->curve[c], r))
            c++;
        if (!drawn(r) || c == CURVES)
            continue;
        if (c == p->curves)
            p->curve[p->curves++] = r;
        else if (wider(r, p->curve[c]))
            p->curve[c] = r;
    }
}

static bool of_curve(const throng_bench_row *curve, const throng_bench_row *r)
{
    return drawn(r) && same_curve(curve, r) && curve->threads == r->threads && curve->simd == r->simd;
}

static void include(plot *p, double agents, double ms)
{
    p->least_x = fmin(p->least_x, floor(log10(agents)));
    p->most_x = fmax(p->most_x, ceil(log10(agents)));
    p->least_y = fmin(p->least_y, floor(log10(ms)));
    p->most_y = fmax(p->most_y, ceil(log10(ms)));
}

static void find_range(plot *p)
{
    p->least_x = p->least_y = INFINITY;
    p->most_x = p->most_y = -INFINITY;
    for (int32_t i = 0; i < p->table->count; i++)
        if (drawn(&p->table->rows[i]))
            include(p, p->table->rows[i].agents, p->table->rows[i].ms.median);
    for (const throng_bench_figure *f = throng_bench_figures; f->planner; f++)
        if (isfinite(f->ms))
            include(p, f->agents, f->ms);
}

/* What a name begins with, up to its parameter. */
static bool begins(const char *name, const char *with)
{
    size_t length = strlen(with);
    return strncmp(name, with, length) == 0 && (name[length] == 0 || name[length] == '-');
}

/* A planner's colour, whatever its parameters: that of its place among planners; bodies and others follow. */
static int32_t kind_of(const char *name)
{
    for (int32_t k = 1; k < THRONG_PLANNER_COUNT; k++)
        if (begins(name, throng_planner_names[k]))
            return k - 1;
    return THRONG_PLANNER_COUNT - (begins(name, "bodies") ? 1 : 0);
}

static throng_colour colour_of(const char *name) { return throng_style_group(kind_of(name)); }

/* How many curves of its colour and backend come before this one: so are its dashes. */
static int32_t dashes_of(const plot *p, const throng_bench_row *curve)
{
    int32_t before = 0;
    for (int32_t c = 0; p->curve[c] != curve; c++)
        before +=
            kind_of(p->curve[c]->name) == kind_of(curve->name) && strcmp(p->curve[c]->backend, curve->backend) == 0;
    return before;
}

/* --- axes ------------------------------------------------------------------------------------- */

static void draw_grid(const plot *p)
{
    throng_lettering letters = throng_style_letters(22, THRONG_STYLE_FAINT_INK, THRONG_ALIGN_CENTRE);
    char text[32];
    for (double d = p->least_x; d <= p->most_x; d++) {
        throng_point low = at(p, pow(10, d), pow(10, p->least_y)), high = at(p, pow(10, d), pow(10, p->most_y));
        throng_canvas_line(p->canvas, low.x, low.y, high.x, high.y, 1.2, throng_colour_hex(THRONG_STYLE_RULE));
        snprintf(text, sizeof text, d < 6 ? "%.0f" : "%.0f million", pow(10, d < 6 ? d : d - 6));
        throng_canvas_text(p->canvas, &letters, low.x, low.y + 34, text);
    }
    throng_canvas_text(p->canvas, &letters, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - BELOW + 74, "agents");
    letters.align = THRONG_ALIGN_RIGHT;
    for (double d = p->least_y; d <= p->most_y; d++) {
        throng_point left = at(p, pow(10, p->least_x), pow(10, d)), right = at(p, pow(10, p->most_x), pow(10, d));
        throng_canvas_line(p->canvas, left.x, left.y, right.x, right.y, 1.2, throng_colour_hex(THRONG_STYLE_RULE));
        snprintf(text, sizeof text, "%g", pow(10, d));
        throng_canvas_text(p->canvas, &letters, left.x - 14, left.y + 8, text);
    }
    letters.align = THRONG_ALIGN_LEFT;
    throng_canvas_text(p->canvas, &letters, MARGIN, TOP - 24, "ms a frame");
}

/* --- curves and marks --------------------------------------------------------------------------- */

static bool on_device(const throng_bench_row *r) { return strcmp(r->backend, "cuda") == 0; }

/* A point of the CPU is hollow, one of a device filled. */
static void draw_point(const plot *p, throng_point where, bool filled, throng_colour colour)
{
    throng_canvas_disc(p->canvas, where.x, where.y, 6, colour);
    if (!filled)
        throng_canvas_disc(p->canvas, where.x, where.y, 3.2, throng_colour_hex(THRONG_STYLE_FREE));
}

/* Solid (0), or in dashes, which are the shorter the larger `dashes`. */
static void draw_line(const plot *p, throng_point a, throng_point b, double width, throng_colour colour, int32_t dashes)
{
    double length = hypot(b.x - a.x, b.y - a.y), dash = dashes ? 24.0 / dashes : length, step = dash + 3 + 2 * width;
    for (double from = 0; from < length; from += step) {
        double f = from / length, t = fmin(from + dash, length) / length;
        throng_canvas_line(p->canvas, a.x + f * (b.x - a.x), a.y + f * (b.y - a.y), a.x + t * (b.x - a.x),
                           a.y + t * (b.y - a.y), width, colour);
    }
}

static double width_of(const throng_bench_row *r) { return on_device(r) ? 3.6 : 2; }

static int by_agents(const void *a, const void *b)
{
    const throng_bench_row *x = *(const throng_bench_row *const *)a, *y = *(const throng_bench_row *const *)b;
    return (x->agents > y->agents) - (x->agents < y->agents);
}

static void draw_curve(const plot *p, const throng_bench_row *curve)
{
    enum { POINTS = 64 };
    const throng_bench_row *row[POINTS] = {NULL};
    throng_point points[POINTS];
    int32_t count = 0;
    for (int32_t i = 0; i < p->table->count && count < POINTS; i++)
        if (of_curve(curve, &p->table->rows[i]))
            row[count++] = &p->table->rows[i];
    qsort(row, (size_t)count, sizeof *row, by_agents);
    for (int32_t i = 0; i < count; i++)
        points[i] = at(p, row[i]->agents, row[i]->ms.median);
    throng_colour colour = colour_of(curve->name);
    for (int32_t i = 0; i + 1 < count; i++)
        draw_line(p, points[i], points[i + 1], width_of(curve), colour, dashes_of(p, curve));
    for (int32_t i = 0; i < count; i++)
        draw_point(p, points[i], on_device(curve), colour);
}

/* A cross, and the paper's number beside it. */
static void draw_cross(const plot *p, throng_point where, const throng_bench_figure *figure)
{
    throng_lettering letters = throng_style_bold(17, THRONG_STYLE_INK, THRONG_ALIGN_LEFT);
    char text[16];
    for (int turn = -1; turn <= 1; turn += 2)
        throng_canvas_line(p->canvas, where.x - 9, where.y - 9 * turn, where.x + 9, where.y + 9 * turn, 4,
                           colour_of(figure->planner));
    snprintf(text, sizeof text, "%d", (int)(figure - throng_bench_figures) + 1);
    throng_canvas_text(p->canvas, &letters, where.x + 14, where.y + 6, text);
}

/* Below the last entry's baseline, which it moves on. */
static void draw_legend(const plot *p)
{
    throng_lettering letters = throng_style_letters(19, THRONG_STYLE_INK, THRONG_ALIGN_LEFT);
    double x = WIDTH - RIGHT + 70, y = TOP, step = fmin(30, (HEIGHT - TOP - 220.0) / p->curves);
    for (int32_t c = 0; c < p->curves; c++, y += step) {
        char text[96];
        const throng_bench_row *r = p->curve[c];
        snprintf(text, sizeof text, on_device(r) ? "%s, %s" : "%s, %s, SIMD width %d, %d thread%s", r->name, r->backend,
                 r->simd, r->threads, r->threads == 1 ? "" : "s");
        draw_line(p, (throng_point){x - 36, y}, (throng_point){x + 20, y}, width_of(r), colour_of(r->name),
                  dashes_of(p, r));
        draw_point(p, (throng_point){x, y}, on_device(r), colour_of(r->name));
        throng_canvas_text(p->canvas, &letters, x + 32, y + 6, text);
    }
    y += 20;
    letters.size = 15;
    for (const throng_bench_figure *f = throng_bench_figures; f->planner; f++) {
        if (!isfinite(f->ms))
            continue;
        draw_cross(p, (throng_point){x - 10, y}, f);
        throng_canvas_text(p->canvas, &letters, x + 32, y + 5, f->text);
        y += 28;
    }
}

bool throng_bench_draw(const throng_bench_table *table, const char *path, throng_error *error)
{
    plot p = {.table = table};
    choose_curves(&p);
    find_range(&p);
    p.canvas = throng_canvas_create(WIDTH, HEIGHT, throng_colour_hex(THRONG_STYLE_PAPER));
    if (!p.canvas)
        return throng_fail(error, "cannot draw '%s': out of memory", path);
    const throng_page_head head = {"What a frame costs", table->limit_count ? table->limits[0].device : "", NULL};
    throng_page_head_draw(p.canvas, &head, MARGIN, WIDTH - MARGIN, MARGIN, 1);
    throng_canvas_rect(p.canvas, LEFT, TOP, WIDTH - RIGHT, HEIGHT - BELOW, throng_colour_hex(THRONG_STYLE_FREE));
    draw_grid(&p);
    for (int32_t c = 0; c < p.curves; c++)
        draw_curve(&p, p.curve[c]);
    for (const throng_bench_figure *f = throng_bench_figures; f->planner; f++)
        if (isfinite(f->ms))
            draw_cross(&p, at(&p, f->agents, f->ms), f);
    draw_legend(&p);
    bool ok = throng_canvas_save(p.canvas, path, error);
    throng_canvas_destroy(p.canvas);
    return ok;
}
