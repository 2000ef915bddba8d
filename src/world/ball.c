#include "world/ball.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"

static bool grains_are_made_of(const erg_world *world, erg_id material)
{
    for (size_t k = 0; k < world->kinds - world->ball_kinds; k++)
        if (world->kind[k].material + 1 == material) return true;
    return false;
}

static double smallest_radius(const erg_world *world)
{
    double smallest = INFINITY;
    for (size_t k = 0; k < world->kinds - world->ball_kinds; k++) {
        double least, most;
        ergi_sizes_range(&world->kind[k].sizes, &least, &most);
        smallest = fmin(smallest, least * world->kind[k].shape.smallest_radius);
    }
    return smallest;
}

// A contact with a ball is no shorter than one between two of the smallest grains of the same
// material, if the ball is at least as large and as dense: with k = R/r, the fifth power of the
// Hertz contact time, m*^2/R*, is k^6/(1 + k^3)^2 (1 + k)/k times that of a grain on a rigid wall,
// and smallest at k = 1.
erg_status ergi_ball_check(const erg_world *world, erg_id material, double radius, double density,
                           erg_error *err)
{
    if (!grains_are_made_of(world, material))
        return ergi_fail_at(err, "id", ERG_ERROR_UNKNOWN,
                            "a ball must be of a material that grains are made of, got material %u",
                            material);
    double least = smallest_radius(world), own = world->material[material - 1].def.density;
    if (!(radius >= least * (1 - 1e-12)))
        return ergi_fail_at(
            err, "value", ergi_code_of(radius),
            "a ball's radius must be at least %g m, that of the smallest sphere, got %g", least,
            radius);
    if (density != 0 && !(density >= own))
        return ergi_fail_at(
            err, "amount", ergi_code_of(density),
            "a ball's density must be at least %g kg/m^3, that of its material, got %g", own,
            density);
    // Wide enough that the ball does not meet its own image, including any skin.
    double room = 4 * radius + 6 * fmax(2 * least, world->def.skin);
    for (int a = 0; a < 2; a++)
        if (world->space.period[a] > 0 && world->space.period[a] < room)
            return ergi_fail_at(err, "value", ERG_ERROR_NO_FIT,
                                "a ball of radius %g m needs a period of %g m, but the domain is "
                                "periodic in %c with a period of %g m",
                                radius, room, "xy"[a], world -> space.period[a]);
    return ERG_OK;
}

erg_status ergi_ball_kind(erg_world *world, erg_id material, double radius, double density,
                          erg_id *kind, erg_error *err)
{
    if (density == 0) density = world->material[material - 1].def.density;
    for (size_t k = world->kinds - world->ball_kinds; k < world->kinds; k++) {
        const ergi_kind *old = &world->kind[k];
        if (old->material + 1 == material && old->sizes.radius == radius &&
            old->density == density) {
            *kind = (erg_id)k + 1;
            return ERG_OK;
        }
    }
    ergi_kind  made = {.material = material - 1,
                       .density = density,
                       .sizes = {.law = ERG_SIZE_FIXED, .radius = radius}};
    erg_status status = ergi_memory_resize(&world->kind, world->kinds, world->kinds + 1,
                                           sizeof made, "kinds of grains", err);
    if (status == ERG_OK) status = ergi_shape_make(ERG_SHAPE_SPHERE, NULL, 0, &made.shape, err);
    if (status != ERG_OK) return status;
    world->kind[world->kinds++] = made;
    world->ball_kinds++;
    *kind = (erg_id)world->kinds;
    return ERG_OK;
}

void ergi_ball_kinds_clear(erg_world *world)
{
    for (; world->ball_kinds > 0; world->ball_kinds--)
        ergi_shape_free(&world->kind[--world->kinds].shape);
}
