#include "draw/sheets.h"

#include "base/memory.h"
#include "draw/colours.h"
#include "geom/vec3.h"

void ergi_sheet_begin(ergi_sheets *b, ergi_sheet_kind kind, uint32_t colour)
{
    erg_picture *p = b->p;
    if (b->status == ERG_OK)
        b->status = ergi_memory_grow(&p->sheets, &p->sheet_room, p->sheet_count + 1,
                                     sizeof *p->sheets, "walls of a picture", b->err);
    if (b->status == ERG_OK)
        p->sheets[p->sheet_count++] = (ergi_sheet){kind, colour, p->corner_count, 0, b->wall};
}

void ergi_sheet_corner(ergi_sheets *b, erg_vec3 at, erg_vec3 normal)
{
    erg_picture *p = b->p;
    if (b->status == ERG_OK)
        b->status = ergi_memory_grow(&p->corners, &p->corner_room, p->corner_count + 1,
                                     sizeof *p->corners, "walls of a picture", b->err);
    if (b->status != ERG_OK) return;
    at = ergi_sub(at, p->origin);
    p->corners[p->corner_count++] =
        (ergi_corner){{(float)at.x, (float)at.y, (float)at.z},
                      {(float)normal.x, (float)normal.y, (float)normal.z}};
    p->sheets[p->sheet_count - 1].count++;
}

// Two triangles: a b c, a c d.
void ergi_sheet_quad(ergi_sheets *b, const erg_vec3 at[4], const erg_vec3 normal[4])
{
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6; i++) ergi_sheet_corner(b, at[order[i]], normal[order[i]]);
}

void ergi_sheet_edge(ergi_sheets *b, erg_vec3 from, erg_vec3 to, bool glass)
{
    uint32_t colour =
        glass ? ergi_colour_pack(0.40, 0.48, 0.50, 0.45) : ergi_colour_pack(0.25, 0.25, 0.27, 0.4);
    if (b->status == ERG_OK && !ergi_picture_cuts_off(b->p, from, 0) &&
        !ergi_picture_cuts_off(b->p, to, 0))
        b->status = ergi_picture_add_ribbon(b->p, from, to, 0, colour, b->err);
}

erg_vec3 ergi_in_frame(const erg_wall_surface *s, double x, double y, double z)
{
    erg_vec3 q = ergi_madd(s->origin, x, s->ex);
    return ergi_madd(ergi_madd(q, y, s->ey), z, s->ez);
}
