/* Text in XML and HTML: letters that mean something there as entities, in elements and attributes; control characters,
 * which XML cannot hold, are left out. */
#ifndef THRONG_XML_H
#define THRONG_XML_H

#include <stdio.h>

void throng_xml_text(FILE *file, const char *text);

#endif
