#include "export_vtk.h"

throng_base64 throng_vtk_begin_array(FILE *file, const char *type, const char *name, int components, uint64_t bytes)
{
    throng_base64 out = {.file = file};
    fprintf(file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">", type, name,
            components);
    throng_base64_put(&out, &bytes, sizeof bytes);
    return out;
}

void throng_vtk_end_array(throng_base64 *out)
{
    throng_base64_end(out);
    fputs("</DataArray>\n", out->file);
}
