#include "export.h"

#include "base/file.h"
#include "export_parts.h"

static const struct {
    const char *ending;
    throng_export_writer *write;
} formats[] = {{".csv", throng_export_csv}, {".geojson", throng_export_geojson}, {".pvd", throng_export_pvd},
               {".vtp", throng_export_vtp}, {".vti", throng_export_vti},         {".glb", throng_export_glb}};

static throng_export_writer *writer_of(const char *path)
{
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        if (throng_file_ends_in(path, formats[f].ending))
            return formats[f].write;
    return NULL;
}

bool throng_export_knows(const char *path) { return writer_of(path) != NULL; }

const char *throng_export_endings(void) { return ".csv, .geojson, .pvd, .vtp, .vti or .glb"; }

/* Does the time that was asked for have a frame? */
static bool check_told(const throng_export_source *source, throng_error *error)
{
    int32_t frames = throng_recording_frames(source->recording);
    if (source->told)
        return true;
    if (frames == 0)
        return throng_fail(error, "the recording has no frames");
    return throng_fail(error, "the recording has no frame from %g s to %g s; its last one is at %.9g s",
                       source->def->from, source->def->to, source->now.time);
}

bool throng_export(throng_recording *recording, const throng_export_def *def, int32_t *moments, throng_error *error)
{
    throng_export_source source;
    throng_output *output = NULL;
    bool ok = throng_export_source_init(&source, recording, def, error) &&
              (output = throng_output_begin(def->path, error)) != NULL;
    if (ok) {
        throng_error cause;
        ok = (writer_of(def->path)(&source, output, &cause) && check_told(&source, &cause)) ||
             throng_fail(error, "cannot write '%s': %s", def->path, cause.text);
    }
    *moments = source.told;
    throng_export_source_fini(&source);
    if (ok)
        return throng_output_commit(output, error);
    throng_output_discard(output);
    return false;
}
