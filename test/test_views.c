// labels: asan clang
// Borrowed views point into the world's memory and have the values of erg_world_read.
#include "world_helpers.h"

static const erg_field FIELDS[] = {ERG_FIELD_ID,          ERG_FIELD_SIZE,     ERG_FIELD_POSITION,
                                   ERG_FIELD_ORIENTATION, ERG_FIELD_VELOCITY, ERG_FIELD_SPIN,
                                   ERG_FIELD_FORCE,       ERG_FIELD_TORQUE};
enum { FIELD_COUNT = sizeof FIELDS / sizeof *FIELDS };

static erg_view view_of(const erg_world *world, erg_field field)
{
    erg_error err;
    erg_view  view;
    must(erg_world_view(world, field, &view, &err), &err);
    return view;
}

static erg_gid id_at(const erg_view *id, size_t k)
{
    return *(const uint64_t *)((const char *)id->data + k * id->stride);
}

static double number_at(const erg_view *view, size_t k, int c)
{
    const char *row = (const char *)view->data + k * view->stride;
    return view->number == ERG_NUMBER_F32 ? (double)((const float *)row)[c]
                                          : ((const double *)row)[c];
}

// Through the ids of its grains a view has, bit for bit, what is read. Returns how many grains have
// another place than their id's, and how many numbers are not 0.
static void check_values(const erg_world *world, size_t *moved, size_t *told)
{
    erg_view id = view_of(world, ERG_FIELD_ID);
    erg_gid *ids = malloc(id.count * sizeof *ids);
    double  *read = malloc(4 * id.count * sizeof *read);
    CHECK(id.count == erg_world_grain_count(world) && id.number == ERG_NUMBER_U64);
    for (size_t k = 0; k < id.count; k++) {
        ids[k] = id_at(&id, k);
        *moved += k > 0 && ids[k] < ids[k - 1];
    }
    for (int f = 1; f < FIELD_COUNT; f++) {
        erg_error err;
        erg_view  view = view_of(world, FIELDS[f]);
        size_t    wrong = 0;
        must(erg_world_read(world, FIELDS[f], ids, id.count, read, &err), &err);
        CHECK(view.count == id.count);
        for (size_t k = 0; k < view.count; k++)
            for (int c = 0; c < view.components; c++) {
                double got = number_at(&view, k, c);
                wrong += got != read[k * (size_t)view.components + (size_t)c];
                *told += got != 0;
            }
        if (wrong) printf("    field %d: %zu numbers differ\n", (int)FIELDS[f], wrong);
        CHECK(wrong == 0);
    }
    free(ids);
    free(read);
}

// Grains that fall into a box and are sorted meanwhile.
static erg_world *heap(erg_precision precision, erg_shape shape)
{
    erg_world_def def = erg_world_def_default();
    def.precision = precision;
    def.threads = 1;
    def.orient_spheres = true;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){20e-3, 20e-3, 1}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    fill_box(world, new_mixed_kind(world, shape, sand, 0.5e-3, 1e-3), 300, (erg_vec3){0, 0, 0},
             (erg_vec3){20e-3, 20e-3, 0.1});
    return world;
}

TEST(values_are_those_that_are_read)
{
    for (int p = 0; p < 2; p++)
        for (int s = 0; s < 2; s++) {
            erg_world *world =
                heap(p ? ERG_DOUBLE : ERG_FLOAT, s ? ERG_SHAPE_DIMER : ERG_SHAPE_SPHERE);
            size_t    moved = 0, told = 0;
            erg_error err;
            check_values(world, &moved, &told); // before the first step
            run_until(world, 0.04);
            CHECK(stats_of(world).rebuilds >= 13 && stats_of(world).contacts > 0);
            moved = told = 0;
            check_values(world, &moved, &told);
            CHECK(moved > 0 && told > 300 * 10);

            // every third grain goes
            erg_gid gone[100];
            for (int k = 0; k < 100; k++) gone[k] = 3 * (erg_gid)k + 1;
            must(erg_world_remove_grains(world, gone, 100, &err), &err);
            check_values(world, &moved, &told);
            step(world, 10);
            check_values(world, &moved, &told);
            CHECK(view_of(world, ERG_FIELD_ID).count == 200);
            erg_world_destroy(world);
        }
}

