/* A recording as the viewer shows it: its map, and frames whose agents keep their slots while they are there. */
#include "view_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/body_log.h"
#include "map/map_readers.h"
#include "record/notes_people.h"
#include "record/notes_lifts.h"
#include "record/notes_plan.h"
#include "record/notes_sheets.h"
#include "record/notes_smoke.h"
#include "record/recording.h"
#include "record/run_doors.h"
#include "world/world_agents.h"

/* Places and headings are recorded; velocities follow from the frame before. */
static const int columns[] = {THRONG_COLUMN_id, THRONG_COLUMN_state, THRONG_COLUMN_x,  THRONG_COLUMN_y,
                              THRONG_COLUMN_hx, THRONG_COLUMN_hy,    THRONG_COLUMN_vx, THRONG_COLUMN_vy};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Where its notes tell of people. */
static const int noted[] = {THRONG_COLUMN_group, THRONG_COLUMN_radius};
enum { NOTED = sizeof noted / sizeof *noted };

struct throng_replay {
    throng_recording *recording;
    throng_world *world;  /* that is shown */
    throng_moment moment; /* the frame read last, by slot */
    int32_t at;           /* its number, -1: none */
    int32_t room;         /* slots */
    int32_t *id, *state;  /* [room], columns of the moment; state 0: the slot is free */
    float *x, *y, *hx, *hy, *vx, *vy;
    int32_t *present, *next; /* [room] slots of its agents, ascending by id; of the one that is read */
    int32_t count;
    int32_t *free_slots, free_count; /* [room] */
    const throng_map *map;           /* of the world that is shown; NULL: it has no doors */
    throng_door_turn *turns;         /* what the doors did; NULL: there are none, or nobody knows */
    int32_t turn_count;
    throng_body_log bodies;
    throng_notes notes;
    throng_noted_people people; /* nobody: the recording does not tell of them */
    int32_t *groups;            /* [rows of the notes' groups] which of the shown world's each is */
    throng_noted_columns columns;
    int32_t own;                        /* columns that were recorded beside those of every recording, */
    int own_column[THRONG_OWN_COLUMNS]; /* [own] and which of the world's each is */
    const throng_map_sheets *sheets;    /* of the world that is shown; NULL: one plane, or nobody knows who is where */
    throng_noted_car *cars;             /* what the lifts did */
    int32_t car_count;
};

/* ---- the file */

static int32_t door_named(const throng_map *map, const char *name)
{
    for (int32_t d = 0; d < map->door_count; d++)
        if (strcmp(map->doors[d].name, name) == 0)
            return d;
    return -1;
}

/* s: what was noted by then is of frame n. */
static double upto(const throng_replay *r, int32_t n)
{
    double time = n / throng_recording_fps(r->recording);
    return time + THRONG_RUN_TABLE_TIME * (1 + time);
}

/* How they stood in frame n. */
static void turn_doors(throng_replay *r, int32_t n)
{
    for (int32_t i = 0; r->moment.open && i < r->turn_count && r->turns[i].time <= upto(r, n); i++)
        r->moment.open[door_named(r->map, r->turns[i].name)] = r->turns[i].open;
}

/* A world of the recorded floor plan, where nobody lives: agents are shown out of the frames. */
static throng_world *empty_world(const throng_replay *replay, const char *path, throng_error *error)
{
    const throng_recording *recording = replay->recording;
    throng_world_def def = throng_world_def_default();
    const char *wkt = throng_recording_wkt(recording);
    def.backend = "cpu";
    def.options.threads = 1;
    if (*wkt && !(def.map = throng_map_from_wkt(path, wkt, error)))
        return NULL;
    throng_world *world =
        (!def.map || (throng_run_doors_add(def.map, replay->turns, replay->turn_count, error) &&
                      throng_notes_add_regions(&replay->notes, def.map, error) &&
                      (replay->columns.sheet_at < 0 || throng_notes_add_sheets(&replay->notes, def.map, error))))
            ? throng_world_create(&def, error)
            : NULL;
    if (!world)
        throng_map_destroy(def.map);
    return world;
}

/* What recordings have of bodies that are wider than deep (run_keep.c); -1: it is no such column. */
static int column_of_body(const char *name)
{
    static const int of[] = {THRONG_COLUMN_width, THRONG_COLUMN_shoulders};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(throng_columns[of[i]].name, name) == 0)
            return of[i];
    return -1;
}

/* The columns of the script's own that were recorded: the world that is shown has them. */
static bool declare_own(throng_replay *r, throng_world *world, throng_error *error)
{
    const throng_record_own *own = &r->columns.own;
    for (; r->own < own->count; r->own++) {
        int column = column_of_body(own->name[r->own]);
        if (column < 0)
            column = throng_agents_declare(throng_world_agents(world), own->name[r->own], "", error);
        if (column < 0)
            return throng_fail_in(error, "the recording");
        r->own_column[r->own] = column;
        r->moment.known |= THRONG_COLUMN_SET(column);
    }
    return true;
}

