// Regions, kinds of grains, sources and sinks.
#include "geom/region.h"
#include "scene/scene_def.h"
#include "world/shape.h"

#include <math.h>

const ergi_word ergi_never_word = {"never", HUGE_VAL, false};
const ergi_word ergi_auto_word = {"auto", 0, false};

// ---- Regions -----------------------------------------------------------------------------------
static const ergi_field box_fields[] = {
    {"min", ERGI_VEC3, ERGI_AT(erg_region, a), .unit = "m", .required = true,
     .doc = "smallest corner"},
    {"max", ERGI_VEC3, ERGI_AT(erg_region, b), .unit = "m", .required = true,
     .doc = "largest corner"},
};
static const ergi_schema box_schema = {"box region", ERGI_FIELDS(box_fields),
                                       .size = sizeof(erg_region)};

static const ergi_field cylinder_fields[] = {
    {"a", ERGI_VEC3, ERGI_AT(erg_region, a), .unit = "m", .required = true,
     .doc = "one end of the axis"},
    {"b", ERGI_VEC3, ERGI_AT(erg_region, b), .unit = "m", .required = true, .doc = "the other end"},
    {"radius", ERGI_NUMBER, ERGI_AT(erg_region, radius), .unit = "m", .required = true,
     ERGI_ABOVE(0), .doc = "outer radius"},
    {"inner_radius", ERGI_NUMBER, ERGI_AT(erg_region, inner_radius), .unit = "m", .normal = "0",
     ERGI_FROM(0), .doc = "radius of the hole along the axis, below `radius`"},
};
static const ergi_schema cylinder_schema = {"cylinder region", ERGI_FIELDS(cylinder_fields),
                                            .size = sizeof(erg_region)};

static const ergi_field sphere_fields[] = {
    {"centre", ERGI_VEC3, ERGI_AT(erg_region, a), .unit = "m", .normal = "[0, 0, 0]",
     .doc = "of the ball"},
    {"radius", ERGI_NUMBER, ERGI_AT(erg_region, radius), .unit = "m", .required = true,
     ERGI_ABOVE(0), .doc = "of the ball"},
};
static const ergi_schema sphere_schema = {"sphere region", ERGI_FIELDS(sphere_fields),
                                          .size = sizeof(erg_region)};

static const ergi_field cone_fields[] = {
    {"a", ERGI_VEC3, ERGI_AT(erg_region, a), .unit = "m", .required = true,
     .doc = "one end of the axis"},
    {"b", ERGI_VEC3, ERGI_AT(erg_region, b), .unit = "m", .required = true, .doc = "the other end"},
    {"radius_a", ERGI_NUMBER, ERGI_AT(erg_region, radius), .unit = "m", .required = true,
     ERGI_FROM(0), .doc = "radius at a"},
    {"radius_b", ERGI_NUMBER, ERGI_AT(erg_region, radius_b), .unit = "m", .required = true,
     ERGI_FROM(0), .doc = "radius at b; the radii must not both be 0"},
};
static const ergi_schema cone_schema = {"cone region", ERGI_FIELDS(cone_fields),
                                        .size = sizeof(erg_region)};

static const ergi_field region_fields[] = {
    {"box", ERGI_BLOCK, .schema = &box_schema, .choice = 1, .variant = ERG_REGION_BOX,
     .doc = "box aligned with the axes"},
    {"cylinder", ERGI_BLOCK, .schema = &cylinder_schema, .choice = 1,
     .variant = ERG_REGION_CYLINDER, .doc = "cylinder, solid or hollow"},
    {"sphere", ERGI_BLOCK, .schema = &sphere_schema, .choice = 1, .variant = ERG_REGION_SPHERE,
     .doc = "a ball"},
    {"cone", ERGI_BLOCK, .schema = &cone_schema, .choice = 1, .variant = ERG_REGION_CONE,
     .doc = "a cone or frustum"},
    {"minus", ERGI_LIST, ERGI_LIST_AT(erg_region, minus, minus_count),
     .schema = &ergi_region_schema, .most = 1000, .doc = "regions cut out of this one"},
};
static const ergi_choice region_choices[] = {{"shape", ERGI_AT(erg_region, shape), false}};

