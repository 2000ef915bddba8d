#include "world/fingerprint.h"

#include <string.h>

#include "base/hash.h"
#include "geom/held_mesh.h"

static uint64_t number(uint64_t h, double x)
{
    uint64_t bits;
    x += 0.0; // turns -0 into +0
    memcpy(&bits, &x, sizeof bits);
    return ergi_hash_word(h, bits);
}

static uint64_t numbers(uint64_t h, const double *x, size_t count)
{
    h = ergi_hash_word(h, count);
    for (size_t k = 0; k < count; k++) h = number(h, x[k]);
    return h;
}

static uint64_t whole(uint64_t h, uint64_t x)
{
    return ergi_hash_word(h, x);
}

static uint64_t vector(uint64_t h, erg_vec3 v)
{
    return numbers(h, (double[]){v.x, v.y, v.z}, 3);
}

uint64_t ergi_fingerprint_world(uint64_t h, const erg_world_def *d)
{
    uint64_t method = (uint64_t)d->solver << 8 | (uint64_t)d->backend;
    if (method) h = whole(h, method); // left out for DEM on the CPU: old files have only that
    if (d->solver == ERG_SOLVER_PBD)
        h = numbers(h,
                    (double[]){(double)d->pbd.variant, d->pbd.substeps, d->pbd.iterations},
                    3);
    if (d->solver == ERG_SOLVER_PBD && d->pbd.variant == ERG_PBD_SOMMER)
        h = numbers(h, (double[]){d->pbd.mass_scaling, (double)d->pbd.friction_limit}, 2);
    h = vector(h, d->gravity);
    h = whole(h, d->seed);
    h = vector(vector(h, d->lower), d->upper);
    h = whole(h, (uint64_t)d->periodic_x | (uint64_t)d->periodic_y << 1 |
                     (uint64_t)d->orient_spheres << 2);
    h = whole(h, (uint64_t)d->integrator << 8 | (uint64_t)d->precision);
    h = numbers(h,
                (double[]){d->dt, d->dt_factor, d->tolerance, d->speed, d->skin, d->max_overlap,
                           d->spin_damping},
                7);
    const erg_contact_def *c = &d->contact;
    h = whole(h, (uint64_t)c->normal << 8 | (uint64_t)c->tangential);
    return numbers(h,
                   (double[]){c->reference_speed, c->contact_time, c->tangential_ratio,
                              c->tangential_damping, c->tangential_viscosity, c->rolling_damping},
                   6);
}

uint64_t ergi_fingerprint_material(uint64_t h, const erg_material_def *d)
{
    return numbers(h,
                   (double[]){d->density, d->young, d->poisson, d->restitution, d->friction,
                              d->static_friction, d->rolling, d->twisting, d->cohesion},
                   9);
}

uint64_t ergi_fingerprint_pair(uint64_t h, const erg_pair_def *d)
{
    h = whole(whole(h, d->a), d->b);
    h = numbers(h,
                (double[]){d->restitution, d->friction, d->static_friction, d->rolling, d->twisting,
                           d->cohesion},
                6);
    return whole(h, (uint64_t)(uint32_t)d->normal << 32 | (uint32_t)d->tangential);
}

uint64_t ergi_fingerprint_grain(uint64_t h, const erg_grain_def *d)
{
    const erg_sizes *s = &d->sizes;
    h = whole(h, (uint64_t)d->shape << 8 | (uint64_t)s->law);
    h = whole(h, d->material);
    h = numbers(h, (double[]){s->radius, s->min, s->max, s->mean, s->deviation}, 5);
    if (s->law == ERG_SIZE_LISTED) {
        h = numbers(h, s->values, s->count);
        if (s->weights) h = numbers(h, s->weights, s->count);
    }
    for (size_t k = 0; d->shape == ERG_SHAPE_SPHERES && k < d->sphere_count; k++)
        h = numbers(
            h, (double[]){d->spheres[k].x, d->spheres[k].y, d->spheres[k].z, d->spheres[k].radius},
            4);
    return h;
}

