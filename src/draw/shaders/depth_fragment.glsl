// What a solid wall keeps from the light.
in vec3 seen;
in vec3 normal;
void main() {}
