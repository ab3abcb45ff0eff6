#version 450
// Three ways to one block, two of them straight from branches that the whole workgroup takes, with values of several
// registers that come and go in between: what is live there lies elsewhere on each way.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(std430, binding = 1) readonly buffer Wide { uvec4 wide[]; };
layout(std430, binding = 2) buffer Results { uint results[]; };

void main() {
  const uint id = gl_GlobalInvocationID.x, way = inputs[gl_WorkGroupID.x], at = id * 32;
  const uint x = inputs[64 + id];
  uint v0 = x * 3 ^ (x >> 1), v1 = x * 5 ^ (x >> 2), v2 = x * 7 ^ (x >> 3), v3 = x * 9 ^ (x >> 4), v4 = x * 11 ^ (x >> 5);
  uint v5 = x * 13 ^ (x >> 6), v6 = x * 15 ^ (x >> 7), v7 = x * 17 ^ (x >> 8), v8 = x * 19 ^ (x >> 9);
  results[at + 1] = v1;
  results[at + 3] = v3;
  results[at + 4] = v4;
  results[at + 5] = v5;
  results[at + 7] = v7;
  results[at + 8] = v8;
  do {
    if ((way & 1) == 0) break;
    uvec4 a = wide[id], b = wide[id + 1], c = wide[id + 2], d = wide[id + 3];
    if ((way & 2) == 0) break;
    a = a.wzyx + v3;
    b = b.wzyx + v4;
    c = c.wzyx + v8;
    d = d.wzyx + v2;
    results[at + 9] = a.x ^ a.y ^ a.z * 3 ^ a.w * 5;
    results[at + 10] = b.x ^ b.y ^ b.z * 3 ^ b.w * 5;
    results[at + 11] = c.x ^ c.y ^ c.z * 3 ^ c.w * 5;
    results[at + 12] = d.x ^ d.y ^ d.z * 3 ^ d.w * 5;
    if ((way & 4) == 0) break;
    results[at] = v0 + v2 + v6;
    return;
  } while (false);
  results[at] = v0;
  results[at + 2] = v2;
  results[at + 6] = v6;
}
