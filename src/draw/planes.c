// Plane walls in a picture, and the bumps of rough ones.
#include "base/hash.h"
#include "base/memory.h"
#include "draw/colours.h"
#include "draw/sheets.h"
#include "geom/vec3.h"

enum { BUMPS = 40000 }; // limit: more are not drawn

bool ergi_is_floor(const erg_picture *p, const erg_world *world, const erg_wall_surface *s)
{
    erg_world_def def = erg_world_get_def(world);
    return s->kind == ERG_SURFACE_PLANE && ergi_dot(s->ez, p->up) > 0.9999 && !def.periodic_x &&
           !def.periodic_y;
}

// Extent of the picture on a plane, along ex and ey.
static void extent_on(const erg_picture *p, const erg_wall_surface *s, double low[2],
                      double high[2])
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

// An infinite plane is drawn as far as the rest of the picture, or the periodic box, extends.
static void add_patch(ergi_sheets *b, const erg_wall_surface *s, const double low[2],
                      const double high[2])
{
    erg_vec3 at[4], normal[4];
    for (int c = 0; c < 4; c++) {
        at[c] = ergi_in_frame(s, c == 1 || c == 2 ? high[0] : low[0], c >= 2 ? high[1] : low[1], 0);
        normal[c] = ergi_scale(s->ez, -1);
    }
    ergi_sheet_quad(b, at, normal);
    for (int c = 0; c < 4; c++) ergi_sheet_edge(b, at[c], at[(c + 1) % 4], false);
}

static void add_bumps(ergi_sheets *b, const erg_wall_surface *s, const char *material,
                      const double low[2], const double high[2], bool disc)
{
    double step = s->rough.spacing, r = s->rough.radius;
    if (!(step > 0) || !((high[0] - low[0]) * (high[1] - low[1]) < BUMPS * step * step)) return;
    double middle[2] = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])};
    double half = 0.5 * fmax(high[0] - low[0], high[1] - low[1]);
    for (double i = ceil(low[0] / step - 1e-9); i * step <= high[0] + 1e-9 * step; i++)
        for (double j = ceil(low[1] / step - 1e-9); j * step <= high[1] + 1e-9 * step; j++) {
            erg_vec3 at = ergi_in_frame(s, i * step, j * step, 0);
            uint32_t jitter = 1 + (uint32_t)ergi_mix64((uint64_t)(int64_t)(i * 7919 + j * 104729));
            if (disc && hypot(i * step - middle[0], j * step - middle[1]) > half) continue;
            if (b->status != ERG_OK) return;
            b->status = ergi_picture_cuts_off(b->p, at, r)
                            ? ergi_picture_leave_out_sphere(b->p, at, r, b->err)
                            : ergi_picture_add_sphere(b->p, at, r,
                                                      ergi_colour_wall(material, jitter), b->err);
        }
}

static void store_plane(ergi_sheets *b, const erg_wall_surface *s)
{
    erg_picture *p = b->p;
    if (b->status == ERG_OK)
        b->status = ergi_memory_grow(&p->planes, &p->plane_room, p->plane_count + 1,
                                     sizeof *p->planes, "walls of a picture", b->err);
    if (b->status == ERG_OK)
        p->planes[p->plane_count++] = (ergi_plane){s->origin, s->ez, s->side == ERG_SIDE_BOTH};
}

void ergi_add_plane(ergi_sheets *b, const erg_world *world, const erg_wall_surface *s,
                    const char *material)
{
    double        low[2], high[2];
    erg_world_def def = erg_world_get_def(world);
    bool          disc = ergi_is_floor(b->p, world, s);
    store_plane(b, s);
    extent_on(b->p, s, low, high);
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
    if (disc && s->rough.spacing > 0) { // a rough plate extends slightly beyond what lies on it
        for (int k = 0; k < 2; k++) {
            double middle = 0.5 * (low[k] + high[k]), half = 0.52 * (high[k] - low[k]);
            low[k] = middle - half;
            high[k] = middle + half;
        }
    }
    if (!disc) {
        ergi_sheet_begin(b, ergi_is_glass(material) ? ERGI_SHEET_GLASS : ERGI_SHEET_VESSEL,
                         ergi_colour_wall(material, 0));
        add_patch(b, s, low, high);
    }
    add_bumps(b, s, material, low, high, disc);
}
