// A corner of a tile of the terrain. The surface is raised to where the highest grains end, since
// the fragment shader looks for grains behind it.
layout(location = 0) in float rise; // above the floor of the terrain [m]
layout(location = 1) in vec2 slant; // x and y of the normal
layout(location = 2) in uvec4 at;   // corner of the tile; side

uniform mat4 view, projection;
uniform vec3 corner; // of the tile, at the floor of the terrain, relative to the picture's origin
uniform vec4 extent; // size of a cell, largest x and y in the tile [m]
uniform float lift;  // [m]
uniform float crown; // how far grains stand out of the columns that they turn into [m]

out vec3 place;     // relative to the picture's origin
out vec3 normal;    // of the surface or wall, without grains
flat out int side;

void main()
{
    side = int(at.z);
    vec2 plan = min(vec2(at.xy) * extent.xy, extent.zw);
    place = corner + vec3(plan, rise);
    normal = vec3(slant, sqrt(max(1.0 - dot(slant, slant), 0.0)));
    if (rise > 0.0) place.z += lift + crown;
    if (side > 0) {
        float way = (side & 1) == 1 ? -1.0 : 1.0;
        normal = side < 3 ? vec3(way, 0.0, 0.0) : vec3(0.0, way, 0.0);
    }
    gl_Position = projection * view * vec4(place, 1.0);
}
