// How a pack comes about: a tile is dropped, copied, and put into walls.
#include "pack.h"
#include "pack_file.h"
#include "settle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TILE = 5000, LAYERS = 18 };        // spheres, layers of the lattice
enum { FALL = 9000, SPREAD = 500 };       // steps: down to the floor, out to the walls
enum { TILE_REST = 24000, REST = 16000 }; // steps, at most, to come to rest

static const double SPACING = 2.06e-3; // of the loose lattice [m]
static const double JITTER = 0.025e-3; // either way [m]

static const double GRAIN_WEIGHT = 4.0 / 3 * 3.14159265358979 * PACK_RADIUS * PACK_RADIUS *
                                   PACK_RADIUS * PACK_DENSITY * PACK_GRAVITY; // [N]

static double quiet(void)
{
    return PACK_QUIET * GRAIN_WEIGHT * 2 * PACK_RADIUS;
}

void pack_free(pack *p)
{
    free(p->position);
    *p = (pack){0};
}

// Threads to settle on: a small pack spends more time waiting for the others than working.
static int settling_threads(size_t count)
{
    return count < 20000 ? 1 : 0;
}

// ---- Worlds ------------------------------------------------------------------------------------
// The tangential dashpot is half of the normal one because LAMMPS has it so.
static erg_world_def world_def(int threads)
{
    erg_world_def def = erg_world_def_default();
    def.gravity = (erg_vec3){0, 0, -PACK_GRAVITY};
    def.dt = PACK_DT;
    def.contact.normal = ERG_NORMAL_HERTZ;
    def.contact.tangential = ERG_TANGENTIAL_MINDLIN;
    def.contact.tangential_damping = 0.5;
    def.threads = threads;
    return def;
}

static erg_status add_plane(erg_world *world, erg_id material, erg_vec3 point, erg_vec3 normal,
                            erg_error *err)
{
    erg_wall_def wall = erg_wall_def_default(ERG_WALL_PLANE);
    wall.material = material;
    wall.plane.point = point;
    wall.plane.normal = normal;
    return erg_world_add_wall(world, &wall, NULL, err);
}

// A floor at z = 0 and, with side walls, planes around.
static erg_status add_walls(erg_world *world, erg_id material, const pack *p, bool sides,
                            erg_error *err)
{
    erg_vec3   low = {p->low, p->low, 0}, high = {p->high_x, p->high_y, 0};
    erg_status status = add_plane(world, material, low, (erg_vec3){0, 0, 1}, err);
    if (!sides) return status;
    if (status == ERG_OK) status = add_plane(world, material, low, (erg_vec3){1, 0, 0}, err);
    if (status == ERG_OK) status = add_plane(world, material, low, (erg_vec3){0, 1, 0}, err);
    if (status == ERG_OK) status = add_plane(world, material, high, (erg_vec3){-1, 0, 0}, err);
    if (status == ERG_OK) status = add_plane(world, material, high, (erg_vec3){0, -1, 0}, err);
    return status;
}

static erg_status build(const erg_world_def *def, const pack *p, bool sides, erg_world **world,
                        erg_error *err)
{
    erg_material_def material = {.density = PACK_DENSITY,
                                 .young = 1e7,
                                 .poisson = 0.25,
                                 .restitution = 0.65,
                                 .friction = 0.5,
                                 .static_friction = ERG_UNSET};
    erg_grain_def    kind = erg_grain_def_default();
    kind.sizes.radius = PACK_RADIUS;
    *world = NULL;
    erg_status status = erg_world_create(def, world, err);
    if (status == ERG_OK) status = erg_world_add_material(*world, &material, &kind.material, err);
    erg_grains grains = {.count = p->count, .position = p->position};
    if (status == ERG_OK) status = erg_world_add_grain_kind(*world, &kind, &grains.kind, err);
    if (status == ERG_OK) status = add_walls(*world, kind.material, p, sides, err);
    if (status == ERG_OK) status = erg_world_add_grains(*world, &grains, NULL, err);
    return status;
}

// A pack that another build of erg stored in a form of its own is settled again.
static bool load(erg_world *world, const char *path)
{
    erg_error ignored;
    return access(path, R_OK) == 0 && erg_world_load(world, path, &ignored) == ERG_OK;
}

// Brings the world to rest and keeps it; a build without HDF5 has to do it again the next time.
static erg_status rest(erg_world *world, const char *path, erg_error *err)
{
    erg_error  ignored;
    erg_status status = settle(world, quiet(), REST, err);
    if (status == ERG_OK) (void)erg_world_save(world, path, NULL, NULL, &ignored);
    return status;
}

static void name_file(char path[4300], const char *cache, const char *what, size_t count,
                      const char *ending)
{
    snprintf(path, 4300, "%s/%s-%zu.%s", cache, what, count, ending);
}

erg_status pack_world(const pack *p, const char *cache, int threads, erg_world **world,
                      erg_error *err)
{
    char          path[4300];
    erg_world_def def = world_def(threads);
    erg_status    status = build(&def, p, true, world, err);
    name_file(path, cache, "pack", p->count, "h5");
    if (status != ERG_OK || load(*world, path)) return status;

    bench_say("bringing %zu spheres to rest", p->count);
    erg_world_destroy(*world);
    status = build(&def, p, true, world, err);
    return status == ERG_OK ? rest(*world, path, err) : status;
}

// ---- The tile ----------------------------------------------------------------------------------
// From -1 to 1 (xorshift64*, Vigna 2016).
static double shake(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * 2685821657736338717u >> 11) * 0x1p-52 - 1;
}

