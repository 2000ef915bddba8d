// Walls.
#include "scene/scene_def.h"
#include "world/wall.h"

// ---- Shapes ------------------------------------------------------------------------------------
static const ergi_field plane_fields[] = {
    {"point", ERGI_VEC3, ERGI_AT(erg_wall_plane, point), .unit = "m", .normal = "[0, 0, 0]",
     .doc = "any point on the plane"},
    {"normal", ERGI_VEC3, ERGI_AT(erg_wall_plane, normal), .normal = "[0, 0, 1]", ERGI_NONZERO,
     .doc = "points to the grains"},
};
static const ergi_schema plane_schema = {"plane wall", ERGI_FIELDS(plane_fields),
                                         .size = sizeof(erg_wall_plane)};

static const ergi_word face_words[] = {
    {"x-min", ERG_FACE_X_MIN, false}, {"x-max", ERG_FACE_X_MAX, false},
    {"y-min", ERG_FACE_Y_MIN, false}, {"y-max", ERG_FACE_Y_MAX, false},
    {"z-min", ERG_FACE_Z_MIN, false}, {"z-max", ERG_FACE_Z_MAX, false},
};
static const ergi_field box_fields[] = {
    {"min", ERGI_VEC3, ERGI_AT(erg_wall_box, min), .unit = "m", .required = true,
     .doc = "smallest corner"},
    {"max", ERGI_VEC3, ERGI_AT(erg_wall_box, max), .unit = "m", .required = true,
     .doc = "largest corner"},
    {"open", ERGI_FLAGS, ERGI_AT(erg_wall_box, open), ERGI_WORDS(face_words), .normal = "[]",
     .doc = "faces that are left out"},
};
static const ergi_schema box_schema = {"box wall", ERGI_FIELDS(box_fields),
                                       .size = sizeof(erg_wall_box)};

static const ergi_field sphere_fields[] = {
    {"centre", ERGI_VEC3, ERGI_AT(erg_wall_sphere, centre), .unit = "m", .normal = "[0, 0, 0]",
     .doc = "of the sphere"},
    {"radius", ERGI_NUMBER, ERGI_AT(erg_wall_sphere, radius), .unit = "m", .required = true,
     ERGI_ABOVE(0), .doc = "of the sphere"},
};
static const ergi_schema sphere_schema = {"sphere wall", ERGI_FIELDS(sphere_fields),
                                          .size = sizeof(erg_wall_sphere)};

static const ergi_field cylinder_fields[] = {
    {"a", ERGI_VEC3, ERGI_AT(erg_wall_cylinder, a), .unit = "m", .required = true,
     .doc = "one end of the axis"},
    {"b", ERGI_VEC3, ERGI_AT(erg_wall_cylinder, b), .unit = "m", .required = true,
     .doc = "the other end"},
    {"radius", ERGI_NUMBER, ERGI_AT(erg_wall_cylinder, radius), .unit = "m", .required = true,
     ERGI_ABOVE(0), .doc = "of the cylinder"},
    {"cap_a", ERGI_BOOLEAN, ERGI_AT(erg_wall_cylinder, cap_a), .normal = "true",
     .doc = "closed at a"},
    {"cap_b", ERGI_BOOLEAN, ERGI_AT(erg_wall_cylinder, cap_b), .normal = "true",
     .doc = "closed at b"},
};
static const ergi_schema cylinder_schema = {"cylinder wall", ERGI_FIELDS(cylinder_fields),
                                            .size = sizeof(erg_wall_cylinder)};

static const ergi_field cone_fields[] = {
    {"a", ERGI_VEC3, ERGI_AT(erg_wall_cone, a), .unit = "m", .required = true,
     .doc = "one end of the axis"},
    {"b", ERGI_VEC3, ERGI_AT(erg_wall_cone, b), .unit = "m", .required = true,
     .doc = "the other end"},
    {"radius_a", ERGI_NUMBER, ERGI_AT(erg_wall_cone, radius_a), .unit = "m", .required = true,
     ERGI_FROM(0), .doc = "radius at a"},
    {"radius_b", ERGI_NUMBER, ERGI_AT(erg_wall_cone, radius_b), .unit = "m", .required = true,
     ERGI_FROM(0), .doc = "radius at b; one of the two may be 0 (a tip)"},
    {"cap_a", ERGI_BOOLEAN, ERGI_AT(erg_wall_cone, cap_a), .normal = "false", .doc = "closed at a"},
    {"cap_b", ERGI_BOOLEAN, ERGI_AT(erg_wall_cone, cap_b), .normal = "false", .doc = "closed at b"},
};
static const ergi_schema cone_schema = {"cone wall", ERGI_FIELDS(cone_fields),
                                        .size = sizeof(erg_wall_cone)};

