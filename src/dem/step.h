// One DEM step and its parts. ergi_dem_prepare must have set dt and the laws.
#ifndef ERGI_STEP_H
#define ERGI_STEP_H

#include "dem/dem.h"
#include "dem/kernels.h"

// Sets laws, classes, dt and skin, and checks the definitions. Cheap if nothing changed.
erg_status ergi_dem_prepare(erg_world *world, erg_error *err);

// Fills the tables of laws and coefficients for the current classes.
erg_status ergi_dem_laws(erg_world *world, erg_error *err);

// Chooses or checks dt; fills world->dt_reason.
erg_status ergi_dem_timestep(erg_world *world, erg_error *err);

// Number of features of a wall that one sphere may touch at once.
int ergi_dem_wall_slots(const ergi_surface *surface);

// Sets the tangential viscosity: the given one, or the largest that dt allows.
void ergi_dem_cap_viscosity(erg_world *world);

// Rebuilds all lists: removes the grains marked in `leaves` (may be NULL) and sorts grains by space
// if that is due.
erg_status ergi_dem_rebuild(erg_world *world, const uint8_t *leaves, erg_error *err);
// Sets the resolution of fixed-point positions so that the largest listed distance fits. Part of
// every rebuild; called separately if rollback or loading changed the kinds of grains.
void ergi_dem_set_fixed_point(erg_world *world);
// Removes the grains marked in world->leaves, between steps.
erg_status ergi_dem_remove(erg_world *world, erg_error *err);
// Computes stiffness and damping of every list entry, if entries have their own coefficients.
void ergi_dem_coefs(erg_world *world);
// Chooses dem->sphere_skin from the velocities.
erg_status ergi_dem_sphere_skins(erg_world *world, erg_error *err);
double     ergi_dem_largest_skin(const erg_world *world); // upper bound [m]
// Sets how far each wall may move before its lists must be rebuilt.
void ergi_dem_wall_skins(erg_world *world);
// Lists the spheres near each wall, right after the pair lists were rebuilt. `old` and `was` as for
// ergi_lists_build.
erg_status ergi_dem_near_walls(erg_world *world, const ergi_lists *old, const uint32_t *was,
                               erg_error *err);
// Rebuilds the wall lists alone, when a wall has moved beyond its skin and the spheres have not.
erg_status ergi_dem_rebuild_wall_lists(erg_world *world, erg_error *err);

// Gives the lists the columns that the current laws and classes need; lists with other columns are
// emptied.
void ergi_dem_format_lists(const erg_world *world, ergi_lists *lists);

// Memory of the lists and of the buffers that build them [bytes]; ergi_dem_record_peak records
// their peak.
size_t ergi_dem_list_bytes(const erg_world *world);
void   ergi_dem_record_peak(erg_world *world);
// Called after each step: frees the build buffers once the lists have been valid for many steps.
// The next rebuild then frees the buffers of each stage before the next stage begins.
void ergi_dem_release_workspace(erg_world *world);
void ergi_dem_drop_order(erg_world *world); // frees the buffers for sorting

// Allocates the buffers of all passes for the current number of spheres.
erg_status ergi_dem_reserve(erg_world *world, erg_error *err);

// The inputs of each pass.
ergi_pair_pass   ergi_pair_pass_of(const erg_world *world);
ergi_wall_pass   ergi_wall_pass_of(const erg_world *world);
ergi_motion_pass ergi_motion_pass_of(const erg_world *world);

// Evaluates contacts at the current positions: forces and torques of the spheres, and partner
// forces for other chunks. dry_run: contact history is not stored. skip_static_walls: forces on
// static walls are not summed.
void ergi_dem_contacts(erg_world *world, bool dry_run, bool skip_static_walls);

// Parts of the motion pass, in this order; see ergi_motion_pass.
typedef enum ergi_advance {
    ERGI_SUM_FORCES = 1,
    ERGI_SECOND_KICK = 2,
    ERGI_FIRST_KICK_AND_DRIFT = 4,
    ERGI_SET_SPHERES = 8
} ergi_advance;
void ergi_dem_advance(erg_world *world, ergi_advance parts);

// The fused pass: as ergi_dem_contacts with skip_static_walls, but each chunk's grains start the
// next step right after its contacts, so memory is traversed once instead of twice. Only if the
// grains are neither read nor changed between the two steps.
bool ergi_dem_can_fuse(const erg_world *world);
void ergi_dem_fused_pass(erg_world *world, double wall_power_before);

// Subtracts the work that driven walls put in during the step from the work of the contacts.
void ergi_dem_subtract_wall_work(erg_world *world, double wall_power_before);

// Evaluates contacts and sums their forces and torques per grain.
void ergi_dem_forces(erg_world *world, bool dry_run);

// Whether some sphere, or some wall, has moved more than `share` (at most 1) of the displacement at
// which the lists may miss a pair. Uses the sphere positions of the last ergi_dem_advance that set
// them.
bool ergi_dem_lists_stale(const erg_world *world, double share);
bool ergi_dem_walls_stale(erg_world *world, double share);

// Removes grains that are in sinks or left the domain, then rebuilds the lists.
erg_status ergi_dem_remove_and_rebuild(erg_world *world, erg_error *err);

// Guards: true, with a message in `err`, if the last step is not physical.
bool ergi_dem_is_unphysical(const erg_world *world, double dt, erg_error *err);
bool ergi_dem_too_deep(const erg_world *world, double dt,
                       erg_error *err); // the overlap guard alone

// Adds the time since *mark to a phase, and sets *mark to now.
void ergi_dem_add_time(erg_world *world, ergi_phase phase, double *mark);

// Applies the deferred kick: ergi_dem_step omits the second kick of the step, because it shares one
// pass with the first kick of the next. Call this before grains are read or changed.
// ERG_BAD_PHYSICS then refers to the previous step.
erg_status ergi_dem_apply_deferred_kick(erg_world *world, erg_error *err);
// One step of the world's integrator. `more`: the next step follows directly, and nothing is read
// or changed in between. *took: the length of the step [s]. On ERG_BAD_PHYSICS the state is invalid
// and the caller must roll back.
erg_status ergi_dem_step(erg_world *world, bool more, double *took, erg_error *err);
erg_status ergi_runge_step(erg_world *world, double *took, erg_error *err);

#endif
