#version 450
// Fetches with constant offsets of all kinds of images, from several levels.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler1D line;
layout(binding = 1) uniform sampler2D plane;
layout(binding = 2) uniform isampler2DArray planes;
layout(binding = 3) uniform usampler3D volume;
layout(binding = 4) uniform sampler1DArray lines;
layout(binding = 5, std430) writeonly buffer Result { vec4 result[][6]; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  int level = int(gl_WorkGroupID.x) & 1;
  ivec2 inside = 1 + (at & 3);
  vec4 values[6];
  values[0] = texelFetchOffset(line, inside.x, level, 2);
  values[1] = texelFetchOffset(plane, inside, level, ivec2(-1, 2));
  values[2] = vec4(texelFetchOffset(planes, ivec3(inside, at.y % 3), level, ivec2(2, -1)));
  values[3] = vec4(texelFetchOffset(volume, ivec3(inside, 1), level, ivec3(1, 1, -1)));
  values[4] = texelFetchOffset(lines, ivec2(inside.x, at.x % 4), level, -1);
  values[5] = texelFetch(plane, inside, 1 - level);
  for (int i = 0; i < 6; ++i) result[at.y * 16 + at.x][i] = values[i];
}
