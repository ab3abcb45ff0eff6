#version 450
// All forms of gathers at the corners between texels, a quarter of a texel away from where another footprint begins.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D plane;
layout(binding = 1) uniform usampler2DArray planes;
layout(binding = 2) uniform sampler2DShadow depth;
layout(binding = 3, std430) writeonly buffer Result { vec4 result[][8]; };
const ivec2 spread[4] = ivec2[](ivec2(-2, 1), ivec2(3, -1), ivec2(0, 2), ivec2(-1, -3));
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec2 uv = (vec2(at) + vec2(0.25, 0.75)) / vec2(textureSize(plane, 0));
  ivec2 dynamic = ivec2(at.x % 5 - 2, at.y % 7 - 3);
  vec4 values[8];
  values[0] = textureGather(plane, uv);
  values[1] = textureGather(plane, uv, 3);
  values[2] = textureGatherOffset(plane, uv, ivec2(2, -3), 1);
  values[3] = textureGatherOffset(plane, uv, dynamic, 2);
  values[4] = textureGatherOffsets(plane, uv, spread, 1);
  values[5] = vec4(textureGather(planes, vec3(uv, at.x & 1), 1));
  values[6] = vec4(textureGatherOffset(planes, vec3(uv, 1.25), ivec2(-1, 1), 0));
  values[7] = textureGather(depth, uv, 0.46875);
  for (int i = 0; i < 8; ++i) result[at.y * 16 + at.x][i] = values[i];
}
