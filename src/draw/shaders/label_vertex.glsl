// A small image over the picture.
uniform vec4 frame; // corners in clip space: left, bottom, right, top
out vec2 at;

void main()
{
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    at = vec2(corner.x, 1.0 - corner.y);
    gl_Position = vec4(mix(frame.xy, frame.zw, corner), 0.0, 1.0);
}
