#include "io/container.h"

#include "base/error.h"
#include "base/hash.h"
#include "io/file.h"
#include "io/hdf5_buffer.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 512,
    VERSION = 1,
    AT_VERSION = 8,
    AT_BLOCK = 12,
    AT_LENGTH = 16,
    AT_HASH = 24,
    AT_BLOCK_HASH = 504
};

static const char magic[9] = "ERGCHK01";

struct ergi_container {
    char                *path;
    ergi_container_item *items;
    size_t               count;
};

size_t ergi_container_type_size(ergi_container_type type)
{
    static const size_t sizes[] = {1, 2, 4, 4, 8, 8, 4, 8};
    return sizes[type];
}

const char *ergi_container_type_name(ergi_container_type type)
{
    static const char *const names[] = {"u8", "u16", "u32", "i32", "u64", "i64", "f32", "f64"};
    return names[type];
}

// Different seeds for header and content, so that one can never pass for the other.
static uint64_t hash_block(const unsigned char *block)
{
    return ergi_hash_bytes(block, AT_BLOCK_HASH, 1);
}

static uint64_t hash_content(const unsigned char *bytes, size_t size)
{
    return ergi_hash_bytes(bytes, size, 2);
}

static void put(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t take(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static bool good_name(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && name[0] != '/' && name[length - 1] != '/' && !strstr(name, "//");
}

static erg_status check_items(const ergi_container_item *items, size_t count, size_t *bytes,
                              erg_error *err)
{
    *bytes = 0;
    for (size_t i = 0; i < count; i++) {
        const ergi_container_item *item = &items[i];
        if (!item->name || !good_name(item->name))
            return ergi_fail(err, ERG_BAD_INPUT, "array %zu of a checkpoint has the bad name '%s'",
                             i, item->name ? item->name : "");
        for (size_t j = 0; j < i; j++)
            if (strcmp(items[j].name, item->name) == 0)
                return ergi_fail(err, ERG_BAD_INPUT, "two arrays of a checkpoint are named %s",
                                 item->name);
        if (item->columns < 1 || item->columns > ERGI_CONTAINER_MAX_COLUMNS)
            return ergi_fail(err, ERG_BAD_INPUT, "array %s has %d columns, expected 1 to %d",
                             item->name, item->columns, ERGI_CONTAINER_MAX_COLUMNS);
        if (item->rows > 0 && !item->data)
            return ergi_fail(err, ERG_BAD_INPUT, "array %s has %zu rows but no data", item->name,
                             item->rows);
        *bytes += item->rows * (size_t)item->columns * ergi_container_type_size(item->type);
    }
    return ERG_OK;
}

static erg_status build_image(const ergi_container_item *items, size_t count, size_t room,
                              unsigned char **bytes, size_t *size, erg_error *err)
{
    ergi_hdf5_buffer *image;
    erg_status        status = ergi_hdf5_buffer_create(BLOCK, room, &image, err);
    for (size_t i = 0; i < count && status == ERG_OK; i++)
        status = ergi_hdf5_buffer_add(image, &items[i], err);
    if (status == ERG_OK) status = ergi_hdf5_buffer_finish(image, bytes, size, err);
    ergi_hdf5_buffer_free(image);
    return status;
}

erg_status ergi_container_write(const char *path, const ergi_container_item *items, size_t count,
                                const char *keep_previous, erg_error *err)
{
    size_t     room;
    erg_status status = check_items(items, count, &room, err);
    if (status != ERG_OK) return status;

    unsigned char *bytes;
    size_t         size;
    status = build_image(items, count, room, &bytes, &size, err);
    if (status != ERG_OK) return status;

    unsigned char block[BLOCK] = {0};
    memcpy(block, magic, 8);
    put(block + AT_VERSION, VERSION, 4);
    put(block + AT_BLOCK, BLOCK, 4);
    put(block + AT_LENGTH, BLOCK + (uint64_t)size, 8);
    put(block + AT_HASH, hash_content(bytes, size), 8);
    put(block + AT_BLOCK_HASH, hash_block(block), 8);

    ergi_file *file;
    status = ergi_file_begin(path, &file, err);
    if (status == ERG_OK) {
        ergi_file_write(file, block, sizeof block);
        ergi_file_write(file, bytes, size);
        status = ergi_file_commit(file, keep_previous, err);
    }
    free(bytes);
    return status;
}

#define REMEDY "resume from the previous one (checkpoint-prev.h5) or run the scene again"

// All checks that need no HDF5. The magic and the offset of the block hash never change, so that
// older programs can recognise newer files.
static erg_status verify(const char *path, const unsigned char *bytes, size_t size, erg_error *err)
{
    if (size == 0)
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE, "checkpoint %s is empty: " REMEDY, path);
    if (memcmp(bytes, magic, size < 8 ? size : 8) != 0)
        return ergi_fail_code(
            err, ERG_ERROR_BAD_FILE,
            "%s is not a checkpoint of erg: give the checkpoint.h5 of a result folder", path);
    if (size < BLOCK)
        return ergi_fail_code(
            err, ERG_ERROR_BAD_FILE,
            "checkpoint %s is truncated, its first block has %zu of %d bytes: " REMEDY, path, size,
            BLOCK);
    if (take(bytes + AT_BLOCK_HASH, 8) != hash_block(bytes))
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "checkpoint %s is damaged in its first %d bytes: " REMEDY, path,
                              BLOCK);

    uint64_t version = take(bytes + AT_VERSION, 4);
    if (version != VERSION || take(bytes + AT_BLOCK, 4) != BLOCK)
        return ergi_fail_code(err, ERG_ERROR_OTHER_BUILD,
                              "checkpoint %s has format version %llu, but this erg reads version "
                              "%d: resume it with the erg that wrote it",
                              path, (unsigned long long)version, VERSION);
    uint64_t length = take(bytes + AT_LENGTH, 8);
    if (size != length)
        return ergi_fail_code(
            err, ERG_ERROR_BAD_FILE,
            "checkpoint %s %s, it has %zu bytes but was written with %llu: " REMEDY, path,
            size < length ? "is truncated" : "has grown", size, (unsigned long long)length);
    if (take(bytes + AT_HASH, 8) != hash_content(bytes + BLOCK, size - BLOCK))
        return ergi_fail_code(
            err, ERG_ERROR_BAD_FILE,
            "checkpoint %s is damaged, its content does not match its hash: " REMEDY, path);
    return ERG_OK;
}

