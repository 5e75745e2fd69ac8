#include "map_yaml.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

throng_map_yaml throng_map_yaml_default(void)
{
    return (throng_map_yaml){.resolution = 0.05, .occupied_thresh = 0.65, .free_thresh = 0.196};
}

/* One line being read, for messages. */
typedef struct place {
    const char *path;
    int line;
    const char *field;
} place;

static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = 0;
    return text;
}

/* A `#` at the start of the line or after a blank begins a comment, but not within quotes. */
static void cut_comment(char *text)
{
    char quote = 0;
    for (char *c = text; *c; c++) {
        if (quote)
            quote = *c == quote ? 0 : quote;
        else if (*c == '"' || *c == '\'')
            quote = *c;
        else if (*c == '#' && (c == text || isspace((unsigned char)c[-1])))
            *c = 0;
        if (!*c)
            return;
    }
}

static char *unquoted(char *text)
{
    size_t length = strlen(text);
    if (length >= 2 && (text[0] == '"' || text[0] == '\'') && text[length - 1] == text[0]) {
        text[length - 1] = 0;
        return text + 1;
    }
    return text;
}

static bool number(const place *at, const char *text, double low, double high, const char *wanted, double *value,
                   throng_error *error)
{
    char *end;
    double v = strtod(text, &end);
    while (isspace((unsigned char)*end))
        end++;
    if (end == text || *end || !(v >= low && v <= high))
        return throng_fail(error, "%s:%d: %s: \"%s\" is not valid: give %s", at->path, at->line, at->field, text,
                           wanted);
    *value = v;
    return true;
}

static bool read_image(const place *at, char *text, throng_map_yaml *yaml, throng_error *error)
{
    const char *name = unquoted(text);
    const char *slash = strrchr(at->path, '/');
    int folder = slash && name[0] != '/' ? (int)(slash - at->path) + 1 : 0;
    if (!name[0])
        return throng_fail(error, "%s:%d: image: empty: give the image's file name", at->path, at->line);
    int length = snprintf(yaml->image, sizeof yaml->image, "%.*s%s", folder, at->path, name);
    if (length < 0 || (size_t)length >= sizeof yaml->image)
        return throng_fail(error, "%s:%d: image: the path is too long", at->path, at->line);
    return true;
}

static bool read_resolution(const place *at, char *text, throng_map_yaml *yaml, throng_error *error)
{
    return number(at, text, 1e-4, 100, "the metres a pixel is wide, more than 0 (0.05 is usual)", &yaml->resolution,
                  error);
}

static bool read_origin(const place *at, char *text, throng_map_yaml *yaml, throng_error *error)
{
    static const char wanted[] = "[x, y, yaw] in metres and radians, on one line";
    double value[3];
    char *rest = text + (*text == '['), *close = strchr(rest, ']');
    int count = 0;
    if (*text == '[' && close && !close[1]) {
        *close = 0;
        for (char *part; count < 3 && (part = strsep(&rest, ",")); count++)
            if (!number(at, trimmed(part), -1e6, 1e6, wanted, &value[count], error))
                return false;
    }
    if (count != 3 || rest)
        return throng_fail(error, "%s:%d: origin: give %s", at->path, at->line, wanted);
    yaml->origin_x = value[0];
    yaml->origin_y = value[1];
    yaml->yaw = value[2];
    return true;
}

static bool read_negate(const place *at, char *text, throng_map_yaml *yaml, throng_error *error)
{
    if (strcmp(text, "0") == 0 || strcasecmp(text, "false") == 0)
        yaml->negate = false;
    else if (strcmp(text, "1") == 0 || strcasecmp(text, "true") == 0)
        yaml->negate = true;
    else
        return throng_fail(error, "%s:%d: negate: \"%s\" is not valid: give 0 (dark is a wall) or 1", at->path,
                           at->line, text);
    return true;
}

static bool read_occupied(const place *at, char *text, throng_map_yaml *yaml, throng_error *error)
{
    return number(at, text, 0, 1, "a darkness of 0 to 1", &yaml->occupied_thresh, error);
}

static bool read_free(const place *at, char *text, throng_map_yaml *yaml, throng_error *error)
{
    return number(at, text, 0, 1, "a darkness of 0 to 1", &yaml->free_thresh, error);
}

/* In "scale" the greys between the thresholds are degrees of doubt: not free, as in "trinary". */
static bool read_mode(const place *at, char *text, throng_map_yaml *yaml, throng_error *error)
{
    (void)yaml;
    text = unquoted(text);
    if (strcmp(text, "trinary") == 0 || strcmp(text, "scale") == 0)
        return true;
    return throng_fail(error, "%s:%d: mode: \"%s\" is not supported: give trinary or scale", at->path, at->line, text);
}

static bool read_colour(const place *at, char *name, char *text, throng_map_yaml *yaml, throng_error *error)
{
    throng_map_colour colour = {.line = at->line};
    char *end = text;
    unsigned long rgb = text[0] == '#' && isxdigit((unsigned char)text[1]) ? strtoul(text + 1, &end, 16) : 0;
    if (end != text + 7 || *end)
        return throng_fail(error, "%s:%d: regions: \"%s\" is not a colour for \"%s\": give \"#rrggbb\" in quotes",
                           at->path, at->line, text, name);
    if (!name[0] || snprintf(colour.name, sizeof colour.name, "%s", name) >= (int)sizeof colour.name)
        return throng_fail(error, "%s:%d: regions: a name must have 1 to %zu letters", at->path, at->line,
                           sizeof colour.name - 1);
    if (yaml->region_count == THRONG_YAML_REGIONS)
        return throng_fail(error, "%s:%d: regions: more than %d", at->path, at->line, THRONG_YAML_REGIONS);
    for (int c = 0; c < 3; c++)
        colour.rgb[c] = (uint8_t)(rgb >> (16 - 8 * c));
    for (int i = 0; i < yaml->region_count; i++)
        if (memcmp(yaml->regions[i].rgb, colour.rgb, 3) == 0)
            return throng_fail(error, "%s:%d: regions: \"%s\" and \"%s\" have the same colour", at->path, at->line,
                               yaml->regions[i].name, name);
    yaml->regions[yaml->region_count++] = colour;
    return true;
}

