// Rotations, and motions of walls and bodies.
#include "geom/vec3.h"
#include "scene/scene_def.h"
#include "world/motion.h"

#include <math.h>

// ---- Rotations ---------------------------------------------------------------------------------
static erg_quat rotation_of(ergi_reader *reader, const ergi_node *map, erg_vec3 axis, double angle)
{
    double   s = sin(0.5 * angle), c = cos(0.5 * angle);
    erg_vec3 n = ergi_normalize(axis);
    if (!isfinite(n.x + n.y + n.z) || !isfinite(s))
        ergi_reader_fault(reader, map, "axis",
                          "axis and angle do not give a rotation, expected smaller numbers");
    return (erg_quat){s * n.x, s * n.y, s * n.z, c};
}

static const ergi_field turn_fields[] = {
    {"axis", ERGI_VEC3, ERGI_AT(ergi_scene_turn, axis), .normal = "[0, 0, 1]", ERGI_NONZERO,
     .doc = "axis of rotation"},
    {"angle", ERGI_NUMBER, ERGI_AT(ergi_scene_turn, angle), .unit = "rad", .normal = "0",
     .doc = "right-handed about the axis"},
};

static void check_turn(ergi_reader *reader, const ergi_node *map, void *entry)
{
    ergi_scene_turn *turn = entry;
    turn->rotation = rotation_of(reader, map, turn->axis, turn->angle);
}

const ergi_schema ergi_turn_schema = {"rotation", ERGI_FIELDS(turn_fields),
                                      .size = sizeof(ergi_scene_turn), .check = check_turn};

// ---- Motion ------------------------------------------------------------------------------------
static const ergi_field spin_fields[] = {
    {"axis", ERGI_VEC3, ERGI_AT(ergi_scene_motion, def.axis), .normal = "[0, 0, 1]", ERGI_NONZERO,
     .doc = "axis of rotation, through the wall's pivot"},
    {"rate", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.rate), .unit = "rad/s", .required = true,
     .doc = "right-handed about the axis"},
};
static const ergi_schema spin_schema = {"spin motion", ERGI_FIELDS(spin_fields),
                                        .size = sizeof(ergi_scene_motion)};

static const ergi_field oscillation_fields[] = {
    {"amplitude", ERGI_VEC3, ERGI_AT(ergi_scene_motion, def.amplitude), .unit = "m",
     .required = true, .doc = "largest displacement from the centre"},
    {"frequency", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.frequency), .unit = "Hz",
     .normal = "1", ERGI_ABOVE(0), .doc = "oscillations per second"},
    {"phase", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.phase), .unit = "rad", .normal = "0",
     .doc = "0: starts at full speed; pi/2 (1.5707963): starts from rest"},
};
static const ergi_schema oscillation_schema = {
    "oscillation motion", ERGI_FIELDS(oscillation_fields), .size = sizeof(ergi_scene_motion)};

static const ergi_field rocking_fields[] = {
    {"axis", ERGI_VEC3, ERGI_AT(ergi_scene_motion, def.axis), .normal = "[0, 0, 1]", ERGI_NONZERO,
     .doc = "axis of rotation, through the wall's pivot"},
    {"angle", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.angle), .unit = "rad", .required = true,
     .doc = "largest rotation"},
    {"frequency", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.frequency), .unit = "Hz",
     .normal = "1", ERGI_ABOVE(0), .doc = "oscillations per second"},
    {"phase", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.phase), .unit = "rad", .normal = "0",
     .doc = "0: starts at full speed; pi/2 (1.5707963): starts from rest"},
};
static const ergi_schema rocking_schema = {"rocking motion", ERGI_FIELDS(rocking_fields),
                                           .size = sizeof(ergi_scene_motion)};

static const ergi_field key_fields[] = {
    {"time", ERGI_NUMBER, ERGI_AT(ergi_scene_key, def.time), .unit = "s", .required = true,
     ERGI_FROM(0), .doc = "time since the motion's start; later than that of the previous key"},
    {"position", ERGI_VEC3, ERGI_AT(ergi_scene_key, def.position), .unit = "m",
     .normal = "[0, 0, 0]", .doc = "displacement from the position at t = 0"},
    {"axis", ERGI_VEC3, ERGI_AT(ergi_scene_key, axis), .normal = "[0, 0, 1]", ERGI_NONZERO,
     .doc = "axis of rotation, through the wall's pivot"},
    {"angle", ERGI_NUMBER, ERGI_AT(ergi_scene_key, angle), .unit = "rad", .normal = "0",
     .doc = "rotation from the orientation at t = 0"},
};

static void check_key(ergi_reader *reader, const ergi_node *map, void *entry)
{
    ergi_scene_key *key = entry;
    key->def.rotation = rotation_of(reader, map, key->axis, key->angle);
}

static const ergi_schema key_schema = {"keyframe", ERGI_FIELDS(key_fields),
                                       .size = sizeof(ergi_scene_key), .check = check_key};

