#version 450
// Irradiance: each texel of a small cube gathers light from 64 directions of its hemisphere, from a filtered cube map.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform samplerCube environment;
layout(binding = 1, rgba32f) uniform writeonly imageCube irradiance;
vec3 direction_of(int face, vec2 at) {
  if (face == 0) return vec3(1, -at.y, -at.x);
  if (face == 1) return vec3(-1, -at.y, at.x);
  if (face == 2) return vec3(at.x, 1, at.y);
  if (face == 3) return vec3(at.x, -1, -at.y);
  if (face == 4) return vec3(at.x, -at.y, 1);
  return vec3(-at.x, -at.y, -1);
}
void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  vec2 position = (vec2(at.xy) + 0.5) / 4.0 - 1.0;
  vec3 normal = normalize(direction_of(at.z, position));
  vec3 sum = vec3(0);
  float weights = 0.0;
  for (int i = 0; i < 64; ++i) {
    float height = 1.0 - (float(i) + 0.5) / 32.0;
    float angle = 2.3999632 * float(i);
    float radius = sqrt(1.0 - height * height);
    vec3 direction = vec3(radius * cos(angle), height, radius * sin(angle));
    float weight = max(dot(direction, normal), 0.0);
    sum += weight * textureLod(environment, direction, 1.0).rgb;
    weights += weight;
  }
  imageStore(irradiance, at, vec4(sum / weights, weights));
}
