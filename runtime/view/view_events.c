/* What happened in the run, for the timeline: doors, arrivals, agents that got stuck. */
#include "view_parts.h"
#include "world/stuck_messages.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

void throng_timeline_fini(throng_timeline *timeline)
{
    free(timeline->marks);
    free(timeline->arrived);
    free(timeline->people);
    free(timeline->open);
    *timeline = (throng_timeline){0};
}

bool throng_timeline_mark(throng_viewer *viewer, uint32_t step, int kind, const char *text, throng_error *error)
{
    throng_timeline *t = &viewer->timeline;
    if (!throng_array_reserve((void **)&t->marks, &t->mark_room, (int64_t)t->mark_count + 1, sizeof *t->marks))
        return throng_fail(error, "out of memory for the timeline");
    throng_mark *mark = &t->marks[t->mark_count++];
    *mark = (throng_mark){.step = step, .kind = kind};
    snprintf(mark->text, sizeof mark->text, "%s", text);
    return true;
}

static bool look_at_doors(throng_viewer *viewer, throng_error *error)
{
    throng_timeline *t = &viewer->timeline;
    const throng_world *world = throng_viewer_world(viewer);
    const throng_map *map = throng_world_map(world);
    int32_t doors = map ? map->door_count : 0;
    uint32_t now = throng_world_steps(world);
    bool first = !t->open;
    if (doors == 0)
        return true;
    if (first && !(t->open = malloc((size_t)doors * sizeof *t->open)))
        return throng_fail(error, "out of memory for the timeline");
    for (int32_t d = 0; d < doors; d++) {
        char text[60];
        bool open = throng_world_door_open(world, d), turned = !first && open != t->open[d];
        t->open[d] = open;
        snprintf(text, sizeof text, "%.40s %s", map->doors[d].name, open ? "opens" : "closes");
        if (turned && !throng_timeline_mark(viewer, now, open ? THRONG_MARK_OPENED : THRONG_MARK_CLOSED, text, error))
            return false;
    }
    return true;
}

static bool count_arrivals(throng_viewer *viewer, throng_error *error)
{
    throng_timeline *t = &viewer->timeline;
    const throng_handle *arrived;
    int32_t count, second = (int32_t)throng_world_time(throng_viewer_world(viewer));
    if (!throng_world_arrivals(throng_viewer_world(viewer), &arrived, &count, error))
        return false;
    if (!throng_array_reserve((void **)&t->arrived, &t->second_room, (int64_t)second + 1, sizeof *t->arrived))
        return throng_fail(error, "out of memory for the timeline");
    while (t->seconds <= second)
        t->arrived[t->seconds++] = 0;
    t->arrived[second] += count;
    return true;
}

static bool note_stuck(throng_viewer *viewer, throng_error *error)
{
    int32_t count;
    char text[sizeof viewer->timeline.marks->text];
    const throng_stuck *stuck = throng_world_newly_stuck(throng_viewer_world(viewer), &count);
    if (count == 0)
        return true;
    const throng_stuck_message *message = &throng_stuck_messages[stuck[0].cause];
    snprintf(text, sizeof text, "%d %s: %s", count, message->why, message->cure);
    return throng_timeline_mark(viewer, throng_world_steps(throng_viewer_world(viewer)), THRONG_MARK_STUCK, text,
                                error);
}

bool throng_timeline_step(throng_viewer *viewer, throng_error *error)
{
    return look_at_doors(viewer, error) && count_arrivals(viewer, error) && note_stuck(viewer, error);
}
