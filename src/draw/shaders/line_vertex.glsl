// A line as a ribbon that faces the camera.
layout(location = 0) in vec4 from; // position, half width
layout(location = 1) in vec4 to;
layout(location = 2) in vec4 colour;

uniform mat4 view, projection;
uniform float least; // minimum half width per unit of depth

out vec4 tint;
out float across;

void main()
{
    vec3 a = (view * vec4(from.xyz, 1.0)).xyz, b = (view * vec4(to.xyz, 1.0)).xyz;
    vec3 along = b - a, middle = 0.5 * (a + b);
    vec3 side = cross(along, middle);
    side /= max(length(side), 1e-30);
    bool first = (gl_VertexID & 1) == 0;
    across = (gl_VertexID >> 1) == 0 ? -1.0 : 1.0;
    vec3 p = first ? a : b;
    float width = max(first ? from.w : to.w, least * -p.z);
    p += across * width * side;
    tint = colour;
    gl_Position = projection * vec4(p, 1.0);
}
