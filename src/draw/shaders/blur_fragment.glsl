// Smooths the occlusion over the 4 x 4 pixels that share one set of sample directions, but not
// across depth edges.
in vec2 at;

uniform sampler2D occlusion, depth;
uniform mat4 projection;
uniform vec2 viewport; // occlusion texture size [pixels]
uniform float size_unit;

out vec4 colour;

float distance_at(vec2 where)
{
    return projection[3][2] / (2.0 * texture(depth, where).r - 1.0 + projection[2][2]);
}

void main()
{
    float here = distance_at(at), sum = 0.0, weights = 0.0;
    for (int y = -2; y < 2; y++)
        for (int x = -2; x < 2; x++) {
            vec2 where = at + (vec2(float(x), float(y)) + 0.5) / viewport;
            float apart = abs(distance_at(where) - here) / size_unit;
            float weight = apart < 0.7 ? 1.0 : 0.02;
            sum += weight * texture(occlusion, where).r;
            weights += weight;
        }
    colour = vec4(sum / weights);
}
