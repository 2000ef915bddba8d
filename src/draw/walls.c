// Walls as meshes, their edges as thin lines, and the ground.
#include "base/hash.h"
#include "base/memory.h"
#include "draw/colours.h"
#include "draw/picture.h"
#include "geom/vec3.h"

enum { AROUND = 96, BUMPS = 40000 };

typedef struct builder {
    erg_picture *p;
    erg_error   *err;
    erg_status   status;
    erg_id       wall; // that is being built; 0: the ground
} builder;

// ---- Meshes ------------------------------------------------------------------------------------
static void begin_sheet(builder *b, ergi_sheet_kind kind, uint32_t colour)
{
    erg_picture *p = b->p;
    if (b->status == ERG_OK)
        b->status = ergi_memory_grow(&p->sheets, &p->sheet_room, p->sheet_count + 1,
                                     sizeof *p->sheets, "walls of a picture", b->err);
    if (b->status == ERG_OK)
        p->sheets[p->sheet_count++] = (ergi_sheet){kind, colour, p->corner_count, 0, b->wall};
}

static void add_corner(builder *b, erg_vec3 at, erg_vec3 normal)
{
    erg_picture *p = b->p;
    if (b->status == ERG_OK)
        b->status = ergi_memory_grow(&p->corners, &p->corner_room, p->corner_count + 1,
                                     sizeof *p->corners, "walls of a picture", b->err);
    if (b->status != ERG_OK) return;
    at = ergi_sub(at, p->origin);
    p->corners[p->corner_count++] =
        (ergi_corner){{(float)at.x, (float)at.y, (float)at.z},
                      {(float)normal.x, (float)normal.y, (float)normal.z}};
    p->sheets[p->sheet_count - 1].count++;
}

// Corners in the order a b c, a c d.
static void add_quad(builder *b, const erg_vec3 at[4], const erg_vec3 normal[4])
{
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6; i++) add_corner(b, at[order[i]], normal[order[i]]);
}

static void add_edge(builder *b, erg_vec3 from, erg_vec3 to, bool glass)
{
    uint32_t colour =
        glass ? ergi_colour_pack(0.40, 0.48, 0.50, 0.45) : ergi_colour_pack(0.25, 0.25, 0.27, 0.4);
    if (b->status == ERG_OK && !ergi_picture_cuts_off(b->p, from, 0) &&
        !ergi_picture_cuts_off(b->p, to, 0))
        b->status = ergi_picture_add_ribbon(b->p, from, to, 0, colour, b->err);
}

// ---- Boxes and patches -------------------------------------------------------------------------
static erg_vec3 in_frame(const erg_wall_surface *s, double x, double y, double z)
{
    erg_vec3 q = ergi_madd(s->origin, x, s->ex);
    return ergi_madd(ergi_madd(q, y, s->ey), z, s->ez);
}

static void add_box(builder *b, const erg_wall_surface *s, bool glass)
{
    const erg_vec3 *axis[3] = {&s->ex, &s->ey, &s->ez};
    bool            edge[3][4] = {{false}}; // along an axis, at the sides of the other two
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
                at[c] = in_frame(s, q[0], q[1], q[2]);
                normal[c] = n;
            }
            add_quad(b, at, normal);
            for (int other = 0; other < 2; other++) {
                edge[u][side * 2 + other] = true; // k is the second axis after u: (v, k)
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
            erg_vec3 from = in_frame(s, q[0], q[1], q[2]);
            q[k] = s->half[k];
            add_edge(b, from, in_frame(s, q[0], q[1], q[2]), glass);
        }
}

