// Walls as meshes with edges as thin lines: boxes and surfaces of revolution. Planes and ground
// have their own files.
#include "draw/colours.h"
#include "draw/sheets.h"
#include "geom/vec3.h"

enum { AROUND = 96 };

// ---- Boxes -------------------------------------------------------------------------------------
static void add_box(ergi_sheets *b, const erg_wall_surface *s, bool glass)
{
    const erg_vec3 *axis[3] = {&s->ex, &s->ey, &s->ez};
    bool            edge[3][4] = {{false}}; // by axis, and by the sides along the other two
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 2; side++) {
            if (!(s->faces >> (2 * k + side) & 1u)) continue;
            int      u = (k + 1) % 3, v = (k + 2) % 3;
            erg_vec3 n = ergi_scale(*axis[k], side ? 1 : -1), at[4], normal[4];
            for (int c = 0; c < 4; c++) {
                double q[3];
                q[k] = (side ? 1 : -1) * s->half[k];
                q[u] = (c == 1 || c == 2 ? 1 : -1) * s->half[u];
                q[v] = (c >= 2 ? 1 : -1) * s->half[v];
                at[c] = ergi_in_frame(s, q[0], q[1], q[2]);
                normal[c] = n;
            }
            ergi_sheet_quad(b, at, normal);
            for (int other = 0; other < 2; other++) {
                edge[u][side * 2 + other] = true; // the other two axes of u are (v, k)
                edge[v][other * 2 + side] = true;
            }
        }
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 4; c++) {
            if (!edge[k][c]) continue;
            int    u = (k + 1) % 3, v = (k + 2) % 3;
            double q[3];
            q[u] = (c & 1 ? 1 : -1) * s->half[u];
            q[v] = (c & 2 ? 1 : -1) * s->half[v];
            q[k] = -s->half[k];
            erg_vec3 from = ergi_in_frame(s, q[0], q[1], q[2]);
            q[k] = s->half[k];
            ergi_sheet_edge(b, from, ergi_in_frame(s, q[0], q[1], q[2]), glass);
        }
}

// ---- Surfaces of revolution --------------------------------------------------------------------
typedef struct ring {
    double r, z;   // [m]
    double nr, nz; // outwards
} ring;

static ring ring_at(const erg_outline_piece *p, double share)
{
    double tr = p->r_b - p->r_a, tz = p->z_b - p->z_a;
    if (!p->round) {
        double length = hypot(tr, tz);
        return (ring){p->r_a + share * tr, p->z_a + share * tz, tz / length, -tr / length};
    }
    double radius = hypot(p->r_a - p->r_c, p->z_a - p->z_c);
    double from = atan2(p->z_a - p->z_c, p->r_a - p->r_c);
    double turn = atan2(p->z_b - p->z_c, p->r_b - p->r_c) - from;
    turn -= 2 * ERGI_PI * nearbyint(turn / (2 * ERGI_PI));
    // The two arcs of a half circle are equally long; take the one with r >= 0.
    if (fabs(fabs(turn) - ERGI_PI) < 1e-6 && p->r_c + radius * cos(from + 0.5 * turn) < 0)
        turn = -turn;
    double angle = from + share * turn, sign = turn > 0 ? 1 : -1;
    return (ring){p->r_c + radius * cos(angle), p->z_c + radius * sin(angle), sign * cos(angle),
                  sign * sin(angle)};
}

static erg_vec3 around(const erg_wall_surface *s, int i)
{
    double phi = 2 * ERGI_PI * (i % AROUND) / AROUND;
    return ergi_add(ergi_scale(s->ex, cos(phi)), ergi_scale(s->ey, sin(phi)));
}

static void add_band(ergi_sheets *b, const erg_wall_surface *s, ring p, ring q)
{
    for (int i = 0; i < AROUND; i++) {
        erg_vec3    e[2] = {around(s, i), around(s, i + 1)}, at[4], normal[4];
        const ring *corner[4] = {&p, &p, &q, &q};
        for (int c = 0; c < 4; c++) {
            erg_vec3 out = e[c == 1 || c == 2];
            at[c] = ergi_madd(ergi_madd(s->origin, corner[c]->r, out), corner[c]->z, s->ez);
            normal[c] = ergi_add(ergi_scale(out, corner[c]->nr), ergi_scale(s->ez, corner[c]->nz));
        }
        ergi_sheet_quad(b, at, normal);
    }
}

static void add_circle(ergi_sheets *b, const erg_wall_surface *s, double r, double z, bool glass)
{
    if (!(r > 0)) return;
    erg_vec3 centre = ergi_madd(s->origin, z, s->ez);
    for (int i = 0; i < AROUND; i++)
        ergi_sheet_edge(b, ergi_madd(centre, r, around(s, i)),
                        ergi_madd(centre, r, around(s, i + 1)), glass);
}

static void add_revolved(ergi_sheets *b, const erg_wall_surface *s, bool glass)
{
    for (int i = 0; i < s->piece_count; i++) {
        const erg_outline_piece *p = &s->piece[i];
        int                      steps = p->round ? 24 : 1;
        for (int k = 0; k < steps; k++)
            add_band(b, s, ring_at(p, (double)k / steps), ring_at(p, (double)(k + 1) / steps));
        // An edge where the surface ends or has a sharp angle.
        ring before = i > 0 ? ring_at(p - 1, 1) : (ring){0}, here = ring_at(p, 0);
        if (before.nr * here.nr + before.nz * here.nz < 0.8)
            add_circle(b, s, here.r, here.z, glass);
        if (i == s->piece_count - 1) add_circle(b, s, p->r_b, p->z_b, glass);
    }
}

// ---- All walls ---------------------------------------------------------------------------------
static void add_wall(ergi_sheets *b, const erg_world *world, const erg_wall_surface *s,
                     const char *material)
{
    bool glass = ergi_is_glass(material);
    if (s->kind == ERG_SURFACE_MESH || s->kind == ERG_SURFACE_TERRAIN)
        return; // drawn as props (bodies.c)
    if (s->kind == ERG_SURFACE_PLANE) {
        ergi_add_plane(b, world, s, material);
        return;
    }
    ergi_sheet_begin(b,
                     glass                         ? ERGI_SHEET_GLASS
                     : s->side == ERG_SIDE_OUTSIDE ? ERGI_SHEET_SOLID
                                                   : ERGI_SHEET_VESSEL,
                     ergi_colour_wall(material, 0));
    if (s->kind == ERG_SURFACE_BOX)
        add_box(b, s, glass);
    else
        add_revolved(b, s, glass);
}

erg_status ergi_picture_walls(erg_picture *p, const erg_world *world, const erg_moment *moment,
                              erg_error *err)
{
    ergi_sheets b = {p, err, ERG_OK, 0};
    double      floor = HUGE_VAL;
    for (erg_id id = 1; id <= erg_world_wall_count(world) && b.status == ERG_OK; id++) {
        erg_wall_surface s;
        b.wall = id;
        b.status = erg_world_wall_surface(world, id, moment ? moment->time : (double)NAN, &s, err);
        if (b.status != ERG_OK) break;
        const char *material = erg_world_material_name(world, s.material);
        add_wall(&b, world, &s, material ? material : "");
        if (ergi_is_floor(p, world, &s)) floor = fmin(floor, ergi_dot(s.origin, p->up));
    }
    b.wall = 0;
    ergi_add_ground(&b, floor);
    p->edge_count = p->ribbon_count;
    return b.status;
}
