// Lists of the spheres near walls (contact/near_walls.h), chunk by chunk. They are not state: a
// longer list yields the same contacts.
#include <math.h>

#include "base/memory.h"
#include "pbd/pbd.h"

#define WALL_LIFE 16           // intended life of the list of a moving wall, in substeps
#define LEAST_WALL_MARGIN 0.05 // of the smallest diameter
#define MOST_WALL_MARGIN 1.0
#define MOST_MESH_MARGIN 4.0 // spheres listed near a mesh cost little until it comes near

// How far from the point about which it turns a plane may touch something. [m]
static double reach_of_plane(const erg_world *world, size_t w)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    erg_vec3        pivot = ergi_add(world->wall[w].wall.pivot, world->wall_state[w].pose.position);
    const double   *x = ERGI_GRAIN(world, POSITION, double);
    double          far2 = 0, far = 0;
    for (size_t i = 0; i < world->grains.rows; i++) {
        erg_vec3 d = ergi_sub(ergi_vec3(x[4 * i], x[4 * i + 1], x[4 * i + 2]), pivot);
        far2 = fmax(far2, ergi_dot(d, d));
    }
    if (far2 > 0) far = sqrt(far2) + pbd->largest;
    for (size_t k = 0; k < pbd->bodies; k++) {
        uint32_t other = pbd->body[k].wall;
        double   way = ergi_distance(ergi_pbd_body_centre(world, other), pivot);
        far = fmax(far, way + world->wall[other].body.reach);
    }
    return far;
}

// A smooth plane that turns about its normal stays where it is. [rad/s]
static double tilting(const erg_world *world, size_t w)
{
    const ergi_pose    *pose = &world->wall_state[w].pose;
    const ergi_surface *surface = &world->wall[w].wall.surface;
    erg_vec3            normal = ergi_quat_rotate(pose->rotation, surface->ez);
    if (surface->bump_spacing > 0) return ergi_norm(pose->spin);
    return ergi_norm(ergi_madd(pose->spin, -ergi_dot(pose->spin, normal), normal));
}

double ergi_pbd_wall_speed(const erg_world *world, size_t w)
{
    const ergi_pose *pose = &world->wall_state[w].pose;
    const ergi_wall *wall = &world->wall[w].wall;
    double           extent = ergi_surface_extent(&wall->surface), turning = 0;
    if (isfinite(extent)) {
        extent += ergi_distance(wall->pivot, ergi_surface_middle(&wall->surface));
        turning = ergi_norm(pose->spin) * extent;
    } else if (ergi_norm(pose->spin) > 0) {
        double tilt = tilting(world, w);
        if (tilt > 0) turning = tilt * reach_of_plane(world, w);
    }
    return ergi_norm(pose->velocity) + turning;
}

// Skin of each moving wall: its displacement in WALL_LIFE substeps, clamped, but at least twice its
// displacement in this one.
static void set_skins(erg_world *world)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    double          d = 2 * pbd->radius, dt = world->clock.dt;
    for (size_t w = 0; w < world->walls; w++) {
        ergi_wall_state *s = &world->wall_state[w];
        s->list_skin = s->sweep = 0;
        s->list_pose = s->pose;
        if (!ergi_wall_moves(&world->wall[w])) continue;
        double way = dt * (ergi_pbd_wall_speed(world, w) + 10 * dt);
        bool   mesh = world->wall[w].wall.surface.kind == ERGI_SURFACE_MESH;
        double most = mesh ? MOST_MESH_MARGIN : MOST_WALL_MARGIN;
        s->list_skin = fmax(fmin(fmax(WALL_LIFE * way, LEAST_WALL_MARGIN * d), most * d), 2 * way);
        if (ergi_wall_is_terrain(&world->wall[w])) s->list_skin = ERGI_TERRAIN_SKIN * d;
    }
}

uint32_t ergi_pbd_wall_slots(const ergi_surface *surface)
{
    if (surface->bump_spacing > 0 || ergi_surface_is_mesh(surface)) return 16;
    if (surface->kind == ERGI_SURFACE_HEIGHTS) return 16; // equal spheres around one: 12
    if (surface->kind == ERGI_SURFACE_PLANE) return 1;
    return surface->kind == ERGI_SURFACE_REVOLVED && surface->profile.count == 1 ? 2 : 6;
}

// The part of each chunk in the lists, and one wall task per chunk. There is room for as many
// contacts as spheres are listed, or a little more than there were in the last substep; when that
// is too little, more is made (walls.c).
static erg_status list_chunks(erg_world *world, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     chunks = pbd->chunks, row = 0, end = 0;
    erg_status status = ergi_memory_grow(&pbd->wall_chunk, &pbd->wall_chunk_room, chunks + 1,
                                         sizeof *pbd->wall_chunk, "wall contacts", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->task, &pbd->task_room, pbd->pair_tasks + chunks,
                                  sizeof *pbd->task, "tasks", err);
    if (status != ERG_OK) return status;
    pbd->tasks = pbd->pair_tasks + chunks;
    for (uint32_t c = 0; c < chunks; c++) {
        ergi_pbd_wall_chunk *k = &pbd->wall_chunk[c];
        k->near = row;
        while (row < pbd->near_rows &&
               ergi_pbd_grain_of(pbd, pbd->near_sphere[row]) / ERGI_PBD_CHUNK == c)
            row++;
        size_t spheres = row - k->near, last = k->count + k->count / 4;
        k->found = end;
        k->room = last > spheres ? last : spheres;
        end += k->room;
        pbd->task[pbd->pair_tasks + c] = (ergi_pbd_task){.chunk = {c, c}, .walls = true};
    }
    pbd->wall_chunk[chunks].near = row;
    pbd->found_end = end;
    return ergi_memory_renew(&pbd->wall_found, &pbd->wall_found_room, 0, end,
                             sizeof *pbd->wall_found, "wall contacts", err);
}

