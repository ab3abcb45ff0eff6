// SPDX-License-Identifier: MIT
// Gradient noise (Perlin, improved) summed over four octaves, with the permutation hashed instead of tabled.
#version 450
layout(local_size_x = 16, local_size_y = 4) in;

layout(set = 0, binding = 0) writeonly buffer Field { float field[]; };
layout(push_constant) uniform Domain { vec3 origin; float step_size; uint width; };

uint hash(uvec3 p) {
  uint h = p.x * 0x8da6b343u ^ p.y * 0xd8163841u ^ p.z * 0xcb1ab31fu;
  h ^= h >> 13;
  h *= 0x5bd1e995u;
  return h ^ (h >> 15);
}

float gradient(ivec3 cell, vec3 offset) {
  uint h = hash(uvec3(cell)) & 15;
  float u = h < 8 ? offset.x : offset.y;
  float v = h < 4 ? offset.y : (h == 12 || h == 14 ? offset.x : offset.z);
  return ((h & 1) == 0 ? u : -u) + ((h & 2) == 0 ? v : -v);
}

float noise(vec3 p) {
  ivec3 cell = ivec3(floor(p));
  vec3 f = fract(p);
  vec3 w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  float corner[8];
  for (int i = 0; i < 8; ++i) {
    ivec3 c = ivec3(i & 1, (i >> 1) & 1, i >> 2);
    corner[i] = gradient(cell + c, f - vec3(c));
  }
  vec4 along_x = mix(vec4(corner[0], corner[2], corner[4], corner[6]), vec4(corner[1], corner[3], corner[5], corner[7]), w.x);
  vec2 along_y = mix(along_x.xz, along_x.yw, w.y);
  return mix(along_y.x, along_y.y, w.z);
}

void main() {
  // Sample points are multiples of 1/64, so floor and fract are exact.
  vec3 p = origin + vec3(gl_GlobalInvocationID) * step_size;
  float sum = 0.0;
  float amplitude = 1.0;
  for (int octave = 0; octave < 4; ++octave) {
    sum += amplitude * noise(p);
    p = p * 2.0 + vec3(1.5, 2.25, 0.75);
    amplitude *= 0.5;
  }
  field[gl_GlobalInvocationID.y * width + gl_GlobalInvocationID.x] = sum;
}
