// The container of a checkpoint: named arrays in one file.
//
//     byte   0  "ERGCHK01"
//            8  version of the format (32 bit), 12: size of this block, 512 (32 bit)
//           16  length of the whole file (64 bit)
//           24  hash of all bytes from 512 on
//           32  zeros
//          504  hash of the bytes 0 to 503
//          512  an HDF5 file, one dataset per array; the 512 bytes before it are its "user block"
//
// All numbers are little endian. The two hashes are checked before HDF5 reads the file, because
// HDF5 may crash on a damaged file or accept it: a flipped byte anywhere is rejected. The hashes
// detect damage, not forgery. Tools such as h5dump and h5py can open the file.
#ifndef ERGI_CONTAINER_H
#define ERGI_CONTAINER_H

#include "erg/base.h"

#define ERGI_CONTAINER_MAX_COLUMNS 16

typedef enum ergi_container_type {
    ERGI_CONTAINER_U8,
    ERGI_CONTAINER_U16,
    ERGI_CONTAINER_U32,
    ERGI_CONTAINER_I32,
    ERGI_CONTAINER_U64,
    ERGI_CONTAINER_I64,
    ERGI_CONTAINER_F32,
    ERGI_CONTAINER_F64
} ergi_container_type;

typedef struct ergi_container_item {
    const char         *name; // "grains/position": slashes make groups
    ergi_container_type type;
    int                 columns; // 1 to ERGI_CONTAINER_MAX_COLUMNS
    size_t              rows;    // may be 0
    const void         *data;    // rows * columns values, one row after the other
} ergi_container_item;

typedef struct ergi_container ergi_container;

size_t      ergi_container_type_size(ergi_container_type type); // [bytes]
const char *ergi_container_type_name(ergi_container_type type); // "f64"

// Replaces the file `path` by a container of these items; the file is complete at every moment, see
// file.h. The old file is kept as `keep_previous` unless that is NULL. The same items give the same
// bytes.
erg_status ergi_container_write(const char *path, const ergi_container_item *items, size_t count,
                                const char *keep_previous, erg_error *err);

// Reads a whole container into memory. A file that is not a container, is damaged, truncated or
// from a newer erg is ERG_BAD_INPUT; the message names the file and the remedy.
erg_status ergi_container_open(const char *path, ergi_container **out, erg_error *err);

// The array `name`, aligned for its type and valid until ergi_container_close. Returns NULL and
// fills `err` if it is missing or has another type or number of columns; never NULL otherwise, even
// if it has no rows.
const void *ergi_container_get(const ergi_container *container, const char *name,
                               ergi_container_type type, int columns, size_t *rows, erg_error *err);

bool ergi_container_has(const ergi_container *container, const char *name);

// All arrays of the container, sorted by name within each group.
const ergi_container_item *ergi_container_items(const ergi_container *container, size_t *count);

void ergi_container_close(ergi_container *container); // takes NULL

#endif
