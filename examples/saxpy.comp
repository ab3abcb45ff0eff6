// SPDX-License-Identifier: MIT
// y = a x + y, the "hello world" of compute: one invocation for each element.
//
//   spalt run examples/saxpy.comp --dispatch 1,1,1 --push u32:8,f32:2 --buffer 0:0=f32:1,2,3,4,5,6,7,8 --buffer 0:1=f32:10,20,30,40,50,60,70,80 --print 0:1:f32
//
// prints 12, 24, 36, ... one value per line.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Parameters {
  uint count;
  float a;
};

void main() {
  uint i = gl_GlobalInvocationID.x;
  // The last workgroup may be larger than what is left to do.
  if (i < count) y[i] = a * x[i] + y[i];
}
