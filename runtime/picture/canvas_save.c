#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <stb/stb_image_write.h>

#include "canvas.h"
#include "base/output.h"

static unsigned char *to_bytes(const throng_canvas *canvas)
{
    size_t count = 3 * (size_t)canvas->width * (size_t)canvas->height;
    unsigned char *bytes = malloc(count);
    for (size_t i = 0; bytes && i < count; i++) {
        float value = canvas->rgb[i];
        bytes[i] = value <= 0 ? 0 : value >= 1 ? 255 : (unsigned char)(value * 255 + 0.5f);
    }
    return bytes;
}

typedef struct sink {
    FILE *file;
    int code; /* errno of the first failure */
} sink;

static void write_bytes(void *context, void *data, int size)
{
    sink *out = context;
    if (!out->code && fwrite(data, 1, (size_t)size, out->file) != (size_t)size)
        out->code = errno ? errno : EIO;
}

/* 0 or the errno of what failed. */
static int write_png(const throng_canvas *canvas, const char *part)
{
    unsigned char *bytes = to_bytes(canvas);
    if (!bytes)
        return ENOMEM;
    sink out = {fopen(part, "wb"), 0};
    if (!out.file) {
        out.code = errno;
    } else {
        if (!stbi_write_png_to_func(write_bytes, &out, canvas->width, canvas->height, 3, bytes, 3 * canvas->width) &&
            !out.code)
            out.code = ENOMEM;
        if (fclose(out.file) != 0 && !out.code)
            out.code = errno;
    }
    free(bytes);
    return out.code;
}

bool throng_canvas_save(const throng_canvas *canvas, const char *path, throng_error *error)
{
    char *part = throng_output_begin(path, error);
    if (!part)
        return false;
    int code = write_png(canvas, part);
    if (code == 0)
        return throng_output_commit(path, part, error);
    throng_output_discard(part);
    return throng_output_fail(path, code, error);
}
