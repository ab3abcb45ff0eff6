// SPDX-License-Identifier: MIT
// 100 values live at once in each of 1024 invocations, which exchange them through a barrier: all waves run at the same
// time, so each has fewer vector registers than values.
#version 450
layout(local_size_x = 1024) in;

layout(set = 0, binding = 0) buffer Results { uint results[]; };

shared uint exchanged[1024];

#define MAKE(v) state = state * 1664525u + i; uint v = state ^ (state >> 15);
#define MAKE10(v) MAKE(v##0) MAKE(v##1) MAKE(v##2) MAKE(v##3) MAKE(v##4) MAKE(v##5) MAKE(v##6) MAKE(v##7) MAKE(v##8) MAKE(v##9)
#define MAKE100(v) MAKE10(v##0) MAKE10(v##1) MAKE10(v##2) MAKE10(v##3) MAKE10(v##4) MAKE10(v##5) MAKE10(v##6) MAKE10(v##7) MAKE10(v##8) MAKE10(v##9)

#define FOLD(v) fold = fold * 31u + v;
#define FOLD10(v) FOLD(v##9) FOLD(v##8) FOLD(v##7) FOLD(v##6) FOLD(v##5) FOLD(v##4) FOLD(v##3) FOLD(v##2) FOLD(v##1) FOLD(v##0)
#define FOLD100(v) FOLD10(v##9) FOLD10(v##8) FOLD10(v##7) FOLD10(v##6) FOLD10(v##5) FOLD10(v##4) FOLD10(v##3) FOLD10(v##2) FOLD10(v##1) FOLD10(v##0)

void main() {
  uint i = gl_LocalInvocationIndex;
  uint state = results[i];
  MAKE100(v)
  exchanged[i] = state;
  barrier();
  uint fold = exchanged[i ^ 1023u];
  FOLD100(v)
  results[i] = fold;
}