static void check_region(ergi_reader *reader, const ergi_node *map, void *entry)
{
    erg_error err;
    if (ergi_region_problem(entry, &err) != ERG_OK)
        ergi_reader_fault_of(reader, &ergi_region_schema, map, "the region is empty: ", &err);
}

const ergi_schema ergi_region_schema = {
    "region",
    ERGI_FIELDS(region_fields),
    .size = sizeof(erg_region),
    ERGI_CHOICES(region_choices),
    .check = check_region,
};

// ---- Kinds of grains ---------------------------------------------------------------------------
static const ergi_field one_sphere_fields[] = {
    {"x", ERGI_NUMBER, ERGI_AT(erg_sphere, x), .unit = "m", .doc = "centre"},
    {"y", ERGI_NUMBER, ERGI_AT(erg_sphere, y), .unit = "m", .doc = "centre"},
    {"z", ERGI_NUMBER, ERGI_AT(erg_sphere, z), .unit = "m", .doc = "centre"},
    {"radius", ERGI_NUMBER, ERGI_AT(erg_sphere, radius), .unit = "m", ERGI_ABOVE(0),
     .doc = "radius"},
};
static const ergi_schema one_sphere_schema = {"sphere", ERGI_FIELDS(one_sphere_fields),
                                              .size = sizeof(erg_sphere)};
static const ergi_field  sphere_item = {
     .type = ERGI_TUPLE, .schema = &one_sphere_schema, ERGI_ITEM(erg_sphere)};

static const ergi_word three_deviations[] = {{"auto", 0, false}};

static const ergi_field uniform_fields[] = {
    {"min", ERGI_NUMBER, ERGI_AT(ergi_scene_grain, def.sizes.min), .unit = "m", .required = true,
     ERGI_ABOVE(0), .doc = "smallest"},
    {"max", ERGI_NUMBER, ERGI_AT(ergi_scene_grain, def.sizes.max), .unit = "m", .required = true,
     ERGI_ABOVE(0), .doc = "largest, at least `min`"},
};
static const ergi_schema uniform_schema = {"uniform sizes", ERGI_FIELDS(uniform_fields),
                                           .size = sizeof(ergi_scene_grain)};

static const ergi_field normal_fields[] = {
    {"mean", ERGI_NUMBER, ERGI_AT(ergi_scene_grain, def.sizes.mean), .unit = "m", .required = true,
     ERGI_ABOVE(0), .doc = "mean of the normal distribution"},
    {"deviation", ERGI_NUMBER, ERGI_AT(ergi_scene_grain, def.sizes.deviation), .unit = "m",
     .required = true, ERGI_FROM(0), .doc = "standard deviation"},
    {"min", ERGI_NUMBER, ERGI_AT(ergi_scene_grain, def.sizes.min), .unit = "m", .normal = "auto",
     ERGI_ABOVE(0), ERGI_WORDS(three_deviations),
     .doc = "lower limit; auto: three deviations below the mean"},
    {"max", ERGI_NUMBER, ERGI_AT(ergi_scene_grain, def.sizes.max), .unit = "m", .normal = "auto",
     ERGI_ABOVE(0), ERGI_WORDS(three_deviations),
     .doc = "upper limit; auto: three deviations above the mean"},
};
static const ergi_schema normal_schema = {"normal sizes", ERGI_FIELDS(normal_fields),
                                          .size = sizeof(ergi_scene_grain)};

static const ergi_field value_item = {
    .type = ERGI_NUMBER, .unit = "m", ERGI_ABOVE(0), ERGI_ITEM(double)};
