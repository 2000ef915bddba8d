in vec2 at;
uniform sampler2D picture;
out vec4 colour;

void main()
{
    colour = texture(picture, at);
}
