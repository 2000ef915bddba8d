// The surface of a terrain, covered with grains: spheres at the points of a lattice, each moved and
// sized at random, which the ray through the pixel meets one by one. They have the size and the
// colours of the terrain's own grains, and depth and normal of spheres, so that real grains among
// them do not stand out. Where a grain is smaller than a pixel, the surface is smooth and has the
// mean colour. LIGHT: parallel rays, depth only.
in vec3 place;
in vec3 normal;
flat in int side;

uniform mat4 view, projection;
uniform vec3 from;      // camera, relative to the picture's origin; with LIGHT the ray direction
uniform vec4 cut;       // plane in the eye frame; the positive side is left out
uniform float lift;     // of the surface above the terrain's heights [m]
uniform float radius;   // mean, of the grains [m]
uniform int most_steps; // along a ray
uniform float spread;   // of the radii, as a share of the mean
uniform float sharp;    // radius in pixels, at a depth of 1 m; with LIGHT at any depth
// The point of the lattice at the picture's origin, in whole numbers and the rest: along x, along y
// for rows, along y, along z for rows. It is fixed to the terrain.
uniform ivec4 lattice;
uniform vec4 phase;

#ifdef LIGHT
uniform float back; // offset away from the light [m]
#else
uniform float size_code; // same encoding as for spheres
uniform vec4 tint[6];    // colours of grains, and cumulative shares
uniform int tints;
uniform vec3 mean_tint;
layout(location = 0) out vec4 surface;
layout(location = 1) out vec4 facing;
#endif

const float STEP = 1.85;  // distance of lattice points along x [radii]
const float ROW = 0.8660; // distance of rows, as a share of it
const float SPECKLE = 0.4;     // standard deviation of the brightness of grains seen singly
const float CELL_PIXELS = 1.5; // least width of a cell of equal brightness [pixels]

// In the frame of a wall, the third axis points out of it.
vec3 to_wall(vec3 v)
{
    if (side == 0) return v;
    float way = (side & 1) == 1 ? -1.0 : 1.0;
    return side < 3 ? vec3(v.y, v.z, way * v.x) : vec3(v.x, v.z, way * v.y);
}

vec3 from_wall(vec3 v)
{
    if (side == 0) return v;
    float way = (side & 1) == 1 ? -1.0 : 1.0;
    return side < 3 ? vec3(way * v.z, v.x, v.y) : vec3(v.x, way * v.z, v.y);
}

uint mixed(uint h)
{
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ (h >> 16);
}

struct hit {
    float at;    // along the ray [m]
    vec3 offset; // from the centre of the grain, in radii
    uint seed;   // of the grain
};

// The nearest of the 9 grains around a point of the lattice, given relative to `origin`.
void meet_grains(vec3 start, vec3 ray, vec2 slope, vec2 around, vec2 between, ivec2 origin,
                 uint layer, float deep, inout hit best)
{
    float pitch = STEP * radius;
    vec2 q = vec2(around.x / pitch, around.y / (pitch * ROW)) + between;
    int row0 = int(floor(q.y));
    for (int j = -1; j <= 1; j++) {
        int row = row0 + j;
        float shift = 0.5 * float((row + origin.y) & 1);
        int column0 = int(floor(q.x - shift));
        uint own = mixed(uint(row + origin.y) + layer);
        for (int i = -1; i <= 1; i++) {
            int column = column0 + i;
            uint seed = own ^ (uint(column + origin.x) * 0x9e3779b1u);
            seed = (seed ^ (seed >> 15)) * 0x846ca68bu;
            seed ^= seed >> 16;
            vec4 chance = vec4(seed & 255u, (seed >> 8) & 255u, (seed >> 16) & 255u, seed >> 24) / 255.0;
            vec2 c = vec2(float(column) + 0.5 + shift, float(row) + 0.5) + 0.66 * (chance.xy - 0.5) - between;
            c *= vec2(pitch, pitch * ROW);
            float r = radius * (1.0 + 1.7 * spread * (chance.w - 0.5));
            vec3 centre = vec3(c, dot(slope, c) - radius * (deep + 0.9 * chance.z));
            vec3 to = centre - start;
            float middle = dot(to, ray);
            vec3 aside = to - middle * ray;
            float inside = r * r - dot(aside, aside);
            float t = middle - sqrt(max(inside, 0.0));
            if (inside > 0.0 && t < best.at) best = hit(t, (start + t * ray - centre) / r, seed);
        }
    }
}

