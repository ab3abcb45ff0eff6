#version 450
// One operation with each access of a list, by one of several samplers of one image. The program that runs it defines
// SAMPLER, its type, STATES, how many there are, and OPERATION, an expression of `a` and `S`; for operations with
// implicit levels of detail LINEAR or QUADS, how invocations are the quads of derivatives, and CLAMPS for those with a
// least level of detail.
#ifdef CLAMPS
#extension GL_ARB_sparse_texture_clamp : require
#endif
#if defined(LINEAR) || defined(QUADS)
#extension GL_NV_compute_shader_derivatives : require
#endif
#ifdef QUADS
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;
#else
layout(local_size_x = 64) in;
#endif
#ifdef LINEAR
layout(derivative_group_linearNV) in;
#endif
struct Access {
  vec4 at;  // coordinates; w is the layer
  vec4 dx;  // a gradient or an offset; w is a divisor
  vec4 dy;
  vec4 more;  // level of detail, reference, least level of detail, bias
};
layout(binding = 0) uniform SAMPLER samplers[STATES];
layout(binding = 2, std430) readonly buffer Accesses { Access accesses[]; };
layout(binding = 3, std430) writeonly buffer Results { vec4 results[]; };
layout(constant_id = 0) const uint state = 0;
layout(push_constant) uniform Push { uint count; };
const ivec2 kOffsets[4] = ivec2[4](ivec2(-8, 7), ivec2(0, 1), ivec2(2, -3), ivec2(7, -1));
#define S samplers[state]
// The four invocations of a quad have numbers that follow each other.
uint own_number() {
#ifdef QUADS
  uvec2 at = gl_LocalInvocationID.xy;
  return gl_WorkGroupID.x * 64 + (at.y / 2 * 4 + at.x / 2) * 4 + at.y % 2 * 2 + at.x % 2;
#else
  return gl_GlobalInvocationID.x;
#endif
}
void main() {
  uint i = own_number();
  if (i >= count) return;
  Access a = accesses[i];
  results[state * count + i] = vec4(OPERATION);
}
