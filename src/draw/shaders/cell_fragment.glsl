// Intersects the ray through this pixel with the surface in one cube of a distance field, where the
// distance is trilinear (Parker et al., Interactive ray tracing for isosurface rendering, IEEE
// Visualization 1998; by false position instead of a cubic equation). Lengths are in edges of the
// cube.
in vec3 seen;
in vec3 far_side;
flat in vec3 start;
flat in vec4 low, high;
flat in vec3 normals;
flat in float edge;

uniform mat4 projection;
uniform vec4 cut; // plane in the eye frame; the positive side is left out

#ifndef LIGHT
uniform highp sampler3D directions; // normals at the lattice points
uniform vec3 texel;                 // size of one texel of `directions`
uniform mat3 to_eye;                // from model to eye directions
uniform vec3 albedo;
uniform float size_code; // same encoding as for spheres
layout(location = 0) out vec4 surface;
layout(location = 1) out vec4 facing;
#endif

const float CRACK = 0.002; // tolerance that closes the seams between cubes in spite of rounding

float distance_at(vec3 p)
{
    vec4 x = mix(low, high, p.x);
    vec2 y = mix(x.xz, x.yw, p.y);
    return mix(y.x, y.y, p.z);
}

void main()
{
    // Ray interval within the cube and on the kept side of the cut. The plane's value is linear
    // along the ray.
#ifdef LIGHT
    vec3 ray = start, from = far_side - 2.0 * ray;
    float last = 2.0, slope = -cut.z * edge, value = dot(cut.xyz, seen) + cut.w - slope * last;
#else
    vec3 ray = far_side - start, from = start;
    float last = length(ray), value = cut.w;
    ray /= last;
    float slope = dot(cut.xyz, seen) / last;
#endif
    float whole = last;
    vec3 safe = mix(vec3(1e-6), ray, greaterThan(abs(ray), vec3(1e-6)));
    vec3 sides = min(-from / safe, (1.0 - from) / safe);
    float t = max(max(sides.x, sides.y), max(sides.z, 0.0));
    bool opened = false; // the ray starts in the plane of the cut
    if (slope < 0.0 && value > 0.0) {
        opened = -value / slope > t - CRACK;
        t = max(t, -value / slope);
    } else if (slope > 0.0) {
        last = min(last, -value / slope);
    } else if (value > 0.0) {
        discard;
    }
    if (t > last) discard;

    float d = distance_at(from + t * ray);
    bool face = opened && d < 0.0;
    if (d < -CRACK && !face) discard; // the ray entered through another cube
    if (d > 0.0) {
        float end = last, d_end = distance_at(from + end * ray);
        if (d_end >= 0.0) { // may enter and leave again
            end = 0.5 * (t + end);
            d_end = distance_at(from + end * ray);
            if (d_end >= 0.0) discard;
        }
        for (int i = 0; i < 3; i++) {
            float s = mix(t, end, d / (d - d_end)), ds = distance_at(from + s * ray);
            if (ds < 0.0) {
                end = s;
                d_end = ds;
            } else {
                t = s;
                d = ds;
            }
        }
        t = mix(t, end, d / (d - d_end));
    }
    float z;
#ifdef LIGHT
    z = seen.z + (whole - t) * edge;
#else
    z = seen.z * t / whole;
    vec3 n = cut.xyz;
    float band = 1.0;
    if (!face)
        n = normalize(to_eye * texture(directions, (normals + from + t * ray + 0.5) * texel).xyz);
    else // on the face of a cut, contour bands show the distance near the surface, one per spacing
        band = 1.0 - 0.2 * smoothstep(-5.5, -2.0, d) * smoothstep(0.6, -0.6, cos(6.2831853 * d));
    surface = vec4(albedo * band, size_code);
    facing = vec4(0.5 * n + 0.5, 1.0);
#endif
    float w = projection[2][3] * z + projection[3][3];
    gl_FragDepth = 0.5 * (projection[2][2] * z + projection[3][2]) / w + 0.5;
}
