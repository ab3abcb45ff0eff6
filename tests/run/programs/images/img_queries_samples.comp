#version 450
// Sizes and samples of multisampled images, which a driver without attachments does not have.
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform texture2DMS plane;
layout(binding = 1) uniform utexture2DMSArray planes;
layout(binding = 2, std430) writeonly buffer Result { ivec4 result[]; };
void main() {
  result[0] = ivec4(textureSize(plane), textureSamples(plane), 0);
  result[1] = ivec4(textureSize(planes), textureSamples(planes));
}
