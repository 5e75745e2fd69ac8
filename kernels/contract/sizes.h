/* What there is at most of, for lists of a fixed size. */
#ifndef THRONG_SIZES_H
#define THRONG_SIZES_H

enum {
    THRONG_NEIGHBOURS_MAX = 16, /* most neighbours an agent can see */
    THRONG_WALLS_MAX = 16,      /* nearest wall segments that planners see */
    THRONG_STUCK_LOOKS = 10,  /* looks, a second apart, without progress: from then on an agent is stuck (progress.h) */
    THRONG_CONTACTS_MAX = 12, /* pairs that the contact solver keeps an agent */
    THRONG_COMPANY_MAX = 16,  /* agents that walk together */
    THRONG_LARGE_MAX = 32     /* agents that are much larger than all others */
};

#endif
