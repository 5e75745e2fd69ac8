/* Trajectories in throng's own compact format, `.throng`: for crowds too large for a row an agent and frame.
 *
 * Twelve bytes an agent and frame, and four more for each column of the script's own, and for `width` and `shoulders`
 * where somebody is wider than deep (columns.h): positions are kept exactly, headings to 1/32767 a component; ids are
 * stored when they differ from the frame before. All numbers are little-endian.
 *
 *   head    "throngT1", double fps, uint32 bytes of WKT, uint32 own columns, the free space as WKT (nothing: an open
 *           world), zeros up to a multiple of 4, the own columns' names, 32 bytes each, ended by zeros
 *   frame   throng_compact_head; id int32 [count] when `ids_of` is this frame; x, y float32 [count] each, m;
 *           heading int16 [count][2]; the own columns float32 [count] each
 *   notes   what the run knew (notes.h), for each table that has rows: throng_compact_table, its cells double [rows]
 *           [columns], of a text where it begins among its texts; the texts, each ended by a zero, and zeros up to a
 *           multiple of 8
 *   index   offset of every frame uint64 [frames], throng_compact_end
 *
 * The index comes last: a file that was cut short lacks it, and the notes, and is read frame by frame. */
#ifndef THRONG_RECORD_COMPACT_H
#define THRONG_RECORD_COMPACT_H

#include <stdint.h>

#define THRONG_COMPACT_BEGIN "throngT1"
#define THRONG_COMPACT_END   "throngE2"

enum { THRONG_COMPACT_FRAME = 0x4d415246, THRONG_COMPACT_UNIT = 32767 };

typedef struct throng_compact_start {
    char magic[8];
    double fps;
    uint32_t wkt_bytes, own;
} throng_compact_start;

typedef struct throng_compact_head {
    uint32_t tag; /* THRONG_COMPACT_FRAME */
    int32_t frame, count;
    int32_t ids_of; /* the n-th frame of the file, counted from 0, has the same ids; its own: they follow */
} throng_compact_head;

typedef struct throng_compact_table {
    char name[24]; /* ended by zeros */
    uint32_t columns, rows, text_bytes, zero;
} throng_compact_table;

typedef struct throng_compact_end {
    uint64_t notes; /* where they begin; they end where the index begins */
    uint64_t frames;
    char magic[8];
} throng_compact_end;

#endif
