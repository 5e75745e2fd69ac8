/* The planners: how an agent turns its preferred velocity into a new one.
 *
 * An agent's column `planner` is an index into the world's table of entries: a
 * kind with the parameters that are this planner's own. Agents with equal
 * parameters share an entry. What all planners go by (speeds, horizons, sight,
 * neighbours) are columns of the agents.
 *
 * A new planner is
 *   - a row in THRONG_PLANNERS, and one in THRONG_PLANNER_PARAMETERS for each parameter of its own: its Lua
 *     constructor and checks, what calls and launches it, and `throng bench NAME` come from these;
 *   - a body in kernels/planners/NAME.h, included by plan.h, with the doc comment of throng.NAME(settings):
 *         LANE_FN void plan_NAME(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx, lane_f dy)
 *     which stores the new velocities, m/s, of agents `first` .. in `slot`, who prefer (dx, dy), in c->nx and c->ny;
 *   - what it saw and chose: a case of probe_choice, kernels/planners/probe.h.
 * These are four files; its test is tests/specs/NAME_spec.lua.
 * What it remembers of an agent from frame to frame is a column in
 * columns.h: kept when the store grows, fresh for every agent, hashed. */
#ifndef THRONG_PLANNERS_H
#define THRONG_PLANNERS_H

#include <stdint.h>

/* The agents' columns that a planner goes by and its constructor takes. */
enum throng_planner_columns {
    THRONG_TAKES_HORIZON = 1,
    THRONG_TAKES_WALL_HORIZON = 2,
    THRONG_TAKES_SIGHT = 4,
    THRONG_TAKES_NEIGHBOURS = 8,
    THRONG_TAKES_SEEN = THRONG_TAKES_WALL_HORIZON | THRONG_TAKES_SIGHT | THRONG_TAKES_NEIGHBOURS,
    THRONG_TAKES_ALL = THRONG_TAKES_SEEN | THRONG_TAKES_HORIZON,
    THRONG_KEEPS_GAP =
        16, /* its model slows down behind others: the agents' time_gap and relaxation do not count (walk.h) */
    THRONG_REMEMBERS = 32, /* the columns force_x and force_y are its own */
};

/* X(name, columns it takes and what else is true of it, how it is run)
 * simple: plan_NAME is called for every vector, or thread, of agents that have the planner;
 * own: by run_NAME in kernels/cpu/cpu_lanes.c and launch_NAME in kernels/cuda/cuda_plan.cu, for a planner that gathers
 * agents into queues or shares one among threads. */
#define THRONG_PLANNERS(X)                                                                                             \
    X(none, 0, simple)                                                                                                 \
    X(orca, THRONG_TAKES_ALL, own)                                                                                     \
    X(clearpath, THRONG_TAKES_ALL, own)                                                                                \
    X(rvo, THRONG_TAKES_SEEN, own)                                                                                     \
    X(forces, THRONG_TAKES_WALL_HORIZON | THRONG_REMEMBERS, own)                                                       \
    X(bvp, THRONG_TAKES_SEEN, own)                                                                                     \
    X(collision_free_speed, THRONG_TAKES_SEEN | THRONG_KEEPS_GAP | THRONG_REMEMBERS, simple)                           \
    X(social_force, THRONG_TAKES_SEEN | THRONG_KEEPS_GAP, simple)                                                      \
    X(anticipation, THRONG_TAKES_SEEN | THRONG_KEEPS_GAP | THRONG_REMEMBERS, simple)                                   \
    X(generalized_centrifugal_force, THRONG_TAKES_SEEN | THRONG_KEEPS_GAP, simple)                                     \
    X(power_law, THRONG_TAKES_SEEN | THRONG_KEEPS_GAP, simple)

/* >= least; > least; > least and < most; >= least and < most; a whole number; one that results of behaviour functions
 * are rounded to (crowd_planner_whole) */
enum throng_parameter_form { THRONG_FROM, THRONG_ABOVE, THRONG_BETWEEN, THRONG_BELOW, THRONG_WHOLE, THRONG_ROUNDED };

