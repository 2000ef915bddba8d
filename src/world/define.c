// Definitions of a world: materials, pairs, grain kinds, walls, bodies, emitters, sinks. Only grain
// kinds may be added after the first step. Every function checks everything before it changes
// anything.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/height_field.h"
#include "law/kinds.h"
#include "world/body_axes.h"
#include "world/fingerprint.h"
#include "world/place.h"
#include "world/rollback.h"
#include "world/walls.h"

erg_material_def erg_material_def_default(void)
{
    return (erg_material_def){.density = 2500,
                              .young = 1e7,
                              .poisson = 0.25,
                              .restitution = 0.65,
                              .friction = 0.5,
                              .static_friction = ERG_UNSET};
}

erg_contact_def erg_contact_def_default(void)
{
    return (erg_contact_def){.normal = ERG_NORMAL_HERTZ,
                             .tangential = ERG_TANGENTIAL_MINDLIN,
                             .reference_speed = 1,
                             .tangential_ratio = 2.0 / 7,
                             .tangential_damping = 1,
                             .rolling_damping = 1};
}

erg_pair_def erg_pair_def_default(void)
{
    return (erg_pair_def){.restitution = ERG_UNSET,
                          .friction = ERG_UNSET,
                          .static_friction = ERG_UNSET,
                          .rolling = ERG_UNSET,
                          .twisting = ERG_UNSET,
                          .cohesion = ERG_UNSET,
                          .normal = -1,
                          .tangential = -1};
}

erg_grain_def erg_grain_def_default(void)
{
    return (erg_grain_def){.shape = ERG_SHAPE_SPHERE,
                           .sizes = {.law = ERG_SIZE_FIXED, .radius = 1e-3}};
}

erg_emitter_def erg_emitter_def_default(void)
{
    return (erg_emitter_def){.stop = INFINITY};
}

erg_sink_def erg_sink_def_default(void)
{
    return (erg_sink_def){.stop = INFINITY};
}

// ---- Common ------------------------------------------------------------------------------------
static erg_status not_running(const erg_world *world, const char *what, erg_error *err)
{
    if (world->clock.steps == 0) return ERG_OK;
    return ergi_fail_code(err, ERG_ERROR_TOO_LATE, "no %s can be added to a world that has stepped",
                          what);
}

// Invalidates lists and rollback copy, which were made for other definitions.
static void redefined(erg_world *world, uint64_t fingerprint)
{
    world->fingerprint = fingerprint;
    world->prepared = false;
    world->clock.dirty = true;
    ergi_rollback_free(world->rollback);
    world->rollback = NULL;
}

static erg_status check_material(const erg_world *world, erg_id material, const char *field,
                                 const char *what, erg_error *err)
{
    if (material >= 1 && material <= world->materials) return ERG_OK;
    return ergi_fail_at(err, field, ERG_ERROR_UNKNOWN,
                        "a %s refers to material %u, but the world has %zu", what, material,
                        world->materials);
}

// `field` is the member that is checked, `what` its name in the message.
static erg_status check_range(double value, double least, double most, const char *field,
                              const char *what, const char *range, erg_error *err)
{
    if (value >= least && value <= most) return ERG_OK;
    return ergi_fail_at(err, field, ergi_code_of(value), "%s must be %s, got %g", what, range,
                        value);
}

static erg_status in_range(double value, double least, double most, const char *what,
                           const char *range, erg_error *err)
{
    return check_range(value, least, most, what, what, range, err);
}

// Finds a name among `count` records of `size` bytes that begin with one.
static erg_id find_name(const void *records, size_t count, size_t size, const char *name)
{
    if (!name || !*name) return 0;
    for (size_t k = 0; k < count; k++)
        if (strcmp((const char *)records + k * size, name) == 0) return (erg_id)(k + 1);
    return 0;
}

