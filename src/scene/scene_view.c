// The look of a scene: camera, colours, light.
#include "geom/vec3.h"
#include "scene/scene_def.h"

#include <math.h>

#define LOOK(member_) ERGI_AT(ergi_scene_view, look.member_)

static const ergi_word mode_words[] = {{"orbit", ERG_CAMERA_ORBIT, false},
                                       {"fixed", ERG_CAMERA_FIXED, false},
                                       {"follow", ERG_CAMERA_FOLLOW, false}};

static const ergi_field camera_fields[] = {
    {"position", ERGI_VEC3, LOOK(camera.position), .unit = "m",
     ERGI_GIVEN(ergi_scene_view, look.camera.placed),
     .doc = "position of the camera; when absent, everything is in view, whatever the target"},
    {"target", ERGI_VEC3, LOOK(camera.target), .unit = "m", .normal = "[0, 0, 0]",
     .doc = "point that the camera looks at"},
    {"up", ERGI_VEC3, LOOK(camera.up), ERGI_NONZERO,
     .doc = "upward direction in the picture; when absent, opposite to gravity"},
    {"angle", ERGI_NUMBER, LOOK(camera.angle), .unit = "degrees", .normal = "35",
     ERGI_FROM_TO(1, 170), .doc = "vertical angle of view"},
    {"mode", ERGI_WORD, LOOK(camera.mode), ERGI_WORDS(mode_words), .normal = "fixed",
     .doc =
         "camera motion in a film; orbit: around the target; fixed: none; follow: with the grains"},
    {"turn", ERGI_NUMBER, LOOK(camera.turn), .unit = "s", .normal = "24", ERGI_ABOVE(0),
     .doc = "duration of one orbit, in seconds of film"},
};

static void check_camera(ergi_reader *reader, const ergi_node *map, void *entry)
{
    const erg_camera *c = &((ergi_scene_view *)entry)->look.camera;
    if (c->placed && !(ergi_distance(c->position, c->target) > 0))
        ergi_reader_fault(reader, map, "position",
                          "position and target are the same, expected two different points");
}

static const ergi_schema camera_schema = {"camera", ERGI_FIELDS(camera_fields),
                                          .size = sizeof(ergi_scene_view), .check = check_camera};

static const ergi_field light_fields[] = {
    {"direction", ERGI_VEC3, LOOK(light.direction), .normal = "[0.75, 0.3, -0.7]", ERGI_NONZERO,
     .doc = "direction in which the light shines"},
    {"brightness", ERGI_NUMBER, LOOK(light.brightness), .normal = "1", ERGI_FROM(0),
     .doc = "brightness of the light"},
    {"ambient", ERGI_NUMBER, LOOK(light.ambient), .normal = "0.25", ERGI_FROM_TO(0, 1),
     .doc = "brightness of surfaces in shadow"},
    {"shadows", ERGI_BOOLEAN, LOOK(light.shadows), .normal = "true", .doc = "draw shadows"},
};
static const ergi_schema light_schema = {"light", ERGI_FIELDS(light_fields),
                                         .size = sizeof(ergi_scene_view)};

static const ergi_field cut_fields[] = {
    {"point", ERGI_VEC3, LOOK(cut_point), .unit = "m", .normal = "[0, 0, 0]",
     .doc = "any point on the plane"},
    {"normal", ERGI_VEC3, LOOK(cut_normal), .required = true, ERGI_NONZERO,
     .doc = "points to the side that is left out"},
};
static const ergi_schema cut_schema = {"cut", ERGI_FIELDS(cut_fields),
                                       .size = sizeof(ergi_scene_view)};

static const ergi_word colour_words[] = {{"material", ERG_COLOUR_MATERIAL, false},
                                         {"speed", ERG_COLOUR_SPEED, false},
                                         {"force", ERG_COLOUR_FORCE, false},
                                         {"size", ERG_COLOUR_SIZE, false},
                                         {"id", ERG_COLOUR_ID, false},
                                         {"height", ERG_COLOUR_HEIGHT, false}};