static const ergi_field funnel_fields[] = {
    {"outlet", ERGI_VEC3, ERGI_AT(erg_wall_funnel, outlet), .unit = "m", .normal = "[0, 0, 0]",
     .doc = "centre of the lower opening"},
    {"axis", ERGI_VEC3, ERGI_AT(erg_wall_funnel, axis), .normal = "[0, 0, 1]", ERGI_NONZERO,
     .doc = "from the outlet to the top"},
    {"outlet_radius", ERGI_NUMBER, ERGI_AT(erg_wall_funnel, outlet_radius), .unit = "m",
     .required = true, ERGI_ABOVE(0), .doc = "radius of the opening"},
    {"top_radius", ERGI_NUMBER, ERGI_AT(erg_wall_funnel, top_radius), .unit = "m", .required = true,
     ERGI_ABOVE(0), .doc = "radius of the upper opening, above `outlet_radius`"},
    {"height", ERGI_NUMBER, ERGI_AT(erg_wall_funnel, height), .unit = "m", .required = true,
     ERGI_FROM(0), .doc = "height of the cone; 0: a flat floor with a hole"},
    {"stem", ERGI_NUMBER, ERGI_AT(erg_wall_funnel, stem), .unit = "m", .normal = "0", ERGI_FROM(0),
     .doc = "length of the straight part at the outlet"},
    {"rim", ERGI_NUMBER, ERGI_AT(erg_wall_funnel, rim), .unit = "m", .normal = "0", ERGI_FROM(0),
     .doc = "length of the straight part above the cone, for a silo"},
};
static const ergi_schema funnel_schema = {"funnel wall", ERGI_FIELDS(funnel_fields),
                                          .size = sizeof(erg_wall_funnel)};

static const ergi_field hourglass_fields[] = {
    {"centre", ERGI_VEC3, ERGI_AT(erg_wall_hourglass, centre), .unit = "m", .normal = "[0, 0, 0]",
     .doc = "centre of the neck"},
    {"axis", ERGI_VEC3, ERGI_AT(erg_wall_hourglass, axis), .normal = "[0, 0, 1]", ERGI_NONZERO,
     .doc = "from the lower end (a) to the upper (b)"},
    {"neck_radius", ERGI_NUMBER, ERGI_AT(erg_wall_hourglass, neck_radius), .unit = "m",
     .required = true, ERGI_ABOVE(0), .doc = "radius of the opening"},
    {"bulb_radius", ERGI_NUMBER, ERGI_AT(erg_wall_hourglass, bulb_radius), .unit = "m",
     .required = true, ERGI_ABOVE(0), .doc = "radius of the bulbs, above `neck_radius`"},
    {"cone_height", ERGI_NUMBER, ERGI_AT(erg_wall_hourglass, cone_height), .unit = "m",
     .required = true, ERGI_ABOVE(0), .doc = "height of each cone"},
    {"height", ERGI_NUMBER, ERGI_AT(erg_wall_hourglass, height), .unit = "m", .required = true,
     ERGI_ABOVE(0), .doc = "total height, at least 2 `cone_height`"},
    {"rounding", ERGI_NUMBER, ERGI_AT(erg_wall_hourglass, rounding), .unit = "m", .normal = "0",
     ERGI_FROM(0), .doc = "radius of the neck's rounded edge; 0: sharp"},
    {"cap_a", ERGI_BOOLEAN, ERGI_AT(erg_wall_hourglass, cap_a), .normal = "true",
     .doc = "closed at the lower end"},
    {"cap_b", ERGI_BOOLEAN, ERGI_AT(erg_wall_hourglass, cap_b), .normal = "true",
     .doc = "closed at the upper end"},
};
static const ergi_schema hourglass_schema = {"hourglass wall", ERGI_FIELDS(hourglass_fields),
                                             .size = sizeof(erg_wall_hourglass)};

static const ergi_field capsule_fields[] = {
    {"a", ERGI_VEC3, ERGI_AT(erg_wall_capsule, a), .unit = "m", .required = true,
     .doc = "centre of one round end"},
    {"b", ERGI_VEC3, ERGI_AT(erg_wall_capsule, b), .unit = "m", .required = true,
     .doc = "centre of the other"},
    {"radius", ERGI_NUMBER, ERGI_AT(erg_wall_capsule, radius), .unit = "m", .required = true,
     ERGI_ABOVE(0), .doc = "of the capsule"},
};
static const ergi_schema capsule_schema = {"capsule wall", ERGI_FIELDS(capsule_fields),
                                           .size = sizeof(erg_wall_capsule)};

// ---- Walls -------------------------------------------------------------------------------------
static const ergi_field rough_fields[] = {
    {"spacing", ERGI_NUMBER, ERGI_AT(erg_rough, spacing), .unit = "m", .required = true,
     ERGI_ABOVE(0), .doc = "distance between neighbouring bumps, at least twice `radius`"},
    {"radius", ERGI_NUMBER, ERGI_AT(erg_rough, radius), .unit = "m", .required = true,
     ERGI_ABOVE(0), .doc = "radius of the bumps; their centres lie on the surface"},
};
static const ergi_schema rough_schema = {"rough", ERGI_FIELDS(rough_fields),
                                         .size = sizeof(erg_rough)};

