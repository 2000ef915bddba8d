#include "api/sphere_forces.h"

#include "geom/vec3.h"
#include "solver/solver.h"

#include <string.h>

typedef struct summing {
    const uint32_t        *first;
    const erg_sphere_view *view;
} summing;

// `towards`: unit vector from the contact to the sphere's centre.
static void add(const summing *sum, size_t row, double radius, erg_vec3 towards, double overlap,
                erg_vec3 f)
{
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

static void add_both(void *user, const ergi_contact_view *v)
{
    const summing     *sum = user;
    const erg_contact *c = &v->contact;
    if (v->kind == ERGI_CONTACT_BODIES) return;
    add(sum, sum->first[v->a] + c->slot_a, v->sphere_a[3], c->normal, c->overlap, c->force);
    if (v->kind == ERGI_CONTACT_PAIR)
        add(sum, sum->first[v->b] + c->slot_b, v->sphere_b[3], ergi_scale(c->normal, -1),
            c->overlap, ergi_scale(c->force, -1));
}

void ergi_sphere_forces(const erg_world *world, const uint32_t *first, size_t count,
                        const erg_sphere_view *view)
{
    if (!view->force && !view->coordination && !view->stress) return;
    if (view->force) memset(view->force, 0, 3 * count * sizeof *view->force);
    if (view->coordination) memset(view->coordination, 0, count * sizeof *view->coordination);
    if (view->stress) memset(view->stress, 0, 6 * count * sizeof *view->stress);
    summing sum = {first, view};
    ergi_solver_contacts(world, true, add_both, &sum);
}