TEST(types_and_strides)
{
    for (int p = 0; p < 2; p++) {
        erg_world *world = heap(p ? ERG_DOUBLE : ERG_FLOAT, ERG_SHAPE_SPHERE);
        erg_number real = p ? ERG_NUMBER_F64 : ERG_NUMBER_F32;
        size_t     real_bytes = p ? 8 : 4;
        for (int f = 0; f < FIELD_COUNT; f++) {
            erg_field field = FIELDS[f];
            erg_view  view = view_of(world, field);
            bool      hot = field >= ERG_FIELD_VELOCITY;
            int       components = field == ERG_FIELD_ID || field == ERG_FIELD_SIZE ? 1
                                   : field == ERG_FIELD_ORIENTATION                 ? 4
                                                                                    : 3;
            CHECK(view.components == components);
            CHECK(view.number == (hot                     ? real
                                  : field == ERG_FIELD_ID ? ERG_NUMBER_U64
                                                          : ERG_NUMBER_F64));
            CHECK(view.stride >= (size_t)components * (hot ? real_bytes : 8));
        }
        erg_view velocity = view_of(world, ERG_FIELD_VELOCITY),
                 spin = view_of(world, ERG_FIELD_SPIN);
        CHECK(velocity.stride == 8 * real_bytes && spin.stride == velocity.stride);
        erg_world_destroy(world);
    }
}

// The same memory each time; reading changes nothing.
TEST(nothing_is_copied)
{
    erg_world *world = heap(ERG_FLOAT, ERG_SHAPE_SPHERE);
    run_until(world, 0.02);
    uint64_t hash = erg_world_hash(world);
    size_t   bytes = stats_of(world).bytes;
    for (int f = 0; f < FIELD_COUNT; f++)
        CHECK(view_of(world, FIELDS[f]).data == view_of(world, FIELDS[f]).data);
    CHECK(view_of(world, ERG_FIELD_POSITION).data == world->grains.data[ERGI_GRAIN_POSITION]);
    CHECK(erg_world_hash(world) == hash && stats_of(world).bytes == bytes);
    erg_world_destroy(world);
}

TEST(an_empty_world)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    for (int f = 0; f < FIELD_COUNT; f++) {
        erg_view view = view_of(world, FIELDS[f]);
        CHECK(view.count == 0 && view.data == NULL);
    }
    erg_world_destroy(world);
}

TEST(what_is_not_stored_is_refused)
{
    erg_world *world = heap(ERG_FLOAT, ERG_SHAPE_SPHERE);
    erg_error  err;
    erg_view   view = {.count = 7};
    CHECK(erg_world_view(world, ERG_FIELD_KIND, &view, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "the kind of grains cannot be viewed: it is not stored in the form in "
                        "which it is read; use erg_world_read");
    CHECK(erg_world_view(world, ERG_FIELD_MASS, &view, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "the mass of grains cannot be viewed") != NULL);
    CHECK(erg_world_view(world, (erg_field)-1, &view, &err) == ERG_BAD_INPUT);
    CHECK(erg_world_view(world, (erg_field)99, &view, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "there is no field 99");

    // Three spheres in no line with the axes.
    erg_sphere    list[] = {{0, 0, 0, 1e-3}, {1e-3, 1.2e-3, 0, 0.8e-3}, {0, 1e-3, 1.3e-3, 0.5e-3}};
    erg_grain_def kind = erg_grain_def_default();
    kind.name = "oblique";
    kind.shape = ERG_SHAPE_SPHERES;
    kind.spheres = list;
    kind.sphere_count = 3;
    kind.material = 1;
    kind.sizes.radius = 1;
    must(erg_world_add_grain_kind(world, &kind, NULL, &err), &err);
    CHECK(erg_world_view(world, ERG_FIELD_ORIENTATION, &view, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "orientations cannot be viewed: those of grain kind 2 'oblique' are stored "
                        "for its principal axes of inertia, which differ from the axes of its "
                        "sphere list; use erg_world_read");
    CHECK(view.count == 7);
    CHECK(view_of(world, ERG_FIELD_POSITION).count == 300);
    erg_world_destroy(world);
}

TEST_MAIN(values_are_those_that_are_read, types_and_strides, nothing_is_copied, an_empty_world,
          what_is_not_stored_is_refused)
