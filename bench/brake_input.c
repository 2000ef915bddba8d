#include "brake_input.h"

// A periodic bed oscillates sideways as a whole with a period of about 2500 steps and is
// momentarily at rest twice per period; a rigid grain that tips over doubles its speed in 1500
// steps. So the bed must be found at rest several times, after free runs of 500 steps each.
typedef struct brake {
    const char *bout;  // commands of one round of braking
    const char *end;   // commands after a round if the bed is not at rest
    int         bouts; // maximum number
    int         free_runs;
} brake;

// Stops translation within 5 ms. With 1 ms, spheres could not reach their final positions, and
// braking would take ten times as many steps. Rotation is not damped.
static void write_drag(FILE *file, const peer_state *s)
{
    double mass = 4.0 / 3 * 3.14159265358979 * s->radius * s->radius * s->radius * s->density;
    fprintf(file, "fix drag all viscous %.3g\nrun 6000\nunfix drag\n", mass / 5e-3);
}

// The computes must appear in the thermo output, because LAMMPS evaluates only those at the end of
// a run.
static void write_power(FILE *file, const peer_state *s)
{
    fprintf(file,
            "compute spin all property/atom omegax omegay omegaz\n"
            "compute torque all property/atom tqx tqy tqz\n"
            "compute all_spin all reduce sum c_spin[1] c_torque[1]\n"
            "compute moving all ke\ncompute turning all erotate/sphere\n"
            "thermo_style custom step c_moving c_turning c_all_spin[1] c_all_spin[2]\n"
            "thermo_modify norm no\nrun 0\n"
            "variable energy equal (c_moving+c_turning)/%.9g\n"
            "variable power atom vx*fx+vy*fy+vz*fz"
            "+c_spin[1]*c_torque[1]+c_spin[2]*c_torque[2]+c_spin[3]*c_torque[3]\n",
            peer_energy_scale(s));
}

static void write_bouts(FILE *file, const brake *b)
{
    fprintf(file,
            "variable bout loop %d\nlabel brake\n%s"
            "if \"$(v_energy) > 3e-10\" then \"jump SELF uneasy\"\n"
            "variable hold loop %d\nlabel free\nrun 500 pre no post no\n"
            "if \"$(v_energy) > 8e-10\" then \"variable hold delete\" \"jump SELF uneasy\"\n"
            "next hold\njump SELF free\njump SELF rested\n"
            "label uneasy\n%s"
            "next bout\njump SELF brake\nlabel rested\n"
            "thermo_style custom step\n",
            b->bouts, b->bout, b->free_runs, b->end);
}

// Halves the motion of a sphere unless its speed grows by a factor e in less than 0.2 s: a sphere
// squeezed between two others would otherwise spin for ever. At most 60,000 steps of braking,
// 24,000 in large beds.
void brake_spheres(FILE *file, const peer_state *s, const char *set_spin)
{
    char end[128];
    snprintf(end, sizeof end, "velocity all set v_vx v_vy v_vz\n%s", set_spin);
    const brake b = {.bout = "run 20 pre no post no\n",
                     .end = end,
                     .bouts = s->spheres > 500000 ? 1200 : 3000,
                     .free_runs = 6};
    write_drag(file, s);
    write_power(file, s);
    fprintf(file,
            "variable kinetic atom 0.5*mass*(vx*vx+vy*vy+vz*vz"
            "+%.3g*(c_spin[1]*c_spin[1]+c_spin[2]*c_spin[2]+c_spin[3]*c_spin[3]))\n"
            "variable keep atom 1-0.5*(v_power<10*v_kinetic)\n",
            0.4 * s->radius * s->radius);
    for (int k = 0; k < 3; k++)
        fprintf(file,
                "variable v%c atom v%c*v_keep\n"
                "variable w%c atom c_spin[%d]*v_keep\n",
                'x' + k, 'x' + k, 'x' + k, k + 1);
    write_bouts(file, &b);
}

// The motion of a rigid grain follows from forces, so it is braked by forces on all of its spheres:
// in one step they remove half of the velocity and a third of the spin.
void brake_grains(FILE *file, const peer_state *s)
{
    const brake b = {.bout = "fix brake all addforce v_bx v_by v_bz every 20\n"
                             "run 1000 post no\nunfix brake\nrun 0 post no\n",
                     .end = "",
                     .bouts = s->spheres > 100000 ? 20 : 200,
                     .free_runs = 16};
    write_drag(file, s);
    write_power(file, s);
    fprintf(file, "compute grain all chunk/atom molecule\n"
                  "compute sum all reduce/chunk grain sum v_power\n"
                  "compute whole all chunk/spread/atom grain c_sum\n");
    for (int k = 0; k < 3; k++)
        fprintf(file, "variable b%c atom -0.5*mass*v%c/dt*(c_whole<0)\n", 'x' + k, 'x' + k);
    write_bouts(file, &b);
}
