// The ground of a picture: its height, and a large disc.
#include "draw/colours.h"
#include "draw/sheets.h"
#include "geom/vec3.h"

enum { AROUND = 96 };
#define BELOW 2e-3 // of the height of walls and props
#define FAR 0.05   // of the height of all that is shown

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

// Range of the bounds along `up`.
static void range_of(const erg_picture *p, const ergi_bounds *b, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int corner = 0; corner < 8 && !ergi_bounds_empty(b); corner++) {
        double z = ergi_dot(p->up, ergi_vec3(corner & 1 ? b->high.x : b->low.x,
                                             corner & 2 ? b->high.y : b->low.y,
                                             corner & 4 ? b->high.z : b->low.z));
        *low = fmin(*low, z);
        *high = fmax(*high, z);
    }
}

// The floor of the terrain, else a little below walls and props, whose own floor would show through
// it in stripes. Lower only if something is far below: a grain that is pressed into a wall for an
// instant must not lower the ground.
static double lowest(const erg_picture *p)
{
    double low, high, solid, top;
    range_of(p, &p->bounds, &low, &high);
    range_of(p, &p->solid, &solid, &top);
    double base = p->land ? p->land->grid.floor : solid - BELOW * (top - solid);
    double far = fmax(FAR * (high - low), 4 * p->largest);
    return low < base - far ? low : base;
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
