#ifndef ERG_CLI_RENDER_MESH_H
#define ERG_CLI_RENDER_MESH_H

#include "scene_args.h"

// erg render MESH. Returns the exit code.
int cli_render_mesh(const cli_args *args, const cli_scene_args *scene_args);

#endif
