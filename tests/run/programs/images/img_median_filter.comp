#version 450
// The median of each 3 x 3 neighbourhood by a network of exchanges; the edge is mirrored.
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0, r8ui) uniform readonly uimage2D source;
layout(binding = 1, r8ui) uniform writeonly uimage2D target;
void exchange(inout uint a, inout uint b) {
  uint least = min(a, b);
  b = max(a, b);
  a = least;
}
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  ivec2 size = imageSize(source);
  if (any(greaterThanEqual(at, size))) return;
  uint v[9];
  for (int i = 0; i < 9; ++i) {
    ivec2 from = abs(at + ivec2(i % 3 - 1, i / 3 - 1));
    from = min(from, 2 * (size - 1) - from);
    v[i] = imageLoad(source, from).r;
  }
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 8 - i; ++j) exchange(v[j], v[j + 1]);
  }
  imageStore(target, at, uvec4(v[4]));
}
