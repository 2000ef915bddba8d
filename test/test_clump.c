// labels: asan
// Clumps: free rotation, and contacts that act through their spheres.
#include "world_helpers.h"

// Seven spheres in a cross with arms of 3, 2 and 1: three moments of inertia.
static const erg_sphere cross[] = {{0, 0, 0, 1e-3},    {3e-3, 0, 0, 1e-3},  {-3e-3, 0, 0, 1e-3},
                                   {0, 2e-3, 0, 1e-3}, {0, -2e-3, 0, 1e-3}, {0, 0, 1e-3, 1e-3},
                                   {0, 0, -1e-3, 1e-3}};

static erg_world *lone_cross(erg_precision precision, erg_integrator integrator, erg_vec3 spin,
                             erg_gid *id)
{
    erg_world_def def = space_def(precision);
    def.integrator = integrator;
    erg_world    *world = new_world(&def);
    erg_error     err;
    erg_grain_def kind = erg_grain_def_default();
    erg_id        kind_id = 0;
    kind.shape = ERG_SHAPE_SPHERES;
    kind.sizes.radius = 1;
    kind.spheres = cross;
    kind.sphere_count = 7;
    kind.material = new_sand(world, 0.65, 0.5);
    must(erg_world_add_grain_kind(world, &kind, &kind_id, &err), &err);
    *id = new_grain(world, kind_id, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0}, spin);
    return world;
}

// Spin in the grain's own frame.
static erg_vec3 own_spin(const erg_world *world, erg_gid id)
{
    return ergi_quat_unrotate(read_orientation(world, id), read3(world, ERG_FIELD_SPIN, id));
}

static int flips(erg_world *world, erg_gid id, int axis, double *energy_error, double *l_error)
{
    totals before = totals_of(world);
    double energy = energy_of(world), sign = 1;
    int    count = 0;
    *energy_error = *l_error = 0;
    for (int k = 0; k < 3000; k++) {
        step(world, 10);
        erg_vec3 w = own_spin(world, id);
        double   along = axis == 0 ? w.x : axis == 1 ? w.y : w.z;
        if (along * sign < -150) {
            count++;
            sign = -sign;
        }
        *energy_error = fmax(*energy_error, fabs(energy_of(world) / energy - 1));
        *l_error =
            fmax(*l_error, ergi_distance(totals_of(world).l, before.l) / ergi_norm(before.l));
    }
    return count;
}

// A body that spins about its middle axis turns over and back for ever (Dzhanibekov's wing nut);
// about the axes of its least and greatest moment it does not. Torque-free: L and energy stay. The
// moment about x (the long arm) is the least, about z the greatest.
TEST(body_turns_over_about_its_middle_axis_alone)
{
    static const erg_vec3 spin[] = {{200, 0.2, 0.2}, {0.2, 200, 0.2}, {0.2, 0.2, 200}};
    for (int axis = 0; axis < 3; axis++)
        for (int p = 0; p < 2; p++) {
            double     energy_error, l_error;
            erg_gid    id;
            erg_world *world = lone_cross((erg_precision)p, ERG_VERLET, spin[axis], &id);
            int        count = flips(world, id, axis, &energy_error, &l_error);
            if (axis == 1)
                CHECK(count >= 3);
            else
                CHECK(count == 0);
            CHECK_NEAR(energy_error, 0, p ? 2e-4 : 3e-4);
            // The spin is stored in the world's precision; the turn itself is in double, where some
            // dozen roundings a step may all go one way.
            CHECK_NEAR(l_error, 0,
                       p ? 30000 * 12 * DBL_EPSILON : sqrt(2 * 30000.0) * (double)FLT_EPSILON);
            erg_world_destroy(world);
        }
}