static const ergi_field keyframes_fields[] = {
    {"keys", ERGI_LIST, ERGI_LIST_AT(ergi_scene_motion, keys, key_count), .schema = &key_schema,
     .least = 1, .required = true, .doc = "poses of the wall and their times"},
    {"smooth", ERGI_BOOLEAN, ERGI_AT(ergi_scene_motion, def.smooth), .normal = "true",
     .doc = "come to rest at every key instead of moving at constant speed between keys"},
};
static const ergi_schema keyframes_schema = {"keyframes motion", ERGI_FIELDS(keyframes_fields),
                                             .size = sizeof(ergi_scene_motion)};

static const ergi_field servo_fields[] = {
    {"direction", ERGI_VEC3, ERGI_AT(ergi_scene_motion, def.direction), .normal = "[0, 0, -1]",
     ERGI_NONZERO, .doc = "direction in which the wall presses"},
    {"force", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.force), .unit = "N", .required = true,
     ERGI_ABOVE(0), .doc = "force to maintain against grains and bodies"},
    {"max_speed", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.max_speed), .unit = "m/s",
     .required = true, ERGI_ABOVE(0), .doc = "limit in both directions"},
    {"gain", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.gain), .unit = "m/(s N)", .normal = "auto",
     ERGI_ABOVE(0), .words = &ergi_auto_word, .word_count = 1,
     .doc = "speed / (force - resistance); auto: max_speed / force"},
};
static const ergi_schema servo_schema = {"servo motion", ERGI_FIELDS(servo_fields),
                                         .size = sizeof(ergi_scene_motion)};

static const ergi_field servo_torque_fields[] = {
    {"axis", ERGI_VEC3, ERGI_AT(ergi_scene_motion, def.axis), .normal = "[0, 0, 1]", ERGI_NONZERO,
     .doc = "axis about which the wall is driven, through its pivot"},
    {"torque", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.torque), .unit = "N m", .required = true,
     ERGI_ABOVE(0),
     .doc = "torque to maintain against grains and bodies, right-handed about the axis"},
    {"max_rate", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.max_rate), .unit = "rad/s",
     .required = true, ERGI_ABOVE(0), .doc = "limit in both directions"},
    {"gain", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.gain), .unit = "rad/(s N m)",
     .normal = "auto", ERGI_ABOVE(0), .words = &ergi_auto_word, .word_count = 1,
     .doc = "rate / (torque - resistance); auto: max_rate / torque"},
};
static const ergi_schema servo_torque_schema = {
    "servo_torque motion", ERGI_FIELDS(servo_torque_fields), .size = sizeof(ergi_scene_motion)};

// ---- Joints ------------------------------------------------------------------------------------
static const ergi_word  user_word[] = {{"true", 0, false}};
static const ergi_field range_item = {.type = ERGI_NUMBER, ERGI_ITEM(double)};
static const ergi_field joint_key_item = {.type = ERGI_TEXT, ERGI_ITEM(const char *)};

static const ergi_field user_fields[] = {
    {"axis", ERGI_VEC3, ERGI_AT(ergi_scene_motion, def.axis), ERGI_NONZERO, .choice = 1,
     .variant = ERG_JOINT_HINGE, .doc = "a hinge: axis of rotation, through the wall's pivot"},
    {"direction", ERGI_VEC3, ERGI_AT(ergi_scene_motion, def.direction), ERGI_NONZERO, .choice = 1,
     .variant = ERG_JOINT_SLIDE, .doc = "a slide: direction of motion"},
    {"rate", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.max_rate), .unit = "rad/s", ERGI_ABOVE(0),
     .doc = "of a hinge: its rate while a key is held, and the largest that a command can give it"},
    {"speed", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.max_speed), .unit = "m/s", ERGI_ABOVE(0),
     .doc = "the same of a slide"},
    {"range", ERGI_LIST, ERGI_AT(ergi_scene_motion, def.range), .item = &range_item, .least = 2,
     .most = 2, .unit = "rad or m",
     .doc = "lowest and highest angle or displacement since t = 0; when absent, it has no ends"},
    {"keys", ERGI_LIST, ERGI_AT(ergi_scene_motion, joint_keys), .item = &joint_key_item, .least = 2,
     .most = 2, .sets = "key_up key_down", ERGI_GIVEN(ergi_scene_motion, has_joint_keys),
     .doc = "keys of the window that move it up and down its range: letters other than w, a, s, d, "
            "q, e and h, digits from 4 to 9"},
};
static const ergi_choice user_choices[] = {{"joint", ERGI_AT(ergi_scene_motion, def.joint), false}};

