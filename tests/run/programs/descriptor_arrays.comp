// SPDX-License-Identifier: MIT
// Arrays of storage and uniform blocks with constant and dynamically uniform index, in several sets.
#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 2) buffer Data { uint size; uint values[]; } data[4];
layout(set = 1, binding = 0) uniform Factors { uvec4 factor; } factors[3];
layout(set = 3, binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Choice { uint chosen; };

void main() {
  uint i = gl_LocalInvocationID.x;
  uint group = gl_WorkGroupID.x;
  uint sum = data[0].values[i] + data[3].values[i];
  sum += data[chosen].values[i] * factors[2].factor.w;
  sum += data[group & 3].values[i] * factors[group % 3].factor[i & 3];
  for (uint d = 0; d < 4; ++d) sum = sum * 3 + data[d].values[(i + d) % data[d].size];
  results[group * 32 + i] = sum;
  if (i == 0) atomicAdd(data[(group + 1) & 3].size, 0u);
  results[group * 32 + i] += uint(data[1].values.length()) * 1000;
}
