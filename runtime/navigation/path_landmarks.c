#include "path_landmarks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "base/watchdog.h"
#include "kernels/routing/portals_view.h"

/* Corners of a net; portals looked through, and times that it is reached anew, a corner on average. */
enum { LEAST_CORNERS = 256, MOST_LOOKED = 256, MOST_REACHED = 128 };

/* A corner that is seen from another. */
typedef struct sight {
    int32_t corner;
    float length; /* m */
} sight;

typedef struct landmarks {
    throng_path_net *net;
    const throng_navmesh *mesh;
    int32_t *edge_start, *edges; /* corner c has the half-edges edges[edge_start[c]] .. that start there */
    int32_t *seen_from;          /* [corner_count] the last corner that saw it, to note it once */
    sight *sights;               /* those of corner c: first those that paths through it may bend at, */
    int32_t *sight_start;        /* [corner_count + 1] from here on, */
    int32_t *sight_ends;         /* [corner_count] then others, from here on, where paths may end */
    int32_t sight_count, sight_room;
    int32_t ahead[4]; /* of what lies on the line of one of the corner's walls, either way: the nearest, -1: none */
    portals_cone *open;
    int32_t open_count, open_room;
    int64_t looked;
    int32_t landmark[THRONG_LANDMARKS];
    float *lengths; /* [corner_count * THRONG_LANDMARKS] m */
    double *apart;  /* [corner_count] m */
    int32_t *order; /* [corner_count] that paths are looked for in */
    uint8_t *stale; /* [corner_count] 1: a corner that it sees is nearer than when it was reached */
    throng_heap heap;
} landmarks;

/* --- what corners see --- */

static throng_point place_of(const landmarks *m, int32_t corner)
{
    int32_t e = m->edges[m->edge_start[corner]];
    return (throng_point){m->mesh->ax[e], m->mesh->ay[e]};
}

/* Which of the corner's walls lie left (1) or right (-1) of the line along a ray: their product is below 0 where it has
 * one on either side, and no path along it bends round the corner. */
typedef struct sides {
    int a, b;
} sides;

static int side(double cross) { return (cross > 0) - (cross < 0); }

static sides sides_of(const throng_path_corner *c, throng_point at, throng_point ray)
{
    return (sides){side(portals_cross(ray.x, ray.y, c->ax - at.x, c->ay - at.y)),
                   side(portals_cross(ray.x, ray.y, c->bx - at.x, c->by - at.y))};
}

/* No ray of the cone has both walls on one side: at its rims they are apart, the same way. */
static bool is_useless(const throng_path_corner *c, throng_point at, const portals_cone *cone)
{
    sides r = sides_of(c, at, cone->rays[PORTALS_RIGHT]), l = sides_of(c, at, cone->rays[PORTALS_LEFT]);
    return r.a * r.b < 0 && l.a * l.b < 0 && r.a == l.a;
}

/* Of what lies on the line of a wall the nearest tells all: paths to the others lead past it. The place that it is
 * noted in, -1: something is nearer. */
static int32_t place_ahead(landmarks *m, throng_point ray, double wall_x, double wall_y, int wall, float length)
{
    int32_t *nearest = &m->ahead[2 * wall + (ray.x * wall_x + ray.y * wall_y > 0)];
    if (*nearest >= 0 && m->sights[*nearest].length <= length)
        return -1;
    return *nearest = *nearest >= 0 ? *nearest : m->sight_count;
}

