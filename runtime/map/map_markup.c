#include "map_markup.h"

#include <expat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/file.h"

/* A reading under way. */
typedef struct reading {
    throng_markup markup;
    const throng_markup_handlers *handlers;
    XML_Parser parser;
    throng_error *error;
    bool failed;
} reading;

static void follow_up(reading *r, bool fine)
{
    if (fine)
        return;
    throng_fail_in(r->error, "%s:%d", r->markup.path, r->markup.line);
    r->failed = true;
    XML_StopParser(r->parser, XML_FALSE);
}

static bool ready(reading *r)
{
    r->markup.line = (int)XML_GetCurrentLineNumber(r->parser);
    return !r->failed;
}

static void XMLCALL on_start(void *user, const char *name, const char **attributes)
{
    reading *r = user;
    if (ready(r) && r->handlers->start)
        follow_up(r, r->handlers->start(&r->markup, name, attributes, r->error));
}

static void XMLCALL on_end(void *user, const char *name)
{
    reading *r = user;
    if (ready(r) && r->handlers->end)
        follow_up(r, r->handlers->end(&r->markup, name, r->error));
}

static void XMLCALL on_text(void *user, const char *text, int length)
{
    reading *r = user;
    if (ready(r) && r->handlers->text)
        follow_up(r, r->handlers->text(&r->markup, text, length, r->error));
}

static bool parse(reading *r, const throng_bytes *file)
{
    if (file->size > INT32_MAX)
        return throng_fail(r->error, "%s: the file is too large", r->markup.path);
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, on_start, on_end);
    XML_SetCharacterDataHandler(r->parser, on_text);
    if (XML_Parse(r->parser, (const char *)file->data, (int)file->size, XML_TRUE) == XML_STATUS_OK)
        return true;
    if (r->failed)
        return false;
    return throng_fail(r->error, "%s:%d: not well-formed XML: %s", r->markup.path,
                       (int)XML_GetCurrentLineNumber(r->parser), XML_ErrorString(XML_GetErrorCode(r->parser)));
}

bool throng_markup_read(const char *path, const throng_markup_handlers *handlers, void *user, throng_error *error)
{
    static const XML_Memory_Handling_Suite ours = {malloc, realloc, free};
    throng_bytes file;
    throng_error dropped;
    if (!throng_file_read(path, THRONG_FILE_MOST_MAP, &file, error))
        return false;
    reading r = {{path, user, 1}, handlers, XML_ParserCreate_MM(NULL, &ours, NULL), error ? error : &dropped, false};
    bool fine = r.parser ? parse(&r, &file) : throng_fail(error, "%s: out of memory", path);
    if (r.parser)
        XML_ParserFree(r.parser);
    free(file.data);
    return fine;
}

bool throng_markup_is(const char *name, const char *wanted) { return strcasecmp(name, wanted) == 0; }

const char *throng_markup_attribute(const char **attributes, const char *name)
{
    for (; attributes[0]; attributes += 2)
        if (throng_markup_is(attributes[0], name))
            return attributes[1];
    return NULL;
}

bool throng_markup_parse(const char *text, double *value)
{
    char *end;
    double v = strtod(text, &end);
    if (end == text || end[strspn(end, " \t\r\n")] || !isfinite(v))
        return false;
    *value = v;
    return true;
}

bool throng_markup_number(const char *element, const char **attributes, const char *name, double *value,
                          throng_error *error)
{
    const char *text = throng_markup_attribute(attributes, name);
    if (!text || throng_markup_parse(text, value))
        return true;
    return throng_fail(error, "<%s>: %s=\"%.40s\" is not valid: give a number", element, name, text);
}

bool throng_markup_need(const char *element, const char **attributes, const char *name, double *value,
                        throng_error *error)
{
    if (!throng_markup_attribute(attributes, name))
        return throng_fail(error, "<%s>: the attribute %s is missing", element, name);
    return throng_markup_number(element, attributes, name, value, error);
}

bool throng_points_add(throng_points *points, throng_point point)
{
    if (!throng_array_reserve((void **)&points->list, &points->capacity, (int64_t)points->count + 1,
                              sizeof *points->list))
        return false;
    points->list[points->count++] = point;
    return true;
}
