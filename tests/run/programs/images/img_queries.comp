#version 450
// Sizes and levels of views of all kinds; those of multisampled images are in img_queries_samples.comp.
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform texture1D line;
layout(binding = 1) uniform texture1DArray lines;
layout(binding = 2) uniform texture2D plane;
layout(binding = 3) uniform texture2DArray planes;
layout(binding = 4) uniform texture3D volume;
layout(binding = 5) uniform textureCube cube;
layout(binding = 6) uniform textureCubeArray cubes;
layout(binding = 7) uniform textureBuffer texels;
layout(binding = 8, rgba8) uniform readonly image2D storage_plane;
layout(binding = 9, rgba8) uniform readonly image3D storage_volume;
layout(binding = 10, rgba8) uniform readonly imageCube storage_cube;
layout(binding = 11, rgba8) uniform readonly image1DArray storage_lines;
layout(binding = 12, r32ui) uniform readonly uimageBuffer storage_texels;
layout(binding = 13, std430) writeonly buffer Result { ivec4 result[]; };
void main() {
  int level = int(gl_WorkGroupID.x);
  int at = level * 20;
  result[at++] = ivec4(textureSize(line, level), textureQueryLevels(line), 0, 0);
  result[at++] = ivec4(textureSize(lines, level), textureQueryLevels(lines), 0);
  result[at++] = ivec4(textureSize(plane, level), textureQueryLevels(plane), 0);
  result[at++] = ivec4(textureSize(planes, level), textureQueryLevels(planes));
  result[at++] = ivec4(textureSize(volume, level), textureQueryLevels(volume));
  result[at++] = ivec4(textureSize(cube, level), textureQueryLevels(cube), 0);
  result[at++] = ivec4(textureSize(cubes, level), textureQueryLevels(cubes));
  result[at++] = ivec4(textureSize(texels), imageSize(storage_texels), imageSize(storage_plane));
  result[at++] = ivec4(imageSize(storage_volume), 0);
  result[at++] = ivec4(imageSize(storage_cube), imageSize(storage_lines));
}
