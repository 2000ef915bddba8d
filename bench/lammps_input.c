#include "lammps_input.h"

#include "brake_input.h"
#include "input_file.h"

#include <math.h>
#include <stdio.h>

// 4/3 E*, 8 G*, normal damping, tangential damping (NULL: half the normal), friction, 1: tangential
// damping is on. 4.6e7 is the customary damping of this material and gives e = 0.58; 3.5e7 would
// give 0.65. At rest it makes no difference.
#define COEFFICIENTS "7.111e6 9.143e6 4.6e7 NULL 0.5 1"
#define WALL "wall/gran hertz/history " COEFFICIENTS
#define REGION_WALL "wall/gran/region hertz/history " COEFFICIENTS

// With rolling resistance: E, damping and Poisson's ratio of the same material; Mindlin stiffness,
// half the damping, friction; stiffness [N/m], damping [N s/m] and limit of rolling. LAMMPS'
// rolling stiffness is constant, erg's follows the current Mindlin stiffness: 300 N/m is its value
// at an overlap of 2 um.
#define ROLLING_LAW                                                                                \
    "hertz/material 1e7 4.6e7 0.25 tangential mindlin NULL 0.5 0.5 rolling sds 300 0.02 0.1"

// ---- State -------------------------------------------------------------------------------------
static void write_atoms(FILE *file, const peer_state *s)
{
    fprintf(file, "\nAtoms\n\n");
    for (size_t i = 0; i < s->spheres; i++) {
        erg_vec3 x = s->position[i];
        if (s->scene == PEER_TETRA)
            fprintf(file, "%zu 1 %.12g %.12g %.12g %g %g %zu\n", i + 1, x.x, x.y, x.z,
                    2 * s->radius, s->density, s->grain[i] + 1);
        else
            fprintf(file, "%zu 1 %.9g %g %.12g %.12g %.12g\n", i + 1, 2 * peer_radius(s, i),
                    s->density, x.x, x.y, x.z);
    }
}

static void write_velocities(FILE *file, const peer_state *s)
{
    fprintf(file, "\nVelocities\n\n");
    for (size_t i = 0; i < s->spheres; i++) {
        erg_vec3 v = s->velocity[i], w = s->spin[i];
        fprintf(file, "%zu %.9g %.9g %.9g %.9g %.9g %.9g\n", i + 1, v.x, v.y, v.z, w.x, w.y, w.z);
    }
}

static erg_status write_data(const char *folder, const peer_state *s, erg_error *err)
{
    const double margin = 0.1 * s->radius, side = s->periodic ? 0 : margin;
    FILE        *file = input_begin(folder, "state.data", err);
    if (!file) return ERG_IO;
    double bottom = s->low.z, top = s->high.z;
    for (size_t i = 0; i < s->spheres; i++) {
        top = fmax(top, s->position[i].z + 10 * s->radius);
        bottom = fmin(bottom, s->position[i].z);
    }
    fprintf(file, "a state of erg\n\n%zu atoms\n1 atom types\n\n", s->spheres);
    fprintf(file, "%.12g %.12g xlo xhi\n", s->low.x - side, s->high.x + side);
    fprintf(file, "%.12g %.12g ylo yhi\n", s->low.y - side, s->high.y + side);
    fprintf(file, "%.9g %.9g zlo zhi\n", bottom - margin, top);
    write_atoms(file, s);
    if (!s->at_rest) write_velocities(file, s);
    return input_end(file, folder, err);
}

// ---- Common parts of both scripts, before and after the atoms are read -------------------------
// The box follows the grains that fall out of a silo.
static void write_frame(FILE *file, const peer_state *s)
{
    fprintf(file, "units si\natom_style %s\nboundary %s %s\nnewton ${newton}\n",
            s->scene == PEER_TETRA ? "hybrid sphere molecular" : "sphere",
            s->periodic ? "p p" : "f f", s->floor ? "f" : "s");
    // Ghosts must cover a whole rigid grain.
    if (s->scene == PEER_TETRA)
        fprintf(file, "comm_modify vel yes cutoff %g\n", 6.5 * s->radius);
    else
        fprintf(file, "comm_modify vel yes\n");
    fprintf(file, "processors ${layout}\n");
}

