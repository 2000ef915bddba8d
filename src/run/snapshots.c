#include "run/snapshots.h"

#include "base/error.h"
#include "base/memory.h"
#include "erg/scene.h"
#include "io/bodies_file.h"
#include "io/file.h"
#include "io/image.h"
#include "io/ply.h"
#include "io/vtkhdf.h"
#include "io/vtp.h"
#include "run/folder.h"

#include <math.h>

typedef struct sight {
    double   *position, *velocity, *radius, *orientation;
    erg_gid  *grain;
    uint32_t *material;
} sight;

static void sight_free(sight *s)
{
    ergi_memory_free(s->position);
    ergi_memory_free(s->velocity);
    ergi_memory_free(s->radius);
    ergi_memory_free(s->orientation);
    ergi_memory_free(s->grain);
    ergi_memory_free(s->material);
}

static erg_status see(sight *s, const erg_world *world, ergi_particles *particles, erg_error *err)
{
    size_t n = erg_world_sphere_count(world);
    s->position = ergi_memory_new(3 * n, sizeof *s->position, "a snapshot", err);
    s->velocity = ergi_memory_new(3 * n, sizeof *s->velocity, "a snapshot", err);
    s->radius = ergi_memory_new(n, sizeof *s->radius, "a snapshot", err);
    s->orientation = ergi_memory_new(4 * n, sizeof *s->orientation, "a snapshot", err);
    s->grain = ergi_memory_new(n, sizeof *s->grain, "a snapshot", err);
    s->material = ergi_memory_new(n, sizeof *s->material, "a snapshot", err);
    if (!s->position || !s->velocity || !s->radius || !s->orientation || !s->grain || !s->material)
        return ERG_NO_MEMORY;
    erg_sphere_view view = {.count = n,
                            .position = s->position,
                            .velocity = s->velocity,
                            .radius = s->radius,
                            .grain = s->grain,
                            .material = s->material,
                            .orientation = s->orientation};
    *particles = (ergi_particles){.time = erg_world_time(world),
                                  .count = n,
                                  .position = s->position,
                                  .radius = s->radius,
                                  .velocity = s->velocity,
                                  .orientation = s->orientation,
                                  .grain = s->grain,
                                  .material = s->material};
    return erg_world_read_spheres(world, &view, err);
}

typedef erg_status (*writer)(const char *path, const ergi_particles *particles, erg_error *err);

static erg_status write_as(const ergi_snapshots *s, int format, const char *ending, writer write,
                           const ergi_particles *particles, erg_error *err)
{
    if (!(s->formats & format)) return ERG_OK;
    ergi_path  path;
    erg_status status =
        ergi_path_join(&path, s->folder.text, ergi_frame_name_of(s->count, ending).text, err);
    return status == ERG_OK ? write(path.text, particles, err) : status;
}

// ---- Lists -------------------------------------------------------------------------------------
static ergi_frame_name vtp_name(bool bodies, size_t frame)
{
    return bodies ? ergi_frame_bodies(frame) : ergi_frame_name_of(frame, "vtp");
}

static bool frame_is_there(const ergi_snapshots *s, bool bodies, size_t frame)
{
    ergi_path file;
    return ergi_path_join(&file, s->folder.text, vtp_name(bodies, frame).text, NULL) == ERG_OK &&
           ergi_path_exists(file.text);
}

// Frames of before a resume may have been written in other formats, or lie elsewhere.
static bool all_are_there(const ergi_snapshots *s, bool bodies)
{
    for (size_t i = 0; i < s->count; i++)
        if (!frame_is_there(s, bodies, i)) return false;
    return true;
}

