#version 450
// One operation with each access of a list, by one of several samplers of one image. The program that runs it defines
// SAMPLER, its type, STATES, how many there are, and OPERATION, an expression of `a` and `S`.
layout(local_size_x = 64) in;
struct Access {
  vec4 at;  // coordinates; w is the layer
  vec4 dx;
  vec4 dy;
  vec4 more;  // level of detail, reference
};
layout(binding = 0) uniform SAMPLER samplers[STATES];
layout(binding = 2, std430) readonly buffer Accesses { Access accesses[]; };
layout(binding = 3, std430) writeonly buffer Results { vec4 results[]; };
layout(constant_id = 0) const uint state = 0;
layout(push_constant) uniform Push { uint count; };
#define S samplers[state]
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  Access a = accesses[i];
  results[state * count + i] = vec4(OPERATION);
}
