#define _DEFAULT_SOURCE // madvise
#include "base/memory.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// A huge page needs one TLB entry where small pages need 512, which saves TLB misses in arrays that
// every step traverses. Used for blocks of at least half a page.
static const size_t LARGE_PAGE = (size_t)2 << 20;

void *ergi_memory_block(size_t bytes)
{
    size_t page = bytes >= LARGE_PAGE / 2 ? LARGE_PAGE : ERGI_CACHE_LINE;
    if (bytes > SIZE_MAX / 2) return NULL;
    // aligned_alloc requires a multiple of the alignment
    size_t whole = (bytes + page - 1) / page * page;
    void  *memory = aligned_alloc(page, whole ? whole : page);
#if defined(MADV_HUGEPAGE)
    if (memory && page == LARGE_PAGE) (void)madvise(memory, whole, MADV_HUGEPAGE);
#endif
    return memory;
}

// Uninitialised elements, and a byte more.
static void *block_of(size_t count, size_t size, const char *what, erg_error *err)
{
    if (size != 0 && count > (SIZE_MAX / 2 - ERGI_CACHE_LINE) / size) {
        ergi_fail(err, ERG_NO_MEMORY, "out of memory: %zu times %zu bytes for %s", count, size,
                  what);
        return NULL;
    }
    void *memory = ergi_memory_block(count * size + 1);
    if (!memory) ergi_fail_memory(err, count * size + 1, what);
    return memory;
}

void *ergi_memory_new(size_t count, size_t size, const char *what, erg_error *err)
{
    void *memory = block_of(count, size, what, err);
    return memory ? memset(memory, 0, count * size + 1) : NULL;
}

void ergi_memory_free(void *memory)
{
    free(memory);
}

size_t ergi_memory_room(size_t room, size_t needed)
{
    if (needed <= room) return room;
    size_t more = room > SIZE_MAX / 2 ? SIZE_MAX : room + room / 4;
    size_t least = more < 16 ? 16 : more;
    return needed > least ? needed : least;
}

erg_status ergi_memory_resize(void *array, size_t old, size_t count, size_t size, const char *what,
                              erg_error *err)
{
    void *before;
    memcpy(&before, array, sizeof before); // reads the T * without breaking the aliasing rules
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

erg_status ergi_memory_renew(void *array, size_t *room, size_t kept, size_t needed, size_t size,
                             const char *what, erg_error *err)
{
    if (needed <= *room) return ERG_OK;
    void  *before;
    size_t count = ergi_memory_room(*room, needed);
    void  *after = block_of(count, size, what, err);
    if (!after) return ERG_NO_MEMORY;
    memcpy(&before, array, sizeof before);
    if (before && kept > 0) memcpy(after, before, (kept < *room ? kept : *room) * size);
    memcpy(array, &after, sizeof after);
    free(before);
    *room = count;
    return ERG_OK;
}

double ergi_memory_total(void)
{
    double        total = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (double)limit.rlim_cur < total)
        total = (double)limit.rlim_cur;
    return total;
}
