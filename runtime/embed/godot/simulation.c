/* ThrongSimulation, a class of Godot: throng.h for GDScript. Methods that fail return false, 0 or nothing, tell Godot's
 * output, and leave what is wrong in get_message. An agent is an int. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "godot.h"
#include "throng.h"

typedef struct simulation {
    throng_sim *sim; /* NULL: nothing is loaded */
    bool keeps_inputs;
    throng_message message;
    char *printed; /* [printed_size] what scripts printed, not taken yet */
    size_t printed_size;
    throng_agent *agents; /* [room] of the call that runs */
    float *heights;       /* [room] */
    int32_t room;
} simulation;

static void *create(void) { return calloc(1, sizeof(simulation)); }

static void destroy(void *instance)
{
    simulation *s = instance;
    throng_sim_destroy(s->sim);
    free(s->printed);
    free(s->agents);
    free(s->heights);
    free(s);
}

/* ---- what goes wrong */

static bool tell(simulation *s, const char *function)
{
    godot_error(s->message.text, function);
    return false;
}

static bool refuse(simulation *s, const char *text, const char *function)
{
    snprintf(s->message.text, sizeof s->message.text, "%s", text);
    return tell(s, function);
}

static bool check(simulation *s, bool fine, const char *function) { return fine || tell(s, function); }

static bool loaded(simulation *s, const char *function)
{
    s->message.text[0] = 0;
    return s->sim || refuse(s, "nothing is loaded: call load first", function);
}

static bool grow(void *values, size_t size)
{
    void *grown = realloc(*(void **)values, size);
    if (grown)
        *(void **)values = grown;
    return grown != NULL;
}

static bool reserve(simulation *s, int64_t count, const char *function)
{
    if (count <= s->room)
        return true;
    if (count > INT32_MAX / 2 || !grow(&s->agents, (size_t)count * sizeof *s->agents) ||
        !grow(&s->heights, (size_t)count * sizeof *s->heights))
        return refuse(s, "out of memory", function);
    s->room = (int32_t)count;
    return true;
}

/* ---- agents */

static int64_t number_of(throng_agent agent)
{
    return (int64_t)((uint64_t)agent.generation << 32 | (uint32_t)agent.slot);
}

static throng_agent agent_of(int64_t number)
{
    return (throng_agent){(int32_t)(number & 0xffffffff), (uint32_t)((uint64_t)number >> 32)};
}

/* Those of an argument, into s->agents; how many. -1: an error was told. */
static int32_t take_agents(simulation *s, const void *ints, const char *function)
{
    int64_t count = godot_size(GODOT_INTS, ints);
    if (!loaded(s, function) || !reserve(s, count, function))
        return -1;
    const int64_t *numbers = godot_elements(GODOT_INTS, ints);
    for (int64_t i = 0; i < count; i++)
        s->agents[i] = agent_of(numbers[i]);
    return (int32_t)count;
}

/* All who live, into s->agents; how many. -1: an error was told. */
static int32_t take_all(simulation *s, const char *function)
{
    if (!loaded(s, function) || !reserve(s, throng_sim_count(s->sim), function))
        return -1;
    return throng_sim_agents(s->sim, s->agents);
}

static void give_agents(void *result, const throng_agent *agents, int32_t count)
{
    int64_t *numbers = godot_resize(GODOT_INTS, result, count);
    for (int32_t i = 0; numbers && i < count; i++)
        numbers[i] = number_of(agents[i]);
}

static void agents(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    int32_t count = take_all(s, "agents");
    give_agents(result, s->agents, count < 0 ? 0 : count);
}

static void arrivals(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    const throng_agent *arrived;
    int32_t count;
    if (loaded(s, "arrivals") && check(s, throng_sim_arrivals(s->sim, &arrived, &count, &s->message), "arrivals"))
        give_agents(result, arrived, count);
}

static void listen(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    char *event = godot_text(arguments[0]), *place = godot_text(arguments[1]);
    int32_t listener = -1;
    if (loaded(s, "listen") && event && place)
        check(s, throng_sim_listen(s->sim, event, *place ? place : NULL, &listener, &s->message), "listen");
    *(int64_t *)result = listener;
    free(event);
    free(place);
}

