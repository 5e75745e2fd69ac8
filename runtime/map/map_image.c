#include "map_image.h"

#include <stdlib.h>

#include <stb/stb_image.h>

#include "base/file.h"
#include "base/output.h"
#include "map_png.h"
#include "map_pnm.h"

enum { COLOUR_NOISE = 8 }; /* of 255: how far off a region's colour a channel may be (JPEG) */

static bool too_large(const char *path, int width, int height, throng_error *error)
{
    if ((int64_t)width * height <= THRONG_MOST_PIXELS)
        return false;
    throng_fail(error, "%s: %d x %d pixels are more than the %d a map may have: scale it down", path, width, height,
                THRONG_MOST_PIXELS);
    return true;
}

static unsigned char *decode(const char *path, const throng_bytes *file, int *width, int *height, int *channels,
                             throng_error *error)
{
    unsigned char *data = NULL;
    const char *reason = throng_pnm_unreadable(file);
    if (!reason)
        reason = throng_png_damage(file);
    bool plain = throng_pgm_is_plain(file, width, height);
    if (plain || (!reason && stbi_info_from_memory(file->data, (int)file->size, width, height, channels))) {
        if (too_large(path, *width, *height, error))
            return NULL;
        *channels = plain ? 1 : *channels;
        data = plain ? throng_pgm_plain_read(file, &reason)
                     : stbi_load_from_memory(file->data, (int)file->size, width, height, channels, 0);
    }
    if (!data)
        throng_fail(error,
                    "%s: not an image that can be read (%s): give a PNG, PGM, BMP or JPEG floor plan, or the "
                    "YAML beside one; `throng help map` lists the other formats",
                    path, reason ? reason : stbi_failure_reason());
    return data;
}

/* [height][width][channels] from the top, to be freed. */
static unsigned char *read_samples(const char *path, int *width, int *height, int *channels, throng_error *error)
{
    throng_bytes file;
    if (!throng_file_read(path, THRONG_FILE_MOST_MAP, &file, error))
        return NULL;
    unsigned char *data = decode(path, &file, width, height, channels, error);
    free(file.data);
    throng_output_spare(path);
    return data;
}

static int channel(const unsigned char *sample, int channels, int c) { return sample[channels >= 3 ? c : 0]; }

static uint8_t classify(const unsigned char *sample, int channels, const throng_map_yaml *yaml)
{
    bool transparent = (channels == 2 || channels == 4) && sample[channels - 1] == 0;
    double grey = (channel(sample, channels, 0) + channel(sample, channels, 1) + channel(sample, channels, 2)) / 765.0;
    double dark = yaml->negate ? grey : 1 - grey;
    if (transparent)
        return THRONG_PIXEL_UNKNOWN;
    return dark > yaml->occupied_thresh ? THRONG_PIXEL_OCCUPIED
           : dark < yaml->free_thresh   ? THRONG_PIXEL_FREE
                                        : THRONG_PIXEL_UNKNOWN;
}

/* 1 + the region whose colour the pixel has, or 0. */
static uint8_t region_of(const unsigned char *sample, int channels, const throng_map_yaml *yaml)
{
    int best = -1, best_off = COLOUR_NOISE + 1;
    for (int r = 0; r < yaml->region_count; r++) {
        int off = 0;
        for (int c = 0; c < 3; c++) {
            int here = abs(channel(sample, channels, c) - yaml->regions[r].rgb[c]);
            off = here > off ? here : off;
        }
        if (off < best_off) {
            best_off = off;
            best = r;
        }
    }
    return (uint8_t)(best + 1);
}

static void fill(throng_map_image *image, const unsigned char *data, int channels, const throng_map_yaml *yaml)
{
    int32_t columns = image->width - 2, rows = image->height - 2;
    for (int32_t row = 0; row < rows; row++) {
        const unsigned char *from = data + (size_t)(rows - 1 - row) * (size_t)columns * (size_t)channels;
        size_t to = (size_t)(row + 1) * (size_t)image->width + 1;
        for (int32_t column = 0; column < columns; column++, from += channels) {
            image->pixel[to + (size_t)column] = classify(from, channels, yaml);
            if (!image->region)
                continue;
            image->region[to + (size_t)column] = region_of(from, channels, yaml);
            if (image->region[to + (size_t)column])
                image->pixel[to + (size_t)column] = THRONG_PIXEL_FREE;
        }
    }
}

bool throng_map_image_read(const throng_map_yaml *yaml, throng_map_image *image, throng_error *error)
{
    int width, height, channels;
    unsigned char *data = read_samples(yaml->image, &width, &height, &channels, error);
    if (!data)
        return false;
    throng_map_image made = {width + 2, height + 2, NULL, NULL};
    size_t pixels = (size_t)made.width * (size_t)made.height;
    made.pixel = calloc(pixels, 1);
    made.region = yaml->region_count ? calloc(pixels, 1) : NULL;
    bool fine = made.pixel && (made.region || !yaml->region_count);
    if (fine) {
        fill(&made, data, channels, yaml);
        *image = made;
    } else {
        throng_map_image_fini(&made);
    }
    stbi_image_free(data);
    return fine || throng_fail(error, "%s: out of memory", yaml->image);
}

void throng_map_image_fini(throng_map_image *image)
{
    free(image->pixel);
    free(image->region);
    image->pixel = image->region = NULL;
}

unsigned char *throng_image_read_rgba(const char *path, int *width, int *height, throng_error *error)
{
    int channels;
    unsigned char *data = read_samples(path, width, height, &channels, error);
    size_t pixels = data ? (size_t)*width * (size_t)*height : 0;
    unsigned char *rgba = data ? malloc(4 * pixels) : NULL;
    for (size_t i = 0; rgba && i < pixels; i++) {
        const unsigned char *sample = data + i * (size_t)channels;
        for (int c = 0; c < 3; c++)
            rgba[4 * i + (size_t)c] = (unsigned char)channel(sample, channels, c);
        rgba[4 * i + 3] = channels == 2 || channels == 4 ? sample[channels - 1] : 255;
    }
    stbi_image_free(data);
    if (data && !rgba)
        throng_fail(error, "%s: out of memory", path);
    return rgba;
}
