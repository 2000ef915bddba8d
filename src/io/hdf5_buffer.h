// An HDF5 file in memory. Only this module uses HDF5: checkpoints and VTKHDF snapshots are written
// through it, and in a build without HDF5 its functions return ERG_NOT_BUILT.
//
// No file is touched, HDF5 prints nothing, no dates are stored: the same calls give the same bytes.
// HDF5 crashes when it runs out of memory. So before each call we check that the memory it may need
// can be allocated, and return ERG_NO_MEMORY while some MB are left.
#ifndef ERGI_HDF5_BUFFER_H
#define ERGI_HDF5_BUFFER_H

#include "io/container.h"

typedef struct ergi_hdf5_buffer ergi_hdf5_buffer;

// ERG_OK, or ERG_NOT_BUILT with a message.
erg_status ergi_hdf5_buffer_built(erg_error *err);

// `user_block`: 0, or the number of bytes (512, 1024, ...) that the caller will write before the
// image. `room`: approximate size of the data to come [bytes].
erg_status ergi_hdf5_buffer_create(size_t user_block, size_t room, ergi_hdf5_buffer **out,
                                   erg_error *err);
void       ergi_hdf5_buffer_free(ergi_hdf5_buffer *image); // takes NULL

// Adds a dataset, one-dimensional if it has one column. Parent groups are created.
erg_status ergi_hdf5_buffer_add(ergi_hdf5_buffer *image, const ergi_container_item *item,
                                erg_error *err);

// A virtual dataset: its rows are stored in other files and concatenated in the order of the
// pieces. Each piece is the whole dataset of the same name in `file`, a path relative to the folder
// of this file. `item` has no data.
typedef struct ergi_hdf5_buffer_piece {
    const char *file;
    size_t      rows;
} ergi_hdf5_buffer_piece;
erg_status ergi_hdf5_buffer_add_virtual(ergi_hdf5_buffer *image, const ergi_container_item *item,
                                        const ergi_hdf5_buffer_piece *pieces, size_t count,
                                        erg_error *err);

// Sets attributes of an existing group: numbers as 64-bit integers, text as a fixed-length ASCII
// string.
erg_status ergi_hdf5_buffer_set_integers(ergi_hdf5_buffer *image, const char *group,
                                         const char *name, const int64_t *values, size_t count,
                                         erg_error *err);
erg_status ergi_hdf5_buffer_set_text(ergi_hdf5_buffer *image, const char *group, const char *name,
                                     const char *text, erg_error *err);

// The finished file without its user block; the caller frees the bytes.
erg_status ergi_hdf5_buffer_finish(ergi_hdf5_buffer *image, unsigned char **bytes, size_t *size,
                                   erg_error *err);

// Reads all datasets of an HDF5 file in memory (user block included), sorted by name within each
// group. Anything erg does not write is ERG_BAD_INPUT: arrays that are not contiguous in the file
// or claim to be larger than it, and soft or external links. HDF5 may still crash on damaged bytes:
// check a hash first. `path` is for error messages.
erg_status ergi_hdf5_buffer_read(const unsigned char *bytes, size_t size, const char *path,
                                 ergi_container_item **items, size_t *count, erg_error *err);
void       ergi_hdf5_buffer_free_items(ergi_container_item *items, size_t count);

#endif
