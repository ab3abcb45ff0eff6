#version 450
#extension GL_EXT_samplerless_texture_functions : require
// One image seen by many views: another format, another order of components, some levels, some layers, sRGB.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform texture2D swizzled;
layout(binding = 1) uniform utexture2D words;
layout(binding = 2) uniform texture2D srgb;
layout(binding = 3) uniform texture2DArray small;
layout(binding = 4) uniform texture2D one_layer;
layout(binding = 5, r32ui) uniform uimage2D storage_words;
layout(binding = 6, std430) writeonly buffer Result { vec4 result[][4]; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  int i = at.y * 16 + at.x;
  result[i][0] = texelFetch(swizzled, at, 0);
  result[i][1] = texelFetch(srgb, at, 0);
  result[i][2] = texelFetch(small, ivec3(at / 2, at.x & 1), 0);
  result[i][3] = texelFetch(one_layer, at / 4, 1);
  uint word = texelFetch(words, at, 0).r;
  imageStore(storage_words, at, uvec4(word * 2654435761u));
}
