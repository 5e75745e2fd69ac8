/* A first guess of the potential: Dijkstra's algorithm, with a queue of buckets. */
#include <stdlib.h>

#include "base/watchdog.h"
#include "field_relax.h"

enum { FARTHEST = 40 /* cells from a wall: what is farther counts as this far */, BUCKETS = 128 };

#define WIDTH 0.02 /* of a bucket: less than any step */
#define FIRST 0.7  /* the step from the goal */

typedef struct guess {
    int32_t *off;   /* [n] cells to the nearest wall, 1 beside one; 0: reached */
    double *fall;   /* [n] -u */
    int32_t *queue; /* [4 n] */
    int32_t *next;  /* [4 n] entry behind an entry in its bucket */
    int32_t head[BUCKETS], entries, live;
} guess;

static void find_walls(const throng_field_graph *g, guess *s)
{
    int32_t count = 0;
    for (int32_t k = 0; k < g->n; k++) {
        s->off[k] = g->start[k + 1] - g->start[k] < 4;
        if (s->off[k])
            s->queue[count++] = k;
    }
    for (int32_t i = 0; i < count && !throng_given_up_at(i); i++) {
        int32_t k = s->queue[i];
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++) {
            int32_t b = g->beside[e];
            if (b == g->n || s->off[b])
                continue;
            s->off[b] = s->off[k] < FARTHEST ? s->off[k] + 1 : FARTHEST;
            s->queue[count++] = b;
        }
    }
    for (int32_t k = 0; k < g->n; k++)
        s->off[k] = s->off[k] ? s->off[k] : FARTHEST;
}

static void push(guess *s, int32_t k, double fall)
{
    int32_t bucket = (int32_t)((int64_t)(fall / WIDTH) % BUCKETS);
    s->fall[k] = fall;
    s->queue[s->entries] = k;
    s->next[s->entries] = s->head[bucket];
    s->head[bucket] = s->entries++;
    s->live++;
}

/* Along walls, or from or to one. */
static double step(int32_t a, int32_t b) { return a == b ? 1.57 / (a + 0.2) : 1 / ((a < b ? a : b) + 0.5); }

static void reach(const throng_field_graph *g, guess *s, int32_t k)
{
    int32_t off = s->off[k];
    s->off[k] = 0;
    for (int32_t e = g->start[k]; off && e < g->start[k + 1]; e++) {
        int32_t b = g->beside[e];
        if (b == g->n || !s->off[b])
            continue;
        double fall = s->fall[k] + step(off, s->off[b]);
        if (fall < s->fall[b])
            push(s, b, fall);
    }
}

static void spread(const throng_field_graph *g, guess *s)
{
    for (int i = 0; i < BUCKETS; i++)
        s->head[i] = -1;
    for (int32_t k = 0; k < g->n && !throng_given_up_at(k); k++) {
        s->fall[k] = 1e30;
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++)
            if (g->beside[e] == g->n && s->fall[k] > FIRST)
                push(s, k, FIRST);
    }
    int64_t turn = 0;
    for (int b = (int)(FIRST / WIDTH); s->live && !throng_given_up(); b = (b + 1) % BUCKETS)
        for (int32_t i = s->head[b]; i >= 0 && !throng_given_up_at(turn++); i = s->head[b]) {
            s->head[b] = s->next[i];
            s->live--;
            reach(g, s, s->queue[i]);
        }
}

bool throng_field_guess(const throng_field_graph *g, double *u)
{
    size_t n = (size_t)g->n + 1;
    guess s = {.off = malloc(n * 4), .fall = u, .queue = malloc(n * 16), .next = malloc(n * 16)};
    bool ok = s.off && s.queue && s.next;
    if (ok) {
        find_walls(g, &s);
        spread(g, &s);
        for (int32_t k = 0; k < g->n; k++)
            u[k] = -u[k];
        u[g->n] = 0;
        ok = !throng_given_up();
    }
    free(s.off);
    free(s.queue);
    free(s.next);
    return ok;
}
