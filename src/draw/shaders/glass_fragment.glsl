// Glass: clear where seen face-on, bright towards its silhouette, where it reflects the sky, and
// where it reflects the light.
in vec3 seen;
in vec3 normal;

uniform vec3 lamp; // towards the light, in the eye frame
uniform vec3 up;   // in the eye frame
uniform vec3 tint; // linear
uniform float strength;
uniform float turned; // 1: faces towards the camera, -1: faces away from it
uniform vec4 cut;

out vec4 colour;

void main()
{
    if (dot(cut.xyz, seen) + cut.w > 0.0 || dot(normal, seen) * turned > 0.0) discard;
    vec3 to_eye = normalize(-seen);
    vec3 n = normalize(dot(normal, to_eye) < 0.0 ? -normal : normal);
    float cosine = max(dot(n, to_eye), 0.0);
    float mirror = 0.03 + 0.97 * pow(1.0 - cosine, 4.0); // after Schlick (1994)
    vec3 bounce = reflect(-to_eye, n);
    float gleam = pow(max(dot(bounce, lamp), 0.0), 160.0);
    // Towards the silhouette the line of sight crosses more glass, which is darker and greenish.
    vec3 sky = mix(vec3(0.62, 0.68, 0.70), vec3(0.95, 0.97, 1.0), smoothstep(-0.2, 0.7, dot(bounce, up)));
    vec3 shown = mix(tint, mix(vec3(0.42, 0.52, 0.53), sky, 0.35), smoothstep(0.0, 0.9, mirror));
    float cover = clamp(strength * (0.05 + 0.70 * mirror + 0.9 * gleam), 0.0, 1.0);
    colour = vec4(mix(shown, vec3(1.0), min(gleam, 1.0)), cover);
}