// Steps along the ray, from where it passes the highest grains to where the lowest ones begin.
hit meet_layers(vec3 start, vec3 ray, vec2 slope, vec2 between, ivec2 origin)
{
    hit best = hit(1e30, vec3(0.0), 0u);
    float fall = max(dot(slope, ray.xy) - ray.z, 0.06);
    float along = (lift + 0.9 * radius) / fall;
    int steps = clamp(int(ceil(along * length(ray.xy) / (1.3 * STEP * radius))), 1, most_steps);
    for (int k = 0; k < steps && best.at > 1e29; k++) {
        vec3 p = start + ray * (along * (float(k) + 0.5) / float(steps));
        meet_grains(start, ray, slope, p.xy, between, origin, 0u, 0.35, best);
    }
    if (best.at > 1e29 && most_steps > 2) {
        vec3 p = start + ray * ((lift + 1.5 * radius) / fall);
        meet_grains(start, ray, slope, p.xy, between + vec2(0.5), origin, 7919u, 1.2, best);
    }
    return best;
}

#ifndef LIGHT
vec3 colour_of(uint seed)
{
    uint h = mixed(seed + 0x5eedu);
    float pick = float(h & 0xffffu) / 65536.0;
    float light = 0.92 + 0.16 * float((h >> 16) & 0xffu) / 256.0;
    float warm = 0.03 * (float(h >> 24) / 256.0 - 0.5);
    vec3 own = tint[0].rgb;
    for (int i = 1; i < 6; i++)
        if (i < tints && pick >= tint[i - 1].w) own = tint[i].rgb;
    return light * (own + vec3(warm, 0.0, -warm));
}

// Brightness of grains that are smaller than a pixel. A cell of 2^level x 2^level grains is as
// bright as their mean: the more of them, the less cells differ.
float cell_brightness(ivec2 grain, int level)
{
    ivec2 cell = grain >> level;
    uint h = mixed(uint(cell.x) * 0x9e3779b1u ^ mixed(uint(cell.y) + 131u * uint(level)));
    float normal = (float(h & 0xffu) + float((h >> 8) & 0xffu) + float((h >> 16) & 0xffu)) / 256.0 - 1.5;
    return SPECKLE * 2.0 * normal * exp2(-float(level));
}

float speckle(vec2 where, ivec2 base)
{
    vec2 wide = fwidth(where);
    float level = clamp(log2(CELL_PIXELS * max(wide.x, wide.y)), 0.0, 20.0);
    ivec2 grain = base + ivec2(floor(where));
    int below = int(level);
    return 1.0 + mix(cell_brightness(grain, below), cell_brightness(grain, below + 1), fract(level));
}
#endif

void main()
{
    vec3 seen = (view * vec4(place, 1.0)).xyz;
    if (dot(cut.xyz, seen) + cut.w > 0.0) discard;
#ifdef LIGHT
    vec3 ray = from;
    float share = smoothstep(0.9, 2.6, sharp);
#else
    vec3 ray = normalize(place - from);
    float width = sharp / max(-seen.z, 1e-6);
    float share = smoothstep(0.9, 2.6, width);
#endif
    vec3 n = normalize(to_wall(normal)), along = to_wall(ray);
    vec2 slope = -n.xy / max(n.z, 0.2);
    vec3 start = vec3(0.0, 0.0, side == 0 ? lift : 0.0);
    float fall = max(dot(slope, along.xy) - along.z, 0.06);
    bool inner = dot(normal, ray) > 0.0; // seen from below or from inside, through a cut
    if (inner && cut.w < -1e29) discard;
    float t = side == 0 ? min(lift / fall, 4.0 * lift) : 0.0;
    vec3 outward = inner ? -n : n;
    if (inner) share = 0.0;
    vec3 at = to_wall(place);
    vec2 where = at.xy / (STEP * radius * vec2(1.0, ROW)) +
                 (side == 0 ? phase.xy : side < 3 ? phase.zw : phase.xw);
    ivec2 base = side == 0 ? lattice.xy : side < 3 ? lattice.zw : lattice.xw;
#ifndef LIGHT
    vec3 colour = mean_tint * (tints > 1 ? speckle(where, base) : 1.0);
#endif
    if (share > 0.0) {
        vec2 whole = floor(where);
        hit met = meet_layers(start, along, slope, where - whole, base + ivec2(whole));
        if (met.at < 1e29) {
            t = mix(t, met.at, share);
            outward = mix(n, met.offset, share);
#ifndef LIGHT
            colour = mix(colour, colour_of(met.seed), share);
#endif
        } else {
            t += share * 1.4 * radius / max(fall, 0.5);
#ifndef LIGHT
            colour *= 1.0 - 0.45 * share;
#endif
        }
    }
#ifdef LIGHT
    t += back;
#endif
    vec3 end = seen + mat3(view) * (ray * t);
#ifndef LIGHT
    vec3 shown = mat3(view) * normalize(from_wall(outward));
    if (inner) shown = cut.xyz;
    surface = vec4(colour, size_code);
    facing = vec4(0.5 * shown + 0.5, 0.0);
#endif
    float w = projection[2][3] * end.z + projection[3][3];
    gl_FragDepth = 0.5 * (projection[2][2] * end.z + projection[3][2]) / w + 0.5;
}
