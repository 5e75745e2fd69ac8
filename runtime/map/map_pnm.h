/* PGM files where stb_image is not enough: it takes short files for whole ones, and cannot read plain ones (P2). */
#ifndef THRONG_MAP_PNM_H
#define THRONG_MAP_PNM_H

#include "base/file.h"

/* NULL when stb_image may read the file; else why not. */
const char *throng_pnm_unreadable(const throng_bytes *file);

/* True for a plain PGM, whose head says how large it is (0 where the head is wrong). */
bool throng_pgm_is_plain(const throng_bytes *file, int *width, int *height);

/* Its greys, 0 to 255, [height * width] from the top, to be freed. NULL and why otherwise. */
unsigned char *throng_pgm_plain_read(const throng_bytes *file, const char **reason);

#endif
