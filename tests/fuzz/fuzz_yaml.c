/* Any bytes as the YAML beside a small coloured image, map.ppm. */
#include "fuzz_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char head[] = "P6 4 4 255\n";
    char image[sizeof head - 1 + 48];
    memcpy(image, head, sizeof head - 1);
    memset(image + sizeof head - 1, 0xfe, 48);
    memset(image + sizeof head - 1, 0, 12);
    image[sizeof head + 24] = image[sizeof head + 27] = 0;
    fuzz_write("map.ppm", image, sizeof image);
    return fuzz_read("map.yaml", data, size);
}
