/* Navigation meshes, roadmaps, and the shortest paths over both, flattened. */
#ifndef THRONG_NAVIGATION_H
#define THRONG_NAVIGATION_H

#include "array_table.h"

/* What a half-edge lies on that hides what is behind from those who look for nodes of a roadmap. */
enum throng_side { THRONG_SIDE_OPEN, THRONG_SIDE_SHUT, THRONG_SIDE_ON_SEAM };

/* clang-format off */
#define THRONG_NAVIGATION_ARRAYS(X) \
    X(float, ax, t->edges) /* m */ \
    X(float, ay, t->edges) \
    X(float, bx, t->edges) \
    X(float, by, t->edges) \
    X(int32_t, twin, t->edges) \
    X(int32_t, face, t->edges) \
    X(int32_t, shut, t->edges) /* throng_side: on a closed door, or on a seam between parts of a building */ \
    /* Face f has the lines line_start[f] up to the next face's. Line l has the half-edges line_side[l] up to the next
     * line's, in a row; who is outside any of them is where (x, y) times (line_x, line_y) is less than line_least. */ \
    X(int32_t, line_start, t->faces + 1) \
    X(int32_t, line_side, t->lines + 1) \
    X(float, line_x, t->lines) /* unit normal, inwards */ \
    X(float, line_y, t->lines) \
    X(float, line_least, t->lines) /* m: a millimetre inside */ \
    X(int32_t, part, t->faces) /* of a building, by its first sheet; 0: all is one plane */ \
    /* Tree t has an entry for every half-edge e of its mesh at tree_base[t] + e (tree_base takes the mesh's first
     * half-edge off). */ \
    X(int32_t, tree_base, t->trees) \
    X(int32_t, next, t->tree_entries) /* the half-edge by which who leaves by this one leaves the next face, -1: none */ \
    /* Windows (throng_path_map_window): face f of tree t has window_start[side_base[t] + f] up to the next entry's. */ \
    X(int32_t, window_start, t->side_entries) \
    X(float, right_x, t->windows) /* m */ \
    X(float, right_y, t->windows) \
    X(float, left_x, t->windows) \
    X(float, left_y, t->windows) \
    X(int32_t, window_edge, t->windows) \
    X(int32_t, window_root, t->windows) \
    X(int32_t, window_next, t->windows) /* on the way to the same root, -1: none */ \
    X(float, window_least, t->windows) /* m: no way through it, or those of its face after it, is shorter */ \
    X(float, root_ax, t->roots) /* m: see throng_path_map_root */ \
    X(float, root_ay, t->roots) \
    X(float, root_bx, t->roots) \
    X(float, root_by, t->roots) \
    X(float, root_on_x, t->roots) \
    X(float, root_on_y, t->roots) \
    X(float, root_rest, t->roots) \
    /* The goal cut to each face that holds some of it: face f of tree t has the sides side_start[side_base[t] + f] up
     * to the next entry's (side_base takes the mesh's first face off). A side is a point twice where the goal is one. */ \
    X(int32_t, side_base, t->trees) \
    X(int32_t, side_start, t->side_entries) /* faces + 1 for each tree */ \
    X(float, side_ax, t->sides) /* m */ \
    X(float, side_ay, t->sides) \
    X(float, side_bx, t->sides) \
    X(float, side_by, t->sides) \
    X(int32_t, side_part, t->sides) /* of the face */ \
    /* To find the face nearest to a point: mesh m has a grid of cells (row by row from the lower left corner), cell c
     * of it lists the faces that overlap it as face_list[face_cell[c] .. face_cell[c + 1]), c counted from
     * mesh_cells[m] on. */ \
    X(int32_t, tree_mesh, t->trees) \
    X(float, mesh_x, t->meshes) /* m: lower left corner, side of a cell */ \
    X(float, mesh_y, t->meshes) \
    X(float, mesh_cell, t->meshes) \
    X(int32_t, mesh_columns, t->meshes) \
    X(int32_t, mesh_rows, t->meshes) \
    X(int32_t, mesh_cells, t->meshes) \
    X(int32_t, face_cell, t->cells + 1) \
    X(int32_t, face_list, t->listed) \
    /* Congestion, for the trees that heed it (1): what passing a half-edge costs beside its length, m, and the square
     * of how far the crowd before it reaches, m^2. */ \
    X(int32_t, tree_congestion, t->trees) \
    X(float, delay, t->edges) \
    X(float, congestion_square, t->edges) \
    /* Roadmaps: face f lists the nodes seen from somewhere in it as node_list[node_start[f] .. node_start[f + 1]). */ \
    X(float, node_x, t->nodes) /* m: what is steered for */ \
    X(float, node_y, t->nodes) \
    X(int32_t, node_part, t->nodes) /* it lies on */ \
    X(int32_t, node_start, t->faces + 1) \
    X(int32_t, node_list, t->node_entries) \
    /* A tree over a roadmap has no portals (its entries above are not used): its goal's sides are side_ax ..
     * [road_side .. road_side_end), road_side is -1 for a tree over portals. Node n's length to the goal is
     * road_cost[road_base + n]. */ \
    X(int32_t, road_side, t->trees) \
    X(int32_t, road_side_end, t->trees) \
    X(int32_t, road_base, t->trees) \
    X(int32_t, road_heeds, t->trees) /* 1: closed doors hide what is behind */ \
    X(float, road_cost, t->road_entries) /* m */
/* clang-format on */

/* Meshes and shortest-path maps, flattened: half-edge and face indices are global. */
typedef struct throng_navigation {
    int32_t faces, edges, lines, trees, tree_entries, windows, roots, side_entries, sides, meshes, cells, listed, nodes,
        node_entries, road_entries;
    THRONG_NAVIGATION_ARRAYS(THRONG_ARRAY_MEMBER)
} throng_navigation;

#endif
