#include "cache_map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernels/contract/path_net.h"
#include "map/map_sheets.h"

/* ---- maps */

static void destroy_map(void *map) { throng_map_destroy(map); }

/* What changes when the file does; nothing but zeros when it is not there. */
static void add_file(throng_key *key, const char *path)
{
    struct stat s = {0};
    if (stat(path, &s) != 0)
        memset(&s, 0, sizeof s);
    throng_key_add(key, path, strlen(path) + 1);
    throng_key_add(key, &s.st_dev, sizeof s.st_dev);
    throng_key_add(key, &s.st_ino, sizeof s.st_ino);
    throng_key_add(key, &s.st_size, sizeof s.st_size);
    throng_key_add(key, &s.st_mtim, sizeof s.st_mtim);
    throng_key_add(key, &s.st_ctim, sizeof s.st_ctim);
}

static void add_options(throng_key *key, const throng_map_options *o)
{
    double numbers[] = {o->scale,    o->tolerance,    o->speck,     o->min_gap,
                        o->min_area, o->keep_pockets, o->thickness, o->level};
    throng_key_add(key, numbers, sizeof numbers);
    const char *layers = o->layers ? o->layers : "";
    throng_key_add(key, layers, strlen(layers) + 1);
}

static size_t size_of_map(const throng_map *map)
{
    size_t cells = map->grid ? (size_t)map->grid->width * (size_t)map->grid->height : 0;
    return sizeof *map + 48 * (size_t)map->point_count + cells;
}

/* Takes over what was just made under the key, and gives a copy; without memory, or when it was not made, NULL. */
static throng_map *keep_map(throng_cache *cache, const throng_key *key, throng_map *made, throng_error *error)
{
    if (!made)
        return NULL;
    throng_map *map = throng_map_copy(made, error);
    if (throng_cache_put(cache, key, made, size_of_map(made), destroy_map))
        throng_cache_release(cache, made);
    else
        throng_map_destroy(made);
    return map;
}

/* A copy of what lies under the key; NULL: nothing. False when memory is out. */
static bool find_map(throng_cache *cache, const throng_key *key, throng_map **map, throng_error *error)
{
    const throng_map *held = throng_cache_take(cache, key);
    *map = held ? throng_map_copy(held, error) : NULL;
    throng_cache_release(cache, held);
    return *map || !held;
}

static bool add_files(throng_key *key, const char *path)
{
    throng_map_files *files = malloc(sizeof *files);
    bool known = files && throng_map_files_of(path, files);
    for (int i = 0; known && i < files->count; i++)
        add_file(key, files->path[i]);
    free(files);
    return known;
}

throng_map *throng_cache_read_map(throng_cache *cache, const char *path, const throng_map_options *options,
                                  throng_error *error)
{
    throng_map_options chosen = options ? *options : throng_map_options_default();
    throng_key key = throng_key_of(THRONG_CACHE_MAP);
    throng_key_add(&key, path, strlen(path) + 1);
    add_options(&key, &chosen);
    throng_map *map = NULL;
    if (!add_files(&key, path))
        map = throng_map_read(path, options, error); /* which says what is wrong */
    else if (find_map(cache, &key, &map, error) && !map)
        map = keep_map(cache, &key, throng_map_read(path, options, error), error);
    throng_key_fini(&key);
    return map;
}

static void add_polygons(throng_key *key, const throng_polygons *polygons)
{
    throng_key_add(key, &polygons->count, sizeof polygons->count);
    for (int32_t i = 0; i < polygons->count; i++) {
        throng_key_add(key, &polygons->sizes[i], sizeof polygons->sizes[i]);
        throng_key_add(key, polygons->points[i], (size_t)polygons->sizes[i] * sizeof **polygons->points);
    }
}

throng_map *throng_cache_build_map(throng_cache *cache, const char *name, const throng_polygons *boundaries,
                                   const throng_polygons *obstacles, throng_error *error)
{
    throng_key key = throng_key_of(THRONG_CACHE_POLYGONS);
    throng_key_add(&key, name, strlen(name) + 1);
    add_polygons(&key, boundaries);
    add_polygons(&key, obstacles);
    throng_map *map;
    if (find_map(cache, &key, &map, error) && !map)
        map = keep_map(cache, &key,
                       throng_map_from_polygons(name, boundaries->points, boundaries->sizes, boundaries->count,
                                                obstacles->points, obstacles->sizes, obstacles->count, error),
                       error);
    throng_key_fini(&key);
    return map;
}

