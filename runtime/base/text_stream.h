/* Text that is written with stdio's functions into memory, as by open_memstream(3), but into memory of ours. */
#ifndef THRONG_TEXT_STREAM_H
#define THRONG_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* A stream whose fclose gives what was written, ended with a 0, to `text`, [size] bytes without that, which the caller
 * frees; when memory was out, `text` is NULL and fclose fails. NULL when memory is out. */
FILE *throng_text_stream(char **text, size_t *size);

#endif