static void happened(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    const throng_event *events;
    int32_t all = 0, count = 0;
    if (loaded(s, "happened"))
        throng_sim_events(s->sim, &events, &all);
    if (all == 0 || !reserve(s, all, "happened"))
        return;
    for (int32_t i = 0; i < all; i++)
        if (events[i].listener == *(const int64_t *)arguments[0])
            s->agents[count++] = events[i].agent;
    give_agents(result, s->agents, count);
}

static void is_alive(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    *(uint8_t *)result = s->sim && throng_sim_is_alive(s->sim, agent_of(*(const int64_t *)arguments[0]));
}

static void count_of(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    *(int64_t *)result = s->sim ? throng_sim_count(s->sim) : 0;
}

/* ---- loading */

static void keep_print(void *context, const char *text, size_t size)
{
    simulation *s = context;
    if (s->printed_size > 1 << 20) /* nobody takes it */
        return;
    char *printed = realloc(s->printed, s->printed_size + size + 1);
    if (!printed)
        return;
    s->printed = printed;
    memcpy(printed + s->printed_size, text, size);
    s->printed_size += size;
}

static bool replace(simulation *s, throng_sim *sim, const char *function)
{
    if (!sim)
        return tell(s, function);
    throng_sim_destroy(s->sim);
    s->sim = sim;
    return true;
}

/* Of the file `path`, or of `text` in the place of one. */
static bool load_with(simulation *s, const char *path, const char *text, const void *params, int64_t seed,
                      const char *backend, const char *function)
{
    s->message.text[0] = 0;
    int64_t count = godot_size(GODOT_STRINGS, params);
    char **list = calloc((size_t)count + 1, sizeof *list);
    bool fine = list && path && text && backend;
    for (int64_t i = 0; fine && i < count; i++)
        fine = (list[i] = godot_text_at(params, i)) != NULL;
    if (fine) {
        throng_sim_settings settings = throng_sim_settings_default();
        settings.params = (const char *const *)list;
        settings.param_count = (int32_t)count;
        settings.seed = seed;
        settings.backend = *backend ? backend : NULL;
        settings.print = keep_print;
        settings.context = s;
        settings.keep_inputs = s->keeps_inputs;
        fine = replace(s,
                       *text ? throng_sim_load_text(path, text, strlen(text), &settings, &s->message)
                             : throng_sim_load(path, &settings, &s->message),
                       function);
    } else {
        refuse(s, "out of memory", function);
    }
    for (int64_t i = 0; list && i < count; i++)
        free(list[i]);
    free(list);
    return fine;
}

static void load_file(void *instance, const void *const *arguments, void *result)
{
    char *path = godot_text(arguments[0]), *backend = godot_text(arguments[3]);
    *(uint8_t *)result = load_with(instance, path, "", arguments[1], *(const int64_t *)arguments[2], backend, "load");
    free(path);
    free(backend);
}

static void load_text(void *instance, const void *const *arguments, void *result)
{
    char *text = godot_text(arguments[0]), *name = godot_text(arguments[1]), *backend = godot_text(arguments[4]);
    *(uint8_t *)result = text && !*text ? refuse(instance, "the scenario's text is empty", "load_text")
                                        : load_with(instance, name, text, arguments[2], *(const int64_t *)arguments[3],
                                                    backend, "load_text");
    free(text);
    free(backend);
    free(name);
}

static void set_keeps_inputs(void *instance, const void *const *arguments, void *result)
{
    (void)result;
    simulation *s = instance;
    s->keeps_inputs = *(const uint8_t *)arguments[0];
}

static void get_message(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    godot_set_text(result, s->message.text, strlen(s->message.text));
}

static void take_printed(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    godot_set_text(result, s->printed ? s->printed : "", s->printed_size);
    s->printed_size = 0;
}

/* ---- time */

static void step(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    *(uint8_t *)result = loaded(s, "step") && check(s, throng_sim_step(s->sim, &s->message), "step");
}

static void has_ended(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    bool ended = false;
    if (loaded(s, "has_ended"))
        check(s, throng_sim_ended(s->sim, &ended, &s->message), "has_ended");
    *(uint8_t *)result = ended;
}

static void get_time(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    *(double *)result = s->sim ? throng_sim_time(s->sim) : 0;
}

static void get_step_time(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    *(double *)result = s->sim ? throng_sim_dt(s->sim) : 0;
}

