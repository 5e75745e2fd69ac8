/* What a simulation is made of: private to this folder. */
#ifndef THRONG_SIM_H
#define THRONG_SIM_H

#include "inputs.h"
#include "navigation/path_search.h"
#include "script/script.h"
#include "throng.h"

/* A column that the program edits. */
typedef struct throng_edit {
    float *now, *was;     /* by slot: what it may change, and what that was */
    throng_agent *agents; /* [count] who lived then; below 0, and before the first time NULL: nobody edits it */
    int32_t count;
} throng_edit;

struct throng_sim {
    throng_script *script;
    throng_scenario scenario;
    throng_world *world;        /* of the scenario */
    throng_lines print;         /* the program's */
    throng_lines lines;         /* the script's, which go there */
    int32_t printing;           /* the program is being told of them, in the middle of a call */
    throng_path_search *search; /* NULL: nobody has asked for a path yet */
    double *radii;              /* [radius_count] for which paths were asked */
    int32_t radius_count, radius_room;
    throng_event *events; /* [event_count] */
    char **words;         /* [word_count], each once, of events */
    int32_t event_count, event_room, word_count, word_room, listeners;
    void *initial[THRONG_COLUMN_COUNT]; /* of columns that nobody uses: what all have */
    throng_edit edits[THRONG_COLUMN_COUNT];
    throng_inputs origin; /* what it was loaded from: only where inputs are kept */
    throng_inputs inputs;
};

/* throng_sim_load with maps and routes of a cache that outlives the simulation; NULL: it has one of its own. */
throng_sim *throng_load_cached(const char *path, const throng_sim_settings *settings, struct throng_cache *cache,
                               throng_message *message);

/* In floors.c: may a place be on that floor? 0 is also the plan of one plane. */
bool throng_floor_check(const throng_sim *sim, int32_t floor, throng_message *message);

/* What is known of a column that programs may write; false: there is none of that number, or they may not. */
bool throng_column_writable(const throng_sim *sim, int32_t column, throng_sim_column_info *info,
                            throng_message *message);

/* In events.c. */
void throng_events_fini(throng_sim *sim);

/* Reads the struct of a program that may be older into `all`, [size] bytes of the default; false: it is a newer
 * library's, or says no size. */
bool throng_struct_read(void *all, const void *given, size_t size, const char *name, throng_message *message);
/* Writes what a program knows of a struct of [size] bytes that begins with its size, and leaves that as it is. */
void throng_struct_write(void *known, const void *all, size_t size);

/* False, and a message that says `name`, of a function: it is called by what prints, while another call goes on, in
 * the middle of which nothing is told to the world. */
bool throng_idle_check(const throng_sim *sim, const char *name, throng_message *message);

/* False, and a message that says `name`: the value is less. */
bool throng_whole_check(int64_t value, int64_t least, const char *name, throng_message *message);

/* False, and a message that says `name`: the text is NULL. */
bool throng_text_check(const char *text, const char *name, throng_message *message);

/* Those given, of a program that may be older, or the default; false: they are a newer library's, or one is negative.
 */
bool throng_settings_read(const throng_sim_settings *given, throng_sim_settings *settings, throng_message *message);

#endif