static erg_status unique_name(const void *records, size_t count, size_t size, const char *name,
                              const char *what, erg_error *err)
{
    if (find_name(records, count, size, name) == 0) return ERG_OK;
    return ergi_fail_at(err, "name", ERG_ERROR_NAME_TAKEN, "there is a %s named '%s' already", what,
                        name);
}

erg_id erg_world_find_material(const erg_world *w, const char *name)
{
    if (!w || !name) return 0;
    return find_name(w->material, w->materials, sizeof *w->material, name);
}
erg_id erg_world_find_grain_kind(const erg_world *w, const char *name)
{
    if (!w || !name) return 0;
    return find_name(w->kind, w->kinds, sizeof *w->kind, name);
}
erg_id erg_world_find_wall(const erg_world *w, const char *name)
{
    if (!w || !name) return 0;
    return find_name(w->wall, w->walls, sizeof *w->wall, name);
}
erg_id erg_world_find_emitter(const erg_world *w, const char *name)
{
    if (!w || !name) return 0;
    return find_name(w->emitter, w->emitters, sizeof *w->emitter, name);
}
erg_id erg_world_find_sink(const erg_world *w, const char *name)
{
    if (!w || !name) return 0;
    return find_name(w->sink, w->sinks, sizeof *w->sink, name);
}

// ---- Materials ---------------------------------------------------------------------------------
static erg_status check_material_def(const erg_material_def *d, erg_error *err)
{
    const double most = ERG_MAX_FRICTION;
    erg_status   s = in_range(d->density, ERG_MIN_DENSITY, ERG_MAX_DENSITY, "density",
                              "1e-6 to 1e12 kg/m^3", err);
    if (s == ERG_OK)
        s = in_range(d->young, 1e-300, ERG_MAX_YOUNG, "young", "above 0 and at most 1e15 Pa", err);
    if (s == ERG_OK) s = in_range(d->poisson, 0, 0.5, "poisson", "0 to 0.5", err);
    if (s == ERG_OK)
        s = in_range(d->restitution, ERGI_RESTITUTION_MIN, 1, "restitution", "0.05 to 1", err);
    if (s == ERG_OK) s = in_range(d->friction, 0, most, "friction", "0 to 1e6", err);
    if (s == ERG_OK && d->static_friction != ERG_UNSET)
        s = in_range(d->static_friction, 0, most, "static_friction", "0 to 1e6, or ERG_UNSET", err);
    if (s == ERG_OK && d->static_friction >= 0 && d->static_friction < d->friction)
        s = ergi_fail_at(err, "static_friction", ERG_ERROR_OUT_OF_RANGE,
                         "static_friction must be at least friction, %g, got %g", d->friction,
                         d->static_friction);
    if (s == ERG_OK) s = in_range(d->rolling, 0, most, "rolling", "0 to 1e6", err);
    if (s == ERG_OK) s = in_range(d->twisting, 0, most, "twisting", "0 to 1e6", err);
    if (s == ERG_OK)
        s = in_range(d->cohesion, 0, ERG_MAX_COHESION, "cohesion", "0 to 1e15 J/m^3", err);
    return s;
}

erg_status erg_world_add_material(erg_world *world, const erg_material_def *def, erg_id *id,
                                  erg_error *err)
{
    if (!world || !def) return ergi_fail_null(err, __func__);
    ergi_material m = {.def = *def};
    erg_status    status = not_running(world, "material", err);
    if (status == ERG_OK) status = check_material_def(def, err);
    if (status == ERG_OK && world->materials == ERGI_MAX_MATERIALS)
        status = ergi_fail_code(err, ERG_ERROR_TOO_MANY, "a world has at most %d materials",
                                ERGI_MAX_MATERIALS);
    if (status == ERG_OK) status = ergi_copy_name(m.name, def->name, "material", err);
    if (status == ERG_OK)
        status =
            unique_name(world->material, world->materials, sizeof m, def->name, "material", err);
    if (status == ERG_OK)
        status = ergi_memory_resize(&world->material, world->materials, world->materials + 1,
                                    sizeof m, "materials", err);
    if (status != ERG_OK) return status;
    m.def.name = NULL;
    world->material[world->materials] = m;
    if (id) *id = (erg_id)(world->materials + 1);
    world->materials++;
    redefined(world, ergi_fingerprint_material(world->fingerprint, def));
    return ERG_OK;
}

