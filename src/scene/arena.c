#include "scene/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)16 * 1024)

typedef struct ergi_arena_block {
    struct ergi_arena_block *next;
    size_t                   used, room;
    max_align_t              data[];
} block;

void *ergi_arena_alloc(ergi_arena *arena, size_t bytes)
{
    const size_t unit = sizeof(max_align_t);
    if (bytes > SIZE_MAX / 2) return NULL;
    bytes = (bytes + unit - 1) / unit * unit;
    if (bytes == 0) bytes = unit;

    block *b = arena->blocks;
    if (!b || b->room - b->used < bytes) {
        size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        b = calloc(1, sizeof *b + room);
        if (!b) return NULL;
        b->room = room;
        b->next = arena->blocks;
        arena->blocks = b;
    }
    void *piece = (char *)b->data + b->used;
    b->used += bytes;
    return piece;
}

void *ergi_arena_alloc_array(ergi_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size) return NULL;
    return ergi_arena_alloc(arena, count * size);
}

char *ergi_arena_copy_text(ergi_arena *arena, const char *text, size_t length)
{
    if (length > SIZE_MAX / 2 - 1) return NULL;
    char *copy = ergi_arena_alloc(arena, length + 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

void ergi_arena_free(ergi_arena *arena)
{
    while (arena->blocks) {
        block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
