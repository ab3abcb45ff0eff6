#version 450
#extension GL_ARB_sparse_texture_clamp : require
// A least level of detail of each sample beside levels that follow from gradients; the texels of a level are its number.
layout(local_size_x = 64) in;
layout(binding = 0) uniform sampler2D levels;
layout(binding = 1, std430) writeonly buffer Result { vec4 result[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float step = exp2(float(i & 7u) - 6.0), least = float(i >> 3 & 7u);
  vec2 uv = vec2(0.40625, 0.59375);
  result[i].x = textureGradClampARB(levels, uv, vec2(step, 0.0), vec2(0.0, step), least).r;
  result[i].y = textureGradOffsetClampARB(levels, uv, vec2(step, 0.0), vec2(0.0), ivec2(1, 0), least + 0.25).r;
  result[i].zw = vec2(step, least);
}