erg_status erg_world_set_pair(erg_world *world, const erg_pair_def *def, erg_error *err)
{
    if (!world || !def) return ergi_fail_null(err, __func__);
    erg_status s = not_running(world, "pair", err);
    if (s == ERG_OK) s = check_material(world, def->a, "a", "pair", err);
    if (s == ERG_OK) s = check_material(world, def->b, "b", "pair", err);
    const struct {
        const char *field, *range;
        double      value, most;
    } of[] = {{"restitution", "0.05 to 1", def->restitution, 1},
              {"friction", "0 to 1e6", def->friction, ERG_MAX_FRICTION},
              {"static_friction", "0 to 1e6", def->static_friction, ERG_MAX_FRICTION},
              {"rolling", "0 to 1e6", def->rolling, ERG_MAX_FRICTION},
              {"twisting", "0 to 1e6", def->twisting, ERG_MAX_FRICTION},
              {"cohesion", "0 to 1e15 J/m^3", def->cohesion, ERG_MAX_COHESION}};
    for (size_t k = 0; k < sizeof of / sizeof *of && s == ERG_OK; k++)
        if (of[k].value != ERG_UNSET)
            s = check_range(of[k].value, 0, of[k].most, of[k].field, of[k].field, of[k].range, err);
    if (s == ERG_OK && def->restitution >= 0)
        s = in_range(def->restitution, ERGI_RESTITUTION_MIN, 1, "restitution", "0.05 to 1", err);
    if (s == ERG_OK && (def->normal > ERG_NORMAL_HERTZ || def->tangential > ERG_TANGENTIAL_YASUDA))
        s = ergi_fail_at(err, def->normal > ERG_NORMAL_HERTZ ? "normal" : "tangential",
                         ERG_ERROR_UNKNOWN, "a pair has an unknown law");
    if (s == ERG_OK)
        s = ergi_memory_resize(&world->pair_override, world->pair_overrides,
                               world->pair_overrides + 1, sizeof *def, "pairs", err);
    if (s != ERG_OK) return s;
    world->pair_override[world->pair_overrides++] = *def;
    redefined(world, ergi_fingerprint_pair(world->fingerprint, def));
    return ERG_OK;
}

// ---- Kinds of grains ---------------------------------------------------------------------------
static erg_status copy_doubles(const double **to, const double *from, size_t count, erg_error *err)
{
    *to = NULL;
    if (!from || !count) return ERG_OK;
    double *copy = malloc(count * sizeof *copy);
    if (!copy) return ergi_fail_memory(err, count * sizeof *copy, "sizes");
    memcpy(copy, from, count * sizeof *copy);
    *to = copy;
    return ERG_OK;
}