erg_status ergi_container_open(const char *path, ergi_container **out, erg_error *err)
{
    *out = NULL;
    erg_status status = ergi_hdf5_buffer_built(err);
    if (status != ERG_OK) return status;
    unsigned char *bytes;
    size_t         size;
    status = ergi_file_read(path, &bytes, &size, err);
    if (status != ERG_OK) return status;
    status = verify(path, bytes, size, err);

    ergi_container *container = NULL;
    if (status == ERG_OK) {
        container = calloc(1, sizeof *container);
        if (container) container->path = malloc(strlen(path) + 1);
        if (!container || !container->path)
            status = ergi_fail_memory(err, sizeof *container, "a checkpoint");
    }
    if (status == ERG_OK) {
        strcpy(container->path, path);
        status =
            ergi_hdf5_buffer_read(bytes, size, path, &container->items, &container->count, err);
    }
    free(bytes);
    if (status != ERG_OK) {
        ergi_container_close(container);
        return status;
    }
    *out = container;
    return ERG_OK;
}

static const ergi_container_item *find(const ergi_container *container, const char *name)
{
    for (size_t i = 0; i < container->count; i++)
        if (strcmp(container->items[i].name, name) == 0) return &container->items[i];
    return NULL;
}

const void *ergi_container_get(const ergi_container *container, const char *name,
                               ergi_container_type type, int columns, size_t *rows, erg_error *err)
{
    *rows = 0;
    const ergi_container_item *item = find(container, name);
    if (!item) {
        ergi_fail_code(err, ERG_ERROR_OTHER_BUILD,
                       "checkpoint %s has no array %s: resume it with the erg that wrote it",
                       container->path, name);
        return NULL;
    }
    if (item->type != type || item->columns != columns) {
        ergi_fail_code(
            err, ERG_ERROR_OTHER_BUILD,
            "checkpoint %s: array %s holds %s in %d columns, expected %s in %d: resume it "
            "with the erg that wrote it",
            container->path, name, ergi_container_type_name(item->type), item->columns,
            ergi_container_type_name(type), columns);
        return NULL;
    }
    *rows = item->rows;
    return item->data;
}

bool ergi_container_has(const ergi_container *container, const char *name)
{
    return find(container, name) != NULL;
}

const ergi_container_item *ergi_container_items(const ergi_container *container, size_t *count)
{
    *count = container->count;
    return container->items;
}

void ergi_container_close(ergi_container *container)
{
    if (!container) return;
    ergi_hdf5_buffer_free_items(container->items, container->count);
    free(container->path);
    free(container);
}
