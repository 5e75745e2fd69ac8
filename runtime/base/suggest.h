/* Did you mean ...? The nearest of some valid names, and the list of them. */
#ifndef THRONG_SUGGEST_H
#define THRONG_SUGGEST_H

#include <stddef.h>

/* The name nearest to `word` by edit distance, or NULL when none is close.
 * `names` ends with NULL. */
const char *throng_suggest(const char *word, const char *const *names);

/* Writes "a, b, c" into `text`, cut off with "..." when it does not fit. */
void throng_list_names(char *text, size_t size, const char *const *names);

#endif
