#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stb/stb_image_write.h>

#include "canvas.h"
#include "picture.h"
#include "base/file.h"
#include "base/output.h"

bool throng_picture_check(const char *path, throng_error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (!throng_output_check(path, error))
        return false;
    return !strchr(name, '.') || throng_file_ends_in(name, ".png") ||
           throng_fail(error, "cannot draw '%s': pictures are PNGs; give a name that ends in .png", path);
}

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

static void write_bytes(void *file, void *data, int size) { fwrite(data, 1, (size_t)size, file); }

bool throng_canvas_save(const throng_canvas *canvas, const char *path, throng_error *error)
{
    throng_output *output = throng_output_begin(path, error);
    unsigned char *bytes = output ? to_bytes(canvas) : NULL;
    bool drawn = bytes && stbi_write_png_to_func(write_bytes, throng_output_stream(output), canvas->width,
                                                 canvas->height, 3, bytes, 3 * canvas->width);
    free(bytes);
    if (drawn)
        return throng_output_commit(output, error);
    if (output)
        throng_output_fail(path, ENOMEM, error);
    throng_output_discard(output);
    return false;
}
