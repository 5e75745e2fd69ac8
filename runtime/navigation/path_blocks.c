#include "path_blocks.h"

#include <stdlib.h>

/* A block hangs from one face, which is none of its members; the first block of a component from none. */
typedef struct blocks {
    throng_path_net *net;
    int32_t *order;  /* [face_count] in which faces were found, from 1; 0: not yet */
    int32_t *low;    /* [face_count] the first that a face and those found from it lead to */
    int32_t *from;   /* [face_count] the face that a face was found from, -1: none */
    int32_t *at;     /* [face_count] the portal to look at next */
    int32_t *open;   /* faces that are in no block yet, in the order they were found */
    int32_t *member; /* faces block by block; blocks follow those that hang from them */
    int32_t *start;  /* [count + 1] of each block's members */
    int32_t *hangs;  /* [count] the face it hangs from, -1: none */
    int32_t *block;  /* [face_count] that a face is a member of */
    int32_t count, open_count, member_count;
} blocks;

/* The faces found since `last`, itself included, are a block. */
static void close_block(blocks *b, int32_t last, int32_t hangs)
{
    int32_t face;
    do {
        face = b->open[--b->open_count];
        b->member[b->member_count++] = face;
        b->block[face] = b->count;
    } while (face != last);
    b->hangs[b->count++] = hangs;
    b->start[b->count] = b->member_count;
}

static void find(blocks *b, int32_t face, int32_t from, int32_t *found)
{
    b->order[face] = b->low[face] = ++*found;
    b->from[face] = from;
    b->at[face] = b->net->first[face];
    b->open[b->open_count++] = face;
}

/* Depth first, without recursion: the way back leads along `from`. */
static void find_from(blocks *b, int32_t root, int32_t *found)
{
    find(b, root, -1, found);
    for (int32_t face = root; face >= 0;) {
        if (b->at[face] < b->net->first[face + 1]) {
            int32_t beyond = b->net->portals[b->at[face]++].beyond;
            if (b->order[beyond] && b->order[beyond] < b->low[face])
                b->low[face] = b->order[beyond];
            if (b->order[beyond])
                continue;
            find(b, beyond, face, found);
            face = beyond;
            continue;
        }
        int32_t from = b->from[face];
        if (from < 0 || b->low[face] >= b->order[from])
            close_block(b, face, from);
        else if (b->low[face] < b->low[from])
            b->low[from] = b->low[face];
        face = from;
    }
}

/* Faces behind each: the members of blocks that hang from it, and those behind these. */
static void count_behind(const blocks *b, int32_t *behind)
{
    for (int32_t f = 0; f < b->net->face_count; f++)
        behind[f] = 0;
    for (int32_t k = 0; k < b->count; k++)
        for (int32_t i = b->start[k]; b->hangs[k] >= 0 && i < b->start[k + 1]; i++)
            behind[b->hangs[k]] += 1 + behind[b->member[i]];
}

/* Numbers faces so that all behind a face follow it, and all in and behind a block are a range: first[k] .. last[k].
 * `next`: the number that the next face behind a face gets. */
static void number_faces(const blocks *b, const int32_t *behind, int32_t *next, int32_t *first, int32_t *last)
{
    int32_t numbers = 0;
    for (int32_t k = b->count - 1; k >= 0; k--) {
        int32_t *number = b->hangs[k] >= 0 ? &next[b->hangs[k]] : &numbers;
        first[k] = *number;
        for (int32_t i = b->start[k]; i < b->start[k + 1]; i++) {
            int32_t face = b->member[i];
            b->net->number[face] = *number;
            next[face] = *number + 1;
            *number += 1 + behind[face];
        }
        last[k] = *number - 1;
    }
}

/* Portals into a block that hangs from their face lead to what is in and behind it; all others, to what is not behind
 * the face. */
static void write_branches(const blocks *b, const int32_t *behind, const int32_t *first, const int32_t *last)
{
    throng_path_net *net = b->net;
    net->branch_count = 0;
    for (int32_t f = 0; f < net->face_count; f++)
        for (int32_t i = net->first[f]; i < net->first[f + 1]; i++) {
            int32_t beyond = net->portals[i].beyond, k = b->block[beyond];
            bool into = b->hangs[k] == f;
            if (!into && behind[f] == 0)
                continue;
            net->branches[net->branch_count] = (throng_path_branch){beyond, into ? first[k] : net->number[f] + 1,
                                                                    into ? last[k] : net->number[f] + behind[f], into};
            net->portals[i].beyond = ~net->branch_count++;
        }
}

bool throng_path_net_find_branches(throng_path_net *net)
{
    enum { ARRAYS = 13 };
    size_t faces = (size_t)net->face_count + 1;
    int32_t *room = calloc(ARRAYS * faces, sizeof *room), found = 0;
    if (!room)
        return false;
    int32_t *array[ARRAYS];
    for (int i = 0; i < ARRAYS; i++)
        array[i] = room + (size_t)i * faces;
    blocks b = {.net = net,
                .order = array[0],
                .low = array[1],
                .from = array[2],
                .at = array[3],
                .open = array[4],
                .member = array[5],
                .start = array[6],
                .hangs = array[7],
                .block = array[8]};
    for (int32_t f = 0; f < net->face_count; f++)
        if (!b.order[f])
            find_from(&b, f, &found);
    count_behind(&b, array[9]);
    number_faces(&b, array[9], array[10], array[11], array[12]);
    write_branches(&b, array[9], array[11], array[12]);
    free(room);
    return true;
}
