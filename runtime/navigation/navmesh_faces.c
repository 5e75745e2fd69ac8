#include "navmesh_faces.h"

#include <stdlib.h>
#include <string.h>

#include "map/geometry.h"

/* A side under a name that its twin has too: its ends, the lesser first. */
typedef struct side {
    throng_point low, high;
    int32_t edge;
    bool reversed; /* the half-edge runs from high to low */
} side;

static int compare_sides(const void *a, const void *b)
{
    const side *s = a, *t = b;
    int order = throng_compare_points(s->low, t->low);
    order = order ? order : throng_compare_points(s->high, t->high);
    return order ? order : (s->edge > t->edge) - (s->edge < t->edge);
}

static bool same_side(const side *s, const side *t)
{
    return throng_compare_points(s->low, t->low) == 0 && throng_compare_points(s->high, t->high) == 0;
}

static throng_point end_of(const throng_half_edges *h, int32_t e) { return h->from[h->next[e]]; }

static void list_sides(const throng_half_edges *h, side *sides)
{
    for (int32_t e = 0; e < h->count; e++) {
        throng_point a = h->from[e], b = end_of(h, e);
        bool reversed = throng_compare_points(a, b) > 0;
        sides[e] = (side){reversed ? b : a, reversed ? a : b, e, reversed};
    }
    qsort(sides, (size_t)h->count, sizeof *sides, compare_sides);
}

/* Pairs equal sides. Returns how many have no partner, -1 when a side has two. */
static int32_t pair_sides(throng_half_edges *h, const side *sides)
{
    int32_t alone = 0;
    for (int32_t i = 0; i < h->count; i++) {
        bool paired = i + 1 < h->count && same_side(&sides[i], &sides[i + 1]);
        if (!paired) {
            alone++;
            continue;
        }
        if (sides[i].reversed == sides[i + 1].reversed || (i + 2 < h->count && same_side(&sides[i], &sides[i + 2])))
            return -1;
        h->twin[sides[i].edge] = sides[i + 1].edge;
        h->twin[sides[i + 1].edge] = sides[i].edge;
        i++;
    }
    return alone;
}

static double area_of(const throng_triangles *t)
{
    double twice = 0;
    for (int32_t i = 0; i < t->count; i++)
        twice += throng_turn(t->corners[3 * i], t->corners[3 * i + 1], t->corners[3 * i + 2]);
    return 0.5 * twice;
}

static bool allocate(throng_half_edges *h, int32_t count)
{
    size_t room = (size_t)count + 1;
    *h = (throng_half_edges){.count = count,
                             .from = malloc(room * sizeof(throng_point)),
                             .next = malloc(room * sizeof(int32_t)),
                             .previous = malloc(room * sizeof(int32_t)),
                             .twin = malloc(room * sizeof(int32_t)),
                             .door = malloc(room * sizeof(int32_t)),
                             .covered = calloc(room, 1)};
    return h->from && h->next && h->previous && h->twin && h->door && h->covered;
}

bool throng_half_edges_init(throng_half_edges *h, const throng_triangles *triangles, bool *sound)
{
    side *sides = malloc((3 * (size_t)triangles->count + 1) * sizeof *sides);
    bool fine = allocate(h, 3 * triangles->count) && sides;
    *sound = true;
    if (fine) {
        for (int32_t e = 0; e < h->count; e++) {
            h->from[e] = triangles->corners[e];
            h->next[e] = e % 3 == 2 ? e - 2 : e + 1;
            h->previous[e] = e % 3 == 0 ? e + 2 : e - 1;
            h->twin[e] = h->door[e] = -1;
        }
        list_sides(h, sides);
        *sound = pair_sides(h, sides) == triangles->rim &&
                 fabs(area_of(triangles) - triangles->area) <= 1e-9 * (1 + triangles->area);
    }
    free(sides);
    if (fine && *sound)
        return true;
    throng_half_edges_fini(h);
    return false;
}

void throng_half_edges_fini(throng_half_edges *h)
{
    free(h->from);
    free(h->next);
    free(h->previous);
    free(h->twin);
    free(h->door);
    free(h->covered);
    free(h->sheet);
    memset(h, 0, sizeof *h);
}

typedef struct diagonal {
    double length2;
    int32_t edge;
} diagonal;

static int longest_first(const void *a, const void *b)
{
    const diagonal *d = a, *e = b;
    if (d->length2 != e->length2)
        return d->length2 < e->length2 ? 1 : -1;
    return (d->edge > e->edge) - (d->edge < e->edge);
}

/* Not back to where it came from, as at the last side that ends in a point inside of a face. Points lie on a grid, so
 * the products are exact and so are the signs. */
static bool bends_left(throng_point from, throng_point at, throng_point to)
{
    double turn = throng_turn(from, at, to);
    return turn > 0 || (turn == 0 && (at.x - from.x) * (to.x - at.x) + (at.y - from.y) * (to.y - at.y) > 0);
}

static bool stays_convex(const throng_half_edges *h, int32_t e, int32_t t)
{
    return bends_left(h->from[h->previous[e]], h->from[e], end_of(h, h->next[t])) &&
           bends_left(h->from[h->previous[t]], h->from[t], end_of(h, h->next[e]));
}

static void join(throng_half_edges *h, int32_t before, int32_t after)
{
    h->next[before] = after;
    h->previous[after] = before;
}

static void remove_diagonal(throng_half_edges *h, int32_t e, int32_t t)
{
    join(h, h->previous[e], h->next[t]);
    join(h, h->previous[t], h->next[e]);
    h->next[e] = h->next[t] = -1;
}

bool throng_half_edges_merge(throng_half_edges *h)
{
    diagonal *diagonals = malloc(((size_t)h->count + 1) * sizeof *diagonals);
    int32_t count = 0;
    if (!diagonals)
        return false;
    for (int32_t e = 0; e < h->count; e++) {
        double length = throng_distance(h->from[e], end_of(h, e));
        if (h->twin[e] > e && h->door[e] == -1)
            diagonals[count++] = (diagonal){length * length, e};
    }
    qsort(diagonals, (size_t)count, sizeof *diagonals, longest_first);
    for (int32_t i = 0; i < count; i++) {
        int32_t e = diagonals[i].edge;
        if (stays_convex(h, e, h->twin[e]))
            remove_diagonal(h, e, h->twin[e]);
    }
    free(diagonals);
    return true;
}
