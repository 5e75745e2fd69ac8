/* Files as input. Every reader opens them here: regular files alone, so that no device, pipe or folder that a map or a
 * command line names can be read for ever, and no larger than what the reader can make sense of. */
#ifndef THRONG_FILE_H
#define THRONG_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"

/* The most bytes of each kind of file. */
#define THRONG_FILE_MOST_MAP   (INT64_C(1) << 30)  /* maps, images, path queries */
#define THRONG_FILE_MOST_TEXT  (INT64_C(16) << 20) /* what people write: scenarios, settings, documents */
#define THRONG_FILE_MOST_TABLE (INT64_C(4) << 30)  /* tables beside a recording */
#define THRONG_FILE_ANY_SIZE   INT64_MAX           /* recordings, which are not held in memory */

typedef struct throng_bytes {
    unsigned char *data; /* [size + 1], a zero behind the last; the caller frees it */
    size_t size;
} throng_bytes;

/* Opens a regular file of at most `most` bytes to be read. NULL and a message that names the file and why not; `errno`
 * is ENOENT then exactly when there is no file of that name. */
FILE *throng_file_open(const char *path, int64_t most, throng_error *error);

/* Reads all of such a file, without the byte-order mark that a text may begin with. False and a message likewise. */
bool throng_file_read(const char *path, int64_t most, throng_bytes *file, throng_error *error);

/* Is that the end of the file's name? Letters' case does not matter. */
bool throng_file_ends_in(const char *path, const char *ending);

#endif