static const ergi_field weight_item = {.type = ERGI_NUMBER, ERGI_FROM(0), ERGI_ITEM(double)};
static const ergi_field listed_fields[] = {
    {"values", ERGI_LIST, ERGI_LIST_AT(ergi_scene_grain, def.sizes.values, def.sizes.count),
     .item = &value_item, .least = 1, .most = 10000, .required = true, .doc = "the sizes"},
    {"weights", ERGI_LIST, ERGI_LIST_AT(ergi_scene_grain, def.sizes.weights, weight_count),
     .item = &weight_item, .least = 1, .most = 10000,
     .doc = "relative frequency of each value, by number of grains; when absent, all equal"},
};
static const ergi_schema listed_schema = {"listed sizes", ERGI_FIELDS(listed_fields),
                                          .size = sizeof(ergi_scene_grain)};

static const ergi_field sizes_fields[] = {
    {"uniform", ERGI_BLOCK, .schema = &uniform_schema, .choice = 1, .variant = ERG_SIZE_UNIFORM,
     .doc = "uniform between two radii"},
    {"normal", ERGI_BLOCK, .schema = &normal_schema, .choice = 1, .variant = ERG_SIZE_NORMAL,
     .doc = "truncated normal distribution"},
    {"listed", ERGI_BLOCK, .schema = &listed_schema, .choice = 1, .variant = ERG_SIZE_LISTED,
     .doc = "list of radii with weights"},
};
static const ergi_choice sizes_choices[] = {
    {"law", ERGI_AT(ergi_scene_grain, def.sizes.law), false}};
static const ergi_schema sizes_schema = {
    "sizes",
    ERGI_FIELDS(sizes_fields),
    .size = sizeof(ergi_scene_grain),
    ERGI_CHOICES(sizes_choices),
    .doc = "Distribution of the radius of the grain's spheres; with `spheres`, of the scale factor "
           "of that list.",
};

static const ergi_word shape_words[] = {
    {"sphere", ERG_SHAPE_SPHERE, false},
    {"dimer", ERG_SHAPE_DIMER, false},
    {"tetrahedron", ERG_SHAPE_TETRAHEDRON, false},
    {"cube", ERG_SHAPE_CUBE, false},
};

static const ergi_field grain_fields[] = {
    {"material", ERGI_REF, ERGI_AT(ergi_scene_grain, def.material), .space = "materials",
     .required = true, .doc = "its material"},
    {"shape", ERGI_WORD, ERGI_AT(ergi_scene_grain, def.shape), ERGI_WORDS(shape_words), .choice = 1,
     .variant = ERG_SHAPE_SPHERE, .doc = "1, 2, 4 or 8 touching spheres; when absent, `sphere`"},
    {"spheres", ERGI_LIST, ERGI_LIST_AT(ergi_scene_grain, def.spheres, def.sphere_count),
     .item = &sphere_item, .least = 1, .most = 1000, .choice = 1, .variant = ERG_SHAPE_SPHERES,
     .doc = "spheres of an arbitrary clump; overlapping volume is counted once"},
    {"radius", ERGI_NUMBER, ERGI_AT(ergi_scene_grain, def.sizes.radius), .unit = "m", ERGI_ABOVE(0),
     .choice = 2, .variant = ERGI_SIZE_RADIUS, .doc = "radius of each sphere of the `shape`"},
    {"scale", ERGI_NUMBER, ERGI_AT(ergi_scene_grain, def.sizes.radius), ERGI_ABOVE(0), .choice = 2,
     .variant = ERGI_SIZE_SCALE, .doc = "scale factor of `spheres`; when absent, 1"},
    {"sizes", ERGI_BLOCK, .schema = &sizes_schema, .choice = 2, .variant = ERGI_SIZE_LAW,
     .doc = "size distribution"},
};
static const ergi_choice grain_choices[] = {{"shape", ERGI_AT(ergi_scene_grain, def.shape), true},
                                            {"size", ERGI_AT(ergi_scene_grain, size_key), true}};

static void init_grain(void *entry)
{
    ergi_scene_grain *g = entry;
    g->def = erg_grain_def_default();
    g->def.sizes.radius = 1.0; // scale of a list of spheres
}