/* Notes a corner that is seen; `all`: also where no path bends to it. */
static bool note(landmarks *m, int32_t from, throng_point at, int32_t corner, throng_point place, bool all)
{
    if (corner < 0 || corner == from || m->seen_from[corner] == from)
        return true;
    const throng_path_corner *c = &m->net->corners[from];
    throng_point ray = portals_between(at, place);
    sides s = sides_of(c, at, ray);
    if (!all && s.a * s.b < 0)
        return true;
    if (!throng_array_reserve((void **)&m->sights, &m->sight_room, (int64_t)m->sight_count + 1, sizeof *m->sights))
        return false;
    float length = (float)portals_distance(at, place);
    int32_t to = m->sight_count;
    if (s.a == 0 || s.b == 0)
        to =
            place_ahead(m, ray, (s.a == 0 ? c->ax : c->bx) - at.x, (s.a == 0 ? c->ay : c->by) - at.y, s.a != 0, length);
    m->seen_from[corner] = from;
    if (to < 0)
        return true;
    m->sights[to] = (sight){corner, length};
    m->sight_count += to == m->sight_count;
    return true;
}

static bool note_ends(landmarks *m, int32_t from, throng_point at, const portals_cone *seen, int ends, bool all)
{
    const throng_path_portal *p = &m->net->portals[seen->portal];
    if ((ends & PORTALS_TURN_RIGHT && !note(m, from, at, p->at_start, p->start, all)) ||
        (ends & PORTALS_TURN_LEFT && !note(m, from, at, p->at_end, p->end, all)))
        return false;
    if (!all && is_useless(&m->net->corners[from], at, seen))
        return true;
    if (!throng_array_reserve((void **)&m->open, &m->open_room, (int64_t)m->open_count + 1, sizeof *m->open))
        return false;
    m->open[m->open_count++] = *seen;
    return true;
}

/* The faces round the corner: their portals that do not end there are seen whole. */
static bool look_round(landmarks *m, int32_t from, throng_point at, bool all)
{
    enum { BOTH = PORTALS_TURN_LEFT | PORTALS_TURN_RIGHT };
    bool fine = true;
    for (int32_t k = m->edge_start[from]; k < m->edge_start[from + 1]; k++) {
        int32_t face = m->mesh->face[m->edges[k]];
        for (int32_t i = m->net->first[face]; fine && i < m->net->first[face + 1]; i++) {
            const throng_path_portal *p = &m->net->portals[i];
            portals_cone whole = portals_whole_cone(at, i, p);
            if (p->at_start == from)
                fine = note(m, from, at, p->at_end, p->end, all);
            else if (p->at_end == from)
                fine = note(m, from, at, p->at_start, p->start, all);
            else
                fine = note_ends(m, from, at, &whole, BOTH, all);
        }
    }
    return fine;
}

/* Notes all corners that are seen from one, where paths may bend round it. */
static bool look_from(landmarks *m, int32_t from, bool all)
{
    const throng_path_portal *portals = m->net->portals;
    throng_point at = place_of(m, from);
    memset(m->ahead, -1, sizeof m->ahead);
    bool fine = look_round(m, from, at, all);
    while (fine && m->open_count > 0) {
        portals_cone cone = m->open[--m->open_count], seen;
        int32_t entrance = portals[cone.portal].twin;
        m->looked++;
        for (int32_t i = portals[entrance].next; fine && i != entrance; i = portals[i].next) {
            int ends;
            if (portals_see(at, &cone, i, &portals[i], &seen, &ends))
                fine = note_ends(m, from, at, &seen, ends, all);
        }
    }
    return fine;
}

/* Puts those first that paths may bend at. Returns where the others begin. */
static int32_t sort_sights(landmarks *m, int32_t from, int32_t first)
{
    int32_t bends = first;
    throng_point at = place_of(m, from);
    for (int32_t i = first; i < m->sight_count; i++) {
        sight seen = m->sights[i];
        throng_point place = place_of(m, seen.corner);
        sides s = sides_of(&m->net->corners[seen.corner], place, portals_between(at, place));
        if (s.a * s.b < 0)
            continue;
        m->sights[i] = m->sights[bends];
        m->sights[bends++] = seen;
    }
    return bends;
}