static void get_backend(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    const char *backend = s->sim ? throng_sim_backend(s->sim) : "";
    godot_set_text(result, backend, strlen(backend));
}

static void get_hash(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    uint64_t hash;
    char text[17];
    if (!loaded(s, "get_hash") || !check(s, throng_sim_hash(s->sim, &hash, &s->message), "get_hash"))
        return;
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    godot_set_text(result, text, 16);
}

/* ---- columns */

static int32_t column_named(simulation *s, const char *name, const char *function)
{
    int32_t column = name ? throng_sim_column_named(s->sim, name) : -1;
    if (column >= 0)
        return column;
    char text[160];
    snprintf(text, sizeof text, "there is no column '%.80s': throng's reference lists them", name ? name : "");
    refuse(s, text, function);
    return -1;
}

static double at(const throng_sim *sim, int32_t column, const void *values, int32_t slot)
{
    throng_sim_column_info info = {.size = sizeof info};
    throng_sim_column(sim, column, &info);
    return info.whole ? ((const int32_t *)values)[slot] : (double)((const float *)values)[slot];
}

static void column(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    int32_t count = take_all(s, "column");
    if (count < 0)
        return;
    char *name = godot_text(arguments[0]);
    int32_t of = column_named(s, name, "column");
    const void *values = of < 0 ? NULL : throng_sim_read(s->sim, of, &s->message);
    if (of >= 0 && check(s, values != NULL, "column")) {
        double *numbers = godot_resize(GODOT_DOUBLES, result, count);
        for (int32_t i = 0; numbers && i < count; i++)
            numbers[i] = at(s->sim, of, values, s->agents[i].slot);
    }
    free(name);
}

static void set_column(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    *(uint8_t *)result = false;
    int32_t count = take_agents(s, arguments[1], "set_column");
    if (count < 0)
        return;
    if (godot_size(GODOT_DOUBLES, arguments[2]) != count) {
        refuse(s, "there must be one value an agent", "set_column");
        return;
    }
    char *name = godot_text(arguments[0]);
    int32_t to = column_named(s, name, "set_column");
    const double *values = godot_elements(GODOT_DOUBLES, arguments[2]);
    *(uint8_t *)result =
        to >= 0 && check(s, throng_sim_write(s->sim, to, s->agents, values, count, &s->message), "set_column");
    free(name);
}

static void get_group_name(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    int64_t group = *(const int64_t *)arguments[0];
    const char *name =
        s->sim && group >= 0 && group <= INT32_MAX ? throng_sim_group_name(s->sim, (int32_t)group) : NULL;
    godot_set_text(result, name ? name : "", name ? strlen(name) : 0);
}

static const void *read(simulation *s, const char *name)
{
    return throng_sim_read(s->sim, throng_sim_column_named(s->sim, name), &s->message);
}

static void positions(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    int32_t count = take_all(s, "positions");
    if (count < 0)
        return;
    const float *x = read(s, "x"), *y = read(s, "y");
    if (!check(s, x && y, "positions"))
        return;
    float(*xy)[2] = godot_resize(GODOT_VECTORS, result, count);
    for (int32_t i = 0; xy && i < count; i++) {
        xy[i][0] = x[s->agents[i].slot];
        xy[i][1] = y[s->agents[i].slot];
    }
}

static void heights(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    int32_t count = take_all(s, "heights");
    if (count < 0 || !check(s, throng_sim_heights(s->sim, s->agents, count, s->heights, &s->message), "heights"))
        return;
    float *z = godot_resize(GODOT_FLOATS, result, count);
    if (z)
        memcpy(z, s->heights, (size_t)count * sizeof *z);
}

/* ---- drawing */

/* What is drawn of everybody. */
typedef struct bodies {
    const float *x, *y, *vx, *vy, *hx, *hy;
    const int32_t *group;
} bodies;

static bool read_bodies(simulation *s, bodies *b, const char *function)
{
    *b = (bodies){read(s, "x"),  read(s, "y"),  read(s, "vx"),   read(s, "vy"),
                  read(s, "hx"), read(s, "hy"), read(s, "group")};
    return check(s, b->x && b->y && b->vx && b->vy && b->hx && b->hy && b->group, function);
}

