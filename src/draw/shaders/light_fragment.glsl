// Deferred lighting of all opaque pixels: a warm light with shadows, and ambient light from the
// sky.
in vec2 at;

uniform sampler2D depth, surface, facing;
#ifdef OCCLUSION
uniform sampler2D occlusion;
#endif
uniform highp sampler2DShadow shadow;
uniform mat4 projection, to_shadow; // from the eye frame to the shadow map, 0 to 1
uniform vec3 lamp, up;              // in the eye frame
uniform float brightness, ambient, shadows;
uniform float size_unit, texel; // largest radius, width of a shadow map pixel [m]
uniform float texel_step;       // width of a shadow map pixel, as a fraction of the map
uniform vec3 horizon;           // linear
uniform vec3 middle;            // centre of the picture, in the eye frame
uniform float extent;           // its radius [m]
uniform mat3 turned;            // from world to eye directions
uniform float height;           // of the picture [pixels]
uniform float transparent;      // 1: without sky and ground, except for shadows on the ground

out vec4 colour;

vec3 linear(vec3 c) { return pow(c, vec3(2.2)); }

vec3 sky_at(vec3 ray)
{
    float height = dot(ray, up);
    vec3 zenith = horizon * vec3(0.40, 0.58, 0.84);
    return mix(horizon, zenith, smoothstep(0.0, 0.6, height));
}

// Lit fraction, from several samples around the point. The point is lifted off the surface by a
// fraction of the grain's radius, since a shadow map pixel may be large compared with its
// curvature. A plane is lifted by as much as it falls below the point within the samples' spread,
// or it would shade itself in stripes.
float light_at(vec3 p, vec3 n, float r, bool plane)
{
    float facing_lamp = max(dot(n, lamp), 0.0);
    float off = plane ? 2.7 * sqrt(1.0 - facing_lamp * facing_lamp) : 1.2 * (1.0 - facing_lamp);
    vec3 lifted = p + n * (0.06 * r + off * texel) + lamp * (0.05 * r + 0.7 * texel);
    vec3 where = (to_shadow * vec4(lifted, 1.0)).xyz;
    if (any(lessThan(where.xy, vec2(0.002))) || any(greaterThan(where.xy, vec2(0.998)))) return 1.0;
    float lit = 0.0;
#ifdef OCCLUSION
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    float angle = float((pixel.x * 5 + pixel.y * 11) & 15) * 0.3926991;
    mat2 turn = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
    float spread = 2.2 * texel_step;
    for (int i = 0; i < 8; i++) {
        float share = sqrt((float(i) + 0.5) / 8.0), a = 2.3999632 * float(i);
        lit += texture(shadow, vec3(where.xy + turn * vec2(cos(a), sin(a)) * share * spread, where.z));
    }
    return lit / 8.0;
#else
    float w = texel_step;
    lit += texture(shadow, vec3(where.xy + w * vec2(0.5, 0.25), where.z));
    lit += texture(shadow, vec3(where.xy - w * vec2(0.5, 0.25), where.z));
    return 0.5 * lit;
#endif
}

#ifdef OCCLUSION
// Procedural bumps and spots on a grain, fixed to the world's axes. A sum of waves that distort
// each other.
vec3 grit(vec3 n, float seed)
{
    vec3 q = n * 3.1 + seed;
    q += 0.9 * sin(q.yzx * 1.7 + seed);
    vec3 waves = sin(q * 2.3 + q.zxy);
    return waves + 0.6 * sin(q.zxy * 5.3 + 2.0 * waves.yzx);
}
#endif

// Compresses highlights softly; the rest stays almost unchanged.
vec3 toned(vec3 light)
{
    return pow(clamp(light / (1.0 + 0.16 * light), 0.0, 1.0), vec3(1.0 / 2.2));
}

void main()
{
    float d = texture(depth, at).r;
    vec2 flat_ray = (2.0 * at - 1.0) / vec2(projection[0][0], projection[1][1]);
    vec3 ray = vec3(flat_ray, -1.0);
    vec3 sky = sky_at(normalize(ray));
    vec3 shown = sky;
    float cover = 1.0 - transparent;
    if (d < 1.0) {
        vec4 g = texture(surface, at), f = texture(facing, at);
        vec3 p = ray * (projection[3][2] / (2.0 * d - 1.0 + projection[2][2]));
        vec3 n = normalize(f.xyz * 2.0 - 1.0);
        vec3 base = linear(g.rgb);
        float r = size_unit * exp2(16.0 * (g.a - 1.0));
        float open = 1.0;
#ifdef OCCLUSION
        open = texture(occlusion, at).r;
        float width = r * projection[1][1] * height / -p.z; // of the grain [pixels]
        if (f.a < 0.2 && width > 4.0) {
            vec3 own = grit(transpose(turned) * n, dot(g.rgb, vec3(91.0, 173.0, 257.0)));
            float share = smoothstep(4.0, 16.0, width);
            n = normalize(n + turned * own * (0.16 * share));
            base *= 1.0 + 0.11 * share * (own.x + own.y);
        }
#endif
        float facing_lamp = max(dot(n, lamp), 0.0);
        float lit = facing_lamp > 0.0 && shadows > 0.0 ? light_at(p, n, r, f.a > 0.9) : 1.0;
        // Thin walls let some light through, else half of every vessel would be black.
        bool wall = f.a > 0.2 && f.a < 0.5;
        float key = brightness * lit * (wall ? 0.3 + 0.6 * facing_lamp : facing_lamp);
        vec3 warm = vec3(1.00, 0.93, 0.81), cool = vec3(0.70, 0.80, 1.0), earth = vec3(0.62, 0.52, 0.40);
        vec3 around = mix(earth, cool, 0.5 + 0.5 * dot(n, up));
        // Light that bounces between grains takes on their colour, so shade is not grey.
        vec3 shade = mix(base * base * 1.2, base, 0.35 + 0.65 * open);
        cover = 1.0;
        shown = base * warm * (1.6 * key) + shade * around * (ambient * 2.4 * open * open * open);
        if (f.a < 0.2 || f.a > 0.9) {
            vec3 half_way = normalize(lamp - normalize(p));
            shown += warm * (0.10 * key * pow(max(dot(n, half_way), 0.0), 24.0));
        }
        if (f.a > 0.5 && f.a < 0.9) { // the ground fades into the sky
            float away = length(p - middle) / extent;
            vec3 far = sky_at(normalize(vec3(ray - up * dot(ray, up))));
            float share = smoothstep(1.5, 6.0, away);
            shown = mix(shown, far, share);
            if (transparent > 0.5) { // black; alpha darkens the background like the ground
                vec3 bare = base * warm * (1.6 * brightness * facing_lamp) + base * around * (ambient * 2.4);
                const vec3 weight = vec3(0.30, 0.59, 0.11);
                float light = dot(toned(shown), weight) / max(dot(toned(mix(bare, far, share)), weight), 1e-3);
                cover = clamp(1.0 - light, 0.0, 1.0);
                shown = vec3(0.0);
            }
        }
    }
    shown = toned(shown);
    if (d >= 1.0) shown *= cover;
    // Ordered dithering below one 8-bit step, which avoids bands in the sky.
    ivec2 q = ivec2(gl_FragCoord.xy) & 3;
    int step_ = ((q.x ^ q.y) & 1) * 8 + (q.y & 1) * 4 + (((q.x ^ q.y) >> 1) & 1) * 2 + (q.y >> 1);
    float noise = (float(step_) - 7.5) / (16.0 * 255.0);
    colour = transparent > 0.5 ? vec4(shown, cover) : vec4(shown + noise, 1.0);
}
