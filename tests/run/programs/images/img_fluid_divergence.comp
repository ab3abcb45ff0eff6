#version 450
// The divergence of the moved velocity, by differences of neighbours; walls repeat.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(binding = 1, rgba16f) uniform readonly image3D moved;
layout(binding = 2, r32f) uniform writeonly image3D divergence;
void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  ivec3 last = imageSize(moved) - 1;
  float sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    ivec3 d = ivec3(axis == 0, axis == 1, axis == 2);
    sum += imageLoad(moved, min(at + d, last))[axis] - imageLoad(moved, max(at - d, ivec3(0)))[axis];
  }
  imageStore(divergence, at, vec4(0.5 * sum));
}
