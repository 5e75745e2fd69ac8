/* What takes long to make, and comes out the same whenever it is made of the same: maps read from files, and the
 * meshes, roadmaps, routes and fields of maps; throng's own Lua files, compiled. A scenario that is reloaded takes them
 * from here, and so do tests that load one map again and again, and the worlds of a study.
 *
 * A value is found by its key, which holds every byte that decides what it is. It is never changed once it is here.
 * Whoever puts or takes one holds it until he releases it; what nobody holds stays while all of that is within the
 * cache's room, and goes, the one first that was released first; what alone is larger goes at once. Threads may share
 * one; two that look for a value at once may both make it. */
#ifndef THRONG_CACHE_H
#define THRONG_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct throng_cache throng_cache;

/* What a key's first byte says its value is. */
typedef enum throng_cache_kind {
    THRONG_CACHE_MAP,
    THRONG_CACHE_POLYGONS, /* a map, too */
    THRONG_CACHE_MESH,
    THRONG_CACHE_ROADMAP,
    THRONG_CACHE_TREE,
    THRONG_CACHE_FIELD,
    THRONG_CACHE_ROAD_TREE,
    THRONG_CACHE_NAVIGATION, /* meshes, roadmaps and routes, flattened */
    THRONG_CACHE_WALLS,      /* of a map, with the grid over them */
    THRONG_CACHE_LIBRARY     /* a Lua file of throng's own, compiled */
} throng_cache_kind;

typedef struct throng_key {
    unsigned char *bytes; /* owned */
    size_t size, room;
    bool failed; /* memory is out: it finds nothing, and nothing can be put under it */
} throng_key;

throng_key throng_key_of(throng_cache_kind kind);
void throng_key_add(throng_key *key, const void *bytes, size_t size);
void throng_key_fini(throng_key *key);

/* Keeps `room` bytes of what nobody holds; 0: nothing of that. NULL when memory is out. */
throng_cache *throng_cache_create(size_t room);
/* Nobody holds anything any more. */
void throng_cache_destroy(throng_cache *cache);

/* The value of that key, held once more; NULL: there is none. */
void *throng_cache_take(throng_cache *cache, const throng_key *key);

/* Of a value that is to go with its last holder, for throng_cache_put. */
#define THRONG_CACHE_WHILE_HELD SIZE_MAX

/* Takes over a value of about so many bytes that throng_cache_take did not find, and holds it once. False when memory
 * is out: then it is the caller's still. */
bool throng_cache_put(throng_cache *cache, const throng_key *key, void *value, size_t bytes, void (*destroy)(void *));
void throng_cache_release(throng_cache *cache, const void *value); /* NULL is nothing */

/* A number that no other value of the cache has or will have, for keys of what is made of this one. */
uint64_t throng_cache_number(throng_cache *cache, const void *value);
uint64_t throng_cache_another_number(throng_cache *cache); /* for what is kept elsewhere */

#endif