static uint64_t motion(uint64_t h, const erg_motion_def *m)
{
    h = whole(h, (uint64_t)m->kind << 1 | (uint64_t)m->smooth);
    h = vector(vector(vector(vector(h, m->velocity), m->axis), m->amplitude), m->direction);
    h = numbers(h,
                (double[]){m->start, m->stop, m->rate, m->angle, m->frequency, m->phase, m->force,
                           m->max_speed, m->gain},
                9);
    if (m->kind == ERG_MOTION_USER && m->joint != ERG_JOINT_NONE)
        h = numbers(whole(h, (uint64_t)m->joint), (double[]){m->max_rate, m->range[0], m->range[1]},
                    3);
    if (m->kind == ERG_MOTION_SERVO_TORQUE) h = numbers(h, (double[]){m->torque, m->max_rate}, 2);
    for (int k = 0; m->kind == ERG_MOTION_KEYFRAMES && k < m->key_count; k++) {
        const erg_keyframe *key = &m->keys[k];
        h = vector(number(h, key->time), key->position);
        h = numbers(
            h, (double[]){key->rotation.x, key->rotation.y, key->rotation.z, key->rotation.w}, 4);
    }
    return h;
}

static uint64_t mesh(uint64_t h, const erg_mesh *m)
{
    const ergi_mesh *t = &m->solid.mesh;
    h = numbers(h, &t->vertex[0].x, 3 * t->vertices);
    for (size_t k = 0; k < t->triangles; k++)
        for (int c = 0; c < 3; c++) h = whole(h, t->triangle[k].v[c]);
    return h;
}

static uint64_t wall_shape(uint64_t h, const erg_wall_def *d)
{
    switch (d->shape) {
    case ERG_WALL_PLANE: return vector(vector(h, d->plane.point), d->plane.normal);
    case ERG_WALL_BOX: return whole(vector(vector(h, d->box.min), d->box.max), d->box.open);
    case ERG_WALL_SPHERE: return number(vector(h, d->sphere.centre), d->sphere.radius);
    case ERG_WALL_CYLINDER:
        h = number(vector(vector(h, d->cylinder.a), d->cylinder.b), d->cylinder.radius);
        return whole(h, (uint64_t)d->cylinder.cap_a << 1 | (uint64_t)d->cylinder.cap_b);
    case ERG_WALL_CONE:
        h = numbers(vector(vector(h, d->cone.a), d->cone.b),
                    (double[]){d->cone.radius_a, d->cone.radius_b}, 2);
        return whole(h, (uint64_t)d->cone.cap_a << 1 | (uint64_t)d->cone.cap_b);
    case ERG_WALL_FUNNEL: {
        const erg_wall_funnel *f = &d->funnel;
        h = vector(vector(h, f->outlet), f->axis);
        return numbers(h, (double[]){f->outlet_radius, f->top_radius, f->height, f->stem, f->rim},
                       5);
    }
    case ERG_WALL_HOURGLASS: {
        const erg_wall_hourglass *g = &d->hourglass;
        h = vector(vector(h, g->centre), g->axis);
        h = numbers(
            h, (double[]){g->neck_radius, g->bulb_radius, g->cone_height, g->height, g->rounding},
            5);
        return whole(h, (uint64_t)g->cap_a << 1 | (uint64_t)g->cap_b);
    }
    case ERG_WALL_CAPSULE:
        return number(vector(vector(h, d->capsule.a), d->capsule.b), d->capsule.radius);
    case ERG_WALL_MESH: {
        erg_quat q = d->mesh.rotation;
        h = numbers(vector(mesh(h, d->mesh.mesh), d->mesh.position), (double[]){q.x, q.y, q.z, q.w},
                    4);
        return h;
    }
    }
    return h;
}

uint64_t ergi_fingerprint_attach(uint64_t h, erg_id child, erg_id carrier)
{
    return whole(h, (uint64_t)child << 32 | carrier);
}

