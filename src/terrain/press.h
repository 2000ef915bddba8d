// Tools press columns down to their lowest points above them. The sand goes to the ring of nearest
// columns that no tool touches; where a tool moves sideways, to those ahead of it.
//
//     z        tool                     Sand of a column passes outwards, in equal parts, from
//     |   ____________     berm         column to column until it is in the ring. What does not
//     |--/            \---/\---         divide goes to the first of them in a fixed order.
//     |  \____________/
//     |     pressed    ring
//
// Columns that a tool touches are held: they do not flow.
#ifndef ERGI_PRESS_H
#define ERGI_PRESS_H

#include "terrain/column_set.h"
#include "terrain/tools.h"
#include "terrain/underside.h"

// A column that a tool touches.
typedef struct ergi_pressed {
    int32_t  i, j;
    double   low;      // lowest point of the tool above it [m]
    uint64_t sand;     // that passes through it [quanta]
    uint32_t distance; // to the ring, in columns; 0: it is not reached
} ergi_pressed;

// Columns touched by one tool: a range of the list, and the box around them, ends included.
typedef struct ergi_footprint {
    size_t  begin, end;
    int32_t i0, j0, i1, j1;
} ergi_footprint;

typedef struct ergi_press {
    ergi_pressed   *column;
    size_t          columns, column_room;
    ergi_footprint *foot; // of each tool
    size_t          foot_room;
    ergi_column_set held;
    uint64_t        hash; // of the columns that are held
    double          top;  // nothing of the terrain is higher [m]

    ergi_underside under;
    uint32_t      *number; // of the columns in the footprint's box and one around it: 1 + their
                           // place in the list
    uint32_t *queue;
    size_t    number_room, queue_room;
} ergi_press;

erg_status ergi_press_create(ergi_press *press, const ergi_columns *c, erg_error *err);
void       ergi_press_free(ergi_press *press); // a zeroed struct is fine
size_t     ergi_press_bytes(const ergi_press *press, const ergi_columns *c);

typedef struct ergi_press_report {
    uint64_t compressed; // sand that is gone [quanta]
    double   largest;    // no column changed by more [m]
} ergi_press_report;

// `share` of the sand goes to the ring. Columns of `covered` get sand only where the ring has no
// others. `follow`: how the surface does.
erg_status ergi_press_columns(ergi_press *press, ergi_columns *c, const ergi_tools *tools,
                              const erg_world *world, const ergi_column_set *covered, double share,
                              ergi_follow follow, ergi_press_report *report, erg_error *err);

#endif
