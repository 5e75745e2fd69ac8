#include "stuck_messages.h"

const throng_stuck_message throng_stuck_messages[THRONG_STUCK_CAUSE_COUNT] = {
    [THRONG_STUCK_PATH] = {"waiting for a path", "raise world.paths.budget"},
    [THRONG_STUCK_GOAL] = {"sent into a wall", "move the goal, or make its region wider"},
    [THRONG_STUCK_ROUTE] = {"without any way to the goal",
                            "look for gaps too narrow for them: throng map FILE lists them"},
    [THRONG_STUCK_DOOR] = {"held up by a closed door", "open it, or set door_policy to \"reroute\""},
    [THRONG_STUCK_STANDOFF] = {"face to face with others", "widen the passage, or give each direction one of its own"},
    [THRONG_STUCK_CROWD] = {"held up by a crowd", "widen the exit ahead, or set congestion = true"},
    [THRONG_STUCK_BODY] = {"held up by a rigid body", "make it lighter, or move it out of the way"},
    [THRONG_STUCK_WALL] = {"held up by a wall", "widen the gap there, or make them smaller"},
    [THRONG_STUCK_PLANNER] = {"held back by their own planner", "try another planner, or a shorter horizon"},
};
