// Depth of solid walls for the shadow map, without what the cut removes.
in vec3 seen;
in vec3 normal;

uniform vec4 cut; // plane in the light frame; the positive side is left out

void main()
{
    if (dot(cut.xyz, seen) + cut.w > 0.0) discard;
}
