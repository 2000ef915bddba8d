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
extern const char *const CLI_MESH_ONLY[]; // their names; NULL ends the list

typedef struct cli_mesh_args {
    erg_sample_def sample; // radius 0: not given
    bool           field, samples;
} cli_mesh_args;

// By file extension: .obj, .stl or .ply; not a folder.
bool cli_is_mesh(const char *word);

// False: the error has been printed.
bool cli_mesh_args_read(const cli_args *args, cli_mesh_args *mesh);

// False, with an error printed, when one of the options in `names` (ends with NULL) is given: they
// apply to scenes only.
bool cli_mesh_refuse(const cli_args *args, const char *const *names);

// Reads the mesh; notes of the reader are printed to stderr.
erg_status cli_mesh_read(const char *path, erg_mesh **mesh, erg_error *err);

#endif
