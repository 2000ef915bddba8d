#include "liggghts_input.h"

#include "brake_input.h"
#include "clump_input.h"
#include "input_file.h"
#include "silo_mesh.h"

#include <math.h>
#include <stdio.h>

#define LAW "model hertz tangential history"

bool liggghts_keeps(const peer_state *s)
{
    return s->at_rest && s->spheres == s->grains;
}

// ---- Grains ------------------------------------------------------------------------------------
typedef struct bounds {
    double low[3], high[3]; // [m]
} bounds;

// The simulation box. Walls are slightly inside it, so that spheres that overlap a wall are not
// lost.
static bounds bounds_of(const peer_state *s)
{
    double side = s->box ? 0.1 * s->radius : 0, below = s->floor ? 0.1 * s->radius : 0;
    double top = s->high.z;
    if (!isfinite(top)) top = s->floor ? s->low.z : s->cone_height + s->silo_height;
    for (size_t i = 0; i < s->spheres; i++) top = fmax(top, s->position[i].z + 10 * s->radius);
    return (bounds){{s->low.x - side, s->low.y - side, s->low.z - below},
                    {s->high.x + side, s->high.y + side, top}};
}

// Single spheres only: clumps cannot be read and are inserted.
static erg_status write_data(const char *folder, const peer_state *s, erg_error *err)
{
    bounds r = bounds_of(s);
    FILE  *file = input_begin(folder, "grains.data", err);
    if (!file) return ERG_IO;
    fprintf(file, "from erg\n\n%zu atoms\n1 atom types\n\n", s->spheres);
    for (int k = 0; k < 3; k++)
        fprintf(file, "%.12g %.12g %clo %chi\n", r.low[k], r.high[k], 'x' + k, 'x' + k);
    fprintf(file, "\nAtoms\n\n");
    for (size_t i = 0; i < s->spheres; i++)
        fprintf(file, "%zu 1 %g %g %.12g %.12g %.12g\n", i + 1, 2 * s->radius, s->density,
                s->position[i].x, s->position[i].y, s->position[i].z);
    fprintf(file, "\nVelocities\n\n");
    for (size_t i = 0; i < s->spheres; i++)
        fprintf(file, "%zu %.9g %.9g %.9g %.9g %.9g %.9g\n", i + 1, s->velocity[i].x,
                s->velocity[i].y, s->velocity[i].z, s->spin[i].x, s->spin[i].y, s->spin[i].z);
    return input_end(file, folder, err);
}

// ---- Common part of all scripts ----------------------------------------------------------------
static void write_frame(FILE *file, const peer_state *s)
{
    fprintf(file,
            "units si\natom_style granular\natom_modify map array\nboundary %s f\n"
            "newton off\ncommunicate single vel yes\nprocessors ${layout}\n",
            s->periodic ? "p p" : "f f");
}

static void write_wall(FILE *file, const char *name, char axis, double place)
{
    fprintf(file, "fix %s all wall/gran " LAW " primitive type 1 %cplane %.9g\n", name, axis,
            place);
}

static void write_walls(FILE *file, const peer_state *s)
{
    if (s->scene == PEER_HOPPER)
        fprintf(file, "fix silo all mesh/surface file silo.stl type 1 curvature 1e-5\n"
                      "fix wall all wall/gran " LAW " mesh n_meshes 1 meshes silo\n");
    if (s->floor) write_wall(file, "floor", 'z', s->low.z);
    if (!s->box) return;
    write_wall(file, "wall_x0", 'x', s->low.x);
    write_wall(file, "wall_x1", 'x', s->high.x);
    write_wall(file, "wall_y0", 'y', s->low.y);
    write_wall(file, "wall_y1", 'y', s->high.y);
}

static void write_physics(FILE *file, const peer_state *s)
{
    fprintf(file,
            "neighbor ${skin} bin\nneigh_modify delay 0 every 1 check yes\n"
            "fix young all property/global youngsModulus peratomtype %g\n"
            "fix poisson all property/global poissonsRatio peratomtype %g\n"
            "fix bounce all property/global coefficientRestitution peratomtypepair 1 %g\n"
            "fix rub all property/global coefficientFriction peratomtypepair 1 %g\n"
            "pair_style gran " LAW "\npair_coeff * *\n"
            "timestep %g\nfix gravity all gravity %g vector 0 0 -1\n",
            PEER_YOUNG, PEER_POISSON, PEER_RESTITUTION, PEER_FRICTION, s->dt, s->gravity);
    write_walls(file, s);
}

// Output of the kinetic energy; `parts` are the computes it needs, because LIGGGHTS evaluates only
// what it prints.
static void write_output(FILE *file, const char *parts, const char *kinetic)
{
    fprintf(file,
            "compute touching all contact/atom\n"
            "compute coordination all reduce ave c_touching\n"
            "thermo_style custom step atoms %s c_coordination\n"
            "thermo_modify norm no lost ignore\nthermo 100000\n"
            "variable kinetic equal %s\n",
            parts, kinetic);
}

static void write_timed(FILE *file)
{
    fprintf(file, "shell sh cpu.sh\n"
                  "run ${steps} pre no post yes\n"
                  "shell sh cpu.sh\n"
                  "print \"ERG coordination $(c_coordination)\"\n"
                  "print \"ERG kinetic $(v_kinetic)\"\n");
}

// LIGGGHTS does not report its processor time; `shell` runs as a child of the first rank.
static erg_status write_clock(const char *folder, erg_error *err)
{
    FILE *file = input_begin(folder, "cpu.sh", err);
    if (!file) return ERG_IO;
    fprintf(file,
            "p=$PPID\n"
            "while [ \"$(cat /proc/$p/comm)\" = sh ]; do p=$(cut -d' ' -f4 /proc/$p/stat); done\n"
            "cut -d' ' -f14,15 /proc/$p/stat >> cpu.txt\n");
    return input_end(file, folder, err);
}

