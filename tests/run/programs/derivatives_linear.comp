// SPDX-License-Identifier: MIT
// Derivatives among four invocations that follow each other in the linear index, whatever the shape of the workgroup.
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 10, local_size_y = 6) in;
layout(derivative_group_linearNV) in;
layout(set = 0, binding = 0) writeonly buffer Results { vec4 results[]; };
void main() {
  float i = float(gl_LocalInvocationIndex), value = i * i;
  results[gl_LocalInvocationIndex] = vec4(dFdxFine(value), dFdyFine(value), dFdxCoarse(value), fwidthFine(value));
}
