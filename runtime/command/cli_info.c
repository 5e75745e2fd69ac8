/* throng info: version, the backends that run here, and the licences of what the program carries. */
#include "stages/backend.h"
#include "cli.h"
#include "base/json.h"
#include "base/version.h"

/* LICENSE and licences.txt, put into the executable, which is then never without them. */
extern const char throng_licences_text[];
__asm__(".section .rodata\n"
        "throng_licences_text:\n"
        ".incbin \"LICENSE\"\n"
        ".incbin \"runtime/command/licences.txt\"\n"
        ".byte 0\n"
        ".text\n");

typedef struct found {
    const char *name;
    bool there;
    throng_backend_info info;
    int32_t devices;
    throng_error why; /* not */
} found;

static found look_for(const char *name)
{
    found backend = {.name = name};
    throng_stages stages;
    throng_backend_options options = {0};
    backend.there = throng_stages_open(name, &options, &stages, &backend.why);
    if (backend.there) {
        stages.api->info(stages.backend, &backend.info);
        backend.devices = stages.api->devices();
        throng_stages_close(&stages);
    }
    return backend;
}

static void print_text(const found *backends, int count)
{
    printf("throng %s\n", THRONG_VERSION);
    for (int i = 0; i < count; i++) {
        const found *backend = &backends[i];
        printf("%-6s ", backend->name);
        if (!backend->there)
            printf("not here: %s\n", backend->why.text);
        else if (backend->info.simd)
            printf("%s, SIMD width %d, %d threads\n", backend->info.device, backend->info.simd, backend->info.threads);
        else
            printf("%s, %d device%s\n", backend->info.device, backend->devices, backend->devices == 1 ? "" : "s");
    }
}

static void print_backend(const found *backend, FILE *file)
{
    throng_json json = throng_json_open(file);
    throng_json_text(&json, "name", backend->name);
    throng_json_bool(&json, "available", backend->there);
    throng_json_text(&json, "device", backend->there ? backend->info.device : NULL);
    throng_json_whole(&json, "simd", backend->info.simd);
    throng_json_whole(&json, "threads", backend->info.threads);
    throng_json_whole(&json, "devices", backend->devices);
    throng_json_text(&json, "why", backend->there ? NULL : backend->why.text);
    throng_json_close(&json);
}

static void print_json(const found *backends, int count)
{
    throng_json json = throng_json_open(stdout);
    throng_json_text(&json, "version", THRONG_VERSION);
    throng_json_text(&json, "device",
                     backends[count - 1].there ? backends[count - 1].info.device : backends[0].info.device);
    throng_json_whole(&json, "simd", backends[0].info.simd);
    throng_json_whole(&json, "threads", backends[0].info.threads);
    throng_json_name(&json, "backends");
    fputc('[', stdout);
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", stdout);
        print_backend(&backends[i], stdout);
    }
    fputc(']', stdout);
    throng_json_close(&json);
    putchar('\n');
}

int throng_cli_info(int argc, char **argv)
{
    bool json = false, licences = false;
    throng_texts rest = {.count = 0};
    const throng_option options[] = {{"--json", THRONG_OPTION_SWITCH, &json, 0, 0},
                                     {"--licences", THRONG_OPTION_SWITCH, &licences, 0, 0},
                                     {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0}};
    if (!throng_cli_options("info", argc, argv, options, &rest, 0))
        return THRONG_EXIT_USAGE;
    if (licences) {
        fputs(throng_licences_text, stdout);
        return THRONG_EXIT_DONE;
    }
    const found backends[] = {look_for("cpu"), look_for("cuda")};
    if (json)
        print_json(backends, 2);
    else
        print_text(backends, 2);
    return THRONG_EXIT_DONE;
}
