/* The shared object with the windows, loaded when one is wanted. It stays loaded until the program ends. */
#include <dlfcn.h>

#include "base/library.h"
#include "view/view.h"

#define VIEW_LIBRARY "throng-view.so"

const throng_view_api *throng_view_load(throng_error *error)
{
    char path[4096];
    if (!throng_library_path(VIEW_LIBRARY, path, sizeof path)) {
        throng_fail(error, "cannot tell where the executable lies, so not where %s does", VIEW_LIBRARY);
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const throng_view_api *api = library ? dlsym(library, "throng_view") : NULL;
    if (!library)
        throng_fail(error,
                    "the viewer cannot be loaded (%.300s); it needs SDL2: install libsdl2-2.0-0 to run it, libsdl2-dev "
                    "and make to build it; `throng run --png` draws pictures without it",
                    dlerror());
    else if (!api || api->version != THRONG_VIEW_VERSION) {
        throng_fail(error, "%s is of another version; build it again with make", path);
        api = NULL;
    }
    return api;
}
