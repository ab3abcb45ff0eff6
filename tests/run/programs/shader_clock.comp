// SPDX-License-Identifier: MIT
// No clock runs backwards, and a clock that two reads bracket work is read twice. Nothing that is checked depends on what
// the time is.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_ARB_shader_clock : require
#extension GL_EXT_shader_realtime_clock : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uvec2 results[]; };

bool is_before(uvec2 a, uvec2 b) {
  return a.y < b.y || (a.y == b.y && a.x <= b.x);
}

void main() {
  uint word = words[gl_GlobalInvocationID.x];
  uvec2 start = clock2x32ARB(), device_start = clockRealtime2x32EXT();
  uint64_t wide_start = clockARB(), wide_device_start = clockRealtimeEXT();
  uint sum = word, checks = 0u;
  uint64_t last = wide_start;
  for (uint i = 0u; i < (word & 15u); ++i) {
    sum = sum * 1664525u + 1013904223u;
    uint64_t now = clockARB();
    if (now < last) checks |= 16u;
    last = now;
  }
  uvec2 end = clock2x32ARB(), device_end = clockRealtime2x32EXT();
  uint64_t wide_end = clockARB(), wide_device_end = clockRealtimeEXT();
  if (is_before(start, end)) checks |= 1u;
  if (is_before(device_start, device_end)) checks |= 2u;
  if (wide_start <= wide_end && last <= wide_end) checks |= 4u;
  if (wide_device_start <= wide_device_end) checks |= 8u;
  results[gl_GlobalInvocationID.x] = uvec2(checks, sum);
}