static void check_grain(ergi_reader *reader, const ergi_node *map, void *entry)
{
    const ergi_scene_grain *g = entry;
    bool                    clump = g->def.shape == ERG_SHAPE_SPHERES;
    erg_error               err;
    if (!clump && g->size_key == ERGI_SIZE_NONE)
        ergi_reader_fault(reader, map, NULL, "size is missing, expected one of radius, sizes");
    else if (clump && g->size_key == ERGI_SIZE_RADIUS)
        ergi_reader_fault(
            reader, map, "radius",
            "'spheres' and 'radius' exclude each other, expected 'scale' to change the size");
    else if (!clump && g->size_key == ERGI_SIZE_SCALE)
        ergi_reader_fault(reader, map, "scale",
                          "'scale' changes 'spheres', expected 'radius' for a shape");
    else if (g->def.sizes.weights && g->weight_count != g->def.sizes.count)
        ergi_reader_fault(reader, map, "sizes",
                          "sizes has %zu weights, expected %zu, one for each value",
                          g->weight_count, g->def.sizes.count);
    else if (ergi_fail_within(&err, ergi_sizes_check(&g->def.sizes, &err), "sizes") != ERG_OK)
        ergi_reader_fault_of(reader, &ergi_grain_schema, map, "", &err);
}

const ergi_schema ergi_grain_schema = {
    "grain",
    ERGI_FIELDS(grain_fields),
    .size = sizeof(ergi_scene_grain),
    ERGI_CHOICES(grain_choices),
    ERGI_NAMED(ergi_scene_grain, def.name),
    .doc = "A rigid clump of spheres. Mass, centre of mass and inertia are those of their union.",
    .init = init_grain,
    .check = check_grain,
};

// ---- Sources and sinks -------------------------------------------------------------------------
static const ergi_word placing_words[] = {{"lattice", ERG_PLACE_LATTICE, false},
                                          {"random", ERG_PLACE_RANDOM, false}};
static const ergi_word max_word[] = {{"max", 0, false}};
static const ergi_word no_limit[] = {{"none", 0, false}};

static const ergi_field fill_fields[] = {
    {"name", ERGI_NAME, ERGI_AT(erg_fill_def, name), .doc = "name for references"},
    {"grain", ERGI_REF, ERGI_AT(erg_fill_def, grain), .space = "grains", .required = true,
     .doc = "grain kind"},
    {"count", ERGI_INTEGER, ERGI_AT(erg_fill_def, count), ERGI_WORDS(max_word), .required = true,
     ERGI_FROM(1), .doc = "number of grains; max: as many as fit"},
    {"region", ERGI_BLOCK, ERGI_AT(erg_fill_def, region), .schema = &ergi_region_schema,
     .required = true, .doc = "region to fill; grains are placed clear of walls and other grains"},
    {"placing", ERGI_WORD, ERGI_AT(erg_fill_def, placing), ERGI_WORDS(placing_words),
     .normal = "lattice", .doc = "lattice: from the bottom up, the denser packing"},
    {"jitter", ERGI_NUMBER, ERGI_AT(erg_fill_def, jitter), .normal = "0.5", ERGI_FROM_TO(0, 1),
     .doc = "random displacement from the lattice, as a fraction of the free gap"},
    {"gap", ERGI_NUMBER, ERGI_AT(erg_fill_def, gap), .normal = "0.05", ERGI_FROM(0),
     .doc = "gap between neighbours on the lattice, as a fraction of the diameter"},
    {"aligned", ERGI_BOOLEAN, ERGI_AT(erg_fill_def, aligned), .normal = "false",
     .doc = "the same orientation for all grains instead of random ones"},
    {"velocity", ERGI_VEC3, ERGI_AT(erg_fill_def, velocity), .unit = "m/s", .normal = "[0, 0, 0]",
     .doc = "initial velocity"},
    {"spin", ERGI_VEC3, ERGI_AT(erg_fill_def, spin), .unit = "rad/s", .normal = "[0, 0, 0]",
     .doc = "initial spin"},
};

static void init_fill(void *entry)
{
    *(erg_fill_def *)entry = erg_fill_def_default();
}

const ergi_schema ergi_fill_schema = {
    "fill entry", ERGI_FIELDS(fill_fields), .size = sizeof(erg_fill_def), .init = init_fill,
    .doc = "Grains that are present at the start, placed without overlap."};

