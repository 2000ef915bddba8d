// Reports scene keys that the chosen solver ignores. They are not rejected, so that one file runs
// on every solver, but the user is told that they have no effect.
#include <stdio.h>

#include "scene/scene_def.h"
#include "scene/scene_unused.h"
#include "scene/tree.h"

typedef struct unused_key {
    const char *block, *key; // block "materials" or "pairs": any entry
    const char *why;
} unused_key;

static const char hard[] = "contacts are hard";
static const char own[] = "the contact has the solver's own law";

static const unused_key pbd_keys[] = {
    {"materials", "young", hard},
    {"materials", "poisson", hard},
    {"pairs", "normal", own},
    {"pairs", "tangential", own},
    {"contact", "normal", own},
    {"contact", "tangential", own},
    {"contact", "reference_speed", "restitution is the same at all speeds"},
    {"contact", "contact_time", hard},
    {"contact", "tangential_ratio", hard},
    {"contact", "tangential_damping", hard},
    {"contact", "tangential_viscosity", hard},
    {"contact", "rolling_damping", hard},
    {"run", "dt_factor", "the substep follows from size and speed of the grains"},
    {"run", "integrator", "positions come from the constraints"},
    {"run", "tolerance", "positions come from the constraints"},
    {"run", "speed", "the substep follows the speed there is"},
    {"run", "max_overlap", "deep overlap is taken away, not forbidden"},
    {"run", "spin_damping", "it is not offered"},
    {"run", "precision", "contacts are computed in single precision"},
    {"run", "energy", "contacts hold no energy, and what they dissipate is not added up"},
};

static const char averaged[] = "contacts are positions that are averaged";

static const unused_key sommer_keys[] = {
    {"materials", "restitution", averaged},
    {"pairs", "restitution", averaged},
    {"materials", "rolling", "single grains do not turn"},
    {"pairs", "rolling", "single grains do not turn"},
    {"materials", "twisting", "single grains do not turn"},
    {"pairs", "twisting", "single grains do not turn"},
    {"materials", "cohesion", "contacts only push"},
    {"pairs", "cohesion", "contacts only push"},
    {"run", "orient_spheres", "single grains do not turn"},
    {"bodies", "contact", "samples of the size of the smallest grain cover every body"},
    {"bodies", "sphere_radius", "samples of the size of the smallest grain cover every body"},
};

static const unused_key given_keys[] = {
    {"pbd", "substeps", "that fixes the length of the substep"},
};

static const unused_key erg_keys[] = {
    {"pbd", "mass_scaling", "it belongs to variant sommer"},
    {"pbd", "friction_limit", "it belongs to variant sommer"},
};

// The key in the block or, if the block holds entries, in any of them; NULL if absent.
static const ergi_node *find_key(const ergi_node *root, const unused_key *k)
{
    const ergi_node *block = ergi_node_find(root, k->block);
    if (!block) return NULL;
    const ergi_node *direct = ergi_node_find(block, k->key);
    for (const ergi_node *entry = block->first; entry && !direct; entry = entry->next)
        if (entry->kind == ERGI_NODE_MAP) direct = ergi_node_find(entry, k->key);
    return direct;
}

static void note(const erg_scene *scene, const erg_world_def *def, const unused_key *keys,
                 size_t count, const char *solver)
{
    for (size_t i = 0; i < count; i++) {
        const unused_key *k = &keys[i];
        char              text[256];
        if (!find_key(scene->root, k)) continue;
        snprintf(text, sizeof text, "%s: %s means nothing to solver %s: %s", k->block, k->key,
                 solver, k->why);
        def->log(def->log_user, ERG_LOG_INFO, text);
    }
}

void ergi_scene_note_unused(const erg_scene *scene, const erg_world_def *def)
{
    if (def->solver != ERG_SOLVER_PBD || !def->log) return;
    note(scene, def, pbd_keys, sizeof pbd_keys / sizeof *pbd_keys, "pbd");
    if (def->dt > 0)
        note(scene, def, given_keys, sizeof given_keys / sizeof *given_keys, "pbd beside run.dt");
    if (def->pbd.variant == ERG_PBD_SOMMER)
        note(scene, def, sommer_keys, sizeof sommer_keys / sizeof *sommer_keys,
             "pbd with variant sommer");
    else
        note(scene, def, erg_keys, sizeof erg_keys / sizeof *erg_keys, "pbd with variant erg");
}