static bool reserve_doors(throng_replay *replay, const throng_map *map, throng_error *error)
{
    if (!map || map->door_count == 0)
        return true;
    replay->map = map;
    replay->moment.open = calloc((size_t)map->door_count, sizeof *replay->moment.open);
    return replay->moment.open || throng_fail(error, "out of memory for %d doors", map->door_count);
}

/* Floors, and lifts as they stood. */
static bool reserve_floors(throng_replay *r, const throng_map *map, throng_error *error)
{
    if (!map || !map->sheets)
        return true;
    r->sheets = map->sheets;
    r->moment.known |= THRONG_COLUMN_BIT(floor);
    if (!throng_notes_cars(&r->notes, map, &r->cars, &r->car_count, error))
        return false;
    if (r->car_count == 0)
        return true;
    r->moment.lifts = calloc((size_t)map->sheets->lift_count, sizeof *r->moment.lifts);
    return r->moment.lifts || throng_fail(error, "out of memory for %d lifts", map->sheets->lift_count);
}

/* How lifts and belts were in frame n. */
static void move_lifts(throng_replay *r, int32_t n)
{
    for (int32_t i = 0; r->sheets && i < r->sheets->lift_count && r->moment.lifts; i++)
        r->moment.lifts[i] = (throng_lift_state){.stop = r->sheets->lifts[i].first, .in_service = true};
    for (int32_t i = 0; i < r->car_count && r->cars[i].time <= upto(r, n); i++)
        r->moment.lifts[r->cars[i].lift] = r->cars[i].state;
    for (int32_t i = 0; r->sheets && i < r->sheets->count; i++)
        if (r->sheets->list[i].flight)
            throng_world_set_belt(r->world, i, throng_notes_belt_at(&r->notes, i, r->sheets->list[i].belt, upto(r, n)));
}

/* The world that is shown has its groups, with nobody in them. */
static bool name_groups(throng_replay *r, throng_world *world, throng_error *error)
{
    int32_t count = r->notes.tables[THRONG_NOTE_GROUP].rows;
    r->groups = malloc(((size_t)count + 1) * sizeof *r->groups);
    if (!r->groups)
        return throng_fail(error, "out of memory for %d groups", count);
    for (int32_t g = 0; g < count; g++) {
        const char *colour = throng_note_text(&r->notes, THRONG_NOTE_GROUP, g, 2);
        unsigned rgb;
        if ((r->groups[g] =
                 throng_world_add_group(world, throng_note_text(&r->notes, THRONG_NOTE_GROUP, g, 1), error)) < 0)
            return throng_fail_in(error, "the recording");
        if (sscanf(colour, "#%6x", &rgb) == 1)
            throng_world_paint_group(world, r->groups[g], rgb);
    }
    for (int32_t k = 0; r->people.count && k < NOTED; k++)
        r->moment.known |= THRONG_COLUMN_SET(noted[k]);
    return true;
}

/* Doors: of the table beside it, where there is one. */
static bool read_notes(throng_replay *r, const char *file, throng_error *error)
{
    return throng_recording_notes(r->recording, &r->notes, error) && throng_noted_smoke_check(&r->notes, error) &&
           throng_noted_people_init(&r->people, &r->notes, error) &&
           throng_run_doors_read(file, &r->turns, &r->turn_count, error) &&
           (r->turn_count || throng_notes_doors(&r->notes, &r->turns, &r->turn_count, error));
}

throng_replay *throng_replay_open(const char *path, throng_scenario *scenario, throng_error *error)
{
    char file[4096];
    throng_replay *replay = calloc(1, sizeof *replay);
    bool ok = (replay || throng_fail(error, "out of memory for '%s'", path)) &&
              throng_recording_find(path, file, sizeof file, error) &&
              (replay->recording = throng_recording_open(file, error));
    if (ok && throng_recording_frames(replay->recording) == 0)
        ok = throng_fail(error, "'%s' holds no frames", file);
    *scenario = (throng_scenario){0};
    ok = ok && read_notes(replay, file, error) && throng_body_log_read(file, &replay->bodies, error);
    if (ok)
        replay->columns = throng_noted_columns_of(&replay->notes, throng_recording_own(replay->recording));
    if (!ok || !(scenario->world = empty_world(replay, file, error)) ||
        !reserve_doors(replay, throng_world_map(scenario->world), error) ||
        !reserve_floors(replay, throng_world_map(scenario->world), error) ||
        !name_groups(replay, scenario->world, error) || !declare_own(replay, scenario->world, error)) {
        throng_world_destroy(scenario->world);
        scenario->world = NULL;
        throng_replay_close(replay);
        return NULL;
    }
    replay->at = -1;
    replay->world = scenario->world;
    for (int k = 0; k < COLUMNS; k++)
        replay->moment.known |= THRONG_COLUMN_SET(columns[k]);
    throng_recording_name(path, scenario->name, sizeof scenario->name);
    return replay;
}

