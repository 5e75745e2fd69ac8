#include "base64.h"

static void put_group(throng_base64 *out, int digits)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char four[4];
    for (int d = 0; d < 4; d++)
        four[d] = d < digits ? alphabet[out->bits >> (18 - 6 * d) & 63] : '=';
    fwrite(four, 1, 4, out->file);
    out->bits = 0;
    out->count = 0;
}

void throng_base64_put(throng_base64 *out, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        out->bits |= (uint32_t)((const unsigned char *)bytes)[i] << (16 - 8 * out->count);
        if (++out->count == 3)
            put_group(out, 4);
    }
}

void throng_base64_end(throng_base64 *out)
{
    if (out->count)
        put_group(out, out->count + 1);
}
