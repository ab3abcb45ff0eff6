#version 450
// Doubles the first `count` elements of a buffer. docs/one-shader.md follows this shader through the compiler. Run it with
//
//   spalt run examples/scale.comp --dispatch 1 --push u32:3 --buffer 0:0=f32:1,2,3,4 --print 0:0:f32
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };
layout(push_constant) uniform Push { uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) data[i] *= 2.0;
}