void throng_replay_close(throng_replay *replay)
{
    if (!replay)
        return;
    throng_recording_close(replay->recording);
    for (int k = 0; k < COLUMNS; k++)
        free(replay->moment.column[columns[k]]);
    for (int k = 0; k < NOTED; k++)
        free(replay->moment.column[noted[k]]);
    throng_noted_people_fini(&replay->people);
    throng_notes_fini(&replay->notes);
    free(replay->groups);
    for (int32_t k = 0; k < replay->own; k++)
        free(replay->moment.column[replay->own_column[k]]);
    free(replay->present);
    free(replay->next);
    free(replay->free_slots);
    free(replay->moment.column[THRONG_COLUMN_floor]);
    free(replay->moment.open);
    free(replay->moment.lifts);
    free(replay->cars);
    free(replay->turns);
    throng_body_log_fini(&replay->bodies);
    throng_body_outlines_fini(&replay->moment.bodies);
    free(replay);
}

bool throng_replay_mark_doors(throng_viewer *viewer, throng_error *error)
{
    const throng_replay *r = viewer->past.replay;
    for (int32_t i = 0; i < r->turn_count; i++) {
        char text[100];
        const throng_door_turn *turn = &r->turns[i];
        double step = turn->time * throng_recording_fps(r->recording);
        snprintf(text, sizeof text, "%.40s %s", turn->name, turn->open ? "opens" : "closes");
        if (turn->time > 0 && step < throng_recording_frames(r->recording) &&
            !throng_timeline_mark(viewer, (uint32_t)llround(step), turn->open ? THRONG_MARK_OPENED : THRONG_MARK_CLOSED,
                                  text, error))
            return false;
    }
    return true;
}

double throng_replay_dt(const throng_replay *replay) { return 1 / throng_recording_fps(replay->recording); }
int32_t throng_replay_frames(const throng_replay *replay) { return throng_recording_frames(replay->recording); }

/* ---- frames */

static bool grow(int32_t room, void **array)
{
    void *larger = realloc(*array, (size_t)room * 4);
    if (!larger)
        return false;
    *array = larger;
    return true;
}

static bool reserve(throng_replay *r, int32_t slots, throng_error *error)
{
    if (slots <= r->room)
        return true;
    int32_t room = slots + slots / 4;
    bool ok = grow(room, (void **)&r->present) && grow(room, (void **)&r->next) && grow(room, (void **)&r->free_slots);
    for (int k = 0; ok && k < COLUMNS; k++)
        ok = grow(room, &r->moment.column[columns[k]]);
    for (int k = 0; ok && r->people.count && k < NOTED; k++)
        ok = grow(room, &r->moment.column[noted[k]]);
    ok = ok && (!r->sheets || grow(room, &r->moment.column[THRONG_COLUMN_floor]));
    for (int32_t k = 0; ok && k < r->own; k++)
        ok = grow(room, &r->moment.column[r->own_column[k]]);
    void **column = r->moment.column;
    r->id = column[THRONG_COLUMN_id], r->state = column[THRONG_COLUMN_state];
    r->x = column[THRONG_COLUMN_x], r->y = column[THRONG_COLUMN_y];
    r->hx = column[THRONG_COLUMN_hx], r->hy = column[THRONG_COLUMN_hy];
    r->vx = column[THRONG_COLUMN_vx], r->vy = column[THRONG_COLUMN_vy];
    if (!ok)
        return throng_fail(error, "out of memory for a frame of %d agents", slots);
    r->room = room;
    return true;
}

static void leave(throng_replay *r, int32_t slot)
{
    r->state[slot] = 0;
    r->free_slots[r->free_count++] = slot;
}

static int32_t enter(throng_replay *r, int32_t id)
{
    int32_t slot = r->free_count ? r->free_slots[--r->free_count] : r->moment.slots++;
    r->id[slot] = id;
    r->state[slot] = THRONG_STATE_ALIVE;
    return slot;
}

/* Where somebody is; in a building by the floor's plan, where places were recorded. */
static throng_point position_of(throng_replay *r, int32_t slot, const throng_record_frame *frame, int32_t i)
{
    throng_point by = {0, 0};
    if (r->sheets) {
        int32_t sheet = (int32_t)frame->own[r->columns.sheet_at][i];
        ((int32_t *)r->moment.column[THRONG_COLUMN_floor])[slot] = sheet;
        by = r->sheets->list[sheet].offset;
    }
    return (throng_point){(double)frame->x[i] - by.x, (double)frame->y[i] - by.y};
}

