/* PNG files where stb_image is not enough: it does not look at their checksums, and takes what a damaged one says. */
#ifndef THRONG_MAP_PNG_H
#define THRONG_MAP_PNG_H

#include "base/file.h"

/* NULL when the file is no PNG, or a whole one; else what is wrong with it. */
const char *throng_png_damage(const throng_bytes *file);

#endif
