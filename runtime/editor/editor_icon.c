#include "editor_parts.h"

typedef struct stroke {
    float x0, y0, x1, y1; /* units from the middle, y down */
} stroke;

enum { MOST = 8 };

static const stroke icons[][MOST] = {
    [THRONG_TOOL_SELECT] = {{-4, -6, -4, 6}, {-4, -6, 5, 2}, {-4, 6, -1, 2}, {-1, 2, 5, 2}},
    [THRONG_TOOL_ROOM] = {{-6, -5, 6, -5}, {6, -5, 6, 5}, {6, 5, 2, 5}, {-2, 5, -6, 5}, {-6, 5, -6, -5}},
    [THRONG_TOOL_WALL] =
        {{-7, -2, 7, -2}, {7, -2, 7, 2}, {7, 2, -7, 2}, {-7, 2, -7, -2}, {-3, -2, -3, 2}, {3, -2, 3, 2}},
    [THRONG_TOOL_FACE] = {{-6, 4, -3, -5}, {-3, -5, 5, -4}, {5, -4, 6, 5}, {6, 5, -6, 4}},
    [THRONG_TOOL_SPLIT] = {{-6, -5, 6, -5}, {6, -5, 6, 5}, {6, 5, -6, 5}, {-6, 5, -6, -5}, {-2, 7, 2, -7}},
    [THRONG_TOOL_MERGE] =
        {{-6, -5, 6, -5}, {6, -5, 6, 5}, {6, 5, -6, 5}, {-6, 5, -6, -5}, {-3, 0, 3, 0}, {0, -3, 0, 3}},
    [THRONG_TOOL_SPAWN] = {{-6, -6, 6, -6}, {6, -6, 6, 6}, {6, 6, -6, 6}, {-6, 6, -6, -6}},
    [THRONG_TOOL_EXIT] = {{1, -6, -6, -6}, {-6, -6, -6, 6}, {-6, 6, 1, 6}, {-2, 0, 7, 0}, {4, -3, 7, 0}, {4, 3, 7, 0}},
    [THRONG_TOOL_REGION] = {{-6, -6, 6, -6}, {6, -6, 6, 1}, {6, 1, 1, 1}, {1, 1, 1, 6}, {1, 6, -6, 6}, {-6, 6, -6, -6}},
    [THRONG_TOOL_DOOR] = {{-7, 4, -4, 4}, {4, 4, 7, 4}, {-4, 4, 2, -4}, {-4, 2, -4, 6}, {4, 2, 4, 6}},
    [THRONG_TOOL_STAIRS] =
        {{-7, 6, -3, 6}, {-3, 6, -3, 2}, {-3, 2, 1, 2}, {1, 2, 1, -2}, {1, -2, 5, -2}, {5, -2, 5, -6}, {5, -6, 7, -6}},
    [THRONG_TOOL_LIFT] =
        {{-6, -6, 6, -6}, {6, -6, 6, 6}, {6, 6, -6, 6}, {-6, 6, -6, -6}, {-6, -6, 6, 6}, {-6, 6, 6, -6}},
    [THRONG_TOOL_SCALE_MAP] =
        {{-6, -3, -6, 3}, {6, -3, 6, 3}, {-6, 0, 6, 0}, {-2, -1.5f, -2, 1.5f}, {2, -1.5f, 2, 1.5f}},
    [THRONG_TOOL_IMAGE] = {{-6, -5, 6, -5},
                           {6, -5, 6, 5},
                           {6, 5, -6, 5},
                           {-6, 5, -6, -5},
                           {-6, 4, -2, -1},
                           {-2, -1, 1, 3},
                           {1, 3, 3, 1},
                           {3, 1, 6, 4}},
    [THRONG_ACT_WALK] = {{-4, -6, 6, 0}, {6, 0, -4, 6}, {-4, 6, -4, -6}},
    [THRONG_ACT_UNDO] = {{-6, -1, -2, -5}, {-6, -1, -2, 3}, {-6, -1, 3, -1}, {3, -1, 6, 1.5f}, {6, 1.5f, 6, 5}},
    [THRONG_ACT_REDO] = {{6, -1, 2, -5}, {6, -1, 2, 3}, {6, -1, -3, -1}, {-3, -1, -6, 1.5f}, {-6, 1.5f, -6, 5}},
    [THRONG_ACT_SAVE] =
        {{0, -7, 0, 2}, {-3.5f, -1.5f, 0, 2}, {3.5f, -1.5f, 0, 2}, {-6, 2, -6, 6}, {-6, 6, 6, 6}, {6, 6, 6, 2}},
};

void throng_editor_icon(throng_editor *editor, int tool, double x, double y, SDL_Color ink)
{
    double u = editor->view.unit;
    for (int i = 0; i < MOST; i++) {
        const stroke *s = &icons[tool][i];
        throng_batch_line(&editor->view.batch, x + (double)s->x0 * u, y + (double)s->y0 * u, x + (double)s->x1 * u,
                          y + (double)s->y1 * u, 1.3 * u, ink, ink);
    }
    if (tool == THRONG_TOOL_SPAWN)
        throng_batch_disc(&editor->view.batch, (float)x, (float)y, (float)(2.4 * u), ink);
}