/* One `name: "#rrggbb"`. */
static bool read_region(const place *at, char *text, throng_map_yaml *yaml, throng_error *error)
{
    char *colon = strchr(text, ':');
    if (!colon)
        return throng_fail(error, "%s:%d: regions: \"%.60s\" is not `name: \"#rrggbb\"`", at->path, at->line, text);
    *colon = 0;
    return read_colour(at, unquoted(trimmed(text)), unquoted(trimmed(colon + 1)), yaml, error);
}

/* {name: "#rrggbb", ...}, or nothing: they follow, a line each. */
static bool read_regions(const place *at, char *text, throng_map_yaml *yaml, throng_error *error)
{
    size_t length = strlen(text);
    if (length == 0)
        return true;
    if (text[0] != '{' || text[length - 1] != '}')
        return throng_fail(error, "%s:%d: regions: give {name: \"#rrggbb\", ...} on one line, or a line each below",
                           at->path, at->line);
    text[length - 1] = 0;
    char *rest = text + 1;
    for (char *part; (part = strsep(&rest, ","));)
        if (*trimmed(part) && !read_region(at, trimmed(part), yaml, error))
            return false;
    return true;
}

enum { IMAGE, RESOLUTION, ORIGIN, NEGATE, OCCUPIED, FREE, MODE, REGIONS, FIELD_COUNT };

static const struct {
    const char *name;
    bool (*read)(const place *at, char *text, throng_map_yaml *yaml, throng_error *error);
    bool required;
} fields[FIELD_COUNT] = {
    [IMAGE] = {"image", read_image, true},
    [RESOLUTION] = {"resolution", read_resolution, true},
    [ORIGIN] = {"origin", read_origin, true},
    [NEGATE] = {"negate", read_negate, false},
    [OCCUPIED] = {"occupied_thresh", read_occupied, false},
    [FREE] = {"free_thresh", read_free, false},
    [MODE] = {"mode", read_mode, false},
    [REGIONS] = {"regions", read_regions, false},
};

/* `*field` is the one that indented lines belong to; the line's own afterwards. */
static bool read_line(const place *line, char *text, throng_map_yaml *yaml, bool *seen, int *field, throng_error *error)
{
    cut_comment(text);
    char *key = trimmed(text);
    if (*key && key > text && *field == REGIONS)
        return read_region(line, key, yaml, error);
    if (!*key || strcmp(key, "---") == 0 || strcmp(key, "...") == 0)
        return true;
    char *colon = strchr(key, ':');
    if (!colon)
        return throng_fail(error, "%s:%d: \"%.60s\" is not `key: value`: is this a ROS map-server YAML?", line->path,
                           line->line, key);
    *colon = 0;
    key = trimmed(key);
    *field = FIELD_COUNT;
    for (int f = 0; f < FIELD_COUNT; f++) {
        if (strcmp(key, fields[f].name) != 0)
            continue;
        place at = {line->path, line->line, fields[f].name};
        if (seen[f])
            return throng_fail(error, "%s:%d: %s is given twice", at.path, at.line, at.field);
        seen[f] = true;
        *field = f;
        return fields[f].read(&at, trimmed(colon + 1), yaml, error);
    }
    return true;
}

static bool check(const char *path, const throng_map_yaml *yaml, const bool *seen, throng_error *error)
{
    for (int f = 0; f < FIELD_COUNT; f++)
        if (fields[f].required && !seen[f])
            return throng_fail(error,
                               "%s: the field `%s` is missing (a ROS map-server YAML has image, resolution "
                               "and origin)",
                               path, fields[f].name);
    if (yaml->free_thresh >= yaml->occupied_thresh)
        return throng_fail(error, "%s: free_thresh (%g) must be less than occupied_thresh (%g)", path,
                           yaml->free_thresh, yaml->occupied_thresh);
    return true;
}

static bool read_lines(char *text, const char *path, throng_map_yaml *yaml, throng_error *error)
{
    bool seen[FIELD_COUNT] = {false};
    place at = {path, 0, ""};
    int field = FIELD_COUNT;
    for (char *line = text; *line;) {
        char *end = line + strcspn(line, "\n"), *next = end + (*end == '\n');
        *end = 0;
        at.line++;
        if (!read_line(&at, line, yaml, seen, &field, error))
            return false;
        line = next;
    }
    return check(path, yaml, seen, error);
}

bool throng_map_yaml_read(const char *path, throng_map_yaml *yaml, throng_error *error)
{
    throng_bytes file;
    if (!throng_file_read(path, THRONG_FILE_MOST_TEXT, &file, error))
        return false;
    throng_map_yaml read = throng_map_yaml_default();
    bool fine = strlen((char *)file.data) == file.size ||
                throng_fail(error, "%s: it has a zero byte: is this a ROS map-server YAML?", path);
    fine = fine && read_lines((char *)file.data, path, &read, error);
    free(file.data);
    if (fine)
        *yaml = read;
    return fine;
}
