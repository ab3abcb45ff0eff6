// SPDX-License-Identifier: MIT
// Gravity of 128 bodies: forces from tiles in shared memory, then one leapfrog step into the other buffer.
#version 450
layout(local_size_x = 64) in;

struct Body {
  vec3 position;
  float mass;
  vec3 velocity;
  float pad;
};

layout(set = 0, binding = 0, std430) buffer Bodies { Body bodies[]; } frames[2];
layout(push_constant) uniform Step { float seconds; float softening; uint from; uint count; };

shared vec4 tile[64];

void main() {
  uint index = gl_GlobalInvocationID.x;
  Body body = frames[from].bodies[index];
  vec3 acceleration = vec3(0.0);
  for (uint start = 0; start < count; start += 64) {
    Body other = frames[from].bodies[start + gl_LocalInvocationID.x];
    tile[gl_LocalInvocationID.x] = vec4(other.position, other.mass);
    barrier();
    for (uint i = 0; i < 64; ++i) {
      vec3 offset = tile[i].xyz - body.position;
      float square = dot(offset, offset) + softening * softening;
      float inverse = inversesqrt(square);
      acceleration += offset * (tile[i].w * inverse * inverse * inverse);
    }
    barrier();
  }
  body.velocity += acceleration * seconds;
  body.position += body.velocity * seconds;
  frames[1 - from].bodies[index] = body;
}
