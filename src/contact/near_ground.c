#include "contact/near_ground.h"

#include "base/memory.h"
#include "geom/surface.h"

#define ROUNDING 1e-6 // share of a sphere's reach: above the rounding errors of its displacement

typedef struct task {
    const ergi_near_walls_in  *in;
    const ergi_near_walls_out *found;
    ergi_ground_row           *row;
} task;

static const ergi_height_field *field_of(const ergi_world_wall *wall, size_t walls)
{
    for (size_t w = 0; w < walls; w++)
        if (ergi_wall_is_terrain(&wall[w])) return wall[w].wall.surface.heights;
    return NULL;
}

static void list_rows(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const task               *t = ctx;
    const ergi_near_walls_in *in = t->in;
    for (erg_index r = begin; r < end; r++) {
        size_t        i = t->found->sphere[r];
        const double *x = in->position + 4 * i;
        erg_vec3      centre = {x[0], x[1], x[2]};
        double        reach = ergi_near_walls_touch(in, i) * (1 + ROUNDING);
        for (uint32_t e = t->found->start[r]; e < t->found->start[r + 1]; e++) {
            uint32_t               w = t->found->wall[e];
            ergi_ground_row       *row = &t->row[e];
            const ergi_world_wall *wall = &in->wall[w];
            if (!ergi_wall_is_terrain(wall)) continue;
            row->count = ergi_surface_list_spheres(&wall->wall.surface, centre, reach, row->sphere,
                                                   ERGI_GROUND_SPHERES);
            row->spare = (float)(ergi_surface_spare(&wall->wall.surface, centre, reach,
                                                    in->state[w].list_skin) *
                                 (1 - ROUNDING));
        }
    }
}

erg_status ergi_near_ground_list(ergi_near_ground *ground, const ergi_near_walls_in *in,
                                 size_t spheres, size_t entries, const ergi_near_walls_out *found,
                                 const ergi_threads *threads, erg_error *err)
{
    const ergi_height_field *field = field_of(in->wall, in->walls);
    ground->rows = 0;
    if (!field) return ERG_OK;
    erg_status status = ergi_memory_grow(&ground->row, &ground->room, entries + 1,
                                         sizeof *ground->row, "frozen grains near spheres", err);
    if (status != ERG_OK) return status;
    task t = {in, found, ground->row};
    ergi_parallel_for(threads, (erg_index)spheres, ERGI_NEAR_WALLS_BLOCK, list_rows, &t);
    ground->rows = entries;
    ground->stamp = field->stamp;
    return ERG_OK;
}

const ergi_ground_row *ergi_near_ground_rows(const ergi_near_ground *ground, size_t entries,
                                             const ergi_world_wall *wall, size_t walls)
{
    if (ground->rows == 0 || ground->rows != entries) return NULL;
    return field_of(wall, walls)->stamp == ground->stamp ? ground->row : NULL;
}

void ergi_near_ground_free(ergi_near_ground *ground)
{
    ergi_memory_free(ground->row);
    *ground = (ergi_near_ground){0};
}