/* X(planner, name, initial, least, most, form, unit, what it is) */
#define THRONG_PLANNER_PARAMETERS(X)                                                                                   \
    X(clearpath, variant, 2, 1, 2, THRONG_WHOLE, "",                                                                   \
      "2: agents avoid collisions within the horizon. 1: they also pass each neighbour on the nearer side; no "        \
      "collision happens as long as everybody finds a velocity")                                                       \
    X(clearpath, published, 0, 0, 1, THRONG_WHOLE, "",                                                                 \
      "1: exactly as in the paper. In variant 1 the legs of a velocity obstacle start at its apex. In variant 2 "      \
      "there are no half-planes that keep a pair from meeting within the step. The optimum is sought without limits "  \
      "on speed and acceleration; if it breaks them, the farthest neighbour is dropped. 0: the legs are moved back "   \
      "to allow for a neighbour's velocity that lies inside, so that theorem 1 holds; half-planes keep pairs apart; "  \
      "and the "                                                                                                       \
      "optimum is sought within the limits, so that nobody is dropped who could be avoided")                           \
    X(clearpath, max_acceleration, 1e6, 0, 1e6, THRONG_ABOVE, "m/s^2",                                                 \
      "largest change of velocity per second; 1e6: no limit")                                                          \
    X(rvo, samples, 250, 1, 65536, THRONG_WHOLE, "",                                                                   \
      "random velocities that an agent tries each step, besides the preferred one")                                    \
    X(rvo, weight, 1, 0, 1e6, THRONG_FROM, "m",                                                                        \
      "cost of a coming collision against that of a longer path: cost = |preferred - v| + weight / (time to "          \
      "collision)")                                                                                                    \
    X(rvo, alpha, 0.5, 0, 1, THRONG_FROM, "",                                                                          \
      "share of the avoidance that the agent takes on; agents without a planner are avoided in full")                  \
    X(rvo, complementary, 0, 0, 1, THRONG_WHOLE, "",                                                                   \
      "1: towards each neighbour the share is the mean of the own alpha and of what the neighbour's leaves, so that "  \
      "those of a pair add up to 1; other planners count as 0.5. 0: it is alpha")                                      \
    X(rvo, safety, 0, 0, 100, THRONG_FROM, "m",                                                                        \
      "safety distance: pairs between whose outlines there is less part first, whatever else is to come")              \
    X(rvo, max_acceleration, 1e6, 0, 1e6, THRONG_ABOVE, "m/s^2",                                                       \
      "largest change of velocity per second; 1e6: no limit")                                                          \
    X(forces, length, 3, 0, 100, THRONG_ABOVE, "m", "how far ahead an agent avoids others")                            \
    X(forces, width, 1.5, 0, 100, THRONG_ABOVE, "m", "width of the rectangle ahead in which it avoids others")         \
    X(forces, attraction, 1, 0, 1000, THRONG_FROM, "", "weight of the preferred direction")                            \
    X(forces, avoidance, 0.3, -1000, 1000, THRONG_FROM, "",                                                            \
      "weight of the pushes from others; negative: others attract")                                                    \
    X(forces, memory, 0.5, 0, 1000, THRONG_FROM, "", "weight of the previous direction")                               \
    X(forces, walls, 1, 0, 1000, THRONG_FROM, "", "weight of the pushes from walls")                                   \
    X(forces, comfort, 0.3, 0, 10, THRONG_ABOVE, "m",                                                                  \
      "distance at which walls begin to push, of those within wall_horizon")                                           \
    X(forces, published, 0, 0, 1, THRONG_WHOLE, "",                                                                    \
      "1: the thesis's sum of pushes, which may outweigh the preferred direction and turn an agent round. "            \
      "0: they stay below it, and an agent that is pushed aside slows down")                                           \
    X(forces, max_turn, 6, 0, 1000, THRONG_ABOVE, "rad/s", "largest turn per second")                                  \
    X(forces, max_acceleration, 5, 0, 1e6, THRONG_ABOVE, "m/s^2", "largest change of speed per second")                \
    X(bvp, epsilon, 0, -2, 2, THRONG_BETWEEN, "", "how strongly the behaviour vector bends paths; 0: not at all")      \
    X(bvp, v_x, 1, -1e6, 1e6, THRONG_FROM, "",                                                                         \
      "x of the behaviour vector; its length does not matter, but must not be 0")                                      \
    X(bvp, v_y, 0, -1e6, 1e6, THRONG_FROM, "", "y of the behaviour vector")                                            \
    X(bvp, inertia, 0.5, 0, 1, THRONG_BELOW, "", "share of its direction that an agent keeps from step to step")       \
    X(bvp, width, 16, 9, 64, THRONG_ROUNDED, "cells", "cells of the local map along x")                                \
    X(bvp, height, 16, 9, 64, THRONG_ROUNDED, "cells", "cells of the local map along y")                               \
    X(bvp, zone, 2, 2, 31, THRONG_ROUNDED, "cells",                                                                    \
      "width of the border of the local map that counts as free whatever is there, so that the way to the goal "       \
      "always connects")                                                                                               \
    X(bvp, cell, 0, 0, 100, THRONG_FROM, "m", "side of a cell; 0: 0.6 of the agent's radius")                          \
    X(bvp, view, 3.141592653589793, 0, 6.283185307179586, THRONG_ABOVE, "rad",                                         \
      "angle of view; pi: the half-plane ahead")                                                                       \
    X(bvp, sweeps, 0, 0, 1000, THRONG_WHOLE, "",                                                                       \
      "most relaxation sweeps of the local map per step; 0: 32 for maps of up to 21 cells, for larger ones a seventh " \
      "of the square of their longer side")                                                                            \
    X(bvp, residual, 0, 0, 1, THRONG_FROM, "", "stop after a sweep that changes no cell by more than this")            \
    X(collision_free_speed, variant, 2, 2, 3, THRONG_WHOLE, "",                                                        \
      "2: neighbours and walls add repulsions to the direction, as in the paper (and in versions 1 and 2 of "          \
      "JuPedSim). 3: walls do, and the neighbour ahead with the largest weight turns it")                              \
    X(collision_free_speed, time_gap, 1, 0, 100, THRONG_ABOVE, "s",                                                    \
      "speed = gap ahead / time_gap, at most the preferred speed")                                                     \
    X(collision_free_speed, strength, 8, 0, 1000, THRONG_FROM, "", "variant 2: repulsion from a neighbour at contact") \
    X(collision_free_speed, range, 0.1, 0.001, 100, THRONG_FROM, "m",                                                  \
      "variant 2: gap at which that repulsion has fallen to 1/e")                                                      \
    X(collision_free_speed, wall_strength, 5, 0, 1000, THRONG_FROM, "", "repulsion from a wall at contact")            \
    X(collision_free_speed, wall_range, 0.02, 0.001, 100, THRONG_FROM, "m",                                            \
      "gap at which that repulsion has fallen to 1/e")                                                                 \
    X(collision_free_speed, ahead, 2, 0.001, 100, THRONG_FROM, "m",                                                    \
      "variant 3: distance ahead at which the weight of a neighbour has fallen to 1/e")                                \
    X(collision_free_speed, aside, 0.8, 0.001, 100, THRONG_FROM, "m",                                                  \
      "variant 3: lateral distance at which the weight of a neighbour has fallen to 1/e")                              \
    X(collision_free_speed, max_turn, 1.57, 0, 3.141592653589793, THRONG_FROM, "rad",                                  \
      "variant 3: a neighbour of weight 1 turns the direction by 0.76 of this")                                        \
    X(collision_free_speed, buffer, 0, 0, 100, THRONG_FROM, "m", "variant 3: gap at which an agent stops")             \
    X(social_force, relaxation, 0.5, 0, 100, THRONG_ABOVE, "s",                                                        \
      "relaxation time: the difference to the preferred velocity falls to 1/e in it")                                  \
    X(social_force, force, 2000, 0, 1e6, THRONG_FROM, "N", "force from a neighbour at contact")                        \
    X(social_force, wall_force, 2000, 0, 1e6, THRONG_FROM, "N", "force from a wall at contact")                        \
    X(social_force, range, 0.08, 0.001, 100, THRONG_FROM, "m", "gap at which either force has fallen to 1/e")          \
    X(anticipation, time_gap, 1.06, 0, 100, THRONG_ABOVE, "s",                                                         \
      "speed = gap ahead / time_gap, at most the preferred speed")                                                     \
    X(anticipation, strength, 8, 0, 1000, THRONG_FROM, "",                                                             \
      "how strongly a neighbour deflects the agent that is about to touch it and walks the same way")                  \
    X(anticipation, range, 0.1, 0.001, 100, THRONG_FROM, "m",                                                          \
      "anticipated gap at which that deflection has fallen to 1/e")                                                    \
    X(anticipation, anticipation, 1, 0, 100, THRONG_FROM, "s",                                                         \
      "how far ahead the positions of others are anticipated")                                                         \
    X(anticipation, reaction, 0.3, 0, 100, THRONG_ABOVE, "s", "time constant with which the direction follows")        \
    X(anticipation, wall_buffer, 0.1, 0, 100, THRONG_FROM, "m",                                                        \
      "gap within which an agent does not walk towards a wall")                                                        \
    X(anticipation, push_out, 0.3, 0, 1000, THRONG_FROM, "",                                                           \
      "share of the direction that then leads away from the wall")                                                     \
    X(generalized_centrifugal_force, relaxation, 0.5, 0, 100, THRONG_ABOVE, "s",                                       \
      "relaxation time: the difference to the preferred velocity falls to 1/e in it")                                  \
    X(generalized_centrifugal_force, strength, 0.2, 0, 100, THRONG_FROM, "",                                           \
      "eta: share of the preferred speed that counts as approach towards every neighbour")                             \
    X(generalized_centrifugal_force, wall_strength, 0.2, 0, 100, THRONG_FROM, "", "eta for walls")                     \
    X(generalized_centrifugal_force, range, 2, 0.1, 100, THRONG_FROM, "m",                                             \
      "neighbours farther than this, between ellipses, do not count")                                                  \
    X(generalized_centrifugal_force, a_min, 0.18, 0.01, 10, THRONG_FROM, "m",                                          \
      "semi-axis in the direction of walking of an agent that stands")                                                 \
    X(generalized_centrifugal_force, a_time, 0.53, 0, 10, THRONG_FROM, "s", "growth of that semi-axis per m/s")        \
    X(generalized_centrifugal_force, b_min, 0.2, 0.01, 10, THRONG_FROM, "m",                                           \
      "lateral semi-axis at the preferred speed")                                                                      \
    X(generalized_centrifugal_force, b_max, 0.25, 0.01, 10, THRONG_FROM, "m",                                          \
      "lateral semi-axis of an agent that stands")                                                                     \
    X(power_law, relaxation, 0.54, 0, 100, THRONG_ABOVE, "s",                                                          \
      "relaxation time: the difference to the preferred velocity falls to 1/e in it")                                  \
    X(power_law, strength, 1.5, 0, 1e4, THRONG_FROM, "m^2",                                                            \
      "k: interaction energy of a pair whose time to collision is 1 s, without the factor of t0")                      \
    X(power_law, time, 3, 0, 100, THRONG_ABOVE, "s", "t0 of the factor exp(-time to collision / t0) of the energy")

