/* Shared by the fuzz targets: any bytes as a file, in a folder of this process's own. */
#ifndef THRONG_FUZZ_FILE_H
#define THRONG_FUZZ_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file of that name in the folder. */
static inline const char *fuzz_path(const char *name)
{
    static char folder[64], path[128];
    if (!*folder) {
        snprintf(folder, sizeof folder, "/tmp/throng-fuzz-XXXXXX");
        if (!mkdtemp(folder))
            abort();
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void fuzz_write(const char *name, const void *data, size_t size)
{
    FILE *file = fopen(fuzz_path(name), "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

#endif
