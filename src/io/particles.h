// The spheres of a snapshot at one moment: input of all exporters (vtp, vtkhdf, ply).
//
// Positions are written as double, as the engine stores them; all other quantities as float, which
// is precise enough for pictures and plots and nearly halves the files.
#ifndef ERGI_PARTICLES_H
#define ERGI_PARTICLES_H

#include "io/container.h"
#include "io/file.h"

typedef struct ergi_particles {
    double          time;        // [s]
    size_t          count;       // spheres
    const double   *position;    // x, y, z of each  [m]
    const double   *radius;      // [m]
    const double   *velocity;    // x, y, z of each; this and all below are left out if NULL  [m/s]
    const double   *spin;        // x, y, z of each, of the grain  [rad/s]
    const double   *force;       // x, y, z of each: sum of its contact forces  [N]
    const double   *stress;      // xx, yy, zz, xy, yz, xz of each  [Pa]
    const double   *orientation; // of the grain: x, y, z, w of each
    const uint64_t *grain;       // id of the grain the sphere belongs to
    const uint32_t *material;    // index of its material
    const uint32_t *kind;        // number of the grain's kind
    const uint32_t *coordination;
    const uint32_t *frozen; // 1: a frozen grain of a terrain, 0: any other
} ergi_particles;

enum { ERGI_PARTICLES_FIELDS = 11 };

// One quantity other than the position, as stored in the file.
typedef struct ergi_particles_field {
    const char         *name;
    ergi_container_type type; // F32 (then `data` is double), F64, U32 or U64
    int                 columns;
    const void         *data;
    size_t              stride; // from one row to the next; 0: rows are contiguous [bytes]
} ergi_particles_field;

// Lists the quantities that are not NULL and returns their number.
size_t ergi_particles_fields(const ergi_particles *particles,
                             ergi_particles_field  fields[ERGI_PARTICLES_FIELDS]);

// Rejects what no exporter can write: missing positions or radii.
erg_status ergi_particles_check(const ergi_particles *particles, erg_error *err);

// Appends row `row` of a field.
void ergi_particles_put(ergi_file *file, const ergi_particles_field *field, size_t row);

#endif
