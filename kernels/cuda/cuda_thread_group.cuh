/* Thread groups: threads of a warp, next to each other, that share an agent. What there is to look at they share out:
 * thread `rank` has entries rank, rank + SIZE, ... Then they agree on what they found; all who make the same calls make
 * these together. */
#ifndef THRONG_CUDA_THREAD_GROUP_CUH
#define THRONG_CUDA_THREAD_GROUP_CUH

#define GROUP_FN static __device__ __forceinline__

/* Of SIZE threads, at most a warp. */
template <int SIZE> struct thread_group {
    int rank;          /* of this thread in its group */
    unsigned mask;     /* the group's threads, as bits of the warp */
    unsigned together; /* who makes the same calls: the group, or all of the warp */
};

/* The threads that are left where SIZE does not divide the warp are a group that is not whole. */
template <int SIZE> GROUP_FN thread_group<SIZE> group_of_thread(void)
{
    int lane = (int)threadIdx.x % 32, rank = lane % SIZE;
    unsigned mask = ~0u >> (32 - SIZE) << (lane - rank);
    return {rank, mask, mask};
}

/* The same, where all of a warp make the same calls. */
template <int SIZE> GROUP_FN thread_group<SIZE> group_of_warp(void)
{
    thread_group<SIZE> g = group_of_thread<SIZE>();
    g.together = ~0u;
    return g;
}

/* The group's first thread, of the warp. */
template <int SIZE> GROUP_FN int group_first(const thread_group<SIZE> &g) { return (int)threadIdx.x % 32 - g.rank; }

/* All have come here, and see what each of them wrote before. */
template <int SIZE> GROUP_FN void group_meet(const thread_group<SIZE> &g)
{
    if (SIZE > 1)
        __syncwarp(g.together);
}

/* Is it so for anybody who makes the same calls? */
template <int SIZE> GROUP_FN bool group_any(const thread_group<SIZE> &g, bool is)
{
    return SIZE == 1 ? is : __any_sync(g.together, is);
}

/* For which of the group it is so: bit q, thread q. */
template <int SIZE> GROUP_FN unsigned group_ballot(const thread_group<SIZE> &g, bool is)
{
    return SIZE == 1 ? is : (__ballot_sync(g.together, is) & g.mask) >> group_first(g);
}

/* What thread q has. */
template <int SIZE, typename T> GROUP_FN T group_take(const thread_group<SIZE> &g, T value, int q)
{
    return SIZE == 1 ? value : __shfl_sync(g.together, value, group_first(g) + q);
}

/* What the thread has whose rank differs in bit `bit`, as 1, 2, 4, ...; of a SIZE that is a power of two. */
template <int SIZE, typename T> GROUP_FN T group_swap(const thread_group<SIZE> &g, T value, int bit)
{
    return SIZE == 1 ? value : __shfl_xor_sync(g.together, value, bit);
}

#endif
