// Snapshots of a world: gathers the data and passes them to the writer of the format.
#include "erg/snapshot.h"
#include "api/snapshot_terrain.h"
#include "base/error.h"
#include "base/memory.h"
#include "erg/terrain.h"
#include "erg/upsample.h"
#include "geom/vec3.h"
#include "io/bodies_file.h"
#include "io/ply.h"
#include "io/vtkhdf.h"
#include "io/vtp.h"
#include "solver/solver.h"
#include "world/grains.h"

#include <math.h>
#include <string.h>

// Arrays of one snapshot, freed together. A failed allocation gives NULL and sets `status`.
enum { MOST_ARRAYS = 16 };
typedef struct arrays {
    void      *array[MOST_ARRAYS];
    size_t     count;
    erg_status status;
    erg_error *err;
} arrays;

static void *new_array(arrays *a, size_t count, size_t size)
{
    void *made = ergi_memory_new(count + 1, size, "a snapshot", a->err);
    if (!made) a->status = ERG_NO_MEMORY;
    a->array[a->count++] = made;
    return made;
}

static erg_status free_arrays(arrays *a)
{
    for (size_t i = 0; i < a->count; i++) ergi_memory_free(a->array[i]);
    return a->status;
}

// ---- Spheres -----------------------------------------------------------------------------------
typedef erg_status (*sphere_writer)(const char *path, const ergi_particles *particles,
                                    erg_error *err);

static erg_status write_spheres(const erg_world *world, const char *path, sphere_writer write,
                                erg_error *err)
{
    erg_frozen_view still;
    erg_status      status = erg_world_view_frozen(world, &still, err);
    if (status != ERG_OK) return status;
    bool            terrain = erg_world_has_terrain(world);
    size_t          awake = erg_world_sphere_count(world), n = awake + still.count;
    arrays          a = {.err = err};
    uint32_t       *frozen = terrain ? new_array(&a, n, sizeof(uint32_t)) : NULL;
    erg_sphere_view v = {.count = n,
                         .position = new_array(&a, 3 * n, sizeof(double)),
                         .velocity = new_array(&a, 3 * n, sizeof(double)),
                         .radius = new_array(&a, n, sizeof(double)),
                         .grain = new_array(&a, n, sizeof(erg_gid)),
                         .material = new_array(&a, n, sizeof(uint32_t)),
                         .orientation = new_array(&a, 4 * n, sizeof(double)),
                         .kind = new_array(&a, n, sizeof(uint32_t)),
                         .spin = new_array(&a, 3 * n, sizeof(double)),
                         .force = new_array(&a, 3 * n, sizeof(double)),
                         .coordination = new_array(&a, n, sizeof(uint32_t)),
                         .stress = new_array(&a, 6 * n, sizeof(double))};
    if (a.status == ERG_OK) a.status = erg_world_read_spheres(world, &v, err);
    if (a.status == ERG_OK && terrain)
        a.status = ergi_snapshot_frozen(world, &v, awake, frozen, err);
    ergi_particles particles = {.time = erg_world_time(world),
                                .count = n,
                                .position = v.position,
                                .radius = v.radius,
                                .velocity = v.velocity,
                                .spin = v.spin,
                                .force = v.force,
                                .stress = v.stress,
                                .orientation = v.orientation,
                                .grain = v.grain,
                                .material = v.material,
                                .kind = v.kind,
                                .coordination = v.coordination,
                                .frozen = frozen};
    if (a.status == ERG_OK) a.status = write(path, &particles, err);
    return free_arrays(&a);
}

