#version 450
// A palette and curves: images of one dimension and arrays of them, sampled, fetched, loaded and stored.
layout(local_size_x = 32) in;
layout(binding = 0) uniform sampler1D palette;
layout(binding = 1) uniform sampler1DArray curves;
layout(binding = 2, rgba32f) uniform writeonly image1D row;
layout(binding = 3, r32f) uniform image1DArray rows;
void main() {
  int i = int(gl_GlobalInvocationID.x);
  float at = (float(i) + 0.5) / 64.0;
  vec4 color = textureLod(palette, at, 0.0);
  for (int c = 0; c < 3; ++c) color[c] = textureLod(curves, vec2(color[c], float(c)), 0.0).r;
  imageStore(row, i, color + vec4(texelFetch(palette, i & 15, 1).r));
  float old = imageLoad(rows, ivec2(i, 1)).r;
  imageStore(rows, ivec2(i, 1), vec4(old * 2.0));
  imageStore(rows, ivec2(63 - i, 2), vec4(old));
}
