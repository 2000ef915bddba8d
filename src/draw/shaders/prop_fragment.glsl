// An opaque body. SHADOW: depth only. CAP: the face made by the cut. Where the nearest remaining
// surface of a closed body is seen from behind, the camera looks into the body through the cut, so
// the pixel shows the plane of the cut.
in vec3 seen;
in vec3 normal;
flat in vec3 albedo;

uniform vec4 cut; // plane in the eye frame; the positive side is left out

#ifndef SHADOW
uniform float size_code; // same encoding as for spheres
layout(location = 0) out vec4 surface;
layout(location = 1) out vec4 facing;
#endif
#ifdef CAP
uniform sampler2D nearest; // depth of everything, without caps
uniform mat4 projection;
#endif

void main()
{
    if (dot(cut.xyz, seen) + cut.w > 0.0) discard;
#ifdef CAP
    float here = texelFetch(nearest, ivec2(gl_FragCoord.xy), 0).r;
    float share = -cut.w / dot(cut.xyz, seen); // of the plane along the ray, 1: this fragment
    if (gl_FrontFacing || abs(here - gl_FragCoord.z) > 1e-6 || !(share > 0.0 && share < 1.0)) discard;
    float z = share * seen.z;
    gl_FragDepth = 0.5 * (projection[2][2] * z + projection[3][2]) / -z + 0.5;
    surface = vec4(albedo, size_code);
    facing = vec4(0.5 * cut.xyz + 0.5, 1.0);
#elif !defined(SHADOW)
    vec3 n = normalize(gl_FrontFacing ? normal : -normal);
    surface = vec4(albedo, size_code);
    facing = vec4(0.5 * n + 0.5, 1.0);
#endif
}
