#include "terrain/shell.h"

#include <math.h>
#include <string.h>

enum { LEAST = 12, MOST = 192 }; // sides of a circle

// ---- Boxes -------------------------------------------------------------------------------------
static erg_status add_quad(ergi_mesh *mesh, const erg_vec3 p[4], erg_error *err)
{
    size_t     n = mesh->vertices;
    erg_status status = ERG_OK;
    for (int k = 0; k < 4 && status == ERG_OK; k++) status = ergi_mesh_add_vertex(mesh, p[k], err);
    if (status == ERG_OK) status = ergi_mesh_add_triangle(mesh, n, n + 1, n + 2, err);
    return status == ERG_OK ? ergi_mesh_add_triangle(mesh, n, n + 2, n + 3, err) : status;
}

static erg_status make_box(const ergi_surface *s, ergi_mesh *mesh, erg_error *err)
{
    static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const erg_vec3      axis[3] = {s->ex, s->ey, s->ez};
    erg_status          status = ERG_OK;
    for (int face = 0; face < 6 && status == ERG_OK; face++) {
        if (!(s->faces >> face & 1)) continue;
        int      k = face / 2, a = (k + 1) % 3, b = (k + 2) % 3;
        double   side = face % 2 ? 1 : -1;
        erg_vec3 p[4];
        for (int n = 0; n < 4; n++) {
            int m = side > 0 ? n : 3 - n; // counter-clockwise, seen from outside
            p[n] = ergi_madd(s->origin, side * s->half[k], axis[k]);
            p[n] = ergi_madd(p[n], corner[m][0] * s->half[a], axis[a]);
            p[n] = ergi_madd(p[n], corner[m][1] * s->half[b], axis[b]);
        }
        status = add_quad(mesh, p, err);
    }
    return status;
}

// ---- Surfaces of revolution --------------------------------------------------------------------
// Sides of a circle of which none is farther than `fine` from it.
static int sides_of(double radius, double fine)
{
    double angle = acos(fmax(0, 1 - fine / radius));
    return (int)fmin(fmax(ceil(ERGI_PI / angle), LEAST), MOST);
}

static erg_vec3 on_circle(const ergi_surface *s, ergi_rz at, int k, int sides)
{
    double   angle = 2 * ERGI_PI * (k % sides) / sides;
    erg_vec3 p = ergi_madd(s->origin, at.z, s->ez);
    p = ergi_madd(p, at.r * cos(angle), s->ex);
    return ergi_madd(p, at.r * sin(angle), s->ey);
}

static erg_status add_ring(const ergi_surface *s, ergi_rz a, ergi_rz b, int sides, ergi_mesh *mesh,
                           erg_error *err)
{
    erg_status status = ERG_OK;
    for (int k = 0; k < sides && status == ERG_OK; k++) {
        // The outside is on the right of the way from a to b.
        const erg_vec3 p[4] = {on_circle(s, a, k, sides), on_circle(s, a, k + 1, sides),
                               on_circle(s, b, k + 1, sides), on_circle(s, b, k, sides)};
        status = add_quad(mesh, p, err);
    }
    return status;
}

static erg_status make_revolved(const ergi_surface *s, double fine, ergi_mesh *mesh, erg_error *err)
{
    int        sides = sides_of(s->profile.r_max, fine);
    erg_status status = ERG_OK;
    for (int i = 0; i < s->profile.count && status == ERG_OK; i++) {
        const ergi_piece *piece = &s->profile.piece[i];
        int               parts = 1;
        if (piece->round)
            parts = 1 + (int)(piece->length / (2 * ERGI_PI * piece->radius) *
                              sides_of(piece->radius, fine));
        for (int k = 0; k < parts && status == ERG_OK; k++)
            status =
                add_ring(s, ergi_piece_at(piece, piece->length * k / parts),
                         ergi_piece_at(piece, piece->length * (k + 1) / parts), sides, mesh, err);
    }
    return status;
}

erg_status ergi_shell_make(const ergi_surface *surface, double fine, ergi_mesh *mesh,
                           erg_error *err)
{
    memset(mesh, 0, sizeof *mesh);
    erg_status status = surface->kind == ERGI_SURFACE_BOX ? make_box(surface, mesh, err)
                                                          : make_revolved(surface, fine, mesh, err);
    // Sides share their edges, and poles are single points.
    size_t merged;
    if (status == ERG_OK) status = ergi_mesh_weld(mesh, 1e-6 * fine, true, &merged, err);
    if (status != ERG_OK) ergi_mesh_free(mesh);
    return status;
}
