#version 450
// The first half of marching cubes over a 3D texture: which corners of a cell lie inside, where the surface crosses the
// three edges that begin at its first corner, and how often each of the 256 cases occurs.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(binding = 0) uniform sampler3D field;
layout(binding = 1, r8ui) uniform writeonly uimage3D cases;
layout(binding = 2, rgba32f) uniform writeonly image3D crossings;
layout(binding = 3, r32ui) uniform uimage1D histogram;
void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at, imageSize(cases)))) return;
  float values[8];
  uint mask = 0;
  for (int i = 0; i < 8; ++i) {
    values[i] = texelFetch(field, at + ivec3(i & 1, i >> 1 & 1, i >> 2), 0).r;
    if (values[i] > 0.0) mask |= 1u << i;
  }
  vec4 crossing = vec4(-1);
  for (int axis = 0; axis < 3; ++axis) {
    float other = values[1 << axis];
    if ((values[0] > 0.0) != (other > 0.0)) crossing[axis] = values[0] / (values[0] - other);
  }
  crossing.w = float(bitCount(mask));
  imageStore(cases, at, uvec4(mask));
  imageStore(crossings, at, crossing);
  imageAtomicAdd(histogram, int(mask), 1u);
}
