// A program of its own with a crowd in it, in C++: its own agent, steered by the program, walks among others, who make way.
//   c++ player.cpp $(pkg-config --cflags --libs throng) -o player && ./player
#include <cstdio>
#include <cstring>
#include <memory>
#include <throng.h>

static const char HALL[] = R"(
local throng = require "throng"
local world = throng.world {
  map = throng.map { boundary = throng.box(0, 0, 30, 10) },
  regions = { left = throng.box(1, 1, 6, 9), right = throng.box(24, 1, 29, 9) },
  threads = 1, until_done = false,
}
world:spawn { count = 30, where = "right", name = "visitors" }:go_to "left"
return world
)";

int main()
{
    throng_message message{};
    std::unique_ptr<throng_sim, decltype(&throng_sim_destroy)> sim(
        throng_sim_load_text("hall.lua", HALL, std::strlen(HALL), nullptr, &message), throng_sim_destroy);
    const float start[] = {2, 5}, ahead[] = {1.4f, 0};
    throng_agent player{};
    bool fine = sim && throng_sim_spawn(sim.get(), "{ name = 'player' }", start, 1, &player, &message) &&
                throng_sim_steer(sim.get(), &player, ahead, 1, &message);
    for (int step = 0; fine && step < 150; step++)
        fine = throng_sim_step(sim.get(), &message);
    double overlaps = -1;
    fine = fine && throng_sim_number(sim.get(), "world:stats().overlaps", &overlaps, &message);
    if (!fine) {
        std::fprintf(stderr, "%s\n", message.text);
        return 1;
    }
    auto x = static_cast<const float *>(throng_sim_read(sim.get(), throng_sim_column_named(sim.get(), "x"), nullptr));
    std::printf("the player is at x = %.1f m, %g overlaps\n", static_cast<double>(x[player.slot]), overlaps);
    return 0;
}
