#include "io/particles.h"

#include "base/error.h"

size_t ergi_particles_fields(const ergi_particles *particles,
                             ergi_particles_field  fields[ERGI_PARTICLES_FIELDS])
{
    const ergi_particles_field all[ERGI_PARTICLES_FIELDS] = {
        {"radius", ERGI_BOX_F32, 1, particles->radius},
        {"velocity", ERGI_BOX_F32, 3, particles->velocity},
        {"force", ERGI_BOX_F32, 3, particles->force},
        {"orientation", ERGI_BOX_F32, 4, particles->orientation},
        {"grain", ERGI_BOX_U64, 1, particles->grain},
        {"material", ERGI_BOX_U32, 1, particles->material},
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
    size_t width = (size_t)field->columns;
    for (size_t i = row * width; i < (row + 1) * width; i++) {
        switch (field->type) {
        case ERGI_BOX_U32: ergi_file_u32(file, ((const uint32_t *)field->data)[i]); break;
        case ERGI_BOX_U64: ergi_file_u64(file, ((const uint64_t *)field->data)[i]); break;
        default: ergi_file_f32(file, (float)((const double *)field->data)[i]); break;
        }
    }
}
