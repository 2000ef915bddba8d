#include "contact/near_ground.h"

#include <string.h>

#include "base/memory.h"

static const ergi_height_field *field_of(const ergi_world_wall *wall, size_t walls)
{
    for (size_t w = 0; w < walls; w++)
        if (ergi_wall_is_terrain(&wall[w])) return wall[w].wall.surface.heights;
    return NULL;
}

erg_status ergi_near_ground_take(ergi_near_ground *ground, const ergi_near_walls *near,
                                 const ergi_near_walls_in *in, size_t entries, erg_error *err)
{
    const ergi_height_field *field = field_of(in->wall, in->walls);
    ground->rows = 0;
    if (!field) return ERG_OK;
    erg_status status = ergi_memory_grow(&ground->row, &ground->room, entries + 1,
                                         sizeof *ground->row, "frozen grains near spheres", err);
    if (status != ERG_OK) return status;
    int    blocks = ergi_chunk_count(in->count, ERGI_NEAR_WALLS_BLOCK);
    size_t at = 0;
    for (int b = 0; b < blocks; at += near->total[b++])
        memcpy(ground->row + at, near->ground + (size_t)b * near->entry_room,
               near->total[b] * sizeof *ground->row);
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
