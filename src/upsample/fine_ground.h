// Which fine particles touch the columns of a terrain. Most particles of a block lie above all
// columns that the surface below them is made of, which takes one comparison to see; the distance
// to the surface, which takes far longer, is then asked for the few others only.
#ifndef ERGI_FINE_GROUND_H
#define ERGI_FINE_GROUND_H

#include "geom/height_field.h"
#include "upsample/fine_block.h"

// Lists the particles of a block, as offsets from `begin`, that are less than `gap` away from the
// surface of the columns, or below it; returns their number [m].
int ergi_fine_ground_touch(const ergi_height_field *field, const ergi_fine_frame *lattice,
                           const ergi_fine_columns *fine, size_t begin, size_t end, double gap,
                           uint16_t list[ERGI_FINE_BLOCK]);

#endif