// Numbers the tasks on each chunk.
static erg_status number_tasks(erg_world *world, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    erg_status status = ergi_memory_grow(&pbd->task_turns, &pbd->task_turns_room, pbd->chunks + 1,
                                         sizeof *pbd->task_turns, "tasks", err);
    if (status != ERG_OK) return status;
    for (size_t c = 0; c < pbd->chunks; c++) pbd->task_turns[c] = 0;
    for (size_t t = 0; t < pbd->tasks; t++) {
        ergi_pbd_task *k = &pbd->task[t];
        k->turn[0] = pbd->task_turns[k->chunk[0]]++;
        k->turn[1] = k->chunk[1] == k->chunk[0] ? k->turn[0] : pbd->task_turns[k->chunk[1]]++;
    }
    return ergi_pbd_reserve(world, err);
}

erg_status ergi_pbd_list_walls(erg_world *world, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    size_t    rows = 0, entries = 0;
    pbd->walls_listed = false;
    set_skins(world);
    const ergi_near_walls_in in = {.position = pbd->centre,
                                   .count = (erg_index)pbd->spheres,
                                   .sphere_skin = pbd->sphere_skin,
                                   .skin_factor = 1,
                                   .by_distance = true,
                                   .wall = world->wall,
                                   .state = world->wall_state,
                                   .walls = world->walls};
    erg_status status = ergi_memory_grow(&pbd->found, &pbd->found_room, pbd->spheres + 1,
                                         sizeof *pbd->found, "wall lists", err);
    if (status == ERG_OK)
        status = ergi_near_walls_find(&pbd->near_walls, &in, &world->threads, pbd->found, &rows,
                                      &entries, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->near_sphere, &pbd->near_sphere_room, rows + 1,
                                  sizeof *pbd->near_sphere, "wall lists", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->near_start, &pbd->near_start_room, rows + 1,
                                  sizeof *pbd->near_start, "wall lists", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->near_wall, &pbd->near_wall_room, entries + 1,
                                  sizeof *pbd->near_wall, "wall lists", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->near_spare, &pbd->near_spare_room, entries + 1,
                                  sizeof *pbd->near_spare, "wall lists", err);
    if (status != ERG_OK) return status;
    const ergi_near_walls_out out = {pbd->near_sphere, pbd->near_start, pbd->near_wall,
                                     pbd->near_spare};
    ergi_near_walls_list(&pbd->near_walls, &in, pbd->found, &out);
    pbd->near_rows = rows;
    pbd->near_entries = entries;
    status = ergi_near_ground_take(&pbd->near_ground, &pbd->near_walls, &in, entries, err);
    if (status == ERG_OK) status = list_chunks(world, err);
    if (status == ERG_OK) status = number_tasks(world, err);
    pbd->walls_listed = status == ERG_OK;
    return status;
}

// Updates the displacement of moving walls since they were listed. True if one exceeds its skin.
bool ergi_pbd_walls_stale(erg_world *world)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    bool      stale = !pbd->walls_listed;
    for (size_t k = 0; k < world->movers; k++) {
        uint32_t         w = world->mover[k];
        const ergi_wall *wall = &world->wall[w].wall;
        ergi_wall_state *s = &world->wall_state[w];
        const double    *x = ergi_pbd_sphere_positions(world);
        if (ergi_wall_is_terrain(&world->wall[w])) {
            pbd->wall_step[w] = 0;
            stale |= !(s->sweep <= s->list_skin);
            continue;
        }
        double far = ergi_norm(wall->pivot) + ergi_norm(s->pose.position);
        if (wall->surface.kind == ERGI_SURFACE_PLANE) { // speed grows with distance
            double most = 0;
            for (size_t i = 0; i < pbd->spheres; i++)
                most = fmax(most, x[4 * i] * x[4 * i] + x[4 * i + 1] * x[4 * i + 1] +
                                      x[4 * i + 2] * x[4 * i + 2]);
            far += sqrt(most);
        }
        double step = ergi_wall_sweep(wall, &pbd->pose_before[w], &s->pose, far);
        if (world->wall[w].body.free) { // not posed yet: add its displacement in this substep
            const double *g = world->clock.gravity;
            double        dt = world->clock.dt;
            double        speed = ergi_norm(s->motion.pose.velocity) +
                           dt * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
            step += dt * (speed + world->wall[w].body.reach * ergi_norm(s->motion.pose.spin));
        }
        pbd->wall_step[w] = step;
        s->sweep = ergi_wall_sweep(wall, &s->list_pose, &pbd->pose_before[w], far) + step;
        stale |= !(s->sweep <= s->list_skin);
    }
    return stale;
}
