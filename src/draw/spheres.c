// The spheres of a picture and their colours.
#include "base/error.h"
#include "base/memory.h"
#include "draw/colours.h"
#include "draw/picture.h"
#include "draw/range.h"
#include "erg/upsample.h"
#include "geom/vec3.h"

#include <stdlib.h>
#include <string.h>

enum { MATERIALS = 256 };

static erg_vec3 vec_at(const double *xyz, size_t i)
{
    return ergi_vec3(xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]);
}

static erg_status make_room(erg_picture *p, size_t n, erg_error *err)
{
    erg_status status = ERG_OK;
    struct {
        void   *array;
        size_t *room, count, size;
    } grow[] = {{&p->position, &p->position_room, 3 * n, sizeof(double)},
                {&p->velocity, &p->velocity_room, 3 * n, sizeof(double)},
                {&p->radius, &p->radius_room, n, sizeof(double)},
                {&p->grain, &p->grain_room, n, sizeof(erg_gid)},
                {&p->material, &p->material_room, n, sizeof(uint32_t)},
                {&p->kind, &p->kind_room, n, sizeof(uint32_t)}};
    for (size_t i = 0; i < sizeof grow / sizeof *grow && status == ERG_OK; i++)
        status = ergi_memory_grow(grow[i].array, grow[i].room, grow[i].count, grow[i].size,
                                  "spheres of a picture", err);
    return status;
}

static erg_sphere_view view_of(const erg_picture *p, size_t n)
{
    return (erg_sphere_view){.count = n,
                             .position = p->position,
                             .velocity = p->velocity,
                             .radius = p->radius,
                             .grain = p->grain,
                             .material = p->material,
                             .kind = p->kind};
}

// ---- Fine particles ----------------------------------------------------------------------------
static bool shows_fine(const erg_picture *p)
{
    return p->look.fine != ERG_FINE_HIDDEN && p->look.colour != ERG_COLOUR_FORCE && !p->look.chains;
}

// Leaves only balls that somebody threw.
static size_t keep_balls(erg_picture *p, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (p->kind[i] <= p->defined_kinds) continue;
        memmove(p->position + 3 * kept, p->position + 3 * i, 3 * sizeof *p->position);
        memmove(p->velocity + 3 * kept, p->velocity + 3 * i, 3 * sizeof *p->velocity);
        p->radius[kept] = p->radius[i];
        p->grain[kept] = p->grain[i];
        p->material[kept] = p->material[i];
        p->kind[kept++] = p->kind[i];
    }
    return kept;
}

static void put_fine(erg_picture *p, const erg_fine_view *fine, size_t first)
{
    for (size_t k = 0; k < fine->count; k++) {
        size_t   i = first + k;
        erg_vec3 x = erg_fine_position_now(fine, k);
        p->position[3 * i] = x.x;
        p->position[3 * i + 1] = x.y;
        p->position[3 * i + 2] = x.z;
        for (size_t a = 0; a < 3; a++) p->velocity[3 * i + a] = (double)fine->velocity[a][k];
        p->radius[i] = erg_fine_radius(fine, k);
        p->grain[i] = fine->id[k];
        p->material[i] = fine->material[k];
        p->kind[i] = 1;
    }
}

static erg_status read_fine(erg_picture *p, const erg_world *world, erg_sphere_view *view,
                            erg_error *err)
{
    erg_fine_view fine;
    erg_status    status = erg_world_view_fine(world, &fine, err);
    if (status != ERG_OK || fine.count == 0 || !shows_fine(p)) return status;
    size_t kept = p->look.fine == ERG_FINE_INSTEAD ? keep_balls(p, view->count) : view->count;
    status = make_room(p, kept + fine.count, err);
    if (status != ERG_OK) return status;
    put_fine(p, &fine, kept);
    *view = view_of(p, kept + fine.count);
    return ERG_OK;
}

