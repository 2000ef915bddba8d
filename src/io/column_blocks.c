#include "io/column_blocks.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "io/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = ERGI_COLUMN_SIDE, PARTS = ERGI_COLUMN_PARTS };
enum { HEAD = 32, ENTRY = 24, TAIL = 8, PART_BYTES = 2 * PARTS };

static const char MAGIC[8] = "ergcols1";
static const char WHAT[] = "the columns of a moment";

// ---- One block ---------------------------------------------------------------------------------
static uint64_t content_of(const erg_column_block *b)
{
    float    range[2] = {b->low, b->high};
    uint64_t word;
    memcpy(&word, range, sizeof word);
    return b->part ? ergi_hash_bytes(b->part, PART_BYTES, ergi_hash_word(1, word))
                   : ergi_hash_word(2, word);
}

static void pack(const float *z, uint16_t *part, erg_column_block *b)
{
    *b = (erg_column_block){.low = z[0], .high = z[0]};
    for (int i = 1; i < PARTS; i++) {
        if (z[i] < b->low) b->low = z[i];
        if (z[i] > b->high) b->high = z[i];
    }
    if (b->high > b->low) {
        float parts = 65535.0f / (b->high - b->low);
        for (int i = 0; i < PARTS; i++) part[i] = (uint16_t)((z[i] - b->low) * parts + 0.5f);
        b->part = part;
    }
    b->content = content_of(b);
}

erg_status ergi_column_heights(const erg_world *world, const erg_terrain_grid *grid, size_t bi,
                               size_t bj, float z[PARTS], erg_error *err)
{
    size_t left[2], at[2] = {bi * SIDE, bj * SIDE};
    for (int k = 0; k < 2; k++) {
        left[k] = grid->count[k] - at[k];
        if (left[k] > SIDE) left[k] = SIDE;
    }
    erg_status status = erg_world_terrain_read(world, at[0], at[1], left[0], left[1], 1, z, err);
    if (status != ERG_OK) return status;
    for (size_t j = SIDE; j-- > 0;) // backwards: rows move to the right place in the same array
        for (size_t i = SIDE; i-- > 0;) {
            size_t y = j < left[1] ? j : left[1] - 1, x = i < left[0] ? i : left[0] - 1;
            z[j * SIDE + i] = z[y * left[0] + x];
        }
    return ERG_OK;
}

void ergi_column_block_heights(const erg_column_block *b, float z[PARTS])
{
    float step = (b->high - b->low) / 65535.0f;
    for (int i = 0; i < PARTS; i++) z[i] = b->part ? b->low + step * (float)b->part[i] : b->low;
}

erg_status ergi_column_block_read(const erg_world *world, const erg_terrain_grid *grid, size_t bi,
                                  size_t bj, uint16_t part[PARTS], erg_column_block *block,
                                  erg_error *err)
{
    float      z[PARTS];
    erg_status status = ergi_column_heights(world, grid, bi, bj, z, err);
    if (status == ERG_OK) pack(z, part, block);
    return status;
}

// ---- Files -------------------------------------------------------------------------------------
erg_status ergi_column_blocks_make(ergi_column_blocks *b, size_t count, erg_error *err)
{
    b->number = ergi_memory_new(count, sizeof *b->number, WHAT, err);
    b->block = ergi_memory_new(count, sizeof *b->block, WHAT, err);
    b->part = ergi_memory_new(count, PART_BYTES, WHAT, err);
    return b->number && b->block && b->part ? ERG_OK : ERG_NO_MEMORY;
}

void ergi_column_blocks_free(ergi_column_blocks *b)
{
    ergi_memory_free(b->number);
    ergi_memory_free(b->block);
    ergi_memory_free(b->part);
    *b = (ergi_column_blocks){0};
}

static unsigned char *put(unsigned char *at, const void *bytes, size_t size)
{
    memcpy(at, bytes, size);
    return at + size;
}

static unsigned char *put_u32(unsigned char *at, uint32_t value)
{
    return put(at, &value, sizeof value);
}

static unsigned char *put_u64(unsigned char *at, uint64_t value)
{
    return put(at, &value, sizeof value);
}