static const ergi_word side_words[] = {
    {"auto", ERG_SIDE_AUTO, false},
    {"inside", ERG_SIDE_INSIDE, false},
    {"outside", ERG_SIDE_OUTSIDE, false},
    {"both", ERG_SIDE_BOTH, false},
};

#define SHAPE(word_, VARIANT_, doc_)                                                               \
    {                                                                                              \
#word_, ERGI_BLOCK, ERGI_AT(ergi_scene_wall, def.word_),                                   \
            .schema = &word_##_schema, .choice = 1, .variant = ERG_WALL_##VARIANT_, .doc = doc_    \
    }

static const ergi_field wall_fields[] = {
    {"name", ERGI_NAME, ERGI_AT(ergi_scene_wall, def.name), .doc = "name for references"},
    {"material", ERGI_REF, ERGI_AT(ergi_scene_wall, def.material), .space = "materials",
     .required = true, .doc = "its material"},
    SHAPE(plane, PLANE, "infinite plane"),
    SHAPE(box, BOX, "box aligned with the axes at t = 0"),
    SHAPE(sphere, SPHERE, "a ball, hollow or solid"),
    SHAPE(cylinder, CYLINDER, "a tube, can or rod"),
    SHAPE(cone, CONE, "a cone or frustum"),
    SHAPE(funnel, FUNNEL, "open at both ends; with a rim, a silo"),
    SHAPE(hourglass, HOURGLASS, "two bulbs"),
    SHAPE(capsule, CAPSULE, "a cylinder with round ends"),
    {"mesh", ERGI_BLOCK, ERGI_AT(ergi_scene_wall, mesh), .schema = &ergi_wall_mesh_schema,
     .choice = 1, .variant = ERG_WALL_MESH, .doc = "triangle mesh from a file"},
    {"heightfield", ERGI_ANY, .not_built = true, .choice = 1, .doc = "heights from a file"},
    {"side", ERGI_WORD, ERGI_AT(ergi_scene_wall, def.side), ERGI_WORDS(side_words),
     .normal = "auto",
     .doc = "side on which grains may be; auto: inside for closed shapes, outside for closed "
            "meshes, both for open surfaces"},
    {"rough", ERGI_BLOCK, ERGI_AT(ergi_scene_wall, def.rough), .schema = &rough_schema,
     .doc = "bumps on the surface; when absent, it is smooth"},
    {"motion", ERGI_LIST, ERGI_LIST_AT(ergi_scene_wall, motions, motion_count),
     .schema = &ergi_motion_schema, .or_one = true, .least = 1, .most = ERG_WALL_MOTIONS,
     .doc = "motion of the wall; when absent, it is at rest"},
    {"pivot", ERGI_VEC3, ERGI_AT(ergi_scene_wall, def.pivot), .unit = "m",
     ERGI_GIVEN(ergi_scene_wall, def.has_pivot),
     .doc = "point about which the wall rotates; when absent, the centre of the shape (plane: its "
            "point, funnel: its outlet, mesh: its `position`, the origin of its file)"},
    {"attach", ERGI_REF, ERGI_AT(ergi_scene_wall, def.attach), .space = "walls",
     .space_too = "bodies",
     .doc =
         "the wall or driven body that carries this one; its `motion` and `pivot` then act in the "
         "frame of the carrier; when absent, none"},
};
static const ergi_choice wall_choices[] = {{"shape", ERGI_AT(ergi_scene_wall, def.shape), false}};

static void init_wall(void *entry)
{
    ergi_scene_wall *wall = entry;
    wall->def = erg_wall_def_default(ERG_WALL_PLANE);
    wall->mesh = ergi_scene_mesh_default();
}

// Copies the motions to the definition. Keyframes are added when the wall is built; until then a
// placeholder is used.
static void copy_motions(ergi_scene_wall *wall, const erg_keyframe *placeholder)
{
    wall->def.motion_count = (int)wall->motion_count;
    for (size_t i = 0; i < wall->motion_count; i++) {
        wall->def.motion[i] = wall->motions[i].def;
        wall->def.motion[i].keys = placeholder;
        wall->def.motion[i].key_count = 1;
    }
}

static void check_wall(ergi_reader *reader, const ergi_node *map, void *entry)
{
    ergi_scene_wall   *wall = entry;
    const erg_keyframe placeholder = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    erg_error          err;
    copy_motions(wall, &placeholder);
    // The content of a mesh file is checked when the world is built.
    bool of_mesh = wall->def.shape == ERG_WALL_MESH;
    if (of_mesh)
        ergi_scene_check_motions(reader, &ergi_wall_schema, map, wall->motions, wall->motion_count);
    else if (ergi_wall_check_unnamed(&wall->def, &err) != ERG_OK)
        ergi_reader_fault_of(reader, &ergi_wall_schema, map, "", &err);
    copy_motions(wall, NULL);
}

const ergi_schema ergi_wall_schema = {
    "wall",
    ERGI_FIELDS(wall_fields),
    .size = sizeof(ergi_scene_wall),
    ERGI_CHOICES(wall_choices),
    .doc = "A surface that grains collide with. Positions are world coordinates at t = 0.",
    .init = init_wall,
    .check = check_wall,
};
