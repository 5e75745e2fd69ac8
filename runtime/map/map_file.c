#include "map_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_all(FILE *in, throng_bytes *file)
{
    size_t room = 1 << 16;
    file->data = malloc(room);
    while (file->data) {
        file->size += fread(file->data + file->size, 1, room - 1 - file->size, in);
        file->data[file->size] = 0;
        if (file->size + 1 < room)
            return !ferror(in);
        room *= 2;
        unsigned char *grown = realloc(file->data, room);
        if (!grown)
            free(file->data);
        file->data = grown;
    }
    errno = ENOMEM;
    return false;
}

bool throng_file_read(const char *path, throng_bytes *file, throng_error *error)
{
    throng_bytes read = {0};
    FILE *in = fopen(path, "rb");
    bool fine = in && read_all(in, &read);
    if (fine) {
        *file = read;
    } else {
        throng_fail(error, "%s: cannot be read: %s", path, strerror(errno));
        free(read.data);
    }
    if (in)
        fclose(in);
    return fine;
}
