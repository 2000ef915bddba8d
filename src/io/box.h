// A box of named arrays in one file: what a checkpoint is made of.
//
//     byte   0  "ERGCHK01"
//            8  version of the format (32 bit), 12: size of this block, 512 (32 bit)
//           16  length of the whole file (64 bit)
//           24  hash of all bytes from 512 on
//           32  zeros
//          504  hash of the bytes 0 to 503
//          512  an HDF5 file; each array is a dataset, the 512 bytes before it its "user block"
//
// All numbers are little endian. The two hashes are checked before HDF5 sees the file, because HDF5
// may crash on a damaged one or take it for good: a flipped byte anywhere is refused. The hashes
// find damage, not forgery. Tools such as h5dump and h5py open the file as it is.
#ifndef ERGI_BOX_H
#define ERGI_BOX_H

#include "erg/base.h"

#define ERGI_BOX_MAX_COLUMNS 16

typedef enum ergi_box_type {
    ERGI_BOX_U8,
    ERGI_BOX_U16,
    ERGI_BOX_U32,
    ERGI_BOX_I32,
    ERGI_BOX_U64,
    ERGI_BOX_I64,
    ERGI_BOX_F32,
    ERGI_BOX_F64
} ergi_box_type;

typedef struct ergi_box_item {
    const char   *name; // "bodies/position": slashes make groups
    ergi_box_type type;
    int           columns; // 1 to ERGI_BOX_MAX_COLUMNS
    size_t        rows;    // may be 0
    const void   *data;    // rows * columns values, one row after the other
} ergi_box_item;

typedef struct ergi_box ergi_box;

size_t      ergi_box_type_size(ergi_box_type type); // [bytes]
const char *ergi_box_type_name(ergi_box_type type); // "f64"

// Replaces `path` by a box of these items; see file.h for why it is whole at every moment. The old
// box stays as `keep_previous` unless that is NULL. The same items give the same bytes.
erg_status ergi_box_write(const char *path, const ergi_box_item *items, size_t count,
                          const char *keep_previous, erg_error *err);

// Reads a whole box into memory. What is no box, damaged, cut short or from a newer erg is
// ERG_BAD_INPUT with a sentence that names the file and the remedy.
erg_status ergi_box_open(const char *path, ergi_box **out, erg_error *err);

// The array `name`, aligned for its type and valid until ergi_box_close. NULL, with a sentence,
// when it is missing or has another type or width; never NULL otherwise, also when it has no rows.
const void *ergi_box_get(const ergi_box *box, const char *name, ergi_box_type type, int columns,
                         size_t *rows, erg_error *err);

bool ergi_box_has(const ergi_box *box, const char *name);

// Everything in the box, sorted by name within each group.
const ergi_box_item *ergi_box_items(const ergi_box *box, size_t *count);

void ergi_box_close(ergi_box *box); // takes NULL

#endif
