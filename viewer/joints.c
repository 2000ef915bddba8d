// Moves the joints of a scene while its keys are held: one command when the direction changes. With
// Shift, Ctrl or Alt the keys keep their meaning in the window.
#include "app.h"

#include "geom/vec3.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <ctype.h>

enum { MODS = GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_ALT };

// GLFW codes of letters and digits are ASCII, letters in upper case.
char view_joints_char(int key)
{
    return key > 0 && key < 128 && isalnum(key) ? (char)tolower(key) : '\0';
}

static bool is_held(const view_app *app, char key)
{
    return !(app->mods & MODS) && app->held[toupper((unsigned char)key)];
}

bool view_joints_take(const view_app *app, int key, int mods)
{
    const view_facts *f = &app->status.facts;
    char              c = view_joints_char(key);
    for (size_t i = 0; i < f->joints && c && !(mods & MODS); i++)
        if (f->joint[i].key_up == c || f->joint[i].key_down == c) return true;
    return false;
}

static void send(view_app *app, const view_joint *joint, int sign)
{
    double      force = app->picture ? view_picker_max_force(&app->picker, app->picture,
                                                             &app->status.facts, app->home.scale)
                                     : 0;
    erg_command c = {.kind = ERG_COMMAND_WALL_VELOCITY, .id = joint->wall};
    if (joint->hinge) {
        c.vector2 = ergi_scale(joint->along, sign * joint->speed);
    } else {
        c.vector = ergi_scale(joint->along, sign * joint->speed);
        c.value = force;
    }
    view_sim_command(app->sim, &c);
}

void view_joints_hold(view_app *app)
{
    const view_facts *f = &app->status.facts;
    for (size_t i = 0; i < f->joints && app->picture; i++) {
        const view_joint *joint = &f->joint[i];
        int               sign = is_held(app, joint->key_up) - is_held(app, joint->key_down);
        if (sign == app->joint_sent[i]) continue;
        app->joint_sent[i] = sign;
        send(app, joint, sign);
    }
}

void view_joints_forget(view_app *app)
{
    for (size_t i = 0; i < VIEW_JOINTS; i++) app->joint_sent[i] = 0;
}