erg_status erg_world_add_grain_kind(erg_world *world, const erg_grain_def *def, erg_id *id,
                                    erg_error *err)
{
    if (!world || !def) return ergi_fail_null(err, __func__);
    ergi_kind  k = {.sizes = def->sizes};
    erg_status status =
        world->ball_kinds
            ? ergi_fail_code(err, ERG_ERROR_TOO_LATE,
                             "grain kinds must be added before the first ball is thrown")
            : check_material(world, def->material, "material", "kind of grain", err);
    if (status == ERG_OK)
        status = ergi_fail_within(err, ergi_sizes_check(&def->sizes, err), "sizes");
    if (status == ERG_OK) status = ergi_copy_name(k.name, def->name, "kind of grain", err);
    if (status == ERG_OK)
        status = unique_name(world->kind, world->kinds, sizeof k, def->name, "kind of grain", err);
    if (status == ERG_OK)
        status = ergi_memory_resize(&world->kind, world->kinds, world->kinds + 1, sizeof k,
                                    "kinds of grains", err);
    if (status == ERG_OK)
        status = ergi_shape_make(def->shape, def->spheres, def->sphere_count, &k.shape, err);
    if (status != ERG_OK) return status;
    status = copy_doubles(&k.sizes.values, def->sizes.values, def->sizes.count, err);
    if (status == ERG_OK) {
        status = copy_doubles(&k.sizes.weights, def->sizes.weights, def->sizes.count, err);
        if (status != ERG_OK) free((void *)(uintptr_t)k.sizes.values);
    }
    if (status != ERG_OK) {
        ergi_shape_free(&k.shape);
        return status;
    }
    k.material = def->material - 1;
    k.density = world->material[k.material].def.density;
    world->kind[world->kinds++] = k;
    redefined(world, ergi_fingerprint_grain(world->fingerprint, def));
    if (id) *id = (erg_id)world->kinds;
    return ERG_OK;
}

// ---- Attaching ---------------------------------------------------------------------------------
static bool is_carried_by(const erg_world *world, erg_id wall, erg_id carrier)
{
    while (wall && wall != carrier) wall = world->wall[wall - 1].carrier;
    return wall != 0;
}

// A name or a number, for messages.
static const char *named(const erg_world *world, erg_id wall, char text[ERGI_NAME_ROOM + 16])
{
    const ergi_world_wall *w = &world->wall[wall - 1];
    const char            *what = w->body.exists ? "body" : "wall";
    if (w->name[0])
        snprintf(text, ERGI_NAME_ROOM + 16, "%s '%s'", what, w->name);
    else
        snprintf(text, ERGI_NAME_ROOM + 16, "%s %u", what, wall);
    return text;
}

static erg_status check_carrier(const erg_world *world, erg_id carrier, const char *what,
                                erg_error *err)
{
    char text[ERGI_NAME_ROOM + 16];
    if (carrier > world->walls)
        return ergi_fail_at(err, "attach", ERG_ERROR_UNKNOWN,
                            "a %s is attached to wall %u, but the world has %zu: add the wall or "
                            "body that carries it first",
                            what, carrier, world->walls);
    if (carrier && world->wall[carrier - 1].body.free)
        return ergi_fail_at(err, "attach", ERG_ERROR_CONFLICT,
                            "a %s is attached to %s, which is free: attach it to a wall, or to a "
                            "body that is fixed or has a motion",
                            what, named(world, carrier, text));
    return ERG_OK;
}

// Follows from the carriers: which walls are carried by one that moves, and the list of movers.
static void link_walls(erg_world *world)
{
    world->movers = 0;
    for (size_t w = 0; w < world->walls; w++) {
        ergi_world_wall *wall = &world->wall[w];
        wall->carried = false;
        for (uint32_t c = wall->carrier; c; c = world->wall[c - 1].carrier)
            wall->carried |= ergi_motion_moves(&world->wall[c - 1].wall.motion);
        if (ergi_wall_moves(wall)) world->mover[world->movers++] = (uint32_t)w;
    }
}

static void place_at_start(erg_world *world, size_t w)
{
    ergi_wall_state *state = &world->wall_state[w];
    ergi_wall_pose(world->wall, world->wall_state, w, 0, &state->pose);
    state->list_pose = state->pose;
}

