#version 450
// Prefix sums of one row or one column by one workgroup, in shared memory.
layout(local_size_x = 64) in;
layout(binding = 0) uniform usampler2D source;
layout(binding = 1, r32ui) uniform uimage2D rows;
layout(binding = 2, r32ui) uniform uimage2D table;
layout(push_constant) uniform Push { int columns; };
shared uint sums[64];
void main() {
  int i = int(gl_LocalInvocationIndex);
  int line = int(gl_WorkGroupID.x);
  ivec2 at = columns != 0 ? ivec2(line, i) : ivec2(i, line);
  // Loads outside are not asked for: the image has 48 rows.
  bool inside = all(lessThan(at, imageSize(table)));
  uint value = 0;
  if (inside) value = columns != 0 ? imageLoad(rows, at).r : texelFetch(source, at, 0).r;
  sums[i] = value;
  barrier();
  for (int distance = 1; distance < 64; distance *= 2) {
    uint before = i >= distance ? sums[i - distance] : 0;
    barrier();
    sums[i] += before;
    barrier();
  }
  if (!inside) return;
  if (columns != 0) {
    imageStore(table, at, uvec4(sums[i]));
  } else {
    imageStore(rows, at, uvec4(sums[i]));
  }
}
