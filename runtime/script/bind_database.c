/* SQLite for throng's own Lua files: what `throng study` keeps. */
#include "binders.h"
#include "fields.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <sqlite3.h>

#include "record/sqlite_problem.h"

#define DATABASE "throng.database"

typedef struct database {
    sqlite3 *db;
    int lock; /* file that is locked while this process writes; -1: none */
} database;

static int raise_problem(lua_State *L, sqlite3 *db)
{
    throng_error error;
    throng_sqlite_problem(db, &error);
    lua_pushstring(L, error.text);
    return lua_error(L);
}

static int close_database(lua_State *L)
{
    database *own = luaL_checkudata(L, 1, DATABASE);
    sqlite3_close_v2(own->db);
    if (own->lock >= 0) /* after SQLite's own: closing any file of it would drop its locks */
        close(own->lock);
    *own = (database){.lock = -1};
    return 0;
}

/* open_database(path, writes): raises what is wrong, without the path */
static int open_database(lua_State *L)
{
    const char *path = throng_check_text(L, 1, "the file's name");
    bool writes = lua_toboolean(L, 2);
    database *own = lua_newuserdatauv(L, sizeof *own, 0);
    *own = (database){.lock = -1};
    luaL_setmetatable(L, DATABASE);
    if (writes) {
        own->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (own->lock < 0)
            return luaL_error(L, "%s", strerror(errno));
        if (flock(own->lock, LOCK_EX | LOCK_NB) < 0)
            return luaL_error(L, "another process is writing it");
    }
    /* also to read: what a killed process began is taken back first */
    if (sqlite3_open_v2(path, &own->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        return raise_problem(L, own->db);
    sqlite3_busy_timeout(own->db, 10000); /* ms: somebody looks at it */
    return 1;
}

static void bind_value(lua_State *L, int index, sqlite3_stmt *statement, int at)
{
    size_t size;
    const char *text;
    if (lua_isinteger(L, index))
        sqlite3_bind_int64(statement, at, lua_tointeger(L, index));
    else if (lua_type(L, index) == LUA_TNUMBER)
        sqlite3_bind_double(statement, at, lua_tonumber(L, index));
    else if (lua_isboolean(L, index))
        sqlite3_bind_int(statement, at, lua_toboolean(L, index));
    else if ((text = lua_tolstring(L, index, &size)))
        sqlite3_bind_text64(statement, at, text, size, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* The row's values as a list with holes where nothing is. [-0, +1] */
static void push_row(lua_State *L, sqlite3_stmt *statement)
{
    int count = sqlite3_column_count(statement);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        int type = sqlite3_column_type(statement, i);
        if (type == SQLITE_INTEGER)
            lua_pushinteger(L, sqlite3_column_int64(statement, i));
        else if (type == SQLITE_FLOAT)
            lua_pushnumber(L, sqlite3_column_double(statement, i));
        else if (type == SQLITE_NULL)
            lua_pushnil(L);
        else
            lua_pushlstring(L, sqlite3_column_blob(statement, i), (size_t)sqlite3_column_bytes(statement, i));
        lua_rawseti(L, -2, i + 1);
    }
}

/* database:run(sql, values...): the rows of one statement, and the names of their columns; a text is a text, and
 * cast(? as blob) makes bytes of it */
static int run(lua_State *L)
{
    size_t size;
    sqlite3_stmt *statement = NULL;
    const database *own = luaL_checkudata(L, 1, DATABASE);
    const char *sql = luaL_checklstring(L, 2, &size);
    luaL_argcheck(L, own->db, 1, "it was closed");
    if (sqlite3_prepare_v2(own->db, sql, (int)size, &statement, NULL) != SQLITE_OK)
        return raise_problem(L, own->db);
    for (int i = 3; i <= lua_gettop(L); i++)
        bind_value(L, i, statement, i - 2);
    lua_newtable(L);
    int got;
    for (lua_Integer at = 1; (got = sqlite3_step(statement)) == SQLITE_ROW; at++) {
        push_row(L, statement);
        lua_rawseti(L, -2, at);
    }
    lua_newtable(L);
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        lua_pushstring(L, sqlite3_column_name(statement, i));
        lua_rawseti(L, -2, i + 1);
    }
    if (got != SQLITE_DONE) {
        lua_settop(L, 0);
        raise_problem(L, own->db); /* the statement goes with the database */
    }
    sqlite3_finalize(statement);
    return 2;
}

void throng_bind_database(lua_State *L)
{
    static const luaL_Reg methods[] = {{"run", run}, {"close", close_database}, {NULL, NULL}};
    luaL_newmetatable(L, DATABASE);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, close_database);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    lua_pushcfunction(L, open_database);
    lua_setfield(L, -2, "open_database");
}
