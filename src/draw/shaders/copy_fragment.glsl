// Takes a larger picture together to the wanted size: the mean of four pixels each.
in vec2 at;
uniform sampler2D picture;
out vec4 colour;

void main()
{
    colour = texture(picture, at);
}
