// A cube of a distance field's lattice. Its far sides are drawn, so that each pixel is asked once,
// also with the eye inside. Six sides of two triangles; cell_fragment.glsl does the rest.
layout(location = 0) in vec4 cell;  // corner from the model's middle, edge
layout(location = 1) in vec3 place; // of that corner among the normals [points]
layout(location = 2) in vec4 left;  // distances at its corners
layout(location = 3) in vec4 right;

uniform mat4 view, projection;
uniform vec3 middle; // of the model, from the picture's origin
uniform vec4 turn;   // unit quaternion, the real part last
uniform vec4 cut;    // plane in the eye's frame; what is on its positive side is left out
uniform vec3 from;   // the eye in the model's frame; with LIGHT the way of the light there

out vec3 seen;       // in the eye's frame
out vec3 far_side;   // from the cell's corner, in edges
flat out vec3 start; // of all rays, the same way; with LIGHT their direction
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

    // Half of all cells are turned away: where the distance grows along the rays nothing is entered.
    // What the cut goes through is kept, and of the inside nothing else is seen.
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
