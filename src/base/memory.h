// Arrays on 64-byte boundaries, zeroed, with sizes that cannot overflow.
//
//     double *x = NULL;
//     size_t  room = 0;
//     if (ergi_memory_grow(&x, &room, needed, sizeof *x, "positions", err) != ERG_OK) ...
//     ergi_memory_free(x);
#ifndef ERGI_BODY_HISTORY_H
#define ERGI_BODY_HISTORY_H

#include "erg/base.h"

enum { ERGI_CACHE_LINE = 64 };

// `count` zeroed elements, or NULL with the error filled. Zero elements are a valid pointer too.
void *ergi_memory_new(size_t count, size_t size, const char *what, erg_error *err);

void ergi_memory_free(void *memory); // NULL is fine

// So many bytes that hold anything, or NULL.
void *ergi_memory_block(size_t bytes);

// Room for at least `needed` when there is room for `room`: at least a quarter more than the
// old, so that growing one by one costs a constant each.
size_t ergi_memory_room(size_t room, size_t needed);

// Memory that this process may hope for: of the machine, or less where it is limited [bytes].
double ergi_memory_total(void);

// `array` is the address of a pointer to elements (T **). Moves the first min(old, count) elements
// to a new block of `count`, the rest zeroed. On failure the array is as it was.
erg_status ergi_memory_resize(void *array, size_t old, size_t count, size_t size, const char *what,
                              erg_error *err);

// Makes room for `needed` elements; does nothing when it is there.
erg_status ergi_memory_grow(void *array, size_t *room, size_t needed, size_t size, const char *what,
                            erg_error *err);

#endif
