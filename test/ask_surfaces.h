// The queries of test_queries.c, in the common subset of C, C++ and CUDA: this header is compiled
// as each of them (test_headers.sh), and the results must be the same bits.
#ifndef ERG_ASK_SURFACES_H
#define ERG_ASK_SURFACES_H

#include "geom/query.h"
#include "geom/query_field.h"
#include "law/contact.h"

// Laws, surfaces and a field as flat data, made by the library.
typedef struct ask_things {
    const ergi_surface        *surface;
    size_t                     surfaces;
    const ergi_distance_field *field;
    double                     reach; // [m]
    ergi_placement             moved; // a second placement of the surfaces
} ask_things;

enum {
    ASK_HITS = 6, // the first ones of each surface
    ASK_HIT = 10,
    ASK_MOVED = 2 + ASK_HIT * (1 + ASK_HITS),
    ASK_NUMBERS = ASK_MOVED + 2 + 2 * ASK_HIT, // numbers per result
    ASK_LAWS = 4 * 8
};

// Results for `points` points, each for all laws, surfaces and the field. False: not supported on
// this machine.
typedef bool ask_fn(const ask_things *things, const erg_vec3 *point, size_t points, double *out);

ERG_INLINE size_t ask_count(const ask_things *things)
{
    return ASK_LAWS + things->surfaces + 1;
}

ERG_INLINE void ask_write_hit(ergi_surface_hit hit, double *out)
{
    out[0] = hit.feature;
    out[1] = hit.gap;
    out[2] = hit.normal.x;
    out[3] = hit.normal.y;
    out[4] = hit.normal.z;
    out[5] = hit.curvature;
    out[6] = hit.point.x;
    out[7] = hit.point.y;
    out[8] = hit.point.z;
    out[9] = hit.others;
}

ERG_INLINE void ask_surface(const ergi_surface *surface, const ergi_placement *moved, erg_vec3 p,
                            double reach, double *out)
{
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    int              count = ergi_query_hits(surface, p, reach, hits);
    out[0] = count;
    out[1] = ergi_query_far(surface, p, reach);
    ask_write_hit(ergi_query_nearest(surface, p), out + 2);
    for (int i = 0; i < count && i < ASK_HITS; i++)
        ask_write_hit(hits[i], out + 2 + ASK_HIT * (1 + i));
    count = ergi_query_placed_hits(surface, moved, p, reach, hits);
    out[ASK_MOVED] = count;
    out[ASK_MOVED + 1] = ergi_query_placed_far(surface, moved, p, reach);
    ask_write_hit(ergi_query_placed_nearest(surface, moved, p), out + ASK_MOVED + 2);
    if (count > 0) ask_write_hit(hits[count - 1], out + ASK_MOVED + 2 + ASK_HIT);
}

ERG_INLINE void ask_field(const ergi_distance_field *field, erg_vec3 p, double reach, double *out)
{
    erg_vec3         gradient;
    bool             near;
    ergi_surface_hit hit;
    out[2] = ergi_distance_field_at(field, p, &gradient, &near);
    out[3] = gradient.x;
    out[4] = gradient.y;
    out[5] = gradient.z;
    out[1] = near;
    if (!ergi_distance_field_hit(field, p, reach, &hit)) return;
    out[0] = 1;
    ask_write_hit(hit, out + 2 + ASK_HIT);
}

// The force of a contact whose normal is the direction of p.
ERG_INLINE void ask_law(int which, erg_vec3 p, double *out)
{
    int           normal = which % 4, tangential = which / 4;
    erg_vec3      n = ergi_normalize(p);
    ergi_vec      along = {(erg_real)n.x, (erg_real)n.y, (erg_real)n.z};
    ergi_vec      v = {(erg_real)p.y, (erg_real)p.z, (erg_real)p.x}, spin = ergi_vec_scale(3, v);
    ergi_vec      slide = ergi_vec_scale(ERGI_R(1e-5), ergi_vec_tangent(v, along));
    ergi_pair_law law = {normal,      tangential,  ERGI_R(0.4),  ERGI_R(0.5),
                         ERGI_R(0.1), ERGI_R(0.3), ERGI_R(0.05), ERGI_R(1e4)};
    ergi_coef     coef = {ERGI_R(1e5), ERGI_R(10), ERGI_R(8e4), ERGI_R(5)};
    ergi_contact_kinematics touch = {along,        ERGI_R(1e-4), v,    spin,
                                     ERGI_R(1e-2), ERGI_R(1e-5), false};
    ergi_contact_history    memory = {slide, slide};
    ergi_contact_force      push =
        ergi_contact_evaluate(normal, tangential, true, true, law, coef, touch, memory);
    out[0] = (double)push.normal;
    out[1] = (double)push.force.x;
    out[2] = (double)push.force.y;
    out[3] = (double)push.force.z;
    out[4] = (double)push.couple.x;
    out[5] = (double)push.history.slide.x;
    out[6] = (double)push.history.roll.z;
    out[7] = (double)ergi_contact_energy(normal, tangential, true, true, law, coef, touch, memory);
}

ERG_INLINE void ask(const ask_things *things, size_t thing, erg_vec3 p, double out[ASK_NUMBERS])
{
    for (int i = 0; i < ASK_NUMBERS; i++) out[i] = 0.0;
    if (thing < ASK_LAWS)
        ask_law((int)thing, p, out);
    else if (thing < ASK_LAWS + things->surfaces)
        ask_surface(&things->surface[thing - ASK_LAWS], &things->moved, p, things->reach, out);
    else
        ask_field(things->field, p, things->reach, out);
}

ERG_INLINE void ask_all(const ask_things *things, const erg_vec3 *point, size_t points, double *out)
{
    size_t each = ask_count(things);
    for (size_t i = 0; i < points; i++)
        for (size_t k = 0; k < each; k++)
            ask(things, k, point[i], out + ASK_NUMBERS * (each * i + k));
}

#endif