// ---- Clumps ------------------------------------------------------------------------------------
// LIGGGHTS cannot read clumps, so every grain is inserted by its own command, with its orientation,
// in a region too small for any other position.
static void write_clump(FILE *file, const peer_state *s, size_t grain)
{
    const double tiny = 1e-6 * s->radius;
    erg_vec3     c = clump_centre(s, grain);
    erg_quat     q = clump_orientation(s, grain);
    fprintf(file,
            "region at%zu block %.12g %.12g %.12g %.12g %.12g %.12g volume_limit 1e-30 units box\n"
            "fix in%zu all insert/pack seed 32452843 distributiontemplate mixture "
            "vel constant 0 0 0 orientation constant %.12g %.12g %.12g %.12g "
            "insert_every once overlapcheck no all_in no verbose no ntry_mc 1001 "
            "particles_in_region 1 region at%zu\n",
            grain, c.x - tiny, c.x + tiny, c.y - tiny, c.y + tiny, c.z - tiny, c.z + tiny, grain,
            q.w, q.x, q.y, q.z, grain);
}

// Mass and inertia are given, as LIGGGHTS would only estimate them. The moment of inertia of four
// touching spheres about their common centre is 4 m (2/5 + 1) r^2.
static void write_template(FILE *file, const peer_state *s)
{
    const double r = s->radius;
    double       mass = 4.0 / 3 * 3.14159265358979 * r * r * r * s->density;
    double       inertia = 5.6 * mass * r * r;
    fprintf(file,
            "fix shape all particletemplate/multisphere 15485863 atom_type 1 "
            "density constant %g nspheres 4 ntry 10000000 spheres",
            s->density);
    for (int k = 0; k < CLUMP_SPHERES; k++)
        fprintf(file, " %.12g %.12g %.12g %g", r * CLUMP_PLACE[k].x, r * CLUMP_PLACE[k].y,
                r * CLUMP_PLACE[k].z, r);
    fprintf(file,
            " type 1 mass %.12g inertia_tensor %.12g 0 0 %.12g 0 %.12g use_density\n"
            "fix mixture all particledistribution/discrete 15485867 1 shape 1.0\n",
            4 * mass, inertia, inertia, inertia);
}

// The drag is weak first, so that loose grains find their position, then strong: it stops a single
// sphere within 10 ms, then within 1 ms.
static void write_drag(FILE *file, const peer_state *s)
{
    double mass = 4.0 / 3 * 3.14159265358979 * pow(s->radius, 3) * s->density;
    fprintf(file, "fix drag all viscous %.3g\nrun 500\nfix drag all viscous %.3g\nrun 500\n",
            mass / 10e-3, mass / 1e-3);
    fprintf(file, "unfix drag\n");
}

static void write_clumps(FILE *file, const peer_state *s)
{
    bounds r = bounds_of(s);
    fprintf(file, "region room block %.9g %.9g %.9g %.9g %.9g %.9g units box\ncreate_box 1 room\n",
            r.low[0], r.high[0], r.low[1], r.high[1], r.low[2], r.high[2]);
    write_physics(file, s);
    write_template(file, s);
    for (size_t i = 0; i < s->grains; i++) write_clump(file, s, i);
    fprintf(file, "fix move all multisphere\ncompute moving all ke/multisphere\n"
                  "compute turning all erotate/multisphere\n");
    write_output(file, "c_moving c_turning", "c_moving+c_turning");
    fprintf(file, "run 1\n");
    for (size_t i = 0; i < s->grains; i++)
        fprintf(file, "unfix in%zu\nregion at%zu delete\n", i, i);
    write_drag(file, s);
    fprintf(file, "run 50\n");
}

// ---- Scripts -----------------------------------------------------------------------------------
erg_status liggghts_write_rest(const char *folder, const peer_state *s, erg_error *err)
{
    FILE *file = input_begin(folder, "rest.in", err);
    if (!file) return ERG_IO;
    write_frame(file, s);
    fprintf(file, "read_data grains.data\n");
    write_physics(file, s);
    fprintf(file, "fix move all nve/sphere\n");
    brake_spheres(file, s, "set group all omegax v_wx omegay v_wy omegaz v_wz\n");
    fprintf(file, "run 500\nwrite_restart rest.part\nshell mv rest.part " LIGGGHTS_REST "\n");
    return input_end(file, folder, err);
}

// Contacts of flowing grains start without history and must be loaded first.
static void write_spheres(FILE *file, const peer_state *s)
{
    fprintf(file,
            liggghts_keeps(s) ? "read_restart " LIGGGHTS_REST "\n" : "read_data grains.data\n");
    write_physics(file, s);
    fprintf(file, "fix move all nve/sphere\ncompute turning all erotate/sphere\n");
    write_output(file, "ke c_turning", "ke+c_turning");
    fprintf(file, "run %d\n", liggghts_keeps(s) ? 50 : 300);
}

erg_status liggghts_write_window(const char *folder, const peer_state *s, erg_error *err)
{
    bool       clumps = s->spheres > s->grains;
    erg_status status = write_clock(folder, err);
    if (status == ERG_OK && s->scene == PEER_HOPPER) status = silo_mesh_write(folder, s, err);
    if (status == ERG_OK && !clumps) status = write_data(folder, s, err);
    FILE *file = status == ERG_OK ? input_begin(folder, "window.in", err) : NULL;
    if (!file) return ERG_IO;
    write_frame(file, s);
    if (clumps)
        write_clumps(file, s);
    else
        write_spheres(file, s);
    write_timed(file);
    return input_end(file, folder, err);
}
