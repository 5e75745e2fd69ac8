/* FNV-1a (Fowler, Noll, Vo): 64 bits that tell texts and files apart. Not against people who mean harm. */
#ifndef THRONG_HASH_H
#define THRONG_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t throng_hash(const void *bytes, size_t size)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

#endif
