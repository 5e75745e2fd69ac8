/* Blocks of own rows, which are packed as they are eliminated, group after group, and then subtracted from all rows
 * behind them. */
#include "field_eliminate.h"

#include <string.h>

#include "base/watchdog.h"

enum {
    CHUNK = 512, /* columns whose packed rows fit in the second cache */
    TALL = 256   /* rows of a chunk that one thread does at a time */
};

#define TILES(name)  name##_avx512
#define TILES_LANES  8
#define TILES_ROWS   8
#define TILES_TARGET __attribute__((target("arch=x86-64-v4")))
#include "field_tiles.h"

#define TILES(name)  name##_avx2
#define TILES_LANES  4
#define TILES_ROWS   8
#define TILES_TARGET __attribute__((target("avx2")))
#include "field_tiles.h"

#define TILES(name) name##_any
#define TILES_LANES 2
#define TILES_ROWS  4
#define TILES_TARGET
#include "field_tiles.h"

typedef struct elimination {
    const front_matrix *m;
    double *packed;
    pool *pool;
    void (*subtract)(double *to, int32_t stride, const double *mine, const double *over, const double *packed,
                     int32_t deep, int32_t count, int32_t columns);
    void (*reduce)(double *rows, int32_t stride, double (*part)[FIELD_GROUP], double *packed, int32_t deep,
                   int32_t columns);
    double over[FIELD_BLOCK];              /* 1 / the diagonals of the block */
    double part[FIELD_GROUP][FIELD_GROUP]; /* of the group */
    int32_t begin, end;                    /* of the block's rows */
    int32_t deep;                          /* rows that a block may have: as deep are its packed columns */
    int32_t group, next;                   /* first row of the group; of what is behind the block */
} elimination;

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

static int32_t chunks(int32_t columns) { return (columns + CHUNK - 1) / CHUNK; }

static void run(elimination *e, int32_t count, pool_work *work)
{
    if (e->pool)
        pool_run(e->pool, count, 1, work, e);
    else
        work(e, 0, count, 0);
}

/* Columns from .. to of a group of rows, less their part in the block's first `count` rows. */
static void subtract(const elimination *e, int32_t group, int32_t count, int32_t from, int32_t to)
{
    e->subtract(front_row(e->m, group) + from, e->m->width - group, e->packed + (int64_t)group * e->deep, e->over,
                e->packed + (int64_t)from * e->deep, e->deep, count, to - from);
}

/* The group's own square. */
static void reduce_square(elimination *e)
{
    int32_t stride = e->m->width - e->group, count = least(FIELD_GROUP, e->end - e->group);
    double *square = front_row(e->m, e->group) + e->group, *over = e->over + e->group - e->begin;
    memset(e->part, 0, sizeof e->part);
    for (int p = 0; p < count; p++) {
        double *u = square + (int64_t)p * stride;
        over[p] = 1 / u[p];
        for (int i = p + 1; i < count; i++) {
            e->part[p][i] = u[i] * over[p];
            for (int j = i; j < count; j++)
                square[(int64_t)i * stride + j] -= e->part[p][i] * u[j];
        }
        u[p] = over[p];
    }
}

/* Chunks of the columns behind it. */
static void reduce_group(void *context, int32_t begin, int32_t end, int thread)
{
    elimination *e = context;
    int32_t from = e->group + FIELD_GROUP + begin * CHUNK,
            to = least(e->group + FIELD_GROUP + end * CHUNK, e->m->width);
    (void)thread;
    if (e->group > e->begin)
        subtract(e, e->group, e->group - e->begin, from, to);
    e->reduce(front_row(e->m, e->group) + from, e->m->width - e->group, e->part,
              e->packed + (int64_t)from * e->deep + (e->group - e->begin) * FIELD_GROUP, e->deep, to - from);
}

static int32_t tall_parts(const elimination *e) { return (e->m->end - e->next + TALL - 1) / TALL; }

/* Chunk after chunk of what is behind the block, in parts of TALL rows. */
static void subtract_block(void *context, int32_t begin, int32_t end, int thread)
{
    elimination *e = context;
    (void)thread;
    for (int32_t i = begin; i < end && !throng_given_up(); i++) {
        int32_t from = e->next + i / tall_parts(e) * CHUNK, to = least(from + CHUNK, e->m->width);
        int32_t row = e->next + i % tall_parts(e) * TALL, last = least(least(row + TALL, to), e->m->end);
        for (; row < last; row += FIELD_GROUP)
            subtract(e, row, e->end - e->begin, row > from ? row : from, to);
    }
}

void throng_field_eliminate(const front_matrix *m, double *packed, pool *pool)
{
    elimination e = {.m = m, .packed = packed, .pool = pool, .subtract = subtract_any, .reduce = reduce_any};
    e.deep = least(FIELD_BLOCK, m->first);
    if (__builtin_cpu_supports("x86-64-v4")) {
        e.subtract = subtract_avx512;
        e.reduce = reduce_avx512;
    } else if (__builtin_cpu_supports("avx2")) {
        e.subtract = subtract_avx2;
        e.reduce = reduce_avx2;
    }
    for (e.begin = 0; e.begin < m->own && !throng_given_up(); e.begin = e.next) {
        e.end = least(e.begin + FIELD_BLOCK, m->own);
        for (e.group = e.begin; e.group < e.end; e.group += FIELD_GROUP) {
            if (e.group > e.begin)
                subtract(&e, e.group, e.group - e.begin, e.group, e.group + FIELD_GROUP);
            reduce_square(&e);
            run(&e, chunks(m->width - e.group - FIELD_GROUP), reduce_group);
        }
        e.next = field_whole_groups(e.end);
        run(&e, tall_parts(&e) * chunks(m->width - e.next), subtract_block);
    }
}