/* A person's transform: the plan's y is -z of the scene, its height y; models look along -z. Rows of basis and origin.
 */
static void put_transform(float *to, const bodies *b, int32_t slot, float height, float late)
{
    float hx = b->hx[slot], hy = b->hy[slot];
    const float rows[12] = {hy, 0, -hx, b->x[slot] - late * b->vx[slot], 0, 1, 0, height,
                            hx, 0, hy,  -b->y[slot] + late * b->vy[slot]};
    memcpy(to, rows, sizeof rows);
}

static void buffer(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    int32_t count = take_all(s, "buffer");
    bodies b;
    if (count < 0 || !read_bodies(s, &b, "buffer") ||
        !check(s, throng_sim_heights(s->sim, s->agents, count, s->heights, &s->message), "buffer"))
        return;
    double blend = *(const double *)arguments[0];
    float late = (float)((1 - blend) * throng_sim_dt(s->sim));
    int64_t colours = godot_size(GODOT_COLOURS, arguments[1]);
    const float(*colour)[4] = godot_elements(GODOT_COLOURS, arguments[1]);
    int32_t stride = colours ? 16 : 12;
    float *to = godot_resize(GODOT_FLOATS, result, (int64_t)count * stride);
    for (int32_t i = 0; to && i < count; i++, to += stride) {
        int32_t slot = s->agents[i].slot;
        put_transform(to, &b, slot, s->heights[i], late);
        if (colours)
            memcpy(to + 12, colour[b.group[slot] % colours], sizeof *colour);
    }
}

/* ---- what agents are told */

static void spawn(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    int64_t count = godot_size(GODOT_VECTORS, arguments[1]);
    if (!loaded(s, "spawn") || !reserve(s, count, "spawn"))
        return;
    char *settings = godot_text(arguments[0]);
    const float *xy = godot_elements(GODOT_VECTORS, arguments[1]);
    if (!settings)
        refuse(s, "out of memory", "spawn");
    else if (check(s, throng_sim_spawn(s->sim, settings, xy, (int32_t)count, s->agents, &s->message), "spawn"))
        give_agents(result, s->agents, (int32_t)count);
    free(settings);
}

static void run_lua(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    char *lua = godot_text(arguments[0]);
    *(uint8_t *)result = loaded(s, "run_lua") && lua && check(s, throng_sim_do(s->sim, lua, &s->message), "run_lua");
    free(lua);
}

static void run_lua_with(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    int32_t count = take_agents(s, arguments[0], "run_lua_with");
    char *lua = godot_text(arguments[1]);
    *(uint8_t *)result =
        count >= 0 && lua && check(s, throng_sim_do_with(s->sim, s->agents, count, lua, &s->message), "run_lua_with");
    free(lua);
}

static void evaluate(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    char *lua = godot_text(arguments[0]);
    double value = 0;
    if (loaded(s, "evaluate") && lua)
        check(s, throng_sim_number(s->sim, lua, &value, &s->message), "evaluate");
    *(double *)result = value;
    free(lua);
}

static void evaluate_text(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    char *lua = godot_text(arguments[0]);
    const char *value = loaded(s, "evaluate_text") && lua ? throng_sim_text(s->sim, lua, &s->message) : NULL;
    if (value)
        godot_set_text(result, value, strlen(value));
    else if (s->sim && lua)
        check(s, false, "evaluate_text");
    free(lua);
}

/* Two floats an agent. */
static void tell_agents(simulation *s, const void *const *arguments, void *result, const char *function,
                        bool (*told)(throng_sim *, const throng_agent *, const float *, int32_t, throng_message *))
{
    *(uint8_t *)result = false;
    int32_t count = take_agents(s, arguments[0], function);
    if (count < 0)
        return;
    const float *xy = godot_elements(GODOT_VECTORS, arguments[1]);
    if (godot_size(GODOT_VECTORS, arguments[1]) != count)
        refuse(s, "there must be one vector an agent", function);
    else
        *(uint8_t *)result = check(s, told(s->sim, s->agents, xy, count, &s->message), function);
}

static void steer(void *instance, const void *const *arguments, void *result)
{
    tell_agents(instance, arguments, result, "steer", throng_sim_steer);
}

static void place(void *instance, const void *const *arguments, void *result)
{
    tell_agents(instance, arguments, result, "place", throng_sim_place);
}

