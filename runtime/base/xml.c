#include "xml.h"

#include "error.h"

void throng_xml_text(FILE *file, const char *text)
{
    for (int size = 1; *text; text += size, size = 1)
        switch (*text) {
        case '&': fputs("&amp;", file); break;
        case '<': fputs("&lt;", file); break;
        case '>': fputs("&gt;", file); break;
        case '"': fputs("&quot;", file); break;
        case '\'': fputs("&#39;", file); break;
        default:
            if ((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t')
                size = throng_text_put(file, text);
        }
}