uint64_t ergi_fingerprint_wall(uint64_t h, const erg_wall_def *d)
{
    h = whole(h, (uint64_t)d->shape << 8 | (uint64_t)d->side);
    h = whole(h, d->material);
    h = wall_shape(h, d);
    h = numbers(h, (double[]){d->rough.spacing, d->rough.radius}, 2);
    if (d->has_pivot) h = vector(h, d->pivot);
    for (int k = 0; k < d->motion_count; k++) h = motion(h, &d->motion[k]);
    return h;
}

uint64_t ergi_fingerprint_body(uint64_t h, const erg_body_def *d)
{
    erg_quat q = d->rotation;
    h = vector(whole(mesh(h, d->mesh), d->material), d->position);
    h = vector(vector(numbers(h, (double[]){q.x, q.y, q.z, q.w}, 4), d->velocity), d->spin);
    h = numbers(h, (double[]){d->mass, d->density, d->rounding, d->sphere_radius}, 4);
    h = whole(h, (uint64_t)d->free << 8 | (uint64_t)d->contact);
    if (d->free && d->free_axes != ERG_AXIS_ALL) h = whole(h, d->free_axes);
    if (d->has_pivot) h = vector(h, d->pivot);
    for (int k = 0; k < d->motion_count; k++) h = motion(h, &d->motion[k]);
    return h;
}

static uint64_t region(uint64_t h, const erg_region *r)
{
    h = whole(h, (uint64_t)r->shape);
    h = vector(vector(h, r->a), r->b);
    h = numbers(h, (double[]){r->radius, r->radius_b, r->inner_radius}, 3);
    for (size_t k = 0; k < r->minus_count; k++) h = region(h, &r->minus[k]);
    return whole(h, r->minus_count);
}

uint64_t ergi_fingerprint_emitter(uint64_t h, const erg_emitter_def *d)
{
    h = vector(region(whole(h, d->grain), &d->region), d->velocity);
    return whole(numbers(h, (double[]){d->rate, d->spread, d->start, d->stop}, 4), d->limit);
}

uint64_t ergi_fingerprint_sink(uint64_t h, const erg_sink_def *d)
{
    return numbers(region(h, &d->region), (double[]){d->start, d->stop}, 2);
}

uint64_t ergi_fingerprint_terrain(uint64_t h, const erg_terrain_def *d)
{
    h = whole(whole(whole(h, d->material), d->grain), (uint64_t)d->relief);
    h = numbers(numbers(h, d->lower, 2), d->upper, 2);
    h = numbers(h,
                (double[]){d->spacing, d->floor, d->height, d->angle_start, d->angle_stop,
                           d->compression, d->resistance},
                7);
    switch (d->relief) {
    case ERG_RELIEF_FLAT: break;
    case ERG_RELIEF_SLOPE: h = numbers(h, d->slope, 2); break;
    case ERG_RELIEF_DUNES:
        h = numbers(h, (double[]){d->amplitude, d->wavelength, d->direction}, 3);
        h = whole(h, d->seed);
        break;
    case ERG_RELIEF_NOISE:
        h = whole(numbers(h, (double[]){d->amplitude, d->wavelength}, 2), d->seed);
        break;
    case ERG_RELIEF_HEIGHTS:
        h = whole(whole(h, d->columns[0]), d->columns[1]);
        for (size_t k = 0; k < d->columns[0] * d->columns[1]; k++)
            h = number(h, (double)d->heights[k]);
        break;
    }
    return h;
}

// Without `until`: a run may be resumed with another run.time.
uint64_t ergi_fingerprint_upsample(uint64_t h, const erg_upsample_def *d)
{
    if (d->region) h = region(h, d->region);
    h = whole(whole(h, d->count), d->seed);
    return numbers(h, (double[]){d->ratio, d->start, d->c1, d->c2, d->friction}, 5);
}
