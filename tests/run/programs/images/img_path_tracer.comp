#version 450
// A path tracer in a volume of voxels: paths walk through cells in integers, so that no ray is close to two of them;
// where they hit something they take a colour and a new direction. The result is added to what earlier frames left.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform usampler3D voxels;
layout(binding = 1) uniform sampler1D materials;
layout(binding = 2, rgba32f) uniform image2D accumulation;
layout(push_constant) uniform Push { uint frame; };
uint state;
uint random() {
  state = state * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
  return word >> 22 ^ word;
}
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  state = uint(at.y * 32 + at.x) * 9781u + frame * 6271u;
  ivec3 place = ivec3(at * 8 + 4, 0);  // 8 units are a voxel
  ivec3 direction = ivec3(int(random() % 7u) - 3, int(random() % 7u) - 3, 5);
  vec3 throughput = vec3(1);
  vec3 light = vec3(0);
  for (int bounce = 0, step = 0; step < 96; ++step) {
    ivec3 next = place + direction;
    ivec3 cell = next >> 3;
    if (any(lessThan(cell, ivec3(0))) || any(greaterThanEqual(cell, ivec3(32, 32, 16)))) {
      light = throughput * (direction.y < 0 ? vec3(0.5, 0.75, 1.0) : vec3(0.25));
      break;
    }
    uint voxel = texelFetch(voxels, cell, 0).r;
    if (voxel < 200u) {
      place = next;
      continue;
    }
    if (++bounce > 3) break;
    throughput *= texelFetch(materials, int(voxel - 200u) & 7, 0).rgb;
    direction = ivec3(int(random() % 15u) - 7, int(random() % 15u) - 7, int(random() % 15u) - 7);
  }
  vec4 sum = imageLoad(accumulation, at);
  imageStore(accumulation, at, sum + vec4(light, 1.0));
}