static void check_user(ergi_reader *reader, const ergi_node *map, void *entry)
{
    ergi_scene_motion *m = entry;
    bool               hinge = m->def.joint == ERG_JOINT_HINGE;
    const char        *wanted = hinge ? "rate" : "speed", *other = hinge ? "speed" : "rate";
    if (ergi_node_find(map, other))
        ergi_reader_fault(reader, map, other, "%s has no %s, expected '%s'",
                          hinge ? "a hinge (axis)" : "a slide (direction)", other, wanted);
    else if (!ergi_node_find(map, wanted))
        ergi_reader_fault(reader, map, NULL, "'%s' is missing, expected a number above 0 [%s]",
                          wanted, hinge ? "rad/s" : "m/s");
    for (int k = 0; k < 2 && m->has_joint_keys; k++) {
        const char *key = m->joint_keys[k];
        if (!key) return; // the list or this entry is faulty, and reported
        if (key[0] && !key[1] && ergi_joint_key_allowed(key[0])) continue;
        ergi_reader_fault(reader, map, "keys", "key is '%.20s', expected " ERGI_JOINT_KEYS, key);
        return;
    }
    if (!m->has_joint_keys) return;
    m->def.key_up = m->joint_keys[0][0];
    m->def.key_down = m->joint_keys[1][0];
}

static const ergi_schema user_schema = {
    "user motion",
    ERGI_FIELDS(user_fields),
    .size = sizeof(ergi_scene_motion),
    ERGI_CHOICES(user_choices),
    .doc = "A joint that the user moves, in the frame of the wall that it is attached to.",
    .check = check_user,
};

static const ergi_field motion_fields[] = {
    {"velocity", ERGI_VEC3, ERGI_AT(ergi_scene_motion, def.velocity), .unit = "m/s", .choice = 1,
     .variant = ERG_MOTION_VELOCITY, .doc = "constant velocity"},
    {"spin", ERGI_BLOCK, .schema = &spin_schema, .choice = 1, .variant = ERG_MOTION_SPIN,
     .doc = "constant rotation"},
    {"oscillation", ERGI_BLOCK, .schema = &oscillation_schema, .choice = 1,
     .variant = ERG_MOTION_OSCILLATION, .doc = "harmonic translation"},
    {"rocking", ERGI_BLOCK, .schema = &rocking_schema, .choice = 1, .variant = ERG_MOTION_ROCKING,
     .doc = "harmonic rotation"},
    {"keyframes", ERGI_BLOCK, .schema = &keyframes_schema, .choice = 1,
     .variant = ERG_MOTION_KEYFRAMES, .doc = "through given poses"},
    {"servo", ERGI_BLOCK, .schema = &servo_schema, .choice = 1, .variant = ERG_MOTION_SERVO,
     .doc = "a piston that holds a force"},
    {"servo_torque", ERGI_BLOCK, .schema = &servo_torque_schema, .choice = 1,
     .variant = ERG_MOTION_SERVO_TORQUE, .doc = "a motor that holds a torque"},
    {"user", ERGI_BLOCK, .schema = &user_schema, ERGI_WORDS(user_word), .choice = 1,
     .variant = ERG_MOTION_USER,
     .doc = "moved by commands during the run, at rest until then; true: any way; else a joint"},
    {"start", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.start), .unit = "s", .normal = "0",
     .doc = "this part is at rest before this time"},
    {"stop", ERGI_NUMBER, ERGI_AT(ergi_scene_motion, def.stop), .unit = "s", .normal = "never",
     .words = &ergi_never_word, .word_count = 1,
     .doc = "this part stops at this time and stays where it is"},
};
static const ergi_choice motion_choices[] = {{"kind", ERGI_AT(ergi_scene_motion, def.kind), false}};

static void init_motion(void *entry)
{
    ((ergi_scene_motion *)entry)->def = erg_motion_def_default(ERG_MOTION_VELOCITY);
}

static void check_motion(ergi_reader *reader, const ergi_node *map, void *entry)
{
    ergi_scene_motion *m = entry;
    if (!(m->def.stop > m->def.start))
        ergi_reader_fault(reader, map, "stop", "stop is %g, expected a time after start, %g [s]",
                          m->def.stop, m->def.start);
    for (int i = 1; i < m->key_count; i++)
        if (!(m->keys[i].def.time > m->keys[i - 1].def.time))
            ergi_reader_fault(reader, map, "keyframes",
                              "time of key %d is %g, expected a time after %g [s]", i,
                              m->keys[i].def.time, m->keys[i - 1].def.time);
}

const ergi_schema ergi_motion_schema = {
    "motion",
    ERGI_FIELDS(motion_fields),
    .size = sizeof(ergi_scene_motion),
    ERGI_CHOICES(motion_choices),
    .doc = "The parts of a motion add up. Rotations are about the wall's pivot; the first part is "
           "the innermost.",
    .init = init_motion,
    .check = check_motion,
};

void ergi_scene_check_motions(ergi_reader *reader, const ergi_schema *schema, const ergi_node *map,
                              const ergi_scene_motion *motions, size_t count)
{
    // Keyframes are checked elsewhere and copied when the world is built; a placeholder is used
    // here.
    const erg_keyframe placeholder = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    erg_motion_def     parts[ERG_WALL_MOTIONS];
    erg_error          err;
    for (size_t i = 0; i < count && i < ERG_WALL_MOTIONS; i++) {
        parts[i] = motions[i].def;
        parts[i].keys = &placeholder;
        parts[i].key_count = 1;
    }
    if (ergi_motions_check(parts, (int)count, "", &err) != ERG_OK)
        ergi_reader_fault_of(reader, schema, map, "", &err);
}
