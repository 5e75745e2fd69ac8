#include "box_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

/* The boxes of `b` stand in the stripes of the plane that they come into; one that comes into many, in a last one that
 * everybody looks at. */
enum { STRIPES = 1024, MANY = 32 };

typedef struct stripes {
    int32_t count;   /* and one for the wide */
    double x0, each; /* m: where they begin, and how wide they are */
    int32_t *start;  /* [count + 2]: stripe s holds list[start[s]] .. list[start[s + 1] - 1] */
    int32_t *list;
} stripes;

static int32_t stripe_of(const stripes *s, double x)
{
    return (int32_t)fmax(0, fmin(s->count - 1, floor((x - s->x0) / s->each)));
}

/* The stripes that a box of `b` stands in. */
static void stripes_of(const stripes *s, const throng_bounds *box, int32_t *first, int32_t *last)
{
    *first = stripe_of(s, box->x0);
    *last = stripe_of(s, box->x1);
    if (*last - *first >= MANY)
        *first = *last = s->count;
}

/* Counts the boxes of each stripe in `start[s + 1]`, or puts them where `at` is. */
static void put(const stripes *s, const throng_bounds *b, int32_t count, int32_t *at)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t first, last;
        stripes_of(s, &b[i], &first, &last);
        for (int32_t k = first; k <= last; k++)
            if (at)
                s->list[at[k]++] = i;
            else
                s->start[k + 1]++;
    }
}

static void stripes_fini(stripes *s)
{
    free(s->start);
    free(s->list);
}

static bool stripes_init(stripes *s, const throng_bounds *b, int32_t count)
{
    double x0 = INFINITY, x1 = -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        x0 = fmin(x0, b[i].x0);
        x1 = fmax(x1, b[i].x1);
    }
    *s = (stripes){.count = STRIPES, .x0 = x0, .each = x1 > x0 ? (x1 - x0) / STRIPES : 1};
    s->start = calloc(STRIPES + 2, sizeof *s->start);
    int32_t *at = malloc((STRIPES + 1) * sizeof *at);
    if (s->start && at) {
        put(s, b, count, NULL);
        for (int32_t k = 0; k <= STRIPES; k++) {
            at[k] = s->start[k];
            s->start[k + 1] += s->start[k];
        }
        s->list = malloc(((size_t)s->start[STRIPES + 1] + 1) * sizeof *s->list);
        if (s->list)
            put(s, b, count, at);
    }
    free(at);
    return s->list != NULL;
}

static bool meet(const throng_bounds *p, const throng_bounds *q)
{
    return p->x0 <= q->x1 && q->x0 <= p->x1 && p->y0 <= q->y1 && q->y0 <= p->y1;
}

static int ascending(const void *p, const void *q)
{
    int32_t a = *(const int32_t *)p, b = *(const int32_t *)q;
    return (a > b) - (a < b);
}

/* Appends those of stripes first .. last that meet the box, each where both first are. */
static bool append(const stripes *s, const throng_bounds *box, int32_t first, int32_t last, const throng_bounds *b,
                   int32_t **list, int32_t *count, int32_t *room)
{
    for (int32_t k = first; k <= last; k++)
        for (int32_t at = s->start[k]; at < s->start[k + 1]; at++) {
            int32_t i = s->list[at];
            bool here = k == s->count || k == first || k == stripe_of(s, b[i].x0);
            if (!here || !meet(box, &b[i]))
                continue;
            if (!throng_array_reserve((void **)list, room, (int64_t)*count + 1, sizeof **list))
                return false;
            (*list)[(*count)++] = i;
        }
    return true;
}

bool throng_box_pairs_find(const throng_bounds *a, int32_t a_count, const throng_bounds *b, int32_t b_count,
                           throng_box_pairs *pairs)
{
    stripes s;
    int32_t count = 0, room = 0;
    *pairs = (throng_box_pairs){.start = calloc((size_t)a_count + 1, sizeof *pairs->start)};
    bool fine = stripes_init(&s, b, b_count) && pairs->start;
    for (int32_t i = 0; fine && i < a_count; i++) {
        fine = append(&s, &a[i], stripe_of(&s, a[i].x0), stripe_of(&s, a[i].x1), b, &pairs->list, &count, &room) &&
               append(&s, &a[i], s.count, s.count, b, &pairs->list, &count, &room);
        int32_t begin = pairs->start[i];
        if (fine && count > begin)
            qsort(pairs->list + begin, (size_t)(count - begin), sizeof *pairs->list, ascending);
        pairs->start[i + 1] = count;
    }
    stripes_fini(&s);
    if (!fine)
        throng_box_pairs_fini(pairs);
    return fine;
}

void throng_box_pairs_fini(throng_box_pairs *pairs)
{
    free(pairs->start);
    free(pairs->list);
    *pairs = (throng_box_pairs){0};
}

throng_bounds throng_box_round(const throng_point *points, int32_t count, double more)
{
    throng_bounds box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < count; i++) {
        box.x0 = fmin(box.x0, points[i].x - more);
        box.y0 = fmin(box.y0, points[i].y - more);
        box.x1 = fmax(box.x1, points[i].x + more);
        box.y1 = fmax(box.y1, points[i].y + more);
    }
    return box;
}
