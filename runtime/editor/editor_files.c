/* The map maker's files: the map that is opened and saved, and what is kept of work that is not saved. */
#include "editor_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

static const double KEEP_AFTER = 2; /* s without a change */

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

/* What is saved to: the map itself, or an .xml beside one of another format. */
bool throng_editor_name_files(throng_editor *editor, const char *path, throng_error *error)
{
    bool own = throng_file_ends_in(path, ".xml");
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    int stem = (int)(dot && (!slash || dot > slash) ? dot - path : (long)strlen(path));
    if (stem > 4000)
        return throng_fail(error, "the path of the map is too long");
    snprintf(editor->path, sizeof editor->path, "%.*s%s", own ? (int)strlen(path) : stem, path, own ? "" : ".xml");
    snprintf(editor->kept, sizeof editor->kept, "%.*s.autosave.xml", stem, path);
    editor->overwrites = !own && is_there(editor->path);
    return true;
}

bool throng_editor_read(throng_editor *editor, const char *path, throng_error *error)
{
    bool cut;
    if (!is_there(path) && throng_file_ends_in(path, ".xml"))
        return true; /* a new one */
    throng_map *map = throng_map_read(path, NULL, error);
    bool taken = map && throng_edit_take_map(&editor->doc, map, &cut, error);
    throng_map_destroy(map);
    if (taken && cut)
        throng_viewer_note(&editor->view, "The floor was cut into convex faces.");
    return taken;
}

void throng_editor_recover(throng_editor *editor)
{
    throng_error error;
    if (!is_there(editor->kept))
        return;
    if (throng_edit_replace(&editor->doc, editor->kept, &error))
        throng_viewer_note(&editor->view, "Recovered what was not saved last time. Ctrl+S keeps it, Ctrl+Z drops it.");
    else
        throng_viewer_note(&editor->view, "Unsaved work cannot be recovered: %.180s", error.text);
    editor->kept_version = editor->seen_version = editor->doc.version;
}

static void forget_kept(throng_editor *editor)
{
    unlink(editor->kept);
    editor->kept_version = editor->seen_version = editor->doc.version;
}

void throng_editor_save(throng_editor *editor)
{
    throng_error error;
    if (editor->overwrites) {
        editor->overwrites = false;
        throng_viewer_note(&editor->view, "%.150s is there already: Ctrl+S again to overwrite it.", editor->path);
        return;
    }
    if (!throng_edit_save(&editor->doc, editor->path, &error)) {
        throng_edit_refusal why = {.at = {NAN, NAN}, .slot = -1};
        snprintf(why.text, sizeof why.text, "%.230s", error.text);
        throng_editor_told(editor, false, &why);
        return;
    }
    forget_kept(editor);
    throng_viewer_note(&editor->view, "Saved %.200s.", editor->path);
}

/* Work that is not saved goes to a file of its own when the hand rests. */
void throng_editor_keep(throng_editor *editor, bool at_once)
{
    uint32_t version = editor->doc.version;
    if (version != editor->seen_version) {
        editor->seen_version = version;
        editor->changed = editor->view.clock;
    }
    bool rested = at_once || (editor->view.clock - editor->changed >= KEEP_AFTER && !editor->drag.moved);
    if (version == editor->kept_version || !rested)
        return;
    editor->kept_version = version;
    if (!throng_edit_unsaved(&editor->doc))
        unlink(editor->kept);
    else if (throng_edit_floor_area(&editor->doc) > 0) {
        throng_error error;
        if (!throng_edit_keep(&editor->doc, editor->kept, &error))
            throng_viewer_note(&editor->view, "Unsaved work cannot be kept: %.180s", error.text);
    }
}

void throng_editor_quit(throng_editor *editor)
{
    if (throng_edit_unsaved(&editor->doc) && !editor->leaving) {
        editor->leaving = true;
        throng_viewer_note(&editor->view, "There are unsaved changes. Ctrl+S saves them, Q again drops them.");
        return;
    }
    forget_kept(editor);
    editor->view.quit = true;
}
