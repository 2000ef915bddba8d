// Downsamples a picture of twice the size: linear filtering averages four pixels.
in vec2 at;
uniform sampler2D picture;
out vec4 colour;

void main()
{
    colour = texture(picture, at);
}