// ---- Fine particles ----------------------------------------------------------------------------
// In the order of their ids.
static erg_status write_fine(const erg_world *world, const char *path, sphere_writer write,
                             erg_error *err)
{
    erg_fine_view v;
    erg_status    status = erg_world_view_fine(world, &v, err);
    if (status != ERG_OK) return status;
    size_t    n = v.count;
    arrays    a = {.err = err};
    double   *position = new_array(&a, 3 * n, sizeof(double));
    double   *velocity = new_array(&a, 3 * n, sizeof(double));
    double   *radius = new_array(&a, n, sizeof(double));
    erg_gid  *id = new_array(&a, n, sizeof(erg_gid));
    uint32_t *material = new_array(&a, n, sizeof(uint32_t));
    uint32_t *order = new_array(&a, 2 * n, sizeof(uint32_t));
    if (a.status == ERG_OK && n) ergi_order_by_id(v.id, order, n);
    for (size_t k = 0; k < n && a.status == ERG_OK; k++) {
        size_t   i = order[k];
        erg_vec3 x = erg_fine_position(&v, i);
        memcpy(position + 3 * k, (double[]){x.x, x.y, x.z}, 3 * sizeof(double));
        for (size_t c = 0; c < 3; c++) velocity[3 * k + c] = (double)v.velocity[c][i];
        radius[k] = erg_fine_radius(&v, i);
        id[k] = v.id[i];
        material[k] = v.material[i];
    }
    ergi_particles particles = {.time = erg_world_time(world),
                                .count = n,
                                .position = position,
                                .radius = radius,
                                .velocity = velocity,
                                .grain = id,
                                .material = material};
    if (a.status == ERG_OK) a.status = write(path, &particles, err);
    return free_arrays(&a);
}

// ---- Grains ------------------------------------------------------------------------------------
static void *read_field(arrays *a, const erg_world *world, erg_field field, size_t columns,
                        size_t size)
{
    size_t n = erg_world_grain_count(world);
    void  *to = new_array(a, n * columns, size);
    if (a->status == ERG_OK) a->status = erg_world_read(world, field, NULL, n, to, a->err);
    return to;
}

static erg_status write_grains(const erg_world *world, const char *path, erg_error *err)
{
    size_t               n = erg_world_grain_count(world), wide = sizeof(double);
    arrays               a = {.err = err};
    double              *position = read_field(&a, world, ERG_FIELD_POSITION, 3, wide);
    double              *orientation = read_field(&a, world, ERG_FIELD_ORIENTATION, 4, wide);
    double              *quaternion = new_array(&a, 4 * n, wide);
    uint32_t            *kind = read_field(&a, world, ERG_FIELD_KIND, 1, sizeof *kind);
    uint32_t            *material = new_array(&a, n, sizeof *material);
    ergi_particles_field fields[] = {
        {"size", ERGI_CONTAINER_F32, 1, read_field(&a, world, ERG_FIELD_SIZE, 1, wide), 0},
        {"mass", ERGI_CONTAINER_F32, 1, read_field(&a, world, ERG_FIELD_MASS, 1, wide), 0},
        {"velocity", ERGI_CONTAINER_F32, 3, read_field(&a, world, ERG_FIELD_VELOCITY, 3, wide), 0},
        {"spin", ERGI_CONTAINER_F32, 3, read_field(&a, world, ERG_FIELD_SPIN, 3, wide), 0},
        {"force", ERGI_CONTAINER_F32, 3, read_field(&a, world, ERG_FIELD_FORCE, 3, wide), 0},
        {"torque", ERGI_CONTAINER_F32, 3, read_field(&a, world, ERG_FIELD_TORQUE, 3, wide), 0},
        {"orientation", ERGI_CONTAINER_F32, 4, orientation, 0},
        {"quaternion", ERGI_CONTAINER_F32, 4, quaternion, 0},
        {"grain", ERGI_CONTAINER_U64, 1, read_field(&a, world, ERG_FIELD_ID, 1, sizeof(erg_gid)),
         0},
        {"material", ERGI_CONTAINER_U32, 1, material, 0},
        {"kind", ERGI_CONTAINER_U32, 1, kind, 0},
    };
    for (size_t i = 0; i < n && a.status == ERG_OK; i++) {
        const double *q = orientation + 4 * i;
        memcpy(quaternion + 4 * i, (double[]){q[3], q[0], q[1], q[2]}, 4 * sizeof *q);
        material[i] = erg_world_kind_material(world, kind[i]);
    }
    ergi_vtp_points points = {.time = erg_world_time(world),
                              .count = n,
                              .position = position,
                              .attributes = "Scalars=\"size\" Vectors=\"velocity\"",
                              .point = fields,
                              .point_fields = sizeof fields / sizeof *fields};
    if (a.status == ERG_OK) a.status = ergi_vtp_write_points(path, &points, err);
    return free_arrays(&a);
}