// ---- Frozen grains of a terrain ----------------------------------------------------------------
static erg_status read_frozen(erg_picture *p, const erg_world *world, erg_sphere_view *view,
                              erg_error *err)
{
    erg_frozen_view frozen;
    erg_status      status = erg_world_view_frozen(world, &frozen, err);
    bool            instead = p->look.fine == ERG_FINE_INSTEAD && shows_fine(p);
    if (status != ERG_OK || frozen.count == 0) return status;
    if (instead && erg_world_fine_count(world) > 0) return status; // they have fine particles
    size_t first = view->count;
    status = make_room(p, first + frozen.count, err);
    if (status != ERG_OK) return status;
    for (size_t k = 0; k < frozen.count; k++) {
        size_t i = first + k;
        for (size_t a = 0; a < 3; a++) {
            p->position[3 * i + a] = frozen.sphere[4 * k + a];
            p->velocity[3 * i + a] = 0;
        }
        p->radius[i] = frozen.sphere[4 * k + 3];
        p->grain[i] = frozen.id[k];
        p->material[i] = p->land->grid.material;
        p->kind[i] = 1;
    }
    *view = view_of(p, first + frozen.count);
    p->frozen = frozen.count;
    return ERG_OK;
}

erg_status ergi_picture_read(erg_picture *p, const erg_world *world, const erg_moment *moment,
                             erg_sphere_view *view, erg_error *err)
{
    p->frozen = 0;
    if (moment) {
        bool fine = moment->fine.count > 0 && shows_fine(p);
        *view = fine ? moment->fine : moment->spheres;
        return ERG_OK;
    }
    size_t     n = erg_world_sphere_count(world);
    erg_status status = make_room(p, n, err);
    if (status != ERG_OK) return status;
    *view = view_of(p, n);
    p->defined_kinds = (uint32_t)erg_world_grain_kind_count(world);
    if (n) status = erg_world_read_spheres(world, view, err);
    if (status == ERG_OK) status = read_fine(p, world, view, err);
    return status == ERG_OK ? read_frozen(p, world, view, err) : status;
}

size_t ergi_sphere_of(const erg_sphere_view *view, erg_gid grain, uint32_t slot)
{
    size_t low = 0, high = view->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (view->grain[middle] < grain)
            low = middle + 1;
        else
            high = middle;
    }
    low += slot;
    return low < view->count && view->grain[low] == grain ? low : SIZE_MAX;
}

erg_status ergi_read_contacts(const erg_world *world, erg_contact **contacts, size_t *count,
                              erg_error *err)
{
    size_t room = erg_world_contact_count(world);
    *contacts = ergi_memory_new(room ? room : 1, sizeof **contacts, "contacts", err);
    if (!*contacts) return ERG_NO_MEMORY;
    return erg_world_contacts(world, *contacts, room, count, err);
}

// ---- Scalar values -----------------------------------------------------------------------------
// All spheres of a grain show the same force.
static erg_status read_forces(erg_picture *p, const erg_world *world, const erg_sphere_view *view,
                              erg_error *err)
{
    erg_contact    *contacts;
    size_t          count = 0;
    erg_status      status = ergi_read_contacts(world, &contacts, &count, err);
    erg_sphere_view awake = *view;
    awake.count -= p->frozen;
    for (size_t i = 0; i < count && status == ERG_OK; i++) {
        size_t a = ergi_sphere_of(&awake, contacts[i].grain_a, 0);
        size_t b = contacts[i].grain_b ? ergi_sphere_of(&awake, contacts[i].grain_b, 0) : SIZE_MAX;
        if (a != SIZE_MAX) p->value[a] += fabs(contacts[i].normal_force);
        if (b != SIZE_MAX) p->value[b] += fabs(contacts[i].normal_force);
    }
    ergi_memory_free(contacts);
    for (size_t i = 1; i < view->count; i++)
        if (view->grain[i] == view->grain[i - 1]) p->value[i] = p->value[i - 1];
    return status;
}

static double value_of(const erg_picture *p, const erg_sphere_view *view, size_t i)
{
    switch (p->look.colour) {
    case ERG_COLOUR_SPEED: return view->velocity ? ergi_norm(vec_at(view->velocity, i)) : 0;
    case ERG_COLOUR_SIZE: return view->radius[i];
    case ERG_COLOUR_ID: return view->grain ? (double)view->grain[i] : 0;
    case ERG_COLOUR_HEIGHT: return ergi_dot(vec_at(view->position, i), p->up);
    case ERG_COLOUR_FORCE:
    case ERG_COLOUR_MATERIAL: break;
    }
    return 0;
}