static void release(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    int32_t count = take_agents(s, arguments[0], "release");
    *(uint8_t *)result = count >= 0 && check(s, throng_sim_release(s->sim, s->agents, count, &s->message), "release");
}

static void play(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    const float *direction = arguments[0];
    *(uint8_t *)result =
        loaded(s, "play") &&
        check(s, throng_sim_play(s->sim, (double)direction[0], (double)direction[1], &s->message), "play");
}

static void find_path(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    const float *from = arguments[0], *to = arguments[1];
    double radius = *(const double *)arguments[2], length;
    int32_t corners = 0, most = 0;
    if (!loaded(s, "find_path"))
        return;
    throng_place start = {(double)from[0], (double)from[1], 0}, goal = {(double)to[0], (double)to[1], 0}, *way = NULL;
    while (check(s, throng_sim_path(s->sim, start, goal, radius, way, most, &corners, &length, &s->message),
                 "find_path") &&
           corners > most) { /* once to know how long it is */
        most = corners;
        way = calloc((size_t)most, sizeof *way);
        if (!way)
            return;
    }
    float *xy = way ? godot_resize(GODOT_VECTORS, result, corners) : NULL;
    for (int32_t i = 0; xy && i < corners; i++) {
        xy[2 * i] = (float)way[i].x;
        xy[2 * i + 1] = (float)way[i].y;
    }
    free(way);
}

/* ---- snapshots and lockstep */

static void give_bytes(void *result, const void *bytes, size_t size)
{
    void *to = godot_resize(GODOT_BYTES, result, (int64_t)size);
    if (to)
        memcpy(to, bytes, size);
}

static void snapshot(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    void *bytes;
    size_t size;
    if (!loaded(s, "snapshot") || !check(s, throng_sim_snapshot(s->sim, &bytes, &size, &s->message), "snapshot"))
        return;
    give_bytes(result, bytes, size);
    throng_sim_snapshot_free(bytes);
}

static void restore(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    s->message.text[0] = 0;
    throng_sim_settings settings = throng_sim_settings_default();
    settings.print = keep_print;
    settings.context = s;
    *(uint8_t *)result =
        replace(s,
                throng_sim_restore(godot_elements(GODOT_BYTES, arguments[0]),
                                   (size_t)godot_size(GODOT_BYTES, arguments[0]), &settings, &s->message),
                "restore");
}

static void inputs(void *instance, const void *const *arguments, void *result)
{
    (void)arguments;
    simulation *s = instance;
    const void *bytes;
    size_t size;
    if (loaded(s, "inputs") && check(s, throng_sim_inputs(s->sim, &bytes, &size, &s->message), "inputs"))
        give_bytes(result, bytes, size);
}

static void apply(void *instance, const void *const *arguments, void *result)
{
    simulation *s = instance;
    const void *bytes = godot_elements(GODOT_BYTES, arguments[0]);
    size_t size = (size_t)godot_size(GODOT_BYTES, arguments[0]);
    *(uint8_t *)result = loaded(s, "apply") && check(s, throng_sim_apply(s->sim, bytes, size, &s->message), "apply");
}

