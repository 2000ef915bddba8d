// Rigid bodies.
#include "geom/vec3.h"
#include "scene/scene_def.h"
#include "world/body_axes.h"

static const ergi_field count_item = {.type = ERGI_INTEGER, ERGI_FROM(1), ERGI_ITEM(int32_t)};

static const ergi_field grid_fields[] = {
    {"count", ERGI_LIST, ERGI_AT(ergi_scene_grid, count), .item = &count_item, .least = 3,
     .most = 3, .normal = "[1, 1, 1]", .doc = "number along x, y and z"},
    {"spacing", ERGI_VEC3, ERGI_AT(ergi_scene_grid, spacing), .unit = "m", .normal = "[0, 0, 0]",
     .doc = "distance between neighbours along x, y and z"},
    {"shift", ERGI_NUMBER, ERGI_AT(ergi_scene_grid, shift), .unit = "m", .normal = "0",
     ERGI_FROM(0), .doc = "largest random displacement of each body"},
    {"turn", ERGI_NUMBER, ERGI_AT(ergi_scene_grid, turn), .unit = "rad", .normal = "0",
     ERGI_FROM(0),
     .doc = "largest random rotation of each body, about a random axis; 3.2: any orientation"},
};

static const ergi_schema grid_schema = {
    "grid", ERGI_FIELDS(grid_fields), .size = sizeof(ergi_scene_grid),
    .doc = "The first body is at `position`. The bodies share one entry and have no names; random "
           "numbers follow the scene's seed."};

static const ergi_word motion_words[] = {{"fixed", ERGI_MOTION_FIXED, false},
                                         {"user", ERGI_MOTION_BY_USER, false}};
static const ergi_word axis_words[] = {{"x", ERG_AXIS_X, false},   {"y", ERG_AXIS_Y, false},
                                       {"z", ERG_AXIS_Z, false},   {"rx", ERG_AXIS_RX, false},
                                       {"ry", ERG_AXIS_RY, false}, {"rz", ERG_AXIS_RZ, false}};
static const ergi_word contact_words[] = {{"exact", ERG_BODY_EXACT, false},
                                          {"spheres", ERG_BODY_SPHERES, false}};

