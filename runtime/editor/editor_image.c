#include "editor_parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_image.h"

static const float FAINT = 0.55f;

/* The folder of the map, as it really is; "" when that is not to be known. */
static void map_folder(const throng_editor *editor, char *folder)
{
    char copy[4096];
    snprintf(copy, sizeof copy, "%s", editor->path);
    char *slash = strrchr(copy, '/');
    if (slash)
        *slash = 0;
    if (!realpath(slash ? (*copy ? copy : "/") : ".", folder))
        *folder = 0;
}

/* As the map names it: seen from the map's folder when it lies in it. */
static void name_image(const throng_editor *editor, const char *path, char *name, size_t size)
{
    char folder[4096], own[PATH_MAX];
    const char *real = realpath(path, own);
    map_folder(editor, folder);
    size_t length = strlen(folder);
    bool inside = real && length > 1 && strncmp(real, folder, length) == 0 && real[length] == '/';
    snprintf(name, size, "%s", inside ? real + length + 1 : real ? real : path);
}

static void find_image(const throng_editor *editor, const char *name, char *path, size_t size)
{
    char folder[4096];
    map_folder(editor, folder);
    if (name[0] == '/')
        snprintf(path, size, "%s", name);
    else
        snprintf(path, size, "%.2000s/%.2000s", folder, name);
}

void throng_image_forget(throng_editor *editor)
{
    if (editor->image.texture)
        SDL_DestroyTexture(editor->image.texture);
    editor->image.texture = NULL;
    editor->image.path[0] = 0;
}

static bool load(throng_editor *editor, const char *path, throng_error *error)
{
    int width, height;
    unsigned char *rgba = throng_image_read_rgba(path, &width, &height, error);
    throng_image_forget(editor);
    snprintf(editor->image.path, sizeof editor->image.path, "%s", path);
    if (!rgba)
        return false;
    SDL_Texture *texture =
        SDL_CreateTexture(editor->view.renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, width, height);
    if (texture) {
        SDL_UpdateTexture(texture, NULL, rgba, 4 * width);
        SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND);
        SDL_SetTextureScaleMode(texture, SDL_ScaleModeLinear);
        SDL_SetTextureAlphaMod(texture, (uint8_t)(255 * FAINT));
    }
    free(rgba);
    editor->image.texture = texture;
    editor->image.width = width;
    editor->image.height = height;
    return texture || throng_fail(error, "cannot show the image '%.150s': %.200s", path, SDL_GetError());
}

/* Beside an image that is there already its place and scale stay. */
void throng_image_lay(throng_editor *editor, const char *path)
{
    char name[4096];
    throng_error error;
    throng_edit_refusal why;
    throng_edit_underlay underlay = {.scale = 0.05}, before;
    if (!path) {
        throng_editor_told(editor, throng_edit_set_underlay(&editor->doc, NULL, &why), &why);
        return;
    }
    if (!load(editor, path, &error)) {
        throng_viewer_note(&editor->view, "%.240s", error.text);
        throng_image_forget(editor);
        return;
    }
    if (throng_edit_underlay_of(&editor->doc, &before))
        underlay = before;
    name_image(editor, path, name, sizeof name);
    underlay.path = name;
    throng_editor_told(editor, throng_edit_set_underlay(&editor->doc, &underlay, &why), &why);
    find_image(editor, name, editor->image.path, sizeof editor->image.path);
}

/* The one that the map names now: undoing may have changed it. */
static bool follow_map(throng_editor *editor, throng_edit_underlay *underlay)
{
    char path[4096];
    throng_error error;
    if (!throng_edit_underlay_of(&editor->doc, underlay))
        return false;
    find_image(editor, underlay->path, path, sizeof path);
    if (strcmp(path, editor->image.path) != 0 && !load(editor, path, &error))
        throng_viewer_note(&editor->view, "%.240s", error.text);
    return editor->image.texture != NULL;
}

void throng_image_draw(throng_editor *editor)
{
    throng_edit_underlay underlay;
    if (editor->image.hidden || !follow_map(editor, &underlay))
        return;
    double pixel = underlay.scale * editor->view.camera.scale;
    throng_point top =
        throng_view_point(&editor->view.camera, underlay.corner.x + throng_edit_floor_offset(editor->floor).x,
                          underlay.corner.y + editor->image.height * underlay.scale);
    throng_batch_flush(&editor->view.batch);
    throng_view_copy(&editor->view, editor->image.texture, top.x, top.y, editor->image.width * pixel,
                     editor->image.height * pixel);
}
