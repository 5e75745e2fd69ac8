/* What the papers report of whole frames, as far as they give times, of speed-ups where they do not, and of collisions.
 */
#include <math.h>

#include "bench_table.h"

const throng_bench_figure throng_bench_figures[] = {
    {"clearpath", "Guy 2009, Evac-1K, 4 cores: 550 FPS", 1000, 1000.0 / 550, NAN, NAN},
    {"clearpath", "Guy 2009, Evac-1K, 32 Larrabee units (simulated): 4,500 FPS", 1000, 1000.0 / 4500, NAN, NAN},
    {"clearpath", "Guy 2009, City-250K, 64 units (simulated): 35 ms", 250000, 35, NAN, NAN},
    {"rvo-250", "Bleiweiss 2009, Evacuation, GTX 280: 18 FPS", 10000, 1000.0 / 18, NAN, NAN},
    {"forces", "O'Sullivan 2009, asked for: 500 at 30 FPS", 500, 1000.0 / 30, NAN, NAN},
    {"bvp-21", "Fischer 2009, 500 local maps of 21 x 21, 9800 GX2 against one core", 500, NAN, 56.6, NAN},
    {"paths-G", "Silva 2010, the best of G0 to G8, GTS 360M against one thread", NAN, NAN, 6, NAN},
    {"back_and_forth", "Guy 2009, OpenSteer, Back&Forth of 80", 80, NAN, NAN, 16},
    {"crossing", "ORCA as RVO2 has it, without contacts, a circle of 1,000 in its worst step", 1000, NAN, NAN, 2553},
    {0},
};
