// SPDX-License-Identifier: MIT
// About 200 uniform values live at once through a loop: more than there are scalar registers.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) uniform Table { uvec4 table[50]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint rounds; };

#define DECLARE(n) uvec4 state##n = table[n] ^ (gl_WorkGroupID.x * 977u);
#define STEP(n) state##n = (state##n + table[(n + r) % 50u].yzwx) ^ (state##n >> 7);
#define FOLD(n) fold = fold * 31u + (state##n.x ^ state##n.y ^ state##n.z ^ state##n.w);

void main() {
  DECLARE(0) DECLARE(1) DECLARE(2) DECLARE(3) DECLARE(4) DECLARE(5) DECLARE(6) DECLARE(7) DECLARE(8) DECLARE(9)
  DECLARE(10) DECLARE(11) DECLARE(12) DECLARE(13) DECLARE(14) DECLARE(15) DECLARE(16) DECLARE(17) DECLARE(18)
  DECLARE(19) DECLARE(20) DECLARE(21) DECLARE(22) DECLARE(23) DECLARE(24) DECLARE(25) DECLARE(26) DECLARE(27)
  DECLARE(28) DECLARE(29) DECLARE(30) DECLARE(31) DECLARE(32) DECLARE(33) DECLARE(34) DECLARE(35) DECLARE(36)
  DECLARE(37) DECLARE(38) DECLARE(39) DECLARE(40) DECLARE(41) DECLARE(42) DECLARE(43) DECLARE(44) DECLARE(45)
  DECLARE(46) DECLARE(47) DECLARE(48) DECLARE(49)
  for (uint r = 0; r < rounds; ++r) {
  STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11) STEP(12)
  STEP(13) STEP(14) STEP(15) STEP(16) STEP(17) STEP(18) STEP(19) STEP(20) STEP(21) STEP(22) STEP(23) STEP(24)
  STEP(25) STEP(26) STEP(27) STEP(28) STEP(29) STEP(30) STEP(31) STEP(32) STEP(33) STEP(34) STEP(35) STEP(36)
  STEP(37) STEP(38) STEP(39) STEP(40) STEP(41) STEP(42) STEP(43) STEP(44) STEP(45) STEP(46) STEP(47) STEP(48)
  STEP(49)
  }
  uint fold = 0;
  FOLD(0) FOLD(1) FOLD(2) FOLD(3) FOLD(4) FOLD(5) FOLD(6) FOLD(7) FOLD(8) FOLD(9) FOLD(10) FOLD(11) FOLD(12)
  FOLD(13) FOLD(14) FOLD(15) FOLD(16) FOLD(17) FOLD(18) FOLD(19) FOLD(20) FOLD(21) FOLD(22) FOLD(23) FOLD(24)
  FOLD(25) FOLD(26) FOLD(27) FOLD(28) FOLD(29) FOLD(30) FOLD(31) FOLD(32) FOLD(33) FOLD(34) FOLD(35) FOLD(36)
  FOLD(37) FOLD(38) FOLD(39) FOLD(40) FOLD(41) FOLD(42) FOLD(43) FOLD(44) FOLD(45) FOLD(46) FOLD(47) FOLD(48)
  FOLD(49)
  results[gl_GlobalInvocationID.x] = fold ^ gl_LocalInvocationID.x;
}
