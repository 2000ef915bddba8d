#include "api/sphere_loads.h"

#include "api/contacts.h"
#include "geom/vec3.h"
#include "world/world.h"

#include <string.h>

typedef struct summing {
    const erg_world       *world;
    ergi_sphere_arrays     s;
    const uint32_t        *first;
    const erg_sphere_view *view;
} summing;

static size_t row_of(const summing *sum, uint32_t sphere)
{
    uint32_t body = sum->s.body ? sum->s.body[sphere] : sphere;
    return sum->first[body] + (sphere - ERGI_BODY(sum->world, FIRST, uint32_t)[body]);
}

// `towards`: from the contact to the sphere's centre, a unit vector.
static void add(const summing *sum, uint32_t sphere, erg_vec3 towards, double overlap, erg_vec3 f)
{
    size_t row = row_of(sum, sphere);
    double radius = sum->s.position[4 * (size_t)sphere + 3];
    if (sum->view->coordination) sum->view->coordination[row]++;
    if (sum->view->force) {
        double *to = sum->view->force + 3 * row;
        to[0] += f.x;
        to[1] += f.y;
        to[2] += f.z;
    }
    if (sum->view->stress) {
        double  *to = sum->view->stress + 6 * row;
        double   volume = 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
        erg_vec3 b = ergi_scale(towards, -(radius - 0.5 * overlap) / volume);
        to[0] += b.x * f.x;
        to[1] += b.y * f.y;
        to[2] += b.z * f.z;
        to[3] += 0.5 * (b.x * f.y + b.y * f.x);
        to[4] += 0.5 * (b.y * f.z + b.z * f.y);
        to[5] += 0.5 * (b.x * f.z + b.z * f.x);
    }
}

static void add_both(void *user, const erg_contact *c, uint32_t a, uint32_t b)
{
    add(user, a, c->normal, c->overlap, c->force);
    if (b != UINT32_MAX)
        add(user, b, ergi_scale(c->normal, -1), c->overlap, ergi_scale(c->force, -1));
}

void ergi_sphere_loads(const erg_world *world, const uint32_t *first, size_t count,
                       const erg_sphere_view *view)
{
    if (!view->force && !view->coordination && !view->stress) return;
    if (view->force) memset(view->force, 0, 3 * count * sizeof *view->force);
    if (view->coordination) memset(view->coordination, 0, count * sizeof *view->coordination);
    if (view->stress) memset(view->stress, 0, 6 * count * sizeof *view->stress);
    summing sum = {world, ergi_world_spheres(world), first, view};
    ergi_contacts_visit(world, add_both, &sum);
}