static void loose_lattice(pack *tile, size_t columns)
{
    uint64_t random = 1;
    for (size_t i = 0; i < tile->count; i++) {
        size_t layer = i / (columns * columns), y = i / columns % columns, x = i % columns;
        tile->position[i] = (erg_vec3){((double)x + 0.5) * SPACING + JITTER * shake(&random),
                                       ((double)y + 0.5) * SPACING + JITTER * shake(&random),
                                       ((double)layer + 0.5) * SPACING + JITTER * shake(&random)};
    }
}

static double wrapped(double x, double period)
{
    double y = fmod(x, period);
    return y < 0 ? y + period : y;
}

// Replaces the positions by those of the world.
static erg_status take_positions(pack *p, const erg_world *world, double period, erg_error *err)
{
    erg_status status = erg_world_read(world, ERG_FIELD_POSITION, NULL, p->count, p->position, err);
    for (size_t i = 0; status == ERG_OK && period > 0 && i < p->count; i++) {
        p->position[i].x = wrapped(p->position[i].x, period);
        p->position[i].y = wrapped(p->position[i].y, period);
    }
    return status;
}

static erg_status allocate(pack *p, size_t count, erg_error *err)
{
    *p = (pack){.count = count, .position = malloc(count * sizeof *p->position)};
    if (p->position) return ERG_OK;
    return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu spheres", count);
}

static erg_status drop_tile(pack *tile, double period, erg_error *err)
{
    erg_world    *world;
    erg_world_def def = world_def(settling_threads(tile->count));
    def.lower = (erg_vec3){0, 0, -(double)INFINITY};
    def.upper = (erg_vec3){period, period, (double)INFINITY};
    def.periodic_x = def.periodic_y = true;
    erg_status status = build(&def, tile, false, &world, err);
    if (status == ERG_OK) status = erg_world_step(world, FALL, err);
    if (status == ERG_OK) status = settle(world, quiet(), TILE_REST, err);
    if (status == ERG_OK) status = take_positions(tile, world, period, err);
    erg_world_destroy(world);
    return status;
}

static erg_status get_tile(size_t count, const char *cache, pack *tile, erg_error *err)
{
    char path[4300];
    name_file(path, cache, "tile", count, "pack");
    if (pack_read(path, count, tile)) return ERG_OK;

    bench_say("dropping a tile of %zu spheres", count);
    size_t     columns = (size_t)ceil(sqrt((double)count / LAYERS));
    double     period = (double)columns * SPACING;
    erg_status status = allocate(tile, count, err);
    if (status != ERG_OK) return status;
    tile->high_x = tile->high_y = period;
    loose_lattice(tile, columns);
    status = drop_tile(tile, period, err);
    if (status == ERG_OK) status = pack_write(path, tile, err);
    if (status != ERG_OK) pack_free(tile);
    return status;
}

// ---- The pack ----------------------------------------------------------------------------------
// Columns and rows of copies, as square as the number allows.
static void arrange(size_t tiles, size_t *nx, size_t *ny)
{
    *ny = (size_t)sqrt((double)tiles);
    while (tiles % *ny) --*ny;
    *nx = tiles / *ny;
}

static erg_status copy_tile(const pack *tile, size_t tiles, pack *p, erg_error *err)
{
    size_t     nx, ny, k = 0;
    double     period = tile->high_x;
    erg_status status = allocate(p, tiles * tile->count, err);
    if (status != ERG_OK) return status;
    arrange(tiles, &nx, &ny);
    for (size_t a = 0; a < nx; a++)
        for (size_t b = 0; b < ny; b++)
            for (size_t i = 0; i < tile->count; i++, k++)
                p->position[k] =
                    (erg_vec3){tile->position[i].x + (double)a * period,
                               tile->position[i].y + (double)b * period, tile->position[i].z};
    p->low = -PACK_RADIUS;
    p->high_x = (double)nx * period + PACK_RADIUS;
    p->high_y = (double)ny * period + PACK_RADIUS;
    return ERG_OK;
}

static erg_status spread(pack *p, const char *checkpoint, erg_error *err)
{
    erg_world    *world;
    erg_world_def def = world_def(settling_threads(p->count));
    erg_status    status = build(&def, p, true, &world, err);
    if (status == ERG_OK) status = erg_world_step(world, SPREAD, err);
    if (status == ERG_OK) status = rest(world, checkpoint, err);
    if (status == ERG_OK) status = take_positions(p, world, 0, err);
    erg_world_destroy(world);
    return status;
}

erg_status pack_get(size_t count, const char *cache, pack *p, erg_error *err)
{
    size_t tile_count = count < TILE ? count : TILE;
    size_t tiles = (count + tile_count / 2) / tile_count;
    char   path[4300], checkpoint[4300];
    name_file(path, cache, "pack", tiles * tile_count, "pack");
    name_file(checkpoint, cache, "pack", tiles * tile_count, "h5");
    if (pack_read(path, tiles * tile_count, p)) return ERG_OK;

    pack       tile;
    erg_status status = get_tile(tile_count, cache, &tile, err);
    if (status == ERG_OK) status = copy_tile(&tile, tiles, p, err);
    pack_free(&tile);
    if (status != ERG_OK) return status;

    bench_say("settling %zu spheres between walls", p->count);
    status = spread(p, checkpoint, err);
    if (status == ERG_OK) status = pack_write(path, p, err);
    if (status != ERG_OK) pack_free(p);
    return status;
}
