// SPDX-License-Identifier: MIT
// 9000 uniform values live at once: more than the lanes of half the vector registers can hold, so that some go to memory.
// They are needed last first, by all invocations or by some of them.
#version 450
layout(local_size_x = 48) in;

layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint seed; uint step; };

#define MAKE(v) state = state * 1664525u + step; uint v = state ^ (state >> 15);
#define MAKE10(v) MAKE(v##0) MAKE(v##1) MAKE(v##2) MAKE(v##3) MAKE(v##4) MAKE(v##5) MAKE(v##6) MAKE(v##7) MAKE(v##8) MAKE(v##9)
#define MAKE100(v) MAKE10(v##0) MAKE10(v##1) MAKE10(v##2) MAKE10(v##3) MAKE10(v##4) MAKE10(v##5) MAKE10(v##6) MAKE10(v##7) MAKE10(v##8) MAKE10(v##9)
#define MAKE1000(v) MAKE100(v##0) MAKE100(v##1) MAKE100(v##2) MAKE100(v##3) MAKE100(v##4) MAKE100(v##5) MAKE100(v##6) MAKE100(v##7) MAKE100(v##8) MAKE100(v##9)

#define FOLD(v) fold = fold * 31u + v;
#define FOLD10(v) FOLD(v##9) FOLD(v##8) FOLD(v##7) FOLD(v##6) FOLD(v##5) FOLD(v##4) FOLD(v##3) FOLD(v##2) FOLD(v##1) FOLD(v##0)
#define FOLD100(v) FOLD10(v##9) FOLD10(v##8) FOLD10(v##7) FOLD10(v##6) FOLD10(v##5) FOLD10(v##4) FOLD10(v##3) FOLD10(v##2) FOLD10(v##1) FOLD10(v##0)
#define FOLD1000(v) FOLD100(v##9) FOLD100(v##8) FOLD100(v##7) FOLD100(v##6) FOLD100(v##5) FOLD100(v##4) FOLD100(v##3) FOLD100(v##2) FOLD100(v##1) FOLD100(v##0)

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint state = seed + gl_WorkGroupID.x;
  MAKE1000(v1) MAKE1000(v2) MAKE1000(v3) MAKE1000(v4) MAKE1000(v5) MAKE1000(v6) MAKE1000(v7) MAKE1000(v8) MAKE1000(v9)
  uint fold = state;
  FOLD1000(v9) FOLD1000(v8)
  uint all = fold;
  if (results[i] % 3u == 1u) {
    FOLD1000(v7) FOLD1000(v6) FOLD1000(v5)
    results[i] += fold;
    fold = all;
  }
  FOLD1000(v4) FOLD1000(v3) FOLD1000(v2) FOLD1000(v1)
  results[i] ^= fold;
}
