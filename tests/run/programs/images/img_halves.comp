#version 450
// Coordinates, levels, gradients and texels that come from numbers of 16 bits, or go to such. All places are the middles
// of texels, or well inside of them, and exact in 16 bits.
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D plane;
layout(binding = 1) uniform sampler3D volume;
layout(binding = 2) uniform sampler2DArrayShadow shadows;
layout(binding = 3) uniform sampler2DArray planes;
layout(binding = 4, r32ui) uniform uimage2DArray cells;
layout(binding = 5, rgba16f) uniform image2D colors;
layout(binding = 6, rgba16f) uniform readonly image2D sources;
layout(binding = 7, std430) writeonly buffer Result { vec4 result[10][64]; };

uint next = 0;
void put(vec4 value) {
  result[next++][gl_LocalInvocationIndex] = value;
}

void main() {
  u16vec2 id = u16vec2(gl_LocalInvocationID.xy);
  f16vec2 middle = (f16vec2(id) + float16_t(0.5)) * float16_t(0.125);
  float16_t level = float16_t(id.x % uint16_t(3));

  put(textureLod(plane, vec2(middle), 0.0));
  put(textureLod(plane, vec2(middle), float(level)));
  put(textureLodOffset(plane, vec2(middle), float(level), ivec2(-1, 1)));
  put(textureGrad(plane, vec2(middle), vec2(f16vec2(level * float16_t(0.125), float16_t(0))), vec2(0.0)));
  put(textureLod(volume, vec3(f16vec3(middle, middle.x)), 0.0));
  put(vec4(textureGrad(shadows, vec4(vec2(middle), float(float16_t(id.y % uint16_t(3))), 0.5), vec2(0.0), vec2(0.0))));
  put(textureLod(planes, vec3(vec2(middle), float(float16_t(id.x) * float16_t(0.25))), float(level)));

  // Two conversions of one texel, and a texel of which one component is also read as it is.
  f16vec4 narrow = f16vec4(textureLod(plane, vec2(middle.yx), 0.0));
  put(vec4(narrow.xy + narrow.zw, narrow.x, narrow.w));
  vec4 wide = textureLod(plane, vec2(middle.yy), 0.0);
  put(vec4(f16vec3(wide.xyz), wide.x));

  ivec3 cell = ivec3(id, id.x & uint16_t(1));
  uint old = imageLoad(cells, cell).x;
  imageStore(cells, cell, uvec4(old * 3));
  imageAtomicAdd(cells, ivec3(id, uint16_t(2)), old);
  f16vec4 source = f16vec4(imageLoad(sources, ivec2(id)));
  imageStore(colors, ivec2(id.yx), vec4(source * float16_t(2) + f16vec4(middle, middle)));
  put(vec4(source));
}
