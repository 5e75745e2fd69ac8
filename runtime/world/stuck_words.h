/* Why somebody is stuck, in a designer's words, and what to do about it. */
#ifndef THRONG_STUCK_WORDS_H
#define THRONG_STUCK_WORDS_H

#include "world.h"

typedef struct throng_stuck_word {
    const char *why;  /* "held up by a closed door" */
    const char *cure; /* "open it, or ..." */
} throng_stuck_word;

extern const throng_stuck_word throng_stuck_words[THRONG_STUCK_CAUSE_COUNT];

#endif
