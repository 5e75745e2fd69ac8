/* The other end of workers.h, in a worker: lines that it is told by stdin, which its fibers take, each the next, and
 * answers, a line each, by stdout, the same socket. One of all: there is one stdin. */
#ifndef THRONG_ORDERS_H
#define THRONG_ORDERS_H

#include <stdbool.h>
#include <stddef.h>

/* The next line, without its newline, to be freed, as soon as there is one; until then others work (fibers.h). NULL:
 * there are no more, a signal has come, or memory is out. */
char *throng_orders_take(void);
/* Answers one that was taken, by a line with its newline. False: nobody hears it. */
bool throng_orders_answer(const char *line, size_t size);
/* From now on nobody is given any. */
void throng_orders_end(void);

#endif
