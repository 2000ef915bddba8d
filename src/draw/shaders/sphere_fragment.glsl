// Where the ray through this pixel meets the sphere: normal and depth, so that spheres cut each
// other as solids do. With LIGHT rays are parallel and only the depth is kept.
flat in vec4 ball;
flat in vec3 albedo;

uniform mat4 projection;
uniform vec2 viewport;   // [pixels]
uniform vec4 cut;        // plane in the eye's frame; what is on its positive side is left out
uniform float size_unit; // largest radius

#ifndef LIGHT
layout(location = 0) out vec4 surface;
layout(location = 1) out vec4 facing;
#endif

void main()
{
    vec3 c = ball.xyz;
    float r = ball.w;
    vec2 at = gl_FragCoord.xy / viewport * 2.0 - 1.0;
#ifdef LIGHT
    vec3 ray = vec3(0.0, 0.0, -1.0);
    vec3 from_axis = vec3((at - vec2(projection[3][0], projection[3][1])) /
                          vec2(projection[0][0], projection[1][1]) - c.xy, 0.0);
#else
    vec3 ray = vec3(at / vec2(projection[0][0], projection[1][1]), -1.0);
    // The point of the ray nearest to the centre, seen from there: no large numbers are subtracted.
    vec3 from_axis = ray * (dot(ray, c) / dot(ray, ray)) - c;
#endif
    float inside = r * r - dot(from_axis, from_axis);
    if (inside < 0.0) discard;
    float half_chord = sqrt(inside / dot(ray, ray));
    vec3 offset = from_axis - half_chord * ray;
    vec3 normal = offset / r;
    vec3 hit = c + offset;

    // A sphere that the cut goes through shows a flat face.
    float beyond = dot(cut.xyz, hit) + cut.w;
    if (beyond > 0.0) {
        vec3 back = c + from_axis + half_chord * ray;
        float behind = dot(cut.xyz, back) + cut.w;
        if (behind > 0.0) discard;
        hit = mix(hit, back, beyond / (beyond - behind));
        normal = cut.xyz;
    }

    vec4 clip = vec4(0.0, 0.0, projection[2][2] * hit.z + projection[3][2],
                     projection[2][3] * hit.z + projection[3][3]);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
#ifndef LIGHT
    surface = vec4(albedo, 1.0 + log2(r / size_unit) / 16.0);
    facing = vec4(0.5 * normal + 0.5, 0.0);
#endif
}