erg_status ergi_world_attach(erg_world *world, erg_id child, erg_id carrier, erg_error *err)
{
    char       a[ERGI_NAME_ROOM + 16], b[ERGI_NAME_ROOM + 16];
    erg_status status = check_carrier(world, carrier, "wall", err);
    if (status == ERG_OK && is_carried_by(world, carrier, child))
        status =
            ergi_fail_at(err, "attach", ERG_ERROR_CONFLICT,
                         "%s is attached to %s, which it carries itself: attach one of them to "
                         "something else",
                         named(world, child, a), named(world, carrier, b));
    if (status != ERG_OK) return status;
    world->wall[child - 1].carrier = carrier;
    world->wall[carrier - 1].carries = true;
    link_walls(world);
    for (size_t k = 0; k < world->movers; k++)
        if (!world->wall[world->mover[k]].body.free) place_at_start(world, world->mover[k]);
    redefined(world, ergi_fingerprint_attach(world->fingerprint, child, carrier));
    return ERG_OK;
}

// ---- Walls and bodies --------------------------------------------------------------------------
// Of the wall that was added last.
static uint64_t attach_print(const erg_world *world, erg_id carrier)
{
    return ergi_fingerprint_attach(world->fingerprint, (erg_id)world->walls, carrier);
}

static bool uses_key(const ergi_motion *motion, char key)
{
    const erg_motion_def *joint = ergi_motion_joint(motion);
    return joint && key && (joint->key_up == key || joint->key_down == key);
}

// A key of the window moves one joint.
static erg_status check_keys(const erg_world *world, const erg_motion_def *part, int parts,
                             const char *what, erg_error *err)
{
    char text[ERGI_NAME_ROOM + 16];
    for (int i = 0; i < parts && i < ERG_WALL_MOTIONS; i++)
        for (size_t w = 0; part[i].kind == ERG_MOTION_USER && w < world->walls; w++)
            for (int k = 0; k < 2; k++) {
                char key = k ? part[i].key_down : part[i].key_up;
                if (!uses_key(&world->wall[w].wall.motion, key)) continue;
                erg_status status = ergi_fail_at(err, k ? "key_down" : "key_up", ERG_ERROR_CONFLICT,
                                                 "a %s uses the key '%c', which %s uses already: "
                                                 "choose another, " ERGI_JOINT_KEYS,
                                                 what, key, named(world, (erg_id)(w + 1), text));
                return ergi_fail_within(err, status, "motion[%d]", i);
            }
    return ERG_OK;
}

// Appends a wall; `body` makes it a body, or is NULL.
static erg_status add_wall(erg_world *world, const erg_wall_def *def, const ergi_body *body,
                           erg_id *id, erg_error *err)
{
    ergi_world_wall w = {0};
    size_t          n = world->walls;
    const char     *what = body ? "body" : "wall";
    erg_status      status = check_material(world, def->material, "material", what, err);
    if (status == ERG_OK) status = check_carrier(world, def->attach, what, err);
    if (status == ERG_OK) status = ergi_copy_name(w.name, def->name, what, err);
    if (status == ERG_OK) status = unique_name(world->wall, n, sizeof w, def->name, what, err);
    if (status == ERG_OK) status = check_keys(world, def->motion, def->motion_count, what, err);
    if (status == ERG_OK)
        status = ergi_memory_resize(&world->wall_state, n, n + 1, sizeof *world->wall_state,
                                    "walls", err);
    if (status == ERG_OK)
        status = ergi_memory_resize(&world->wall, n, n + 1, sizeof w, "walls", err);
    if (status == ERG_OK)
        status = ergi_memory_resize(&world->mover, n, n + 1, sizeof *world->mover, "walls", err);
    if (status == ERG_OK) status = ergi_wall_init(&w.wall, def, err);
    if (status != ERG_OK) return status;
    w.material = def->material - 1;
    if (body) w.body = *body;
    w.carrier = def->attach;
    if (w.carrier) w.carried = ergi_wall_pose_moves(&world->wall[w.carrier - 1]);
    world->wall[n] = w;
    world->walls = n + 1;
    if (ergi_wall_moves(&w)) world->mover[world->movers++] = (uint32_t)n;
    if (w.carrier) world->wall[w.carrier - 1].carries = true;
    ergi_wall_state *state = &world->wall_state[n];
    memset(state, 0, sizeof *state);
    state->motion = ergi_motion_state_initial();
    place_at_start(world, n);
    if (id) *id = (erg_id)world->walls;
    return ERG_OK;
}

