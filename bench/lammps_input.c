#include "lammps_input.h"

#include "lammps.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// 4/3 E*, 8 G*, damping for e about 0.65 (NULL: half of it along the surface), friction, damped
// along the surface.
#define COEFFICIENTS "7.111e6 9.143e6 4.6e7 NULL 0.5 1"

static FILE *begin(const char *folder, const char *name, erg_error *err)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) bench_fail(err, ERG_IO, "cannot write '%s': %s", path, strerror(errno));
    return file;
}

static erg_status end(FILE *file, const char *folder, erg_error *err)
{
    bool good = !ferror(file);
    if (fclose(file) == 0 && good) return ERG_OK;
    return bench_fail(err, ERG_IO, "cannot write to '%s': %s", folder, strerror(errno));
}

static erg_status write_data(const char *folder, const pack *p, erg_error *err)
{
    const double margin = 0.1 * PACK_RADIUS;
    FILE        *file = begin(folder, "pack.data", err);
    if (!file) return ERG_IO;
    double top = 0;
    for (size_t i = 0; i < p->count; i++) top = p->position[i].z > top ? p->position[i].z : top;
    fprintf(file, "settled by erg\n\n%zu atoms\n1 atom types\n\n", p->count);
    fprintf(file, "%.9g %.9g xlo xhi\n", p->low - margin, p->high_x + margin);
    fprintf(file, "%.9g %.9g ylo yhi\n", p->low - margin, p->high_y + margin);
    fprintf(file, "%.9g %.9g zlo zhi\n\nAtoms\n\n", -margin, top + 10 * PACK_RADIUS);
    for (size_t i = 0; i < p->count; i++)
        fprintf(file, "%zu 1 %g %g %.12g %.12g %.12g\n", i + 1, 2 * PACK_RADIUS, PACK_DENSITY,
                p->position[i].x, p->position[i].y, p->position[i].z);
    return end(file, folder, err);
}

// What both scripts say, before and after the atoms are read.
static void write_frame(FILE *file)
{
    fprintf(file, "units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
                  "processors * * 1\n");
}

static void write_physics(FILE *file, const pack *p)
{
    fprintf(file,
            "neighbor %g bin\n"
            "neigh_modify delay 0 every 1 check yes\n"
            "pair_style gran/hertz/history " COEFFICIENTS "\n"
            "pair_coeff * *\n"
            "fix gravity all gravity %g vector 0 0 -1\n"
            "fix wall_x all wall/gran hertz/history " COEFFICIENTS " xplane %.9g %.9g\n"
            "fix wall_y all wall/gran hertz/history " COEFFICIENTS " yplane %.9g %.9g\n"
            "fix wall_z all wall/gran hertz/history " COEFFICIENTS " zplane 0.0 NULL\n"
            "fix move all nve/sphere\n"
            "compute touching all contact/atom\n"
            "compute coordination all reduce ave c_touching\n"
            "thermo_style custom step ke c_coordination\n"
            "thermo_modify norm no\n"
            "thermo 100000\n"
            "timestep %g\n",
            LAMMPS_SKIN, PACK_GRAVITY, p->low, p->high_x, p->low, p->high_y, PACK_DT);
}

// The drag is weak first, so that loose grains find their place, then strong.
erg_status lammps_write_rest(const char *folder, const pack *p, erg_error *err)
{
    erg_status status = write_data(folder, p, err);
    FILE      *file = status == ERG_OK ? begin(folder, "rest.in", err) : NULL;
    if (!file) return ERG_IO;
    write_frame(file);
    fprintf(file, "read_data pack.data\n");
    write_physics(file, p);
    fprintf(file,
            "fix drag all viscous 1e-3\nrun 2000\n"
            "fix drag all viscous 1e-2\nrun 2000\n"
            "unfix drag\nrun 500\nwrite_restart rest.part\nshell mv rest.part rest.restart\n");
    return end(file, folder, err);
}

erg_status lammps_write_window(const char *folder, const pack *p, erg_error *err)
{
    FILE *file = begin(folder, "window.in", err);
    if (!file) return ERG_IO;
    write_frame(file);
    fprintf(file, "read_restart rest.restart\n");
    write_physics(file, p);
    fprintf(file, "run 50\n"
                  "run ${steps} pre no post yes\n"
                  "print \"ERG coordination $(c_coordination)\"\n"
                  "print \"ERG kinetic $(ke)\"\n");
    return end(file, folder, err);
}
