#include "cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "hash.h"

typedef struct entry {
    throng_key key;
    uint64_t hash, number;
    void *value;
    size_t bytes;
    void (*destroy)(void *);
    int32_t holders;
    uint64_t released; /* when it was last; for those without holders */
} entry;

struct throng_cache {
    pthread_mutex_t lock;
    entry *entries;
    int32_t count, capacity;
    size_t room, idle; /* bytes: of what nobody holds, at most and now */
    uint64_t numbers, releases;
};

/* ---- keys */

throng_key throng_key_of(throng_cache_kind kind)
{
    throng_key key = {0};
    unsigned char first = (unsigned char)kind;
    throng_key_add(&key, &first, 1);
    return key;
}

void throng_key_add(throng_key *key, const void *bytes, size_t size)
{
    if (key->size + size > key->room) {
        size_t room = 2 * (key->size + size);
        unsigned char *grown = realloc(key->bytes, room);
        key->failed |= !grown;
        if (!grown)
            return;
        key->bytes = grown;
        key->room = room;
    }
    if (size)
        memcpy(key->bytes + key->size, bytes, size);
    key->size += size;
}

void throng_key_fini(throng_key *key)
{
    free(key->bytes);
    *key = (throng_key){0};
}

static bool copy_key(const throng_key *from, throng_key *to)
{
    *to = (throng_key){malloc(from->size), from->size, from->size, false};
    if (to->bytes)
        memcpy(to->bytes, from->bytes, from->size);
    return to->bytes != NULL;
}

/* ---- entries */

throng_cache *throng_cache_create(size_t room)
{
    throng_cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    cache->room = room;
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

static void drop(throng_cache *cache, int32_t at)
{
    entry *e = &cache->entries[at];
    e->destroy(e->value);
    throng_key_fini(&e->key);
    *e = cache->entries[--cache->count];
}

void throng_cache_destroy(throng_cache *cache)
{
    if (!cache)
        return;
    while (cache->count)
        drop(cache, cache->count - 1);
    free(cache->entries);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static entry *find(const throng_cache *cache, const throng_key *key)
{
    uint64_t hash = throng_hash(key->bytes, key->size);
    for (int32_t i = 0; i < cache->count && !key->failed; i++) {
        entry *e = &cache->entries[i];
        if (e->hash == hash && e->key.size == key->size && memcmp(e->key.bytes, key->bytes, key->size) == 0)
            return e;
    }
    return NULL;
}

void *throng_cache_take(throng_cache *cache, const throng_key *key)
{
    pthread_mutex_lock(&cache->lock);
    entry *e = find(cache, key);
    void *value = e ? e->value : NULL;
    if (e) {
        cache->idle -= e->holders ? 0 : e->bytes;
        e->holders++;
    }
    pthread_mutex_unlock(&cache->lock);
    return value;
}

static bool add(throng_cache *cache, entry e, const throng_key *key)
{
    if (key->failed ||
        !throng_array_reserve((void **)&cache->entries, &cache->capacity, (int64_t)cache->count + 1, sizeof e) ||
        !copy_key(key, &e.key))
        return false;
    e.number = cache->numbers++;
    cache->entries[cache->count++] = e;
    return true;
}

bool throng_cache_put(throng_cache *cache, const throng_key *key, void *value, size_t bytes, void (*destroy)(void *))
{
    entry e = {
        .hash = throng_hash(key->bytes, key->size), .value = value, .bytes = bytes, .destroy = destroy, .holders = 1};
    pthread_mutex_lock(&cache->lock);
    bool added = add(cache, e, key);
    pthread_mutex_unlock(&cache->lock);
    return added;
}

static int32_t entry_of(const throng_cache *cache, const void *value)
{
    int32_t at = 0;
    while (cache->entries[at].value != value)
        at++;
    return at;
}

uint64_t throng_cache_number(throng_cache *cache, const void *value)
{
    pthread_mutex_lock(&cache->lock);
    uint64_t number = cache->entries[entry_of(cache, value)].number;
    pthread_mutex_unlock(&cache->lock);
    return number;
}

uint64_t throng_cache_another_number(throng_cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    uint64_t number = cache->numbers++;
    pthread_mutex_unlock(&cache->lock);
    return number;
}

/* The one that nobody has held for longest. */
static int32_t oldest(const throng_cache *cache)
{
    int32_t found = -1;
    for (int32_t i = 0; i < cache->count; i++)
        if (!cache->entries[i].holders && (found < 0 || cache->entries[i].released < cache->entries[found].released))
            found = i;
    return found;
}

static void release(throng_cache *cache, entry *e)
{
    if (--e->holders)
        return;
    if (e->bytes > cache->room) {
        drop(cache, (int32_t)(e - cache->entries));
        return;
    }
    e->released = cache->releases++;
    cache->idle += e->bytes;
    while (cache->idle > cache->room) {
        int32_t at = oldest(cache);
        cache->idle -= cache->entries[at].bytes;
        drop(cache, at);
    }
}

void throng_cache_release(throng_cache *cache, const void *value)
{
    if (!value)
        return;
    pthread_mutex_lock(&cache->lock);
    release(cache, &cache->entries[entry_of(cache, value)]);
    pthread_mutex_unlock(&cache->lock);
}