// grains.pvd or bodies.pvd.
static erg_status write_list(const ergi_snapshots *s, bool bodies, erg_error *err)
{
    bool       all = bodies ? s->all_bodies_listed : s->all_listed;
    ergi_path  path;
    erg_status status =
        ergi_path_join(&path, s->folder.text, bodies ? "bodies.pvd" : "grains.pvd", err);
    if (status != ERG_OK) return status;
    ergi_pvd_entry *entries =
        ergi_memory_new(s->count, sizeof *entries, "the list of snapshots", err);
    ergi_frame_name *names = ergi_memory_new(s->count, sizeof *names, "the list of snapshots", err);
    status = entries && names ? ERG_OK : ERG_NO_MEMORY;
    size_t listed = 0;
    for (size_t i = 0; i < s->count && status == ERG_OK; i++) {
        names[i] = vtp_name(bodies, i);
        if (all || frame_is_there(s, bodies, i))
            entries[listed++] = (ergi_pvd_entry){names[i].text, s->time[i]};
    }
    if (status == ERG_OK) status = ergi_pvd_write(path.text, entries, listed, err);
    ergi_memory_free(entries);
    ergi_memory_free(names);
    return status;
}

erg_status ergi_snapshots_check(int formats, erg_error *err)
{
    return formats & ERG_SNAPSHOT_HDF ? ergi_image_built(err) : ERG_OK;
}

erg_status ergi_snapshots_open(ergi_snapshots *s, const char *result_folder, int formats,
                               bool bodies, erg_error *err)
{
    erg_status status = ergi_path_join(&s->folder, result_folder, ERGI_SNAPSHOTS, err);
    if (status != ERG_OK || !formats) return status;
    s->formats = formats;
    status = ergi_folder_make(s->folder.text, err);
    s->all_listed = all_are_there(s, false);
    s->all_bodies_listed = all_are_there(s, true);
    if (status == ERG_OK && (formats & ERG_SNAPSHOT_VTP) && s->count)
        status = write_list(s, false, err);
    if (status == ERG_OK && bodies && s->count) status = write_list(s, true, err);
    return status;
}

// ---- Bodies ------------------------------------------------------------------------------------
static erg_status see_body(const erg_world *world, erg_id id, const erg_wall_surface *surface,
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

static erg_status take_bodies(const ergi_snapshots *s, const erg_world *world, erg_error *err)
{
    size_t           room = erg_world_body_count(world), count = 0;
    ergi_path        path;
    ergi_posed_body *bodies = ergi_memory_new(room, sizeof *bodies, "a snapshot", err);
    erg_status       status = bodies ? ERG_OK : ERG_NO_MEMORY;
    for (erg_id id = 1; id <= erg_world_wall_count(world) && status == ERG_OK; id++) {
        erg_wall_surface surface;
        status = erg_world_wall_surface(world, id, (double)NAN, &surface, err);
        if (status == ERG_OK && surface.body)
            status = see_body(world, id, &surface, &bodies[count++], err);
    }
    if (status == ERG_OK)
        status = ergi_path_join(&path, s->folder.text, ergi_frame_bodies(s->count).text, err);
    if (status == ERG_OK)
        status = ergi_bodies_write(path.text, erg_world_time(world), bodies, count, err);
    ergi_memory_free(bodies);
    return status;
}

erg_status ergi_snapshots_take(ergi_snapshots *s, const erg_world *world, erg_error *err)
{
    sight          seen = {0};
    ergi_particles particles;
    erg_status     status = ergi_memory_grow(&s->time, &s->time_room, s->count + 1, sizeof *s->time,
                                             "the list of snapshots", err);
    if (status == ERG_OK) status = see(&seen, world, &particles, err);
    if (status == ERG_OK)
        status = write_as(s, ERG_SNAPSHOT_VTP, "vtp", ergi_vtp_write, &particles, err);
    if (status == ERG_OK)
        status = write_as(s, ERG_SNAPSHOT_HDF, "hdf", ergi_vtkhdf_write, &particles, err);
    if (status == ERG_OK)
        status = write_as(s, ERG_SNAPSHOT_PLY, "ply", ergi_ply_write, &particles, err);
    sight_free(&seen);
    bool bodies = erg_world_body_count(world) > 0;
    if (status == ERG_OK && bodies) status = take_bodies(s, world, err);
    if (status != ERG_OK) return status;

    s->time[s->count++] = erg_world_time(world);
    if (s->formats & ERG_SNAPSHOT_VTP) status = write_list(s, false, err);
    return status == ERG_OK && bodies ? write_list(s, true, err) : status;
}

void ergi_snapshots_close(ergi_snapshots *s)
{
    ergi_memory_free(s->time);
    *s = (ergi_snapshots){0};
}