/* Of every corner; *few becomes false where that is too much. */
static bool look(landmarks *m, bool *few)
{
    for (int32_t c = 0; c < m->net->corner_count; c++)
        m->seen_from[c] = -1;
    for (int32_t c = 0; c < m->net->corner_count && *few; c++) {
        m->sight_start[c] = m->sight_count;
        if (!look_from(m, c, false) || throng_given_up_at(c))
            return false;
        m->sight_ends[c] = sort_sights(m, c, m->sight_start[c]);
        *few = m->looked <= (int64_t)MOST_LOOKED * m->net->corner_count;
    }
    m->sight_start[m->net->corner_count] = m->sight_count;
    return true;
}

/* --- which corners --- */

static bool is_in_largest(const landmarks *m, int32_t corner)
{
    return m->mesh->component[m->mesh->face[m->edges[m->edge_start[corner]]]] == 0;
}

static int32_t farthest(const landmarks *m)
{
    int32_t best = 0;
    for (int32_t c = 1; c < m->net->corner_count; c++)
        best = m->apart[c] > m->apart[best] ? c : best;
    return best;
}

/* Of the largest component, the westernmost corner, and then always the farthest from all before it, as the crow flies.
 */
static void choose(landmarks *m)
{
    for (int32_t c = 0; c < m->net->corner_count; c++)
        m->apart[c] = is_in_largest(m, c) ? -place_of(m, c).x : -INFINITY;
    for (int k = 0; k < THRONG_LANDMARKS; k++) {
        int32_t chosen = m->landmark[k] = farthest(m);
        throng_point at = place_of(m, chosen);
        for (int32_t c = 0; c < m->net->corner_count; c++) {
            double away = portals_distance(at, place_of(m, c));
            bool nearer = m->apart[c] > -INFINITY && (k == 0 || away < m->apart[c]);
            m->apart[c] = nearer ? away : m->apart[c];
        }
    }
}

/* --- lengths --- */

static float *lengths_of(const landmarks *m, int32_t corner) { return m->lengths + (size_t)corner * THRONG_LANDMARKS; }

/* Straight from the landmark to all that it sees. */
static bool begin(landmarks *m, int k)
{
    int32_t first = m->sight_count;
    for (int32_t c = 0; c < m->net->corner_count; c++)
        m->seen_from[c] = -1;
    bool fine = look_from(m, m->landmark[k], true);
    for (int32_t i = first; fine && i < m->sight_count; i++)
        lengths_of(m, m->sights[i].corner)[k] = m->sights[i].length;
    lengths_of(m, m->landmark[k])[k] = 0;
    m->sight_count = first;
    return fine;
}

/* Corners in the order of their distance from the first landmark; then those that no path leads on from. */
static bool put_in_order(landmarks *m)
{
    throng_heap *heap = &m->heap;
    int32_t count = 0, corners = m->net->corner_count;
    bool fine = true;
    for (int32_t c = 0; c < corners; c++) {
        m->apart[c] = lengths_of(m, c)[0];
        m->seen_from[c] = -1;
        fine = fine && (isinf(m->apart[c]) || throng_heap_push(heap, m->apart[c], c));
    }
    while (fine && heap->count > 0) {
        int32_t at = throng_heap_pop(heap);
        if (m->seen_from[at] >= 0)
            continue;
        m->seen_from[at] = 0;
        m->order[count++] = at;
        for (int32_t i = m->sight_start[at]; fine && i < m->sight_ends[at]; i++) {
            double length = m->apart[at] + m->sights[i].length, *there = &m->apart[m->sights[i].corner];
            if (!(length < *there))
                continue;
            *there = length;
            fine = throng_heap_push(heap, length, m->sights[i].corner);
        }
    }
    for (int32_t c = 0; c < corners && fine; c++)
        if (m->seen_from[c] < 0)
            m->order[count++] = c;
    return fine;
}

/* Paths to one corner by way of another, from all landmarks at once. */
static void reach(float *restrict to, const float *restrict by, float length)
{
    for (int k = 0; k < THRONG_LANDMARKS; k++) {
        float there = by[k] + length;
        to[k] = there < to[k] ? there : to[k];
    }
}

