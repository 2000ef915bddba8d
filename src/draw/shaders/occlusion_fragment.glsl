// Ambient occlusion from the depth buffer: the share of the sky over a point that its surroundings
// hide. After McGuire, Osman, Bukowski, Hennessy, The Alchemy Screen-Space Ambient Obscurance
// Algorithm, HPG 2011, eq. 10. The reach scales with the grain's radius, so that every grain has
// its own shade.
in vec2 at;

uniform sampler2D depth, surface, facing;
uniform mat4 projection;
uniform vec2 grid; // size of the depth texture [pixels]
uniform float size_unit;

out vec4 colour;

const int SAMPLES = 14;
const float REACH = 3.5; // [radii]

vec3 point_at(vec2 where, float d)
{
    float z = -projection[3][2] / (2.0 * d - 1.0 + projection[2][2]);
    return vec3((2.0 * where - 1.0) / vec2(projection[0][0], projection[1][1]) * -z, z);
}

// Centre of the pixel, the only point where the stored depth is valid: else flat ground gets
// stripes.
vec2 middle(vec2 where)
{
    return (clamp(floor(where * grid), vec2(0.0), grid - 1.0) + 0.5) / grid;
}

void main()
{
    vec2 here = middle(at);
    float d = texture(depth, here).r;
    if (d >= 1.0) {
        colour = vec4(1.0);
        return;
    }
    vec3 p = point_at(here, d);
    vec3 n = normalize(texture(facing, here).xyz * 2.0 - 1.0);
    float r = size_unit * exp2(16.0 * (texture(surface, here).a - 1.0));
    float reach = REACH * r;
    vec2 disc = 0.5 * reach * vec2(projection[0][0], projection[1][1]) / -p.z;
    disc = min(disc, vec2(0.15));
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    float turn = float((pixel.x & 3) * 4 + (pixel.y & 3)) * 0.3926991 + 0.2;

    float hidden = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        float share = (float(i) + 0.5) / float(SAMPLES), angle = 2.3999632 * float(i) + turn;
        vec2 where = middle(here + disc * share * vec2(cos(angle), sin(angle)));
        vec3 v = point_at(where, texture(depth, where).r) - p;
        float vv = dot(v, v);
        float near = max(1.0 - vv / (reach * reach), 0.0);
        hidden += near * near * max(dot(v, n) - 0.04 * r, 0.0) * inversesqrt(vv + 1e-4 * r * r);
    }
    float open = max(1.0 - 3.2 * hidden / float(SAMPLES), 0.0);
    colour = vec4(open);
}
