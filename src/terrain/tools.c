#include "terrain/tools.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/held_mesh.h"
#include "terrain/facets.h"
#include "terrain/shell.h"

#define FINE 0.02 // error of round shells, in spacings of columns
#define THIN 1.5  // sheets that are thinner may pass between the centres of columns [spacings]

bool ergi_is_tool(const ergi_world_wall *wall)
{
    const ergi_surface *s = &wall->wall.surface;
    return ergi_wall_pose_moves(wall) && s->kind != ERGI_SURFACE_PLANE &&
           s->kind != ERGI_SURFACE_HEIGHTS && s->side != ERGI_SIDE_INSIDE;
}

static erg_status make_shell(ergi_tool *tool, const ergi_wall *wall, double spacing, erg_error *err)
{
    const ergi_surface *s = &wall->surface;
    tool->axis[0] = ergi_vec3(1, 0, 0);
    tool->axis[1] = ergi_vec3(0, 1, 0);
    tool->axis[2] = ergi_vec3(0, 0, 1);
    if (ergi_surface_is_mesh(s)) {
        tool->shell = &wall->mesh->solid;
        tool->origin = s->origin;
        tool->axis[0] = s->ex;
        tool->axis[1] = s->ey;
        tool->axis[2] = s->ez;
        return ERG_OK;
    }
    ergi_mesh mesh;
    tool->own = calloc(1, sizeof *tool->own);
    if (!tool->own) return ergi_fail_memory(err, sizeof *tool->own, "a wall");
    erg_status status = ergi_shell_make(s, FINE * spacing, &mesh, err);
    if (status == ERG_OK) status = ergi_solid_make(&mesh, tool->own, err);
    if (status != ERG_OK) {
        ergi_mesh_free(&mesh);
        free(tool->own);
        tool->own = NULL;
    }
    tool->shell = tool->own;
    return status;
}

// Marks the triangles behind which the tool is thin.
static erg_status find_thin(ergi_tool *tool, bool sheet, double spacing, erg_error *err)
{
    const ergi_solid *shell = tool->shell;
    tool->thin = ergi_memory_new(shell->mesh.triangles, 1, "triangles of a body", err);
    if (!tool->thin) return ERG_NO_MEMORY;
    for (size_t t = 0; t < shell->mesh.triangles; t++) {
        erg_vec3 p[3];
        ergi_mesh_corners(&shell->mesh, t, p);
        erg_vec3 middle = ergi_scale(ergi_add(ergi_add(p[0], p[1]), p[2]), 1.0 / 3);
        erg_vec3 behind = ergi_madd(middle, -THIN * spacing, shell->face_normal[t]);
        tool->thin[t] = sheet || ergi_solid_distance(shell, behind) > 0;
    }
    return ERG_OK;
}

// From the shell's frame to the world at t = 0.
static erg_vec3 turn(const ergi_tool *tool, erg_vec3 v)
{
    erg_vec3 w = ergi_scale(tool->axis[0], v.x);
    w = ergi_madd(w, v.y, tool->axis[1]);
    return ergi_madd(w, v.z, tool->axis[2]);
}

static void free_tool(ergi_tool *tool)
{
    if (tool->own) ergi_solid_free(tool->own);
    free(tool->own);
    ergi_memory_free(tool->thin);
}

static erg_status add_tool(ergi_tools *tools, const erg_world *world, uint32_t w, double spacing,
                           erg_error *err)
{
    erg_status status = ergi_memory_grow(&tools->tool, &tools->tool_room, tools->tools + 1,
                                         sizeof *tools->tool, "tools of a terrain", err);
    if (status != ERG_OK) return status;
    const ergi_wall *wall = &world->wall[w].wall;
    ergi_tool       *tool = &tools->tool[tools->tools++];
    bool             sheet = wall->surface.side == ERGI_SIDE_BOTH;
    *tool = (ergi_tool){.wall = w, .first = tools->facets};
    status = make_shell(tool, wall, spacing, err);
    if (status == ERG_OK) status = find_thin(tool, sheet, spacing, err);
    if (status == ERG_OK)
        status = ergi_facets_add(&tool->shell->mesh, spacing, sheet, &tools->facet, &tools->facets,
                                 &tools->facet_room, err);
    if (status != ERG_OK) {
        tools->facets = tool->first;
        free_tool(tool);
        tools->tools--;
        return status;
    }
    tool->facets = tools->facets - tool->first;
    for (size_t k = tool->first; k < tools->facets; k++) {
        ergi_facet *f = &tools->facet[k];
        f->position = ergi_add(tool->origin, turn(tool, f->position));
        f->normal = turn(tool, f->normal);
    }
    return ERG_OK;
}

// A moving box or drum that holds what is inside it.
static void warn_of_inside(const erg_world *world, const ergi_world_wall *wall)
{
    const ergi_surface *s = &wall->wall.surface;
    if (ergi_wall_pose_moves(wall) && s->kind != ERGI_SURFACE_PLANE && s->side == ERGI_SIDE_INSIDE)
        ergi_log(world, ERG_LOG_WARNING,
                 "wall '%s' moves, but columns do not feel it, as it holds what is inside it; give "
                 "it side: outside to push sand",
                 wall->name);
}

erg_status ergi_tools_make(ergi_tools *tools, const erg_world *world, double spacing,
                           erg_error *err)
{
    erg_status status = ERG_OK;
    for (; tools->walls < world->walls && status == ERG_OK; tools->walls++) {
        const ergi_world_wall *wall = &world->wall[tools->walls];
        if (ergi_is_tool(wall))
            status = add_tool(tools, world, (uint32_t)tools->walls, spacing, err);
        else
            warn_of_inside(world, wall);
    }
    return status;
}

void ergi_tools_free(ergi_tools *tools)
{
    for (size_t k = 0; k < tools->tools; k++) free_tool(&tools->tool[k]);
    ergi_memory_free(tools->tool);
    ergi_memory_free(tools->facet);
    memset(tools, 0, sizeof *tools);
}

size_t ergi_tools_bytes(const ergi_tools *tools)
{
    size_t bytes =
        tools->tool_room * sizeof *tools->tool + tools->facet_room * sizeof *tools->facet;
    for (size_t k = 0; k < tools->tools; k++) {
        bytes += tools->tool[k].shell->mesh.triangles;
        if (tools->tool[k].own) bytes += ergi_solid_bytes(tools->tool[k].own);
    }
    return bytes;
}

ergi_placement ergi_tool_placement(const ergi_tool *tool, const erg_world *world,
                                   const ergi_pose *pose)
{
    return (ergi_placement){world->wall[tool->wall].wall.pivot, pose->position, pose->rotation};
}