/* True when some path became shorter: those that see the corner look again. */
static bool reach_corner(landmarks *m, int32_t corner)
{
    float before[THRONG_LANDMARKS], *lengths = lengths_of(m, corner);
    memcpy(before, lengths, sizeof before);
    for (int32_t i = m->sight_start[corner]; i < m->sight_ends[corner]; i++)
        reach(lengths, lengths_of(m, m->sights[i].corner), m->sights[i].length);
    m->stale[corner] = 0;
    if (memcmp(before, lengths, sizeof before) == 0)
        return false;
    for (int32_t i = m->sight_start[corner]; i < m->sight_ends[corner]; i++)
        m->stale[m->sights[i].corner] = 1;
    return true;
}

/* Goes through the stale corners in order, or back. Returns how many were reached. */
static int32_t sweep_once(landmarks *m, bool back, bool *changed)
{
    int32_t corners = m->net->corner_count, reached = 0;
    for (int32_t i = 0; i < corners; i++) {
        int32_t corner = m->order[back ? corners - 1 - i : i];
        if (!m->stale[corner])
            continue;
        *changed |= reach_corner(m, corner);
        reached++;
    }
    return reached;
}

/* All shortest paths, of all landmarks: there and back in the order of corners until nothing changes. As such a path
 * nears the first landmark, as a rule, and then leaves it, most is known soon. At last all are asked once more, since
 * not everything that is seen by another sees it. */
static bool sweep(landmarks *m, bool *few)
{
    int64_t reached = 0, most = (int64_t)MOST_REACHED * m->net->corner_count;
    bool changed = true, back = true;
    while (changed && (*few = reached <= most)) {
        changed = false;
        memset(m->stale, 1, (size_t)m->net->corner_count);
        for (int32_t count = 1; count > 0 && reached <= most; back = !back) {
            reached += count = sweep_once(m, back, &changed);
            if (throng_given_up())
                return false;
        }
    }
    return true;
}

/* Where paths may only end, they come from some corner that they may go on from. */
static void end_paths(landmarks *m)
{
    for (int32_t c = 0; c < m->net->corner_count; c++)
        for (int32_t i = m->sight_ends[c]; i < m->sight_start[c + 1]; i++)
            reach(lengths_of(m, m->sights[i].corner), lengths_of(m, c), m->sights[i].length);
}

static bool measure(landmarks *m, bool *few)
{
    bool fine = true;
    for (size_t i = 0; i < (size_t)m->net->corner_count * THRONG_LANDMARKS; i++)
        m->lengths[i] = INFINITY;
    for (int k = 0; fine && k < THRONG_LANDMARKS; k++)
        fine = begin(m, k);
    fine = fine && put_in_order(m) && sweep(m, few);
    if (fine)
        end_paths(m);
    return fine;
}

/* --- the net's part --- */

static void list_edges(landmarks *m)
{
    const throng_path_net *net = m->net;
    memset(m->edge_start, 0, ((size_t)net->corner_count + 2) * sizeof *m->edge_start);
    for (int32_t e = 0; e < net->edge_count; e++)
        if (net->corner[e] >= 0)
            m->edge_start[net->corner[e] + 2]++;
    for (int32_t c = 0; c < net->corner_count; c++)
        m->edge_start[c + 2] += m->edge_start[c + 1];
    for (int32_t e = 0; e < net->edge_count; e++)
        if (net->corner[e] >= 0)
            m->edges[m->edge_start[net->corner[e] + 1]++] = e;
}

static bool make_room(throng_path_net *net, int32_t rows)
{
    net->row = malloc(((size_t)net->edge_count + 1) * sizeof *net->row);
    net->lengths = malloc(((size_t)rows * THRONG_LANDMARKS + 1) * sizeof *net->lengths);
    net->row_count = rows;
    return net->row && net->lengths;
}

