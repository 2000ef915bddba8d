// One DEM step, and what it is made of. dt and laws are settled by prepare.
#ifndef ERGI_STEP_H
#define ERGI_STEP_H

#include "dem/dem.h"
#include "dem/kernels.h"

// Laws, classes, dt, skin; checks the whole. Cheap when nothing changed.
erg_status ergi_dem_prepare(erg_world *world, erg_error *err);

// Tables of laws and coefficients for the classes as they are now.
erg_status ergi_dem_laws(erg_world *world, erg_error *err);

// Chooses or checks dt; fills world->dt_reason.
erg_status ergi_dem_timestep(erg_world *world, erg_error *err);

// Features of a wall that one sphere may touch at once.
int ergi_dem_wall_slots(const ergi_surface *surface);

// Viscous friction as strong as dt allows, or as asked.
void ergi_dem_cap_viscosity(erg_world *world);

// Sorts grains when it is time, takes out those that leave, and makes all lists anew.
// `leaves` (may be NULL) marks grains to remove.
erg_status ergi_dem_rebuild(erg_world *world, const uint8_t *leaves, erg_error *err);
// Places in which the largest pairs have room. Part of every rebuild; by itself after going back or
// loading, when the kinds of grains are others than before.
void ergi_dem_set_fixed_point(erg_world *world);
// Takes out the grains that world->leaves marks, at a step boundary.
erg_status ergi_dem_remove(erg_world *world, erg_error *err);
// Stiffness and damping of every entry of the lists, where entries have their own.
void ergi_dem_coefs(erg_world *world);
// Fills dem->skin, from the motion.
erg_status ergi_dem_sphere_skins(erg_world *world, erg_error *err);
double     ergi_dem_largest_skin(const erg_world *world); // no skin is larger
// Sets how far walls may go from where they are now.
void ergi_dem_wall_skins(erg_world *world);
// Which spheres are near which walls, for lists that were made just now. `old` and `was`: as for
// ergi_lists_build.
erg_status ergi_dem_near_walls(erg_world *world, const ergi_lists *old, const uint32_t *was,
                               erg_error *err);
// The same by itself, when a wall has gone far and the spheres have not.
erg_status ergi_dem_near_walls_anew(erg_world *world, erg_error *err);

// Lists as the laws and classes want them now; lists of another make are emptied.
void ergi_dem_format_lists(const erg_world *world, ergi_lists *lists);

// What lists and their making need: how much there is now, and the most while they are made.
size_t ergi_dem_listing_bytes(const erg_world *world);
void   ergi_dem_note_listing(erg_world *world);
// After each step: gives back what only their making needs, once the lists have lasted a while.
// Lists after that are made sparingly: what a stage of their making is done with goes before the
// next stage begins.
void ergi_dem_rest_workspace(erg_world *world);
void ergi_dem_drop_order(erg_world *world); // what sorting needs

// Room for the reports of all passes at the present number of spheres.
erg_status ergi_dem_reserve(erg_world *world, erg_error *err);

// The passes' views of the world.
ergi_pair_pass   ergi_pair_pass_of(const erg_world *world);
ergi_wall_pass   ergi_wall_pass_of(const erg_world *world);
ergi_motion_pass ergi_motion_pass_of(const erg_world *world);

// Contacts at the present places: loads of the spheres, pushes for other chunks. dry_run: the
// history stays. skip_static_walls: what walls feel that stand still is left out.
void ergi_dem_contacts(erg_world *world, bool dry_run, bool skip_static_walls);

// Parts of the motion, in this order; see kernels.h.
typedef enum ergi_advance {
    ERGI_SUM = 1,
    ERGI_FINISH = 2,
    ERGI_START = 4,
    ERGI_PLACE_SPHERES = 8
} ergi_advance;
void ergi_dem_advance(erg_world *world, ergi_advance parts);

// As contacts, but each chunk's grains go on to the next step right after its contacts: one journey
// through memory instead of two, and always with skip_static_walls. Only where nobody wants to see
// or change the grains in between.
bool ergi_dem_can_fuse(const erg_world *world);
void ergi_dem_fused_pass(erg_world *world, double wall_power_before);

// Takes what moving walls put in during the step from the work of the contacts.
void ergi_dem_book_walls(erg_world *world, double wall_power_before);

// Contacts, and their sum into the grains.
void ergi_dem_forces(erg_world *world, bool dry_run);

// Whether some sphere, or some wall, has moved so far that the lists may miss a pair: `share` of
// that way, 1 or less. Spheres as of the last ergi_dem_advance that placed them.
bool ergi_dem_lists_stale(const erg_world *world, double share);
bool ergi_dem_walls_stale(erg_world *world, double share);

// New lists, without the grains that lie in sinks or left the domain.
erg_status ergi_dem_renew(erg_world *world, erg_error *err);

// The last step was not physics: true, with the sentence, when a guard tripped.
bool ergi_dem_bad(const erg_world *world, double dt, erg_error *err);
bool ergi_dem_too_deep(const erg_world *world, double dt, erg_error *err); // contacts alone

// Books the time since *mark on a phase, and sets *mark to now.
void ergi_dem_spend(erg_world *world, ergi_phase phase, double *mark);

// One step of the world's integrator. On ERG_BAD_PHYSICS the state is spoilt: the caller goes back.
// The second kick is left owing, since it makes one pass with the first kick of the next step:
// before anybody looks at the grains or changes them, ergi_dem_apply_deferred_kick gives it. The
// step that was not physics may be the one before then.
erg_status ergi_dem_apply_deferred_kick(erg_world *world, erg_error *err);
// `more`: the next step follows at once, with nobody looking or changing anything in between.
// *took: the length of the step [s].
erg_status ergi_dem_step(erg_world *world, bool more, double *took, erg_error *err);
erg_status ergi_runge_step(erg_world *world, double *took, erg_error *err);

#endif