erg_status erg_world_add_wall(erg_world *world, const erg_wall_def *def, erg_id *id, erg_error *err)
{
    if (!world || !def) return ergi_fail_null(err, __func__);
    erg_status status = not_running(world, "wall", err);
    if (status == ERG_OK) status = add_wall(world, def, NULL, id, err);
    if (status != ERG_OK) return status;
    redefined(world, ergi_fingerprint_wall(world->fingerprint, def));
    if (def->attach) redefined(world, attach_print(world, def->attach));
    return ERG_OK;
}

bool ergi_world_gravity_down(erg_vec3 g, erg_error *err)
{
    if (g.x == 0 && g.y == 0 && g.z < 0) return true;
    (void)ergi_fail_code(err, ERG_ERROR_CONFLICT,
                         "a terrain needs gravity along -z, since its columns flow downhill along "
                         "z, got (%g, %g, %g): tilt the sand with `relief`, not gravity",
                         g.x, g.y, g.z);
    return false;
}

// What bodies rest on that reach the floor below the columns. Grains touch the columns' surface
// there, which is this much higher.
static erg_status add_terrain_floor(erg_world *world, uint32_t material,
                                    const ergi_height_field *field, double below, erg_error *err)
{
    erg_wall_def def = erg_wall_def_default(ERG_WALL_BOX);
    double       side[2] = {field->count[0] * field->spacing, field->count[1] * field->spacing};
    def.name = "terrain floor";
    def.material = material + 1;
    def.side = ERG_SIDE_OUTSIDE;
    def.box.min = ergi_vec3(field->lower[0], field->lower[1], field->low - fmax(side[0], side[1]));
    def.box.max =
        ergi_vec3(field->lower[0] + side[0], field->lower[1] + side[1], field->low - below);
    return add_wall(world, &def, NULL, NULL, err);
}

erg_status ergi_world_add_terrain_wall(erg_world *world, uint32_t material,
                                       const ergi_height_field *field, double below, uint32_t *wall,
                                       erg_error *err)
{
    erg_wall_def def = erg_wall_def_default(ERG_WALL_PLANE);
    erg_id       id = 0;
    def.name = "terrain";
    def.material = material + 1;
    erg_status status = not_running(world, "terrain", err);
    if (status == ERG_OK) status = add_wall(world, &def, NULL, &id, err);
    if (status != ERG_OK) return status;
    status = add_terrain_floor(world, material, field, below, err);
    if (status != ERG_OK) {
        world->walls--;
        return status;
    }
    world->wall[id - 1].wall.surface = (ergi_surface){.kind = ERGI_SURFACE_HEIGHTS,
                                                      .side = ERGI_SIDE_OUTSIDE,
                                                      .ex = {1.0, 0.0, 0.0},
                                                      .ey = {0.0, 1.0, 0.0},
                                                      .ez = {0.0, 0.0, 1.0},
                                                      .heights = field};
    link_walls(world);
    redefined(world, world->fingerprint);
    *wall = id - 1;
    return ERG_OK;
}

// Bodies with the same mesh share its mass properties and inscribed spheres.
static erg_status find_body_shape(erg_world *world, const erg_body_def *def, const char *name,
                                  uint32_t *found, erg_error *err)
{
    size_t n = world->body_shapes;
    for (size_t k = 0; k < n; k++)
        if (ergi_body_shape_fits(&world->body_shape[k], def)) {
            *found = (uint32_t)k;
            return ERG_OK;
        }
    erg_status status = ergi_memory_resize(&world->body_shape, n, n + 1, sizeof *world->body_shape,
                                           "shapes of bodies", err);
    if (status == ERG_OK) status = ergi_body_shape_make(&world->body_shape[n], def, name, err);
    if (status == ERG_OK) world->body_shapes++;
    *found = (uint32_t)n;
    return status;
}

