// Particles and contacts of a substep (sommer.h). Contacts are in a fixed order, so sums over them
// do not depend on the number of threads.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "pbd/pbd.h"

// ---- Particles ---------------------------------------------------------------------------------
static erg_quat body_turn(const erg_world *world, uint32_t w)
{
    return ergi_quat_mul(world->wall_state[w].motion.pose.rotation, world->wall[w].body.start);
}

static double trace_about(const ergi_sommer *s, const ergi_sommer_shape *shape, erg_vec3 middle)
{
    double sum = 0;
    for (uint32_t k = 0; k < shape->count; k++) {
        erg_vec3 d = ergi_sub(s->particle[shape->first + k].arm, middle);
        sum += ergi_dot(d, d);
    }
    return sum / shape->count;
}

// Shares the mass of a shape among its particles. They lie on the surface of a free body, too far
// out for its moment of inertia: an inner mass, which touches nothing, makes its trace true and
// keeps the centre of mass. `inertia`: trace of the inertia tensor [reference mass m^2].
static void share_mass(ergi_sommer *s, ergi_sommer_shape *shape, double inertia)
{
    erg_vec3 mean = {0, 0, 0}; // of the particles, from the centre of mass
    for (uint32_t k = 0; k < shape->count; k++)
        mean = ergi_madd(mean, 1.0 / shape->count, s->particle[shape->first + k].arm);
    double hollow = 2 * shape->mass * trace_about(s, shape, mean), outer = 1;
    if (shape->body != ERGI_SOMMER_NONE && hollow > inertia) outer = inertia / hollow;
    shape->inner = (1 - outer) * shape->mass;
    shape->middle = shape->inner > 0 ? ergi_vec3(0, 0, 0) : mean;
    shape->inner_arm = ergi_scale(mean, outer < 1 ? -outer / (1 - outer) : 0);
    for (uint32_t k = 0; k < shape->count; k++) {
        ergi_sommer_particle *p = &s->particle[shape->first + k];
        p->arm = ergi_sub(p->arm, shape->middle);
        p->w = p->scaled = (float)(shape->count / (outer * shape->mass));
    }
}

// The rigid motion that the row predicts.
static void predict(ergi_sommer *s, ergi_sommer_shape *shape, const float *row)
{
    const float *m = row + ERGI_PBD_MOVE, *t = row + ERGI_PBD_TURN;
    shape->start = ergi_quat_exp(ergi_vec3((double)t[0], (double)t[1], (double)t[2]));
    erg_vec3 carried = ergi_sub(ergi_quat_rotate(shape->start, shape->middle), shape->middle);
    shape->origin = ergi_add(ergi_vec3((double)m[0], (double)m[1], (double)m[2]), carried);
    shape->turn = shape->start;
    shape->shift = shape->origin;
    for (uint32_t k = 0; k < shape->count; k++) {
        ergi_sommer_particle *p = &s->particle[shape->first + k];
        erg_vec3              turned = ergi_sub(ergi_quat_rotate(shape->start, p->arm), p->arm);
        erg_vec3              way = ergi_add(shape->origin, turned);
        p->move[0] = (float)way.x;
        p->move[1] = (float)way.y;
        p->move[2] = (float)way.z;
    }
}

static void add_grain(erg_world *world, size_t i)
{
    ergi_pbd         *pbd = ergi_pbd_of(world);
    ergi_sommer      *s = &pbd->sommer;
    const float      *row = pbd->row + ERGI_PBD_ROW * i;
    uint32_t          first = pbd->single ? (uint32_t)i : ERGI_GRAIN(world, FIRST, uint32_t)[i];
    const ergi_shape *kind = &world->kind[ERGI_GRAIN(world, KIND, uint32_t)[i]].shape;
    bool              clump = !kind->is_sphere;
    uint32_t          number = clump ? (uint32_t)s->shapes : ERGI_SOMMER_NONE;
    for (uint32_t k = 0; k < (uint32_t)kind->count; k++) {
        ergi_sommer_particle *p = &s->particle[first + k];
        *p = (ergi_sommer_particle){.w = row[ERGI_PBD_W],
                                    .scaled = row[ERGI_PBD_W],
                                    .shape = number,
                                    .body = ERGI_SOMMER_NONE};
        memcpy(p->move, row + ERGI_PBD_MOVE, sizeof p->move);
        if (!clump) continue;
        const float *o = pbd->offset + 4 * (size_t)(first + k);
        p->arm = ergi_vec3((double)o[0], (double)o[1], (double)o[2]);
    }
    if (!clump) return;
    ergi_sommer_shape *shape = &s->shape[s->shapes++];
    *shape = (ergi_sommer_shape){.row = (uint32_t)i,
                                 .body = ERGI_SOMMER_NONE,
                                 .first = first,
                                 .count = (uint32_t)kind->count,
                                 .mass = 1 / (double)row[ERGI_PBD_W]};
    share_mass(s, shape, 0);
    predict(s, shape, row);
}

