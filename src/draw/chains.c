// Force chains: every contact as a line between the centres, with a width proportional to its
// force.
#include "base/memory.h"
#include "draw/colours.h"
#include "draw/picture.h"
#include "geom/vec3.h"

#include <stdlib.h>

static int by_force(const void *a, const void *b)
{
    double x = ((const erg_contact *)a)->normal_force, y = ((const erg_contact *)b)->normal_force;
    return x < y ? -1 : x > y;
}

// The force of the widest line: four times the mean, since the strongest contacts are rare.
static double full_force(const erg_contact *contacts, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += fmax(contacts[i].normal_force, 0);
    return count ? 4 * sum / (double)count : 0;
}

erg_status ergi_picture_chains(erg_picture *p, const erg_world *world, const erg_sphere_view *view,
                               erg_error *err)
{
    erg_contact *contacts;
    size_t       count = 0;
    erg_status   status = ergi_read_contacts(world, &contacts, &count, err);
    if (status == ERG_OK) qsort(contacts, count, sizeof *contacts, by_force);
    double full = full_force(contacts, count);
    for (size_t i = 0; i < count && status == ERG_OK && full > 0; i++) {
        const erg_contact *c = &contacts[i];
        size_t             a = ergi_sphere_of(view, c->grain_a, c->slot_a);
        size_t             b = c->grain_b ? ergi_sphere_of(view, c->grain_b, c->slot_b) : SIZE_MAX;
        if (a == SIZE_MAX || !(c->normal_force > 0)) continue;
        double   share = fmin(c->normal_force / full, 1), least = view->radius[a];
        erg_vec3 from =
            ergi_vec3(view->position[3 * a], view->position[3 * a + 1], view->position[3 * a + 2]);
        erg_vec3 to = c->point;
        if (b != SIZE_MAX) {
            least = fmin(least, view->radius[b]);
            // Along the normal, so that a pair across a periodic boundary is drawn next to a.
            to = ergi_madd(from, c->overlap - view->radius[a] - view->radius[b], c->normal);
        }
        if (ergi_picture_cuts_off(p, from, 0) || ergi_picture_cuts_off(p, to, 0)) continue;
        uint32_t colour = ergi_colour_mix(ergi_colour_pack(0.42, 0.10, 0.12, 0.45),
                                          ergi_colour_pack(0.90, 0.20, 0.08, 1), share);
        status = ergi_picture_add_ribbon(p, from, to, 0.55 * least * share, colour, err);
    }
    ergi_memory_free(contacts);
    return status;
}
