// Mouse interaction with the simulation: throws balls, blows, pulls, moves walls. It acts only
// through commands.
//
// Bodies are moved like walls, and `wall` stands for both.
#ifndef ERG_VIEW_PICKING_H
#define ERG_VIEW_PICKING_H

#include "sim.h"

typedef enum view_tool { VIEW_TOOL_BALL, VIEW_TOOL_BLOW, VIEW_TOOL_PULL } view_tool;

typedef struct view_picker {
    view_tool tool;
    double    ball;     // radius [m]
    double    reach;    // [m]
    double    strength; // 1: default

    bool     busy; // the mouse button is down
    double   last; // simulated time of the last command while the button is held [s]
    erg_id   wall; // grabbed; 0: none
    erg_vec3 grip; // point where it was grabbed [m]
    erg_vec3 taken_at,
        facing;    // displacement of the wall at that time [m]; normal of the plane of motion
    erg_vec3 sent; // last commanded velocity [m/s]
} view_picker;

// Target of the mouse pointer.
typedef struct view_aim {
    const erg_picture *picture;
    erg_ray            ray;
    const view_facts  *facts;
    double             scale; // radius of the scene [m]
    erg_vec3           up;
} view_aim;

// Mouse button pressed. False: not possible; `why` tells the reason.
bool view_picker_press(view_picker *picker, const view_aim *aim, bool drop, view_sim *sim,
                       const char **why);
bool view_picker_drop(const view_picker *picker, const view_aim *aim, view_sim *sim,
                      const char **why);
// Once per frame while the button is down.
void view_picker_hold(view_picker *picker, const view_aim *aim, view_sim *sim);
void view_picker_release(view_picker *picker, view_sim *sim);

// Force limit of a wall driven by keys: what the grains in front of it bear together. 0: no limit
// [N]
double view_picker_max_force(const view_picker *picker, const erg_picture *picture,
                             const view_facts *facts, double scale);

#endif