static erg_wall_def wall_of_body(const erg_body_def *def, const ergi_body *body)
{
    erg_wall_def wall = erg_wall_def_default(ERG_WALL_MESH);
    wall.name = def->name;
    wall.material = def->material;
    wall.mesh = (erg_wall_mesh){def->mesh, def->position, def->rotation};
    wall.motion_count = def->motion_count;
    for (int k = 0; k < ERG_WALL_MOTIONS; k++) wall.motion[k] = def->motion[k];
    wall.has_pivot = true;
    wall.pivot = def->has_pivot ? def->pivot : body->centre;
    wall.attach = def->attach;
    return wall;
}

erg_status erg_world_add_body(erg_world *world, const erg_body_def *def, erg_id *id, erg_error *err)
{
    if (!world || !def) return ergi_fail_null(err, __func__);
    char       name[ERGI_NAME_ROOM + 8] = "body";
    ergi_body  body;
    uint32_t   shape = 0;
    size_t     shapes = world->body_shapes;
    erg_status status = not_running(world, "body", err);
    if (def->name) snprintf(name, sizeof name, "body '%.63s'", def->name);
    if (status == ERG_OK) status = ergi_body_check(def, name, err);
    if (status == ERG_OK) status = check_material(world, def->material, "material", "body", err);
    if (status == ERG_OK) status = find_body_shape(world, def, name, &shape, err);
    if (status != ERG_OK) return status;
    status = ergi_body_make(&body, def, &world->body_shape[shape],
                            world->material[def->material - 1].def.density, name, err);
    body.shape = shape;
    erg_wall_def wall = wall_of_body(def, &body);
    if (status == ERG_OK) status = add_wall(world, &wall, &body, id, err);
    if (status != ERG_OK) {
        if (world->body_shapes > shapes) ergi_body_shape_free(&world->body_shape[shapes]);
        world->body_shapes = shapes;
        return status;
    }
    if (def->contact == ERG_BODY_SPHERES) {
        ergi_surface *surface = &world->wall[world->walls - 1].wall.surface;
        surface->kind = ERGI_SURFACE_CLOUD;
        surface->cloud = world->body_shape[shape].cloud;
    }
    world->bodies++;
    world->free_bodies += body.free;
    ergi_wall_state *state = &world->wall_state[world->walls - 1];
    if (body.free) {
        state->motion.pose.velocity = def->velocity;
        state->motion.pose.spin = def->spin;
        state->motion.angular_momentum =
            ergi_free_turn(body.free_axes, ergi_body_momentum(&body, body.start, def->spin));
        if (body.free_axes != ERG_AXIS_ALL) {
            ergi_pose given;
            ergi_motion_at(&world->wall[world->walls - 1].wall.motion, 0, &given);
            ergi_body_impose(body.free_axes, &given, &state->motion.pose);
        }
        state->pose = state->list_pose = state->motion.pose;
    }
    redefined(world, ergi_fingerprint_body(world->fingerprint, def));
    if (def->attach) redefined(world, attach_print(world, def->attach));
    return ERG_OK;
}

// ---- Emitters and sinks ------------------------------------------------------------------------
static erg_status check_times(double start, double stop, erg_error *err)
{
    if (start >= 0 && stop > start && isfinite(start)) return ERG_OK;
    return ergi_fail_at(err, start >= 0 && isfinite(start) ? "stop" : "start",
                        isnan(stop) ? ERG_ERROR_NOT_FINITE : ergi_code_of(start),
                        "start must be at least 0 s and stop after it, got %g and %g", start, stop);
}

