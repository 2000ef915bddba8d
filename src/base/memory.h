// Zeroed arrays (but see ergi_memory_renew), aligned to 64 bytes, with sizes checked for overflow.
//
//     double *x = NULL;
//     size_t  room = 0;
//     if (ergi_memory_grow(&x, &room, needed, sizeof *x, "positions", err) != ERG_OK) ...
//     ergi_memory_free(x);
#ifndef ERGI_MEMORY_H
#define ERGI_MEMORY_H

#include "erg/base.h"

enum { ERGI_CACHE_LINE = 64 };

// `count` zeroed elements, or NULL with the error filled. Zero elements also give a valid pointer.
void *ergi_memory_new(size_t count, size_t size, const char *what, erg_error *err);

void ergi_memory_free(void *memory); // NULL is fine

// Uninitialised memory, or NULL.
void *ergi_memory_block(size_t bytes);

// The capacity to allocate when `needed` elements exceed the capacity `room`: grows by at least a
// quarter, so that appending has constant amortised cost.
size_t ergi_memory_room(size_t room, size_t needed);

// Memory available to this process: that of the machine, or its limit if lower [bytes].
double ergi_memory_total(void);

// `array` is the address of a pointer to elements (T **). Moves the first min(old, count) elements
// to a new block of `count`, the rest zeroed. On failure the array is unchanged.
erg_status ergi_memory_resize(void *array, size_t old, size_t count, size_t size, const char *what,
                              erg_error *err);

// Ensures a capacity of at least `needed` elements.
erg_status ergi_memory_grow(void *array, size_t *room, size_t needed, size_t size, const char *what,
                            erg_error *err);

// The same, but keeps only the first `kept` elements; the others are not zeroed.
erg_status ergi_memory_renew(void *array, size_t *room, size_t kept, size_t needed, size_t size,
                             const char *what, erg_error *err);

#endif
