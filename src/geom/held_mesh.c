#include "geom/held_mesh.h"

#include "base/memory.h"

// The reference count is not part of the mesh's value, so callers may hold the mesh as const.
static erg_mesh *mutable_mesh(const erg_mesh *mesh)
{
    return (erg_mesh *)(uintptr_t)mesh;
}

const erg_mesh *ergi_mesh_retain(const erg_mesh *mesh)
{
    atomic_fetch_add_explicit(&mutable_mesh(mesh)->holders, 1, memory_order_relaxed);
    return mesh;
}

void ergi_mesh_release(const erg_mesh *mesh)
{
    erg_mesh *m = mutable_mesh(mesh);
    if (!m || atomic_fetch_sub_explicit(&m->holders, 1, memory_order_acq_rel) != 1) return;
    ergi_solid_free(&m->solid);
    ergi_memory_free(m);
}
