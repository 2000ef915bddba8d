// Tools: free bodies and moving walls, as the columns meet them. Each has a shell of triangles,
// which presses columns (press.h), and facets, small plane pieces of its surface on which the sand
// acts (resist.h). Both are made once.
//
// A surface that holds its grains inside, such as a drum, is no tool; nor is an endless plane.
#ifndef ERGI_TOOLS_H
#define ERGI_TOOLS_H

#include "geom/query_placed.h"
#include "geom/solid.h"
#include "world/world.h"

enum { ERGI_TOOL_FACETS = 2000 }; // of one tool, at most

typedef struct ergi_facet {
    erg_vec3 position, normal; // at t = 0; unit normal, outwards
    double   area;             // [m^2]
} ergi_facet;

typedef struct ergi_tool {
    uint32_t          wall;
    const ergi_solid *shell;
    ergi_solid       *own;             // the shell, if it was made for the tool
    erg_vec3          origin, axis[3]; // frame of the shell, at t = 0
    uint8_t          *thin;            // per triangle: the sheet is thinner than columns are wide
    size_t            first, facets;   // its facets
} ergi_tool;

typedef struct ergi_tools {
    ergi_tool  *tool; // in the order of walls
    ergi_facet *facet;
    size_t      tools, tool_room, facets, facet_room;
    size_t      walls; // of the world that were looked at
} ergi_tools;

// Whether sand feels the wall: columns and frozen grains alike.
bool ergi_is_tool(const ergi_world_wall *wall);

// Adds the tools among the walls that were not looked at yet. `spacing` of the columns [m].
erg_status ergi_tools_make(ergi_tools *tools, const erg_world *world, double spacing,
                           erg_error *err);
void       ergi_tools_free(ergi_tools *tools); // a zeroed struct is fine
size_t     ergi_tools_bytes(const ergi_tools *tools);

// Where the tool is: of its wall.
ergi_placement ergi_tool_placement(const ergi_tool *tool, const erg_world *world,
                                   const ergi_pose *pose);

#endif
