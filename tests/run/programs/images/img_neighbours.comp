#version 450
#extension GL_NV_compute_shader_derivatives : require
// Derivatives, and levels of detail that follow from them, among squares of invocations.
layout(local_size_x = 8, local_size_y = 4) in;
layout(derivative_group_quadsNV) in;
layout(binding = 0) uniform sampler2D plane;
layout(binding = 1, std430) writeonly buffer Result { vec4 result[]; };
void main() {
  vec2 at = vec2(gl_GlobalInvocationID.xy);
  vec2 uv = vec2(at.x * at.x / 256.0, at.y * at.y / 128.0);
  float slope = 0.5 * at.x * at.x + at.x * at.y + at.y * at.y;
  vec4 levels = vec4(texture(plane, uv).r, texture(plane, uv, 0.75).r, textureQueryLod(plane, uv));
  vec4 differences = vec4(dFdx(slope), dFdxFine(slope), dFdyFine(slope), fwidthCoarse(slope));
  uint place = gl_GlobalInvocationID.y * 32 + gl_GlobalInvocationID.x;
  result[2 * place] = levels;
  result[2 * place + 1] = differences;
}
