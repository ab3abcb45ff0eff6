// SPDX-License-Identifier: MIT
// The least, the greatest and the middle one of three numbers.
#version 450
#extension GL_AMD_shader_trinary_minmax : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Integers { uint words[]; };
layout(set = 0, binding = 1) readonly buffer Floats { float floats[]; };
layout(set = 0, binding = 2) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint x = words[i], y = words[i + 64], z = words[i + 128];
  results[i * 9] = min3(x, y, z);
  results[i * 9 + 1] = max3(x, y, z);
  results[i * 9 + 2] = mid3(x, y, z);
  ivec2 a = ivec2(x, z), b = ivec2(y, x), c = ivec2(z, y);
  results[i * 9 + 3] = uint(min3(a, b, c).x);
  results[i * 9 + 4] = uint(max3(a, b, c).y);
  results[i * 9 + 5] = uint(mid3(a, b, c).y);
  float f = floats[i], g = floats[i + 64], h = floats[i + 128];
  results[i * 9 + 6] = floatBitsToUint(min3(f, g, h));
  results[i * 9 + 7] = floatBitsToUint(max3(f, g, h));
  results[i * 9 + 8] = floatBitsToUint(mid3(f, g, h));
}