static void add_body(erg_world *world, uint32_t number)
{
    ergi_pbd              *pbd = ergi_pbd_of(world);
    ergi_sommer           *s = &pbd->sommer;
    ergi_pbd_body         *body = &pbd->body[number];
    const ergi_world_wall *wall = &world->wall[body->wall];
    const ergi_body_shape *of = &world->body_shape[wall->body.shape];
    const ergi_mat3       *inertia = &wall->body.inertia;
    erg_quat               q = body_turn(world, body->wall);
    ergi_sommer_shape     *shape = &s->shape[s->shapes];
    *shape = (ergi_sommer_shape){.row = ERGI_SOMMER_NONE,
                                 .body = number,
                                 .first = s->body_first[number],
                                 .count = (uint32_t)of->cloud->count,
                                 .mass = wall->body.mass / pbd->mass};
    for (uint32_t k = 0; k < shape->count; k++)
        s->particle[shape->first + k] = (ergi_sommer_particle){
            .arm = ergi_quat_rotate(q, ergi_sub(of->cloud->centre[k], of->centre)),
            .shape = (uint32_t)s->shapes,
            .body = number};
    s->shapes++;
    share_mass(s, shape, (inertia->m[0][0] + inertia->m[1][1] + inertia->m[2][2]) / pbd->mass);
    predict(s, shape, body->row);
}

// m e^(-kappa h), h: height above the lowest grain. Only differences of height matter.
static void scale_masses(erg_world *world)
{
    ergi_pbd     *pbd = ergi_pbd_of(world);
    const double *g = world->clock.gravity, *x = ergi_pbd_sphere_positions(world);
    double        size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), low = INFINITY;
    double        kappa = world->def.pbd.mass_scaling;
    if (!(kappa > 0) || !(size > 0)) return;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < pbd->spheres; i++) {
            ergi_sommer_particle *p = &pbd->sommer.particle[i];
            double h = -(x[4 * i] * g[0] + x[4 * i + 1] * g[1] + x[4 * i + 2] * g[2]) / size;
            if (pass == 0)
                low = fmin(low, h);
            else
                p->scaled = p->w * (float)exp(fmin(kappa * (h - low), 40));
        }
}

erg_status ergi_sommer_particles(erg_world *world, erg_error *err)
{
    ergi_pbd    *pbd = ergi_pbd_of(world);
    ergi_sommer *s = &pbd->sommer;
    size_t       clumps = pbd->single ? 0 : world->grains.rows;
    erg_status   status = ergi_memory_grow(&s->body_first, &s->body_first_room, pbd->bodies + 1,
                                           sizeof *s->body_first, "particles", err);
    if (status != ERG_OK) return status;
    s->particles = pbd->spheres;
    for (size_t k = 0; k < pbd->bodies; k++) {
        s->body_first[k] = (uint32_t)s->particles;
        s->particles += world->body_shape[world->wall[pbd->body[k].wall].body.shape].cloud->count;
    }
    status = ergi_memory_grow(&s->particle, &s->particle_room, s->particles + 1,
                              sizeof *s->particle, "particles", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&s->shape, &s->shape_room, clumps + pbd->bodies + 1,
                                  sizeof *s->shape, "particles", err);
    if (status != ERG_OK) return status;
    s->shapes = 0;
    for (size_t i = 0; i < world->grains.rows; i++) add_grain(world, i);
    for (uint32_t k = 0; k < pbd->bodies; k++) add_body(world, k);
    scale_masses(world);
    return ERG_OK;
}

// ---- Contacts ----------------------------------------------------------------------------------
static ergi_sommer_contact *add(ergi_sommer *s, erg_error *err)
{
    if (ergi_memory_grow(&s->contact, &s->contact_room, s->contacts + 1, sizeof *s->contact,
                         "contacts", err) != ERG_OK)
        return NULL;
    ergi_sommer_contact *c = &s->contact[s->contacts++];
    *c = (ergi_sommer_contact){.b = ERGI_SOMMER_NONE};
    return c;
}

static void set3(float to[3], erg_vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static double image(double d, double period)
{
    return period > 0 ? d - period * nearbyint(d / period) : d;
}

static erg_status find_pairs(erg_world *world, erg_error *err)
{
    ergi_pbd       *pbd = ergi_pbd_of(world);
    ergi_sommer    *s = &pbd->sommer;
    const uint32_t *start = pbd->pairs.start.data[ERGI_PAIRS_START],
                   *other = pbd->pairs.pair.data[ERGI_PAIRS_OTHER];
    const double *x = ergi_pbd_sphere_positions(world);
    for (uint32_t i = 0; i < pbd->spheres; i++)
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            uint32_t      j = other[e];
            const double *p = x + 4 * (size_t)i, *q = x + 4 * (size_t)j;
            erg_vec3      d = {image(p[0] - q[0], world->space.period[0]),
                               image(p[1] - q[1], world->space.period[1]), p[2] - q[2]};
            double reach = (double)pbd->reach[2 * (size_t)i] + (double)pbd->reach[2 * (size_t)j];
            if (!(ergi_dot(d, d) <= reach * reach)) continue;
            ergi_sommer_contact *c = add(s, err);
            if (!c) return ERG_NO_MEMORY;
            if (ergi_memory_grow(&s->entry, &s->entry_room, s->contacts, sizeof *s->entry,
                                 "contacts", err) != ERG_OK)
                return ERG_NO_MEMORY;
            s->entry[s->contacts - 1] = e;
            c->a = i;
            c->b = j;
            c->law = pbd->sphere_material[i] * (uint32_t)world->materials + pbd->sphere_material[j];
            c->reach = c->diameter = (float)(p[3] + q[3]);
            c->radius = (float)fmin(p[3], q[3]);
            set3(c->x, d);
        }
    s->pairs = s->contacts;
    return ERG_OK;
}

