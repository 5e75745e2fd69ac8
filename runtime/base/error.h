/* Input errors: a message that names the input, what is wrong and the way out.
 *
 * A function that can fail takes a `throng_error *` last, returns false (or
 * NULL) and leaves its outputs untouched. Programmer errors are assertions. */
#ifndef THRONG_ERROR_H
#define THRONG_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct throng_error {
    char text[1024];
} throng_error;

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the UTF-8 character that the text begins with; 0: it begins with none. */
int throng_text_character(const char *text);

/* Writes that character, or a byte that is none of UTF-8's as \xFF; returns how many bytes of the text it was. */
int throng_text_put(FILE *file, const char *text);

/* Writes control characters, which names of files may have, as \n or \x1b: what is printed neither steers a terminal
 * nor looks like another message. Cuts off what no longer fits into `size`. */
void throng_text_plain(char *text, size_t size);

/* Names of places, groups and the like are printed, drawn and written into tables, so none may hold control characters:
 * an error otherwise, of `whose`, like "a door of hall.xml". */
bool throng_name_check(const char *whose, const char *name, throng_error *error);

/* Writes the message, plain, and returns false, so that callers can `return
 * throng_fail(error, ...)`. `error` may be NULL: the message is dropped. */
bool throng_fail(throng_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts `context: ` before a message that a callee wrote; returns false. */
bool throng_fail_in(throng_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif

#endif
