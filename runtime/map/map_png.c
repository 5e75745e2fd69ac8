#include "map_png.h"

#include <stdint.h>
#include <string.h>

/* Of a chunk, beside its data (PNG specification, 5.3): length and type before, checksum behind. */
enum { HEAD = 8, REST = 12 };

static uint32_t number(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* CRC-32 (annex D of the specification), four bits at a time. */
static uint32_t checksum(const unsigned char *data, size_t size)
{
    static const uint32_t part[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                      0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                      0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t c = ~0u;
    for (size_t i = 0; i < size; i++) {
        c = part[(c ^ data[i]) & 15] ^ c >> 4;
        c = part[(c ^ data[i] >> 4) & 15] ^ c >> 4;
    }
    return ~c;
}

const char *throng_png_damage(const throng_bytes *file)
{
    static const unsigned char signature[] = {137, 'P', 'N', 'G', 13, 10, 26, 10};
    const unsigned char *data = file->data;
    if (file->size < sizeof signature || memcmp(data, signature, sizeof signature) != 0)
        return NULL;
    for (size_t at = sizeof signature; file->size - at >= REST;) {
        size_t length = number(data + at);
        if (length > file->size - at - REST)
            break;
        if (number(data + at + HEAD + length) != checksum(data + at + 4, length + 4))
            return "it is damaged: a checksum does not match";
        if (memcmp(data + at + 4, "IEND", 4) == 0)
            return NULL;
        at += REST + length;
    }
    return "it is damaged: its end is missing";
}
