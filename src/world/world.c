#include "world/world.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "world/grains.h"

ergi_type ergi_world_real(const erg_world *world)
{
    return world->def.precision == ERG_DOUBLE ? ERGI_F64 : ERGI_F32;
}

double ergi_real_at(const void *array, ergi_type real, size_t index)
{
    return real == ERGI_F64 ? ((const double *)array)[index]
                            : (double)((const float *)array)[index];
}

void ergi_get3(const void *rows, ergi_type real, size_t row, int at, double out[3])
{
    for (size_t a = 0; a < 3; a++) out[a] = ergi_real_at(rows, real, 8 * row + (size_t)at + a);
}

void ergi_put3(void *rows, ergi_type real, size_t row, int at, const double in[3])
{
    for (size_t a = 0; a < 3; a++)
        if (real == ERGI_F64)
            ((double *)rows)[8 * row + (size_t)at + a] = in[a];
        else
            ((float *)rows)[8 * row + (size_t)at + a] = (float)in[a];
}

double ergi_kind_mass(const ergi_kind *kind, double size)
{
    return kind->density * kind->shape.volume * size * size * size;
}

double ergi_kind_radius(const ergi_kind *kind, double size)
{
    return kind->shape.is_sphere ? size * kind->shape.radius[0] : 0;
}

double ergi_kind_inverse(const ergi_kind *kind, double size, double *inverse_mass)
{
    *inverse_mass = 1 / ergi_kind_mass(kind, size);
    double inertia = kind->density * pow(size, 5) * kind->shape.inertia[0];
    return kind->shape.isotropic ? 1 / inertia : 0;
}

bool ergi_kind_takes_size(const ergi_kind *kind, double size)
{
    double least, most;
    ergi_sizes_range(&kind->sizes, &least, &most);
    return size >= least * (1 - 1e-12) && size <= most * (1 + 1e-12);
}

double ergi_grain_mass(const erg_world *world, erg_index grain)
{
    return ergi_kind_mass(&world->kind[ERGI_GRAIN(world, KIND, uint32_t)[grain]],
                          ERGI_GRAIN(world, SIZE, double)[grain]);
}

void ergi_grain_inertia(const erg_world *world, erg_index grain, double inertia[3])
{
    const ergi_kind *kind = &world->kind[ERGI_GRAIN(world, KIND, uint32_t)[grain]];
    double s = ERGI_GRAIN(world, SIZE, double)[grain], scale = kind->density * s * s * s * s * s;
    for (int a = 0; a < 3; a++) inertia[a] = scale * kind->shape.inertia[a];
}

void ergi_log(const erg_world *world, erg_log_level level, const char *format, ...)
{
    if (!world->def.log) return;
    char    text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    world->def.log(world->def.log_user, level, text);
}

erg_status ergi_copy_name(char name[ERGI_NAME_ROOM], const char *from, const char *what,
                          erg_error *err)
{
    name[0] = 0;
    if (!from) return ERG_OK;
    if (strlen(from) >= ERGI_NAME_ROOM)
        return ergi_fail_at(err, "name", ERG_ERROR_OUT_OF_RANGE,
                            "the name '%.80s' of a %s is longer than %d bytes", from, what,
                            ERGI_NAME_ROOM - 1);
    memcpy(name, from, strlen(from) + 1);
    return ERG_OK;
}

// The row and its rollback copy; tables allocate an eighth more than they need.
double ergi_world_row_bytes(const erg_world *world)
{
    double grain = 0;
    for (int c = 0; c < world->grains.columns; c++) grain += (double)world->grains.row_bytes[c];
    return 1.125 * 2 * grain;
}
