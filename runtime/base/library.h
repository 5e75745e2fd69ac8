/* Parts of throng that are shared objects of their own and loaded when they are wanted. */
#ifndef THRONG_LIBRARY_H
#define THRONG_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* The path of `name` in the folder of the running executable; false when it is too long or not to be known. */
bool throng_library_path(const char *name, char *path, size_t size);

#endif