// Completes a contact of a sphere with a wall: with the sample of that number, or with the surface.
static void meet_wall(const erg_world *world, ergi_sommer_contact *c, uint32_t w, uint32_t feature,
                      erg_vec3 at, double radius, double overlap, erg_vec3 normal)
{
    const ergi_pbd        *pbd = ergi_pbd_of(world);
    const ergi_world_wall *wall = &world->wall[w];
    const ergi_surface    *surface = &wall->wall.surface;
    c->diameter = (float)(2 * radius);
    c->radius = (float)radius;
    if (surface->kind != ERGI_SURFACE_CLOUD) {
        c->flat = true;
        c->reach = (float)overlap;
        set3(c->x, normal);
        return;
    }
    const ergi_pose *pose =
        ergi_wall_pose_moves(wall) ? &pbd->pose_before[w] : &world->wall_state[w].pose;
    erg_vec3 centre = ergi_surface_to_world(surface, surface->cloud->centre[feature]);
    erg_vec3 from = ergi_quat_rotate(pose->rotation, ergi_sub(centre, wall->wall.pivot));
    centre = ergi_add(ergi_add(wall->wall.pivot, pose->position), from);
    c->reach = c->diameter = (float)(radius + surface->cloud->radius);
    c->radius = (float)fmin(radius, surface->cloud->radius);
    set3(c->x, ergi_sub(at, centre));
    if (wall->body.free) c->b = pbd->sommer.body_first[pbd->body_of[w]] + feature;
}

// In the order of the lanes of the wall tasks, which carry the result (sommer.c).
static erg_status find_walls(erg_world *world, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    uint32_t  base = (uint32_t)(world->grains.rows + pbd->chunks);
    for (uint32_t chunk = 0; chunk < pbd->chunks; chunk++) {
        const ergi_pbd_task *task = &pbd->task[pbd->pair_tasks + chunk];
        for (size_t k = 0; k < task->groups; k++) {
            const ergi_pbd_group *g = pbd->group + task->group + k;
            for (uint32_t l = 0; l < g->count; l++) {
                const ergi_pbd_wall_contact *t = &pbd->touch[g->entry[l]];
                const double        *x = ergi_pbd_sphere_positions(world) + 4 * (size_t)t->sphere;
                const float         *way = pbd->row + ERGI_PBD_ROW * (size_t)(base + g->entry[l]);
                ergi_sommer_contact *c = add(&pbd->sommer, err);
                if (!c) return ERG_NO_MEMORY;
                c->a = t->sphere;
                c->law = g->law[l];
                meet_wall(
                    world, c, t->wall, t->feature, ergi_vec3(x[0], x[1], x[2]), x[3], t->overlap,
                    ergi_vec3((double)t->normal[0], (double)t->normal[1], (double)t->normal[2]));
                if (!world->wall[t->wall].body.free) memcpy(c->way, way, sizeof c->way);
            }
        }
    }
    pbd->sommer.wall_contacts = pbd->sommer.contacts - pbd->sommer.pairs;
    return ERG_OK;
}

static erg_status find_bodies(erg_world *world, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    for (size_t n = 0; n < pbd->body_contacts && pbd->bodies > 0; n++) {
        const ergi_pbd_body_contact *t = &pbd->body_contact[n];
        const ergi_pbd_group        *g = pbd->body_group + t->lane / ERGI_PBD_LANES;
        uint32_t                     l = t->lane % ERGI_PBD_LANES;
        ergi_sommer_contact         *c = add(&pbd->sommer, err);
        if (!c) return ERG_NO_MEMORY;
        c->a = pbd->sommer.body_first[pbd->body_of[t->own]] + t->ball;
        c->law = g->law[l];
        meet_wall(world, c, t->other, t->feature, t->at, t->radius, t->overlap, t->normal);
        if (c->b == ERGI_SOMMER_NONE)
            memcpy(c->way, pbd->row + ERGI_PBD_ROW * (size_t)g->b[l], sizeof c->way);
    }
    return ERG_OK;
}

erg_status ergi_sommer_find(erg_world *world, erg_error *err)
{
    ergi_pbd_of(world)->sommer.contacts = 0;
    erg_status status = find_pairs(world, err);
    if (status == ERG_OK) status = find_walls(world, err);
    return status == ERG_OK ? find_bodies(world, err) : status;
}
