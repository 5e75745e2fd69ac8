/* Bytes as text (RFC 4648), piece by piece. */
#ifndef THRONG_BASE64_H
#define THRONG_BASE64_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct throng_base64 {
    FILE *file;
    uint32_t bits; /* of the bytes that wait for others, */
    int count;     /* and how many these are */
} throng_base64;

void throng_base64_put(throng_base64 *out, const void *bytes, size_t size);
/* Writes those that wait. */
void throng_base64_end(throng_base64 *out);

#endif
