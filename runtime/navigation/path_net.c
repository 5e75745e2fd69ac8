#include "path_net.h"

#include <stdlib.h>

#include "map/geometry.h"

static int32_t previous_of(const throng_navmesh *mesh, int32_t e)
{
    return e == mesh->face_start[mesh->face[e]] ? mesh->face_start[mesh->face[e] + 1] - 1 : e - 1;
}

/* A closed door is a wall. */
static int32_t twin_of(const throng_navmesh *mesh, int32_t e) { return mesh->shut[e] ? -1 : mesh->twin[e]; }

/* Paths bend round bodies, even where they may lead through them for want of another. */
static bool ends_at(const throng_navmesh *mesh, int32_t e)
{
    return twin_of(mesh, e) < 0 || throng_navmesh_ends_at(mesh, e);
}

static throng_point from_of(const throng_navmesh *mesh, int32_t e) { return (throng_point){mesh->ax[e], mesh->ay[e]}; }

static throng_point to_of(const throng_navmesh *mesh, int32_t e) { return (throng_point){mesh->bx[e], mesh->by[e]}; }

/* Free space turns by more than half a turn from the wall `in` to the wall `out`, which starts where it ends. A wall
 * that comes back on itself has free space all round. */
static bool bends(const throng_navmesh *mesh, int32_t in, int32_t out)
{
    throng_point a = from_of(mesh, in), p = from_of(mesh, out), b = to_of(mesh, out);
    double turn = throng_turn(a, p, b);
    return turn < 0 || (turn == 0 && (p.x - a.x) * (b.x - p.x) + (p.y - a.y) * (b.y - p.y) < 0);
}

/* Goes round the start of wall `out`, through free space, to the wall that leads there; gives every half-edge on the
 * path (they all start there) the corner `*corner`, which becomes the next where a portal has a cost. -1: none. */
static int32_t go_round(throng_path_net *net, const throng_navmesh *mesh, int32_t out, int32_t *corner)
{
    for (int32_t e = out;;) {
        net->corner[e] = *corner;
        int32_t in = previous_of(mesh, e);
        if (ends_at(mesh, in))
            return in;
        *corner += *corner >= 0 && mesh->cost[in] > 0;
        e = mesh->twin[in];
    }
}

static void find_corners(throng_path_net *net, const throng_navmesh *mesh)
{
    for (int32_t out = 0; out < mesh->edge_count; out++) {
        if (!ends_at(mesh, out))
            continue;
        int32_t none = -1, in = go_round(net, mesh, out, &none);
        if (!bends(mesh, in, out))
            continue;
        int32_t last = net->corner_count;
        go_round(net, mesh, out, &last);
        while (net->corner_count <= last)
            net->corners[net->corner_count++] =
                (throng_path_corner){mesh->ax[in], mesh->ay[in], mesh->bx[out], mesh->by[out]};
    }
}

/* --- dead ends --- */

typedef struct peel {
    int32_t *portals; /* [face_count] ways out that are left */
    int32_t *exit;    /* [face_count] the half-edge by which a face of a dead end is left, -1: it is in none */
    int32_t *order;   /* faces in dead ends, what lies behind a face before it */
    int32_t *size;    /* [face_count] faces behind it, itself counted */
    int32_t count;
} peel;

/* The only way left out of a face, or -1. */
static int32_t exit_of(const throng_navmesh *mesh, const peel *p, int32_t face)
{
    for (int32_t e = mesh->face_start[face]; e < mesh->face_start[face + 1]; e++)
        if (twin_of(mesh, e) >= 0 && p->exit[mesh->face[mesh->twin[e]]] < 0)
            return e;
    return -1;
}

/* Takes away faces with one way out until none is left. */
static void peel_faces(const throng_navmesh *mesh, peel *p)
{
    int32_t seen = 0, *queue = p->size; /* sizes come later */
    for (int32_t f = 0; f < mesh->face_count; f++) {
        p->portals[f] = 0;
        p->exit[f] = -1;
        for (int32_t e = mesh->face_start[f]; e < mesh->face_start[f + 1]; e++)
            p->portals[f] += twin_of(mesh, e) >= 0;
        if (p->portals[f] == 1)
            queue[seen++] = f;
    }
    for (int32_t k = 0; k < seen; k++) {
        int32_t f = queue[k];
        if (p->portals[f] != 1)
            continue; /* the last of its component */
        p->exit[f] = exit_of(mesh, p, f);
        p->order[p->count++] = f;
        int32_t beyond = mesh->face[mesh->twin[p->exit[f]]];
        if (--p->portals[beyond] == 1)
            queue[seen++] = beyond;
    }
}

static int32_t face_before(const throng_navmesh *mesh, const peel *p, int32_t face)
{
    return mesh->face[mesh->twin[p->exit[face]]];
}

/* Marks the portal of face `from` that leads to the dead end behind face `to`. */
static void mark_branch(throng_path_net *net, int32_t edge, int32_t from, int32_t to)
{
    for (int32_t i = net->first[from]; i < net->first[from + 1]; i++)
        if (net->portals[i].edge == edge)
            net->portals[i].beyond = ~to;
}

