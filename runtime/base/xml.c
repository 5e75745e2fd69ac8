#include "xml.h"

void throng_xml_text(FILE *file, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", file); break;
        case '<': fputs("&lt;", file); break;
        case '>': fputs("&gt;", file); break;
        case '"': fputs("&quot;", file); break;
        case '\'': fputs("&#39;", file); break;
        default:
            if ((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t')
                fputc(*text, file);
        }
}
