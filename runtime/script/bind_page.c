/* Pages of results, for lua/throng/page.lua. */
#include "binders.h"

#include <stdlib.h>

#include "base/base64.h"
#include "base/text_stream.h"
#include "report/report.h"

/* What was written to memory, as a string. [-0, +1] */
static int push_written(lua_State *L, FILE *file, char **text, const size_t *size)
{
    bool written = fclose(file) == 0;
    if (written)
        lua_pushlstring(L, *text, *size);
    free(*text);
    if (!written)
        throng_raise(L, "out of memory for a page");
    return 1;
}

static FILE *open_memory(lua_State *L, char **text, size_t *size)
{
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    FILE *file = throng_text_stream(text, size);
    if (!file)
        throng_raise(L, "out of memory for a page");
    return file;
}

/* results_page(name, subtitle, tiles, main): the page, all of them HTML (runtime/report/report.h) */
static int results_page(lua_State *L)
{
    char *text = NULL;
    size_t size = 0;
    throng_report_results results = {.name = luaL_checkstring(L, 1),
                                     .subtitle = luaL_checkstring(L, 2),
                                     .tiles = luaL_checkstring(L, 3),
                                     .main = luaL_checkstring(L, 4)};
    FILE *file = open_memory(L, &text, &size);
    throng_report_results_page(file, &results);
    return push_written(L, file, &text, &size);
}

/* base64(bytes): as text */
static int base64(lua_State *L)
{
    char *text = NULL;
    size_t count, size = 0;
    const char *bytes = luaL_checklstring(L, 1, &count);
    FILE *file = open_memory(L, &text, &size);
    throng_base64 out = {.file = file};
    throng_base64_put(&out, bytes, count);
    throng_base64_end(&out);
    return push_written(L, file, &text, &size);
}

void throng_bind_page(lua_State *L)
{
    static const luaL_Reg functions[] = {{"results_page", results_page}, {"base64", base64}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
