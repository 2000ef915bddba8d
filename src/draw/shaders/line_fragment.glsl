in vec4 tint;
in float across;
out vec4 colour;

void main()
{
    float round_ = sqrt(max(1.0 - across * across, 0.0)); // shaded like a round thread
    colour = vec4(tint.rgb * (0.55 + 0.45 * round_), tint.a);
}
