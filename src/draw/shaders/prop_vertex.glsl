// A body: the triangles of its model, transformed by the pose of the instance.
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 direction;
layout(location = 2) in vec3 middle; // of the body, relative to the picture's origin
layout(location = 3) in vec4 turn;   // unit quaternion, real part last
layout(location = 4) in vec4 colour;

uniform mat4 view, projection;
#ifdef SHADOW
uniform float back; // offset away from the light [m]
#endif

out vec3 seen;   // in the eye frame
out vec3 normal; // in the eye frame
flat out vec3 albedo;

vec3 turned_by(vec4 q, vec3 v)
{
    vec3 t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

void main()
{
    vec4 p = view * vec4(middle + turned_by(turn, place), 1.0);
#ifdef SHADOW
    p.z -= back;
#endif
    seen = p.xyz;
    normal = mat3(view) * turned_by(turn, direction);
    albedo = colour.rgb;
    gl_Position = projection * p;
}