static void check_times(ergi_reader *reader, const ergi_node *map, double start, double stop)
{
    if (!(stop > start))
        ergi_reader_fault(reader, map, "stop", "stop is %g, expected a time after start, %g [s]",
                          stop, start);
}

static const ergi_field emitter_fields[] = {
    {"name", ERGI_NAME, ERGI_AT(erg_emitter_def, name), .doc = "name for references"},
    {"grain", ERGI_REF, ERGI_AT(erg_emitter_def, grain), .space = "grains", .required = true,
     .doc = "grain kind"},
    {"region", ERGI_BLOCK, ERGI_AT(erg_emitter_def, region), .schema = &ergi_region_schema,
     .required = true, .doc = "region in which grains appear, at random free positions"},
    {"rate", ERGI_NUMBER, ERGI_AT(erg_emitter_def, rate), .unit = "1/s", .required = true,
     ERGI_ABOVE_TO(0, ERG_MAX_EMITTER_RATE),
     .doc = "grains per second; a warning is logged if there is no room for them"},
    {"velocity", ERGI_VEC3, ERGI_AT(erg_emitter_def, velocity), .unit = "m/s",
     .normal = "[0, 0, 0]", .doc = "velocity of new grains"},
    {"spread", ERGI_NUMBER, ERGI_AT(erg_emitter_def, spread), .unit = "m/s", .normal = "0",
     ERGI_FROM(0), .doc = "random part of the velocity: radius of a ball around `velocity`"},
    {"start", ERGI_NUMBER, ERGI_AT(erg_emitter_def, start), .unit = "s", .normal = "0",
     ERGI_FROM(0), .doc = "start time"},
    {"stop", ERGI_NUMBER, ERGI_AT(erg_emitter_def, stop), .unit = "s", .normal = "never",
     ERGI_ABOVE(0), .words = &ergi_never_word, .word_count = 1, .doc = "end time, after `start`"},
    {"limit", ERGI_INTEGER, ERGI_AT(erg_emitter_def, limit), .normal = "none", ERGI_FROM(1),
     ERGI_WORDS(no_limit), .doc = "maximum number of grains in total"},
};

static void init_emitter(void *entry)
{
    *(erg_emitter_def *)entry = erg_emitter_def_default();
}

static void check_emitter(ergi_reader *reader, const ergi_node *map, void *entry)
{
    const erg_emitter_def *e = entry;
    check_times(reader, map, e->start, e->stop);
}

const ergi_schema ergi_emitter_schema = {"emitter",
                                         ERGI_FIELDS(emitter_fields),
                                         .size = sizeof(erg_emitter_def),
                                         .init = init_emitter,
                                         .check = check_emitter,
                                         .doc = "Adds grains during the run."};

static const ergi_field sink_fields[] = {
    {"name", ERGI_NAME, ERGI_AT(erg_sink_def, name), .doc = "name for references"},
    {"region", ERGI_BLOCK, ERGI_AT(erg_sink_def, region), .schema = &ergi_region_schema,
     .required = true, .doc = "grains whose centre of mass lies in it are removed and counted"},
    {"start", ERGI_NUMBER, ERGI_AT(erg_sink_def, start), .unit = "s", .normal = "0", ERGI_FROM(0),
     .doc = "start time"},
    {"stop", ERGI_NUMBER, ERGI_AT(erg_sink_def, stop), .unit = "s", .normal = "never",
     ERGI_ABOVE(0), .words = &ergi_never_word, .word_count = 1, .doc = "end time, after `start`"},
};

static void init_sink(void *entry)
{
    *(erg_sink_def *)entry = erg_sink_def_default();
}

static void check_sink(ergi_reader *reader, const ergi_node *map, void *entry)
{
    const erg_sink_def *s = entry;
    check_times(reader, map, s->start, s->stop);
}

const ergi_schema ergi_sink_schema = {"sink",
                                      ERGI_FIELDS(sink_fields),
                                      .size = sizeof(erg_sink_def),
                                      .init = init_sink,
                                      .check = check_sink,
                                      .doc = "Removes grains."};
