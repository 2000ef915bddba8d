#include "yade_input.h"

#include "input_file.h"
#include "silo_mesh.h"

#include <stdio.h>

// One line per sphere: centre, velocity, spin.
static erg_status write_spheres(const char *folder, const peer_state *s, erg_error *err)
{
    FILE *file = input_begin(folder, "grains.txt", err);
    if (!file) return ERG_IO;
    for (size_t i = 0; i < s->spheres; i++) {
        erg_vec3 x = s->position[i], v = s->velocity[i], w = s->spin[i];
        fprintf(file, "%.12g %.12g %.12g %.9g %.9g %.9g %.9g %.9g %.9g\n", x.x, x.y, x.z, v.x, v.y,
                v.z, w.x, w.y, w.z);
    }
    return input_end(file, folder, err);
}

// One line per contact: sphere; other sphere or, below 0, wall; tangential force on the first.
static erg_status write_contacts(const char *folder, const peer_state *s, erg_error *err)
{
    FILE *file = input_begin(folder, "contacts.txt", err);
    if (!file) return ERG_IO;
    for (size_t k = 0; k < s->contacts; k++) {
        const peer_contact *c = &s->contact[k];
        erg_vec3            f = c->friction;
        if (c->b < s->spheres)
            fprintf(file, "%zu %zu", c->a, c->b);
        else
            fprintf(file, "%zu -%zu", c->a, c->b - s->spheres + 1);
        fprintf(file, " %.9g %.9g %.9g\n", f.x, f.y, f.z);
    }
    return input_end(file, folder, err);
}

// In the order of peer_wall.
static void write_walls(FILE *file, const peer_state *s)
{
    fprintf(file, "walls = []\n");
    if (s->scene == PEER_HOPPER)
        fprintf(file,
                "corners = [tuple(map(float, line.split()[1:])) for line in open('silo.stl')\n"
                "           if line.startswith('vertex')]\n"
                "O.bodies.append([utils.facet(corners[k:k + 3], material=stuff)\n"
                "                 for k in range(0, len(corners), 3)])\n");
    if (s->box)
        fprintf(file,
                "for place, axis, side in ((%.9g, 0, 1), (%.9g, 0, -1), (%.9g, 1, 1),\n"
                "                          (%.9g, 1, -1), (%.9g, 2, 1)):\n"
                "    wall = utils.wall(place, axis, sense=side, material=stuff)\n"
                "    walls.append(O.bodies.append(wall))\n",
                s->low.x, s->high.x, s->low.y, s->high.y, s->low.z);
}

// Clumps start at rest.
static void write_grains(FILE *file, const peer_state *s)
{
    size_t per_grain = s->spheres / s->grains;
    fprintf(file,
            "rows = [tuple(map(float, line.split())) for line in open('grains.txt')]\n"
            "balls = [utils.sphere(row[:3], %g, material=stuff) for row in rows]\n",
            s->radius);
    if (per_grain > 1)
        fprintf(file,
                "for k in range(0, len(balls), %zu):\n"
                "    O.bodies.appendClumped(balls[k:k + %zu])\n"
                "ids = [ball.id for ball in balls]\n",
                per_grain, per_grain);
    else
        fprintf(file, "for ball, row in zip(balls, rows):\n"
                      "    ball.state.vel, ball.state.angVel = row[3:6], row[6:9]\n"
                      "ids = O.bodies.append(balls)\n");
}

// In YADE the skin is added to the radius of each sphere.
static void write_engines(FILE *file, const peer_state *s)
{
    const char *wall = s->scene == PEER_HOPPER ? "Facet" : "Wall";
    fprintf(file,
            "O.engines = [\n"
            "    ForceResetter(),\n"
            "    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_%s_Aabb()],\n"
            "                          verletDist=0.5 * float(os.environ['SKIN']),\n"
            "                          label='collider'),\n"
            "    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_%s_Sphere_ScGeom()],\n"
            "                    [Ip2_FrictMat_FrictMat_MindlinPhys(en=%g)],\n"
            "                    [Law2_ScGeom_MindlinPhys_Mindlin()]),\n"
            "    NewtonIntegrator(damping=0, gravity=(0, 0, -%g))]\n"
            "O.dt = %g\n",
            wall, wall, PEER_RESTITUTION, s->gravity, s->dt);
}