static void put(throng_replay *r, int32_t slot, const throng_record_frame *frame, int32_t i, float per_second)
{
    throng_point at = position_of(r, slot, frame, i);
    r->vx[slot] = per_second > 0 ? ((float)at.x - r->x[slot]) * per_second : 0;
    r->vy[slot] = per_second > 0 ? ((float)at.y - r->y[slot]) * per_second : 0;
    r->x[slot] = (float)at.x;
    r->y[slot] = (float)at.y;
    r->hx[slot] = frame->hx[i];
    r->hy[slot] = frame->hy[i];
    for (int32_t k = 0; k < r->own; k++)
        ((float *)r->moment.column[r->own_column[k]])[slot] = frame->own[r->columns.own_at[k]][i];
}

/* Who is not in the notes is of the first group, and of people's usual size. */
static void tell_who(throng_replay *r, int32_t slot)
{
    const throng_noted_person *person = throng_noted_person_of(&r->people, r->id[slot]);
    ((int32_t *)r->moment.column[THRONG_COLUMN_group])[slot] = person ? r->groups[person->group] : 0;
    ((float *)r->moment.column[THRONG_COLUMN_radius])[slot] =
        person ? person->radius : (float)throng_columns[THRONG_COLUMN_radius].initial;
}

/* Both frames are in ascending order of id. */
static void take_frame(throng_replay *r, const throng_record_frame *frame, float per_second)
{
    int32_t old = 0;
    for (int32_t i = 0; i < frame->count; i++) {
        while (old < r->count && r->id[r->present[old]] < frame->id[i])
            leave(r, r->present[old++]);
        bool stays = old < r->count && r->id[r->present[old]] == frame->id[i];
        r->next[i] = stays ? r->present[old++] : enter(r, frame->id[i]);
        put(r, r->next[i], frame, i, stays ? per_second : 0);
    }
    while (old < r->count)
        leave(r, r->present[old++]);
    int32_t *present = r->present;
    r->present = r->next;
    r->next = present;
    r->count = frame->count;
}

/* Is everybody on a floor that there is? */
static bool check_floors(const throng_replay *r, const throng_record_frame *frame, throng_error *error)
{
    for (int32_t i = 0; r->sheets && i < frame->count; i++) {
        double sheet = (double)frame->own[r->columns.sheet_at][i];
        if (!(sheet >= 0 && sheet < r->sheets->count))
            return throng_fail(error, "the recording is damaged: agent %d of frame %d is on floor %g, and there are %d",
                               frame->id[i], frame->frame, sheet, r->sheets->count);
    }
    return true;
}

/* Is everybody as wide as an agent may be? */
static bool check_bodies(const throng_replay *r, const throng_record_frame *frame, throng_error *error)
{
    const throng_range *range = &throng_columns[THRONG_COLUMN_width].range;
    for (int32_t k = 0; k < r->own; k++)
        for (int32_t i = 0; r->own_column[k] == THRONG_COLUMN_width && i < frame->count; i++) {
            double width = (double)frame->own[r->columns.own_at[k]][i];
            if (!(width >= range->least && width <= range->most))
                return throng_fail(error, "the recording is damaged: agent %d of frame %d is %g m wide", frame->id[i],
                                   frame->frame, width);
        }
    return true;
}

static bool load(throng_replay *r, int32_t n, throng_error *error)
{
    throng_record_frame frame;
    if (!throng_recording_read(r->recording, n, &frame, error) || !check_floors(r, &frame, error) ||
        !check_bodies(r, &frame, error) || !reserve(r, r->moment.slots + frame.count + 1, error))
        return false;
    take_frame(r, &frame, r->at + 1 == n ? (float)throng_recording_fps(r->recording) : 0);
    r->moment.step = (uint32_t)n;
    throng_noted_people_at(&r->people, &r->notes, upto(r, n));
    for (int32_t i = 0; r->people.count && i < r->count; i++)
        tell_who(r, r->present[i]);
    turn_doors(r, n);
    move_lifts(r, n);
    r->at = n;
    return throng_body_log_show(&r->bodies, n / throng_recording_fps(r->recording), &r->moment.bodies, error);
}

const throng_moment *throng_replay_read(throng_replay *replay, int32_t n, throng_error *error)
{
    if (replay->at == n)
        return &replay->moment;
    if (n > 0 && replay->at != n - 1 && !load(replay, n - 1, error))
        return NULL;
    return load(replay, n, error) ? &replay->moment : NULL;
}

bool throng_replay_smoke(const throng_replay *replay, uint32_t n, throng_smoke_picture *smoke, throng_error *error)
{
    return throng_noted_smoke_at(&replay->notes, upto(replay, (int32_t)n), smoke, error);
}
