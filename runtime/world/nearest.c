#include "nearest.h"

#include <stdlib.h>

static double along(throng_point p, bool y) { return y ? p.y : p.x; }

/* Puts the median in the middle, what is not above it before it, what is not below it after it (Hoare's quickselect).
 */
static void divide(int32_t *order, int32_t count, const throng_point *points, bool y)
{
    int32_t from = 0, to = count - 1, middle = count / 2;
    while (from < to) {
        double pivot = along(points[order[from + (to - from) / 2]], y);
        int32_t i = from, k = to;
        while (i <= k) {
            while (along(points[order[i]], y) < pivot)
                i++;
            while (along(points[order[k]], y) > pivot)
                k--;
            if (i <= k) {
                int32_t other = order[i];
                order[i++] = order[k];
                order[k--] = other;
            }
        }
        if (middle <= k)
            to = k;
        else if (middle >= i)
            from = i;
        else
            return;
    }
}

/* As deep as the count has bits. */
static void sort(int32_t *order, int32_t count, const throng_point *points, bool y)
{
    int32_t middle = count / 2;
    if (count < 2)
        return;
    divide(order, count, points, y);
    sort(order, middle, points, !y);
    sort(order + middle + 1, count - middle - 1, points, !y);
}

void throng_nearest_sort(int32_t *order, int32_t count, const throng_point *points)
{
    sort(order, count, points, false);
}

/* ---- finding */

typedef struct search {
    const throng_point *points;
    throng_point place;
    double square;       /* m^2: nothing farther counts */
    throng_found *found; /* a heap, the farthest first */
    int32_t count, most;
} search;

static int by_distance(const void *a, const void *b)
{
    const throng_found *x = a, *y = b;
    int order = (x->square > y->square) - (x->square < y->square);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static bool is_nearer(throng_found a, throng_found b) { return by_distance(&a, &b) < 0; }

static void add(search *s, throng_found entry)
{
    int32_t at = s->count++;
    for (; at > 0 && is_nearer(s->found[(at - 1) / 2], entry); at = (at - 1) / 2)
        s->found[at] = s->found[(at - 1) / 2];
    s->found[at] = entry;
}

static void replace_farthest(search *s, throng_found entry)
{
    int32_t at = 0, child;
    while ((child = 2 * at + 1) < s->count) {
        child += child + 1 < s->count && is_nearer(s->found[child], s->found[child + 1]);
        if (!is_nearer(entry, s->found[child]))
            break;
        s->found[at] = s->found[child];
        at = child;
    }
    s->found[at] = entry;
}

static void look_at(search *s, int32_t number)
{
    double dx = s->points[number].x - s->place.x, dy = s->points[number].y - s->place.y;
    throng_found entry = {dx * dx + dy * dy, number};
    if (!(entry.square <= s->square))
        return;
    if (s->count < s->most)
        add(s, entry);
    else if (is_nearer(entry, s->found[0]))
        replace_farthest(s, entry);
    if (s->count == s->most)
        s->square = s->found[0].square;
}

static void find(search *s, const int32_t *order, int32_t count, bool y)
{
    int32_t middle = count / 2, after = count - middle - 1;
    if (count < 1)
        return;
    double away = along(s->place, y) - along(s->points[order[middle]], y);
    if (away < 0)
        find(s, order, middle, !y);
    else
        find(s, order + middle + 1, after, !y);
    look_at(s, order[middle]);
    if (away * away > s->square)
        return;
    if (away < 0)
        find(s, order + middle + 1, after, !y);
    else
        find(s, order, middle, !y);
}

int32_t throng_nearest_find(const int32_t *order, int32_t count, const throng_point *points, throng_point place,
                            double reach, throng_found *found, int32_t most)
{
    search s = {.points = points, .place = place, .square = reach * reach, .found = found, .most = most};
    if (most > 0)
        find(&s, order, count, false);
    qsort(found, (size_t)s.count, sizeof *found, by_distance);
    return s.count;
}