/* Of the corners that the landmarks reach, which are those of the largest component. */
static void write_lengths(landmarks *m)
{
    throng_path_net *net = m->net;
    size_t count = (size_t)net->corner_count * THRONG_LANDMARKS;
    float longest = 1;
    for (size_t i = 0; i < count; i++)
        longest = isfinite(m->lengths[i]) && m->lengths[i] > longest ? m->lengths[i] : longest;
    net->length_unit = (double)longest / UINT16_MAX;
    for (size_t i = 0; i < count; i++)
        net->lengths[i] = isfinite(m->lengths[i]) ? (uint16_t)lrint(m->lengths[i] / net->length_unit) : 0;
    for (int32_t e = 0; e < net->edge_count; e++) {
        int32_t c = net->corner[e];
        net->row[e] = c >= 0 && isfinite(lengths_of(m, c)[0]) ? c : -1;
        if (c >= 0)
            net->corners[c].row = net->row[e];
    }
    net->landmark_count = THRONG_LANDMARKS;
}

static void fini(landmarks *m)
{
    free(m->edge_start);
    free(m->edges);
    free(m->seen_from);
    free(m->sight_start);
    free(m->sight_ends);
    free(m->sights);
    free(m->open);
    free(m->lengths);
    free(m->apart);
    free(m->order);
    free(m->stale);
    free(m->heap.entries);
}

static void drop_landmarks(throng_path_net *net)
{
    free(net->row);
    free(net->lengths);
    net->row = NULL;
    net->lengths = NULL;
    net->landmark_count = net->row_count = 0;
    for (int32_t c = 0; c < net->corner_count; c++)
        net->corners[c].row = -1;
}

bool throng_path_landmarks_find(throng_path_net *net, const throng_navmesh *mesh)
{
    if (net->corner_count < LEAST_CORNERS)
        return true;
    size_t corners = (size_t)net->corner_count + 2;
    landmarks m = {.net = net,
                   .mesh = mesh,
                   .edge_start = malloc(corners * sizeof *m.edge_start),
                   .edges = malloc(((size_t)net->edge_count + 1) * sizeof *m.edges),
                   .seen_from = malloc(corners * sizeof *m.seen_from),
                   .sight_start = malloc(corners * sizeof *m.sight_start),
                   .sight_ends = malloc(corners * sizeof *m.sight_ends),
                   .lengths = malloc(corners * THRONG_LANDMARKS * sizeof *m.lengths),
                   .apart = malloc(corners * sizeof *m.apart),
                   .order = malloc(corners * sizeof *m.order),
                   .stale = malloc(corners)};
    bool few = true, fine = m.edge_start && m.edges && m.seen_from && m.sight_start && m.sight_ends && m.lengths &&
                            m.apart && m.order && m.stale;
    if (fine) {
        list_edges(&m);
        choose(&m);
        fine = look(&m, &few) && (!few || measure(&m, &few));
    }
    if (fine && few && (fine = make_room(net, net->corner_count)))
        write_lengths(&m);
    fini(&m);
    if (!fine)
        drop_landmarks(net);
    return fine;
}

bool throng_path_landmarks_copy(throng_path_net *to, const throng_path_net *from)
{
    if (from->landmark_count == 0)
        return true;
    if (!make_room(to, from->row_count)) {
        drop_landmarks(to);
        return false;
    }
    memcpy(to->row, from->row, (size_t)from->edge_count * sizeof *to->row);
    memcpy(to->lengths, from->lengths, (size_t)from->row_count * THRONG_LANDMARKS * sizeof *to->lengths);
    to->length_unit = from->length_unit;
    to->landmark_count = from->landmark_count;
    for (int32_t e = 0; e < to->edge_count; e++)
        if (to->corner[e] >= 0)
            to->corners[to->corner[e]].row = to->row[e];
    return true;
}
