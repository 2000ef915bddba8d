// Triangle meshes: files, primitive shapes, checks and distance queries. See docs/meshes.md.
//
//     erg_mesh       *mesh = NULL;
//     erg_mesh_report report;
//     if (erg_mesh_read("bunny.stl", NULL, &mesh, &err) != ERG_OK) ...
//     erg_mesh_get_report(mesh, &report, &err);
//     if (!report.solid) puts(report.problem[0].text);
//     erg_mesh_destroy(mesh);
//
// A mesh never changes after creation, so any number of threads may query it at once.
#ifndef ERG_MESH_H
#define ERG_MESH_H

#include "erg/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct erg_mesh erg_mesh;

// ---- Making ------------------------------------------------------------------------------------
typedef struct erg_mesh_def {
    double scale; // all coordinates are multiplied by this first: 0.001 for a part in
                  // millimetres; 0: the same as 1
    double merge; // vertices at most this far apart are merged; 0: none, except in STL files [m]
    size_t fill_holes; // holes with at most this many edges are closed, up to 1024; 0: none
    erg_log_fn log;    // receives messages about changes; may be NULL
    void      *log_user;
} erg_mesh_def;

ERG_API erg_mesh_def erg_mesh_def_default(void); // scale 1, no repairs

// Reads OBJ, STL (ASCII or binary) or PLY (ASCII, binary of either byte order); the file name
// extension selects the format. Polygons are triangulated. STL has no shared vertices, so equal
// positions are always merged there. A closed mesh that is inside out is flipped, with a log
// message. `def` may be NULL: the default.
ERG_API erg_status erg_mesh_read(const char *path, const erg_mesh_def *def, erg_mesh **out,
                                 erg_error *err);

// The same from arrays: x, y, z of each vertex, and three vertex indices per triangle,
// counter-clockwise seen from outside. The arrays are copied.
ERG_API erg_status erg_mesh_create(const double *xyz, size_t vertices, const uint32_t *corners,
                                   size_t triangles, const erg_mesh_def *def, erg_mesh **out,
                                   erg_error *err);

// Primitive shapes. All are closed, have their axis along z and are centred at the origin, except
// that the bucket's floor is at z = 0. Vertices of curved shapes lie on the exact surface.
typedef enum erg_primitive_kind {
    ERG_PRIMITIVE_BOX,      // size x by y by z
    ERG_PRIMITIVE_SPHERE,   // radius
    ERG_PRIMITIVE_CYLINDER, // radius, height
    ERG_PRIMITIVE_CONE,     // radius at the bottom, height; the tip is up
    ERG_PRIMITIVE_CAPSULE,  // radius; height of the straight part, between the caps' centres
    ERG_PRIMITIVE_TORUS, // radius of the ring, from its axis to the middle of its tube; thickness:
                         // the tube's diameter
    ERG_PRIMITIVE_TUBE,  // outer radius, height, wall thickness; open at both ends
    ERG_PRIMITIVE_PLATE, // size x by y, thickness along z
    ERG_PRIMITIVE_BUCKET // outer radius at the rim, height, thickness of wall and floor; `taper` is
                         // the outer radius at the bottom over that at the rim
} erg_primitive_kind;

typedef struct erg_primitive {
    erg_primitive_kind kind;
    erg_vec3           size;      // [m]
    double             radius;    // [m]
    double             height;    // [m]
    double             thickness; // [m]
    double             taper;     // of a bucket, above 0, at most 1000
    int                segments;  // around the axis, 3 to 4096; a shape has at most 2^22 triangles
} erg_primitive;

// A shape of about one metre with 48 segments.
ERG_API erg_primitive erg_primitive_default(erg_primitive_kind kind);
ERG_API const char   *erg_primitive_name(erg_primitive_kind kind);           // "bucket"; NULL: none
ERG_API bool erg_primitive_find(const char *name, erg_primitive_kind *kind); // false: no such name
ERG_API erg_status erg_mesh_primitive(const erg_primitive *shape, erg_mesh **out, erg_error *err);

ERG_API void erg_mesh_destroy(erg_mesh *mesh); // NULL is fine

// ---- Queries -----------------------------------------------------------------------------------
ERG_API const double   *erg_mesh_vertices(const erg_mesh *mesh, size_t *count);  // x, y, z of each
ERG_API const uint32_t *erg_mesh_triangles(const erg_mesh *mesh, size_t *count); // 3 vertices each

// Writes .stl (binary, positions rounded to float) or .ply (binary little endian, double).
ERG_API erg_status erg_mesh_write(const erg_mesh *mesh, const char *path, erg_error *err);

typedef enum erg_mesh_fault {
    ERG_FAULT_OPEN_EDGE,      // belongs to one triangle: the rim of a hole
    ERG_FAULT_CROWDED_EDGE,   // belongs to more than two triangles
    ERG_FAULT_TURNED,         // two neighbours are oriented differently
    ERG_FAULT_PINCHED,        // two sheets of the surface meet only in a vertex
    ERG_FAULT_NO_AREA,        // a triangle without area
    ERG_FAULT_CROSSING,       // two triangles pass through each other
    ERG_FAULT_SHELL_INVERTED, // a closed part is inside out and not the cavity of another part
    ERG_FAULT_SHELL_NESTED,   // a closed part lies inside the solid of another part
    ERG_FAULT_SHELL_UNSEEN,   // not checked: too many closed parts enclose each other
    ERG_FAULT_KINDS
} erg_mesh_fault;

typedef struct erg_mesh_problem {
    erg_mesh_fault fault;
    uint32_t       triangle; // one of the triangles affected
    uint32_t       other;    // another triangle, a vertex (open edge, pinched) or UINT32_MAX
    erg_vec3       place;    // [m]
    char           text[160];
} erg_mesh_problem;

enum { ERG_MESH_PROBLEMS = 16 };

typedef struct erg_mesh_report {
    size_t vertices, triangles, edges;
    size_t unused;   // vertices that belong to no triangle
    size_t shells;   // parts connected by edges
    bool   closed;   // no open edge
    bool   manifold; // no crowded edge, no pinched vertex
    bool   oriented; // no neighbours with different orientations
    bool   crossing; // some triangles pass through others
    bool   solid;    // closed, manifold, oriented, not crossing, no bad shell: usable as a body
    size_t faults[ERG_FAULT_KINDS]; // number of each; the search for crossings stops at the
                                    // triangle with the 1000th
    size_t           problems;      // entries of `problem`
    double           area;          // [m^2]
    double           volume;        // this, centre and inertia: only of a closed mesh [m^3]
    erg_vec3         centre;        // of the volume [m]
    double           inertia[3][3]; // about the centre, of density 1 [m^5]
    erg_vec3         low, high;     // bounding box [m]
    erg_mesh_problem problem[ERG_MESH_PROBLEMS];
} erg_mesh_report;

ERG_API erg_status erg_mesh_get_report(const erg_mesh *mesh, erg_mesh_report *report,
                                       erg_error *err);

typedef struct erg_mesh_point {
    uint32_t triangle; // UINT32_MAX: none within reach
    erg_vec3 point;    // closest point of the triangles [m]
    erg_vec3 normal;   // unit, outwards; on edges and vertices the pseudo-normal
    double   distance; // negative inside; correct only if the mesh is solid [m]
} erg_mesh_point;

// The closest point of the mesh within `reach` of p (HUGE_VAL: anywhere).
ERG_API erg_mesh_point erg_mesh_nearest(const erg_mesh *mesh, erg_vec3 p, double reach);

#ifdef __cplusplus
}
#endif
#endif