// How far the picture reaches on a plane, along ex and ey.
static void reach_on(const erg_picture *p, const erg_wall_surface *s, double low[2], double high[2])
{
    low[0] = low[1] = HUGE_VAL;
    high[0] = high[1] = -HUGE_VAL;
    for (int corner = 0; corner < 8; corner++) {
        erg_vec3 q = {corner & 1 ? p->bounds.high.x : p->bounds.low.x,
                      corner & 2 ? p->bounds.high.y : p->bounds.low.y,
                      corner & 4 ? p->bounds.high.z : p->bounds.low.z};
        erg_vec3 d = ergi_sub(q, s->origin);
        double   at[2] = {ergi_dot(d, s->ex), ergi_dot(d, s->ey)};
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
}

// A plane has no end; in the picture it reaches as far as the rest, or as the periodic box.
static void add_patch(builder *b, const erg_wall_surface *s, const double low[2],
                      const double high[2])
{
    erg_vec3 at[4], normal[4];
    for (int c = 0; c < 4; c++) {
        at[c] = in_frame(s, c == 1 || c == 2 ? high[0] : low[0], c >= 2 ? high[1] : low[1], 0);
        normal[c] = ergi_scale(s->ez, -1);
    }
    add_quad(b, at, normal);
    for (int c = 0; c < 4; c++) add_edge(b, at[c], at[(c + 1) % 4], false);
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
    // Of a half circle the two ways are equally long; no part of a profile is left of the axis.
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

static void add_band(builder *b, const erg_wall_surface *s, ring p, ring q)
{
    for (int i = 0; i < AROUND; i++) {
        erg_vec3    e[2] = {around(s, i), around(s, i + 1)}, at[4], normal[4];
        const ring *corner[4] = {&p, &p, &q, &q};
        for (int c = 0; c < 4; c++) {
            erg_vec3 out = e[c == 1 || c == 2];
            at[c] = ergi_madd(ergi_madd(s->origin, corner[c]->r, out), corner[c]->z, s->ez);
            normal[c] = ergi_add(ergi_scale(out, corner[c]->nr), ergi_scale(s->ez, corner[c]->nz));
        }
        add_quad(b, at, normal);
    }
}

static void add_circle(builder *b, const erg_wall_surface *s, double r, double z, bool glass)
{
    if (!(r > 0)) return;
    erg_vec3 centre = ergi_madd(s->origin, z, s->ez);
    for (int i = 0; i < AROUND; i++)
        add_edge(b, ergi_madd(centre, r, around(s, i)), ergi_madd(centre, r, around(s, i + 1)),
                 glass);
}

static void add_revolved(builder *b, const erg_wall_surface *s, bool glass)
{
    for (int i = 0; i < s->piece_count; i++) {
        const erg_outline_piece *p = &s->piece[i];
        int                      steps = p->round ? 24 : 1;
        for (int k = 0; k < steps; k++)
            add_band(b, s, ring_at(p, (double)k / steps), ring_at(p, (double)(k + 1) / steps));
        // An edge where the surface ends or turns sharply.
        ring before = i > 0 ? ring_at(p - 1, 1) : (ring){0}, here = ring_at(p, 0);
        if (before.nr * here.nr + before.nz * here.nz < 0.8)
            add_circle(b, s, here.r, here.z, glass);
        if (i == s->piece_count - 1) add_circle(b, s, p->r_b, p->z_b, glass);
    }
}

// ---- Bumps of rough planes ---------------------------------------------------------------------
static void add_bumps(builder *b, const erg_wall_surface *s, const char *material,
                      const double low[2], const double high[2], bool disc)
{
    double step = s->rough.spacing, r = s->rough.radius;
    if (!(step > 0) || !((high[0] - low[0]) * (high[1] - low[1]) < BUMPS * step * step)) return;
    double middle[2] = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])};
    double half = 0.5 * fmax(high[0] - low[0], high[1] - low[1]);
    for (double i = ceil(low[0] / step - 1e-9); i * step <= high[0] + 1e-9 * step; i++)
        for (double j = ceil(low[1] / step - 1e-9); j * step <= high[1] + 1e-9 * step; j++) {
            erg_vec3 at = in_frame(s, i * step, j * step, 0);
            uint32_t jitter = 1 + (uint32_t)ergi_mix64((uint64_t)(int64_t)(i * 7919 + j * 104729));
            if (disc && hypot(i * step - middle[0], j * step - middle[1]) > half) continue;
            if (b->status != ERG_OK) return;
            b->status = ergi_picture_cuts_off(b->p, at, r)
                            ? ergi_picture_leave_out_ball(b->p, at, r, b->err)
                            : ergi_picture_add_ball(b->p, at, r, ergi_colour_wall(material, jitter),
                                                    b->err);
        }
}

// ---- Planes and ground -------------------------------------------------------------------------
static bool is_level(const erg_picture *p, const erg_wall_surface *s)
{
    return s->kind == ERG_SURFACE_PLANE && ergi_dot(s->ez, p->up) > 0.9999;
}

static bool is_periodic(const erg_world *world)
{
    erg_world_def def = erg_world_get_def(world);
    return def.periodic_x || def.periodic_y;
}

