#include "map_image.h"

#include <ctype.h>
#include <stdlib.h>

#include <stb/stb_image.h>

#include "map_file.h"

/* The next number of a PNM header at `*at`, past blanks and comments; -1 when there is none. */
static long header_number(const throng_bytes *file, size_t *at)
{
    while (*at < file->size && (isspace(file->data[*at]) || file->data[*at] == '#')) {
        bool comment = file->data[*at] == '#';
        while (comment && *at < file->size && file->data[*at] != '\n')
            ++*at;
        *at += *at < file->size;
    }
    long value = -1;
    for (; *at < file->size && isdigit(file->data[*at]) && value < 1 << 24; ++*at)
        value = (value < 0 ? 0 : value) * 10 + (file->data[*at] - '0');
    return value;
}

/* stb_image leaves the pixels that a short PGM lacks as they were in memory. */
static bool pnm_complete(const throng_bytes *file)
{
    if (file->size < 2 || file->data[0] != 'P' || (file->data[1] != '5' && file->data[1] != '6'))
        return true;
    size_t at = 2;
    long width = header_number(file, &at), height = header_number(file, &at), most = header_number(file, &at);
    size_t sample = (most > 255 ? 2u : 1u) * (file->data[1] == '6' ? 3u : 1u);
    return width > 0 && height > 0 && most > 0 && file->size - at > (size_t)width * (size_t)height * sample;
}

static const char *unreadable(const throng_bytes *file)
{
    if (file->size == 0)
        return "the file is empty";
    if (!pnm_complete(file))
        return "the file ends before the image does";
    if (file->size > 1 && file->data[0] == 'P' && (file->data[1] == '2' || file->data[1] == '3'))
        return "a PGM in plain text; save it as a binary one";
    return stbi_failure_reason();
}

static unsigned char *decode(const char *path, const throng_bytes *file, int *width, int *height, int *channels,
                             throng_error *error)
{
    unsigned char *data = NULL;
    if (file->size > 0 && file->size <= INT32_MAX && pnm_complete(file)) {
        int fine = stbi_info_from_memory(file->data, (int)file->size, width, height, channels);
        if (fine && (int64_t)*width * *height > THRONG_MOST_PIXELS) {
            throng_fail(error, "%s: %d x %d pixels are more than the %d a map may have: scale it down", path, *width,
                        *height, THRONG_MOST_PIXELS);
            return NULL;
        }
        if (fine)
            data = stbi_load_from_memory(file->data, (int)file->size, width, height, channels, 0);
    }
    if (!data)
        throng_fail(error,
                    "%s: not an image that can be read (%s): give a PNG, PGM, BMP or JPEG floor plan, or the "
                    "YAML beside one",
                    path, unreadable(file));
    return data;
}

static uint8_t classify(const unsigned char *sample, int channels, const throng_map_yaml *yaml)
{
    bool colour = channels >= 3, transparent = (channels == 2 || channels == 4) && sample[channels - 1] == 0;
    double grey = colour ? (sample[0] + sample[1] + sample[2]) / 765.0 : sample[0] / 255.0;
    double dark = yaml->negate ? grey : 1 - grey;
    if (transparent)
        return THRONG_PIXEL_UNKNOWN;
    return dark > yaml->occupied_thresh ? THRONG_PIXEL_OCCUPIED
           : dark < yaml->free_thresh   ? THRONG_PIXEL_FREE
                                        : THRONG_PIXEL_UNKNOWN;
}

static void fill(throng_map_image *image, const unsigned char *data, int channels, const throng_map_yaml *yaml)
{
    int32_t columns = image->width - 2, rows = image->height - 2;
    for (int32_t row = 0; row < rows; row++) {
        const unsigned char *from = data + (size_t)(rows - 1 - row) * (size_t)columns * (size_t)channels;
        uint8_t *to = image->pixel + (size_t)(row + 1) * (size_t)image->width + 1;
        for (int32_t column = 0; column < columns; column++)
            to[column] = classify(from + (size_t)column * (size_t)channels, channels, yaml);
    }
}

bool throng_map_image_read(const throng_map_yaml *yaml, throng_map_image *image, throng_error *error)
{
    throng_bytes file;
    int width, height, channels;
    if (!throng_file_read(yaml->image, &file, error))
        return false;
    unsigned char *data = decode(yaml->image, &file, &width, &height, &channels, error);
    free(file.data);
    if (!data)
        return false;
    throng_map_image made = {width + 2, height + 2, NULL};
    made.pixel = calloc((size_t)made.width * (size_t)made.height, 1);
    if (made.pixel) {
        fill(&made, data, channels, yaml);
        *image = made;
    }
    stbi_image_free(data);
    return made.pixel || throng_fail(error, "%s: out of memory", yaml->image);
}

void throng_map_image_fini(throng_map_image *image)
{
    free(image->pixel);
    image->pixel = NULL;
}