/* ---- meshes */

static void destroy_mesh(void *mesh) { throng_navmesh_destroy(mesh); }

static void add_lift(throng_key *key, const throng_map_sheets *sheets, const throng_map_lift *l)
{
    double numbers[] = {l->first, l->count, l->speed, l->acceleration, l->door_time, l->dwell, l->wait,
                        l->at.x,  l->at.y,  l->in.x,  l->in.y,         l->width,     l->depth};
    throng_key_add(key, numbers, sizeof numbers);
    for (int32_t k = l->first; k < l->first + l->count; k++) {
        const throng_lift_stop *stop = &sheets->stops[k];
        double at[] = {stop->lift, stop->sheet, stop->floor, stop->door, stop->z};
        throng_key_add(key, at, sizeof at);
    }
}

static void add_sheets(throng_key *key, const throng_map_sheets *sheets)
{
    for (int32_t q = 0; q < sheets->seam_count; q++) {
        const throng_seam *s = &sheets->seams[q];
        double numbers[] = {s->a.x, s->a.y, s->b.x, s->b.y, s->left, s->right, s->inside};
        throng_key_add(key, numbers, sizeof numbers);
    }
    for (int32_t i = 0; i < sheets->count; i++) {
        const throng_map_sheet *s = &sheets->list[i];
        double numbers[] = {s->part,      s->offset.x, s->offset.y, s->bounds.x0, s->bounds.y0, s->bounds.x1,
                            s->bounds.y1, s->length,   s->cost,     s->climb,     s->descend,   s->belt};
        throng_key_add(key, numbers, sizeof numbers);
    }
    for (int32_t i = 0; i < sheets->lift_count; i++)
        add_lift(key, sheets, &sheets->lifts[i]);
}

void throng_cache_add_map(throng_key *key, const throng_map *map)
{
    const throng_map_sheets *sheets = map->sheets;
    int32_t sizes[] = {map->open,
                       map->point_count,
                       map->ring_count,
                       map->door_count,
                       sheets ? sheets->count : 0,
                       sheets ? sheets->seam_count : 0,
                       sheets ? sheets->lift_count : 0};
    throng_key_add(key, &map->pillars, sizeof map->pillars);
    throng_key_add(key, &map->bounds, sizeof map->bounds);
    throng_key_add(key, sizes, sizeof sizes);
    throng_key_add(key, map->points, (size_t)map->point_count * sizeof *map->points);
    throng_key_add(key, map->ring_start, ((size_t)map->ring_count + 1) * sizeof *map->ring_start);
    if (sheets)
        add_sheets(key, sheets);
    for (int32_t d = 0; d < map->door_count; d++) {
        const throng_door *door = &map->doors[d];
        double numbers[] = {door->a.x, door->a.y, door->b.x, door->b.y, door->cost, door->max_radius};
        throng_key_add(key, numbers, sizeof numbers);
    }
}

static throng_key mesh_key(const throng_map *map, double radius)
{
    throng_key key = throng_key_of(THRONG_CACHE_MESH);
    throng_key_add(&key, &radius, sizeof radius);
    throng_cache_add_map(&key, map);
    return key;
}

static size_t size_of_mesh(const throng_navmesh *mesh)
{
    size_t lengths = (size_t)mesh->net->row_count * THRONG_LANDMARKS * sizeof *mesh->net->lengths;
    return sizeof *mesh + 70 * (size_t)mesh->edge_count + lengths; /* the path net and the grid with it */
}

static const throng_navmesh *hold_mesh(throng_cache *cache, const throng_key *key, const throng_map *map, double radius,
                                       throng_error *error)
{
    throng_navmesh *mesh = throng_cache_take(cache, key);
    if (mesh || !(mesh = throng_navmesh_build(map, radius, error)) ||
        throng_cache_put(cache, key, mesh, size_of_mesh(mesh), destroy_mesh))
        return mesh;
    throng_navmesh_destroy(mesh);
    throng_fail(error, "%s: out of memory", map->name);
    return NULL;
}

const throng_navmesh *throng_cache_take_mesh(throng_cache *cache, const throng_map *map, double radius,
                                             uint64_t *number, throng_error *error)
{
    throng_key key = mesh_key(map, radius);
    const throng_navmesh *mesh = hold_mesh(cache, &key, map, radius, error);
    throng_key_fini(&key);
    if (mesh && number)
        *number = throng_cache_number(cache, mesh);
    return mesh;
}
