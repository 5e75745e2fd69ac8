#include "feature_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { MOST_POINTS = 8000000 };

void throng_features_fini(throng_features *features)
{
    for (int32_t i = 0; i < features->count; i++) {
        free(features->list[i].level);
        free(features->list[i].what);
        free(features->list[i].name);
    }
    for (int32_t i = 0; i < features->layer_count; i++)
        free(features->layers[i].name);
    free(features->list);
    free(features->ring_start);
    free(features->points);
    free(features->layers);
    *features = (throng_features){0};
}

static bool no_memory(const throng_features *f, throng_error *error)
{
    return throng_fail(error, "%s: out of memory", f->path);
}

throng_feature_layer *throng_features_layer(throng_features *f, const char *name, throng_error *error)
{
    for (int32_t i = 0; i < f->layer_count; i++)
        if (strcmp(f->layers[i].name, name) == 0)
            return &f->layers[i];
    char *copy = strdup(name);
    if (!copy || !throng_array_reserve((void **)&f->layers, &f->layer_capacity, (int64_t)f->layer_count + 1,
                                       sizeof *f->layers)) {
        free(copy);
        no_memory(f, error);
        return NULL;
    }
    f->layers[f->layer_count] = (throng_feature_layer){.name = copy};
    return &f->layers[f->layer_count++];
}

bool throng_features_begin(throng_features *f, throng_feature_role role, const char *what, const char *name,
                           bool is_area, throng_error *error)
{
    if (!throng_array_reserve((void **)&f->list, &f->capacity, (int64_t)f->count + 1, sizeof *f->list))
        return no_memory(f, error);
    throng_feature *one = &f->list[f->count];
    *one = (throng_feature){
        .role = role, .what = strdup(what), .name = strdup(name), .is_area = is_area, .first_ring = f->ring_count};
    f->count++; /* so that it is freed */
    f->roles[role]++;
    return (one->what && one->name) || no_memory(f, error);
}

bool throng_features_begin_ring(throng_features *f, throng_error *error)
{
    if (!throng_array_reserve((void **)&f->ring_start, &f->ring_capacity, (int64_t)f->ring_count + 2,
                              sizeof *f->ring_start))
        return no_memory(f, error);
    f->list[f->count - 1].ring_count++;
    f->ring_start[f->ring_count++] = f->point_count;
    f->ring_start[f->ring_count] = f->point_count;
    return true;
}

bool throng_features_add(throng_features *f, throng_point p, throng_error *error)
{
    if (!isfinite(p.x) || !isfinite(p.y))
        return throng_fail(error, "%s: %s: a point is (%g, %g)", f->path, f->list[f->count - 1].what, p.x, p.y);
    if (f->point_count == MOST_POINTS)
        return throng_fail(error, "%s: there are more than %d points in it", f->path, MOST_POINTS);
    if (!throng_array_reserve((void **)&f->points, &f->point_capacity, (int64_t)f->point_count + 1, sizeof *f->points))
        return no_memory(f, error);
    f->points[f->point_count++] = p;
    f->ring_start[f->ring_count] = f->point_count;
    return true;
}
