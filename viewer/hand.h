// The hand in the sand: throws balls, blows, pulls, moves walls. All it does is commands.
//
// A body is a wall here: a hand that holds one is a hand that holds a wall.
#ifndef ERG_VIEW_HAND_H
#define ERG_VIEW_HAND_H

#include "show.h"

typedef enum view_tool { VIEW_TOOL_BALL, VIEW_TOOL_BLOW, VIEW_TOOL_PULL } view_tool;

typedef struct view_hand {
    view_tool tool;
    double    ball;     // radius [m]
    double    reach;    // [m]
    double    strength; // 1: as usual

    bool     busy;             // the button is down
    double   last;             // simulated time of the last command while it is held [s]
    erg_id   wall;             // held; 0: none
    erg_vec3 grip;             // where it was taken [m]
    erg_vec3 taken_at, facing; // displacement of the wall then; of the plane in which it is moved
    erg_vec3 sent;             // velocity that it was last told [m/s]
} view_hand;

// Where the mouse points to.
typedef struct view_aim {
    const erg_picture *picture;
    erg_ray            ray;
    const view_facts  *facts;
    double             scale; // radius of all there is [m]
    erg_vec3           up;
} view_aim;

// The button goes down. False: there is no room; `why` says so.
bool view_hand_press(view_hand *hand, const view_aim *aim, bool drop, view_show *show,
                     const char **why);
bool view_hand_drop(const view_hand *hand, const view_aim *aim, view_show *show, const char **why);
// Every picture while it is down.
void view_hand_hold(view_hand *hand, const view_aim *aim, view_show *show);
void view_hand_release(view_hand *hand, view_show *show);

// The largest force of a tool that keys drive: what the grains before it bear together. 0: any [N]
double view_hand_push(const view_hand *hand, const erg_picture *picture, const view_facts *facts,
                      double scale);

#endif