static void write_walls(FILE *file, const peer_state *s)
{
    const char *wall = s->scene == PEER_MIXED ? "wall/gran granular " ROLLING_LAW : WALL;
    if (s->box) {
        fprintf(file, "fix wall_x all %s xplane %.9g %.9g\n", wall, s->low.x, s->high.x);
        fprintf(file, "fix wall_y all %s yplane %.9g %.9g\n", wall, s->low.y, s->high.y);
    }
    if (s->floor) fprintf(file, "fix wall_z all %s zplane %.9g NULL\n", wall, s->low.z);
    if (s->scene == PEER_HOPPER) {
        fprintf(file, "region cone cone z 0 0 %.9g %.9g 0 %.9g open 1 open 2\n", s->outlet_radius,
                s->silo_radius, s->cone_height);
        fprintf(file, "region cylinder cylinder z 0 0 %.9g %.9g %.9g open 1 open 2\n",
                s->silo_radius, s->cone_height, s->cone_height + s->silo_height);
        fprintf(file, "fix wall_cone all " REGION_WALL " region cone\n"
                      "fix wall_cylinder all " REGION_WALL " region cylinder\n");
    }
}

static void write_physics(FILE *file, const peer_state *s)
{
    fprintf(file,
            "neighbor ${skin} bin\n"
            "neigh_modify delay 0 every 1 check yes%s\n"
            "%s\n"
            "fix gravity all gravity %g vector 0 0 -1\n",
            s->scene == PEER_TETRA ? " exclude molecule/intra all" : "",
            s->scene == PEER_MIXED ? "pair_style granular\npair_coeff * * " ROLLING_LAW
                                   : "pair_style gran/hertz/history " COEFFICIENTS
                                     "\npair_coeff * *",
            s->gravity);
    write_walls(file, s);
    fprintf(file, "fix move all %s\nthermo_style custom step\nthermo 100000\ntimestep %g\n",
            s->scene == PEER_TETRA ? "rigid/small molecule" : "nve/sphere", s->dt);
}

// Contacts start without history, so all grains have to settle a little.
static erg_status write_rest(const char *folder, const peer_state *s, erg_error *err)
{
    FILE *file = input_begin(folder, "rest.in", err);
    if (!file) return ERG_IO;
    write_frame(file, s);
    fprintf(file, "read_data state.data\n");
    write_physics(file, s);
    if (s->scene == PEER_TETRA)
        brake_grains(file, s);
    else
        brake_spheres(file, s, "set group all omega v_wx v_wy v_wz\n");
    fprintf(file, "run 500\nwrite_restart rest.part\nshell mv rest.part " LAMMPS_REST "\n");
    return input_end(file, folder, err);
}

erg_status lammps_write_state(const char *folder, const peer_state *s, erg_error *err)
{
    erg_status status = write_data(folder, s, err);
    if (status == ERG_OK && s->at_rest) status = write_rest(folder, s, err);
    return status;
}

erg_status lammps_write_window(const char *folder, const peer_state *s, erg_error *err)
{
    FILE *file = input_begin(folder, "window.in", err);
    if (!file) return ERG_IO;
    write_frame(file, s);
    fprintf(file, s->at_rest ? "read_restart " LAMMPS_REST "\n" : "read_data state.data\n");
    write_physics(file, s);
    fprintf(file, "run 50\n"
                  "run ${steps} pre no post yes\n"
                  "print \"ERG timed\"\n"
                  "compute touching all contact/atom\n"
                  "compute coordination all reduce ave c_touching\n"
                  "compute moving all ke\n"
                  "compute turning all erotate/sphere\n"
                  "thermo_style custom step c_moving c_turning c_coordination\n"
                  "thermo_modify norm no\n"
                  "run 0 post no\n"
                  "print \"ERG coordination $(c_coordination)\"\n"
                  "print \"ERG kinetic $(c_moving+c_turning)\"\n");
    return input_end(file, folder, err);
}
