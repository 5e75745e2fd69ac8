/* Where all memory of the project comes from: its calls of malloc, calloc, realloc, aligned_alloc, strdup, strndup and
 * free come to memory.c, by the linker (Makefile: WRAP), and from there to the C library's or to the allocator of the
 * program that uses the library (throng_set_allocator). */
#ifndef THRONG_MEMORY_H
#define THRONG_MEMORY_H

/* Frees what the C library has allocated for us (getline), or another library with its malloc (libedit's readline). */
void throng_system_free(void *block);

#endif
