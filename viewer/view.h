// The interactive window: runs a scene or plays a result, and lets the user interact with it.
#ifndef ERG_VIEW_H
#define ERG_VIEW_H

#include "erg/erg.h"

typedef struct view_def {
    const erg_scene   *scene;
    const erg_mesh    *mesh;    // shown instead of a scene; else NULL
    erg_sample_def     samples; // spread over the mesh; radius 0: none
    const char        *path;    // of the scene or mesh file; of a result: its folder
    bool               is_result;
    int                threads; // 0: as set in the scene
    erg_backend        backend;
    const char        *script; // NULL: interactive
    const char        *out;    // folder for screenshots, films and saved states
    const char *const *shelf;  // scenes for the keys "next" and "previous"
    size_t             shelf_count;
    bool (*stopped)(void); // true after a signal; may be NULL
} view_def;

typedef struct view_result {
    char          scene[4096]; // last one shown: path of the file, or folder
    uint64_t      steps, grains, contacts, commands;
    double        sim_time; // [s]
    uint64_t      state_hash;
    uint64_t      pictures;        // drawn
    double        wall_s;          // since the window opened [s]
    double        first_picture_s; // until the first picture was drawn [s]
    double        most_pause_s;    // longest time between two polls of the window's events [s]
    char          kept[4096];      // result folder; empty: nothing was saved
    erg_camera    eye;
    int           width, height; // of the window [pixels]
    bool          paused, cut, chains;
    double        speed;
    erg_colour_by colour;
} view_result;

// Returns when the window is closed; ERG_CANCELLED after a signal.
erg_status view_open(const view_def *def, view_result *result, erg_error *err);

#endif