erg_status erg_world_add_emitter(erg_world *world, const erg_emitter_def *def, erg_id *id,
                                 erg_error *err)
{
    if (!world || !def) return ergi_fail_null(err, __func__);
    size_t       n = world->emitters;
    ergi_emitter e = {.velocity = def->velocity,
                      .spread = def->spread,
                      .start = def->start,
                      .stop = def->stop,
                      .limit = def->limit};
    erg_status   status = not_running(world, "emitter", err);
    if (status == ERG_OK && (def->grain < 1 || def->grain > world->kinds))
        status = ergi_fail_at(err, "grain", ERG_ERROR_UNKNOWN,
                              "an emitter refers to grain kind %u, but the world has %zu",
                              def->grain, world->kinds);
    if (status == ERG_OK)
        status = in_range(def->rate, 1e-300, ERG_MAX_EMITTER_RATE, "rate",
                          "above 0 and at most 1e9 grains/s", err);
    if (status == ERG_OK) status = in_range(def->spread, 0, 1e300, "spread", "at least 0 m/s", err);
    if (status == ERG_OK &&
        !(isfinite(def->velocity.x) && isfinite(def->velocity.y) && isfinite(def->velocity.z)))
        status = ergi_fail_at(err, "velocity", ERG_ERROR_NOT_FINITE,
                              "an emitter's velocity must be finite");
    if (status == ERG_OK) status = check_times(def->start, def->stop, err);
    if (status == ERG_OK) status = ergi_copy_name(e.name, def->name, "emitter", err);
    if (status == ERG_OK)
        status = unique_name(world->emitter, n, sizeof e, def->name, "emitter", err);
    if (status == ERG_OK)
        status = ergi_fail_within(err, ergi_region_check(&def->region, err), "region");
    if (status == ERG_OK) {
        const ergi_kind *kind = &world->kind[def->grain - 1];
        status = ergi_place_check_extent(&def->region, &kind->shape, &kind->sizes, err);
    }
    if (status == ERG_OK)
        status = ergi_memory_resize(&world->emitter_state, n, n + 1, sizeof *world->emitter_state,
                                    "emitters", err);
    if (status == ERG_OK)
        status = ergi_memory_resize(&world->emitter, n, n + 1, sizeof e, "emitters", err);
    if (status == ERG_OK) status = ergi_region_copy(&def->region, &e.region, err);
    if (status != ERG_OK) return status;
    e.kind = def->grain - 1;
    world->emitter[n] = e;
    world->emitter_state[n] = (ergi_emitter_state){.rate = def->rate, .last = def->start};
    world->emitters = n + 1;
    redefined(world, ergi_fingerprint_emitter(world->fingerprint, def));
    if (id) *id = (erg_id)world->emitters;
    return ERG_OK;
}

erg_status erg_world_add_sink(erg_world *world, const erg_sink_def *def, erg_id *id, erg_error *err)
{
    if (!world || !def) return ergi_fail_null(err, __func__);
    size_t     n = world->sinks;
    ergi_sink  s = {.start = def->start, .stop = def->stop};
    erg_status status = not_running(world, "sink", err);
    if (status == ERG_OK) status = check_times(def->start, def->stop, err);
    if (status == ERG_OK) status = ergi_copy_name(s.name, def->name, "sink", err);
    if (status == ERG_OK) status = unique_name(world->sink, n, sizeof s, def->name, "sink", err);
    if (status == ERG_OK)
        status = ergi_fail_within(err, ergi_region_check(&def->region, err), "region");
    if (status == ERG_OK)
        status = ergi_memory_resize(&world->sink_state, n, n + 1, sizeof *world->sink_state,
                                    "sinks", err);
    if (status == ERG_OK)
        status = ergi_memory_resize(&world->sink, n, n + 1, sizeof s, "sinks", err);
    if (status == ERG_OK) status = ergi_region_copy(&def->region, &s.region, err);
    if (status != ERG_OK) return status;
    world->sink[n] = s;
    world->sink_state[n] = (ergi_sink_state){0};
    world->sinks = n + 1;
    redefined(world, ergi_fingerprint_sink(world->fingerprint, def));
    if (id) *id = (erg_id)world->sinks;
    return ERG_OK;
}