/* bvp: the local map's outer zones (kernels/planners/bvp.h), in cells, at least, and the side of its cells where none
 * is given, in radii of the agent: less than that of a field's, 0.7 radii of the mesh. With cells of 0.25 m for
 * everybody, larger than those, 100 people of 0.25 m who cross in a hall, 60 in a corridor, 60 at a door and 100 among
 * pillars took 8, 5, 28 and 6 % longer, of six seeds each; conflicts were fewer, 0.02 to 0.12 a step instead of 0.04 to
 * 0.18. A map of 21 cells instead of 16, or of 32, was faster by 2 % at most, and at the door slower, by 13 and 53 %.
 */
#define THRONG_BVP_ZONE 2
#define THRONG_BVP_CELL 0.6f
#define THRONG_BVP_CORNER(longer, cell)                                                                                \
    ((0.5f * (longer) - (float)THRONG_BVP_ZONE) * (cell)*1.4143f) /* m: of the inner zone, at most; longer: side */

enum throng_planner_kind {
#define X(name, columns, how) THRONG_PLANNER_##name,
    THRONG_PLANNERS(X)
#undef X
        THRONG_PLANNER_COUNT
};

/* The planners that have an attribute: a bit for each kind. */
enum throng_planner_sets {
#define X(name, attributes, how) | (((attributes)&THRONG_KEEPS_GAP) != 0) << THRONG_PLANNER_##name
    THRONG_PLANNERS_KEEP_GAP = 0 THRONG_PLANNERS(X),
#undef X
#define X(name, attributes, how) | (((attributes)&THRONG_REMEMBERS) != 0) << THRONG_PLANNER_##name
    THRONG_PLANNERS_REMEMBER = 0 THRONG_PLANNERS(X)
#undef X
};

/* Where a parameter lies in an entry: THRONG_orca_... */
enum throng_parameter {
#define X(planner, name, initial, least, most, form, unit, text) THRONG_##planner##_##name,
    THRONG_PLANNER_PARAMETERS(X)
#undef X
        THRONG_PLANNER_VALUES
};

typedef struct throng_planner {
    int32_t kind;                       /* THRONG_PLANNER_... */
    float value[THRONG_PLANNER_VALUES]; /* those of other kinds are at their initial values */
} throng_planner;

#endif