// What was given comes back: position of the centre of mass, orientation, spheres where the list
// put them.
TEST(spheres_stand_where_the_list_says)
{
    erg_gid         id;
    erg_world      *world = lone_cross(ERG_FLOAT, ERG_VERLET, (erg_vec3){0, 0, 0}, &id);
    erg_error       err;
    double          position[21], radius[7];
    erg_sphere_view view = {.count = 7, .position = position, .radius = radius};
    must(erg_world_read_spheres(world, &view, &err), &err);
    for (int k = 0; k < 7; k++) {
        CHECK_NEAR(position[3 * k], cross[k].x, 1e-15);
        CHECK_NEAR(position[3 * k + 1], cross[k].y, 1e-15);
        CHECK_NEAR(position[3 * k + 2], cross[k].z, 1e-15);
        CHECK_NEAR(radius[k], 1e-3, 1e-18);
    }
    erg_quat q = ergi_quat_from_axis_angle((erg_vec3){0.6, 0, 0.8}, 1.1), back;
    must(erg_world_write(world, ERG_FIELD_ORIENTATION, &id, 1, &q, &err), &err);
    back = read_orientation(world, id);
    double same = fabs(q.x * back.x + q.y * back.y + q.z * back.z + q.w * back.w);
    CHECK_NEAR(same, 1, 1e-14);
    must(erg_world_read_spheres(world, &view, &err), &err);
    for (int k = 0; k < 7; k++) {
        erg_vec3 want = ergi_quat_rotate(q, (erg_vec3){cross[k].x, cross[k].y, cross[k].z});
        CHECK_NEAR(position[3 * k], want.x, 1e-15);
        CHECK_NEAR(position[3 * k + 1], want.y, 1e-15);
        CHECK_NEAR(position[3 * k + 2], want.z, 1e-15);
    }
    erg_world_destroy(world);
}

// A dimer that hits the floor with one end: the free bounce of a rigid rod. With e = 1 and mu = 0
// the end's velocity turns round: impulse J = 2 v / (1/m + a^2/I), a the arm across the normal.
TEST(off_centre_impact_of_a_rod)
{
    erg_world_def def = space_def(ERG_DOUBLE);
    def.speed = 0.5;
    def.dt_factor = 0.01;
    erg_world       *world = new_world(&def);
    erg_material_def m = erg_material_def_default();
    m.restitution = 1;
    m.friction = 0;
    m.young = 1e10; // stiff: the rod hardly turns during the impact
    erg_id       sand = new_material(world, &m);
    erg_wall_def plane = floor_def(sand);
    new_wall(world, &plane);
    erg_id     kind = new_kind(world, ERG_SHAPE_DIMER, sand);
    double     tilt = 0.5;
    erg_vec3   at = {0, 0, 1e-3 + 1e-3 * sin(tilt) + 1e-6}, v = {0, 0, -0.5};
    erg_quat   q = ergi_quat_from_axis_angle((erg_vec3){0, 1, 0}, tilt); // the +x end goes down
    erg_error  err;
    erg_gid    id;
    erg_grains g = {.kind = kind, .count = 1, .position = &at, .velocity = &v, .orientation = &q};
    must(erg_world_add_grains(world, &g, &id, &err), &err);
    bool touched = false;
    for (int k = 0; k < 20000; k++) {
        step(world, 1);
        bool touches = erg_world_contact_count(world) > 0;
        touched |= touches;
        if (touched && !touches) break;
    }
    double sphere = 2500 * 4.0 / 3 * 3.14159265358979 * 1e-9, mass = 2 * sphere;
    double inertia = 2 * sphere * (0.4 * 1e-6 + 1e-6), arm = 1e-3 * cos(tilt);
    double impulse = 2 * 0.5 / (1 / mass + arm * arm / inertia);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, id).z, -0.5 + impulse / mass, 0.005);
    CHECK_NEAR(read3(world, ERG_FIELD_SPIN, id).y, -impulse * arm / inertia,
               0.01 * impulse * arm / inertia);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, id).x, 0, 1e-12);
    erg_world_destroy(world);
}

// Spheres of one grain do not push each other, however the list overlaps.
TEST(own_spheres_are_no_contact)
{
    erg_gid    id;
    erg_world *world = lone_cross(ERG_FLOAT, ERG_VERLET, (erg_vec3){10, 20, 30}, &id);
    step(world, 50);
    CHECK(erg_world_contact_count(world) == 0);
    CHECK_NEAR(ergi_norm(read3(world, ERG_FIELD_FORCE, id)), 0, 0);
    CHECK(erg_world_sphere_count(world) == 7);
    erg_world_destroy(world);
}

TEST_MAIN(body_turns_over_about_its_middle_axis_alone, spheres_stand_where_the_list_says,
          off_centre_impact_of_a_rod, own_spheres_are_no_contact)
