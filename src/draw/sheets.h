// Builds the walls of a picture: sheets of triangles, and edges as thin lines. After a failure,
// recorded in `status`, all further calls do nothing.
#ifndef ERGI_SHEETS_H
#define ERGI_SHEETS_H

#include "draw/picture.h"

typedef struct ergi_sheets {
    erg_picture *p;
    erg_error   *err;
    erg_status   status;
    erg_id       wall; // wall being built; 0: the ground
} ergi_sheets;

void ergi_sheet_begin(ergi_sheets *b, ergi_sheet_kind kind, uint32_t colour);
// Corners belong to the sheet begun last.
void ergi_sheet_corner(ergi_sheets *b, erg_vec3 at, erg_vec3 normal);
void ergi_sheet_quad(ergi_sheets *b, const erg_vec3 at[4], const erg_vec3 normal[4]);
// A line, unless one of its ends is cut off.
void ergi_sheet_edge(ergi_sheets *b, erg_vec3 from, erg_vec3 to, bool glass);

// From the frame of a wall to the world.
erg_vec3 ergi_in_frame(const erg_wall_surface *s, double x, double y, double z);

// ---- Planes: planes.c --------------------------------------------------------------------------
void ergi_add_plane(ergi_sheets *b, const erg_world *world, const erg_wall_surface *s,
                    const char *material);
// True for an infinite horizontal floor, where the ground is drawn instead.
bool ergi_is_floor(const erg_picture *p, const erg_world *world, const erg_wall_surface *s);

// ---- The ground: ground.c ----------------------------------------------------------------------
// At the height set in the look; else at `floor`, the lowest floor of the world, or HUGE_VAL when
// there is none [m].
void ergi_add_ground(ergi_sheets *b, double floor);

#endif
