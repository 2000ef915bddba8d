// Memory of one scene: many small pieces, all given back in one call. Pieces are zeroed, aligned
// for anything, and stay where they are.
#ifndef ERGI_ARENA_H
#define ERGI_ARENA_H

#include <stddef.h>

typedef struct ergi_arena {
    struct ergi_arena_block *blocks; // newest first
} ergi_arena;

// An arena starts as {0}. NULL when memory is out; the pieces given before stay good.
void *ergi_arena_take(ergi_arena *arena, size_t bytes);

// For `count` things of `size` bytes; NULL also when the product does not fit.
void *ergi_arena_take_array(ergi_arena *arena, size_t count, size_t size);

// A copy that ends in a NUL.
char *ergi_arena_copy_text(ergi_arena *arena, const char *text, size_t length);

void ergi_arena_free(ergi_arena *arena);

#endif
