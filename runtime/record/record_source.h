/* The frame being written, as an SQLite virtual table `throng_frame`
 * (frame, id, x, y, hx, hy, own1 ...), read in ascending order of id. */
#ifndef THRONG_RECORD_SOURCE_H
#define THRONG_RECORD_SOURCE_H

#include <sqlite3.h>

#include "record.h"

typedef struct throng_record_source {
    const throng_record_frame *frame;
    bool sorted;      /* the frame's ids ascend already, as they nearly always do */
    uint64_t *order;  /* otherwise: id in the high half, row in the low half, ascending */
    int32_t capacity; /* of `order` */
} throng_record_source;

/* Names the table for this connection; `source` must outlive it. SQLite's result code. */
int throng_record_source_register(sqlite3 *db, throng_record_source *source);

/* Makes `frame` the table's content. False when memory runs out. */
bool throng_record_source_set(throng_record_source *source, const throng_record_frame *frame);

#endif
