// A program of its own with a crowd in it, in C++, without a line of Lua: its own agent, steered by the program, walks
// among others, who make way.
//   c++ player.cpp $(pkg-config --cflags --libs throng) -o player && ./player
#include <cmath>
#include <cstdio>
#include <memory>
#include <throng.h>

static const float *column(throng_sim *sim, const char *name)
{
    return static_cast<const float *>(throng_sim_read(sim, throng_sim_column_named(sim, name), nullptr));
}

// Others whose bodies are in the player's, by more than a hundredth.
static int overlaps_of(throng_sim *sim, throng_agent player, const throng_agent *others, int count)
{
    const float *x = column(sim, "x"), *y = column(sim, "y"), *radius = column(sim, "radius");
    int overlaps = 0, own = player.slot;
    for (int i = 0; i < count; i++) {
        int slot = others[i].slot;
        overlaps += std::hypot(x[slot] - x[own], y[slot] - y[own]) < 0.99f * (radius[slot] + radius[own]);
    }
    return overlaps;
}

int main()
{
    const double hall[] = {0, 0, 30, 10}, west[] = {1, 1, 6, 9}, east[] = {24, 1, 29, 9};
    const throng_shape boundary{nullptr, hall, 2}, regions[] = {{"west", west, 2}, {"east", east, 2}};
    throng_sim_world world = throng_sim_world_default();
    world.boundary = &boundary;
    world.boundary_count = 1;
    world.regions = regions;
    world.region_count = 2;

    throng_sim_group visitors = throng_sim_group_default(), own = throng_sim_group_default();
    visitors.name = "visitors";
    visitors.where = "east";
    own.name = "player";

    throng_message message{};
    std::unique_ptr<throng_sim, decltype(&throng_sim_destroy)> sim(throng_sim_create(&world, nullptr, &message),
                                                                   throng_sim_destroy);
    const float start[] = {2, 5}, ahead[] = {1.4f, 0};
    throng_agent player{}, others[30];
    bool fine = sim && throng_sim_spawn_group(sim.get(), &visitors, nullptr, 30, others, &message) &&
                throng_sim_go_to(sim.get(), others, 30, "west", &message) &&
                throng_sim_spawn_group(sim.get(), &own, start, 1, &player, &message) &&
                throng_sim_steer(sim.get(), &player, ahead, 1, &message);
    int overlaps = 0;
    for (int step = 0; fine && step < 150; step++) {
        fine = throng_sim_step(sim.get(), &message);
        overlaps += overlaps_of(sim.get(), player, others, 30);
    }
    int32_t there = 0;
    fine = fine && throng_sim_count_in(sim.get(), "west", &there, &message);
    if (!fine) {
        std::fprintf(stderr, "%s\n", message.text);
        return 1;
    }
    std::printf("the player is at x = %.1f m, %d others in the west, %d overlaps\n",
                static_cast<double>(column(sim.get(), "x")[player.slot]), static_cast<int>(there), overlaps);
    return 0;
}
