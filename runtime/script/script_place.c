/* Where the user's code is: in which file and line, and whose it is. */
#include "bind.h"

#include <stdio.h>
#include <string.h>

bool throng_is_user_frame(lua_State *L, lua_Debug *frame)
{
    lua_getinfo(L, "Sl", frame);
    return frame->currentline > 0 && strncmp(frame->source, "=[throng]", 9) != 0 &&
           !strstr(frame->source, "/luassert/") && !strstr(frame->source, "/busted/");
}

static bool user_frame(lua_State *L, lua_Debug *frame)
{
    for (int level = 0; lua_getstack(L, level, frame); level++)
        if (throng_is_user_frame(L, frame))
            return true;
    return false;
}

void throng_position_push(lua_State *L)
{
    lua_Debug frame;
    if (user_frame(L, &frame))
        lua_pushfstring(L, "%s:%d", frame.short_src, frame.currentline);
    else
        lua_pushliteral(L, "");
}

void throng_script_place(lua_State *L, char *place, size_t size)
{
    lua_Debug frame;
    *place = 0;
    if (user_frame(L, &frame))
        snprintf(place, size, "%s:%d", frame.short_src, frame.currentline);
}

const char *throng_script_caller(lua_State *L)
{
    lua_Debug frame;
    for (int level = 0; lua_getstack(L, level, &frame); level++)
        if (throng_is_user_frame(L, &frame) && frame.source[0] == '@')
            return frame.source + 1;
    return NULL;
}

const char *throng_method_name(lua_State *L, const char *otherwise)
{
    lua_Debug frame;
    if (!lua_getstack(L, 0, &frame) || !lua_getinfo(L, "n", &frame) || !frame.name || *frame.name == '?')
        return otherwise;
    return frame.name;
}
