#include "path_net.h"

#include <stdlib.h>

#include "map/geometry.h"
#include "path_blocks.h"

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

/* Does passing the side cost something, either way? */
static bool costs(const throng_navmesh *mesh, int32_t e)
{
    return mesh->cost[e] > 0 || (mesh->twin[e] >= 0 && mesh->cost[mesh->twin[e]] > 0);
}

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
        *corner += *corner >= 0 && costs(mesh, in);
        e = mesh->twin[in];
    }
}

static void add_corner(throng_path_net *net, const throng_navmesh *mesh, int32_t in, int32_t out, int32_t row)
{
    net->corners[net->corner_count++] =
        (throng_path_corner){mesh->ax[in], mesh->ay[in], mesh->bx[out], mesh->by[out], row};
}

/* Doors that cost something are straight within a step of the grid alone, where they are of several portals: who walks
 * along one and does not pass it bends there, as at a wall. (Straight on he would pass it, and pay, twice.) */
static void find_bends_of_doors(throng_path_net *net, const throng_navmesh *mesh)
{
    for (int32_t out = 0; out < mesh->edge_count; out++) {
        int32_t in = -1;
        for (int32_t e = out; costs(mesh, out) && !ends_at(mesh, e); e = mesh->twin[in]) {
            in = previous_of(mesh, e);
            if (ends_at(mesh, in) || costs(mesh, in))
                break;
        }
        if (in < 0 || ends_at(mesh, in) || net->corner[out] >= 0 || !bends(mesh, in, out))
            continue;
        for (int32_t e = out;; e = mesh->twin[previous_of(mesh, e)]) {
            net->corner[e] = net->corner_count;
            if (previous_of(mesh, e) == in)
                break;
        }
        add_corner(net, mesh, in, out, -1);
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
            add_corner(net, mesh, in, out, net->row ? net->row[out] : -1);
    }
    find_bends_of_doors(net, mesh);
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

/* Portals that belts run against lead nowhere: no number lies in their branch. */
static void mark_against(throng_path_net *net, const throng_navmesh *mesh)
{
    for (int32_t i = 0; i < net->first[net->face_count]; i++) {
        throng_path_portal *p = &net->portals[i];
        if (!throng_navmesh_runs_against(mesh, p->edge))
            continue;
        int32_t branch = p->beyond < 0 ? ~p->beyond : net->branch_count++;
        net->branches[branch] = (throng_path_branch){mesh->face[mesh->twin[p->edge]], 1, 0, 1};
        p->beyond = ~branch;
    }
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
    net->number = malloc(faces * sizeof *net->number);
    net->branches = malloc(portals * sizeof *net->branches);
    return net->portals && net->first && net->corners && net->corner && net->number && net->branches &&
           throng_path_net_update(net, mesh);
}

bool throng_path_net_update(throng_path_net *net, const throng_navmesh *mesh)
{
    net->shut = false;
    for (int32_t e = 0; e < mesh->edge_count; e++) {
        net->corner[e] = -1;
        net->shut |= mesh->shut[e];
    }
    net->face_count = mesh->face_count;
    net->edge_count = mesh->edge_count;
    net->corner_count = 0;
    find_corners(net, mesh);
    find_portals(net, mesh);
    if (!throng_path_net_find_branches(net))
        return false;
    mark_against(net, mesh);
    return true;
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
    free(net->number);
    free(net->branches);
    free(net->row);
    free(net->lengths);
    free(net);
}