erg_status ergi_column_blocks_write(const char *path, const ergi_column_blocks *b, erg_error *err)
{
    size_t size = HEAD + b->count * ENTRY + TAIL;
    for (size_t i = 0; i < b->count; i++) size += b->block[i].part ? PART_BYTES : 0;
    unsigned char *bytes = ergi_memory_new(size, 1, WHAT, err);
    if (!bytes) return ERG_NO_MEMORY;
    unsigned char *at = put(bytes, MAGIC, sizeof MAGIC);
    at = put_u64(at, b->follows);
    for (int k = 0; k < 2; k++) at = put_u32(at, (uint32_t)b->blocks[k]);
    at = put_u64(at, b->count);
    for (size_t i = 0; i < b->count; i++) {
        const erg_column_block *one = &b->block[i];
        at = put_u32(put_u32(at, b->number[i]), one->part != NULL);
        at = put(at, &one->low, sizeof one->low);
        at = put(at, &one->high, sizeof one->high);
        at = put_u64(at, one->content);
    }
    for (size_t i = 0; i < b->count; i++)
        if (b->block[i].part) at = put(at, b->block[i].part, PART_BYTES);
    put_u64(at, ergi_hash_bytes(bytes, size - TAIL, 1));
    erg_status status = ergi_file_replace(path, bytes, size, NULL, err);
    ergi_memory_free(bytes);
    return status;
}

static uint64_t u64_at(const unsigned char *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static uint32_t u32_at(const unsigned char *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static bool is_whole(const unsigned char *bytes, size_t size)
{
    return size >= HEAD + TAIL && memcmp(bytes, MAGIC, sizeof MAGIC) == 0 &&
           u64_at(bytes + size - TAIL) == ergi_hash_bytes(bytes, size - TAIL, 1);
}

// The hash holds, but another program may have written it.
static bool unpack(const unsigned char *bytes, size_t size, ergi_column_blocks *b)
{
    const unsigned char *at = bytes + HEAD, *parts = at + b->count * ENTRY;
    const unsigned char *end = bytes + size - TAIL;
    for (size_t i = 0; i < b->count; i++, at += ENTRY) {
        erg_column_block *one = &b->block[i];
        b->number[i] = u32_at(at);
        memcpy(&one->low, at + 8, sizeof one->low);
        memcpy(&one->high, at + 12, sizeof one->high);
        if (b->number[i] >= b->blocks[0] * b->blocks[1] || !isfinite(one->low) ||
            !isfinite(one->high))
            return false;
        if (u32_at(at + 4)) {
            if (end - parts < PART_BYTES) return false;
            uint16_t *part = b->part + i * PARTS;
            memcpy(part, parts, PART_BYTES);
            one->part = part;
            parts += PART_BYTES;
        }
        one->content = content_of(one);
        if (one->content != u64_at(at + 16)) return false;
    }
    return parts == end;
}

static erg_status refuse(const char *path, erg_error *err)
{
    return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                          "'%s' is damaged or holds no columns of a terrain", path);
}

static erg_status read_bytes(const char *path, const unsigned char *bytes, size_t size,
                             const size_t blocks[2], ergi_column_blocks *b, erg_error *err)
{
    if (!is_whole(bytes, size)) return refuse(path, err);
    for (int k = 0; k < 2; k++) b->blocks[k] = u32_at(bytes + 16 + 4 * k);
    if (b->blocks[0] != blocks[0] || b->blocks[1] != blocks[1])
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "'%s' has %zu x %zu blocks of columns, but the terrain has %zu x %zu",
                              path, b->blocks[0], b->blocks[1], blocks[0], blocks[1]);
    uint64_t count = u64_at(bytes + 24);
    if (count > (size - HEAD - TAIL) / ENTRY) return refuse(path, err);
    erg_status status = ergi_column_blocks_make(b, (size_t)count, err);
    if (status != ERG_OK) return status;
    b->count = (size_t)count;
    b->follows = u64_at(bytes + 8) != 0;
    return unpack(bytes, size, b) ? ERG_OK : refuse(path, err);
}

erg_status ergi_column_blocks_read(const char *path, const size_t blocks[2], ergi_column_blocks *b,
                                   erg_error *err)
{
    unsigned char *bytes = NULL;
    size_t         size = 0;
    *b = (ergi_column_blocks){0};
    erg_status status = ergi_file_read(path, &bytes, &size, err);
    if (status == ERG_OK) status = read_bytes(path, bytes, size, blocks, b, err);
    free(bytes);
    if (status != ERG_OK) ergi_column_blocks_free(b);
    return status;
}