/* Numbers the faces in dead ends so that all behind one are a range. */
static void number_branches(throng_path_net *net, const throng_navmesh *mesh, peel *p)
{
    int32_t numbers = 0, *next = p->portals; /* the number that the next face behind a face gets */
    for (int32_t f = 0; f < mesh->face_count; f++) {
        p->size[f] = 1;
        net->branch_first[f] = net->branch_last[f] = -1;
    }
    for (int32_t k = 0; k < p->count; k++)
        p->size[face_before(mesh, p, p->order[k])] += p->size[p->order[k]];
    for (int32_t k = p->count - 1; k >= 0; k--) {
        int32_t f = p->order[k], before = face_before(mesh, p, f);
        int32_t *number = p->exit[before] >= 0 ? &next[before] : &numbers;
        net->branch_first[f] = *number;
        net->branch_last[f] = *number + p->size[f] - 1;
        *number += p->size[f];
        next[f] = net->branch_first[f] + 1;
        mark_branch(net, mesh->twin[p->exit[f]], before, f);
    }
}

static bool find_branches(throng_path_net *net, const throng_navmesh *mesh)
{
    size_t faces = (size_t)mesh->face_count + 1;
    peel p = {.portals = malloc(faces * sizeof(int32_t)),
              .exit = malloc(faces * sizeof(int32_t)),
              .order = malloc(faces * sizeof(int32_t)),
              .size = malloc(faces * sizeof(int32_t))};
    bool fine = p.portals && p.exit && p.order && p.size;
    if (fine) {
        peel_faces(mesh, &p);
        number_branches(net, mesh, &p);
    }
    free(p.portals);
    free(p.exit);
    free(p.order);
    free(p.size);
    return fine;
}

/* --- portals --- */

static int32_t next_of(const throng_navmesh *mesh, int32_t e)
{
    int32_t face = mesh->face[e];
    return e + 1 == mesh->face_start[face + 1] ? mesh->face_start[face] : e + 1;
}

static void add_portal(throng_path_net *net, const throng_navmesh *mesh, int32_t e, int32_t at)
{
    net->portals[at] = (throng_path_portal){.start = from_of(mesh, e),
                                            .end = to_of(mesh, e),
                                            .beyond = mesh->face[mesh->twin[e]],
                                            .next = at + 1,
                                            .edge = e,
                                            .at_start = net->corner[e],
                                            .at_end = net->corner[next_of(mesh, e)],
                                            .cost = mesh->cost[e]};
}

/* The portal of the face beyond that is the same half-edge's twin. */
static int32_t find_twin(const throng_path_net *net, const throng_navmesh *mesh, const throng_path_portal *p)
{
    int32_t at = net->first[p->beyond];
    while (net->portals[at].edge != mesh->twin[p->edge])
        at++;
    return at;
}

static void find_portals(throng_path_net *net, const throng_navmesh *mesh)
{
    int32_t count = 0;
    net->most_portals = net->most_costly = 0;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t costly = 0;
        net->first[f] = count;
        for (int32_t e = mesh->face_start[f]; e < mesh->face_start[f + 1]; e++) {
            if (twin_of(mesh, e) < 0)
                continue;
            costly += mesh->cost[e] > 0;
            add_portal(net, mesh, e, count++);
        }
        net->most_costly = costly > net->most_costly ? costly : net->most_costly;
        if (count > net->first[f])
            net->portals[count - 1].next = net->first[f];
        net->most_portals = count - net->first[f] > net->most_portals ? count - net->first[f] : net->most_portals;
    }
    net->first[mesh->face_count] = count;
    for (int32_t i = 0; i < count; i++)
        net->portals[i].twin = find_twin(net, mesh, &net->portals[i]);
}

/* --- lifetime --- */

static bool fill(throng_path_net *net, const throng_navmesh *mesh)
{
    size_t edges = (size_t)mesh->edge_count + 1, faces = (size_t)mesh->face_count + 1, portals = 1;
    for (int32_t e = 0; e < mesh->edge_count; e++)
        portals += mesh->twin[e] >= 0;
    net->portals = aligned_alloc(_Alignof(throng_path_portal), portals * sizeof *net->portals);
    net->first = malloc(faces * sizeof *net->first);
    net->corners = malloc(edges * sizeof *net->corners);
    net->corner = malloc(edges * sizeof *net->corner);
    net->branch_first = malloc(faces * sizeof *net->branch_first);
    net->branch_last = malloc(faces * sizeof *net->branch_last);
    return net->portals && net->first && net->corners && net->corner && net->branch_first && net->branch_last &&
           throng_path_net_update(net, mesh);
}

bool throng_path_net_update(throng_path_net *net, const throng_navmesh *mesh)
{
    for (int32_t e = 0; e < mesh->edge_count; e++)
        net->corner[e] = -1;
    net->face_count = mesh->face_count;
    net->edge_count = mesh->edge_count;
    net->corner_count = 0;
    find_corners(net, mesh);
    find_portals(net, mesh);
    return find_branches(net, mesh);
}

throng_path_net *throng_path_net_create(const throng_navmesh *mesh)
{
    throng_path_net *net = calloc(1, sizeof *net);
    if (net && fill(net, mesh))
        return net;
    throng_path_net_destroy(net);
    return NULL;
}

void throng_path_net_destroy(throng_path_net *net)
{
    if (!net)
        return;
    free(net->portals);
    free(net->first);
    free(net->corners);
    free(net->corner);
    free(net->branch_first);
    free(net->branch_last);
    free(net);
}
