#include "io/particles.h"

#include "base/error.h"

size_t ergi_particles_fields(const ergi_particles *particles,
                             ergi_particles_field  fields[ERGI_PARTICLES_FIELDS])
{
    const ergi_particles_field all[ERGI_PARTICLES_FIELDS] = {
        {"radius", ERGI_CONTAINER_F32, 1, particles->radius, 0},
        {"velocity", ERGI_CONTAINER_F32, 3, particles->velocity, 0},
        {"spin", ERGI_CONTAINER_F32, 3, particles->spin, 0},
        {"force", ERGI_CONTAINER_F32, 3, particles->force, 0},
        {"stress", ERGI_CONTAINER_F32, 6, particles->stress, 0},
        {"orientation", ERGI_CONTAINER_F32, 4, particles->orientation, 0},
        {"grain", ERGI_CONTAINER_U64, 1, particles->grain, 0},
        {"material", ERGI_CONTAINER_U32, 1, particles->material, 0},
        {"kind", ERGI_CONTAINER_U32, 1, particles->kind, 0},
        {"coordination", ERGI_CONTAINER_U32, 1, particles->coordination, 0},
        {"frozen", ERGI_CONTAINER_U32, 1, particles->frozen, 0},
    };
    size_t count = 0;
    for (size_t i = 0; i < ERGI_PARTICLES_FIELDS; i++)
        if (all[i].data) fields[count++] = all[i];
    return count;
}

erg_status ergi_particles_check(const ergi_particles *particles, erg_error *err)
{
    if (particles->count > 0 && (!particles->position || !particles->radius))
        return ergi_fail(err, ERG_BAD_INPUT, "a snapshot of %zu spheres has no %s",
                         particles->count, particles->position ? "radii" : "positions");
    return ERG_OK;
}

void ergi_particles_put(ergi_file *file, const ergi_particles_field *field, size_t row)
{
    bool        wide = field->type != ERGI_CONTAINER_U32; // source of an F32 is a double
    size_t      width = (size_t)field->columns;
    size_t      stride = field->stride ? field->stride : width * (wide ? 8 : 4);
    const void *at = (const char *)field->data + row * stride;
    for (size_t i = 0; i < width; i++) {
        switch (field->type) {
        case ERGI_CONTAINER_U32: ergi_file_u32(file, ((const uint32_t *)at)[i]); break;
        case ERGI_CONTAINER_U64: ergi_file_u64(file, ((const uint64_t *)at)[i]); break;
        case ERGI_CONTAINER_F64: ergi_file_f64(file, ((const double *)at)[i]); break;
        default: ergi_file_f32(file, (float)((const double *)at)[i]); break;
        }
    }
}
