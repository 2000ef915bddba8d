// Space sorting of the fine particles along a Hilbert curve, through cells of about a grain's
// radius, so that 256 consecutive particles fill a compact region.
#ifndef ERGI_FINE_ORDER_H
#define ERGI_FINE_ORDER_H

#include "base/threads.h"
#include "erg/base.h"
#include "upsample/fine.h"

// Scratch, 24 bytes per particle, reused from one sort to the next. Zero before the first.
typedef struct ergi_fine_order {
    uint32_t *key[2], *index[2];
    uint64_t *column;
    uint32_t *count; // histogram of digits for each range of particles
    size_t    key_room[2], index_room[2], column_room, count_room;
} ergi_fine_order;

void   ergi_fine_order_free(ergi_fine_order *order);
size_t ergi_fine_order_bytes(const ergi_fine_order *order);

// Size of the cells [m]: `cell`, doubled until 1024 of them cover `span` along each axis. On an
// axis that is not periodic the middle of those 1024 is the origin of the fixed-point positions.
// Particles beyond them count to the outermost cells.
double ergi_fine_order_side(double cell, double span);

// Sorts the `count` particles from row `first`: particle first + k of the new order is particle
// first + (*index)[k] of the old. Particles of one cell keep their order. *index belongs to
// `order`. `side` is from ergi_fine_order_side.
erg_status ergi_fine_order_find(ergi_fine_order *order, const ergi_fine_columns *fine, size_t first,
                                size_t count, const ergi_fine_frame *lattice, double side,
                                const ergi_threads *threads, const uint32_t **index,
                                erg_error *err);

// Permutes a range of a column with rows of 1, 4 or 8 bytes, from the last ergi_fine_order_find;
// `column` points to the range.
void ergi_fine_order_apply(const ergi_fine_order *order, void *column, size_t bytes, size_t count,
                           const uint32_t *index, const ergi_threads *threads);

// Index of a cell on the curve through a cube with 2^bits cells per side. Skilling, Programming the
// Hilbert curve, AIP Conf. Proc. 707 (2004) 381.
uint32_t ergi_fine_hilbert(uint32_t x, uint32_t y, uint32_t z, int bits);

#endif
