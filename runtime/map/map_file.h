/* A file as it lies on disk, whole. */
#ifndef THRONG_MAP_FILE_H
#define THRONG_MAP_FILE_H

#include <stddef.h>

#include "base/error.h"

typedef struct throng_bytes {
    unsigned char *data; /* [size + 1], a zero behind the last; the caller frees it */
    size_t size;
} throng_bytes;

/* False and a message that names the file when it cannot be read. */
bool throng_file_read(const char *path, throng_bytes *file, throng_error *error);

#endif
