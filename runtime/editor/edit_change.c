/* Changes: put together in the document itself, then kept or taken back. */
#include "edit_parts.h"

#include <stdlib.h>

#include "base/array.h"

bool throng_edit_init(throng_edit *edit, throng_error *error)
{
    *edit = (throng_edit){0};
    if (!throng_geos_init(&edit->geos, error))
        return false;
    edit->things = malloc(sizeof(throng_edit_thing *));
    throng_edit_thing *plan = throng_edit_thing_new(THRONG_EDIT_PLAN, NULL, 0);
    if (!edit->things || !plan) {
        throng_edit_thing_free(plan);
        throng_edit_fini(edit);
        return throng_fail(error, "out of memory");
    }
    edit->things[0] = plan;
    edit->slots = edit->slot_room = 1;
    return true;
}

/* Frees the side of each swap that is not in the document. */
static void free_change(throng_edit_change *change, bool in_force)
{
    for (int32_t i = 0; i < change->count; i++)
        throng_edit_thing_free(in_force ? change->swaps[i].before : change->swaps[i].after);
    free(change->swaps);
    *change = (throng_edit_change){0};
}

static void drop_undone(throng_edit *edit)
{
    while (edit->made > edit->done)
        free_change(&edit->changes[--edit->made], false);
    if (edit->saved > edit->done)
        edit->saved = -1;
}

void throng_edit_fini(throng_edit *edit)
{
    drop_undone(edit);
    for (int32_t i = 0; i < edit->done; i++)
        free_change(&edit->changes[i], true);
    for (int32_t i = 0; i < edit->slots; i++)
        throng_edit_thing_free(edit->things[i]);
    free(edit->changes);
    free(edit->things);
    throng_geos_fini(&edit->geos);
    *edit = (throng_edit){0};
}

/* ---- one being made */

static throng_edit_swap *swap_of(throng_edit_change *change, int32_t slot)
{
    for (int32_t i = 0; i < change->count; i++)
        if (change->swaps[i].slot == slot)
            return &change->swaps[i];
    return NULL;
}

static bool new_slot(throng_edit *edit, int32_t *slot)
{
    if (!throng_array_reserve((void **)&edit->things, &edit->slot_room, (int64_t)edit->slots + 1,
                              sizeof(throng_edit_thing *)))
        return false;
    edit->things[edit->slots] = NULL;
    *slot = edit->slots++;
    return true;
}

bool throng_edit_put(throng_edit *edit, throng_edit_change *change, int32_t slot, throng_edit_thing *thing)
{
    throng_edit_swap *swap = slot >= 0 ? swap_of(change, slot) : NULL;
    if (!swap && ((slot < 0 && (!thing || !new_slot(edit, &slot))) ||
                  !throng_array_reserve((void **)&change->swaps, &change->capacity, (int64_t)change->count + 1,
                                        sizeof *change->swaps))) {
        throng_edit_thing_free(thing);
        return false;
    }
    if (swap) {
        throng_edit_thing_free(swap->after);
    } else {
        swap = &change->swaps[change->count++];
        *swap = (throng_edit_swap){slot, edit->things[slot], NULL};
    }
    swap->after = edit->things[slot] = thing;
    return true;
}

throng_edit_thing *throng_edit_alter(throng_edit *edit, throng_edit_change *change, int32_t slot)
{
    const throng_edit_swap *swap = swap_of(change, slot);
    if (swap)
        return swap->after;
    throng_edit_thing *copy = throng_edit_thing_copy(edit->things[slot]);
    return copy && throng_edit_put(edit, change, slot, copy) ? copy : NULL;
}

static void swap_back(throng_edit *edit, const throng_edit_change *change)
{
    for (int32_t i = change->count; i-- > 0;)
        edit->things[change->swaps[i].slot] = change->swaps[i].before;
    edit->version++;
}

/* Slots at the end that nothing is in, and nothing undone would go into. */
static void give_back_slots(throng_edit *edit)
{
    while (edit->made == edit->done && edit->slots > 1 && !edit->things[edit->slots - 1]) {
        for (int32_t c = 0; c < edit->done; c++)
            if (swap_of(&edit->changes[c], edit->slots - 1))
                return;
        edit->slots--;
    }
}

bool throng_edit_abandon(throng_edit *edit, throng_edit_change *change)
{
    swap_back(edit, change);
    free_change(change, false);
    give_back_slots(edit);
    return false;
}

bool throng_edit_no_memory(throng_edit *edit, throng_edit_change *change, throng_edit_refusal *why)
{
    throng_edit_abandon(edit, change);
    return throng_edit_refuse(why, (throng_point){NAN, NAN}, -1, "out of memory");
}

/* ---- kept */

bool throng_edit_accept(throng_edit *edit, throng_edit_change *change, throng_edit_refusal *why)
{
    drop_undone(edit);
    if (!throng_array_reserve((void **)&edit->changes, &edit->change_room, (int64_t)edit->made + 1,
                              sizeof *edit->changes))
        return throng_edit_no_memory(edit, change, why);
    edit->changes[edit->made++] = *change;
    edit->done = edit->made;
    edit->version++;
    return true;
}

void throng_edit_forget(throng_edit *edit)
{
    drop_undone(edit);
    while (edit->made)
        free_change(&edit->changes[--edit->made], true);
    edit->done = edit->saved = 0;
}

/* ---- undone and done again */

const char *throng_edit_undo_name(const throng_edit *edit)
{
    return edit->done ? edit->changes[edit->done - 1].what : NULL;
}

const char *throng_edit_redo_name(const throng_edit *edit)
{
    return edit->done < edit->made ? edit->changes[edit->done].what : NULL;
}

bool throng_edit_undo(throng_edit *edit)
{
    if (edit->done == 0)
        return false;
    swap_back(edit, &edit->changes[--edit->done]);
    return true;
}

bool throng_edit_redo(throng_edit *edit)
{
    if (edit->done == edit->made)
        return false;
    const throng_edit_change *change = &edit->changes[edit->done++];
    for (int32_t i = 0; i < change->count; i++)
        edit->things[change->swaps[i].slot] = change->swaps[i].after;
    edit->version++;
    return true;
}

void throng_edit_retract(throng_edit *edit)
{
    if (!throng_edit_undo(edit))
        return;
    drop_undone(edit);
    give_back_slots(edit);
}
