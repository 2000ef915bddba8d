// Plays the spreading of samples over a mesh, shown as triangles or distance field: one moment per
// move.
#include "engine.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MOVE = 1.0 / 15; // window time per move [s]
static const double DOT = 0.35;      // of the radius, so that the surface shows between the spheres

typedef struct mesh_engine {
    view_engine     base;
    const erg_mesh *mesh;
    erg_sample_def  def;    // radius 0: triangles only
    erg_sdf        *field;  // NULL: the mesh is not closed, or there are no samples
    erg_spread     *spread; // NULL: no samples
    erg_world      *world;  // empty
    double         *position, *radius;
    size_t          moments, spheres;
    double          at; // [s]
} mesh_engine;

static void close_mesh(mesh_engine *e)
{
    erg_sdf_destroy(e->field);
    erg_spread_destroy(e->spread);
    erg_world_destroy(e->world);
    free(e->position);
    free(e->radius);
    e->field = NULL;
    e->spread = NULL;
    e->world = NULL;
    e->position = e->radius = NULL;
}

// An open mesh has no field; its triangles are shown instead.
static erg_status make_field(mesh_engine *e, erg_error *err)
{
    erg_mesh_report report;
    erg_status      status = erg_mesh_get_report(e->mesh, &report, err);
    if (status != ERG_OK || !report.closed || !report.oriented || !report.manifold) return status;
    erg_sdf_def def = erg_sdf_def_under(&e->def);
    return erg_sdf_create(e->mesh, &def, &e->field, err);
}

static erg_status make_samples(mesh_engine *e, erg_error *err)
{
    erg_status status = erg_spread_record(e->mesh, &e->def, &e->spread, err);
    if (status != ERG_OK) return status;
    size_t most = erg_spread_most(e->spread);
    e->moments = erg_spread_count(e->spread);
    e->position = malloc((3 * most + 1) * sizeof *e->position);
    e->radius = malloc((most + 1) * sizeof *e->radius);
    if (!e->position || !e->radius) return ergi_fail_memory(err, 32 * most, "samples");
    for (size_t i = 0; i < most; i++) e->radius[i] = DOT * e->def.radius;
    return ERG_OK;
}

static erg_status open_mesh(view_engine *base, erg_error *err)
{
    mesh_engine  *e = (mesh_engine *)base;
    erg_world_def def = erg_world_def_default();
    def.threads = e->def.threads;
    e->at = 0;
    if (e->world) return ERG_OK; // a restart needs nothing new
    e->moments = 1;
    erg_status status = ERG_OK;
    if (e->def.radius > 0) {
        status = make_field(e, err);
        if (status == ERG_OK) status = make_samples(e, err);
    }
    if (status == ERG_OK) status = erg_world_create(&def, &e->world, err);
    if (status != ERG_OK) close_mesh(e);
    return status;
}

static size_t index_at(const mesh_engine *e)
{
    double index = floor(e->at / MOVE + 1e-6);
    return index < (double)e->moments ? (size_t)index : e->moments - 1;
}

static double end_of(const mesh_engine *e)
{
    return (double)(e->moments - 1) * MOVE;
}

static erg_status advance(view_engine *base, double time, double budget, erg_error *err)
{
    mesh_engine *e = (mesh_engine *)base;
    (void)budget, (void)err;
    e->at = fmin(fmax(time, 0), end_of(e));
    return ERG_OK;
}

static erg_status step(view_engine *base, int steps, erg_error *err)
{
    mesh_engine *e = (mesh_engine *)base;
    return advance(base, ((double)index_at(e) + steps) * MOVE, 0, err);
}

static erg_status seek(view_engine *base, double time, erg_error *err)
{
    return advance(base, time, 0, err);
}

static erg_status command(view_engine *base, const erg_command *c, erg_error *err)
{
    (void)base, (void)c;
    return ergi_fail(err, ERG_BAD_INPUT,
                     "a mesh can only be viewed; use erg view SCENE to interact");
}

static erg_status set_prop(mesh_engine *e, erg_picture *picture, erg_error *err)
{
    erg_prop     prop = erg_prop_of_mesh(e->mesh);
    erg_sdf_view view;
    prop.shape = 1;
    if (e->field) {
        view = erg_sdf_look(e->field);
        prop.field = &view;
    }
    return erg_picture_set_props(picture, &prop, 1, err);
}

static erg_status take(view_engine *base, const erg_look *look, erg_picture *picture,
                       erg_error *err)
{
    mesh_engine *e = (mesh_engine *)base;
    erg_look     without = *look; // samples have no contacts
    erg_moment   moment = {.time = e->at};
    without.chains = false;
    if (without.colour == ERG_COLOUR_FORCE) without.colour = ERG_COLOUR_MATERIAL;
    if (e->spread) {
        size_t        count;
        const double *xyz = erg_spread_at(e->spread, index_at(e), &count);
        memcpy(e->position, xyz, 3 * count * sizeof *xyz);
        moment.spheres.position = e->position;
        moment.spheres.radius = e->radius;
        moment.spheres.count = moment.grains = e->spheres = count;
    }
    erg_status status = set_prop(e, picture, err);
    return status == ERG_OK ? erg_picture_take(picture, &without, e->world, &moment, err) : status;
}

static double time_of(const view_engine *base)
{
    return ((const mesh_engine *)base)->at;
}

static uint64_t moment(const view_engine *base)
{
    const mesh_engine *e = (const mesh_engine *)base;
    return e->world ? index_at(e) : 0;
}

static void fill_facts(view_engine *base, view_facts *f)
{
    mesh_engine *e = (mesh_engine *)base;
    *f = (view_facts){.is_result = true, .is_mesh = true, .no_contacts = true};
    if (!e->world) return;
    f->end = end_of(e);
    f->index = index_at(e);
    f->count = e->moments;
    f->time = (double)f->index * MOVE;
    f->ticks = e->moments <= VIEW_TICKS ? e->moments : 0;
    for (size_t i = 0; i < f->ticks; i++) f->tick[i] = (double)i * MOVE;
    f->steps = f->index;
    f->grains = f->spheres = e->spheres;
}

static erg_status save(view_engine *base, const char *folder, erg_run_result *result,
                       erg_error *err)
{
    (void)base;
    *result = (erg_run_result){0};
    if (folder)
        return ergi_fail(err, ERG_BAD_INPUT, "to save samples, use erg sample MESH --out FILE.ply");
    return ERG_OK;
}

static void destroy(view_engine *base)
{
    if (!base) return;
    close_mesh((mesh_engine *)base);
    free(base);
}

erg_status view_engine_mesh(const erg_mesh *mesh, const erg_sample_def *def, view_engine **engine,
                            erg_error *err)
{
    mesh_engine *e = calloc(1, sizeof *e);
    *engine = NULL;
    if (!e) return ergi_fail_memory(err, sizeof *e, "the mesh");
    e->base = (view_engine){open_mesh, advance, step,       seek, command, take,
                            time_of,   moment,  fill_facts, save, destroy, NULL};
    e->mesh = mesh;
    e->def = *def;
    *engine = &e->base;
    return ERG_OK;
}
