#version 450
// Neighbours hand values on, again and again, in workgroups that fit into one wave: barriers that need no code. For one lane each load
// is of other bytes than the stores around it.
layout(local_size_x = 32) in;
layout(std430, binding = 0) coherent buffer Words { uint words[]; };
layout(std430, binding = 1) writeonly buffer Results { uint results[]; };

shared uint row[96];

void main() {
  uint i = gl_LocalInvocationIndex;
  uint first = gl_WorkGroupID.x * 128u;
  uint v = words[first + i];
  row[i] = v * 3u;
  row[i + 32u] = v ^ 0x55u;
  row[i + 64u] = v + 7u;
  barrier();
  uint a = row[i + 1u];
  barrier();
  row[i + 2u] = a * 5u + v;
  barrier();
  uint b = row[i + 3u];
  barrier();
  row[i + 4u] = b + a;
  barrier();
  uint c = row[i + 5u] + row[i];

  words[first + i + 32u] = c;
  memoryBarrierBuffer();
  barrier();
  uint d = words[first + i + 33u];
  memoryBarrierBuffer();
  barrier();
  words[first + i + 34u] = d ^ b;
  memoryBarrierBuffer();
  barrier();
  uint e = words[first + i + 35u];
  results[gl_WorkGroupID.x * 32u + i] = a ^ b * 3u ^ c * 7u ^ d * 11u ^ e * 13u;
}
