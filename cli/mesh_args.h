// Arguments of commands that show a mesh instead of a scene.
#ifndef ERG_CLI_MESH_ARGS_H
#define ERG_CLI_MESH_ARGS_H

#include "erg/erg.h"
#include "options.h"

// For lists of cli_option.
#define CLI_MESH_OPTIONS                                                                           \
    {"radius", "R", "mesh only: sample radius [m]; the distance field's spacing is half of it",    \
     false},                                                                                       \
        {"offset", "X", "mesh only: outward offset of the surface [radii] (default: 0)", false},   \
        {"field", NULL, "mesh only: show the distance field, by ray casting", false},              \
    {                                                                                              \
        "samples", NULL,                                                                           \
            "mesh only: show the spheres that cover it; with --field only their centres", false    \
    }
extern const char *const CLI_MESH_ONLY[]; // their names, ended by NULL

typedef struct cli_mesh_args {
    erg_sample_def sample; // radius 0: none was given
    bool           field, samples;
} cli_mesh_args;

// By its name: .obj, .stl or .ply, and no folder.
bool cli_is_mesh(const char *word);

// False: stderr says what is wrong.
bool cli_mesh_args_read(const cli_args *args, cli_mesh_args *mesh);

// Options of `names`, ended by NULL, are for scenes: false, and stderr says so, when one is given.
bool cli_mesh_refuse(const cli_args *args, const char *const *names);

// Reads the mesh; notes of the reader go to stderr.
erg_status cli_mesh_read(const char *path, erg_mesh **mesh, erg_error *err);

#endif
