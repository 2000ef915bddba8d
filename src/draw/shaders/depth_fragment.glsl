// What a solid wall keeps from the light, less what the cut took away.
in vec3 seen;
in vec3 normal;

uniform vec4 cut; // plane in the lamp's frame; what is on its positive side is left out

void main()
{
    if (dot(cut.xyz, seen) + cut.w > 0.0) discard;
}