// Creates contacts in one step of negligible length and then sets their tangential forces; a barely
// touching contact may be missing. YADE gives a wall the radius of the sphere, so contacts with
// walls must be stiffened. Flows only have to load their contacts.
static void write_beginning(FILE *file, const peer_state *s)
{
    if (s->at_rest)
        fprintf(file, "O.dt, step = 1e-15, O.dt\n"
                      "O.run(1, True)\n"
                      "O.dt = step\n"
                      "missing = 0\n"
                      "for line in open('contacts.txt'):\n"
                      "    a, b, *friction = line.split()\n"
                      "    a, b = ids[int(a)], ids[int(b)] if int(b) >= 0 else walls[-int(b) - 1]\n"
                      "    if not O.interactions.has(a, b, True):\n"
                      "        missing += 1\n"
                      "        continue\n"
                      "    pair = O.interactions[a, b]\n"
                      "    friction = Vector3(*map(float, friction))\n"
                      "    pair.phys.shearElastic = -friction if pair.id1 == a else friction\n"
                      "    if b in walls:\n"
                      "        pair.phys.kno *= math.sqrt(2)\n"
                      "        pair.phys.kso *= math.sqrt(2)\n"
                      "if missing > 1e-3 * len(ids):\n"
                      "    raise SystemExit('%%d of the contacts do not exist here' %% missing)\n"
                      "O.run(50, True)\n");
    else
        fprintf(file, "O.run(300, True)\n");
}

static void write_timed(FILE *file)
{
    fprintf(file,
            "lists, wall, cpu = collider.numAction, time.perf_counter(), time.process_time()\n"
            "O.run(int(os.environ['STEPS']), True)\n"
            "wall, cpu = time.perf_counter() - wall, time.process_time() - cpu\n"
            "ball = [isinstance(b.shape, Sphere) for b in O.bodies]\n"
            "pairs = sum(1 for i in O.interactions if i.isReal and ball[i.id1] and ball[i.id2])\n"
            "moving = (b.state for b in O.bodies\n"
            "          if b.isClump or isinstance(b.shape, Sphere) and not b.isClumpMember)\n"
            "kinetic = sum(0.5 * s.mass * s.vel.squaredNorm()\n"
            "              + 0.5 * s.inertia[0] * s.angVel.squaredNorm() for s in moving)\n"
            "print()\n"
            "for name, value in (('wall', wall), ('cpu', cpu),\n"
            "                    ('rebuilds', collider.numAction - lists),\n"
            "                    ('coordination', 2 * pairs / sum(ball)), ('kinetic', kinetic),\n"
            "                    ('bytes', (pages() - empty) * page / sum(ball)),\n"
            "                    ('version', yade.config.version)):\n"
            "    print('ERG', name, value, flush=True)\n"
            "os._exit(0)\n"); // a regular exit may crash
}

erg_status yade_write_window(const char *folder, const peer_state *s, erg_error *err)
{
    erg_status status = write_spheres(folder, s, err);
    if (status == ERG_OK) status = write_contacts(folder, s, err);
    if (status == ERG_OK && s->scene == PEER_HOPPER) status = silo_mesh_write(folder, s, err);
    FILE *file = status == ERG_OK ? input_begin(folder, "window.py", err) : NULL;
    if (!file) return ERG_IO;
    fprintf(file,
            "import math, os, time\n"
            "import yade.config\n"
            "from yade import *\n"
            "page = os.sysconf('SC_PAGE_SIZE')\n"
            "def pages():\n"
            "    return int(open('/proc/self/statm').read().split()[1])\n"
            "empty = pages()\n"
            "stuff = O.materials.append(FrictMat(young=%g, poisson=%g, density=%g,\n"
            "                                    frictionAngle=math.atan(%g)))\n",
            PEER_YOUNG, PEER_POISSON, s->density, PEER_FRICTION);
    write_walls(file, s);
    write_grains(file, s);
    write_engines(file, s);
    write_beginning(file, s);
    write_timed(file);
    return input_end(file, folder, err);
}
