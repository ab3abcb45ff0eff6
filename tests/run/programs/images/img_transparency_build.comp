#version 450
// Order-independent transparency, first pass: every fragment joins the list of its texel, whose head is exchanged.
layout(local_size_x = 64) in;
struct Node { uint color; uint depth; uint next; };
layout(binding = 0, r32ui) uniform uimage2D heads;
layout(binding = 1, std430) buffer Nodes { uint count; Node nodes[]; };
layout(binding = 2, std430) readonly buffer Fragments { uvec2 fragments[]; };
void main() {
  uvec2 fragment = fragments[gl_GlobalInvocationID.x];
  ivec2 at = ivec2(fragment.x & 15u, fragment.x >> 4 & 15u);
  uint node = atomicAdd(count, 1u);
  nodes[node].color = fragment.y;
  nodes[node].depth = gl_GlobalInvocationID.x * 40503u & 0xffffu;
  nodes[node].next = imageAtomicExchange(heads, at, node + 1u);
}