static void add_plane(builder *b, const erg_world *world, const erg_wall_surface *s,
                      const char *material)
{
    double        low[2], high[2];
    erg_world_def def = erg_world_get_def(world);
    bool          disc = is_level(b->p, s) && !is_periodic(world);
    reach_on(b->p, s, low, high);
    if (def.periodic_x && fabs(s->ex.x) > 0.99) {
        low[0] = fmin((def.lower.x - s->origin.x) * s->ex.x, (def.upper.x - s->origin.x) * s->ex.x);
        high[0] =
            fmax((def.lower.x - s->origin.x) * s->ex.x, (def.upper.x - s->origin.x) * s->ex.x);
    }
    if (def.periodic_y && fabs(s->ey.y) > 0.99) {
        low[1] = fmin((def.lower.y - s->origin.y) * s->ey.y, (def.upper.y - s->origin.y) * s->ey.y);
        high[1] =
            fmax((def.lower.y - s->origin.y) * s->ey.y, (def.upper.y - s->origin.y) * s->ey.y);
    }
    if (disc && s->rough.spacing > 0) { // a rough plate is somewhat larger than what lies on it
        for (int k = 0; k < 2; k++) {
            double middle = 0.5 * (low[k] + high[k]), half = 0.52 * (high[k] - low[k]);
            low[k] = middle - half;
            high[k] = middle + half;
        }
    }
    if (!disc) {
        begin_sheet(b, ergi_is_glass(material) ? ERGI_SHEET_GLASS : ERGI_SHEET_VESSEL,
                    ergi_colour_wall(material, 0));
        add_patch(b, s, low, high);
    }
    add_bumps(b, s, material, low, high, disc);
}

static void add_ground(builder *b, uint32_t colour)
{
    erg_picture *p = b->p;
    erg_vec3     centre, n = p->up;
    double       radius;
    erg_picture_ball(p, &centre, &radius);
    centre = ergi_madd(centre, p->ground - ergi_dot(centre, n), n);
    erg_vec3 u = ergi_perpendicular(n), v = ergi_cross(n, u);
    begin_sheet(b, ERGI_SHEET_GROUND, colour);
    for (int i = 0; i < AROUND; i++) {
        double a = 2 * ERGI_PI * i / AROUND, c = 2 * ERGI_PI * (i + 1) / AROUND, far = 40 * radius;
        erg_vec3 from = ergi_add(ergi_scale(u, far * cos(a)), ergi_scale(v, far * sin(a)));
        erg_vec3 to = ergi_add(ergi_scale(u, far * cos(c)), ergi_scale(v, far * sin(c)));
        add_corner(b, centre, n);
        add_corner(b, ergi_add(centre, from), n);
        add_corner(b, ergi_add(centre, to), n);
    }
}

static double lowest(const erg_picture *p)
{
    double low = HUGE_VAL;
    for (int corner = 0; corner < 8; corner++)
        low =
            fmin(low, ergi_dot(p->up, ergi_vec3(corner & 1 ? p->bounds.high.x : p->bounds.low.x,
                                                corner & 2 ? p->bounds.high.y : p->bounds.low.y,
                                                corner & 4 ? p->bounds.high.z : p->bounds.low.z)));
    return low;
}

// The lowest level plane, or a floor of the studio below everything.
static void choose_ground(builder *b, double plane, uint32_t colour)
{
    erg_picture *p = b->p;
    p->has_ground = p->look.ground != ERG_GROUND_NONE;
    p->ground = p->look.ground_height;
    if (p->look.ground == ERG_GROUND_AUTO) {
        p->ground = plane;
        if (!(plane < HUGE_VAL)) {
            p->ground_so_far = fmin(p->ground_so_far, lowest(p));
            p->ground = p->ground_so_far;
        }
    }
    if (p->has_ground) add_ground(b, colour);
}

static void add_wall(builder *b, const erg_world *world, const erg_wall_surface *s,
                     const char *material)
{
    bool glass = ergi_is_glass(material);
    if (s->kind == ERG_SURFACE_MESH) return; // a prop: bodies.c
    if (s->kind == ERG_SURFACE_PLANE) {
        add_plane(b, world, s, material);
        return;
    }
    begin_sheet(b,
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
    builder  b = {p, err, ERG_OK, 0};
    double   plane = HUGE_VAL;
    uint32_t colour = ergi_colour_pack(0.69, 0.665, 0.63, 1);
    for (erg_id id = 1; id <= erg_world_wall_count(world) && b.status == ERG_OK; id++) {
        erg_wall_surface s;
        b.wall = id;
        b.status = erg_world_wall_surface(world, id, moment ? moment->time : (double)NAN, &s, err);
        if (b.status != ERG_OK) break;
        const char *material = erg_world_material_name(world, s.material);
        add_wall(&b, world, &s, material ? material : "");
        if (is_level(p, &s) && !is_periodic(world)) plane = fmin(plane, ergi_dot(s.origin, p->up));
    }
    b.wall = 0;
    choose_ground(&b, plane, colour);
    p->edge_count = p->ribbon_count;
    return b.status;
}
