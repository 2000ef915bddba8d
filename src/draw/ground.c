// The ground of a picture: its height, and a large disc.
#include "draw/colours.h"
#include "draw/sheets.h"
#include "geom/vec3.h"

enum { AROUND = 96 };

static void add_disc(ergi_sheets *b)
{
    erg_picture *p = b->p;
    erg_vec3     centre, n = p->up;
    double       radius;
    erg_picture_ball(p, &centre, &radius);
    if (p->land)
        for (int k = 0; k < 2; k++)
            radius = fmax(radius, ergi_land_upper(p->land, k) - p->land->grid.lower[k]);
    centre = ergi_madd(centre, p->ground - ergi_dot(centre, n), n);
    erg_vec3 u = ergi_perpendicular(n), v = ergi_cross(n, u);
    ergi_sheet_begin(b, ERGI_SHEET_GROUND, ergi_colour_pack(0.69, 0.665, 0.63, 1));
    for (int i = 0; i < AROUND; i++) {
        double a = 2 * ERGI_PI * i / AROUND, c = 2 * ERGI_PI * (i + 1) / AROUND, far = 40 * radius;
        erg_vec3 from = ergi_add(ergi_scale(u, far * cos(a)), ergi_scale(v, far * sin(a)));
        erg_vec3 to = ergi_add(ergi_scale(u, far * cos(c)), ergi_scale(v, far * sin(c)));
        ergi_sheet_corner(b, centre, n);
        ergi_sheet_corner(b, ergi_add(centre, from), n);
        ergi_sheet_corner(b, ergi_add(centre, to), n);
    }
}

static double lowest(const erg_picture *p)
{
    double low = p->land ? p->land->grid.floor : HUGE_VAL;
    for (int corner = 0; corner < 8; corner++)
        low =
            fmin(low, ergi_dot(p->up, ergi_vec3(corner & 1 ? p->bounds.high.x : p->bounds.low.x,
                                                corner & 2 ? p->bounds.high.y : p->bounds.low.y,
                                                corner & 4 ? p->bounds.high.z : p->bounds.low.z)));
    return low;
}

// Auto: the lowest horizontal plane, else a floor below everything.
void ergi_add_ground(ergi_sheets *b, double floor)
{
    erg_picture *p = b->p;
    p->has_ground = p->look.ground != ERG_GROUND_NONE;
    p->ground = p->look.ground_height;
    if (p->look.ground == ERG_GROUND_AUTO) {
        p->ground = floor;
        if (!(floor < HUGE_VAL)) {
            p->ground_so_far = fmin(p->ground_so_far, lowest(p));
            p->ground = p->ground_so_far;
        }
    }
    p->ground_holds = floor < HUGE_VAL && floor >= p->ground - 1e-9 * fabs(p->ground);
    if (p->has_ground) add_disc(b);
}
