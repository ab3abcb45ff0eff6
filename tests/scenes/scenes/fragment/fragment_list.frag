#version 450
// Puts every fragment into a list of its pixel.
layout(location = 0) in vec4 color;
struct Node { uint next; float depth; uint color; uint unused; };
layout(std430, binding = 0) buffer Counter { uint counter; };
layout(std430, binding = 1) buffer Nodes { Node nodes[]; };
layout(binding = 2, r32ui) uniform uimage2D heads;

void main() {
  uint node = atomicAdd(counter, 1u);
  if (node >= uint(nodes.length())) return;
  uint before = imageAtomicExchange(heads, ivec2(gl_FragCoord.xy), node + 1u);
  nodes[node] = Node(before, gl_FragCoord.z, packUnorm4x8(color), 0u);
}
