#include "base/memory.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void *ergi_memory_new(size_t count, size_t size, const char *what, erg_error *err)
{
    if (size != 0 && count > (SIZE_MAX / 2 - ERGI_CACHE_LINE) / size) {
        ergi_fail(err, ERG_NO_MEMORY, "out of memory: %zu times %zu bytes for %s", count, size,
                  what);
        return NULL;
    }
    // aligned_alloc wants whole multiples of the alignment
    size_t bytes = (count * size + ERGI_CACHE_LINE) / ERGI_CACHE_LINE * ERGI_CACHE_LINE;
    void  *memory = aligned_alloc(ERGI_CACHE_LINE, bytes);
    if (!memory) {
        ergi_fail_memory(err, bytes, what);
        return NULL;
    }
    return memset(memory, 0, bytes);
}

void ergi_memory_free(void *memory)
{
    free(memory);
}

size_t ergi_memory_room(size_t room, size_t needed)
{
    if (needed <= room) return room;
    size_t twice = room > SIZE_MAX / 2 ? SIZE_MAX : 2 * room;
    size_t least = twice < 16 ? 16 : twice;
    return needed > least ? needed : least;
}

erg_status ergi_memory_resize(void *array, size_t old, size_t count, size_t size, const char *what,
                              erg_error *err)
{
    void *before;
    memcpy(&before, array, sizeof before); // a T * read through void **, without aliasing trouble
    void *after = ergi_memory_new(count, size, what, err);
    if (!after) return ERG_NO_MEMORY;
    size_t kept = old < count ? old : count;
    if (before && kept > 0) memcpy(after, before, kept * size);
    memcpy(array, &after, sizeof after);
    free(before);
    return ERG_OK;
}

erg_status ergi_memory_grow(void *array, size_t *room, size_t needed, size_t size, const char *what,
                            erg_error *err)
{
    if (needed <= *room) return ERG_OK;
    size_t     count = ergi_memory_room(*room, needed);
    erg_status status = ergi_memory_resize(array, *room, count, size, what, err);
    if (status == ERG_OK) *room = count;
    return status;
}
