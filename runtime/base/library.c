#include "library.h"

#include <string.h>
#include <sys/types.h>
#include <unistd.h>

bool throng_library_path(const char *name, char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0)
        return false;
    path[length] = 0;
    char *slash = strrchr(path, '/');
    if (!slash || (size_t)(slash + 1 - path) + strlen(name) + 1 > size)
        return false;
    strcpy(slash + 1, name);
    return true;
}
