// What is tried with the bytes of a mesh file that may hold anything.
#ifndef ERG_MESH_TRIAL_H
#define ERG_MESH_TRIAL_H

#include "geom/inspect.h"
#include "io/mesh_file.h"

#include <stdlib.h>
#include <string.h>

// Stops the program when something is wrong that no sanitizer sees.
static inline void mesh_trial_demand(bool condition)
{
    if (!condition) abort();
}

static inline void mesh_trial_use(ergi_mesh *mesh)
{
    size_t                 count;
    erg_error              err;
    ergi_solid             solid;
    static erg_mesh_report report;
    ergi_mesh_weld(mesh, 1e-3, true, &count, &err);
    mesh_trial_demand(ergi_mesh_fill_holes(mesh, 8, &count, &err) == ERG_OK);
    if (ergi_solid_make(mesh, &solid, &err) != ERG_OK) return;
    mesh_trial_demand(ergi_inspect(&solid, &report, &err) == ERG_OK);
    ergi_nearest near = ergi_solid_nearest(&solid, ergi_vec3(0.1, 0.2, 0.3), HUGE_VAL);
    mesh_trial_demand(near.triangle < solid.mesh.triangles);
    mesh_trial_demand(near.distance == near.distance);
    ergi_solid_free(&solid);
}

// True: the bytes are a mesh.
static inline bool mesh_trial(ergi_mesh_format format, const uint8_t *bytes, size_t size)
{
    ergi_mesh  mesh;
    erg_error  err = {0};
    erg_status status = ergi_mesh_parse("f", format, bytes, size, &mesh, &err);
    if (status != ERG_OK) {
        mesh_trial_demand(status == ERG_BAD_INPUT && strncmp(err.text, "f:", 2) == 0);
        mesh_trial_demand(mesh.vertex == NULL && mesh.triangle == NULL);
        return false;
    }
    mesh_trial_demand(ergi_mesh_check(&mesh, &err) == ERG_OK);
    if (mesh.triangles <= 2000) mesh_trial_use(&mesh);
    ergi_mesh_free(&mesh);
    return true;
}

#endif
