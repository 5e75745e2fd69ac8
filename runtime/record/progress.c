#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

enum { BAR_WIDTH = 30 };

void throng_progress_init(throng_progress *progress, throng_world *world, uint32_t steps)
{
    *progress = (throng_progress){.world = world,
                                  .first_step = throng_world_steps(world),
                                  .steps = steps,
                                  .bar = isatty(STDERR_FILENO),
                                  .look_every = 1};
}

/* The part done: of the agents that arrived or of the time, whichever is more. */
static double part_done(const throng_progress *progress, const throng_world_stats *stats)
{
    double by_time = (double)(throng_world_steps(progress->world) - progress->first_step) / progress->steps;
    double by_agents = stats->spawned > 0 ? (double)stats->arrived / stats->spawned : 0;
    return fmin(1, fmax(by_time, by_agents));
}

static void draw_bar(throng_progress *progress, double part, const throng_world_stats *stats)
{
    char bar[BAR_WIDTH + 1];
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < part * BAR_WIDTH ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r[%s] %3.0f %%  %6.1f s  %d of %d arrived  %.2f ms/step ", bar, 100 * part,
            throng_world_time(progress->world), stats->arrived, stats->spawned, stats->ms_per_step);
    fflush(stderr);
    progress->drawn = true;
}

static void print_line(double part, const throng_progress *progress, const throng_world_stats *stats)
{
    fprintf(stderr, "%3.0f %%  %6.1f s  %d of %d arrived  %.2f ms/step\n", 100 * part,
            throng_world_time(progress->world), stats->arrived, stats->spawned, stats->ms_per_step);
}

/* A line for every tenth. */
static void print_tenths(throng_progress *progress, double part, const throng_world_stats *stats)
{
    int tenths = (int)(part * 10 + 1e-9);
    if (tenths <= progress->shown_part)
        return;
    progress->shown_part = tenths;
    print_line(tenths / 10.0, progress, stats);
}

/* Looking costs something (counters come from the backend), so it is done about ten times a second. */
static void pace(throng_progress *progress, double since)
{
    if (since < 0.05 && progress->look_every < 1024)
        progress->look_every *= 2;
    else if (since > 0.2 && progress->look_every > 1)
        progress->look_every /= 2;
}

void throng_progress_step(throng_progress *progress)
{
    if (throng_world_steps(progress->world) % progress->look_every != 0)
        return;
    throng_world_stats stats;
    throng_error error;
    double now = throng_clock();
    pace(progress, now - progress->shown_at);
    progress->shown_at = now;
    if (!throng_world_get_stats(progress->world, &stats, &error))
        return;
    double part = part_done(progress, &stats);
    if (progress->bar)
        draw_bar(progress, part, &stats);
    else
        print_tenths(progress, part, &stats);
}

void throng_progress_end(throng_progress *progress)
{
    throng_world_stats stats;
    throng_error error;
    if (progress->drawn)
        fprintf(stderr, "\r%78s\r", "");
    else if (!progress->bar && progress->shown_part < 10 && throng_world_get_stats(progress->world, &stats, &error))
        print_line(part_done(progress, &stats), progress, &stats);
    progress->drawn = false;
}
