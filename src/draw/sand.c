// The terrain of a picture, and the grains drawn on it.
#include "draw/picture.h"
#include "erg/upsample.h"

#include <math.h>

// Grains of a terrain whose columns stay columns: this part of a column wide, so that columns do
// not show.
static const double FINE_SAND = 0.06;

erg_status ergi_picture_land(erg_picture *p, const erg_world *world, const erg_moment *moment,
                             erg_error *err)
{
    ergi_land *now;
    erg_status status = ergi_land_take(world, moment ? moment->columns : NULL, p->land, &now, err);
    if (status != ERG_OK) return status;
    ergi_land_leave(p->land);
    p->land = now;
    if (!now) return status;
    p->land_radius = now->grid.radius > 0 ? now->grid.radius : FINE_SAND * now->grid.spacing;
    erg_fine_view fine;
    status = erg_world_view_fine(world, &fine, err);
    if (status == ERG_OK && fine.count > 0 && p->look.fine != ERG_FINE_HIDDEN)
        p->land_radius = fine.radius;
    return status;
}

// Standard deviation of the radii of the spheres of this material, as a share of the mean.
static double spread_of(const erg_sphere_view *view, uint32_t material)
{
    double n = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < view->count; i++) {
        if (view->material && view->material[i] != material) continue;
        n++;
        sum += view->radius[i];
        squares += view->radius[i] * view->radius[i];
    }
    if (n < 10) return 0.1;
    double mean = sum / n;
    return fmin(sqrt(fmax(squares / n - mean * mean, 0)) / mean, 0.25);
}

static void set_one(erg_picture *p, uint32_t packed)
{
    const uint8_t *rgb = (const uint8_t *)&packed;
    p->land_tints = 1;
    for (int k = 0; k < 3; k++) p->land_tint[0][k] = p->land_mean[k] = (float)rgb[k] / 255.0f;
    p->land_tint[0][3] = 1;
}

void ergi_picture_land_looks(erg_picture *p, const erg_sphere_view *view, int rank)
{
    p->land_spread = spread_of(view, p->land->grid.material);
    p->land_tints = ergi_colour_tints(rank, p->land_tint, p->land_mean);
    // Colours of numbers are those of grains: the columns stay in the background.
    if (p->look.colour == ERG_COLOUR_SPEED)
        set_one(p, ergi_colour_number(p->look.colour,
                                      p->high > p->low ? -p->low / (p->high - p->low) : 0));
    else if (p->look.colour != ERG_COLOUR_MATERIAL || p->look.chains)
        set_one(p, ergi_colour_pack(0.80, 0.79, 0.77, 1));
}