static const ergi_word fine_words[] = {{"instead", ERG_FINE_INSTEAD, false},
                                       {"beside", ERG_FINE_BESIDE, false},
                                       {"hidden", ERG_FINE_HIDDEN, false}};
static const ergi_word bodies_words[] = {{"smooth", ERG_PROPS_SMOOTH, false},
                                         {"spheres", ERG_PROPS_SPHERES, false},
                                         {"both", ERG_PROPS_BOTH, false}};
static const ergi_word auto_word[] = {{"auto", HUGE_VAL, false}};
static const ergi_word ground_words[] = {{"auto", HUGE_VAL, false}, {"none", -HUGE_VAL, false}};

static const ergi_field view_fields[] = {
    {"camera", ERGI_BLOCK, .schema = &camera_schema, .doc = "the camera"},
    {"light", ERGI_BLOCK, .schema = &light_schema, .doc = "the light source"},
    {"background", ERGI_VEC3, LOOK(background), .normal = "[0.92, 0.93, 0.95]", ERGI_FROM_TO(0, 1),
     .doc = "red, green and blue of the background"},
    {"colour", ERGI_WORD, LOOK(colour), ERGI_WORDS(colour_words), .normal = "material",
     .doc = "quantity shown by the colours of grains"},
    {"low", ERGI_NUMBER, LOOK(low), .normal = "auto", ERGI_WORDS(auto_word),
     .doc =
         "lower end of the colour range, in the unit of the quantity; auto: from the grains shown"},
    {"high", ERGI_NUMBER, LOOK(high), .normal = "auto", ERGI_WORDS(auto_word),
     .doc = "upper end of the colour range"},
    {"legend", ERGI_BOOLEAN, LOOK(legend), .normal = "true", .doc = "show a legend of the colours"},
    {"chains", ERGI_BOOLEAN, LOOK(chains), .normal = "false",
     .doc = "show contacts as lines; the larger the force, the wider the line"},
    {"cut", ERGI_BLOCK, .schema = &cut_schema,
     .doc = "cutting plane; everything on the side of its normal is left out"},
    {"fine", ERGI_WORD, LOOK(fine), ERGI_WORDS(fine_words), .normal = "instead",
     .doc = "fine particles of `upsample`: instead of the grains, in addition to them, or hidden"},
    {"bodies", ERGI_WORD, LOOK(props), ERGI_WORDS(bodies_words), .normal = "smooth",
     .doc = "show bodies with `contact: spheres` as triangles, spheres or both"},
    {"every", ERGI_INTEGER, LOOK(every), .normal = "1", ERGI_FROM_TO(1, 1000000000),
     .doc = "show every n-th grain"},
    {"ground", ERGI_NUMBER, LOOK(ground_height), .unit = "m", .normal = "auto",
     ERGI_WORDS(ground_words),
     .doc = "height of the ground; auto: the lowest horizontal plane wall, else below walls and terrain"},
    {"speed", ERGI_NUMBER, ERGI_AT(ergi_scene_view, speed), .normal = "1", ERGI_FROM_TO(1e-9, 1e9),
     .doc = "simulated seconds per second of film: 1 is real time, 1/4 slow motion; `--speed` of "
            "erg render overrides it"},
    {"caption", ERGI_BOOLEAN, ERGI_AT(ergi_scene_view, caption), .normal = "false",
     .doc = "show title, time and number of grains"},
};
const ergi_schema ergi_view_schema = {
    "view", ERGI_FIELDS(view_fields), .size = sizeof(ergi_scene_view),
    .doc = "Affects pictures and films only. [pictures.md](pictures.md) describes the keys."};

void ergi_view_finish(ergi_scene_view *view)
{
    erg_look *look = &view->look;
    if (isinf(look->low)) look->low = (double)NAN;
    if (isinf(look->high)) look->high = (double)NAN;
    look->cut = ergi_norm(look->cut_normal) > 0;
    look->ground = !isinf(look->ground_height) ? ERG_GROUND_AT
                   : look->ground_height > 0   ? ERG_GROUND_AUTO
                                               : ERG_GROUND_NONE;
    if (look->ground != ERG_GROUND_AT) look->ground_height = 0;
}
