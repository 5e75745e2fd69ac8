/* Batches of paths on CUDA: what the searches, the trees and their host's side share.
 *
 * All memory stays for the next batch. Queries and answers lie in pinned memory, which kernels read and write where it
 * is, over the bus, wherever a warp's share of that is one piece; so copies go on while others compute. */
#ifndef THRONG_CUDA_PATHS_CUH
#define THRONG_CUDA_PATHS_CUH

#include "cuda.cuh"
#include "kernels/routing/paths.h"

enum {
    PATHS_GRAPH,
    PATHS_QUERIES,
    PATHS_SEARCHES,
    PATHS_PLACES,
    PATHS_HEAPS,
    PATHS_COUNTERS,
    PATHS_GOALS,
    PATHS_TREE_OF,
    PATHS_TREE_COST,
    PATHS_TREE_STEPS,
    PATHS_TREE_NEXT,
    PATHS_TREE_STATE,
    PATHS_TREE_WHERE,
    PATHS_ENTRY,
    PATHS_ANSWERS,
    PATHS_NODES,
    PATHS_HOST_QUERIES, /* pinned from here on; that who asks has filled */
    PATHS_HOST_COPIED,  /* queries from elsewhere */
    PATHS_HOST_COUNTERS,
    PATHS_HOST_ANSWERS,
    PATHS_HOST_NODES,
    PATHS_BLOCKS
};

struct cuda_paths {
    cuda_block block[PATHS_BLOCKS];
    uint32_t stamp; /* of the searches so far */
};

/* What the kernels count. */
struct paths_counters {
    unsigned long long written; /* nodes of paths, there may be room for fewer */
    unsigned int fetched;       /* queries */
    unsigned int bad;           /* is there a query whose nodes are not there? */
    unsigned int full;          /* did a search run out of room? */
    unsigned int changed;
};

/* Answers, as in throng_path_results; one block, of PATHS_ANSWER bytes a query. */
enum { PATHS_ANSWER = sizeof(uint32_t) + sizeof(float) + sizeof(int32_t) };

struct paths_answers {
    uint32_t *first;
    float *cost;
    int32_t *count;
};

/* A batch as the kernels see it. */
struct paths_job {
    throng_graph graph;
    int32_t edges; /* the most out of a node */
    const int32_t *from, *to;
    int32_t queries;
    paths_answers answer;
    int32_t *node; /* of the paths; so many have room */
    int64_t room;
    paths_counters *counters;
};

template <typename T> T *paths_room(cuda_paths *p, int which, size_t count)
{
    return cuda_room<T>(&p->block[which], count, which >= PATHS_HOST_QUERIES);
}

template <typename T> const T *paths_upload(cuda_paths *p, int which, const T *from, size_t count, cudaStream_t stream)
{
    return cuda_upload(&p->block[which], from, count, stream);
}

/* Room for answers in block `which`; false: there is none. */
static inline bool paths_answers_in(cuda_paths *p, int which, int32_t queries, paths_answers *a)
{
    a->first = (uint32_t *)paths_room<char>(p, which, (size_t)queries * PATHS_ANSWER);
    a->cost = (float *)(a->first + queries);
    a->count = (int32_t *)(a->cost + queries);
    return a->first != NULL;
}

/* Nodes of the paths, as far as that can be guessed before they are found. */
static inline int64_t paths_guess(const paths_job *j)
{
    double nodes = j->queries * (2 * sqrt((double)j->graph.nodes) + 1);
    return nodes < UINT32_MAX ? (int64_t)nodes : UINT32_MAX;
}

static __device__ inline bool paths_has(const throng_graph &g, int32_t from, int32_t to)
{
    return (uint32_t)from < (uint32_t)g.nodes && (uint32_t)to < (uint32_t)g.nodes;
}

/* Find all paths of a job, whose queries are in pinned memory; answers, nodes and counters are then in the host's
 * blocks. False: there is no room, a query's nodes are not there, or the device failed. */
bool cuda_search_paths(cuda_paths *p, paths_job *j, int processors, cudaStream_t stream);
bool cuda_walk_trees(cuda_paths *p, paths_job *j, int processors, cudaStream_t stream);

#endif
