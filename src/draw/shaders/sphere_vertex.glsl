// A sphere as one point, or as a square where a point would be too large. Either covers at least
// the sphere's outline; the fragment shader intersects the sphere.
layout(location = 0) in vec4 place;  // centre and radius
layout(location = 1) in vec4 colour;

uniform mat4 view, projection;
uniform vec2 viewport;   // [pixels]
uniform float size_unit; // largest radius

flat out vec4 ball;   // centre in the eye frame, and radius
flat out vec4 albedo; // alpha: encoded size

void main()
{
    vec3 c = (view * vec4(place.xyz, 1.0)).xyz;
    float r = place.w;
    ball = vec4(c, r);
    albedo = vec4(colour.rgb, 1.0 + log2(r / size_unit) / 16.0);
    gl_Position = projection * vec4(c, 1.0);

    // Half the height of the outline, in half picture heights. Off the axis the outline is an
    // ellipse, longer by 1/cos of the angle.
#ifdef LIGHT
    float reach = r * projection[1][1];
    bool near = false;
#else
    float depth = max(-c.z - r, 1e-3 * r);
    float reach = r * projection[1][1] * length(c) / (depth * max(-c.z, 1e-3 * r));
    bool near = -c.z < 3.0 * r;
#endif

#ifdef SQUARES
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    if (near) {
        gl_Position = vec4(corner, 0.0, 1.0); // around the camera: may appear anywhere
    } else {
        vec2 size = vec2(reach * projection[0][0] / projection[1][1], reach);
        gl_Position.xy += corner * (size + 1.0 / viewport) * gl_Position.w;
    }
#else
    gl_PointSize = reach * viewport.y + 1.0;
#endif
}
