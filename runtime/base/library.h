/* Parts of throng that are shared objects of their own and loaded when they are wanted. */
#ifndef THRONG_LIBRARY_H
#define THRONG_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* The folder of the running executable, or of libthrong.so where a program has loaded that. */
bool throng_library_folder(char *folder, size_t size);

/* The path of `name` in that folder, or in ../lib/throng as `make install` puts it; false when it is too long or not to
 * be known. */
bool throng_library_path(const char *name, char *path, size_t size);

#endif
