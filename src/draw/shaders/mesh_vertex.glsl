// Walls and ground.
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 direction;

uniform mat4 view, projection;

out vec2 plan;   // relative to the picture's origin
out vec3 seen;   // in the eye frame
out vec3 normal; // in the eye frame

void main()
{
    vec4 p = view * vec4(place, 1.0);
    plan = place.xy;
    seen = p.xyz;
    normal = mat3(view) * direction;
    gl_Position = projection * p;
}
