#include "world_sizes.h"

bool throng_bodies_are_wide(const throng_agents *agents)
{
    return throng_agents_uses(agents, THRONG_COLUMN_width) && throng_agents_uses(agents, THRONG_COLUMN_shoulders);
}

bool throng_world_read_sizes(throng_agents *agents, world_sizes *sizes, throng_error *error)
{
    bool wide = throng_agents_uses(agents, THRONG_COLUMN_width);
    sizes->radius = throng_agents_read(agents, THRONG_COLUMN_radius, error);
    sizes->width = wide ? throng_agents_read(agents, THRONG_COLUMN_width, error) : NULL;
    return sizes->radius && (sizes->width || !wide);
}
