/* Why somebody is stuck, in a designer's words, and what to do about it. */
#ifndef THRONG_STUCK_MESSAGES_H
#define THRONG_STUCK_MESSAGES_H

#include "world.h"

typedef struct throng_stuck_message {
    const char *why;  /* "held up by a closed door" */
    const char *cure; /* "open it, or ..." */
} throng_stuck_message;

extern const throng_stuck_message throng_stuck_messages[THRONG_STUCK_CAUSE_COUNT];

#endif
