/* What people are, seen from above: throng.disc{...}, throng.stadium{...}. */
#ifndef THRONG_FIGURE_VALUE_H
#define THRONG_FIGURE_VALUE_H

#include "fields.h"

typedef struct throng_figure {
    bool wide;            /* a stadium */
    throng_sampler size;  /* m: a disc's radius, a stadium's depth, */
    throng_sampler width; /* and its width */
} throng_figure;

throng_figure throng_check_figure(lua_State *L, int index, const char *what);

#endif