static const godot_method METHODS[] = {
    {"load",
     load_file,
     GODOT_BOOL,
     4,
     {GODOT_STRING, GODOT_STRINGS, GODOT_INT, GODOT_STRING},
     {"path", "params", "seed", "backend"}},
    {"load_text",
     load_text,
     GODOT_BOOL,
     5,
     {GODOT_STRING, GODOT_STRING, GODOT_STRINGS, GODOT_INT, GODOT_STRING},
     {"text", "name", "params", "seed", "backend"}},
    {"set_keeps_inputs", set_keeps_inputs, GODOT_NOTHING, 1, {GODOT_BOOL}, {"keeps"}},
    {"snapshot", snapshot, GODOT_BYTES, 0, {0}, {0}},
    {"restore", restore, GODOT_BOOL, 1, {GODOT_BYTES}, {"snapshot"}},
    {"inputs", inputs, GODOT_BYTES, 0, {0}, {0}},
    {"apply", apply, GODOT_BOOL, 1, {GODOT_BYTES}, {"inputs"}},
    {"get_message", get_message, GODOT_STRING, 0, {0}, {0}},
    {"take_printed", take_printed, GODOT_STRING, 0, {0}, {0}},
    {"step", step, GODOT_BOOL, 0, {0}, {0}},
    {"has_ended", has_ended, GODOT_BOOL, 0, {0}, {0}},
    {"get_time", get_time, GODOT_FLOAT, 0, {0}, {0}},
    {"get_step_time", get_step_time, GODOT_FLOAT, 0, {0}, {0}},
    {"get_backend", get_backend, GODOT_STRING, 0, {0}, {0}},
    {"get_hash", get_hash, GODOT_STRING, 0, {0}, {0}},
    {"get_count", count_of, GODOT_INT, 0, {0}, {0}},
    {"agents", agents, GODOT_INTS, 0, {0}, {0}},
    {"arrivals", arrivals, GODOT_INTS, 0, {0}, {0}},
    {"listen", listen, GODOT_INT, 2, {GODOT_STRING, GODOT_STRING}, {"event", "place"}},
    {"happened", happened, GODOT_INTS, 1, {GODOT_INT}, {"listener"}},
    {"is_alive", is_alive, GODOT_BOOL, 1, {GODOT_INT}, {"agent"}},
    {"positions", positions, GODOT_VECTORS, 0, {0}, {0}},
    {"heights", heights, GODOT_FLOATS, 0, {0}, {0}},
    {"column", column, GODOT_DOUBLES, 1, {GODOT_STRING}, {"name"}},
    {"set_column", set_column, GODOT_BOOL, 3, {GODOT_STRING, GODOT_INTS, GODOT_DOUBLES}, {"name", "agents", "values"}},
    {"get_group_name", get_group_name, GODOT_STRING, 1, {GODOT_INT}, {"group"}},
    {"buffer", buffer, GODOT_FLOATS, 2, {GODOT_FLOAT, GODOT_COLOURS}, {"blend", "colours"}},
    {"spawn", spawn, GODOT_INTS, 2, {GODOT_STRING, GODOT_VECTORS}, {"settings", "positions"}},
    {"run_lua", run_lua, GODOT_BOOL, 1, {GODOT_STRING}, {"lua"}},
    {"run_lua_with", run_lua_with, GODOT_BOOL, 2, {GODOT_INTS, GODOT_STRING}, {"agents", "lua"}},
    {"evaluate", evaluate, GODOT_FLOAT, 1, {GODOT_STRING}, {"lua"}},
    {"evaluate_text", evaluate_text, GODOT_STRING, 1, {GODOT_STRING}, {"lua"}},
    {"steer", steer, GODOT_BOOL, 2, {GODOT_INTS, GODOT_VECTORS}, {"agents", "velocities"}},
    {"place", place, GODOT_BOOL, 2, {GODOT_INTS, GODOT_VECTORS}, {"agents", "positions"}},
    {"release", release, GODOT_BOOL, 1, {GODOT_INTS}, {"agents"}},
    {"play", play, GODOT_BOOL, 1, {GODOT_VECTOR2}, {"direction"}},
    {"find_path", find_path, GODOT_VECTORS, 3, {GODOT_VECTOR2, GODOT_VECTOR2, GODOT_FLOAT}, {"from", "to", "radius"}},
};

static const godot_class CLASS = {
    "ThrongSimulation", "RefCounted", create, destroy, METHODS, sizeof METHODS / sizeof *METHODS};

/* ---- the extension */

static void begin(void *library, GDExtensionInitializationLevel level)
{
    if (level == GDEXTENSION_INITIALIZATION_SCENE)
        godot_register(library, &CLASS);
}

static void end(void *library, GDExtensionInitializationLevel level)
{
    if (level == GDEXTENSION_INITIALIZATION_SCENE)
        godot_unregister(library, &CLASS);
}

THRONG_API GDExtensionBool throng_godot(GDExtensionInterfaceGetProcAddress get, GDExtensionClassLibraryPtr library,
                                        GDExtensionInitialization *initialization);

GDExtensionBool throng_godot(GDExtensionInterfaceGetProcAddress get, GDExtensionClassLibraryPtr library,
                             GDExtensionInitialization *initialization)
{
    *initialization = (GDExtensionInitialization){GDEXTENSION_INITIALIZATION_SCENE, library, begin, end};
    return godot_begin(get);
}
