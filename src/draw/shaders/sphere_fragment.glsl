// Intersects the ray through this pixel with the sphere: normal and depth, so that overlapping
// spheres intersect correctly. LIGHT: parallel rays, depth only. CUT: spheres may be cut by a
// plane; a separate variant, so that pictures without a cut do not pay for it.
flat in vec4 ball;
flat in vec4 albedo; // alpha: encoded size

uniform vec4 window; // from pixels to the image plane at depth 1; with LIGHT to x and y
uniform vec2 depths; // from z, or its inverse, to the depth buffer's value
#ifdef CUT
uniform vec4 cut; // plane in the eye frame; the positive side is left out
#endif

#ifndef LIGHT
layout(location = 0) out vec4 surface;
layout(location = 1) out vec4 facing;
#endif

void main()
{
    vec3 c = ball.xyz;
    float r = ball.w;
    vec2 at = gl_FragCoord.xy * window.xy + window.zw;
#ifdef LIGHT
    const vec3 ray = vec3(0.0, 0.0, -1.0);
    vec3 from_axis = vec3(at - c.xy, 0.0);
    const float unit = 1.0;
#else
    vec3 ray = vec3(at, -1.0);
    float unit = 1.0 / dot(ray, ray);
    // The point of the ray nearest to the centre, relative to it: avoids subtracting large numbers.
    vec3 from_axis = ray * (dot(ray, c) * unit) - c;
#endif
    float inside = r * r - dot(from_axis, from_axis);
    if (inside < 0.0) discard;
    float half_chord = sqrt(inside * unit);
    vec3 offset = from_axis - half_chord * ray;
    vec3 normal = offset / r;
    vec3 hit = c + offset;

#ifdef CUT
    // A sphere intersected by the cut shows a flat face.
    float beyond = dot(cut.xyz, hit) + cut.w;
    if (beyond > 0.0) {
        vec3 back = c + from_axis + half_chord * ray;
        float behind = dot(cut.xyz, back) + cut.w;
        if (behind > 0.0) discard;
        hit = mix(hit, back, beyond / (beyond - behind));
        normal = cut.xyz;
    }
#endif

#ifdef LIGHT
    gl_FragDepth = hit.z * depths.x + depths.y;
#else
    gl_FragDepth = depths.x / hit.z + depths.y;
    surface = albedo;
    facing = vec4(0.5 * normal + 0.5, 0.0);
#endif
}