#define SHAPE(key_, KIND_, doc_)                                                                   \
    {                                                                                              \
#key_, ERGI_BLOCK, ERGI_AT(ergi_scene_body, primitive),                                    \
            .schema = &ergi_primitive_schemas[ERG_PRIMITIVE_##KIND_],                              \
                                              .choice = 1, .variant = ERG_PRIMITIVE_##KIND_,       \
                                              .doc = doc_                                          \
    }

static const ergi_field body_fields[] = {
    {"name", ERGI_NAME, ERGI_AT(ergi_scene_body, def.name),
     .doc = "name for references; columns in series.csv are `name.column`"},
    {"material", ERGI_REF, ERGI_AT(ergi_scene_body, def.material), .space = "materials",
     .required = true, .doc = "its material"},
    SHAPE(box, BOX, "a brick"),
    SHAPE(sphere, SPHERE, "a ball"),
    SHAPE(cylinder, CYLINDER, "a rod or wheel"),
    SHAPE(cone, CONE, "a cone with a tip"),
    SHAPE(capsule, CAPSULE, "a rod with round ends"),
    SHAPE(torus, TORUS, "a ring"),
    SHAPE(tube, TUBE, "a pipe"),
    SHAPE(plate, PLATE, "a board or blade"),
    SHAPE(bucket, BUCKET, "a pail"),
    {"mesh", ERGI_BLOCK, ERGI_AT(ergi_scene_body, mesh), .schema = &ergi_body_mesh_schema,
     .choice = 1, .variant = ERGI_BODY_OF_MESH, .doc = "closed triangle mesh from a file"},
    {"position", ERGI_VEC3, ERGI_AT(ergi_scene_body, def.position), .unit = "m",
     .normal = "[0, 0, 0]", .doc = "position of the shape's origin at t = 0"},
    {"rotation", ERGI_BLOCK, ERGI_AT(ergi_scene_body, turn), .schema = &ergi_turn_schema,
     .doc = "rotation about the shape's origin at t = 0"},
    {"density", ERGI_NUMBER, ERGI_AT(ergi_scene_body, def.density), .unit = "kg/m^3", ERGI_ABOVE(0),
     .choice = 2, .doc = "when absent, that of the material"},
    {"mass", ERGI_NUMBER, ERGI_AT(ergi_scene_body, def.mass), .unit = "kg", ERGI_ABOVE(0),
     .choice = 2, .doc = "total mass"},
    {"velocity", ERGI_VEC3, ERGI_AT(ergi_scene_body, def.velocity), .unit = "m/s",
     .normal = "[0, 0, 0]", .doc = "velocity at t = 0, in free axes"},
    {"spin", ERGI_VEC3, ERGI_AT(ergi_scene_body, def.spin), .unit = "rad/s", .normal = "[0, 0, 0]",
     .doc = "spin at t = 0, in free axes, about its centre of mass"},
    {"motion", ERGI_LIST, ERGI_LIST_AT(ergi_scene_body, motions, motion_count),
     ERGI_WORDS(motion_words), ERGI_WORD_AT(ergi_scene_body, motion_word),
     ERGI_GIVEN(ergi_scene_body, driven), .schema = &ergi_motion_schema, .or_one = true, .least = 1,
     .most = ERG_WALL_MOTIONS,
     .doc = "prescribed motion, whatever the contact forces; fixed: at rest; user: moved by the "
            "keys of the window or by commands; when absent, the body is free, or fixed to what it "
            "is attached to"},
    {"free", ERGI_FLAGS, ERGI_AT(ergi_scene_body, def.free_axes), ERGI_WORDS(axis_words),
     ERGI_GIVEN(ergi_scene_body, axes_given),
     .doc = "axes of the world in which the body follows forces: translation along x, y, z, "
            "rotation about them through its centre of mass (rx, ry, rz: none, one or all); in "
            "the others it follows its `motion`, or is held; when absent, all without a motion, "
            "else none"},
    {"pivot", ERGI_VEC3, ERGI_AT(ergi_scene_body, def.pivot), .unit = "m",
     ERGI_GIVEN(ergi_scene_body, def.has_pivot),
     .doc = "point about which a driven body rotates; when absent, its centre of mass"},
    {"attach", ERGI_REF, ERGI_AT(ergi_scene_body, def.attach), .space = "walls",
     .space_too = "bodies",
     .doc =
         "the wall or driven body that carries this one, which is then not free; its `motion` and "
         "`pivot` act in the frame of the carrier; when absent, none"},
    {"contact", ERGI_WORD, ERGI_AT(ergi_scene_body, def.contact), ERGI_WORDS(contact_words),
     .normal = "exact",
     .doc = "contact geometry for grains; exact: its triangles; spheres: spheres that cover it"},
    {"sphere_radius", ERGI_NUMBER, ERGI_AT(ergi_scene_body, def.sphere_radius), .unit = "m",
     .normal = "auto", ERGI_ABOVE(0), .words = &ergi_auto_word, .word_count = 1,
     .doc = "radius of those spheres; auto: 1/20 of the size of the body"},
    {"rounding", ERGI_NUMBER, ERGI_AT(ergi_scene_body, def.rounding), .unit = "m", .normal = "auto",
     ERGI_ABOVE(0), .words = &ergi_auto_word, .word_count = 1,
     .doc =
         "edge radius for contacts with walls and other bodies; auto: 1/25 of its smallest side"},
    {"grid", ERGI_BLOCK, ERGI_AT(ergi_scene_body, grid), .schema = &grid_schema,
     .doc = "many copies of the body; when absent, one"},
};
static const ergi_choice body_choices[] = {{"shape", ERGI_AT(ergi_scene_body, shape), false},
                                           {.what = "weight", .optional = true}};

static void init_body(void *entry)
{
    ergi_scene_body *body = entry;
    body->def = erg_body_def_default();
    body->primitive = erg_primitive_default(ERG_PRIMITIVE_BOX);
    body->mesh = ergi_scene_mesh_default();
    body->turn.rotation = ergi_quat_identity();
}

static double copies(const ergi_scene_grid *grid)
{
    return (double)grid->count[0] * grid->count[1] * grid->count[2];
}

size_t ergi_scene_copies(const ergi_scene_grid *grid)
{
    return (size_t)copies(grid);
}

static bool stands_still(const ergi_scene_grid *grid, int axis)
{
    const double spacing[3] = {grid->spacing.x, grid->spacing.y, grid->spacing.z};
    return grid->count[axis] > 1 && spacing[axis] == 0.0;
}

// Checks keys that depend on each other.
static void check_body(ergi_reader *reader, const ergi_node *map, void *entry)
{
    ergi_scene_body *body = entry;
    body->driven |= body->def.attach != 0;
    body->def.free = body->axes_given ? body->def.free_axes != 0 : !body->driven;
    if (!body->def.free) body->def.free_axes = ERG_AXIS_ALL; // not used
    body->def.rotation = body->turn.rotation;
    body->primitive.kind = (erg_primitive_kind)body->shape;
    if (!body->def.free && ergi_norm(body->def.velocity) > 0)
        ergi_reader_fault(
            reader, map, "velocity",
            "velocity applies to free bodies only, expected a motion {velocity: ...} instead");
    if (!body->def.free && ergi_norm(body->def.spin) > 0)
        ergi_reader_fault(
            reader, map, "spin",
            "spin applies to free bodies only, expected a motion {spin: ...} instead");
    if (body->def.free && body->def.has_pivot)
        ergi_reader_fault(reader, map, "pivot",
                          "a free body rotates about its centre of mass, expected no pivot");
    if (body->axes_given && body->def.free_axes == ERG_AXIS_ALL && body->driven)
        ergi_reader_fault(reader, map, "free",
                          "free contains all axes and leaves none to the motion, expected fewer");
    erg_error err;
    if (ergi_body_axes_check(&body->def, "", &err) != ERG_OK)
        ergi_reader_fault_of(reader, &ergi_body_schema, map, "", &err);
    ergi_scene_check_motions(reader, &ergi_body_schema, map, body->motions, body->motion_count);
    if (copies(&body->grid) > ERGI_ENTRIES)
        ergi_reader_fault(reader, map, "grid", "grid has %g bodies, expected at most %d",
                          copies(&body->grid), ERGI_ENTRIES);
    for (int k = 0; k < 3; k++)
        if (stands_still(&body->grid, k))
            ergi_reader_fault(reader, map, "grid",
                              "grid puts %d bodies in the same place, expected a spacing along %c",
                              (int)body->grid.count[k], "xyz"[k]);
}

const ergi_schema ergi_body_schema = {
    "body",
    ERGI_FIELDS(body_fields),
    .size = sizeof(ergi_scene_body),
    ERGI_CHOICES(body_choices),
    .doc = "A rigid body with mass. It interacts with grains, walls and other bodies; grains are "
           "placed clear of it.",
    .init = init_body,
    .check = check_body,
};
