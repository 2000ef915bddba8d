// An HDF5 file in memory. The only room that knows HDF5: checkpoints and VTKHDF snapshots both go
// through here, and a build without HDF5 answers ERG_NOT_BUILT here.
//
// No file is touched, HDF5 prints nothing, no dates are stored: the same calls give the same bytes.
// HDF5 crashes when it runs out of memory: before each call we check that what it may need can be
// allocated, so that ERG_NO_MEMORY is returned while some MB are left.
#ifndef ERGI_HDF5_BUFFER_H
#define ERGI_HDF5_BUFFER_H

#include "io/container.h"

typedef struct ergi_hdf5_buffer ergi_hdf5_buffer;

// ERG_OK, or ERG_NOT_BUILT with the sentence.
erg_status ergi_hdf5_buffer_built(erg_error *err);

// `user_block`: 0, or the bytes (512, 1024, ...) that the caller will write before the image.
// `room`: about how many bytes of data will follow.
erg_status ergi_hdf5_buffer_create(size_t user_block, size_t room, ergi_hdf5_buffer **out,
                                   erg_error *err);
void       ergi_hdf5_buffer_free(ergi_hdf5_buffer *image); // takes NULL

// A dataset, one-dimensional when it has one column. Groups on the way to it are made.
erg_status ergi_hdf5_buffer_add(ergi_hdf5_buffer *image, const ergi_container_item *item,
                                erg_error *err);

// A dataset whose rows lie in other files, one piece after the other: each is the whole dataset of
// the same name in `file`, a name relative to the folder of this one. `item` has no data.
typedef struct ergi_hdf5_buffer_piece {
    const char *file;
    size_t      rows;
} ergi_hdf5_buffer_piece;
erg_status ergi_hdf5_buffer_add_virtual(ergi_hdf5_buffer *image, const ergi_container_item *item,
                                        const ergi_hdf5_buffer_piece *pieces, size_t count,
                                        erg_error *err);

// Attributes of a group that exists: numbers as 64-bit integers, text as a fixed-length ASCII
// string.
erg_status ergi_hdf5_buffer_set_integers(ergi_hdf5_buffer *image, const char *group,
                                         const char *name, const int64_t *values, size_t count,
                                         erg_error *err);
erg_status ergi_hdf5_buffer_set_text(ergi_hdf5_buffer *image, const char *group, const char *name,
                                     const char *text, erg_error *err);

// The finished file without its user block; the caller frees the bytes.
erg_status ergi_hdf5_buffer_finish(ergi_hdf5_buffer *image, unsigned char **bytes, size_t *size,
                                   erg_error *err);

// All datasets of an HDF5 file in memory (user block included), sorted by name within each group.
// Anything erg does not write is ERG_BAD_INPUT: arrays that are not contiguous in the file or claim
// more than it holds, and links to other places. HDF5 may still crash on damaged bytes: check a
// hash first. `path` is for error messages.
erg_status ergi_hdf5_buffer_read(const unsigned char *bytes, size_t size, const char *path,
                                 ergi_container_item **items, size_t *count, erg_error *err);
void       ergi_hdf5_buffer_free_items(ergi_container_item *items, size_t count);

#endif
