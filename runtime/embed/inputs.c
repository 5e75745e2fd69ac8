#include "inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void throng_inputs_put(throng_inputs *inputs, const void *bytes, size_t size)
{
    if (!inputs->kept || inputs->lost)
        return;
    if (inputs->room - inputs->size < size) {
        size_t room = 2 * (inputs->size + size) + 256;
        if (!throng_array_resize((void **)&inputs->bytes, room)) {
            inputs->lost = true;
            return;
        }
        inputs->room = room;
    }
    if (size)
        memcpy(inputs->bytes + inputs->size, bytes, size);
    inputs->size += size;
}

void throng_inputs_put_whole(throng_inputs *inputs, int32_t value) { throng_inputs_put(inputs, &value, sizeof value); }

void throng_inputs_put_text(throng_inputs *inputs, const char *text)
{
    size_t size = strlen(text) + 1;
    throng_inputs_put_whole(inputs, size <= INT32_MAX ? (int32_t)size : 0); /* such a text runs nowhere */
    throng_inputs_put(inputs, text, size <= INT32_MAX ? size : 0);
}

void throng_inputs_begin(throng_inputs *inputs, throng_input input)
{
    const unsigned char head[2] = {(unsigned char)input, 0};
    inputs->last = inputs->size;
    throng_inputs_put(inputs, head, sizeof head);
}

bool throng_inputs_end(throng_inputs *inputs, bool succeeded)
{
    if (inputs->kept && !inputs->lost)
        inputs->bytes[inputs->last + 1] = succeeded;
    return succeeded;
}

/* Of the last input, if that is steps that succeeded and which nobody has taken: how many. */
static int32_t steps_of(const throng_inputs *inputs)
{
    const unsigned char *last = inputs->bytes + inputs->last;
    int32_t steps;
    if (inputs->size == 0 || inputs->last < inputs->taken || last[0] != THRONG_INPUT_STEPS || !last[1])
        return 0;
    memcpy(&steps, last + 2, sizeof steps);
    return steps < INT32_MAX ? steps : 0;
}

bool throng_inputs_step(throng_inputs *inputs, bool succeeded, uint32_t made)
{
    int32_t steps = succeeded && inputs->kept && !inputs->lost ? steps_of(inputs) : 0;
    if (steps > 0)
        inputs->size = inputs->last;
    throng_inputs_begin(inputs, THRONG_INPUT_STEPS);
    throng_inputs_put_whole(inputs, steps + 1);
    throng_inputs_put(inputs, &made, sizeof made);
    return throng_inputs_end(inputs, succeeded);
}

void throng_inputs_fini(throng_inputs *inputs)
{
    free(inputs->bytes);
    *inputs = (throng_inputs){0};
}

/* ---- read again */

/* NULL: there is less. */
static const unsigned char *take(throng_inputs_reader *reader, size_t size)
{
    const unsigned char *at = reader->bytes;
    reader->damaged = reader->damaged || size > reader->left;
    if (reader->damaged)
        return NULL;
    reader->bytes += size;
    reader->left -= size;
    return at;
}

void throng_inputs_get(throng_inputs_reader *reader, void *to, size_t size)
{
    const unsigned char *from = take(reader, size);
    memset(to, 0, size);
    if (from && size)
        memcpy(to, from, size);
}

int32_t throng_inputs_get_whole(throng_inputs_reader *reader)
{
    int32_t value;
    throng_inputs_get(reader, &value, sizeof value);
    return value;
}

const char *throng_inputs_get_text(throng_inputs_reader *reader)
{
    int32_t size = throng_inputs_get_whole(reader);
    const char *text = size > 0 ? (const char *)take(reader, (size_t)size) : NULL;
    reader->damaged = reader->damaged || !text || memchr(text, 0, (size_t)size) != text + size - 1;
    return reader->damaged ? NULL : text;
}

void *throng_inputs_get_list(throng_inputs_reader *reader, int32_t count, size_t size)
{
    const unsigned char *from = count >= 0 ? take(reader, (size_t)count * size) : NULL;
    void *list = from ? malloc((size_t)count * size + 1) : NULL;
    reader->damaged = reader->damaged || !list;
    if (list)
        memcpy(list, from, (size_t)count * size);
    return list;
}
