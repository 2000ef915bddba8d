// The surface that grains touch, where no kind of grains is exchanged. Tools and flow change the
// heights of columns in every tick, by up to their whole depth. The surface follows flow downwards
// at once; the rest waits:
//
//     tick    it sinks slowly to pressed columns, for a cliff that opens at once tilts the surface
//             next to it into grains
//     batch   it moves to its columns wherever no grain overlaps it more than before
//
#ifndef ERGI_RISE_H
#define ERGI_RISE_H

#include "geom/height_field.h"
#include "terrain/columns.h"
#include "world/world.h"

// All of it derived from the state: where a surface is not at its column, it waits.
typedef struct ergi_rise {
    uint32_t *place; // per block: 1 + its place in `block`, 0: nothing of it waits
    uint32_t *block; // where surfaces may not be at their columns, in any order
    float    *known; // of the columns of these: how far they may rise, later what they were [m]
    double   *gap;   // to the spheres of all grains before a batch [m]
    size_t    blocks, place_room, block_room, known_room, gap_room;
    bool      again;   // in this batch, columns were taken back
    bool      unknown; // state was restored: all blocks may wait
} ergi_rise;

void   ergi_rise_free(ergi_rise *r); // a zeroed struct is fine
size_t ergi_rise_bytes(const ergi_rise *r);
void   ergi_rise_forget(ergi_rise *r); // what was derived from the state

// The blocks that changed since ergi_columns_watch wait. Call it also while `unknown`.
erg_status ergi_rise_wait(ergi_rise *r, const ergi_columns *c, erg_error *err);
// Surfaces above their columns sink to them, by `step` spacings at most. Returns how far they did
// [m].
double ergi_rise_sink(ergi_rise *r, ergi_columns *c, double step);
// Surfaces that wait follow their columns; *most: by no more than this [m], *high: no lower than
// the highest [m].
erg_status ergi_rise_batch(ergi_rise *r, const erg_world *world, ergi_columns *c,
                           const ergi_height_field *field, double *most, double *high,
                           erg_error *err);

#endif
