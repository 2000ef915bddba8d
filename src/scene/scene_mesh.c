// Meshes of walls and bodies: files and primitives.
#include "geom/vec3.h"
#include "scene/scene_def.h"

// ---- Files -------------------------------------------------------------------------------------
#define FILE_FIELDS                                                                                \
    {"file", ERGI_TEXT, ERGI_AT(ergi_scene_mesh, file), .required = true,                          \
     .doc = "STL, OBJ or PLY file; the path is relative to the folder of the scene file"},         \
        {"scale",                                                                                  \
         ERGI_NUMBER,                                                                              \
         ERGI_AT(ergi_scene_mesh, scale),                                                          \
         .normal = "1",                                                                            \
         ERGI_ABOVE(0),                                                                            \
         .doc = "scale factor of lengths: 1e-3 for a file in millimetres"},                        \
        {"merge",                                                                                  \
         ERGI_NUMBER,                                                                              \
         ERGI_AT(ergi_scene_mesh, merge),                                                          \
         .unit = "m",                                                                              \
         .normal = "0",                                                                            \
         ERGI_FROM(0),                                                                             \
         .doc = "vertices at most this far apart, after scaling, are merged; 0: none"},            \
    {                                                                                              \
        "fill_holes", ERGI_INTEGER, ERGI_AT(ergi_scene_mesh, fill_holes),                          \
            .normal = "0", ERGI_FROM_TO(0, 1024),                                                  \
            .doc = "holes with at most this many edges are filled"                                 \
    }

static const ergi_field wall_mesh_fields[] = {
    FILE_FIELDS,
    {"position", ERGI_VEC3, ERGI_AT(ergi_scene_mesh, position), .unit = "m", .normal = "[0, 0, 0]",
     .doc = "position of the mesh's origin"},
    {"rotation", ERGI_BLOCK, ERGI_AT(ergi_scene_mesh, turn), .schema = &ergi_turn_schema,
     .doc = "rotation about the mesh's origin"},
};
const ergi_schema ergi_wall_mesh_schema = {"mesh wall", ERGI_FIELDS(wall_mesh_fields),
                                           .size = sizeof(ergi_scene_mesh)};

static const ergi_field body_mesh_fields[] = {FILE_FIELDS};
const ergi_schema       ergi_body_mesh_schema = {"mesh body", ERGI_FIELDS(body_mesh_fields),
                                                 .size = sizeof(ergi_scene_mesh)};

ergi_scene_mesh ergi_scene_mesh_default(void)
{
    return (ergi_scene_mesh){.scale = 1, .turn = {.rotation = ergi_quat_identity()}};
}

// ---- Primitives --------------------------------------------------------------------------------
#define LENGTH(key_, doc_)                                                                         \
    {                                                                                              \
#key_, ERGI_NUMBER, ERGI_AT(erg_primitive, key_), .unit = "m", .required = true,           \
                                                          ERGI_ABOVE(0), .doc = doc_               \
    }
#define SEGMENTS                                                                                   \
    {                                                                                              \
        "segments", ERGI_INTEGER, ERGI_AT(erg_primitive, segments),                                \
            .normal = "48", ERGI_FROM_TO(3, 4096),                                                 \
            .doc = "number of segments around the axis; a shape has at most 4 million triangles"   \
    }
#define SHAPE(name_, fields_, doc_)                                                                \
    {                                                                                              \
        name_ " body", ERGI_FIELDS(fields_), .size = sizeof(erg_primitive), .doc = doc_            \
    }

static const ergi_field box_fields[] = {
    {"size", ERGI_VEC3, ERGI_AT(erg_primitive, size), .unit = "m", .required = true, ERGI_ABOVE(0),
     .doc = "lengths along x, y and z, before the rotation"},
};
static const ergi_field sphere_fields[] = {LENGTH(radius, "of the ball"), SEGMENTS};
static const ergi_field cylinder_fields[] = {LENGTH(radius, "of the rod"),
                                             LENGTH(height, "along its axis"), SEGMENTS};
static const ergi_field cone_fields[] = {LENGTH(radius, "at the bottom"),
                                         LENGTH(height, "up to the tip"), SEGMENTS};
static const ergi_field capsule_fields[] = {
    LENGTH(radius, "of rod and caps"),
    LENGTH(height, "length of the straight part, between the centres of the caps"), SEGMENTS};
static const ergi_field torus_fields[] = {
    LENGTH(radius, "radius of the ring, from its axis to the centre line of its tube"),
    LENGTH(thickness, "diameter of its tube"), SEGMENTS};
static const ergi_field tube_fields[] = {LENGTH(radius, "outer radius"),
                                         LENGTH(height, "along its axis"),
                                         LENGTH(thickness, "thickness of its wall"), SEGMENTS};

static const ergi_field plate_size_fields[] = {
    {"x", ERGI_NUMBER, ERGI_AT(erg_vec3, x), .unit = "m", ERGI_ABOVE(0), .doc = "along x"},
    {"y", ERGI_NUMBER, ERGI_AT(erg_vec3, y), .unit = "m", ERGI_ABOVE(0), .doc = "along y"},
};
static const ergi_schema plate_size_schema = {"plate size", ERGI_FIELDS(plate_size_fields),
                                              .size = sizeof(erg_vec3)};
static const ergi_field  plate_fields[] = {
     {"size", ERGI_TUPLE, ERGI_AT(erg_primitive, size), .schema = &plate_size_schema,
      .required = true, .doc = "lengths along x and y, before the rotation"},
     LENGTH(thickness, "along z"),
};
static const ergi_field bucket_fields[] = {
    LENGTH(radius, "outer radius at the rim"),
    LENGTH(height, "total height"),
    LENGTH(thickness, "thickness of wall and floor"),
    {"taper", ERGI_NUMBER, ERGI_AT(erg_primitive, taper), .normal = "0.75", ERGI_ABOVE_TO(0, 1000),
     .doc = "outer radius at the bottom divided by that at the rim"},
    SEGMENTS,
};

// In the order of erg_primitive_kind.
const ergi_schema ergi_primitive_schemas[ERGI_BODY_OF_MESH] = {
    SHAPE("box", box_fields, "Around the origin."),
    SHAPE("sphere", sphere_fields, "Around the origin."),
    SHAPE("cylinder", cylinder_fields, "Upright around the origin."),
    SHAPE("cone", cone_fields, "Upright around the origin, the tip up."),
    SHAPE("capsule", capsule_fields, "Upright around the origin."),
    SHAPE("torus", torus_fields, "Lying flat around the origin."),
    SHAPE("tube", tube_fields, "Upright around the origin, open at both ends."),
    SHAPE("plate", plate_fields, "Lying flat around the origin."),
    SHAPE("bucket", bucket_fields, "Open at the top; the underside of its floor is at z = 0."),
};
