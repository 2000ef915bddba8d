// An opaque wall. Of a vessel only the inner side is drawn; glass_fragment draws the side towards
// the camera.
in vec2 plan;
in vec3 seen;
in vec3 normal;

uniform vec3 albedo;
uniform float size_code; // same encoding as for spheres
uniform float kind;      // 1/3: wall, 2/3: ground
uniform int vessel;
uniform vec4 cut;
uniform vec4 hole; // in the ground, where a terrain lies: low x and y, high x and y

layout(location = 0) out vec4 surface;
layout(location = 1) out vec4 facing;

void main()
{
    bool towards = dot(normal, seen) < 0.0;
    if (vessel == 1 && towards) discard;
    if (kind < 0.5 && dot(cut.xyz, seen) + cut.w > 0.0) discard;
    if (kind > 0.5 && all(greaterThan(plan, hole.xy)) && all(lessThan(plan, hole.zw))) discard;
    vec3 n = normalize(towards ? normal : -normal);
    surface = vec4(albedo, size_code);
    facing = vec4(0.5 * n + 0.5, kind);
}
