// The hand in the sand: throws balls, blows, pulls, moves walls. All it does is commands.
//
// A body is a wall here: a hand that holds one is a hand that holds a wall.
#ifndef ERG_VIEW_PICKING_H
#define ERG_VIEW_PICKING_H

#include "sim.h"

typedef enum view_tool { VIEW_TOOL_BALL, VIEW_TOOL_BLOW, VIEW_TOOL_PULL } view_tool;

typedef struct view_picker {
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
} view_picker;

// Where the mouse points to.
typedef struct view_aim {
    const erg_picture *picture;
    erg_ray            ray;
    const view_facts  *facts;
    double             scale; // radius of all there is [m]
    erg_vec3           up;
} view_aim;

// The button goes down. False: there is no room; `why` says so.
bool view_picker_press(view_picker *picker, const view_aim *aim, bool drop, view_sim *sim,
                       const char **why);
bool view_picker_drop(const view_picker *picker, const view_aim *aim, view_sim *sim,
                      const char **why);
// Every picture while it is down.
void view_picker_hold(view_picker *picker, const view_aim *aim, view_sim *sim);
void view_picker_release(view_picker *picker, view_sim *sim);

// The largest force of a tool that keys drive: what the grains before it bear together. 0: any [N]
double view_picker_push(const view_picker *picker, const erg_picture *picture,
                        const view_facts *facts, double scale);

#endif