static erg_status read_values(erg_picture *p, const erg_world *world, const erg_sphere_view *view,
                              erg_error *err)
{
    erg_status status = ergi_memory_grow(&p->value, &p->value_room, view->count, sizeof *p->value,
                                         "colours of spheres", err);
    if (status != ERG_OK) return status;
    for (size_t i = 0; i < view->count; i++) p->value[i] = value_of(p, view, i);
    if (p->look.colour == ERG_COLOUR_FORCE) status = read_forces(p, world, view, err);
    if (status != ERG_OK) return status;
    double sum = 0;
    for (size_t i = 0; i < view->count; i++) sum += view->radius[i];
    double g = ergi_norm(erg_world_gravity(world));
    p->fall = view->count ? sqrt(4 * g * sum / (double)view->count) : 0;
    return ergi_picture_set_range(p, view->count, err);
}

// ---- Spheres -----------------------------------------------------------------------------------
// Ranks the materials of the grains by index, from 0: the first one is sand.
static void rank_materials(const erg_sphere_view *view, const ergi_land *land, int rank[MATERIALS])
{
    bool used[MATERIALS] = {false};
    for (size_t i = 0; i < view->count; i++)
        used[view->material ? view->material[i] % MATERIALS : 1] = true;
    if (land) used[land->grid.material % MATERIALS] = true;
    for (int m = 0, next = 0; m < MATERIALS; m++) rank[m] = used[m] ? next++ : 0;
}

static uint32_t colour_of(const erg_picture *p, const erg_sphere_view *view, const int *rank,
                          size_t i)
{
    if (p->look.colour == ERG_COLOUR_MATERIAL) {
        uint32_t material = view->material ? view->material[i] : 1;
        bool     ball = view->kind && view->kind[i] > p->defined_kinds;
        uint32_t own =
            ball ? ergi_colour_thrown_ball()
                 : ergi_colour_grain(rank[material % MATERIALS], view->grain ? view->grain[i] : i);
        // Pale grains, so that the chains stand out.
        return p->look.chains ? ergi_colour_mix(own, ergi_colour_pack(0.86, 0.86, 0.87, 1), 0.8)
                              : own;
    }
    double width = p->high - p->low;
    return ergi_colour_number(p->look.colour, width > 0 ? (p->value[i] - p->low) / width : 0);
}

erg_status ergi_picture_balls(erg_picture *p, const erg_world *world, const erg_sphere_view *view,
                              erg_error *err)
{
    erg_status status = ergi_memory_grow(&p->balls, &p->ball_room, view->count, sizeof *p->balls,
                                         "spheres of a picture", err);
    p->low = p->high = (double)NAN;
    if (status == ERG_OK && p->look.colour != ERG_COLOUR_MATERIAL)
        status = read_values(p, world, view, err);
    if (status != ERG_OK) return status;
    int    rank[MATERIALS];
    double sum = 0;
    rank_materials(view, p->land, rank);
    if (p->land) ergi_picture_land_looks(p, view, rank[p->land->grid.material % MATERIALS]);
    p->largest = 0;
    for (size_t i = 0; i < view->count; i++) {
        double r = view->radius[i];
        sum += r;
        if (r > p->largest) p->largest = r;
        erg_vec3 c = vec_at(view->position, i);
        bool     shown = !(view->grain && (view->grain[i] - 1) % p->look.every != 0) &&
                     !ergi_picture_cuts_off(p, c, r);
        status = shown ? ergi_picture_add_sphere(p, c, r, colour_of(p, view, rank, i), err)
                       : ergi_picture_leave_out_sphere(p, c, r, err);
        if (status != ERG_OK) return status;
    }
    p->mean = view->count ? sum / (double)view->count : 0;
    if (p->land && !(p->largest > 0)) p->largest = p->mean = p->land_radius;
    if (!(p->largest > 0)) {
        double radius = 0.5 * ergi_distance(p->bounds.low, p->bounds.high);
        p->largest = p->mean = 0.01 * (radius > 0 ? radius : 1);
    }
    return ERG_OK;
}
