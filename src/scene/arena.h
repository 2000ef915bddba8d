// Memory of one scene: many small allocations, freed together. They are zeroed, aligned for any
// type, and never move.
#ifndef ERGI_ARENA_H
#define ERGI_ARENA_H

#include <stddef.h>

typedef struct ergi_arena {
    struct ergi_arena_block *blocks; // newest first
} ergi_arena;

// An arena starts as {0}. Returns NULL if out of memory; earlier allocations stay valid.
void *ergi_arena_alloc(ergi_arena *arena, size_t bytes);

// For `count` elements of `size` bytes; NULL also if the product overflows.
void *ergi_arena_alloc_array(ergi_arena *arena, size_t count, size_t size);

// A zero-terminated copy.
char *ergi_arena_copy_text(ergi_arena *arena, const char *text, size_t length);

void ergi_arena_free(ergi_arena *arena);

#endif
