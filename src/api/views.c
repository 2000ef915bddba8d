// Views: direct access to a field of all grains in memory.
#include "base/error.h"
#include "erg/world.h"
#include "world/world.h"

// Named shapes have exactly the identity rotation.
static bool turned(erg_quat q)
{
    return q.x != 0 || q.y != 0 || q.z != 0 || q.w != 1;
}

static erg_status check_orientation(const erg_world *world, erg_error *err)
{
    for (size_t k = 0; k < world->kinds; k++)
        if (turned(world->kind[k].shape.principal_to_input))
            return ergi_fail_code(err, ERG_ERROR_CONFLICT,
                                  "orientations cannot be viewed: those of grain kind %zu '%s' are "
                                  "stored for its principal axes of inertia, which differ from the "
                                  "axes of its sphere list; use erg_world_read",
                                  k + 1, world->kind[k].name);
    return ERG_OK;
}

static erg_number number_of(ergi_type type)
{
    if (type == ERGI_U64) return ERG_NUMBER_U64;
    return type == ERGI_F32 ? ERG_NUMBER_F32 : ERG_NUMBER_F64;
}

// Location of a field: its components are the numbers from `at` on in each row of a column. 0
// components: the field is not stored in the form in which it is read.
typedef struct location {
    int    column;
    size_t at;
    int    components;
} location;

static const location locations[] = {
    [ERG_FIELD_ID] = {ERGI_GRAIN_ID, 0, 1},
    [ERG_FIELD_KIND] = {0},
    [ERG_FIELD_SIZE] = {ERGI_GRAIN_SIZE, 0, 1},
    [ERG_FIELD_MASS] = {0},
    [ERG_FIELD_POSITION] = {ERGI_GRAIN_POSITION, 0, 3},
    [ERG_FIELD_ORIENTATION] = {ERGI_GRAIN_ORIENTATION, 0, 4},
    [ERG_FIELD_VELOCITY] = {ERGI_GRAIN_MOTION, ERGI_VELOCITY, 3},
    [ERG_FIELD_SPIN] = {ERGI_GRAIN_MOTION, ERGI_SPIN, 3},
    [ERG_FIELD_FORCE] = {ERGI_GRAIN_FORCE_TORQUE, ERGI_FORCE, 3},
    [ERG_FIELD_TORQUE] = {ERGI_GRAIN_FORCE_TORQUE, ERGI_TORQUE, 3},
};

erg_status erg_world_view(const erg_world *world, erg_field field, erg_view *view, erg_error *err)
{
    if (!world || !view) return ergi_fail_null(err, __func__);
    if ((int)field < ERG_FIELD_ID || field > ERG_FIELD_TORQUE)
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN, "there is no field %d", (int)field);
    location p = locations[field];
    if (p.components == 0)
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN,
                              "the %s of grains cannot be viewed: it is not stored in the form in "
                              "which it is read; use erg_world_read",
                              field == ERG_FIELD_KIND ? "kind" : "mass");
    erg_status status = field == ERG_FIELD_ORIENTATION ? check_orientation(world, err) : ERG_OK;
    if (status != ERG_OK) return status;

    const ergi_table *grains = &world->grains;
    ergi_type         type = grains->column[p.column].type;
    const char       *data = grains->data[p.column];
    *view = (erg_view){.data = grains->rows > 0 ? data + p.at * ergi_type_bytes(type) : NULL,
                       .count = grains->rows,
                       .stride = grains->row_bytes[p.column],
                       .components = p.components,
                       .number = number_of(type)};
    return ERG_OK;
}