// ---- Contacts ----------------------------------------------------------------------------------
typedef struct lines {
    erg_contact *contact;
    double      *end;      // 6 each: centre of a; centre of b or contact point on a wall [m]
    double      *strength; // 2 each, for both ends [N]
    size_t       count, contact_room, end_room, strength_room;
    erg_status   status;
    erg_error   *err;
} lines;

static void add_line(void *user, const ergi_contact_view *v)
{
    static const char what[] = "the contacts of a snapshot";

    const erg_contact *c = &v->contact;
    lines             *l = user;
    size_t             n = l->count + 1;
    if (v->kind == ERGI_CONTACT_BODIES) return;
    if (l->status == ERG_OK)
        l->status =
            ergi_memory_grow(&l->contact, &l->contact_room, n, sizeof *l->contact, what, l->err);
    if (l->status == ERG_OK)
        l->status = ergi_memory_grow(&l->end, &l->end_room, 6 * n, sizeof *l->end, what, l->err);
    if (l->status == ERG_OK)
        l->status = ergi_memory_grow(&l->strength, &l->strength_room, 2 * n, sizeof *l->strength,
                                     what, l->err);
    if (l->status != ERG_OK) return;
    const double *x = v->sphere_a;
    erg_vec3      from = {x[0], x[1], x[2]}, to = c->point;
    if (v->sphere_b) // nearest periodic image of b
        to = ergi_madd(from, -(x[3] + v->sphere_b[3] - c->overlap), c->normal);
    l->contact[l->count] = *c;
    memcpy(l->end + 6 * l->count, (double[]){from.x, from.y, from.z, to.x, to.y, to.z},
           6 * sizeof *l->end);
    l->strength[2 * l->count] = l->strength[2 * l->count + 1] = ergi_norm(c->force);
    l->count++;
}

static erg_status write_contacts(const erg_world *world, const char *path, erg_error *err)
{
    const size_t wide = sizeof(erg_contact);
    lines        l = {.err = err};
    erg_contact  none = {0};
    ergi_solver_contacts(world, true, add_line, &l);
    const erg_contact   *c = l.count ? l.contact : &none;
    ergi_particles_field strength = {"force_magnitude", ERGI_CONTAINER_F32, 1, l.strength, 0};
    ergi_particles_field fields[] = {
        {"force", ERGI_CONTAINER_F32, 3, &c->force, wide},
        {"normal_force", ERGI_CONTAINER_F32, 1, &c->normal_force, wide},
        {"normal", ERGI_CONTAINER_F32, 3, &c->normal, wide},
        {"point", ERGI_CONTAINER_F64, 3, &c->point, wide},
        {"overlap", ERGI_CONTAINER_F32, 1, &c->overlap, wide},
        {"grain_a", ERGI_CONTAINER_U64, 1, &c->grain_a, wide},
        {"grain_b", ERGI_CONTAINER_U64, 1, &c->grain_b, wide},
        {"slot_a", ERGI_CONTAINER_U32, 1, &c->slot_a, wide},
        {"slot_b", ERGI_CONTAINER_U32, 1, &c->slot_b, wide},
        {"wall", ERGI_CONTAINER_U32, 1, &c->wall, wide}};
    ergi_vtp_points points = {.time = erg_world_time(world),
                              .count = 2 * l.count,
                              .position = l.end,
                              .attributes = "Scalars=\"force_magnitude\"",
                              .point = &strength,
                              .point_fields = 1,
                              .cell = fields,
                              .cell_fields = sizeof fields / sizeof *fields,
                              .lines = true};
    if (l.status == ERG_OK) l.status = ergi_vtp_write_points(path, &points, err);
    ergi_memory_free(l.contact);
    ergi_memory_free(l.end);
    ergi_memory_free(l.strength);
    return l.status;
}

