// A cube of a distance field's lattice: six sides of two triangles. Back faces are drawn, so that
// each pixel is processed once, even with the camera inside. cell_fragment.glsl casts the rays.
layout(location = 0) in vec4 cell;  // low corner relative to the model's centre, edge length
layout(location = 1) in vec3 place; // of the low corner in the normal texture [texels]
layout(location = 2) in vec4 left;  // distances at the corners, x = 0
layout(location = 3) in vec4 right; // x = 1

uniform mat4 view, projection;
uniform vec3 middle; // of the model, relative to the picture's origin
uniform vec4 turn;   // unit quaternion, real part last
uniform vec4 cut;    // plane in the eye frame; the positive side is left out
uniform vec3 from;   // camera in the model frame; with LIGHT the direction of the light there

out vec3 seen;       // in the eye frame
out vec3 far_side;   // relative to the low corner, in edges
flat out vec3 start; // camera, likewise; with LIGHT the ray direction
flat out vec4 low, high;
flat out vec3 normals;
flat out float edge;

vec3 turned_by(vec4 q, vec3 v)
{
    vec3 t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

void main()
{
    int side = gl_VertexID / 6, k = gl_VertexID % 6, axis = side >> 1;
    float u = k == 1 || k == 2 || k == 4 ? 1.0 : 0.0, v = k == 2 || k == 4 || k == 5 ? 1.0 : 0.0;
    float level = float(side & 1);
    if ((side & 1) == 0) { // counter-clockwise seen from outside
        float swap = u;
        u = v;
        v = swap;
    }
    far_side = axis == 0 ? vec3(level, u, v) : axis == 1 ? vec3(v, level, u) : vec3(u, v, level);
    vec4 p = view * vec4(middle + turned_by(turn, cell.xyz + cell.w * far_side), 1.0);
    seen = p.xyz;
#ifdef LIGHT
    start = from;
#else
    start = (from - cell.xyz) / cell.w;
#endif
    low = left;
    high = right;
    normals = place;
    edge = cell.w;
    gl_Position = projection * p;

    // Discards cells in which no ray can enter the surface because the distance grows along the
    // rays (about half of all), and interior cells, unless the cut passes through them.
    vec4 x = 0.5 * (left + right), most = max(left, right);
    vec3 slope = vec3(dot(right - left, vec4(0.25)), 0.5 * (x.y - x.x + x.w - x.z), 0.5 * (x.z - x.x + x.w - x.y));
#ifdef LIGHT
    vec3 along = from;
#else
    vec3 along = normalize(vec3(0.5) - start);
#endif
    vec3 centre = (view * vec4(middle + turned_by(turn, cell.xyz + 0.5 * cell.w), 1.0)).xyz;
    float beyond = (dot(cut.xyz, centre) + cut.w) / cell.w;
    bool away = dot(slope, slope) > 0.7 && dot(slope, along) > 0.5;
    bool inside = max(max(most.x, most.y), max(most.z, most.w)) < 0.0;
    if (beyond > 0.87 || ((away || inside) && beyond < -0.87)) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
}