// ---- Bodies ------------------------------------------------------------------------------------
static erg_status read_body(const erg_world *world, erg_id id, const erg_wall_surface *surface,
                            ergi_posed_body *out, erg_error *err)
{
    erg_body_state state;
    erg_status     status = erg_world_body_state(world, id, &state, err);
    if (status != ERG_OK) return status;
    *out = (ergi_posed_body){.pose = {id, surface->origin, state.rotation},
                             .material = surface->material,
                             .centre = state.centre,
                             .velocity = state.velocity,
                             .spin = state.spin,
                             .force = state.force,
                             .torque = state.torque};
    out->vertices = erg_mesh_vertices(surface->mesh, &out->vertex_count);
    out->triangles = erg_mesh_triangles(surface->mesh, &out->triangle_count);
    return ERG_OK;
}

static erg_status write_bodies(const erg_world *world, const char *path, erg_error *err)
{
    size_t           room = erg_world_body_count(world), count = 0;
    ergi_posed_body *bodies = ergi_memory_new(room, sizeof *bodies, "a snapshot", err);
    erg_status       status = bodies ? ERG_OK : ERG_NO_MEMORY;
    for (erg_id id = 1; id <= erg_world_wall_count(world) && status == ERG_OK; id++) {
        erg_wall_surface surface;
        status = erg_world_wall_surface(world, id, (double)NAN, &surface, err);
        if (status == ERG_OK && surface.body)
            status = read_body(world, id, &surface, &bodies[count++], err);
    }
    if (status == ERG_OK)
        status = ergi_bodies_write(path, erg_world_time(world), bodies, count, err);
    ergi_memory_free(bodies);
    return status;
}

// ---- All parts ---------------------------------------------------------------------------------
static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

erg_status erg_snapshot_write(const erg_world *world, erg_snapshot_part part, const char *path,
                              erg_error *err)
{
    if (!world || !path)
        return ergi_fail_code(err, ERG_ERROR_MISSING,
                              "a snapshot needs a world and the name of a file");
    if ((unsigned)part > ERG_SNAPSHOT_TERRAIN)
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN, "unknown part %d of a snapshot", (int)part);
    bool vtp = ends_with(path, ".vtp");
    if (part == ERG_SNAPSHOT_TERRAIN) return ergi_snapshot_terrain(world, path, err);
    if (part == ERG_SNAPSHOT_SPHERES || part == ERG_SNAPSHOT_FINE) {
        bool          fine = part == ERG_SNAPSHOT_FINE;
        sphere_writer write = vtp                       ? ergi_vtp_write
                              : ends_with(path, ".hdf") ? ergi_vtkhdf_write
                              : ends_with(path, ".ply") ? ergi_ply_write
                                                        : NULL;
        if (write)
            return fine ? write_fine(world, path, write, err)
                        : write_spheres(world, path, write, err);
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN,
                              "%s are written as .vtp, .hdf or .ply, got the name '%s'",
                              fine ? "fine particles" : "spheres", path);
    }
    if (!vtp)
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN,
                              "this part of a snapshot is written as .vtp, got the name '%s'",
                              path);
    switch (part) {
    case ERG_SNAPSHOT_GRAINS: return write_grains(world, path, err);
    case ERG_SNAPSHOT_CONTACTS: return write_contacts(world, path, err);
    default: return write_bodies(world, path, err);
    }
}

erg_status erg_snapshot_list(const char *path, const erg_snapshot_entry *entries, size_t count,
                             erg_error *err)
{
    if (!path || (count && !entries))
        return ergi_fail_code(err, ERG_ERROR_MISSING,
                              "a list of snapshots needs a name and its entries");
    return ergi_pvd_write(path, entries, count, err);
}
